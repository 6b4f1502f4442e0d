// Elements as files have them, in either byte order.
#include "array/byte_order.hpp"

#include <algorithm>
#include <cstring>

namespace gpuarr {
namespace {

inline uint16_t swapped(uint16_t word) { return __builtin_bswap16(word); }
inline uint32_t swapped(uint32_t word) { return __builtin_bswap32(word); }
inline uint64_t swapped(uint64_t word) { return __builtin_bswap64(word); }

template <class Word>
void swap_words(char* data, int64_t bytes) {
  for (int64_t at = 0; at < bytes; at += static_cast<int64_t>(sizeof(Word))) {
    Word word;
    std::memcpy(&word, data + at, sizeof word);
    word = swapped(word);
    std::memcpy(data + at, &word, sizeof word);
  }
}

}  // namespace

void swap_bytes(DType dtype, char* data, int64_t bytes) {
  switch (size_of(dtype) / (is_complex(dtype) ? 2 : 1)) {
    case 2:
      return swap_words<uint16_t>(data, bytes);
    case 4:
      return swap_words<uint32_t>(data, bytes);
    case 8:
      return swap_words<uint64_t>(data, bytes);
    default:
      return;
  }
}

void make_native(DType dtype, bool big_endian, char* data, int64_t bytes) {
  if (dtype == DType::boolean)
    std::transform(data, data + bytes, data, [](char c) -> char { return c != 0 ? 1 : 0; });
  if (big_endian != native_is_big) swap_bytes(dtype, data, bytes);
}

}  // namespace gpuarr
