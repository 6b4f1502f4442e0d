#include "ops/sort/rows.hpp"

#include "backends.hpp"
#include "core/text.hpp"
#include "ops/base/algorithms.hpp"
#include "ops/base/own_function.hpp"

namespace gpuarr {
namespace {

const std::shared_ptr<Function>& function_for(const SortVariant& variant, const SortKernel& kernel,
                                              Device& device) {
  static auto* const functions = new OwnFunctions;
  return functions->get(device, kernel.name, variant, [&] {
    Source source = kernel.source(variant);
    source.types = formatted("{}{}", name(variant.dtype), variant.indexed ? ", indices" : "");
    return source;
  });
}

}  // namespace

SortVariant variant_of(const RowSort& job) {
  constexpr int64_t most_of_32_bits = int64_t{1} << 32;
  return {job.dtype, job.descending, job.index != nullptr, job.n >= most_of_32_bits,
          job.index != nullptr && job.out == nullptr};
}

void launch_sort(const SortVariant& variant, const SortKernel& kernel, const void* parameters,
                 size_t bytes, Stream& stream) {
  const auto& function = function_for(variant, kernel, stream.device());
  launch_own(*function, kernel.name, name(variant.dtype), kernel.shape, parameters, bytes, stream);
}

void sort_rows(const RowSort& job, Stream& stream) {
  if (job.rows == 0 || job.n == 0) return;
  algorithms_of(stream.device()).sort_rows(job, stream);
}

}  // namespace gpuarr
