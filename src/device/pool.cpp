#include "device/pool.hpp"

#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "device/chunks.hpp"
#include "device/device.hpp"

namespace gpuarr {
namespace {

int64_t round_up(int64_t bytes, int64_t unit) { return (bytes + unit - 1) / unit * unit; }

// On the CPU checked kernels find what lies behind an array's end, so that must not be another one.
constexpr int64_t host_gap = 64;

struct Request {
  int64_t bytes;
  int64_t size;  // of the chunk
};

// A chunk, and the stream that has to be waited for before it is used; null for none.
struct Taken {
  Chunk* chunk = nullptr;
  void* data = nullptr;
  std::shared_ptr<Stream> after;
};

}  // namespace

// No device is called and no stream dropped while the mutex is held: either may lock.
struct Pool::State {
  // The free chunks of one stream. It keeps the stream, because a chunk that goes to another stream
  // needs an event in this one, and the work of a stream outlives the user's last reference to it.
  struct StreamShelf {
    std::shared_ptr<Stream> stream;
    Shelf chunks;
  };

  explicit State(Device& its_device) : device(its_device) {}

  Device& device;
  ForkSafeMutex mutex;
  Chunks chunks;
  std::unordered_map<uint64_t, StreamShelf> shelves;  // by Stream::id()
  Shelf quiet;                                        // no work uses these
  uint64_t frees = 0;
  PoolStatistics counts;  // those that chunks does not know

  Shelf& shelf_of(Stream& stream);
  Taken take(Request request, Stream& stream, bool again);
  Chunk* take_foreign(Request request, std::shared_ptr<Stream>& owner);
  void* hand_over(const Taken& taken, Stream& stream);
  void drop_idle_streams() noexcept;
  bool put(void* data, Stream& stream) noexcept;
  void put_quiet(void* data) noexcept;
  void* ask_device(int64_t block);
  void* take_new(void* block, int64_t block_size, Request request, Stream& stream);
  void return_blocks(const std::vector<void*>& blocks) noexcept;
  [[noreturn]] void out_of_memory(int64_t bytes);
};

Shelf& Pool::State::shelf_of(Stream& stream) {
  StreamShelf& shelf = shelves[stream.id()];
  if (!shelf.stream) shelf.stream = stream.shared_from_this();
  return shelf.chunks;
}

// The best of the other streams' chunks.
Chunk* Pool::State::take_foreign(Request request, std::shared_ptr<Stream>& owner) {
  StreamShelf* best = nullptr;
  int64_t best_size = -1;
  for (auto& [id, shelf] : shelves) {
    int64_t found = best_fit(shelf.chunks, request.size);
    if (found >= 0 && (best == nullptr || found < best_size)) {
      best = &shelf;
      best_size = found;
    }
  }
  if (best == nullptr) return nullptr;
  owner = best->stream;
  return chunks.take(best->chunks, request.size, request.bytes);
}

Taken Pool::State::take(Request request, Stream& stream, bool again) {
  Taken taken;
  std::lock_guard lock(mutex);
  if (!again) ++counts.allocations;
  const auto [bytes, size] = request;
  taken.chunk = chunks.take(shelf_of(stream), size, bytes);
  if (taken.chunk == nullptr) taken.chunk = chunks.take(quiet, size, bytes);
  if (taken.chunk == nullptr)
    taken.chunk = take_foreign(request, taken.after);
  else if (!again)
    ++counts.hits;
  if (taken.chunk == nullptr) return taken;
  taken.data = taken.chunk->data;
  if (chunks.used_bytes() > counts.peak) counts.peak = chunks.used_bytes();
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
    chunks.put(*taken.chunk, shelf_of(*taken.after));
    throw;
  }
  return taken.data;
}

// False if there is no memory for the stream's shelf.
bool Pool::State::put(void* data, Stream& stream) noexcept {
  try {
    std::lock_guard lock(mutex);
    Chunk* chunk = chunks.find_used(data);
    Shelf& shelf = shelf_of(stream);
    chunk->freed = ++frees;
    chunks.put(*chunk, shelf);
    return true;
  } catch (...) {
    return false;
  }
}

void Pool::State::put_quiet(void* data) noexcept {
  std::lock_guard lock(mutex);
  Chunk* chunk = chunks.find_used(data);
  chunk->freed = ++frees;
  chunks.put(*chunk, quiet);
}

// A stream that nobody but the pool has gets no more work; without chunks it is not needed here.
void Pool::State::drop_idle_streams() noexcept {
  auto take_one = [this] {
    std::lock_guard lock(mutex);
    for (auto shelf = shelves.begin(); shelf != shelves.end(); ++shelf)
      if (shelf->second.stream.use_count() == 1 && shelf->second.chunks.empty()) {
        auto stream = std::move(shelf->second.stream);
        shelves.erase(shelf);
        return stream;
      }
    return std::shared_ptr<Stream>();
  };
  while (take_one()) continue;
}

