#include "ops/rank_rows.hpp"

#include "codegen/rank/cuda.hpp"
#include "codegen/rank/host.hpp"
#include "kernel/profile.hpp"
#include "ops/own_function.hpp"

namespace gpuarr {
namespace {

const std::shared_ptr<Function>& function_for(const RankForm& form, const char* function,
                                              bool whole, Device& device) {
  static auto* const functions = new OwnFunctions;
  const int flags = (form.descending ? 1 : 0) + (form.wide ? 2 : 0) + (form.pair ? 4 : 0);
  return functions->get(device, function, {static_cast<int>(form.dtype), flags}, [&] {
    Source source{"rank", "", {}};
    source.types = name(form.dtype);
    source.text = device.is_host() ? host_rank_text(form)
                  : whole          ? cuda_rank_rows_text(form)
                                   : cuda_rank_text(form);
    return source;
  });
}

void run(const RankJob& job, Stream& stream) {
  if (job.rows.rows == 0 || job.rows.n == 0) return;
  if (stream.device().is_host())
    rank_rows_on_host(job, stream);
  else
    rank_rows_on_gpu(job, stream);
}

}  // namespace

RankRows rows_in(const Array& array, bool descending) {
  const int64_t n = array.layout.shape[array.ndim() - 1];
  return {array.dtype, descending, array.size() / n, n, array.data};
}

bool ranks_pay(const RankRows& rows, int64_t targets, const Device& device) {
  constexpr int64_t least_on_host = 1000, least_on_gpu = 2048, most_targets = 4;
  return targets <= most_targets && rows.n > (device.is_host() ? least_on_host : least_on_gpu);
}

RankForm form_of(const RankJob& job) {
  constexpr int64_t most_of_32_bits = int64_t{1} << 32;
  return {job.rows.dtype, job.rows.descending, job.rows.n >= most_of_32_bits, job.pair != nullptr};
}

void launch_rank(const RankForm& form, const char* function, int64_t blocks, int threads,
                 const void* parameters, size_t bytes, Stream& stream, bool whole) {
  const auto& compiled = function_for(form, function, whole, stream.device());
  launch_noted(
      stream,
      [&] {
        return LaunchLabel{function, name(form.dtype), {}, {}};
      },
      [&] {
        compiled->launch({blocks, threads, 0}, parameters, bytes, stream);
      });
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
