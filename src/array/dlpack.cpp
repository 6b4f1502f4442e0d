#include "array/dlpack.hpp"

#include <algorithm>
#include <new>

#include "core/error.hpp"
#include "gpuarr/device.h"

namespace gpuarr::dlpack {

static_assert(int{cpu} == int{GPUARR_DEVICE_HOST} && int{cuda} == int{GPUARR_DEVICE_CUDA});

namespace {

// One block: what the consumer sees, what it keeps alive, and the shape and strides behind them.
template <class Managed>
struct Export {
  Managed managed;
  std::shared_ptr<Buffer> buffer;
};

template <class Managed>
void delete_export(Managed* self) {
  if (self == nullptr) return;
  auto* block = static_cast<Export<Managed>*>(self->manager_ctx);
  block->~Export();
  ::operator delete(block);
}

void describe(DLManagedTensorVersioned& managed, const Array& array) {
  managed.version = {major, minor};
  managed.flags = array.read_only ? flag_read_only : 0;
}

void describe(DLManagedTensor& /*managed*/, const Array& array) {
  if (array.read_only)
    fail(
        GPUARR_ERR_ARGUMENT,
        "array is read-only, which the older struct cannot express; use gpuarr_array_to_dlpack, or "
        "export a copy");
}

void fill_tensor(Tensor& tensor, const Array& array, int64_t* dims) {
  const DeviceFacts& facts = array.device().facts();
  const DTypeFacts& type = facts_of(array.dtype);
  tensor.data = array.data;
  tensor.place = {facts.kind, facts.ordinal};
  tensor.ndim = array.ndim();
  tensor.type = {type.dlpack, static_cast<uint8_t>(8 * type.size), 1};
  tensor.shape =
      std::copy(array.layout.shape.begin(), array.layout.shape.end(), dims) - tensor.ndim;
  tensor.strides = dims + tensor.ndim;
  std::copy(array.layout.strides.begin(), array.layout.strides.end(), tensor.strides);
  tensor.byte_offset = 0;
}

DType dtype_of(const Type& type) {
  const auto rows = dtype_table();
  const auto found = std::ranges::find_if(
      rows, [&](const DTypeFacts& r) { return r.dlpack == type.code && 8 * r.size == type.bits; });
  if (type.lanes != 1 || found == rows.end())
    fail(GPUARR_ERR_DTYPE,
         "the tensor's type has code {}, {} bits and {} lanes; arrays have integers (0, 1) of 8 to "
         "64 bits, floats (2) of 16 to 64, bfloat16 (4), complex (5) of 64 and 128, bool (6) of 8, "
         "with 1 lane",
         type.code, type.bits, type.lanes);
  return found->dtype;
}

// What the tensor says of its memory is believed where it names the device itself.
void check_place(const Tensor& tensor, Device& device, const void* data) {
  const Owner owner = owner_of(tensor);
  const DeviceFacts& facts = device.facts();
  if (owner.kind == facts.kind && owner.ordinal == facts.ordinal) return;
  if (tensor.place.kind == cuda)
    fail(GPUARR_ERR_DEVICE,
         "the tensor is on cuda:{}, but device is {}; give NULL, or copy the array", owner.ordinal,
         facts.name);
  if (data != nullptr) device.check_foreign(data);
}

void* data_of(const Tensor& tensor, DType dtype, const Dims& shape) {
  if (size_of(shape) == 0) return nullptr;
  if (tensor.data == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "the tensor's data is NULL, but its shape {} has elements",
         to_string(shape));
  uintptr_t address = 0;
  if (__builtin_add_overflow(reinterpret_cast<uintptr_t>(tensor.data), tensor.byte_offset,
                             &address))
    fail(GPUARR_ERR_SHAPE, "the tensor's data {} and byte_offset {} lead beyond the last address",
         static_cast<const void*>(tensor.data), tensor.byte_offset);
  const auto alignment = static_cast<uintptr_t>(facts_of(dtype).alignment);
  if (address % alignment != 0)
    fail(GPUARR_ERR_ARGUMENT,
         "the tensor's data {} and byte_offset {} lead to an address that is not aligned to the {} "
         "bytes that a {} needs; copy it first",
         static_cast<const void*>(tensor.data), tensor.byte_offset, alignment, name(dtype));
  return reinterpret_cast<void*>(address);
}

Array import_tensor(const Tensor& tensor, Device& device, Stream* producer) {
  const DType dtype = dtype_of(tensor.type);
  const Dims shape = checked_shape(tensor.ndim, tensor.shape, size_of(dtype));
  const Layout layout = checked_layout(shape, tensor.strides, size_of(dtype));
  void* data = data_of(tensor, dtype, shape);
  check_place(tensor, device, data);
  Stream& home = current_stream(device);
  if (producer != nullptr) producer->let_wait(home);
  return Array::wrap(device, dtype, layout, data, home.shared_from_this());
}

}  // namespace

template <class Managed>
Managed* export_array(const Array& array, Stream& consumer) {
  Managed managed{};
  describe(managed, array);
  array.buffer->let_wait(consumer);
  array.buffer->used_in(consumer);
  const size_t dims = 2 * static_cast<size_t>(array.ndim());
  void* room = ::operator new(sizeof(Export<Managed>) + dims * sizeof(int64_t));
  auto* block = new (room) Export<Managed>{managed, array.buffer};
  fill_tensor(block->managed.dl_tensor, array, reinterpret_cast<int64_t*>(block + 1));
  block->managed.manager_ctx = block;
  block->managed.deleter = delete_export<Managed>;
  return &block->managed;
}

template DLManagedTensorVersioned* export_array(const Array& array, Stream& consumer);
template DLManagedTensor* export_array(const Array& array, Stream& consumer);

Owner owner_of(const Tensor& tensor) {
  switch (tensor.place.kind) {
    case cpu:
    case cuda_host:
      return {cpu, 0};
    case cuda:
    case cuda_managed:
      return {cuda, tensor.place.ordinal};
    default:
      fail(GPUARR_ERR_DEVICE,
           "the tensor is on a device of DLPack's type {}; arrays are on the CPU (1), on CUDA GPUs "
           "(2), and in CUDA's pinned (3) and managed memory (13)",
           tensor.place.kind);
  }
}

void check_version(const DLManagedTensorVersioned& tensor) {
  if (tensor.version.major == major) return;
  fail(GPUARR_ERR_UNSUPPORTED,
       "the tensor is of DLPack {}.{}, and only version {} is known; call its deleter, and ask for "
       "an older one",
       tensor.version.major, tensor.version.minor, major);
}

Array import_array(const DLManagedTensorVersioned& tensor, Device& device, Stream* producer) {
  Array out = import_tensor(tensor.dl_tensor, device, producer);
  out.read_only = (tensor.flags & flag_read_only) != 0;
  return out;
}

Array import_array(const DLManagedTensor& tensor, Device& device, Stream* producer) {
  return import_tensor(tensor.dl_tensor, device, producer);
}

}  // namespace gpuarr::dlpack
