// Sorting rows on the CPU: each by one thread, or, where there are few long ones, by all of them.
#include <algorithm>

#include "ops/own_function.hpp"
#include "ops/sort_rows.hpp"

namespace gpuarr {
namespace {

constexpr int64_t worth_sharing = 65536;     // elements of a row
constexpr int64_t worth_a_thread = 8192;     // elements of short rows
constexpr int64_t least_of_a_chunk = 32768;  // what a thread gets to do between two launches

void sort_shared(const SortForm& form, HostSort& args, Stream& stream) {
  const int64_t processors = stream.device().facts().processors;
  args.chunks = std::clamp<int64_t>(args.n / least_of_a_chunk, 1, 4 * processors);
  args.chunk = (args.n + args.chunks - 1) / args.chunks;
  args.chunks = (args.n + args.chunk - 1) / args.chunk;
  const int64_t parts = args.rows * args.chunks;
  const Array counts = bytes_for(parts * host_count_bytes(form), stream);
  const Array states = bytes_for(args.rows * host_state_numbers * 4, stream);
  args.counts = counts.data;
  args.states = static_cast<int32_t*>(states.data);
  auto launch = [&](const char* name, int64_t blocks) {
    launch_sort(form, {name, {blocks, 1, 0}}, &args, sizeof args, stream);
  };
  for (args.pass = 0; args.pass < sort_passes(form.dtype); ++args.pass) {
    launch("sort_count", parts);
    launch("sort_place", args.rows);
    launch("sort_scatter", parts);
  }
  launch("sort_finish", parts);
}

}  // namespace

void sort_rows_on_host(const RowSort& job, Stream& stream) {
  const SortForm form = form_of(job);
  const int64_t row_bytes = job.n * host_item_bytes(form);
  const int64_t far_bytes = row_bytes <= host_near_bytes ? 0 : job.rows * row_bytes;
  const Array a = bytes_for(far_bytes, stream);
  const Array b = bytes_for(far_bytes, stream);
  HostSort args{job.in,   job.out, job.index, a.data, b.data, nullptr, nullptr,
                job.rows, job.n,   1,         1,      job.n,  0};
  if (job.n > worth_sharing && job.rows < stream.device().facts().processors)
    return sort_shared(form, args, stream);
  args.group = std::max<int64_t>(1, worth_a_thread / job.n);
  const int64_t blocks = (job.rows + args.group - 1) / args.group;
  launch_sort(form, {"sort_rows", {blocks, 1, 0}}, &args, sizeof args, stream);
}

}  // namespace gpuarr
