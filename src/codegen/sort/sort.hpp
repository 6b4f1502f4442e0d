// The text of kernels that sort rows, for both devices; README.md says how they do it.
#pragma once

#include <string>

#include "core/dtype.hpp"
#include "core/narrow.hpp"

namespace gpuarr {

/// What the text depends on. Each algorithm's own function sets to 0 what its text does not use.
struct SortVariant {
  DType dtype;  // not complex
  bool descending = false;
  bool indexed = false;     // elements carry the index that they had
  bool wide = false;        // which takes 64 bits
  bool order_only = false;  // and elements are not wanted
  // On a GPU, where a row has so many threads at once, and each of them so many elements.
  Small items = 0;
  Narrow<uint16_t> threads = 0;
};

constexpr int sort_digits = 256;  // of a pass over 8 bits

/// Passes that it takes to sort by all bits of a key.
int sort_passes(DType dtype);

/// Keys as unsigned numbers `sort_bits`: ordered() and original() turn bits of an element into a
/// number that sorts, and back; compared() makes one number of those that are equal.
std::string sort_key_text(DType dtype, bool descending);

}  // namespace gpuarr
