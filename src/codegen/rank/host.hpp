// The text of kernels that find elements by their rank on the CPU; README.md says how.
#pragma once

#include "codegen/rank/rank.hpp"

namespace gpuarr {

constexpr int host_rank_row_bytes = 72;
constexpr int host_rank_part_bytes = 48;

/// What the functions take.
struct HostRank {
  const void* in;    // rows x n elements
  void* out;         // rows x keep: the elements of the first ranks; null: not wanted
  int64_t* index;    // rows x keep: where in their rows those are; null: not wanted
  void* pairs;       // rows x 2, if the variant is of pairs
  int64_t* numbers;  // rows: elements that count, if so
  void* kept;        // rows x n keys; null where a row's fit host_rank_near_bytes
  void* states;      // rows x host_rank_row_bytes; 0. These three are for rows that threads share
  void* cut;         // rows x parts x host_rank_part_bytes; 0
  uint32_t* bins;    // rows x parts x targets x bins
  int64_t rows, n;
  int64_t rank, keep;
  int64_t parts, part;  // of a row; elements of each but the last
  int64_t pass;         // the digit
  int64_t group;        // rows of a block of rank_rows
  int64_t skip;         // NaNs count for nothing
  double q;
};
constexpr int host_rank_near_bytes = 32768;

/// Functions rank_rows (blocks: rows / group), which does it all, and for long rows rank_digits
/// (blocks: rows x parts) and rank_choose (rows) for each digit, then rank_gather (rows x parts) if
/// not of pairs.
std::string host_rank_text(const RankVariant& variant);

}  // namespace gpuarr
