// Elements of rows by their rank, found without sorting the others.
#pragma once

#include "array/array.hpp"
#include "codegen/rank/rank.hpp"

namespace gpuarr {

/// Rows that lie one behind the other, in the order of RowSort.
struct RankRows {
  DType dtype;  // not complex
  bool descending = false;
  int64_t rows = 0, n = 0;
  const void* in = nullptr;
};

/// The rows along the last axis of an array in C order, which has elements.
RankRows rows_in(const Array& array, bool descending = false);

/// Whether it is faster than sorting, for `targets` ranks one after the other.
bool ranks_pay(const RankRows& rows, int64_t targets, const Device& device);

/// out[r] = the row's elements: those that come before the one of a rank, then what equals it, then
/// those after it, each in the order they had. Apart from `in`.
void part_rows(const RankRows& rows, int64_t rank, void* out, Stream& stream);

/// values[r, 0 ... k-1] = the first k in order, and index their places: those that come before the
/// last of them, then its equals, each in the order they had. Either may be null.
void first_of_rows(const RankRows& rows, int64_t k, void* values, int64_t* index, Stream& stream);

/// pairs[r] = the elements at the place q (count - 1), rounded down and up, in a row of which
/// numbers[r] = count elements are looked at: none if there is a NaN, unless NaNs are skipped.
struct RankPair {
  double q;
  bool skip_nan;
  void* pairs;
  int64_t* numbers;
};
void pairs_of_rows(const RankRows& rows, const RankPair& pair, Stream& stream);

/// One of the three.
struct RankJob {
  RankRows rows;
  int64_t rank = 0, keep = 0;  // of an element; how many are kept of the elements in their order
  void* out = nullptr;
  int64_t* index = nullptr;
  const RankPair* pair = nullptr;
};

RankVariant variant_of(const RankJob& job);
/// What kernels of a device get, CudaRank or HostRank; all that is the device's own is 0.
template <class Arguments>
Arguments arguments_of(const RankJob& job) {
  Arguments args{};
  args.in = job.rows.in;
  args.out = job.out;
  args.index = job.index;
  args.rows = job.rows.rows;
  args.n = job.rows.n;
  args.rank = job.rank;
  args.keep = job.keep;
  if (job.pair == nullptr) return args;
  args.pairs = job.pair->pairs;
  args.numbers = job.pair->numbers;
  args.skip = job.pair->skip_nan ? 1 : 0;
  args.q = job.pair->q;
  return args;
}

template <auto text>
Source rank_source(const RankVariant& variant) {
  return {.name = "rank", .text = text(variant), .options = {}, .types = name(variant.dtype)};
}

void rank_rows_on_host(const RankJob& job, Stream& stream);
void rank_rows_on_gpu(const RankJob& job, Stream& stream);

}  // namespace gpuarr
