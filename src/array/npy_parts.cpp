// .npy files in boxes.
#include "array/npy_parts.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "array/byte_order.hpp"
#include "array/npy_header.hpp"
#include "core/error.hpp"

namespace gpuarr {
namespace {

FileArray read_header_of(const char* path) {
  InputFile file(path);
  return read_npy_header(file);
}

// The header, and room for so many bytes behind it.
bool write_frame(int fd, const std::string& header, int64_t bytes) {
  int64_t size = static_cast<int64_t>(header.size());
  if (__builtin_add_overflow(size, bytes, &size)) {
    errno = EFBIG;
    return false;
  }
  QuietWriter quiet;
  return quiet.write(fd, header) && quiet.resize(fd, size);
}

}  // namespace

NpyInput::NpyInput(const std::string& path)
    : path_(path),
      file_(about(path_.c_str(), [&] { return InputFile(path_.c_str()); })),
      array_(about(path_.c_str(), [&] { return read_npy_header(file_); })) {}

void NpyInput::read(const Box& box, void* first, const Dims& strides) const {
  about(path_.c_str(), [&] { read_box(file_, array_, box, first, strides); });
}

void NpyOutput::create(const std::string& path, const FileArray& array) {
  about(path.c_str(), [&] {
    FileArray native = array;
    native.big_endian = native_is_big;
    const std::string before = format_npy_header(native);
    checked_bytes(array.shape, size_of(array.dtype));
    const File file(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file) fail_errno("it cannot be made");
    if (!write_frame(file.fd(), before, array.bytes())) {
      const int error = errno;
      unlink(path.c_str());
      errno = error;
      fail_errno("it cannot be written");
    }
  });
}

NpyOutput::NpyOutput(const std::string& path)
    : path_(path),
      array_(about(path_.c_str(), [&] { return read_header_of(path_.c_str()); })),
      file_(open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW)) {
  if (!file_) about(path_.c_str(), [] { fail_errno("it cannot be opened"); });
}

void NpyOutput::write(const Box& box, const void* first, const Dims& strides) const {
  about(path_.c_str(), [&] { write_box(file_.fd(), array_, box, first, strides); });
}

void NpyOutput::finish(Sync sync) {
  about(path_.c_str(), [&] {
    if (sync == Sync::yes && fsync(file_.fd()) != 0) fail_errno("it cannot be written");
    if (!file_.close()) fail_errno("it cannot be written");
  });
}

}  // namespace gpuarr
