#include "codegen/rank/host.hpp"

#include "codegen/rank_text.hpp"
#include "codegen/sort_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
std::string host_rank_text(const RankVariant& variant) {
  const int key = size_of(variant.dtype);
  std::string out = rank_text(variant);
  out += formatted("typedef unsigned {} W;\n", key == 8 ? "long long" : "int");
  for (auto [name, value] : {std::pair{"SORT_WIDE", key == 8 ? 1 : 0},
                             {"SORT_KEY_BYTES", key},
                             {"RANK_NEAR", host_rank_near_bytes}})
    out += formatted("#define {} {}\n", name, value);
  out += sort_parts::vectors;
  out += rank_parts::host;
  if (!variant.pair) out += rank_parts::host_gather;
  out += rank_parts::host_kernels;
  return out;
}

}  // namespace gpuarr
