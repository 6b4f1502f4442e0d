// The cache's directory: whether it may be trusted, and what lies in it. Its files are code that
// will be run, so that nobody else may have written them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernel/cache/files.hpp"

struct stat;

namespace gpuarr {

enum class CacheTier {
  own,        // must be this user's or root's, and nobody else's to write
  read_only,  // may be another's, an administrator's, if only its owner can write
};

struct CacheDirectory {
  Descriptor fd;        // not open if the directory is missing or must not be used
  std::string problem;  // why it must not be used; "" if it is missing only
  CacheTier tier = CacheTier::own;
  uint32_t owner = 0;
  bool shared = false;  // others than its owner can write in it

  explicit operator bool() const { return static_cast<bool>(fd); }
  bool trusts(const struct stat& file) const;
  /// Opens a file for reading; not open if it is missing. A file that is not trusted is told.
  Descriptor open_file(const std::string& name, struct stat& facts, bool& untrusted) const;
};

CacheDirectory open_cache_directory(const std::string& path, CacheTier tier);

/// Makes the directory and those above it, for this user only. Throws an Error.
void make_cache_directory(const std::string& path);

struct CacheFile {
  std::string name;
  int64_t bytes = 0;
  int64_t used = 0;  // seconds since 1970
};

bool is_entry_name(const std::string& name);  // 32 hexadecimal digits

/// The files in it that are entries, and those that writers left (temporary files and locks).
struct CacheFiles {
  std::vector<CacheFile> entries, leftovers;
};
CacheFiles list_files(const CacheDirectory& directory);

}  // namespace gpuarr
