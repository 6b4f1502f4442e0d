#include "codegen/rank/rank.hpp"

#include <algorithm>

#include "codegen/rank_text.hpp"
#include "codegen/sort/sort.hpp"
#include "core/text.hpp"

namespace gpuarr {
int rank_bits(DType dtype) {
  return std::min(most_rank_bits,
                  facts_of(dtype).kind == DTypeKind::boolean ? 1 : 8 * size_of(dtype));
}

int rank_passes(DType dtype) {
  const int bits = rank_bits(dtype);
  return facts_of(dtype).kind == DTypeKind::boolean ? 1 : (8 * size_of(dtype) + bits - 1) / bits;
}

std::string rank_text(const RankVariant& variant) {
  std::string out = sort_key_text(variant.dtype, variant.descending);
  out += formatted("typedef unsigned {} rank_count;\n", variant.wide ? "long long" : "int");
  out += formatted("#define RANK_PAIR {}\n", variant.pair ? 1 : 0);
  out += formatted("#define RANK_FLOATING {}\n",
                   facts_of(variant.dtype).kind == DTypeKind::real ? 1 : 0);
  out += formatted("enum {{ rank_bits = {} }};\n", rank_bits(variant.dtype));
  out += rank_parts::keys;
  return out;
}

}  // namespace gpuarr
