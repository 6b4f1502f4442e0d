// The loops of copy.hpp as compiled kernels.
#include "ops/copy_kernel.hpp"

#include "core/error.hpp"

namespace gpuarr {
namespace {

[[noreturn]] void lack(const Array& target) {
  fail(GPUARR_ERR_UNSUPPORTED, "{} has no loop for {} with shape {} and strides {}",
       target.device().facts().name, name(target.dtype), to_string(target.layout.shape),
       to_string(target.layout.strides));
}

}  // namespace

void run_copy_kernel(const Array& target, const Array&, Stream&) { lack(target); }
void run_fill_kernel(const Array& target, const Scalar&, Stream&) { lack(target); }
void run_arange_kernel(const Array& target, int64_t, int64_t, Stream&) { lack(target); }
void run_arange_kernel(const Array& target, double, double, Stream&) { lack(target); }

}  // namespace gpuarr
