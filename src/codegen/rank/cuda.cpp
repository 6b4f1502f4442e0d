#include "codegen/rank/cuda.hpp"

#include "codegen/rank_text.hpp"
#include "codegen/scan_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

std::string begin_of_text(const RankVariant& variant) {
  std::string out = rank_text(variant);
  out += formatted("enum {{ rank_threads = {}, rank_tile = {}, rank_gather_tile = {} }};\n",
                   rank_threads, rank_tile, rank_gather_tile);
  out += rank_parts::cuda;
  return out;
}

}  // namespace

std::string cuda_rank_text(const RankVariant& variant) {
  std::string out = begin_of_text(variant);
  out += rank_parts::cuda_digits;
  if (variant.pair) return out;
  out += scan_parts::lanes;
  out += scan_parts::chain;
  out += rank_parts::cuda_gather;
  return out;
}

std::string cuda_rank_rows_text(const RankVariant& variant) {
  return begin_of_text(variant).append(rank_parts::cuda_rows);
}

}  // namespace gpuarr
