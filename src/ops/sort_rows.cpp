#include "ops/sort_rows.hpp"

#include "codegen/sort/cub/cub.hpp"
#include "codegen/sort/host.hpp"
#include "core/text.hpp"
#include "kernel/profile.hpp"
#include "ops/own_function.hpp"

namespace gpuarr {
namespace {

// A GPU has a text for each tile that a row fits.
Source source_for(const SortForm& form, const SortKernel& kernel, const Device& device) {
  Source source{"sort", "", {}};
  source.types = text("{}{}", name(form.dtype), form.indexed ? ", indices" : "");
  if (device.is_host()) {
    source.text = host_sort_text(form);
    return source;
  }
  if (kernel.few_threads > 0) {
    source.text = cuda_sort_few_text(form, kernel.few_threads);
    return source;
  }
  if (kernel.warp_items > 0) {
    source.text = cuda_sort_warp_text(form, kernel.warp_items);
    return source;
  }
  source.text = kernel.row_tile.threads > 0 ? cuda_sort_row_text(form, kernel.row_tile)
                                            : cuda_sort_sweep_text(form);
  source.options = cub_options();
  source.embedded = cub_headers();
  return source;
}

const std::shared_ptr<Function>& function_for(const SortForm& form, const SortKernel& kernel,
                                              Device& device) {
  static auto* const functions = new OwnFunctions;
  const int flags = (form.descending ? 1 : 0) + (form.indexed ? 2 : 0) + (form.wide ? 4 : 0) +
                    (form.order_only ? 8 : 0);
  return functions->get(device, kernel.name,
                        {static_cast<int>(form.dtype), flags, kernel.few_threads, kernel.warp_items,
                         kernel.row_tile.threads / 32, kernel.row_tile.items},
                        [&] { return source_for(form, kernel, device); });
}

}  // namespace

SortForm form_of(const RowSort& job) {
  constexpr int64_t most_of_32_bits = int64_t{1} << 32;
  return {job.dtype, job.descending, job.index != nullptr, job.n >= most_of_32_bits,
          job.index != nullptr && job.out == nullptr};
}

void launch_sort(const SortForm& form, const SortKernel& kernel, const void* parameters,
                 size_t bytes, Stream& stream) {
  const auto& function = function_for(form, kernel, stream.device());
  launch_noted(
      stream,
      [&] {
        return LaunchLabel{kernel.name, name(form.dtype), {}, {}};
      },
      [&] { function->launch(kernel.shape, parameters, bytes, stream); });
}

void sort_rows(const RowSort& job, Stream& stream) {
  if (job.rows == 0 || job.n == 0) return;
  if (stream.device().is_host())
    sort_rows_on_host(job, stream);
  else
    sort_rows_on_gpu(job, stream);
}

}  // namespace gpuarr
