#include "core/scratch.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>

#include "core/env.hpp"
#include "core/text.hpp"

namespace gpuarr {

uint64_t random_word() {
  static std::atomic<uint64_t> count{0};
  uint64_t word = 0;
  if (getrandom(&word, sizeof word, GRND_NONBLOCK) == sizeof word) return word;
  // A system that is just starting: all that differs from place to place and from time to time.
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  word = reinterpret_cast<uintptr_t>(&count) ^ static_cast<uint64_t>(getpid()) << 48;
  return word ^ (static_cast<uint64_t>(now.tv_sec) << 34) ^
         (static_cast<uint64_t>(now.tv_nsec) << 4) ^ ++count;
}

int memory_file() { return memfd_create("gpuarr", MFD_CLOEXEC); }

std::vector<std::string> scratch_parents() {
  std::vector<std::string> out;
  if (auto place = env("TMPDIR")) out.push_back(*place);
  out.insert(out.end(), {"/tmp", "/dev/shm"});
  return out;
}

namespace {

constexpr std::string_view scratch_name = "gpuarr-scratch-";

int open_directory(const std::string& path) {
  return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

void remove_tree(const std::string& path) {
  constexpr int most_open = 8;  // directories at a time
  nftw(
      path.c_str(), [](const char* name, const struct stat*, int, FTW*) { return remove(name), 0; },
      most_open, FTW_DEPTH | FTW_PHYS);
}

// Whoever has made a directory locks it, which takes no minute; where there are no locks, a day is
// longer than any compiler's work. A time of the future is of a clock that was wrong.
bool is_left(const std::string& path) {
  const File directory(open_directory(path));
  struct stat facts {};
  if (!directory || fstat(directory.fd(), &facts) != 0 || facts.st_uid != geteuid()) return false;
  constexpr int64_t minute = 60, day = 86400;
  const int64_t age = std::abs(std::time(nullptr) - facts.st_mtime);
  if (flock(directory.fd(), LOCK_EX | LOCK_NB) == 0) return age > minute;
  return errno != EWOULDBLOCK && errno != EINTR && age > day;
}

}  // namespace

void sweep_scratch(const std::string& parent) {
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(opendir(parent.c_str()), closedir);
  if (!listing) return;
  while (const dirent* item = readdir(listing.get())) {  // NOLINT(concurrency-mt-unsafe)
    if (!std::string_view(item->d_name).starts_with(scratch_name)) continue;
    const std::string path = parent + "/" + item->d_name;
    if (is_left(path)) remove_tree(path);
  }
}

ScratchDirectory::ScratchDirectory(const std::string& parent) {
  std::string path = formatted("{}/{}XXXXXX", parent, scratch_name);
  if (mkdtemp(path.data()) == nullptr) return;
  path_.swap(path);
  lock_.reset(open_directory(path_));
  if (lock_) flock(lock_.fd(), LOCK_EX | LOCK_NB);
  static std::atomic<bool> swept{false};
  if (!swept.exchange(true)) sweep_scratch(parent);
}

ScratchDirectory::~ScratchDirectory() {
  if (!path_.empty()) remove_tree(path_);
}

}  // namespace gpuarr
