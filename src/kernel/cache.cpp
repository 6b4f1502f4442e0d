#include "kernel/cache.hpp"

#include <functional>
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

struct Outcome {
  ModulePointer module;
  std::function<void()> raise;  // throws an error of the caller's own, not one that threads share
};

// A kernel that one thread makes and others wait for.
struct Making {
  uint32_t generation = fork_generation();
  std::promise<Outcome> promise;
  std::shared_future<Outcome> outcome{promise.get_future()};
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

Outcome try_to_make(Device& device, const Source& source, const CacheKey& key) {
  try {
    return {make(device, source, key), nullptr};
  } catch (const CompileError& error) {
    return {nullptr, [error] { throw CompileError(error); }};
  } catch (const Error& error) {
    return {nullptr, [error] { throw Error(error); }};
  } catch (...) {
    return {nullptr, [error = std::current_exception()] { std::rethrow_exception(error); }};
  }
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
  if (claimed.ours) {
    Outcome made = try_to_make(device, source, key.key);
    finish(key, claimed.making, made.module);
    claimed.making->promise.set_value(std::move(made));
  }
  const Outcome& outcome = claimed.making->outcome.get();
  if (!outcome.module) outcome.raise();
  if (!claimed.ours) ++cache_counts().waits;
  return outcome.module;
}

}  // namespace gpuarr
