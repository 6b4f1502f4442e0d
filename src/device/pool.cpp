#include "device/pool.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "device/pool_state.hpp"

namespace gpuarr {

Pool::Pool(Device& device, MemoryKind kind, bool fronts)
    : Allocator(device), state_(std::make_unique<State>(device, kind, fronts)) {}

// The device's own pool goes when the device is half gone, so that its blocks can only go with it.
Pool::~Pool() {
  if (state_->fronts) return;
  settle(device());
  state_->blocks.give_all();
}

void* Pool::take(int64_t bytes, Stream& stream) {
  State& state = *state_;
  if (bytes > INT64_MAX - pool_medium_block) return nullptr;
  const int64_t all = bytes + device().facts().memory_gap;
  const ParcelRequest request = {round_up(all, pool_granularity), bytes};
  if (request.size <= pool_small_limit && state.fronts)
    if (Front* front = stream.front.load(std::memory_order_acquire))
      if (void* data = front->take(request)) return data;
  Taken taken = state.take(request, stream, false);
  if (taken.parcel != nullptr && !taken.after) return state.serve(taken, request, stream);
  state.drop_idle_streams();
  if (taken.parcel == nullptr && request.size <= pool_small_limit && state.release_all_parked())
    taken = state.take(request, stream, true);
  if (void* data = state.serve(taken, request, stream)) return data;
  if (void* data = state.grow(request, stream)) return data;
  state.give_back(INT64_MAX);  // this also joins what was apart
  const ParcelRequest any = {request.size, request.asked, true};
  if (void* data = state.serve(state.take(any, stream, true), any, stream)) return data;
  return state.grow(request, stream);
}

void Pool::detach(void* data) noexcept { state_->detach(data); }

void Pool::hold() noexcept { state_->held = true; }

bool Pool::put(void* data, Stream& stream) noexcept {
  State& state = *state_;
  if (Front* front = state.fronts ? stream.front.load(std::memory_order_acquire) : nullptr) {
    const Front::Put put = front->put(data, state.epoch.load(std::memory_order_relaxed));
    if (put.result == Front::Put::Result::evicted) state.put_evicted(put, stream);
    if (put.result != Front::Put::Result::unknown) return put.result != Front::Put::Result::twice;
  }
  try {
    return state.put(data, stream, false);
  } catch (...) {
    // No memory for the stream's shelf: nobody may use the parcel before the stream is done.
  }
  settle(stream);
  return state.put(data, stream, true);
}

MemoryFound Pool::find(const void* address) const {
  std::lock_guard lock(state_->mutex);
  const Parcel* parcel = state_->parcels.find(address);
  if (parcel == nullptr || (parcel->used_bytes() == 0 && parcel->freed_at() == 0)) return {};
  using State = MemoryFound::State;
  return {parcel->used_bytes() > 0 ? State::live : State::released, parcel->data, parcel->asked};
}

void Pool::trim() { state_->give_back(INT64_MAX); }

void Pool::reset_peak() noexcept {
  LiveBytes& live = state_->live;
  live.peak.store(live.now.load(std::memory_order_relaxed), std::memory_order_relaxed);
}

MemoryStatistics Pool::statistics() const {
  std::vector<std::shared_ptr<Stream>> keep;
  std::vector<const Front*> fronts;
  MemoryStatistics out;
  int64_t total = 0;
  {
    std::lock_guard lock(state_->mutex);
    out = state_->counts;
    total = state_->parcels.total_bytes();
    out.blocks = state_->parcels.used_parcels();
    for (const auto& [id, shelf] : state_->shelves)
      if (shelf.front) {
        keep.push_back(shelf.stream);
        fronts.push_back(shelf.front.get());
      }
  }
  out.used = state_->live.now.load(std::memory_order_relaxed);
  for (const Front* front : fronts) {
    const Front::Counts counts = front->counts();
    out.used += counts.live;
    out.blocks -= counts.parked;
    out.hits += counts.hits;
    out.allocations += counts.hits;
  }
  out.cached = total - out.used;
  out.peak = std::max(out.used, state_->live.peak.load(std::memory_order_relaxed));
  out.device_calls = state_->blocks.calls();
  return out;
}

}  // namespace gpuarr
