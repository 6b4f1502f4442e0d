#include "device/pool_state.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace gpuarr {
namespace {

constexpr int64_t free_slack = int64_t{64} << 20;

}  // namespace

Pool::State::StreamShelf& Pool::State::shelf_of(Stream& stream) {
  StreamShelf& shelf = shelves[stream.id()];
  if (!shelf.stream) shelf.stream = stream.shared_from_this();
  return shelf;
}

// The best of the other streams' parcels. What a stream did that is being captured is not done, and
// no event can tell when it is.
Parcel* Pool::State::take_foreign(const ParcelRequest& request, std::shared_ptr<Stream>& owner) {
  StreamShelf* best = nullptr;
  int64_t best_size = -1;
  for (auto& [id, shelf] : shelves) {
    int64_t found = best_fit(shelf.parcels, request);
    if (found >= 0 && (best == nullptr || found < best_size) && !shelf.stream->captures()) {
      best = &shelf;
      best_size = found;
    }
  }
  if (best == nullptr) return nullptr;
  owner = best->stream;
  return parcels.take(best->parcels, request);
}

Taken Pool::State::take(const ParcelRequest& request, Stream& stream, bool again) {
  Taken taken;
  std::lock_guard lock(mutex);
  if (!again) ++counts.allocations;
  taken.parcel = parcels.take(shelf_of(stream).parcels, request);
  if (taken.parcel == nullptr) taken.parcel = parcels.take(quiet, request);
  if (taken.parcel == nullptr && !stream.captures())
    taken.parcel = take_foreign(request, taken.after);
  else if (taken.parcel != nullptr && !again)
    ++counts.hits;
  if (taken.parcel == nullptr) return taken;
  taken.data = taken.parcel->data;
  live.add(taken.parcel->used_bytes());
  most_held_for = std::max(most_held_for, live.now.load(std::memory_order_relaxed));
  return taken;
}

// Makes the new stream wait for all that the old one was given: the work that was there when the
// parcel was freed is among it, so that freeing itself needs no event. False if the old one has
// begun to be captured since the parcel was taken.
bool Pool::State::hand_over(const Taken& taken, Stream& stream) {
  if (!taken.after) return true;
  try {
    taken.after->let_wait(stream);
  } catch (...) {
    std::lock_guard lock(mutex);
    put_used(*taken.parcel, shelf_of(*taken.after).parcels);
    if (taken.after->captures()) return false;
    throw;
  }
  std::lock_guard lock(mutex);
  ++counts.transfers;
  return true;
}

// From now on the stream's front takes the parcel back.
void Pool::State::adopt(Parcel& parcel, Stream& stream) noexcept {
  if (!fronts || parcel.kind != ParcelClass::small) return;
  Front* front = stream.front.load(std::memory_order_acquire);
  try {
    if (front == nullptr) {
      auto made = std::make_unique<Front>(live);
      std::lock_guard lock(mutex);
      StreamShelf& shelf = shelf_of(stream);
      if (!shelf.front) shelf.front = std::move(made);
      front = shelf.front.get();
      stream.front.store(front, std::memory_order_release);
    }
    if (!front->adopt(parcel)) return;
    std::lock_guard lock(mutex);
    parcel.front = front;
  } catch (...) {
    // No memory for a front: the pool takes the parcel back itself.
  }
}

// Null if nothing was taken, or nothing else can be where what was taken stays with its stream.
void* Pool::State::serve(Taken taken, const ParcelRequest& request, Stream& stream) {
  while (taken.parcel != nullptr && !hand_over(taken, stream)) taken = take(request, stream, true);
  if (taken.parcel != nullptr) adopt(*taken.parcel, stream);
  return taken.data;
}

void Pool::State::put_used(Parcel& parcel, Shelf& shelf) noexcept {
  if (const int64_t used = parcel.used_bytes()) {  // not parked before
    live.add(-used);
    parcel.set_free(epoch.load(std::memory_order_relaxed));
  }
  parcels.put(parcel, shelf);
}

// False if it is no live memory. Throws if there is no memory for the stream's shelf.
bool Pool::State::put(void* data, Stream& stream, bool quietly) {
  for (bool again = false;; again = true) {
    {
      std::lock_guard lock(mutex);
      Parcel* parcel = parcels.find_used(data);
      if (parcel == nullptr) return false;
      if (parcel->front == nullptr) {
        put_used(*parcel, quietly ? quiet : shelf_of(stream).parcels);
        return true;
      }
    }
    if (again || !detach(data)) return false;
  }
}

// Takes live memory away from the front that has it. False if it is parked there, so freed already.
bool Pool::State::detach(void* data) noexcept {
  Front* front = nullptr;
  {
    std::lock_guard lock(mutex);
    const Parcel* parcel = parcels.find_used(data);
    if (parcel != nullptr) front = parcel->front;
  }
  if (front == nullptr || !front->give_up(data)) return false;
  std::lock_guard lock(mutex);
  if (Parcel* parcel = parcels.find_used(data)) parcel->front = nullptr;
  return true;
}

void Pool::State::put_evicted(const Front::Put& put, Stream& stream) noexcept {
  std::lock_guard lock(mutex);
  StreamShelf& shelf = shelves.find(stream.id())->second;  // there, since it has the front
  for (Parcel* parcel : put.evicted)
    if (parcel != nullptr) put_used(*parcel, shelf.parcels);
}

