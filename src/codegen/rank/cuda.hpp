// The text of kernels that find elements by their rank on a GPU; README.md says how.
#pragma once

#include "codegen/rank/rank.hpp"

namespace gpuarr {

constexpr int rank_threads = 512;
constexpr int64_t rank_tile = int64_t{rank_threads} * 16;  // elements that a block reads at once
constexpr int rank_gather_threads = 256;
constexpr int64_t rank_gather_tile = int64_t{rank_gather_threads} * 16;
constexpr int rank_row_bytes = 96;

/// What the functions of both texts take.
struct CudaRank {
  const void* in;
  void* out;         // rows x keep: the elements of the first ranks, in any order; null: not wanted
  int64_t* index;    // rows x keep: where in their rows those are; null: not wanted
  void* pairs;       // rows x 2, if the variant is of pairs
  int64_t* numbers;  // rows: elements that count, if so
  void* state;       // rows x rank_row_bytes; 0
  void* bins;        // rows x targets x bins of 32 bits, or 64 if wide; 0
  void* kept;        // rows x room keys
  void* states;      // of the chain; 0
  int64_t rows, n;
  int64_t rank, keep;
  int64_t room;
  int64_t parts;            // blocks of a row
  int64_t pass;             // the digit
  int64_t chunks, per_row;  // of the chain: tiles of a row, words of its states
  int64_t skip;             // NaNs count for nothing
  double q;
};

/// Functions rank_digits (blocks: rows x parts; once for each digit) and, if not of pairs,
/// rank_gather (blocks: rows x chunks).
std::string cuda_rank_text(const RankVariant& variant);

/// Function rank_rows (blocks: rows at most), which does it all.
std::string cuda_rank_rows_text(const RankVariant& variant);

}  // namespace gpuarr
