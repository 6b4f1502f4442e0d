// Sorting rows on the CPU: each by one thread, or, where there are few long ones, by all of them.
#include <algorithm>
#include <bit>

#include "codegen/sort/host.hpp"
#include "ops/base/own_function.hpp"
#include "ops/sort/rows.hpp"

namespace gpuarr {
namespace {

constexpr int64_t worth_sharing = 262144;    // elements of a row
constexpr int64_t worth_a_thread = 8192;     // elements of short rows
constexpr int64_t least_of_a_chunk = 32768;  // what a thread gets to do between two launches

void sort_shared(const SortVariant& variant, HostSort& args, Stream& stream) {
  const auto processors = static_cast<uint64_t>(stream.device().facts().processors);
  const auto most = std::bit_floor(static_cast<uint64_t>(args.n / least_of_a_chunk));
  args.chunks = static_cast<int64_t>(std::min(std::bit_ceil(processors), most));
  args.chunk = (args.n + args.chunks - 1) / args.chunks;
  args.pieces = std::min<int64_t>(static_cast<int64_t>(4 * processors), args.n / least_of_a_chunk);
  const Array flags = bytes_for(args.rows * args.chunks * 4, stream);
  args.flags = static_cast<int32_t*>(flags.data);
  auto launch = [&](const char* name, int64_t blocks) {
    launch_own(variant, {sort_source<host_sort_text>, name, {blocks, 1, 0}}, args, stream);
  };
  launch("sort_chunks", args.rows * args.chunks);
  for (args.run = args.chunk; args.run < args.n; args.run *= 2, args.turn = 1 - args.turn)
    launch("sort_merge", args.rows * args.pieces);
  if (facts_of(variant.dtype).kind == DTypeKind::real && !variant.indexed)
    launch("sort_repair", args.rows);
  launch("sort_finish", args.rows * args.pieces);
}

}  // namespace

void sort_rows_on_host(const RowSort& job, Stream& stream) {
  const SortVariant variant = variant_of(job);
  const int64_t row_bytes = job.n * host_item_bytes(variant);
  const int64_t far_bytes = row_bytes <= host_near_bytes ? 0 : job.rows * row_bytes;
  const Array a = bytes_for(far_bytes, stream);
  const Array b = bytes_for(far_bytes, stream);
  HostSort args{};
  args.in = job.in;
  args.out = job.out;
  args.index = job.index;
  args.a = a.data;
  args.b = b.data;
  args.rows = job.rows;
  args.n = job.n;
  if (job.n > worth_sharing && job.rows < stream.device().facts().processors)
    return sort_shared(variant, args, stream);
  args.group = std::max<int64_t>(1, worth_a_thread / job.n);
  const int64_t blocks = (job.rows + args.group - 1) / args.group;
  launch_own(variant, {sort_source<host_sort_text>, "sort_rows", {blocks, 1, 0}}, args, stream);
}

}  // namespace gpuarr
