#include "ops/sort/rows.hpp"

#include "backends.hpp"
#include "ops/base/algorithms.hpp"

namespace gpuarr {

SortVariant variant_of(const RowSort& job) {
  constexpr int64_t most_of_32_bits = int64_t{1} << 32;
  return {job.dtype, job.descending, job.index != nullptr, job.n >= most_of_32_bits,
          job.index != nullptr && job.out == nullptr};
}

void sort_rows(const RowSort& job, Stream& stream) {
  if (job.rows == 0 || job.n == 0) return;
  algorithms_of(stream.device()).sort_rows(job, stream);
}

}  // namespace gpuarr
