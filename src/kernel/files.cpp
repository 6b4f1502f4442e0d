#include "kernel/files.hpp"

#include <cerrno>

namespace gpuarr {

std::string read_bytes(int fd, uint64_t bytes) {
  std::string result(bytes, '\0');
  size_t done = 0;
  while (done < result.size()) {
    ssize_t got = ::read(fd, result.data() + done, result.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    done += static_cast<size_t>(got);
  }
  result.resize(done);
  return result;
}

bool write_bytes(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

}  // namespace gpuarr