// The next stream of those that have a shelf, by number. Nobody but the pool has it if `idle`.
std::shared_ptr<Stream> Pool::State::next_stream(uint64_t last, bool idle) {
  std::shared_ptr<Stream> next;
  std::lock_guard lock(mutex);
  for (const auto& [id, shelf] : shelves)
    if (id > last && (!next || id < next->id()) && (!idle || shelf.stream.use_count() == 1))
      next = shelf.stream;
  return next;
}

// Takes what is parked out of a stream's front, without the pool's lock. Whether there was any.
bool Pool::State::release_parked(Stream& stream) noexcept {
  Front* front = fronts ? stream.front.load(std::memory_order_acquire) : nullptr;
  if (front == nullptr) return false;
  bool any = false;
  std::array<Parcel*, 64> parked;
  while (size_t count = front->drain(parked)) {
    any = true;
    std::lock_guard lock(mutex);
    Shelf& shelf = shelves.find(stream.id())->second.parcels;
    for (size_t k = 0; k < count; ++k) put_used(*parked[k], shelf);
  }
  return any;
}

bool Pool::State::release_all_parked() noexcept {
  bool any = false;
  for (auto stream = next_stream(0, false); stream; stream = next_stream(stream->id(), false))
    any = release_parked(*stream) || any;
  return any;
}

// A stream that nobody but the pool has gets no more work; without parcels it is not needed here.
void Pool::State::drop_idle_streams() noexcept {
  for (auto stream = next_stream(0, true); stream; stream = next_stream(stream->id(), true)) {
    release_parked(*stream);
    const Front* front = fronts ? stream->front.load(std::memory_order_acquire) : nullptr;
    if (front != nullptr && !front->empty()) continue;
    const Front::Counts its = front != nullptr ? front->counts() : Front::Counts{};
    std::unique_ptr<Front> gone;
    std::lock_guard lock(mutex);
    auto shelf = shelves.find(stream->id());
    if (shelf == shelves.end() || stream.use_count() != 2 || !shelf->second.parcels.empty())
      continue;
    gone = std::move(shelf->second.front);
    shelves.erase(shelf);
    live.add(its.live);
    counts.hits += its.hits;
    counts.allocations += its.hits;
  }
}

void* Pool::State::take_new(void* block, int64_t size, const ParcelRequest& request,
                            Stream& stream) {
  try {
    Taken taken;
    {
      std::lock_guard lock(mutex);
      Shelf& shelf = shelf_of(stream).parcels;
      parcels.add(block, size, class_of(request.size), shelf);
      block = nullptr;  // it is the shelf's now
      taken.parcel = parcels.take(shelf, {request.size, request.asked, true});
      taken.data = taken.parcel->data;
      live.add(taken.parcel->used_bytes());
      most_held_for = std::max(most_held_for, live.now.load(std::memory_order_relaxed));
    }
    return serve(taken, request, stream);
  } catch (...) {
    if (block != nullptr) blocks.give(block);
    throw;
  }
}

// By how many bytes the pool would hold too much: it may hold a fifth more than the most that ever
// was in use, and what is not worth waiting for.
int64_t Pool::State::over_bound(int64_t block, const ParcelRequest& request) const {
  std::lock_guard lock(mutex);
  const int64_t use =
      std::max(most_held_for, live.now.load(std::memory_order_relaxed) + request.size);
  return parcels.total_bytes() + block - (use + std::max(use / 5, free_slack));
}

bool Pool::State::has_whole_blocks() const {
  std::lock_guard lock(mutex);
  return parcels.whole_bytes() > 0;
}

// A new block of the device; null if there is no room for one. Blocks that are free as a whole go
// back first where the pool would hold too much, and where the device has no room.
void* Pool::State::grow(const ParcelRequest& request, Stream& stream) {
  const ParcelClass kind = class_of(request.size);
  const int64_t least = round_up(request.size, pool_block);
  int64_t size = kind == ParcelClass::medium ? pool_medium_block : least;
  const int64_t over = over_bound(size, request);
  if (over > 0) {
    if (has_whole_blocks()) give_back(over);
    if (over_bound(size, request) > 0) size = least;
  }
  void* block = blocks.ask(size);
  while (block == nullptr && size > least) block = blocks.ask(size = std::max(size / 2, least));
  return block != nullptr ? take_new(block, size, request, stream) : nullptr;
}

namespace {

// False while a stream of a GPU is being captured: another thread may begin that at any time.
bool wait_for_all(Device& device) {
  try {
    device.synchronize();
    return true;
  } catch (const Error& error) {
    if (error.status() != GPUARR_ERR_UNSUPPORTED) throw;
    return false;
  }
}

}  // namespace

// Whole blocks, so many bytes of them, once no work uses them. False if there is none to be had.
bool Pool::State::give_back(int64_t bytes) {
  release_all_parked();
  if (held || device.captures() != 0) return false;  // a device may not be waited for then
  const uint64_t before = epoch.fetch_add(1);
  if (!wait_for_all(device)) return false;
  std::vector<void*> whole;
  {
    std::lock_guard lock(mutex);
    ++counts.waits;
    for (auto& [id, shelf] : shelves) parcels.move(shelf.parcels, quiet, before);
    parcels.remove_whole(quiet, bytes, whole);
  }
  for (void* block : whole) blocks.give(block);
  drop_idle_streams();
  return !whole.empty();
}

}  // namespace gpuarr
