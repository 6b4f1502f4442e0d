// Elements by their rank on a GPU: a row by one block, or, where they are long, by many.
#include <algorithm>

#include "codegen/rank/cuda.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/own_function.hpp"
#include "ops/sort/rank.hpp"

namespace gpuarr {
namespace {

constexpr int64_t worth_more_blocks = 65536;          // elements of a row
constexpr int64_t worth_more_blocks_for_few = 16384;  // of a few rows
constexpr int64_t few_rows = 64;
constexpr int64_t most_shared_rows = 1024;
constexpr int64_t blocks_of_a_processor = 8;

void rank_shared(const RankVariant& variant, CudaRank& args, Stream& stream) {
  auto launch = [&](const char* name, int64_t blocks, int threads) {
    launch_own(variant, {rank_source<cuda_rank_text>, name, {blocks, threads, 0}}, args, stream);
  };
  const int64_t bins = rank_bins(variant.dtype) * (variant.pair ? 2 : 1),
                size = size_of(variant.dtype);
  const int64_t tiles = (args.n + rank_tile - 1) / rank_tile;
  const int64_t blocks = blocks_of_a_processor * stream.device().facts().processors;
  args.parts = std::clamp<int64_t>((blocks + args.rows - 1) / args.rows, 1, tiles);
  args.room = args.n / 8;
  args.chunks = (args.n + rank_gather_tile - 1) / rank_gather_tile;
  const int64_t words_of_a_state = variant.wide ? 4 : 2;
  args.per_row =
      words_of_a_state * (args.chunks + (args.chunks + 31) / 32 + (args.chunks + 1023) / 1024);
  const int64_t state_bytes = args.rows * rank_row_bytes;
  const int64_t bin_bytes = args.rows * bins * (variant.wide ? 8 : 4);
  const int64_t chain_bytes = variant.pair ? 0 : args.rows * args.per_row * 8;
  const Array zeros = bytes_for(state_bytes + chain_bytes + bin_bytes, stream);
  fill(zeros, Scalar::of(int64_t{0}), stream);
  const Array kept =
      bytes_for(rank_passes(variant.dtype) > 2 ? args.rows * args.room * size : 0, stream);
  args.state = zeros.data;
  args.states = static_cast<char*>(zeros.data) + state_bytes;
  args.bins = static_cast<char*>(args.states) + chain_bytes;
  args.kept = kept.data;
  for (args.pass = 0; args.pass < rank_passes(variant.dtype); ++args.pass)
    launch("rank_digits", args.rows * args.parts, rank_threads);
  if (!variant.pair) launch("rank_gather", args.rows * args.chunks, rank_gather_threads);
}

}  // namespace

void rank_rows_on_gpu(const RankJob& job, Stream& stream) {
  const RankVariant variant = variant_of(job);
  auto args = arguments_of<CudaRank>(job);
  const int64_t least = args.rows <= few_rows ? worth_more_blocks_for_few : worth_more_blocks;
  if (args.n > least && args.rows <= most_shared_rows) return rank_shared(variant, args, stream);
  const int64_t blocks = std::min<int64_t>(args.rows, INT32_MAX);
  launch_own(variant, {rank_source<cuda_rank_rows_text>, "rank_rows", {blocks, rank_threads, 0}},
             args, stream);
}

}  // namespace gpuarr
