#include "device/pinned_pool.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/error.hpp"
#include "core/once.hpp"
#include "device/device.hpp"

namespace gpuarr {
namespace {

struct Pools {
  ForkSafeMutex mutex;
  std::vector<PinnedPool*> all;
};

Pools& pools() {
  static Undying<Pools> instance;
  return *instance;
}

}  // namespace

PinnedPool::PinnedPool(Device& device) : blocks_(device, MemoryKind::pinned) {
  std::lock_guard lock(pools().mutex);
  pools().all.push_back(this);
}

PinnedPool::~PinnedPool() {
  std::lock_guard lock(pools().mutex);
  std::erase(pools().all, this);
}

// Whether the streams are past their uses. One that cannot be asked, in a host function, while it
// is captured or after the device was lost, is not.
bool PinnedPool::is_done(Use& pending, bool wait) noexcept {
  std::erase_if(pending.graphs, [](const auto& graph) { return graph.expired(); });
  if (!pending.graphs.empty()) return false;
  try {
    return are_over(pending.last, wait);
  } catch (...) {
    return false;
  }
}

void PinnedPool::free(Parcel& parcel) noexcept {
  parcel.set_free(1);
  parcels_.put(parcel, free_);
}

// Puts what is done with back among the free.
void PinnedPool::settle(bool wait) noexcept {
  Uses asked, waiting;
  {
    std::lock_guard lock(mutex_);
    asked.swap(pending_);
  }
  for (auto next = asked.begin(); next != asked.end();) {
    const auto one = next++;
    if (!is_done(one->second, wait)) waiting.insert(asked.extract(one));
  }
  std::lock_guard lock(mutex_);
  for (auto& [at, done] : asked) free(*done.parcel);
  pending_.merge(waiting);
}

void* PinnedPool::take(const ParcelRequest& request) {
  std::lock_guard lock(mutex_);
  Parcel* parcel = parcels_.take(free_, request);
  if (parcel == nullptr) return nullptr;
  try {
    live_.insert({parcel->data, {parcel, {}, {}}});
  } catch (...) {
    free(*parcel);
    throw;
  }
  counts_.used += parcel->used_bytes();
  counts_.peak = std::max(counts_.peak, counts_.used);
  return parcel->data;
}

void* PinnedPool::grow(const ParcelRequest& request) {
  const int64_t size = round_up(request.size, pool_block);
  void* block = blocks_.ask(size);
  if (block == nullptr) return nullptr;
  try {
    std::lock_guard lock(mutex_);
    parcels_.add(block, size, class_of(request.size), free_);
  } catch (...) {
    blocks_.give(block);
    throw;
  }
  return take({request.size, request.asked, true});
}

void* PinnedPool::allocate(int64_t bytes) {
  if (bytes <= 0) return nullptr;
  if (bytes > INT64_MAX - pool_block) out_of_memory(bytes);
  const ParcelRequest request = {round_up(bytes, pool_granularity), bytes};
  settle(false);
  {
    std::lock_guard lock(mutex_);
    ++counts_.allocations;
  }
  if (void* data = take(request)) {
    std::lock_guard lock(mutex_);
    ++counts_.hits;
    return data;
  }
  if (void* data = grow(request)) return data;
  trim();
  if (void* data = take({request.size, request.asked, true})) return data;
  if (void* data = grow(request)) return data;
  out_of_memory(bytes);
}

bool PinnedPool::deallocate(void* data) noexcept {
  if (data == nullptr) return true;
  Uses::node_type gone;
  {
    std::lock_guard lock(mutex_);
    gone = live_.extract(static_cast<const char*>(data));
    if (gone.empty()) return false;
    counts_.used -= gone.mapped().parcel->used_bytes();
  }
  const bool done = is_done(gone.mapped(), false);
  std::lock_guard lock(mutex_);
  if (done)
    free(*gone.mapped().parcel);
  else
    pending_.insert(std::move(gone));
  return true;
}

PinnedPool::Use* PinnedPool::find(const void* address) {
  const auto* at = static_cast<const char*>(address);
  auto found = live_.upper_bound(at);
  if (found == live_.begin()) return nullptr;
  Use& use = (--found)->second;
  return at < use.parcel->data + use.parcel->size ? &use : nullptr;
}

void PinnedPool::used_in(const void* address, Stream& stream) {
  const std::shared_ptr<Capture> capture = stream.captures() ? stream.capture() : nullptr;
  StreamList left;
  {
    std::lock_guard lock(mutex_);
    Use* use = find(address);
    if (use == nullptr) return;
    if (capture) return use->graphs.push_back(capture->kept());
    left = add_stream(use->last.streams, stream);
  }
  if (left.empty()) return;
  keep_idle(left);
  std::lock_guard lock(mutex_);
  if (Use* use = find(address)) forget_streams(use->last.streams, left);
}

void PinnedPool::trim() {
  settle(true);
  std::vector<void*> whole;
  {
    std::lock_guard lock(mutex_);
    parcels_.remove_whole(free_, INT64_MAX, whole);
  }
  for (void* block : whole) blocks_.give(block);
}

MemoryStatistics PinnedPool::statistics() const {
  const int64_t calls = blocks_.calls();
  std::lock_guard lock(mutex_);
  MemoryStatistics out = counts_;
  out.device_calls = calls;
  out.cached = parcels_.total_bytes() - out.used;
  out.blocks = static_cast<int64_t>(live_.size());
  return out;
}

void PinnedPool::out_of_memory(int64_t bytes) {
  const MemoryStatistics now = statistics();
  fail(GPUARR_ERR_OUT_OF_MEMORY,
       "not enough pinned host memory for {} bytes: {} bytes of it are in use and {} cached; free "
       "some, or use ordinary memory",
       bytes, now.used, now.cached);
}

void note_pinned_use(const void* address, Stream& stream) {
  std::vector<PinnedPool*> all;
  {
    std::lock_guard lock(pools().mutex);
    all = pools().all;
  }
  for (PinnedPool* pool : all) pool->used_in(address, stream);
}

}  // namespace gpuarr
