// Streams by the device's own handles of them.
#pragma once

#include <memory>
#include <unordered_map>

#include "core/fork.hpp"
#include "device/stream.hpp"

namespace gpuarr {

/// Finds a stream by its native handle. A device may create an equal handle again, so a stream is
/// removed before its handle is destroyed.
class StreamTable {
 public:
  void add(const std::shared_ptr<Stream>& stream);
  void remove(void* native) noexcept;
  std::shared_ptr<Stream> find(void* native);  // null: none of ours

 private:
  ForkSafeMutex mutex_;
  std::unordered_map<void*, std::weak_ptr<Stream>> streams_;
};

}  // namespace gpuarr
