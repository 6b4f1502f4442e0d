#include "kernel/cache/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <mutex>

#include "core/env.hpp"
#include "core/error.hpp"
#include "core/file.hpp"
#include "core/log.hpp"
#include "core/scratch.hpp"
#include "kernel/cache/entry.hpp"

namespace gpuarr {
namespace {

constexpr int64_t hour = 3600;
constexpr auto longest_wait = std::chrono::seconds(120);

// A time of the future is of a clock that was wrong then, or is now.
bool is_old(int64_t time) { return std::abs(std::time(nullptr) - time) > hour; }

// For the order of eviction only, so that the hour is exact enough and a busy cluster that shares
// a directory does not write to it all the time.
void mark_used(int file, const struct stat& facts) {
  if (is_old(facts.st_mtime)) ::futimens(file, nullptr);
}

std::string temporary_name() { return formatted(".tmp-{}-{:016x}", ::getpid(), random_word()); }

[[noreturn]] void fail_with_errno(const char* what, int code) {
  throw Error(GPUARR_ERR_IO, formatted("{}: {}", what, errno_text(code)), code);
}

// Removes what writers that died left behind.
void remove_leftovers(const CacheDirectory& directory, const std::vector<CacheFile>& leftovers) {
  constexpr std::string_view lock = ".lock";
  for (const CacheFile& file : leftovers) {
    if (!is_old(file.used)) continue;
    if (file.name.ends_with(lock))  // to hold it is to remove it
      CacheLease(directory.fd.get(), file.name.substr(0, file.name.size() - lock.size()), {});
    else
      ::unlinkat(directory.fd.get(), file.name.c_str(), 0);
  }
}

}  // namespace

std::optional<std::string> DiskCache::read(const CacheDirectory& directory, const CacheKey& key,
                                           Look look) {
  struct stat facts {};
  bool untrusted = false;
  Descriptor file = directory.open_file(key.file_name(), facts, untrusted);
  if (untrusted && look == Look::first) {
    ++rejected_;
    log(Topic::cache, "{} refused: it cannot be read, or others may write to it", key.file_name());
  }
  if (!file) return std::nullopt;
  auto size = static_cast<uint64_t>(facts.st_size);
  std::string bytes = read_bytes(file.get(), sizeof(CacheEntryHead));
  auto head = decode_head(bytes, size);
  if (head && head->key_bytes == key.text.size()) {
    bytes += read_bytes(file.get(), size - bytes.size());
    auto entry = decode(bytes);
    if (entry && entry->key == key.text) {
      if (directory.tier == CacheTier::own) mark_used(file.get(), facts);
      return std::string(entry->image);
    }
  }
  if (look == Look::first) {
    ++rejected_;
    log(Topic::cache, "{} refused: it is damaged, or of another key", key.file_name());
  }
  return std::nullopt;
}

std::optional<std::string> DiskCache::find(const CacheKey& key, Look look) {
  for (auto [path, tier] : {std::pair(&settings_.directory, CacheTier::own),
                            std::pair(&settings_.read_only_directory, CacheTier::read_only)}) {
    if (path->empty()) continue;
    CacheDirectory directory = open_cache_directory(*path, tier);
    if (!directory && tier == CacheTier::read_only) warn_of_problem();
    if (!directory) continue;
    if (auto image = read(directory, key, look)) return image;
  }
  return std::nullopt;
}

// Fails if it cannot be made; is not open if it must not be used, which problem() tells by itself.
CacheDirectory DiskCache::open_for_writing() {
  if (settings_.directory.empty()) return {};
  CacheDirectory directory = open_cache_directory(settings_.directory, CacheTier::own);
  if (directory || !directory.problem.empty()) return directory;
  make_cache_directory(settings_.directory);
  return open_cache_directory(settings_.directory, CacheTier::own);
}

// The entry appears whole or not at all, whoever dies.
void DiskCache::write(const CacheDirectory& directory, const std::string& name,
                      const std::string& bytes) {
  int at = directory.fd.get();
  std::string temporary = temporary_name();
  Descriptor file(
      ::openat(at, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file) fail_with_errno("no file can be made", errno);
  if (!write_bytes(file.get(), bytes) || ::fsync(file.get()) != 0 ||
      ::renameat(at, temporary.c_str(), at, name.c_str()) != 0) {
    int code = errno;
    ::unlinkat(at, temporary.c_str(), 0);
    fail_with_errno("a file cannot be written", code);
  }
}

void DiskCache::store(const CacheKey& key, const std::string& kernel, const std::string& target,
                      const std::string& image) {
  std::string problem;
  try {
    CacheDirectory directory = open_for_writing();
    if (!directory) return warn_of_problem();
    std::string bytes = encode({kernel, target, key.text, image});
    auto size = static_cast<int64_t>(bytes.size());
    if (bytes.size() > cache_entry_limit || size > settings_.limit) {
      log(Topic::cache, "{}: not stored: its {} bytes are too many", kernel, size);
      return;
    }
    write(directory, key.file_name(), bytes);
    log(Topic::cache, "{}: stored as {} in {}, {} bytes", kernel, key.file_name(),
        settings_.directory, size);
    keep_under_limit(directory, {key.file_name(), size, 0});
  } catch (const std::exception& error) {
    problem = formatted("kernels cannot be written to {}: {}", settings_.directory, error.what());
    log(Topic::cache, "{}: not stored: {}", kernel, problem);
    warn(problem);
  }
  note_write_problem(std::move(problem));
}

// Counts by listing the directory once; then adds up what this process writes until that passes
// the limit. What other processes write meanwhile is seen at the next listing, theirs or ours.
void DiskCache::keep_under_limit(const CacheDirectory& directory, const CacheFile& newest) {
  int64_t before = bytes_;
  if (before >= 0 && before + newest.bytes <= settings_.limit) {
    bytes_ += newest.bytes;
    return;
  }
  CacheFiles files = list_files(directory);
  remove_leftovers(directory, files.leftovers);
  int64_t total = 0;
  for (const CacheFile& file : files.entries) total += file.bytes;
  if (total > settings_.limit) {
    std::ranges::sort(files.entries, {}, &CacheFile::used);
    for (const CacheFile& file : files.entries) {
      if (total <= settings_.limit / 5 * 4) break;
      if (file.name == newest.name) continue;
      total -= file.bytes;
      if (::unlinkat(directory.fd.get(), file.name.c_str(), 0) == 0) ++evictions_;
    }
  }
  bytes_ = total;
}

CacheLease DiskCache::lease(const CacheKey& key) {
  try {
    CacheDirectory directory = open_for_writing();
    if (directory) return {directory.fd.get(), key.file_name(), longest_wait};
  } catch (const Error&) {
    // store() will meet the same and tell it.
  }
  return {};
}

std::vector<CacheListing> DiskCache::list() const {
  std::vector<CacheListing> result;
  if (settings_.directory.empty()) return result;
  CacheDirectory directory = open_cache_directory(settings_.directory, CacheTier::own);
  if (!directory.problem.empty()) throw Error(GPUARR_ERR_IO, directory.problem);
  if (!directory) return result;
  for (const CacheFile& named : list_files(directory).entries) {
    struct stat facts {};
    bool untrusted = false;
    Descriptor file = directory.open_file(named.name, facts, untrusted);
    if (!file) continue;
    constexpr uint64_t longest_name = 4096;
    auto head = decode_head(read_bytes(file.get(), sizeof(CacheEntryHead)),
                            static_cast<uint64_t>(facts.st_size));
    if (!head || head->kernel_bytes > longest_name || head->target_bytes > longest_name) continue;
    std::string kernel = read_bytes(file.get(), head->kernel_bytes);
    std::string target = read_bytes(file.get(), head->target_bytes);
    result.push_back({named, std::move(kernel), std::move(target)});
  }
  std::ranges::sort(result, [](const CacheListing& a, const CacheListing& b) {
    return a.file.used != b.file.used ? a.file.used > b.file.used : a.file.name < b.file.name;
  });
  return result;
}

void DiskCache::clear() {
  if (settings_.directory.empty()) return;
  CacheDirectory directory = open_cache_directory(settings_.directory, CacheTier::own);
  if (!directory.problem.empty()) throw Error(GPUARR_ERR_IO, directory.problem);
  if (!directory) return;
  CacheFiles files = list_files(directory);
  remove_leftovers(directory, files.leftovers);
  for (const CacheFile& file : files.entries)
    if (::unlinkat(directory.fd.get(), file.name.c_str(), 0) != 0 && errno != ENOENT)
      throw Error(GPUARR_ERR_IO,
                  formatted("{}/{} cannot be removed: {}", settings_.directory, file.name,
                            errno_text(errno)),
                  errno);
  bytes_ = -1;
}

CacheFiles DiskCache::files() const {
  if (settings_.directory.empty()) return {};
  try {
    CacheDirectory directory = open_cache_directory(settings_.directory, CacheTier::own);
    return directory ? list_files(directory) : CacheFiles();
  } catch (const Error&) {
    return {};
  }
}

const char* DiskCache::directory() const {
  if (settings_.directory.empty()) return "";
  CacheDirectory directory = open_cache_directory(settings_.directory, CacheTier::own);
  return directory.problem.empty() ? settings_.directory.c_str() : "";
}

void DiskCache::note_write_problem(std::string problem) {
  std::lock_guard lock(mutex_);
  write_problem_ = std::move(problem);
}

std::string DiskCache::problem_now() const {
  if (!settings_.problem.empty()) return settings_.problem;
  if (settings_.directory.empty()) return "";
  CacheDirectory own = open_cache_directory(settings_.directory, CacheTier::own);
  if (!own.problem.empty()) return own.problem;
  if (own && ::faccessat(own.fd.get(), ".", W_OK, AT_EACCESS) != 0)
    return formatted(
        "{} is read only: {}; new kernels are kept in memory only, unless GPUARR_CACHE_DIR "
        "is a directory of your own",
        settings_.directory, errno_text(errno));
  if (settings_.read_only_directory.empty()) return "";
  CacheDirectory other = open_cache_directory(settings_.read_only_directory, CacheTier::read_only);
  if (other) return "";
  return formatted("$GPUARR_CACHE_READ_ONLY_DIR is {}, which cannot be read; unset it or make it",
                   settings_.read_only_directory);
}

// A program with raised rights does as it should.
void DiskCache::warn_of_problem() const {
  if (std::string now = problem_now(); !now.empty() && !privileged()) warn(now);
}

const char* DiskCache::problem() {
  std::string now = problem_now();
  std::lock_guard lock(mutex_);
  return told_.insert(now.empty() ? write_problem_ : std::move(now)).first->c_str();
}

DiskCache& disk_cache() {
  static auto* instance = new DiskCache(cache_settings());
  return *instance;
}

}  // namespace gpuarr
