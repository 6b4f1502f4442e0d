// DLPack's structs, as version 1 of its specification lays them out, and arrays as such tensors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "array/array.hpp"

namespace gpuarr::dlpack {

constexpr uint32_t major = 1;
constexpr uint32_t minor = 0;  // what exported tensors use is all in 1.0
constexpr uint64_t flag_read_only = 1;

enum Kind : int32_t { cpu = 1, cuda = 2, cuda_host = 3, cuda_managed = 13 };

struct Version {
  uint32_t major;
  uint32_t minor;
};

struct Place {
  int32_t kind;
  int32_t ordinal;
};

struct Type {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
};

struct Tensor {
  void* data;
  Place place;
  int32_t ndim;
  Type type;
  int64_t* shape;
  int64_t* strides;  // in elements; may be null in older tensors
  uint64_t byte_offset;
};

}  // namespace gpuarr::dlpack

// The names that the C header declares; in plain C they are dlpack.h's.
struct DLManagedTensorVersioned {
  gpuarr::dlpack::Version version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  uint64_t flags;
  gpuarr::dlpack::Tensor dl_tensor;
};

struct DLManagedTensor {
  gpuarr::dlpack::Tensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);
};

static_assert(sizeof(void*) == 8);
static_assert(offsetof(gpuarr::dlpack::Tensor, place) == 8);
static_assert(offsetof(gpuarr::dlpack::Tensor, ndim) == 16);
static_assert(offsetof(gpuarr::dlpack::Tensor, type) == 20);
static_assert(offsetof(gpuarr::dlpack::Tensor, shape) == 24);
static_assert(offsetof(gpuarr::dlpack::Tensor, strides) == 32);
static_assert(offsetof(gpuarr::dlpack::Tensor, byte_offset) == 40);
static_assert(sizeof(gpuarr::dlpack::Tensor) == 48);
static_assert(offsetof(DLManagedTensorVersioned, manager_ctx) == 8);
static_assert(offsetof(DLManagedTensorVersioned, deleter) == 16);
static_assert(offsetof(DLManagedTensorVersioned, flags) == 24);
static_assert(offsetof(DLManagedTensorVersioned, dl_tensor) == 32);
static_assert(offsetof(DLManagedTensor, manager_ctx) == 48);
static_assert(offsetof(DLManagedTensor, deleter) == 56);

namespace gpuarr::dlpack {

/// The array's memory as a tensor, whose deleter lets go of it. `consumer` waits for the work that
/// was given with the array, and the memory is not reused before the consumer's.
template <class Managed>
Managed* export_array(const Array& array, Stream& consumer);

/// Which device has the memory; fails with GPUARR_ERR_DEVICE for what is none of ours.
struct Owner {
  int32_t kind;  // GPUARR_DEVICE_...
  int ordinal;
};
Owner owner_of(const Tensor& tensor);

/// Fails unless the version is one that can be read.
void check_version(const DLManagedTensorVersioned& tensor);
inline void check_version(const DLManagedTensor& /*tensor*/) {}

/// An array over the tensor's memory, used on `device`, in the order of its current stream, which
/// waits for `producer` if that is given. The tensor stays the caller's.
Array import_array(const DLManagedTensorVersioned& tensor, Device& device, Stream* producer);
Array import_array(const DLManagedTensor& tensor, Device& device, Stream* producer);

/// What gives the tensor back to its owner.
template <class Managed>
Deleter deleter_of(Managed& tensor) {
  if (tensor.deleter == nullptr) return {};
  auto call = [](void* user) {
    auto* self = static_cast<Managed*>(user);
    self->deleter(self);
  };
  return {call, &tensor};
}

}  // namespace gpuarr::dlpack
