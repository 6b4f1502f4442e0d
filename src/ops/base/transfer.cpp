// Copies between devices: pack on one side, move contiguous bytes, unpack on the other.
#include "ops/base/transfer.hpp"

#include <array>
#include <atomic>
#include <exception>

#include "backends.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "device/capture.hpp"
#include "device/reports.hpp"
#include "ops/base/copy.hpp"

namespace gpuarr {
namespace {

// Without repetition: axes of stride 0 get extent 1.
Array unrepeated(const Array& array) {
  Layout layout = array.layout;
  for (int i = 0; i < layout.ndim(); ++i)
    if (layout.strides[i] == 0 && layout.shape[i] > 1) layout.shape[i] = 1;
  return array.view(layout);
}

// The same elements on the same device, of a dtype and with strides that are given.
Array packed(const Array& array, DType dtype, const Dims& strides, Stream& stream) {
  if (array.dtype == dtype && has_strides(array.layout, strides)) return array;
  if (!stream.captures()) array.buffer->let_wait(stream);
  Array out = Array::with_strides(stream, dtype, array.layout.shape, strides);
  assign(out, array, stream);
  return out;
}

// Before the first copy from a GPU to another: without access the driver goes through the host's
// memory, at a tenth of the speed. No machine has two devices whose numbers share a bit.
void open_way(Device& to, Device& from) noexcept {
  constexpr int most = 64;
  static std::array<std::atomic<uint64_t>, most> sought{};
  auto& ways = sought[static_cast<size_t>(to.facts().ordinal % most)];
  const uint64_t way = uint64_t{1} << (from.facts().ordinal % most);
  if ((ways.load(std::memory_order_relaxed) & way) != 0 || to.captures() != 0) return;
  ways.fetch_or(way, std::memory_order_relaxed);
  try {
    to.enable_access(from);
    log(Topic::library, "{} reaches the memory of {} from now on, for copies", to.facts().name,
        from.facts().name);
  } catch (const std::exception& e) {  // copies are made all the same
    log(Topic::library, "copies from {} to {} go through the host's memory: {}", from.facts().name,
        to.facts().name, e.what());
  }
}

// Both arrays are one block of bytes, in the same order.
void move_bytes(const Array& target, Stream& target_stream, const Array& source,
                Stream& source_stream) {
  int64_t bytes = source.size() * source.itemsize();
  if (source.device().has_host_memory()) {
    source_stream.synchronize();
    target.buffer->used_in(target_stream);
    target.device().lookouts().watch(target_stream);
    target.device().copy_from_host(target.data, source.data, bytes, target_stream);
    target_stream.synchronize();
  } else if (target.device().has_host_memory()) {
    target_stream.synchronize();
    source.buffer->used_in(source_stream);
    source.device().lookouts().watch(source_stream);  // to memory that is not pinned a copy waits
    source.device().copy_to_host(target.data, source.data, bytes, source_stream);
    wait_for(source_stream);
  } else {
    if (!target_stream.captures() || source_stream.captures())
      source_stream.let_wait(target_stream);
    if (!target_stream.captures()) source.buffer->let_wait(target_stream);
    target.buffer->used_in(target_stream);
    source.buffer->used_in(target_stream);
    open_way(target.device(), source.device());
    target.device().copy(target.data, source.data, bytes, target_stream);
  }
}

void between_devices(const Array& target, Stream& target_stream, const Array& whole_source,
                     Stream& source_stream) {
  Array source = unrepeated(whole_source);
  // Of the two types the smaller one travels; axes are permuted by the GPU rather than by the CPU.
  DType dtype = target.itemsize() < source.itemsize() ? target.dtype : source.dtype;
  Dims strides = strides_like(source.device().has_host_memory()
                                  ? source.layout
                                  : Layout{source.layout.shape, target.layout.strides});
  if (target_stream.captures() && !source_stream.captures() &&
      (source.dtype != dtype || !has_strides(source.layout, strides)))
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured, but the source has to be made contiguous on {} first, in a "
         "stream that is not; let that device's current stream join the capture, or copy to an "
         "array of the same type and memory order",
         source.device().facts().name);
  bool lands = target.dtype == dtype && target.layout.shape == source.layout.shape &&
               has_strides(target.layout, strides);
  Array landed =
      lands ? target : Array::with_strides(target_stream, dtype, source.layout.shape, strides);
  Array ready = packed(source, dtype, strides, source_stream);
  move_bytes(landed, target_stream, ready, source_stream);
  if (!lands)
    assign(target, landed.view(broadcast_to(landed.layout, target.layout.shape)), target_stream);
}

Array empty_like(const Array& array, Stream& stream) {
  return Array::with_strides(stream, array.dtype, array.layout.shape, strides_like(array.layout));
}

// Memory that somebody else owns may go before a copy out of it or into it is done.
bool may_go_on(const Array& target, const Array& source, const Stream& stream) {
  if (target.device().has_host_memory() || source.device().has_host_memory()) return false;
  return stream.captures() || (!target.buffer->borrowed() && !source.buffer->borrowed());
}

// The stream that a copy of an array of `stream` has for the program's memory.
Stream& host_stream(const Array& memory, Stream& stream) {
  return &stream.device() == &memory.device() ? stream : current_stream(memory.device());
}

}  // namespace

void transfer(const Array& target, Stream& target_stream, const Array& source,
              Stream& source_stream) {
  check_writable(target, "array");
  if (target.size() == 0) return;
  if (target.device().has_host_memory() || source.device().has_host_memory()) {
    check_not_captured(target_stream);
    check_not_captured(source_stream);
  }
  try {
    if (&target.device() == &source.device())
      assign(target, source, target_stream);
    else
      between_devices(target, target_stream, source, source_stream);
    if (!may_go_on(target, source, target_stream)) wait_for(target_stream);
  } catch (...) {  // memory that others own must not be touched later
    settle(source_stream);
    settle(target_stream);
    throw;
  }
}

Array to_device(const Array& source, Stream& stream) {
  Array out = empty_like(source, stream);
  assign(out, source, stream);
  return out;
}

Array host_memory(DType dtype, const Dims& shape, const int64_t* strides, const void* data) {
  Layout layout = checked_layout(shape, strides, size_of(dtype));
  if (data == nullptr && size_of(shape) > 0)
    fail(GPUARR_ERR_ARGUMENT, "data is NULL; give the address of the element with indices 0");
  check_addresses(data, layout, size_of(dtype));
  return Array::borrow(host_device(), dtype, layout, const_cast<void*>(data));
}

Array user_memory(DType dtype, const Dims& shape, const int64_t* strides, const void* data,
                  int64_t bytes) {
  Array out = host_memory(dtype, shape, strides, data);
  const int64_t needed = span_of(out.layout) * size_of(dtype);
  if (bytes < needed)
    fail(
        GPUARR_ERR_SHAPE,
        "bytes is {}, but elements of shape {} and strides {} take {} bytes; give memory for them, "
        "and its size",
        bytes, to_string(shape), to_string(out.layout.strides), needed);
  return out;
}

Array from_memory(const Array& memory, Stream& stream) {
  Array out = empty_like(memory, stream);
  write(out, memory, stream);
  return out;
}

void write(const Array& array, const Array& memory, Stream& stream) {
  transfer(array, stream, memory, host_stream(memory, stream));
}

void read(const Array& memory, const Array& array, Stream& stream) {
  transfer(memory, host_stream(memory, stream), array, stream);
}

}  // namespace gpuarr
