// Reading a regular file, and writing one that is complete or not there.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/error.hpp"

namespace gpuarr {

/// False, with errno, if not all could be written. What the system refuses by a signal that would
/// end the process, a file beyond the limit of sizes or a pipe that nobody reads, is such an error.
bool write_bytes(int fd, std::string_view bytes) noexcept;

/// An open file; closed at the end.
class File {
 public:
  explicit File(int fd) : fd_(fd) {}
  ~File();
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  void reset(int fd);

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

 private:
  File file_;
  int64_t size_ = 0;
};

/// Written under a temporary name in its directory, and renamed by commit(); without that, removed.
class OutputFile {
 public:
  explicit OutputFile(const char* path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, int64_t bytes);
  void commit();

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
