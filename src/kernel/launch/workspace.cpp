#include "kernel/launch/workspace.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "device/pool.hpp"

namespace gpuarr {
namespace {

constexpr int64_t stream_counters = 8192;  // more results than that are not shared by blocks

int64_t partials_end(const ReductionGeometry& g, int partial_bytes) {
  return (g.partials * partial_bytes + 511) / 512 * 512;
}

void clear(uint32_t* counters, int64_t count, Stream& stream) {
  stream.device().clear(counters, count * 4, stream);
}

// Counters of streams that are gone are free, once the work that was in them is done.
struct Workspaces {
  struct Entry {
    std::weak_ptr<Stream> stream;
    Device* device;
    uint32_t* counters;
  };
  ForkSafeMutex mutex;
  std::vector<Entry> entries;
};

Workspaces& workspaces() {
  static auto* instance = new Workspaces;
  return *instance;
}

// Enough of them to be worth waiting for the device, or none.
std::vector<uint32_t*> take_orphans(Device& device) {
  constexpr size_t worth_waiting = 64;
  if (device.captures() != 0) return {};  // it may not be waited for then
  std::lock_guard lock(workspaces().mutex);
  auto& entries = workspaces().entries;
  auto orphan = [&](const Workspaces::Entry& e) {
    return e.device == &device && e.stream.expired();
  };
  if (static_cast<size_t>(std::ranges::count_if(entries, orphan)) < worth_waiting) return {};
  std::vector<uint32_t*> orphans;
  for (const auto& e : entries)
    if (orphan(e)) orphans.push_back(e.counters);
  std::erase_if(entries, orphan);
  return orphans;
}

uint32_t* make_counters(Stream& stream) {
  Device& device = stream.device();
  std::vector<uint32_t*> orphans = take_orphans(device);
  if (!orphans.empty()) device.synchronize();
  for (uint32_t* counters : orphans) device.pool().deallocate(counters, device.own_stream());
  auto* made = static_cast<uint32_t*>(device.pool().allocate(stream_counters * 4, stream));
  device.pool().detach(made);  // they are seen to be orphans once the stream is gone
  try {
    clear(made, stream_counters, stream);
    std::lock_guard lock(workspaces().mutex);
    auto& entries = workspaces().entries;
    entries.push_back({stream.weak_from_this(), &device, made});
    uint32_t* first = nullptr;
    if (stream.counters.compare_exchange_strong(first, made)) return made;
    entries.pop_back();
  } catch (...) {
    device.pool().deallocate(made, stream);
    throw;
  }
  device.pool().deallocate(made, stream);  // another thread was first
  return stream.counters.load();
}

uint32_t* counters_of(Stream& stream) {
  uint32_t* counters = stream.counters.load(std::memory_order_acquire);
  return counters != nullptr ? counters : make_counters(stream);
}

}  // namespace

int64_t workspace_bytes(const ReductionGeometry& g, int partial_bytes) {
  return g.counters == 0 ? 0 : partials_end(g, partial_bytes) + g.counters * 4;
}

Workspace place_workspace(const ReductionGeometry& g, int partial_bytes, Buffer& memory,
                          Stream& stream) {
  auto* bytes = static_cast<std::byte*>(memory.data());
  auto* counters = reinterpret_cast<uint32_t*>(bytes + partials_end(g, partial_bytes));
  clear(counters, g.counters, stream);
  return {bytes, counters};
}

WorkspaceLease::WorkspaceLease(const ReductionGeometry& g, int partial_bytes, Stream& stream)
    : memory_(stream) {
  if (g.counters == 0) return;
  // A graph would go on using memory that is somebody else's by then, unless it is the graph's.
  const bool captured = stream.captures();
  if (!captured && stream.is_capturing())
    fail(GPUARR_ERR_UNSUPPORTED,
         "stream is being captured with the driver's own functions, but blocks share a result and "
         "meet in memory that such a graph cannot keep; capture with gpuarr_stream_begin_capture, "
         "or capture a call that gpuarr_reduction_prepare made");
  Device& device = stream.device();
  bool own = captured || !device.facts().ordered_launches || g.counters > stream_counters;
  int64_t end = partials_end(g, partial_bytes);
  memory_.data = memory_.source.allocator->allocate(own ? end + g.counters * 4 : end, stream);
  workspace_.partials = memory_.data;
  if (own) {
    auto* counters = reinterpret_cast<uint32_t*>(static_cast<std::byte*>(memory_.data) + end);
    clear(counters, g.counters, stream);
    workspace_.counters = counters;
  } else {
    workspace_.counters = counters_of(stream);
  }
}

}  // namespace gpuarr
