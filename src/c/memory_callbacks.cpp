#include "c/memory_callbacks.hpp"

#include "c/handles.hpp"

namespace gpuarr {
namespace {

// A stream's handle for the time of a call; NULL where there is no memory for one.
class CalledWith {
 public:
  explicit CalledWith(Stream* stream) noexcept {
    try {
      if (stream != nullptr) handle_ = gpuarr_stream::make(stream->shared_from_this());
    } catch (...) {
      // Whoever is called is told so.
    }
  }
  ~CalledWith() { release(handle_); }
  CalledWith(const CalledWith&) = delete;
  CalledWith& operator=(const CalledWith&) = delete;
  gpuarr_stream* get() const { return handle_; }

 private:
  gpuarr_stream* handle_ = nullptr;
};

void fail_of_user(const char* whose, gpuarr_status status, int64_t bytes, Device& device) {
  fail(status, "{} answered {} ({}) to the request for {} bytes on {}", whose,
       gpuarr_status_name(status), status, bytes, device.facts().name);
}

}  // namespace

MemoryHook memory_hook_of(gpuarr_memory_hook_fn fn, void* user) {
  return [fn, user](const MemoryCall& call) {
    CalledWith stream(call.stream);
    gpuarr_status status = fn(static_cast<int32_t>(call.event), call.data, call.bytes,
                              handle_of(call.device), stream.get(), user);
    if (status != GPUARR_OK && call.event == MemoryEvent::allocating)
      fail_of_user("a memory hook", status, call.bytes, call.device);
  };
}

Reclaim reclaim_of(gpuarr_reclaim_fn fn, void* user) {
  return
      [fn, user](Device& device, int64_t bytes) { return fn(handle_of(device), bytes, user) != 0; };
}

AllocatorFunctions allocator_functions_of(gpuarr_allocate_fn allocate,
                                          gpuarr_deallocate_fn deallocate, void* user,
                                          Device& device) {
  AllocatorFunctions functions;
  functions.allocate = [=, &device](int64_t bytes, Stream& stream) {
    CalledWith handle(&stream);
    if (handle.get() == nullptr)
      fail(GPUARR_ERR_OUT_OF_MEMORY, "not enough host memory for a stream's handle");
    void* data = nullptr;
    gpuarr_status status = allocate(&data, bytes, handle_of(device), handle.get(), user);
    if (status != GPUARR_OK) fail_of_user("the allocator", status, bytes, device);
    return data;
  };
  functions.deallocate = [=, &device](void* data, int64_t bytes, Stream& stream) noexcept {
    CalledWith handle(&stream);
    if (handle.get() == nullptr) settle(device);
    deallocate(data, bytes, handle_of(device), handle.get(), user);
  };
  return functions;
}

}  // namespace gpuarr
