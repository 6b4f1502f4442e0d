// Memory for work in a stream, given back in the stream's order.
#pragma once

#include "device/allocator.hpp"
#include "device/stream.hpp"

namespace gpuarr {

/// Out of the stream's pool; in a stream that is being captured, the graph's.
class StreamMemory {
 public:
  StreamMemory(int64_t bytes, Stream& stream)
      : stream_(stream), source_(current_allocator(stream)) {
    if (bytes > 0) data_ = source_.allocator->allocate(bytes, stream);
  }
  ~StreamMemory() {
    if (data_ != nullptr) source_.allocator->deallocate(data_, stream_);
  }
  StreamMemory(const StreamMemory&) = delete;
  StreamMemory& operator=(const StreamMemory&) = delete;

  void* data() const { return data_; }  // null if there are no bytes

 private:
  Stream& stream_;
  AllocatorUse source_;
  void* data_ = nullptr;
};

}  // namespace gpuarr
