// The text of kernels that find elements by their rank without sorting the others, for both
// devices; README.md says how they do it.
#pragma once

#include <string>

#include "core/dtype.hpp"

namespace gpuarr {

/// What the text depends on.
struct RankVariant {
  DType dtype;  // not complex
  bool descending = false;
  bool wide = false;  // rows of 2^32 elements and more
  bool pair = false;  // two neighbours of a quantile; else one element, and those before it
};

constexpr int most_rank_bits = 11;

/// Digits' bits, and how many digits there are, the most significant first.
int rank_bits(DType dtype);
int rank_passes(DType dtype);
inline int64_t rank_bins(DType dtype) { return int64_t{1} << rank_bits(dtype); }

/// Keys, ranks and digits: what both devices' texts begin with.
std::string rank_text(const RankVariant& variant);

}  // namespace gpuarr
