#include "kernel/cache/digest.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/text.hpp"

namespace gpuarr {

Digest digest(std::string_view bytes) {
  XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {hash.low64, hash.high64};
}

std::string to_hex(const Digest& digest) {
  return formatted("{:016x}{:016x}", digest.high, digest.low);
}

}  // namespace gpuarr
