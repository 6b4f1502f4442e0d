#include "device/front.hpp"

#include <mutex>

namespace gpuarr {

// Lets the others know when it is worth it, and the peak always, as far as it can be known here.
void Front::count_live(int64_t bytes) noexcept {
  unknown_ += bytes;
  if (unknown_ > most_unknown_bytes || unknown_ < -most_unknown_bytes) {
    live_.add(unknown_);
    unknown_ = 0;
  } else if (bytes > 0) {
    live_.raise_peak(live_.now.load(std::memory_order_relaxed) + unknown_);
  }
}

Chunk* Front::pop(Bin& bin) noexcept {
  Chunk* chunk = bin.chunks[--bin.count];
  parked_bytes_ -= chunk->size;
  --parked_;
  return chunk;
}

void Front::leave(Chunk* chunk) noexcept { chunks_.erase(chunk->data); }

void* Front::take(const ChunkRequest& request) {
  std::lock_guard lock(mutex_);
  Bin& bin = bin_of(request.size);
  if (bin.count == 0 || bin.size != request.size) return nullptr;
  Chunk* chunk = pop(bin);
  chunk->hand_out(request.asked);
  ++hits_;
  count_live(chunk->used_bytes());
  return chunk->data;
}

bool Front::adopt(Chunk& chunk) noexcept {
  try {
    std::lock_guard lock(mutex_);
    chunks_.emplace(chunk.data, &chunk);
    return true;
  } catch (...) {
    return false;
  }
}

Front::Put Front::put(void* data, uint64_t now) noexcept {
  using Result = Put::Result;
  std::lock_guard lock(mutex_);
  auto found = chunks_.find(data);
  if (found == chunks_.end()) return {Result::unknown};
  Chunk* chunk = found->second;
  if (chunk->used_bytes() == 0) return {Result::twice};
  Bin& bin = bin_of(chunk->size);
  const bool other_size = bin.count > 0 && bin.size != chunk->size;
  if (other_size || bin.count == bin_room || parked_bytes_ + chunk->size > most_parked_bytes) {
    chunks_.erase(found);
    Put put{Result::evicted, {chunk}};
    if (bin.count > 0) leave(put.evicted[1] = pop(bin));  // so that old sizes go in time
    return put;
  }
  count_live(-chunk->used_bytes());
  chunk->set_free(now);
  bin.size = chunk->size;
  bin.chunks[bin.count++] = chunk;
  parked_bytes_ += chunk->size;
  ++parked_;
  return {Result::parked};
}

bool Front::give_up(void* data) noexcept {
  std::lock_guard lock(mutex_);
  auto found = chunks_.find(data);
  if (found == chunks_.end()) return true;
  if (found->second->used_bytes() == 0) return false;
  chunks_.erase(found);
  return true;
}

size_t Front::drain(std::array<Chunk*, 64>& out) noexcept {
  std::lock_guard lock(mutex_);
  size_t count = 0;
  for (Bin& bin : bins_)
    while (bin.count > 0 && count < out.size()) leave(out[count++] = pop(bin));
  return count;
}

Front::Counts Front::counts() const {
  std::lock_guard lock(mutex_);
  return {unknown_, parked_, hits_};
}

bool Front::empty() const {
  std::lock_guard lock(mutex_);
  return chunks_.empty();
}

}  // namespace gpuarr
