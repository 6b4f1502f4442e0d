#include "device/stream_table.hpp"

#include <mutex>

namespace gpuarr {

void StreamTable::add(const std::shared_ptr<Stream>& stream) {
  std::lock_guard lock(mutex_);
  streams_[stream->native()] = stream;
}

void StreamTable::remove(void* native) noexcept {
  std::lock_guard lock(mutex_);
  streams_.erase(native);
}

std::shared_ptr<Stream> StreamTable::find(void* native) {
  std::lock_guard lock(mutex_);
  auto found = streams_.find(native);
  return found != streams_.end() ? found->second.lock() : nullptr;
}

}  // namespace gpuarr
