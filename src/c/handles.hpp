// What the opaque types of the C ABI are, and how they are counted.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "array/array.hpp"
#include "core/error.hpp"
#include "gpuarr.h"

namespace gpuarr {

extern std::atomic<int64_t> live_objects;  // defined in base.cpp

/// A reference-counted box around a C++ object; each opaque type is one.
template <class T>
struct Handle {
  explicit Handle(T value) : impl(std::move(value)) { live_objects.fetch_add(1); }
  ~Handle() { live_objects.fetch_sub(1); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  T impl;
  std::atomic<int64_t> references{1};
};

template <class H>
H* retain(H* handle) noexcept {
  if (handle != nullptr) handle->references.fetch_add(1, std::memory_order_relaxed);
  return handle;
}

template <class H>
void release(H* handle) noexcept {
  if (handle != nullptr && handle->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete handle;
}

/// The object behind a handle; NULL fails, with the argument's name.
template <class H>
auto& deref(H* handle, const char* argument) {
  if (handle == nullptr) fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give a live object", argument);
  return handle->impl;
}

/// Checks an output pointer and clears it, so that a failure leaves nothing behind.
template <class T>
T& output(T* out, const char* argument = "out") {
  if (out == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give the address of a variable", argument);
  *out = T{};
  return *out;
}

}  // namespace gpuarr

struct gpuarr_device {
  gpuarr::Device& impl;
};
struct gpuarr_array : gpuarr::Handle<gpuarr::Array> {
  using Handle::Handle;
};
struct gpuarr_stream : gpuarr::Handle<std::shared_ptr<gpuarr::Stream>> {
  using Handle::Handle;
};
struct gpuarr_event : gpuarr::Handle<std::shared_ptr<gpuarr::Event>> {
  using Handle::Handle;
};

namespace gpuarr {

gpuarr_device* handle_of(Device& device);  // the one handle that the device has

const char* lasting_text(const std::string& text);  // a copy that lives as long as the process

/// The stream that a NULL-able argument means, checked to be of the device.
Stream& stream_of(gpuarr_stream* stream, Device& device);

inline gpuarr_array* wrap(Array array) { return new gpuarr_array(std::move(array)); }

Order order_of(int32_t value, bool k_allowed);

}  // namespace gpuarr
