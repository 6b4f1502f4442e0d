#include "kernel/cache.hpp"

#include <future>
#include <mutex>
#include <unordered_map>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "kernel/cache_disk.hpp"
#include "kernel/cache_key.hpp"

namespace gpuarr {
namespace {

using ModulePointer = std::shared_ptr<Module>;

struct ModuleKey {
  int device = 0;  // Device::index()
  CacheKey key;
  bool operator==(const ModuleKey& other) const {
    return device == other.device && key.digest == other.key.digest && key.text == other.key.text;
  }
};

struct HashOfModuleKey {
  size_t operator()(const ModuleKey& k) const { return k.key.digest.low + size_t(k.device); }
};

// A kernel that one thread makes and others wait for.
struct Making {
  uint32_t generation = fork_generation();
  std::promise<ModulePointer> promise;
  std::shared_future<ModulePointer> result{promise.get_future()};
};

struct Slot {
  ModulePointer module;            // once it is made
  std::shared_ptr<Making> making;  // until then
};

struct Modules {
  ForkSafeMutex mutex;
  std::unordered_map<ModuleKey, Slot, HashOfModuleKey> slots;
};

// Never destroyed: kernels may be asked for while the process ends.
Modules& modules() {
  static auto* instance = new Modules;
  return *instance;
}

// An image that the device refuses is as good as none: it is compiled again, and replaced.
ModulePointer load_from_disk(Device& device, const CacheKey& key, DiskCache::Look look) {
  CacheCounts& counts = cache_counts();
  auto image = disk_cache().find(key, look);
  if (!image) return nullptr;
  try {
    ModulePointer module = device.load(*image);
    ++(look == DiskCache::Look::first ? counts.disk_hits : counts.waits);
    return module;
  } catch (const Error& error) {
    if (error.status() != GPUARR_ERR_LOAD) throw;
    if (look == DiskCache::Look::first) ++counts.refused;
    return nullptr;
  }
}

ModulePointer make(Device& device, const Source& source, const CacheKey& key) {
  CacheLease lease;
  if (key.complete) {
    if (auto module = load_from_disk(device, key, DiskCache::Look::first)) return module;
    lease = disk_cache().lease(key);
    if (lease.held())
      if (auto module = load_from_disk(device, key, DiskCache::Look::again)) return module;
  }
  std::string image = device.compile(source);
  ++cache_counts().compiles;
  if (key.complete) disk_cache().store(key, source.name, device.target(), image);
  lease.release();
  return device.load(image);
}

struct Claim {
  ModulePointer module;  // made already
  std::shared_ptr<Making> making;
  bool ours = false;  // to make
};

Claim claim(const ModuleKey& key) {
  std::lock_guard lock(modules().mutex);
  Slot& slot = modules().slots[key];
  if (slot.module) return {slot.module, nullptr, false};
  // In the child of a fork nobody goes on with what a thread of the parent began.
  bool ours = !slot.making || slot.making->generation != fork_generation();
  if (ours) slot.making = std::make_shared<Making>();
  return {nullptr, slot.making, ours};
}

// Takes the slot of a failed attempt away, so that the next one tries again.
void finish(const ModuleKey& key, const std::shared_ptr<Making>& making, ModulePointer module) {
  std::lock_guard lock(modules().mutex);
  auto found = modules().slots.find(key);
  if (found == modules().slots.end() || found->second.making != making) return;
  if (module)
    found->second = {std::move(module), nullptr};
  else
    modules().slots.erase(found);
}

}  // namespace

CacheCounts& cache_counts() {
  static CacheCounts counts;
  return counts;
}

ModulePointer cached_module(Device& device, const Source& source) {
  ModuleKey key{device.index(), cache_key(device, source)};
  if (!key.key.complete) return make(device, source, key.key);
  Claim claimed = claim(key);
  if (claimed.module) {
    ++cache_counts().memory_hits;
    return claimed.module;
  }
  if (!claimed.ours) {
    ModulePointer module = claimed.making->result.get();
    ++cache_counts().waits;
    return module;
  }
  try {
    ModulePointer module = make(device, source, key.key);
    finish(key, claimed.making, module);
    claimed.making->promise.set_value(module);
    return module;
  } catch (...) {
    finish(key, claimed.making, nullptr);
    claimed.making->promise.set_exception(std::current_exception());
    throw;
  }
}

}  // namespace gpuarr
