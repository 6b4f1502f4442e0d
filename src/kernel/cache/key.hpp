// All that a compiled kernel depends on, as one text.
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"
#include "kernel/cache/digest.hpp"

namespace gpuarr {

struct CacheKey {
  std::string text;
  Digest digest;                        // of the text
  bool complete = true;                 // false: the kernel may depend on more than that
  std::vector<std::string> files = {};  // of the user's that are part of it

  std::string file_name() const { return to_hex(digest); }

  /// Whether the key has all of these files, as they were before they were read.
  bool has(const std::vector<std::string>& reads) const;
};

CacheKey cache_key(Device& device, const Source& source);
CacheKey cache_key(Device& device, const RawSource& source);

/// One thing more that the compiled code depends on.
void add_to_key(CacheKey& key, const char* name, const std::string& value);

}  // namespace gpuarr
