// Choosing elements by a mask: three passes over chunks on the CPU, one chain of tiles on a GPU.
#include "ops/index/select_job.hpp"

#include "backends.hpp"
#include "codegen/scan/parameters.hpp"
#include "core/error.hpp"
#include "kernel/scan.hpp"
#include "ops/base/own_function.hpp"

namespace gpuarr {
namespace {

bool aligned(const void* address) { return reinterpret_cast<uintptr_t>(address) % 16 == 0; }

void launch(SelectJob& job, const char* name, int64_t blocks, Stream& stream) {
  static auto* const functions = new OwnFunctions;
  functions->launch(
      name, {"select", ""}, job.variant,
      [&] {
        return Source{"select", select_source(target_of(stream.device()), job.variant), {}};
      },
      {blocks, 256, 0}, job.parameters, stream);
}

}  // namespace

void select_on_host(SelectJob& job, Stream& stream) {
  SelectParameters& p = job.parameters;
  p.chunks = (p.n + host_select_chunk - 1) / host_select_chunk;
  const Array states = scratch(8 * (p.chunks + 1), false, stream);
  p.states = states.data;
  launch(job, "select_totals", p.chunks, stream);
  launch(job, "select_prefix", 1, stream);
  launch(job, "select_kernel", p.chunks, stream);
}

void select_on_gpu(SelectJob& job, Stream& stream) {
  SelectParameters& p = job.parameters;
  const bool vectors =
      aligned(p.mask) && (job.variant.selection != Selection::gather || aligned(p.from));
  job.variant.pack =
      vectors ? widest_pack(job.variant.selection, job.variant.mask, job.variant.bytes) : 1;
  p.chunks = (p.n + job.variant.tile() - 1) / job.variant.tile();
  if (p.chunks > INT32_MAX)
    fail(GPUARR_ERR_SHAPE, "a mask of {} elements takes {} blocks, more than a GPU can start", p.n,
         p.chunks);
  p.per_row = 2 * (p.chunks + (p.chunks + 31) / 32 + (p.chunks + 1023) / 1024);
  const Array states = scratch(8 * p.per_row, true, stream);
  p.states = states.data;
  const bool gathers = job.variant.selection == Selection::gather;
  const int read = size_of(job.variant.mask) + (gathers ? int{job.variant.bytes} : 0);
  const DeviceFacts& facts = stream.device().facts();
  p.ahead = tiles_ahead(job.variant.tile() * read, facts.processors, facts.l2_bytes);
  launch(job, "select_kernel", p.chunks, stream);
}

}  // namespace gpuarr
