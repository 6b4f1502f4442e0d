// .npy files, whole.
#include "array/npy.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <string>

#include "array/npy_header.hpp"
#include "backends.hpp"
#include "device/stream.hpp"
#include "targets.hpp"

void fuzz::npy(std::string_view input) {
  using namespace gpuarr;
  survive([&] { require(parse_npy_header(input).bytes() >= 0, "sizes are not negative"); });
  static const int file = memfd_create("npy", MFD_CLOEXEC);
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  if (ftruncate(file, 0) != 0 ||
      pwrite(file, input.data(), input.size(), 0) != static_cast<ssize_t>(input.size()))
    return;
  survive([&] {
    const Array array = load_npy(path.c_str(), current_stream(host_device()));
    require(array.size() * array.itemsize() <= static_cast<int64_t>(input.size()),
            "an array is no larger than its file");
  });
}
