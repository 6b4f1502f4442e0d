// The text of kernels that sort rows on the CPU; host.md says how they do it.
#pragma once

#include "codegen/sort/sort.hpp"

namespace gpuarr {

/// What the functions of host_sort_text take.
struct HostSort {
  const void* in;  // rows x n elements
  void* out;       // null: not wanted; may be `in` if `index` is null
  int64_t* index;  // null: not wanted
  void* a;         // rows x n items of host_item_bytes; null where a row's fit host_near_bytes
  void* b;         // likewise
  int32_t* flags;  // rows x chunks
  int64_t rows, n;
  int64_t group;          // rows of a block of sort_rows
  int64_t chunks, chunk;  // of a row; elements of each but the last
  int64_t run;            // elements that are in order, when two such runs are merged
  int64_t turn;           // 0: merges go from a to b; 1: the other way
  int64_t pieces;         // of a row, for merges and the end
};
int64_t host_item_bytes(const SortVariant& variant);
constexpr int host_near_bytes = 32768;

SortVariant host_sort_variant(const SortVariant& variant);

/// Functions sort_rows (blocks: rows / group), which does it all, and for long rows, in this order,
/// sort_chunks (blocks: rows x chunks), sort_merge (rows x pieces) until one run is left,
/// sort_repair (rows) and sort_finish (rows x pieces).
std::string host_sort_text(const SortVariant& variant);

}  // namespace gpuarr
