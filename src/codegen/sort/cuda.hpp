// The text of kernels that sort rows on a GPU: CUB's agents, and our own for short rows; README.md
// says how.
#pragma once

#include "codegen/sort/sort.hpp"

namespace gpuarr {

/// Threads of a block, and the elements that each has in its registers.
struct SortTile {
  int threads;
  int items;
  int64_t size() const { return int64_t{threads} * items; }
};

constexpr int64_t most_of_few = 32;
constexpr int few_block = 256;  // threads

/// How many threads sort a row of a few elements; 0 if they are more.
int threads_of_few(int64_t n);
SortVariant few_variant(const SortVariant& variant, int threads);

/// How many elements of a row each lane has, where a warp sorts it; 0 if they are more.
int items_of_warp(const SortVariant& variant, int64_t n);
SortVariant warp_variant(const SortVariant& variant, int items);
constexpr int rows_of_a_warp_block = 4;  // each a warp's

/// The least tile that holds a row, so that a block sorts it alone; without threads if none does.
SortTile tile_of_row(const SortVariant& variant, int64_t n);
SortVariant row_variant(const SortVariant& variant, const SortTile& tile);

/// The tile of a pass over long rows: CUB's choice for its GPU's generation (sm_90).
SortTile tile_of_sweep(const SortVariant& variant);

constexpr int histogram_threads = 128;
constexpr int64_t histogram_tile = int64_t{histogram_threads} * 16;
constexpr int sums_threads = 256;
constexpr int64_t most_of_a_portion = (int64_t{1} << 30) - 1;  // a look-back has two bits less

/// What the functions of both texts take.
struct CudaSort {
  const void* in;
  void* out;             // null: elements are not wanted
  const void* index_in;  // of 32 bits, or 64 if wide; null: elements are in their first order
  void* index_out;       // null: none, or:
  int64_t* index;        // the result's indices
  void* bins;            // rows x passes x digits: counts, then offsets; 32 bits, or 64 if wide
  void* bins_out;        // the next portion's; null: there is none
  int32_t* lookback;     // rows x tiles x digits; 0
  int32_t* counters;     // rows; 0
  int64_t rows, n;
  int64_t first, count;  // the portion's place in each row
  int64_t tiles;         // of a row in the portion; of a histogram: blocks of a row
  int64_t passes, pass;
};

/// Function sort_few (blocks of few_block threads).
std::string cuda_sort_few_text(const SortVariant& variant);

/// Function sort_warps (blocks of rows_of_a_warp_block warps: as many as rows take, at most).
std::string cuda_sort_warp_text(const SortVariant& variant);

/// Function sort_rows (blocks: rows at most).
std::string cuda_sort_row_text(const SortVariant& variant);

/// Functions sort_count (blocks: rows x tiles), sort_sums (blocks: rows x passes) and sort_sweep
/// (blocks: rows x tiles).
std::string cuda_sort_sweep_text(const SortVariant& variant);

}  // namespace gpuarr
