// Reading a regular file, and writing one that is complete or not there.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace gpuarr {

/// GPUARR_ERR_IO with what errno means.
[[noreturn]] void fail_errno(const char* what);

/// Fails for what is no regular file.
void check_regular(mode_t mode);

/// Up to and with the last slash; "" where there is none.
std::string directory_of(const std::string& path);

/// Whether to wait until what was written is on the disk.
enum class Sync : bool { no, yes };

/// Writes to files. While it is there its thread gets none of the signals that its writes may
/// cause: what the system refuses by one that would end the process, a file beyond the limit of
/// sizes or a pipe that nobody reads, is an error like others.
class QuietWriter {
 public:
  QuietWriter() noexcept;
  ~QuietWriter();
  QuietWriter(const QuietWriter&) = delete;
  QuietWriter& operator=(const QuietWriter&) = delete;

  // False, with errno, if not all could be written.
  bool write(int fd, std::string_view bytes) noexcept;
  bool write_at(int fd, std::string_view bytes, int64_t offset) noexcept;
  bool resize(int fd, int64_t bytes) noexcept;

 private:
  bool refused() noexcept;

  sigset_t ours_, mask_;
};

/// The same for one time.
bool write_bytes(int fd, std::string_view bytes) noexcept;

/// An open file; closed at the end.
class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  void reset(int fd);
  bool close();  // some file systems report a full disk here, by errno

  explicit operator bool() const { return fd_ >= 0; }
  int fd() const { return fd_; }
  bool write(const std::string& bytes);  // all of it, at the end; errno says why not
  std::string read_all() const;          // from the beginning; "" if it cannot be read

 private:
  int fd_;
};

/// All failures are GPUARR_ERR_IO with the operating system's reason.
class InputFile {
 public:
  explicit InputFile(const char* path);  // fails for all but a regular file, without waiting

  int64_t size() const { return size_; }
  void read(void* data, int64_t bytes);  // all of them, from where the last call ended
  void read_at(int64_t offset, void* data, int64_t bytes) const;

 private:
  File file_;
  int64_t size_ = 0;
};

/// All of a file that has at most so many bytes; GPUARR_ERR_FORMAT for one that has more.
std::string read_text(const char* path, int64_t most);

/// Written under a temporary name in its directory, and renamed by commit(); without that, removed.
class OutputFile {
 public:
  explicit OutputFile(const char* path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  int fd() const { return fd_; }
  void write(const void* data, int64_t bytes);
  void commit(Sync sync = Sync::no);

 private:
  std::string path_;       // without symbolic links, if the file exists
  std::string temporary_;  // "" once it is renamed
  int fd_ = -1;
};

/// Calls body, and says in what it throws which file the failure is about, unless it is about a
/// setting of the environment.
template <class Body>
auto about(const char* path, Body&& body) {
  try {
    return body();
  } catch (const Error& e) {
    if (e.message().starts_with('$')) throw;
    throw Error(e.status(), formatted("{}: {}", path, e.message()), e.native());
  }
}

}  // namespace gpuarr
