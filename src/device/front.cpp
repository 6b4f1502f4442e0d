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

Parcel* Front::pop(Slot& slot) noexcept {
  Parcel* parcel = slot.parcels[--slot.count];
  parked_bytes_ -= parcel->size;
  --parked_;
  return parcel;
}

void Front::leave(Parcel* parcel) noexcept { parcels_.erase(parcel->data); }

void* Front::take(const ParcelRequest& request) {
  std::lock_guard lock(mutex_);
  Slot& slot = slot_of(request.size);
  if (slot.count == 0 || slot.size != request.size) return nullptr;
  Parcel* parcel = pop(slot);
  parcel->hand_out(request.asked);
  ++hits_;
  count_live(parcel->used_bytes());
  return parcel->data;
}

bool Front::adopt(Parcel& parcel) noexcept {
  try {
    std::lock_guard lock(mutex_);
    parcels_.emplace(parcel.data, &parcel);
    return true;
  } catch (...) {
    return false;
  }
}

Front::Put Front::put(void* data, uint64_t now) noexcept {
  using Result = Put::Result;
  std::lock_guard lock(mutex_);
  auto found = parcels_.find(data);
  if (found == parcels_.end()) return {Result::unknown};
  Parcel* parcel = found->second;
  if (parcel->used_bytes() == 0) return {Result::twice};
  Slot& slot = slot_of(parcel->size);
  const bool other_size = slot.count > 0 && slot.size != parcel->size;
  if (other_size || slot.count == slot_room || parked_bytes_ + parcel->size > most_parked_bytes) {
    parcels_.erase(found);
    Put put{Result::evicted, {parcel}};
    if (slot.count > 0) leave(put.evicted[1] = pop(slot));  // so that old sizes go in time
    return put;
  }
  count_live(-parcel->used_bytes());
  parcel->set_free(now);
  slot.size = parcel->size;
  slot.parcels[slot.count++] = parcel;
  parked_bytes_ += parcel->size;
  ++parked_;
  return {Result::parked};
}

bool Front::give_up(void* data) noexcept {
  std::lock_guard lock(mutex_);
  auto found = parcels_.find(data);
  if (found == parcels_.end()) return true;
  if (found->second->used_bytes() == 0) return false;
  parcels_.erase(found);
  return true;
}

size_t Front::drain(std::array<Parcel*, 64>& out) noexcept {
  std::lock_guard lock(mutex_);
  size_t count = 0;
  for (Slot& slot : slots_)
    while (slot.count > 0 && count < out.size()) leave(out[count++] = pop(slot));
  return count;
}

Front::Counts Front::counts() const {
  std::lock_guard lock(mutex_);
  return {unknown_, parked_, hits_};
}

bool Front::empty() const {
  std::lock_guard lock(mutex_);
  return parcels_.empty();
}

}  // namespace gpuarr
