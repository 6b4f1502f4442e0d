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

  // Both keep the permissions of what they replace.
  void publish_file(Sync sync) const;  // a regular one
  /// What was there, a directory, has the temporary name afterwards; false if nothing was. A reader
  /// finds the one or the other, where the file system can exchange two names.
  bool publish_directory(Sync sync) const;

  void discard_file() const noexcept;

 private:
  void keep_permissions(mode_t mode) const;
};

/// The same names in all processes. The token, of 1 to 64 letters, digits, '-' and '_', is of this
/// one writing alone.
Staged stage(const std::string& path, std::string_view token);

/// Two names change what they mean, where a file system cannot exchange them at once: in between
/// there is nothing at `b`, and what was there has the name of `a` with ".old" behind it.
void swap_names_in_steps(const std::string& a, const std::string& b);

/// Waits until the names in a directory are on the disk, where the file system knows of that.
void sync_directory(const std::string& directory);

}  // namespace gpuarr
