#include "kernel/cache/files.hpp"

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

}  // namespace gpuarr
