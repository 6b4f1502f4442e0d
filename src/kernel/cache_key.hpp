// All that a compiled kernel depends on, as one text.
#pragma once

#include <string>

#include "device/device.hpp"
#include "kernel/digest.hpp"

namespace gpuarr {

struct CacheKey {
  std::string text;
  Digest digest;         // of the text
  bool complete = true;  // false: the kernel may depend on more than that

  std::string file_name() const { return to_hex(digest); }
};

CacheKey cache_key(Device& device, const Source& source);
CacheKey cache_key(Device& device, const RawSource& source);

}  // namespace gpuarr
