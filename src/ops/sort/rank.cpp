#include "ops/sort/rank.hpp"

#include "backends.hpp"
#include "ops/base/algorithms.hpp"

namespace gpuarr {
namespace {

void run(const RankJob& job, Stream& stream) {
  if (job.rows.rows == 0 || job.rows.n == 0) return;
  algorithms_of(stream.device()).rank_rows(job, stream);
}

}  // namespace

RankRows rows_in(const Array& array, bool descending) {
  const int64_t n = array.layout.shape[array.ndim() - 1];
  return {array.dtype, descending, array.size() / n, n, array.data};
}

bool ranks_pay(const RankRows& rows, int64_t targets, const Device& device) {
  constexpr int64_t most_targets = 4;
  return targets <= most_targets && rows.n > algorithms_of(device).least_ranked;
}

RankVariant variant_of(const RankJob& job) {
  constexpr int64_t most_of_32_bits = int64_t{1} << 32;
  return {job.rows.dtype, job.rows.descending, job.rows.n >= most_of_32_bits, job.pair != nullptr};
}

void part_rows(const RankRows& rows, int64_t rank, void* out, Stream& stream) {
  run({rows, rank, rows.n, out, nullptr, nullptr}, stream);
}

void first_of_rows(const RankRows& rows, int64_t k, void* values, int64_t* index, Stream& stream) {
  run({rows, k - 1, k, values, index, nullptr}, stream);
}

void pairs_of_rows(const RankRows& rows, const RankPair& pair, Stream& stream) {
  run({rows, 0, 0, nullptr, nullptr, &pair}, stream);
}

}  // namespace gpuarr
