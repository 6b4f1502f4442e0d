// The text of kernels that sort rows, for both devices; sort.md says how they do it.
#pragma once

#include <string>

#include "core/dtype.hpp"

namespace gpuarr {

/// What the text depends on.
struct SortForm {
  DType dtype;  // not complex
  bool descending = false;
  bool indexed = false;  // elements carry the index that they had
  bool wide = false;     // which takes 64 bits
};

constexpr int sort_digits = 256;  // of a pass over 8 bits

/// Passes that it takes to sort by all bits of a key.
int sort_passes(DType dtype);

/// Keys as unsigned numbers `sort_bits`: ordered() and original() turn bits of an element into a
/// number that sorts, and back; compared() makes one number of those that are equal.
std::string sort_key_text(DType dtype, bool descending);

/// What host_sort_text's functions take.
struct HostSort {
  const void* in;   // rows x n elements
  void* out;        // null: not wanted; may be `in`
  int64_t* index;   // null: not wanted
  void* a;          // rows x n items of host_item_bytes; null where a row's fit host_near_bytes
  void* b;          // likewise
  void* counts;     // rows x chunks x host_count_bytes
  int32_t* states;  // rows x host_state_numbers
  int64_t rows, n;
  int64_t group;          // rows of a block of sort_rows
  int64_t chunks, chunk;  // of a row; elements of each but the last
  int64_t pass;
};
int64_t host_item_bytes(const SortForm& form);
int64_t host_count_bytes(const SortForm& form);
constexpr int host_state_numbers = 32;

constexpr int host_near_bytes = 32768;

/// Functions sort_rows (blocks: rows / group), which does it all, and for long rows sort_count,
/// sort_scatter, sort_finish (blocks: rows x chunks) and sort_place (blocks: rows).
std::string host_sort_text(const SortForm& form);

}  // namespace gpuarr
