#include "kernel/cache/cache.hpp"

#include <chrono>
#include <vector>

#include "backends.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/settings.hpp"
#include "core/watch.hpp"
#include "kernel/cache/disk.hpp"
#include "kernel/cache/flight.hpp"
#include "kernel/cache/key.hpp"
#include "kernel/cache/source_files.hpp"
#include "kernel/launch/profile.hpp"

namespace gpuarr {
namespace {

struct KernelKey {
  int device = 0;  // Device::index()
  CacheKey key;
  bool operator==(const KernelKey& other) const {
    return device == other.device && key.digest == other.key.digest && key.text == other.key.text;
  }
};

struct HashOfKernelKey {
  size_t operator()(const KernelKey& k) const { return k.key.digest.low + size_t(k.device); }
};

template <class Product>
Flights<KernelKey, HashOfKernelKey, Product>& flights() {
  static auto* instance = new Flights<KernelKey, HashOfKernelKey, Product>;
  return *instance;
}

// An image that the device refuses is as good as none: it is compiled again, and replaced.
template <class Load>
auto load_from_disk(const Device& device, const Source& source, const CacheKey& key,
                    DiskCache::Look look, const Load& load) -> decltype(load(std::string())) {
  CacheCounts& counts = cache_counts();
  auto image = disk_cache().find(key, look);
  if (!image) return nullptr;
  try {
    auto product = load(*image);
    ++(look == DiskCache::Look::first ? counts.disk_hits : counts.waits);
    note_found(device, source, Found::disk);
    log(Topic::cache, "{}: found on disk as {}", source.name, key.file_name());
    return product;
  } catch (const Error& error) {
    if (error.status() != GPUARR_ERR_LOAD) throw;
    log(Topic::cache, "{}: {} does not load: {}", source.name, key.file_name(), error.what());
    if (look == DiskCache::Look::first) ++counts.refused;
    return nullptr;
  }
}

template <class Compile>
std::string compile_timed(Device& device, const Source& source, const Compile& compile) {
  const Range range(formatted("compile {}", source.name).c_str());
  const auto start = std::chrono::steady_clock::now();
  auto milliseconds = [&] {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
        .count();
  };
  try {
    std::string image = compile();
    note_compiled(device, source, milliseconds() * 1e3);
    if (log_enabled(Topic::compile))
      log(Topic::compile, "{}: {} bytes for {} in {:.1f} ms by {}", source.name, image.size(),
          device.target(), milliseconds(), device.compiler());
    return image;
  } catch (const Error& error) {
    log(Topic::compile, "{}: failed after {:.1f} ms: {}", source.name, milliseconds(),
        error.what());
    throw;
  }
}

// What making a kernel takes.
template <class Compile, class Holds, class Load>
struct Maker {
  Maker(const Compile& c, const Holds& h, const Load& l) : compile(c), holds(h), load(l) {}

  const Compile& compile;
  const Holds& holds;  // whether the key has all that was compiled, asked afterwards
  const Load& load;
};

template <class M>
auto make(Device& device, const Source& source, const CacheKey& key, const M& maker, bool& keep)
    -> decltype(maker.load(std::string())) {
  Watch watch(formatted("kernel \"{}\"", source.name));
  CacheLease lease;
  if (key.complete) {
    if (auto product = load_from_disk(device, source, key, DiskCache::Look::first, maker.load))
      return product;
    lease = disk_cache().lease(key);
    if (lease.held())
      if (auto product = load_from_disk(device, source, key, DiskCache::Look::again, maker.load))
        return product;
  }
  watch.limit(source.time_limit ? *source.time_limit : usual_time_limit());
  std::string image = compile_timed(device, source, maker.compile);
  ++cache_counts().compiles;
  keep = key.complete && maker.holds();
  if (keep) disk_cache().store(key, source.name, device.target(), image);
  lease.release();
  return maker.load(image);
}

// What `load` makes of the image, kept under the key; compiled once for all who ask at one time.
template <class M>
auto made_once(Device& device, const Source& source, CacheKey key, const M& maker)
    -> decltype(maker.load(std::string())) {
  bool keep = true;
  if (!key.complete) return make(device, source, key, maker, keep);
  using Product = decltype(maker.load(std::string()));
  const KernelKey slot{device.index(), std::move(key)};
  Came came = Came::made;
  Product product = flights<Product>().get(
      slot, [&] { return make(device, source, slot.key, maker, keep); }, came);
  if (!keep) {
    flights<Product>().forget(slot);
    log(Topic::cache, "{}: not kept: the compiler read a file that its key does not have",
        source.name);
  }
  if (came == Came::kept) ++cache_counts().memory_hits;
  if (came == Came::waited) ++cache_counts().waits;
  if (came != Came::made) {
    note_found(device, source, Found::memory);
    log(Topic::cache, "{}: found in memory", source.name);
  }
  return product;
}

// What does not compile is compiled as it was, for messages with the user's own lines.
template <class S, class Compile>
std::string compile_as_file(const std::optional<S>& saved, const S& source,
                            const Compile& compile) {
  if (!saved) return compile(source);
  try {
    return compile(*saved);
  } catch (const CompileError&) {
    return compile(source);
  }
}

template <class S, class Compile, class Load>
auto cached_as_given(Device& device, const S& source, const Compile& compile, const Load& load)
    -> decltype(load(std::string())) {
  CacheKey key = cache_key(device, source);
  const CacheKey seen{"", key.digest, key.complete, key.files};
  const auto saved = as_file(device, source, key);
  std::vector<std::string> reads;
  const auto noting = [&](const S& text) {
    S told = text;
    told.reads = &reads;
    return compile(told);
  };
  const auto compiling = [&] { return compile_as_file(saved, source, noting); };
  // Files may have changed since the key was made, too.
  const auto holds = [&] {
    return seen.has(reads) &&
           (seen.files.empty() || cache_key(device, source).digest == seen.digest);
  };
  return made_once(device, source, std::move(key), Maker{compiling, holds, load});
}

// Every kernel comes by here, so this is where $GPUARR_CONTRACT=0 becomes an option of it: the last
// one, which outdoes the user's.
template <class S, class Compile, class Load>
auto cached(Device& device, const S& source, const Compile& compile, const Load& load)
    -> decltype(load(std::string())) {
  if (setting("GPUARR_CONTRACT") != "0") return cached_as_given(device, source, compile, load);
  S uncontracted = source;
  uncontracted.options.emplace_back(target_of(device).no_contraction);
  return cached_as_given(device, uncontracted, compile, load);
}

}  // namespace

CacheCounts& cache_counts() {
  static CacheCounts counts;
  return counts;
}

std::shared_ptr<Module> cached_module(Device& device, const Source& source) {
  return cached(
      device, source, [&](const Source& text) { return device.compile(text); },
      [&](const std::string& image) { return device.load(image); });
}

RawCode cached_raw(Device& device, const RawSource& source) {
  std::shared_ptr<RawModule> own;  // stays null where another call made the image
  auto image = cached(
      device, source, [&](const RawSource& text) { return device.compile_raw(text); },
      [&](const std::string& bytes) {
        own = device.load_raw(bytes);
        return std::make_shared<const std::string>(bytes);
      });
  if (!own) own = device.load_raw(*image);
  return {std::move(image), std::move(own)};
}

}  // namespace gpuarr
