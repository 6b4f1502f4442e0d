#include "core/scratch.hpp"

#include <ftw.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "core/env.hpp"

namespace gpuarr {

File::~File() {
  if (fd_ >= 0) close(fd_);
}

bool File::write(const std::string& bytes) {
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n = ::write(fd_, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += static_cast<size_t>(n);
  }
  return true;
}

std::string File::read_all() const {
  std::string out;
  char buffer[16384];
  for (;;) {
    const ssize_t n = pread(fd_, buffer, sizeof buffer, static_cast<off_t>(out.size()));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return "";
    if (n == 0) return out;
    out.append(buffer, static_cast<size_t>(n));
  }
}

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

ScratchDirectory::ScratchDirectory(const std::string& parent) {
  std::string path = parent + "/gpuarr-XXXXXX";
  if (mkdtemp(path.data()) != nullptr) path_ = path;
}

ScratchDirectory::~ScratchDirectory() {
  if (path_.empty()) return;
  constexpr int most_open = 8;  // directories at a time
  nftw(
      path_.c_str(),
      [](const char* path, const struct stat*, int, FTW*) { return remove(path), 0; }, most_open,
      FTW_DEPTH | FTW_PHYS);
}

}  // namespace gpuarr
