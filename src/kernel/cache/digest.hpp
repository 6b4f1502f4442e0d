// XXH3 of 128 bits: names files and finds damage. Nothing is trusted because its digest fits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace gpuarr {

struct Digest {
  uint64_t low = 0;
  uint64_t high = 0;
  bool operator==(const Digest&) const = default;
};

Digest digest(std::string_view bytes);

std::string to_hex(const Digest& digest);  // 32 digits

}  // namespace gpuarr
