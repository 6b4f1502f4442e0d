// Open files that close themselves, and whole reads.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <string>
#include <utility>

namespace gpuarr {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// The bytes from the place where the file stands, at most so many; fewer at its end or on an
/// error.
std::string read_bytes(int fd, uint64_t bytes);

}  // namespace gpuarr
