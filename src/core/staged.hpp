// What several processes write under one temporary name, until one of them puts it in its place.
#pragma once

#include <string>
#include <string_view>

#include "core/file.hpp"

namespace gpuarr {

/// The two names of a file or directory that is being written.
struct Staged {
  std::string path;       // where it will be; without symbolic links, if something is there
  std::string temporary;  // beside it

  void publish_file(Sync sync) const;  // replaces a regular file, and keeps its permissions

  /// What was there, a directory, has the temporary name afterwards; false if nothing was. A reader
  /// finds the one or the other, where the file system can exchange two names.
  bool publish_directory(Sync sync) const;

  void discard_file() const noexcept;
};

/// The same names in all processes. The token is of this one writing alone: 1 to 64 letters,
/// digits,
/// '-' and '_'.
Staged stage(const std::string& path, std::string_view token);

/// Waits until the names in a directory are on the disk, where the file system knows of that.
void sync_directory(const std::string& directory);

}  // namespace gpuarr
