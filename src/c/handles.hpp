// What the opaque types of the C ABI are, and how they are counted.
#pragma once

#include <atomic>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <typeinfo>
#include <utility>

#include "array/array.hpp"
#include "c/tracking.hpp"
#include "core/error.hpp"
#include "core/per_thread.hpp"
#include "core/references.hpp"
#include "core/spread_count.hpp"
#include "device/graph.hpp"
#include "gpuarr.h"

struct gpuarr_device {
  gpuarr::Device& impl;
};

namespace gpuarr {

extern constinit SpreadCount live_objects;  // defined in base.cpp

/// What a report of live objects says of one, besides its kind.
template <class T>
std::string details_of(const T& /*object*/) {
  return "";
}
std::string details_of(const Array& array);
template <class T>
requires requires(const T& t) { t->device().facts(); }
std::string details_of(const T& object) { return object->device().facts().name; }

/// "array" of gpuarr_array.
template <class H>
const char* kind_of() {
  return std::strstr(typeid(H).name(), "gpuarr_") + 7;
}

/// A reference-counted box around a C++ object; each opaque type H is one.
template <class H, class T>
struct Handle {
  static H* make(T value) { return new H{{std::move(value)}}; }

  Handle(T&& value) : impl(std::move(value)) {
    live_objects.add(1);
    if (tracking()) [[unlikely]]
      tracked = note_birth({static_cast<H*>(this), kind_of<H>(), &references, [](const void* h) {
                              return details_of(static_cast<const H*>(h)->impl);
                            }});
  }
  ~Handle() {
    if (tracked) [[unlikely]]
      note_death(static_cast<H*>(this));
    live_objects.add(-1);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  T impl;
  std::atomic<int64_t> references{1};
  bool tracked = false;
};

/// What a call did with a handle, for the checked mode. Always inline: it looks at who called the
/// function that it is in.
template <class H>
[[gnu::always_inline]] inline ObjectUse use_of(const H* handle, const char* argument,
                                               const char* function) {
  return {handle, kind_of<H>(), argument, function, __builtin_return_address(0)};
}

/// For functions that return no status: whether there is an object to look at. `function` is the
/// one that asks.
template <class H>
[[gnu::always_inline]] inline bool is_live(const H* handle,
                                           const char* function = __builtin_FUNCTION()) noexcept {
  if (handle == nullptr) return false;
  return !tracking() || check_live(use_of(handle, kind_of<H>(), function));
}
bool is_live(const gpuarr_device* device, const char* function = __builtin_FUNCTION()) noexcept;

template <class H>
[[gnu::always_inline]] inline H* retain(H* handle,
                                        const char* function = __builtin_FUNCTION()) noexcept {
  if (!is_live(handle, function)) return nullptr;
  handle->references.fetch_add(1, std::memory_order_relaxed);
  return handle;
}

/// With tracking, a released object keeps its memory, so that nothing else gets its address.
template <class H>
void release_tracked(H* handle, Release release) noexcept {
  if (release == Release::last) {
    handle->tracked = false;
    std::destroy_at(handle);
    note_gone(handle);
  } else if (release == Release::unknown && handle->references.fetch_sub(1) == 1) {
    delete handle;
  }
}

template <class H>
[[gnu::always_inline]] inline void release(H* handle,
                                           const char* function = __builtin_FUNCTION()) noexcept {
  if (handle == nullptr) return;
  if (tracking()) [[unlikely]]
    release_tracked(handle, note_release(use_of(handle, kind_of<H>(), function)));
  else if (drop_reference(handle->references))
    delete handle;
}

/// Fails if it is no live object, as far as that is known; NULL passes.
template <class H>
void check_handle(const H* handle, const char* argument) {
  if (handle != nullptr && tracking()) [[unlikely]]
    require_live({handle, kind_of<H>(), argument, nullptr, nullptr});
}
void check_handle(const gpuarr_device* device, const char* argument);

/// The object behind a handle; NULL fails, with the argument's name.
template <class H>
auto& deref(H* handle, const char* argument) {
  if (handle == nullptr) fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give a live object", argument);
  check_handle(handle, argument);
  return handle->impl;
}

/// The same of an item of a list, whose name is written only where it is refused.
template <class H>
auto& deref_item(H* handle, const char* list, int64_t item) {
  if (handle == nullptr || tracking()) [[unlikely]]
    return deref(handle, formatted("{}[{}]", list, item).c_str());
  return handle->impl;
}

/// The same where NULL stands for none.
template <class H>
auto* deref_or_null(H* handle, const char* argument) {
  return handle != nullptr ? &deref(handle, argument) : nullptr;
}

}  // namespace gpuarr

struct gpuarr_array : gpuarr::Handle<gpuarr_array, gpuarr::Array> {};
struct gpuarr_stream : gpuarr::Handle<gpuarr_stream, std::shared_ptr<gpuarr::Stream>> {};
struct gpuarr_event : gpuarr::Handle<gpuarr_event, std::shared_ptr<gpuarr::Event>> {};
struct gpuarr_allocator : gpuarr::Handle<gpuarr_allocator, std::shared_ptr<gpuarr::Allocator>> {};
struct gpuarr_graph : gpuarr::Handle<gpuarr_graph, std::shared_ptr<gpuarr::Graph>> {};
struct gpuarr_graph_exec : gpuarr::Handle<gpuarr_graph_exec, std::shared_ptr<gpuarr::GraphExec>> {};

namespace gpuarr {

gpuarr_device* handle_of(Device& device);  // the one handle that the device has

const char* lasting_text(const std::string& text);  // a copy that lives as long as the process

/// A copy until this thread's next call of the same function, which the tag stands for.
template <class Tag>
const char* keep_text(std::string&& text) {
  struct Kept {
    std::string text;
  };
  return (PerThread<Kept>::get().text = std::move(text)).c_str();
}

/// The stream that a NULL-able argument means, checked to be of the device.
Stream& stream_of(gpuarr_stream* stream, Device& device, const char* argument = "stream");

inline Stream* stream_or_null(gpuarr_stream* stream) {
  auto* given = deref_or_null(stream, "stream");
  return given != nullptr ? given->get() : nullptr;
}

inline gpuarr_array* wrap(Array array) { return gpuarr_array::make(std::move(array)); }

/// A handle of what a call made, and where the caller keeps it.
struct MadeResult {
  MadeResult() = default;
  MadeResult(gpuarr_array** its_out, Array array) : out(its_out), handle(wrap(std::move(array))) {}

  gpuarr_array** out = nullptr;
  std::unique_ptr<gpuarr_array> handle;
};

/// Gives the caller all results of a call, of which each has its handle by now.
inline void hand_out(std::span<MadeResult> made) {
  for (MadeResult& result : made) *result.out = result.handle.release();
}

Order order_of(int32_t value, bool k_allowed);

}  // namespace gpuarr