void* Pool::State::ask_device(int64_t block) {
  {
    std::lock_guard lock(mutex);
    ++counts.device_calls;
  }
  return device.allocate(block);
}

void* Pool::State::take_new(void* block, int64_t block_size, Request request, Stream& stream) {
  try {
    std::lock_guard lock(mutex);
    Shelf& shelf = shelf_of(stream);
    chunks.add(block, block_size, request.size <= pool_small_limit, shelf);
    block = nullptr;  // it is the shelf's now
    void* data = chunks.take(shelf, request.size, request.bytes)->data;
    if (chunks.used_bytes() > counts.peak) counts.peak = chunks.used_bytes();
    return data;
  } catch (...) {
    if (block != nullptr) device.deallocate(block);
    throw;
  }
}

void Pool::State::return_blocks(const std::vector<void*>& blocks) noexcept {
  for (void* block : blocks) device.deallocate(block);
  std::lock_guard lock(mutex);
  counts.device_calls += static_cast<int64_t>(blocks.size());
}

void Pool::State::out_of_memory(int64_t bytes) {
  DeviceMemory memory = device.memory();
  int64_t used = 0;
  int64_t cached = 0;
  {
    std::lock_guard lock(mutex);
    used = chunks.used_bytes();
    cached = chunks.total_bytes() - used;
  }
  fail(
      GPUARR_ERR_OUT_OF_MEMORY,
      "no room for {} bytes on {}: arrays use {} bytes, the allocator has {} cached, and {} of the "
      "device's {} bytes are free; release arrays or ask for less",
      bytes, device.facts().name, used, cached, memory.free, memory.total);
}

Pool::Pool(Device& device) : state_(std::make_unique<State>(device)) {}

// The device is half gone by now, so that its blocks can only go with it.
Pool::~Pool() = default;

void* Pool::allocate(int64_t bytes, Stream& stream) {
  State& state = *state_;
  if (bytes <= 0) return nullptr;
  if (bytes > INT64_MAX - pool_block) state.out_of_memory(bytes);
  const int64_t gap = state.device.is_host() ? host_gap : 0;
  const Request request = {bytes, round_up(bytes + gap, pool_granule)};
  Taken taken = state.take(request, stream, false);
  if (taken.chunk != nullptr && !taken.after) return taken.data;
  state.drop_idle_streams();
  if (taken.chunk != nullptr) return state.hand_over(taken, stream);

  int64_t block_size = round_up(request.size, pool_block);
  void* block = state.ask_device(block_size);
  if (block == nullptr) {
    trim();
    taken = state.take(request, stream, true);  // trimming joins what was apart
    if (taken.chunk != nullptr) return state.hand_over(taken, stream);
    block = state.ask_device(block_size);
  }
  if (block == nullptr) state.out_of_memory(bytes);
  return state.take_new(block, block_size, request, stream);
}

void Pool::deallocate(void* data, Stream& stream) noexcept {
  if (data == nullptr || state_->put(data, stream)) return;
  try {
    stream.synchronize();
  } catch (...) {
    // The device is broken, and whoever uses it next is told so.
  }
  state_->put_quiet(data);
}

PoolMemory Pool::find(const void* address) const {
  std::lock_guard lock(state_->mutex);
  const Chunk* chunk = state_->chunks.find(address);
  if (chunk == nullptr || (chunk->used == 0 && chunk->freed == 0)) return {};
  using State = PoolMemory::State;
  return {chunk->used > 0 ? State::live : State::released, chunk->data, chunk->asked};
}

void Pool::trim() {
  State& state = *state_;
  uint64_t frees_before = 0;
  {
    std::lock_guard lock(state.mutex);
    frees_before = state.frees;
  }
  state.device.synchronize();
  std::vector<void*> blocks;
  {
    std::lock_guard lock(state.mutex);
    for (auto& [id, shelf] : state.shelves)
      state.chunks.move(shelf.chunks, state.quiet, frees_before);
    state.chunks.remove_whole(state.quiet, blocks);
  }
  state.return_blocks(blocks);
  state.drop_idle_streams();
}

PoolStatistics Pool::statistics() const {
  std::lock_guard lock(state_->mutex);
  PoolStatistics statistics = state_->counts;
  statistics.used = state_->chunks.used_bytes();
  statistics.cached = state_->chunks.total_bytes() - statistics.used;
  statistics.blocks = state_->chunks.used_chunks();
  return statistics;
}

}  // namespace gpuarr
