// Files and directories that are gone when their object is.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/file.hpp"

namespace gpuarr {

/// For names that are unique in the process, on the machine and in a shared directory.
uint64_t random_word();

/// A file without a name, in memory.
int memory_file();

/// Places where temporary files may be made, the best one first: $TMPDIR, /tmp, /dev/shm.
std::vector<std::string> scratch_parents();

/// A directory that only this user can enter; removed at the end with all files in it. What
/// processes left that were killed is removed when the first one of a process is made: a lock says
/// whether a directory's owner lives, on whatever machine.
class ScratchDirectory {
 public:
  explicit ScratchDirectory(const std::string& parent);  // false if there cannot be one; see errno
  ~ScratchDirectory();
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  explicit operator bool() const { return !path_.empty(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  File lock_{-1};
};

/// Removes scratch directories of processes that are no more.
void sweep_scratch(const std::string& parent);

}  // namespace gpuarr
