#include "ops/index/runs.hpp"

#include <algorithm>
#include <memory>
#include <span>

#include "backends.hpp"
#include "core/text.hpp"
#include "kernel/copy.hpp"
#include "kernel/launch/profile.hpp"
#include "ops/base/algorithms.hpp"
#include "ops/base/own_function.hpp"
#include "ops/kernels_text.hpp"

namespace gpuarr {
namespace {

// More than that is worth a launch of its own, with wider accesses.
constexpr int64_t most_bytes_of_a_run = int64_t{1} << 17;

// Runs of a launch: as many as its parameters hold, of 4 KiB or, where there are more, of 32.
constexpr size_t few_runs = 160;
constexpr size_t many_runs = 1340;
constexpr int threads = 256;

template <size_t most>
struct RunParameters {
  int64_t total, count;
  Pieces::Run runs[most];
};
static_assert(sizeof(RunParameters<many_runs>) <= 32764);

template <size_t most>
void launch_runs(std::span<const Pieces::Run> runs, int word, Stream& stream) {
  static auto* const functions = new OwnFunctions;
  auto parameters = std::make_unique_for_overwrite<RunParameters<most>>();
  int64_t end = 0;
  for (size_t k = 0; k < runs.size(); ++k) {
    end += runs[k].end / word;
    parameters->runs[k] = {runs[k].from, runs[k].to, end};
  }
  parameters->total = end;
  parameters->count = static_cast<int64_t>(runs.size());
  const auto& function = functions->get(stream.device(), "copy_runs", Small(word), [&] {
    return Source{"copy_runs",
                  formatted("typedef {} T;\nenum {{ most_runs = {} }};\n{}",
                            unsigned_type(word, "uint4"), most, kernel_parts::copy_runs),
                  {}};
  });
  const LaunchShape shape{(end + threads - 1) / threads, threads, 0};
  launch_noted(
      stream,
      [&] {
        return LaunchLabel{"copy_runs", unsigned_type(word, "uint4"), end * word, end * word};
      },
      [&] { function->launch(shape, parameters.get(), sizeof *parameters, stream); });
}

// The bytes of a piece that is one block of them on both sides, in the same order; 0 if it is not.
int64_t bytes_of_run(const Array& into, const Array& from) {
  const bool is_run = into.dtype == from.dtype && is_contiguous(into.layout, Order::k) &&
                      has_strides(from.layout, into.layout.strides);
  return is_run ? from.size() * from.itemsize() : 0;
}

}  // namespace

void Pieces::copy(const Array& into, const Array& from) {
  const int64_t bytes = algorithms_of(stream_.device()).joins_copies ? bytes_of_run(into, from) : 0;
  if (bytes == 0 || bytes > most_bytes_of_a_run) return convert(into, from, stream_);
  into.buffer->used_in(stream_);
  from.buffer->used_in(stream_);
  runs_.push_back({from.data, into.data, bytes});
}

void Pieces::finish() {
  uintptr_t all = 16;
  for (const Run& run : runs_)
    all |= reinterpret_cast<uintptr_t>(run.from) | reinterpret_cast<uintptr_t>(run.to) |
           static_cast<uintptr_t>(run.end);
  const auto word = static_cast<int>(all & -all);
  for (size_t first = 0; first < runs_.size(); first += many_runs)
    launch(first, std::min(many_runs, runs_.size() - first), word);
  runs_.clear();
}

void Pieces::launch(size_t first, size_t count, int word) {
  const std::span<const Run> runs(runs_.data() + first, count);
  if (count <= few_runs)
    launch_runs<few_runs>(runs, word, stream_);
  else
    launch_runs<many_runs>(runs, word, stream_);
}

}  // namespace gpuarr
