// The cache on disk: one file for each compiled kernel. It never fails a caller who has a compiler:
// what goes wrong is told by problem().
#pragma once

#include <atomic>
#include <optional>
#include <set>
#include <string>

#include "core/fork.hpp"
#include "kernel/cache/directory.hpp"
#include "kernel/cache/key.hpp"
#include "kernel/cache/lease.hpp"
#include "kernel/cache/settings.hpp"

namespace gpuarr {

struct CacheListing {
  CacheFile file;
  std::string kernel, target;
};

class DiskCache {
 public:
  explicit DiskCache(CacheSettings settings) : settings_(std::move(settings)) {}

  enum class Look { first, again };  // what is rejected is counted at the first look

  /// The image that was stored under this very key.
  std::optional<std::string> find(const CacheKey& key, Look look = Look::first);

  void store(const CacheKey& key, const std::string& kernel, const std::string& target,
             const std::string& image);

  /// Waits while another process compiles the key.
  CacheLease lease(const CacheKey& key);

  std::vector<CacheListing> list() const;  // the last used first
  void clear();                            // both throw an Error of GPUARR_ERR_IO
  CacheFiles files() const;                // empty if there are none or they cannot be listed

  const char* directory() const;  // "": none is used
  const char* problem();          // "": all is well; lives as long as this
  int64_t limit() const { return settings_.limit; }
  int64_t rejected() const { return rejected_; }
  int64_t evictions() const { return evictions_; }

 private:
  std::optional<std::string> read(const CacheDirectory& directory, const CacheKey& key, Look look);
  CacheDirectory open_for_writing();
  void write(const CacheDirectory& directory, const std::string& name, const std::string& bytes);
  void keep_under_limit(const CacheDirectory& directory, const CacheFile& newest);
  std::string problem_now() const;
  void warn_of_problem() const;
  void note_write_problem(std::string problem);

  CacheSettings settings_;
  std::atomic<int64_t> rejected_{0}, evictions_{0};
  std::atomic<int64_t> bytes_{-1};  // on disk, about; -1: not counted yet
  mutable ForkSafeMutex mutex_;     // of the rest
  std::string write_problem_;
  std::set<std::string> told_;  // what problem() returned, which callers may hold on to
};

DiskCache& disk_cache();  // the process's, by the environment

}  // namespace gpuarr
