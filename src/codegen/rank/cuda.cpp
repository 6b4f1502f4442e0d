#include "codegen/rank/cuda.hpp"

#include "codegen/rank_text.hpp"
#include "codegen/scan_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

std::string begin_of_text(const RankVariant& form) {
  std::string out = rank_text(form);
  out += formatted("enum {{ rank_threads = {}, rank_tile = {}, rank_gather_tile = {} }};\n",
                   rank_threads, rank_tile, rank_gather_tile);
  out += rank_parts::cuda;
  return out;
}

}  // namespace

std::string cuda_rank_text(const RankVariant& form) {
  std::string out = begin_of_text(form);
  out += rank_parts::cuda_digits;
  if (form.pair) return out;
  out += scan_parts::lanes;
  out += scan_parts::chain;
  out += rank_parts::cuda_gather;
  return out;
}

std::string cuda_rank_rows_text(const RankVariant& form) {
  return begin_of_text(form).append(rank_parts::cuda_rows);
}

}  // namespace gpuarr
