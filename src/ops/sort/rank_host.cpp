// Elements by their rank on the CPU: a row by one thread, or, where there are few long ones, by
// all.
#include <algorithm>

#include "codegen/rank/host.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/own_function.hpp"
#include "ops/sort/rank.hpp"

namespace gpuarr {
namespace {

constexpr int64_t rank_worth_sharing = 131072;  // elements of a row
constexpr int64_t rank_worth_a_thread = 8192;   // elements of short rows
constexpr int64_t least_of_a_part = 16384;
constexpr int64_t most_of_a_part = int64_t{1} << 31;  // counts are 32 bits

void rank_shared(const RankVariant& variant, HostRank& args, Stream& stream) {
  const auto processors = static_cast<int64_t>(stream.device().facts().processors);
  args.parts = std::clamp<int64_t>(args.n / least_of_a_part, 1, 4 * processors);
  args.parts = std::max(args.parts, (args.n + most_of_a_part - 1) / most_of_a_part);
  args.part = (args.n + args.parts - 1) / args.parts;
  const int64_t all = args.rows * args.parts,
                bins = rank_bins(variant.dtype) * (variant.pair ? 2 : 1);
  const Array states = bytes_for(args.rows * host_rank_row_bytes, stream);
  const Array cut = bytes_for(all * host_rank_part_bytes, stream);
  const Array counts = bytes_for(all * bins * 4, stream);
  for (const Array* cleared : {&states, &cut}) fill(*cleared, Scalar::of(int64_t{0}), stream);
  args.states = states.data;
  args.cut = cut.data;
  args.bins = static_cast<uint32_t*>(counts.data);
  auto launch = [&](const char* name, int64_t blocks) {
    launch_own(variant, {rank_source<host_rank_text>, name, {blocks, 1, 0}}, args, stream);
  };
  for (args.pass = 0; args.pass < rank_passes(variant.dtype); ++args.pass) {
    launch("rank_digits", all);
    launch("rank_choose", args.rows);
  }
  if (!variant.pair) launch("rank_gather", all);
}

}  // namespace

void rank_rows_on_host(const RankJob& job, Stream& stream) {
  const RankVariant variant = variant_of(job);
  auto args = arguments_of<HostRank>(job);
  args.parts = 1;
  const int64_t row_bytes = args.n * size_of(variant.dtype);
  const bool near = row_bytes <= host_rank_near_bytes || rank_passes(variant.dtype) == 1;
  const Array kept = bytes_for(near ? 0 : args.rows * row_bytes, stream);
  args.kept = kept.data;
  if ((args.n > rank_worth_sharing && args.rows < stream.device().facts().processors) ||
      args.n > most_of_a_part)
    return rank_shared(variant, args, stream);
  args.group = std::max<int64_t>(1, rank_worth_a_thread / args.n);
  const int64_t blocks = (args.rows + args.group - 1) / args.group;
  launch_own(variant, {rank_source<host_rank_text>, "rank_rows", {blocks, 1, 0}}, args, stream);
}

}  // namespace gpuarr
