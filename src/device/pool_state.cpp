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

// The best of the other streams' chunks. What a stream did that is being captured is not done, and
// no event can tell when it is.
Chunk* Pool::State::take_foreign(const ChunkRequest& request, std::shared_ptr<Stream>& owner) {
  StreamShelf* best = nullptr;
  int64_t best_size = -1;
  for (auto& [id, shelf] : shelves) {
    int64_t found = best_fit(shelf.chunks, request);
    if (found >= 0 && (best == nullptr || found < best_size) && !shelf.stream->captures()) {
      best = &shelf;
      best_size = found;
    }
  }
  if (best == nullptr) return nullptr;
  owner = best->stream;
  return chunks.take(best->chunks, request);
}

Taken Pool::State::take(const ChunkRequest& request, Stream& stream, bool again) {
  Taken taken;
  std::lock_guard lock(mutex);
  if (!again) ++counts.allocations;
  taken.chunk = chunks.take(shelf_of(stream).chunks, request);
  if (taken.chunk == nullptr) taken.chunk = chunks.take(quiet, request);
  if (taken.chunk == nullptr && !stream.captures())
    taken.chunk = take_foreign(request, taken.after);
  else if (taken.chunk != nullptr && !again)
    ++counts.hits;
  if (taken.chunk == nullptr) return taken;
  taken.data = taken.chunk->data;
  live.add(taken.chunk->used_bytes());
  most_held_for = std::max(most_held_for, live.now.load(std::memory_order_relaxed));
  return taken;
}

// Makes the new stream wait for all that the old one was given: the work that was there when the
// chunk was freed is among it, so that freeing itself needs no event.
void* Pool::State::hand_over(const Taken& taken, Stream& stream) {
  if (!taken.after) return taken.data;
  try {
    taken.after->let_wait(stream);
  } catch (...) {
    std::lock_guard lock(mutex);
    put_used(*taken.chunk, shelf_of(*taken.after).chunks);
    throw;
  }
  std::lock_guard lock(mutex);
  ++counts.transfers;
  return taken.data;
}

// From now on the stream's front takes the chunk back.
void Pool::State::adopt(Chunk& chunk, Stream& stream) noexcept {
  if (!fronts || chunk.kind != ChunkClass::small) return;
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
    if (!front->adopt(chunk)) return;
    std::lock_guard lock(mutex);
    chunk.front = front;
  } catch (...) {
    // No memory for a front: the pool takes the chunk back itself.
  }
}

void* Pool::State::serve(const Taken& taken, Stream& stream) {
  void* data = hand_over(taken, stream);
  adopt(*taken.chunk, stream);
  return data;
}

void Pool::State::put_used(Chunk& chunk, Shelf& shelf) noexcept {
  if (const int64_t used = chunk.used_bytes()) {  // not parked before
    live.add(-used);
    chunk.set_free(epoch.load(std::memory_order_relaxed));
  }
  chunks.put(chunk, shelf);
}

// False if it is no live memory. Throws if there is no memory for the stream's shelf.
bool Pool::State::put(void* data, Stream& stream, bool quietly) {
  for (bool again = false;; again = true) {
    {
      std::lock_guard lock(mutex);
      Chunk* chunk = chunks.find_used(data);
      if (chunk == nullptr) return false;
      if (chunk->front == nullptr) {
        put_used(*chunk, quietly ? quiet : shelf_of(stream).chunks);
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
    const Chunk* chunk = chunks.find_used(data);
    if (chunk != nullptr) front = chunk->front;
  }
  if (front == nullptr || !front->give_up(data)) return false;
  std::lock_guard lock(mutex);
  if (Chunk* chunk = chunks.find_used(data)) chunk->front = nullptr;
  return true;
}

void Pool::State::put_evicted(const Front::Put& put, Stream& stream) noexcept {
  std::lock_guard lock(mutex);
  StreamShelf& shelf = shelves.find(stream.id())->second;  // there, since it has the front
  for (Chunk* chunk : put.evicted)
    if (chunk != nullptr) put_used(*chunk, shelf.chunks);
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
  std::array<Chunk*, 64> parked;
  while (size_t count = front->drain(parked)) {
    any = true;
    std::lock_guard lock(mutex);
    Shelf& shelf = shelves.find(stream.id())->second.chunks;
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

// A stream that nobody but the pool has gets no more work; without chunks it is not needed here.
void Pool::State::drop_idle_streams() noexcept {
  for (auto stream = next_stream(0, true); stream; stream = next_stream(stream->id(), true)) {
    release_parked(*stream);
    const Front* front = fronts ? stream->front.load(std::memory_order_acquire) : nullptr;
    if (front != nullptr && !front->empty()) continue;
    const Front::Counts its = front != nullptr ? front->counts() : Front::Counts{};
    std::unique_ptr<Front> gone;
    std::lock_guard lock(mutex);
    auto shelf = shelves.find(stream->id());
    if (shelf == shelves.end() || stream.use_count() != 2 || !shelf->second.chunks.empty())
      continue;
    gone = std::move(shelf->second.front);
    shelves.erase(shelf);
    live.add(its.live);
    counts.hits += its.hits;
    counts.allocations += its.hits;
  }
}

void* Pool::State::take_new(void* block, int64_t size, const ChunkRequest& request,
                            Stream& stream) {
  try {
    Taken taken;
    {
      std::lock_guard lock(mutex);
      Shelf& shelf = shelf_of(stream).chunks;
      chunks.add(block, size, class_of(request.size), shelf);
      block = nullptr;  // it is the shelf's now
      taken.chunk = chunks.take(shelf, {request.size, request.asked, true});
      taken.data = taken.chunk->data;
      live.add(taken.chunk->used_bytes());
      most_held_for = std::max(most_held_for, live.now.load(std::memory_order_relaxed));
    }
    return serve(taken, stream);
  } catch (...) {
    if (block != nullptr) blocks.give(block);
    throw;
  }
}

// By how many bytes the pool would hold too much: it may hold a fifth more than the most that ever
// was in use, and what is not worth waiting for.
int64_t Pool::State::over_bound(int64_t block, const ChunkRequest& request) const {
  std::lock_guard lock(mutex);
  const int64_t use =
      std::max(most_held_for, live.now.load(std::memory_order_relaxed) + request.size);
  return chunks.total_bytes() + block - (use + std::max(use / 5, free_slack));
}

bool Pool::State::has_whole_blocks() const {
  std::lock_guard lock(mutex);
  return chunks.whole_bytes() > 0;
}

// A new block of the device; null if there is no room for one. Blocks that are free as a whole go
// back first where the pool would hold too much, and where the device has no room.
void* Pool::State::grow(const ChunkRequest& request, Stream& stream) {
  const ChunkClass kind = class_of(request.size);
  const int64_t least = round_up(request.size, pool_block);
  int64_t size = kind == ChunkClass::medium ? pool_medium_block : least;
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
    for (auto& [id, shelf] : shelves) chunks.move(shelf.chunks, quiet, before);
    chunks.remove_whole(quiet, bytes, whole);
  }
  for (void* block : whole) blocks.give(block);
  drop_idle_streams();
  return !whole.empty();
}

}  // namespace gpuarr
