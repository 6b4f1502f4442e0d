#include "ops/sort_rows.hpp"

#include "codegen/cub.hpp"
#include "core/text.hpp"
#include "kernel/cache.hpp"
#include "kernel/profile.hpp"
#include "kernel/table.hpp"

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
  source.text = kernel.row_tile.threads > 0 ? cuda_sort_row_text(form, kernel.row_tile)
                                            : cuda_sort_sweep_text(form);
  source.options = cub_options();
  source.embedded = cub_headers();
  return source;
}

// Never destroyed: it may be asked for while the process ends.
FunctionTable& functions() {
  static auto* const table = new FunctionTable;
  return *table;
}

const std::shared_ptr<Function>& function_for(const SortForm& form, const SortKernel& kernel,
                                              Device& device) {
  Key key;
  key.add(device.index());
  key.add(static_cast<int>(form.dtype));
  key.add((form.descending ? 1 : 0) + (form.indexed ? 2 : 0) + (form.wide ? 4 : 0));
  key.add(kernel.row_tile.threads / 32);
  key.add(kernel.row_tile.items);
  for (const char* c = kernel.name; *c != '\0'; ++c) key.add(*c);
  if (const auto* found = functions().find(key)) return *found;
  const Source source = source_for(form, kernel, device);
  return functions().insert(key, cached_module(device, source)->function(kernel.name));
}

}  // namespace

SortForm form_of(const RowSort& job) {
  constexpr int64_t most_of_32_bits = int64_t{1} << 32;
  return {job.dtype, job.descending, job.index != nullptr, job.n >= most_of_32_bits};
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
