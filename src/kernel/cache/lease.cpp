#include "kernel/cache/lease.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>
#include <thread>

#include "core/watch.hpp"

namespace gpuarr {
namespace {

// The holder removes the file before it lets go of it, so that a lock may be on a file that is no
// longer there, beside another one on a new file. Nothing where that cannot be known.
std::optional<bool> still_there(int directory, const std::string& name, int file) {
  struct stat ours {};
  struct stat named {};
  if (::fstat(file, &ours) != 0) return std::nullopt;
  if (::fstatat(directory, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0)
    return errno == ENOENT ? std::optional(false) : std::nullopt;
  return ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

// 0, or errno: EWOULDBLOCK if another has it.
int lock(int file) {
  while (::flock(file, LOCK_EX | LOCK_NB) != 0)
    if (errno != EINTR) return errno;
  return 0;
}

}  // namespace

CacheLease::CacheLease(int directory, const std::string& name, std::chrono::milliseconds longest)
    : directory_(::fcntl(directory, F_DUPFD_CLOEXEC, 0)), name_(name + ".lock") {
  using namespace std::chrono_literals;
  auto deadline = std::chrono::steady_clock::now() + longest;
  for (auto pause = 1ms;;) {
    Descriptor file(::openat(directory_.get(), name_.c_str(),
                             O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600));
    if (!file) return;
    int code = lock(file.get());
    if (code != 0 && code != EWOULDBLOCK) return;
    if (code == 0) {
      const auto there = still_there(directory_.get(), name_, file.get());
      if (!there) return;
      if (*there) file_ = std::move(file);
      if (*there) return;
    }
    if (std::chrono::steady_clock::now() >= deadline) return;
    if (Watch::current() != nullptr && Watch::current()->over()) return;
    if (code == 0) continue;  // its holder has just finished
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, 20ms);
  }
}

void CacheLease::release() noexcept {
  if (!file_) return;
  // To close it would not be enough: a child of a fork may have the locked file open as well.
  ::unlinkat(directory_.get(), name_.c_str(), 0);
  file_ = Descriptor();
}

}  // namespace gpuarr
