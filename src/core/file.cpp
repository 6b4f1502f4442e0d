// Reading a regular file, and writing one that is complete or not there.
#include "core/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <utility>

#include "core/error.hpp"

namespace gpuarr {
namespace {

constexpr int64_t longest_transfer = int64_t{1} << 30;  // one call moves less than 2^31 bytes

// Opens a file that was not there, under a name that no other thread or process uses.
int create_beside(const std::string& path, mode_t mode, std::string& name) {
  static std::atomic<unsigned> counter{0};
  std::string directory = directory_of(path);
  for (;;) {
    name = formatted("{}.gpuarr-{}-{}.tmp", directory, getpid(), counter++);
    int fd = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0) return fd;
    if (errno != EEXIST) fail_errno("no file can be made in its directory");
  }
}

// Reads all of the bytes by calls of read_some(to, count), which say how many they got.
template <class Read>
void read_all_of(void* data, int64_t bytes, Read&& read_some) {
  auto* to = static_cast<char*>(data);
  while (bytes > 0) {
    const ssize_t got = read_some(to, static_cast<size_t>(std::min(bytes, longest_transfer)));
    if (got == 0) fail(GPUARR_ERR_IO, "it became shorter while it was read");
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_errno("it cannot be read");
    to += got;
    bytes -= got;
  }
}

// Writes all of the bytes likewise; false, with errno, if it cannot.
template <class Write>
bool write_all_of(std::string_view bytes, Write&& write_some) noexcept {
  while (!bytes.empty()) {
    const auto count = std::min(bytes.size(), static_cast<size_t>(longest_transfer));
    const ssize_t put = write_some(bytes.data(), count);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(put));
  }
  return true;
}

}  // namespace

void fail_errno(const char* what) {
  int code = errno;
  throw Error(GPUARR_ERR_IO, formatted("{}: {}", what, errno_text(code)), code);
}

void check_regular(mode_t mode) {
  if (!S_ISREG(mode))
    fail(GPUARR_ERR_IO, "it is {}; give a regular file",
         S_ISDIR(mode) ? "a directory" : "a pipe, socket or device");
}

std::string directory_of(const std::string& path) {
  size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

QuietWriter::QuietWriter() noexcept {
  sigset_t before_us;
  sigpending(&before_us);
  sigemptyset(&ours_);
  for (int signal : {SIGXFSZ, SIGPIPE})
    if (sigismember(&before_us, signal) == 0) sigaddset(&ours_, signal);
  pthread_sigmask(SIG_BLOCK, &ours_, &mask_);
}

QuietWriter::~QuietWriter() {
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &mask_, nullptr);
  errno = error;
}

// Takes the signal away that came with errno, while it is still kept from the thread.
bool QuietWriter::refused() noexcept {
  const int error = errno;
  const timespec at_once{};
  if (error == EFBIG || error == EPIPE)
    while (sigtimedwait(&ours_, nullptr, &at_once) > 0 || errno == EINTR) continue;
  errno = error;
  return false;
}

bool QuietWriter::write(int fd, std::string_view bytes) noexcept {
  auto some = [&](const char* from, size_t count) { return ::write(fd, from, count); };
  return write_all_of(bytes, some) || refused();
}

bool QuietWriter::write_at(int fd, std::string_view bytes, int64_t offset) noexcept {
  auto some = [&](const char* from, size_t count) {
    const ssize_t put = ::pwrite(fd, from, count, offset);
    offset += std::max<ssize_t>(put, 0);
    return put;
  };
  return write_all_of(bytes, some) || refused();
}

bool QuietWriter::resize(int fd, int64_t bytes) noexcept {
  return ftruncate(fd, bytes) == 0 || refused();
}

bool write_bytes(int fd, std::string_view bytes) noexcept { return QuietWriter().write(fd, bytes); }

File::~File() { reset(-1); }

void File::reset(int fd) {
  if (fd_ >= 0) ::close(fd_);
  fd_ = fd;
}

bool File::close() { return ::close(std::exchange(fd_, -1)) == 0; }

bool File::write(const std::string& bytes) { return write_bytes(fd_, bytes); }

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

InputFile::InputFile(const char* path)
    // Without O_NONBLOCK, opening a named pipe waits for a writer.
    : file_(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)) {
  if (!file_) fail_errno("it cannot be opened");
  struct stat status {};
  if (fstat(file_.fd(), &status) != 0) fail_errno("it cannot be looked at");
  check_regular(status.st_mode);
  size_ = status.st_size;
}

void InputFile::read(void* data, int64_t bytes) {
  read_all_of(data, bytes, [&](char* to, size_t count) { return ::read(file_.fd(), to, count); });
}

void InputFile::read_at(int64_t offset, void* data, int64_t bytes) const {
  read_all_of(data, bytes, [&](char* to, size_t count) {
    const ssize_t got = ::pread(file_.fd(), to, count, offset);
    offset += std::max<ssize_t>(got, 0);
    return got;
  });
}

std::string read_text(const char* path, int64_t most) {
  InputFile file(path);
  if (file.size() > most)
    fail(GPUARR_ERR_FORMAT, "it has {} bytes; {} are the limit", file.size(), most);
  std::string text(static_cast<size_t>(file.size()), '\0');
  file.read(text.data(), file.size());
  return text;
}

OutputFile::OutputFile(const char* path) : path_(path) {
  struct stat status {};
  bool exists = stat(path, &status) == 0;
  if (exists) {
    check_regular(status.st_mode);
    char* resolved = realpath(path, nullptr);
    if (resolved == nullptr) fail_errno("its place cannot be found");
    path_ = resolved;
    std::free(resolved);
  }
  fd_ = create_beside(path_, exists ? status.st_mode & 0777 : 0666, temporary_);
}

OutputFile::~OutputFile() {
  if (fd_ >= 0) close(fd_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void OutputFile::write(const void* data, int64_t bytes) {
  if (!write_bytes(fd_, {static_cast<const char*>(data), static_cast<size_t>(bytes)}))
    fail_errno("it cannot be written");
}

void OutputFile::commit(Sync sync) {
  if (sync == Sync::yes && fsync(fd_) != 0) fail_errno("it cannot be written");
  int closed = close(fd_);  // some file systems report a full disk here
  fd_ = -1;
  if (closed != 0) fail_errno("it cannot be written");
  if (rename(temporary_.c_str(), path_.c_str()) != 0) fail_errno("it cannot be put in its place");
  temporary_.clear();
}

}  // namespace gpuarr
