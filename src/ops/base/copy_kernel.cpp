#include "ops/base/copy_kernel.hpp"

#include "ops/base/own_kernel.hpp"

namespace gpuarr {

void run_fill_kernel(const Array& target, const Scalar& value, Stream& stream) {
  static Elementwise* const kernel = own_kernel("fill", "T value", "T y", "y = value;");
  run_own(*kernel, {value}, {&target}, stream);
}

void run_arange_kernel(const Array& target, int64_t start, int64_t step, Stream& stream) {
  // Unsigned, so that a range modulo 2^64 is no overflow.
  static Elementwise* const kernel =
      own_kernel("arange", "int64 start, int64 step", "T y",
                 "y = (T)(int64)((uint64)start + (uint64)i * (uint64)step);");
  run_own(*kernel, {start, step}, {&target}, stream);
}

void run_arange_kernel(const Array& target, double start, double step, Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("arange", "float64 start, float64 step", "T y", "y = (T)(start + i * step);");
  run_own(*kernel, {start, step}, {&target}, stream);
}

}  // namespace gpuarr
