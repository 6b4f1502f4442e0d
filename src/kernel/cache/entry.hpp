// The bytes of one entry of the cache on disk. Reading believes nothing that it has not checked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpuarr {

struct CacheEntry {
  std::string_view kernel;  // its name
  std::string_view target;  // what it was compiled for, for people
  std::string_view key;     // all that the image depends on
  std::string_view image;
};

/// The start of the file; the four parts follow, then the digest of all before it.
struct CacheEntryHead {
  char magic[8];
  uint32_t kernel_bytes;
  uint32_t target_bytes;
  uint64_t key_bytes;
  uint64_t image_bytes;
};

constexpr uint32_t cache_format = 1;                       // of the entry and of the key
constexpr uint64_t cache_entry_limit = uint64_t{1} << 30;  // bytes; larger ones are not kept

std::string encode(const CacheEntry& entry);

/// The head, if a file of so many bytes may begin so. `bytes` are its first or all of them.
std::optional<CacheEntryHead> decode_head(std::string_view bytes, uint64_t file_bytes);

/// The entry, if all of it is sound; it points into `bytes`.
std::optional<CacheEntry> decode(std::string_view bytes);

}  // namespace gpuarr
