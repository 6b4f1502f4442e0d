// gpuarr/interop.h: check, convert, call.
#include "gpuarr/interop.h"

#include "array/dlpack.hpp"
#include "backends.hpp"
#include "c/guard.hpp"
#include "c/handles.hpp"

using namespace gpuarr;

namespace {

Array wrap_memory(Device& device, DType dtype, const Layout& layout, void* data, int32_t flags) {
  if (flags != 0 && flags != GPUARR_WRAP_READ_ONLY)
    fail(GPUARR_ERR_ARGUMENT, "flags is {}; give 0 or GPUARR_WRAP_READ_ONLY (1)", flags);
  const auto alignment = static_cast<uintptr_t>(facts_of(dtype).alignment);
  if (size_of(layout.shape) > 0) {
    if (data == nullptr)
      fail(GPUARR_ERR_ARGUMENT, "data is NULL; give the address of the element with indices 0");
    if (reinterpret_cast<uintptr_t>(data) % alignment != 0)
      fail(GPUARR_ERR_ARGUMENT,
           "data {} is not aligned to the {} bytes that a {} needs; copy it first",
           static_cast<const void*>(data), alignment, name(dtype));
    device.check_foreign(data);
  }
  Array out = Array::wrap(device, dtype, layout, data);
  out.read_only = flags == GPUARR_WRAP_READ_ONLY;
  return out;
}

// The deleter comes last, when nothing can fail any more.
gpuarr_array* wrap_owned(Array array, Deleter deleter) {
  const std::shared_ptr<Buffer> memory = array.buffer;
  gpuarr_array* out = wrap(std::move(array));
  memory->set_deleter(deleter);
  return out;
}

template <class Managed>
void to_dlpack(Managed** out, gpuarr_array* array, gpuarr_stream* consumer) {
  Managed*& result = output(out);
  const Array& from = deref(array, "array");
  result = dlpack::export_array<Managed>(from, stream_of(consumer, from.device(), "consumer"));
}

template <class Managed>
void from_dlpack(gpuarr_array** out, Managed* tensor, gpuarr_device* device,
                 gpuarr_stream* producer) {
  gpuarr_array*& result = output(out);
  if (tensor == nullptr) fail(GPUARR_ERR_ARGUMENT, "tensor is NULL; give a DLPack tensor");
  dlpack::check_version(*tensor);
  const dlpack::Owner owner = dlpack::owner_of(tensor->dl_tensor);
  Device& place =
      device != nullptr ? deref(device, "device") : open_device(owner.kind, owner.ordinal);
  Stream* first = producer != nullptr ? &stream_of(producer, place, "producer") : nullptr;
  result = wrap_owned(dlpack::import_array(*tensor, place, first), dlpack::deleter_of(*tensor));
}

}  // namespace

gpuarr_status gpuarr_array_wrap(gpuarr_array** out, gpuarr_device* device, gpuarr_dtype dtype,
                                int32_t ndim, const int64_t* shape, const int64_t* strides,
                                void* data, int32_t flags, gpuarr_deleter deleter, void* user) {
  return guard_output(__func__, out, [&] {
    Device& place = deref(device, "device");
    const int size = size_of(dtype_of(dtype));
    const Layout layout = checked_layout(checked_shape(ndim, shape, size), strides, size);
    return wrap_owned(wrap_memory(place, dtype_of(dtype), layout, data, flags), {deleter, user});
  });
}

int32_t gpuarr_array_is_read_only(const gpuarr_array* array) {
  return is_live(array) && array->impl.read_only ? 1 : 0;
}

gpuarr_status gpuarr_array_to_dlpack(DLManagedTensorVersioned** out, gpuarr_array* array,
                                     gpuarr_stream* consumer) {
  return guard(__func__, [&] { to_dlpack(out, array, consumer); });
}

gpuarr_status gpuarr_array_to_dlpack_legacy(DLManagedTensor** out, gpuarr_array* array,
                                            gpuarr_stream* consumer) {
  return guard(__func__, [&] { to_dlpack(out, array, consumer); });
}

gpuarr_status gpuarr_array_from_dlpack(gpuarr_array** out, DLManagedTensorVersioned* tensor,
                                       gpuarr_device* device, gpuarr_stream* producer) {
  return guard(__func__, [&] { from_dlpack(out, tensor, device, producer); });
}

gpuarr_status gpuarr_array_from_dlpack_legacy(gpuarr_array** out, DLManagedTensor* tensor,
                                              gpuarr_device* device, gpuarr_stream* producer) {
  return guard(__func__, [&] { from_dlpack(out, tensor, device, producer); });
}

const char* gpuarr_array_typestr(const gpuarr_array* array) {
  return is_live(array) ? typestr(array->impl.dtype) : nullptr;
}

int64_t gpuarr_array_itemsize(const gpuarr_array* array) {
  return is_live(array) ? array->impl.itemsize() : 0;
}

gpuarr_status gpuarr_array_byte_strides(int64_t* out, const gpuarr_array* array) {
  return guard(__func__, [&] {
    const Array& from = deref(array, "array");
    if (out == nullptr && from.ndim() > 0)
      fail(GPUARR_ERR_ARGUMENT, "out is NULL; give an array of {} strides", from.ndim());
    for (int i = 0; i < from.ndim(); ++i) out[i] = from.layout.strides[i] * from.itemsize();
  });
}

gpuarr_status gpuarr_array_stream(gpuarr_stream** out, const gpuarr_array* array) {
  return guard(__func__, [&] {
    gpuarr_stream*& result = output(out);
    const std::shared_ptr<Stream>& home = deref(array, "array").buffer->home();
    if (home != nullptr) result = gpuarr_stream::make(home->for_user());
  });
}
