#include "ops/base/async_copy.hpp"

#include "core/error.hpp"
#include "device/pinned_pool.hpp"
#include "ops/base/copy.hpp"

namespace gpuarr {
namespace {

// A device copies bytes that lie side by side; with gaps the CPU would have to work, later.
void check_dense(const Array& memory) {
  if (has_strides(memory.layout, strides_like(memory.layout))) return;
  fail(GPUARR_ERR_UNSUPPORTED,
       "strides are {} for shape {}, with gaps, repetitions or from the end; give memory in which "
       "the elements lie side by side, or use the call without _async",
       to_string(memory.layout.strides), to_string(memory.layout.shape));
}

int64_t bytes_of(const Array& array) { return array.size() * array.itemsize(); }

}  // namespace

void write_async(const Array& array, const Array& memory, Stream& stream) {
  check_writable(array, "array");
  check_dense(memory);
  if (array.size() == 0) return;
  note_pinned_use(memory.data, stream);
  if (&array.device() == &memory.device()) return assign(array, memory, stream);
  const bool lands = has_strides(array.layout, memory.layout.strides);
  const Array landed =
      lands ? array
            : Array::with_strides(stream, array.dtype, array.layout.shape, memory.layout.strides);
  landed.buffer->used_in(stream);
  array.device().copy_from_host(landed.data, memory.data, bytes_of(array), stream);
  if (!lands) assign(array, landed, stream);
}

void read_async(const Array& memory, const Array& array, Stream& stream) {
  check_dense(memory);
  if (array.size() == 0) return;
  note_pinned_use(memory.data, stream);
  if (&array.device() == &memory.device()) return assign(memory, array, stream);
  Array ready = array;
  if (!has_strides(array.layout, memory.layout.strides)) {
    ready = Array::with_strides(stream, array.dtype, array.layout.shape, memory.layout.strides);
    assign(ready, array, stream);
  }
  ready.buffer->used_in(stream);
  array.device().copy_to_host(memory.data, ready.data, bytes_of(array), stream);
}

}  // namespace gpuarr
