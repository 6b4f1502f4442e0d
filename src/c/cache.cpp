#include "kernel/cache/cache.hpp"

#include "c/guard.hpp"
#include "c/handles.hpp"
#include "gpuarr/cache.h"
#include "kernel/cache/disk.hpp"
#include "ops/warm.hpp"

using namespace gpuarr;

namespace {

int64_t bytes_of(const CacheFiles& files) {
  int64_t bytes = 0;
  for (const CacheFile& file : files.entries) bytes += file.bytes;
  return bytes;
}

using Statistic = int64_t (*)();

constexpr Statistic statistics[] = {
    [] { return cache_counts().memory_hits.load(); },
    [] { return cache_counts().disk_hits.load(); },
    [] { return cache_counts().compiles.load(); },
    [] { return cache_counts().waits.load(); },
    [] { return cache_counts().refused + disk_cache().rejected(); },
    [] { return disk_cache().evictions(); },
    [] { return static_cast<int64_t>(disk_cache().files().entries.size()); },
    [] { return bytes_of(disk_cache().files()); },
    [] { return disk_cache().limit(); },
};

}  // namespace

gpuarr_status gpuarr_cache_statistic(int64_t* out, int32_t statistic) {
  return guard_output(__func__, out, [&] {
    return statistic_of<Statistic>(statistics, statistic, "GPUARR_CACHE_")();
  });
}

const char* gpuarr_cache_directory(void) {
  const char* directory = "";
  guard(__func__, [&] { directory = disk_cache().directory(); });
  return directory;
}

const char* gpuarr_cache_problem(void) {
  const char* problem = "";
  const gpuarr_status status = guard(__func__, [&] { problem = disk_cache().problem(); });
  if (status == GPUARR_OK) return problem;
  problem = "out of memory";  // unless there is enough for what lasts
  guard(__func__, [&] { problem = lasting_text(gpuarr_last_error()); });
  return problem;
}

gpuarr_status gpuarr_cache_list(gpuarr_cache_visitor visitor, void* user) {
  return guard(__func__, [&] {
    if (visitor == nullptr)
      fail(GPUARR_ERR_ARGUMENT, "visitor is NULL; give a function that gets the entries");
    for (const CacheListing& entry : disk_cache().list())
      if (visitor(user, entry.file.name.c_str(), entry.kernel.c_str(), entry.target.c_str(),
                  entry.file.bytes, entry.file.used) != 0)
        break;
  });
}

gpuarr_status gpuarr_cache_clear(void) {
  return guard(__func__, [&] { disk_cache().clear(); });
}

gpuarr_status gpuarr_cache_warm(gpuarr_device* device, gpuarr_cache_progress progress, void* user) {
  return guard(__func__, [&] {
    warm_cache(deref(device, "device"), [&](const std::string& what, int done, int all) {
      return progress == nullptr || progress(user, what.c_str(), done, all) == 0;
    });
  });
}
