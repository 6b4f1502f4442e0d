#include "codegen/sort/cuda.hpp"

#include <algorithm>

#include "codegen/sort/cub/cub.hpp"
#include "codegen/sort_cub_text.hpp"
#include "codegen/sort_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// By CUB's tuning for sm_90: threads, and elements of 4 bytes that a thread has.
SortTile nominal_sweep(const SortVariant& variant) {
  const int key = size_of(variant.dtype);
  const int value = !variant.indexed ? 0 : variant.wide ? 8 : 4;
  if (key < 4) {
    if (value == 0) return {512, 19};
    if (value == 4) return {512, 17};
    return key == 1 ? SortTile{384, 18} : SortTile{512, 23};
  }
  if (key == 8) return {384, value == 8 ? 24 : 30};
  if (value == 0) return {384, 20 - (variant.wide ? 1 : 0) - (variant.dtype == DType::f32 ? 1 : 0)};
  return {384, value == 4 ? 23 : 29};
}

// Blocks side by side on a processor, for which the compiler keeps registers free: as many as CUB's
// own kernels come to.
int blocks_of_sweep(const SortVariant& variant, const SortTile& tile) {
  if (tile.threads > 384) return 1;
  return variant.dtype == DType::f32 && !variant.indexed ? 3 : 2;
}

std::string cub_text(const SortVariant& variant, const SortTile& tile) {
  std::string out = sort_key_text(variant.dtype, variant.descending);
  out += formatted("typedef unsigned {} sort_index;\n", variant.wide ? "long long" : "int");
  out += formatted("#define SORT_INDEXED {}\n", variant.indexed ? 1 : 0);
  out += formatted("#define SORT_ORDER_ONLY {}\n", variant.order_only ? 1 : 0);
  out += formatted("enum {{ sort_threads = {}, sort_items = {}, sort_blocks = {} }};\n",
                   tile.threads, tile.items, blocks_of_sweep(variant, tile));
  return out;
}

}  // namespace

SortTile tile_of_row(const SortVariant& variant, int64_t n) {
  constexpr SortTile tiles[] = {{32, 4}, {128, 4}, {256, 8}, {256, 16}, {512, 16}};
  for (const SortTile& tile : tiles)
    if (n <= tile.size() && tile.size() * size_of(variant.dtype) <= 32768) return tile;
  return {0, 0};
}

SortVariant row_variant(const SortVariant& variant, const SortTile& tile) {
  SortVariant out = variant;
  out.threads = tile.threads;
  out.items = tile.items;
  return out;
}

SortTile tile_of_sweep(const SortVariant& variant) {
  SortTile tile = nominal_sweep(variant);
  const int widest = std::max({4, size_of(variant.dtype), variant.indexed && variant.wide ? 8 : 4});
  tile.items = std::max(1, tile.items * 4 / widest);
  const int fitting = 49152 / (widest * tile.items);
  tile.threads = std::min(tile.threads, (fitting + 31) / 32 * 32);
  return tile;
}

std::string cuda_sort_row_text(const SortVariant& variant) {
  const SortTile tile{variant.threads, variant.items};
  std::string out = cub_prelude() + "#include <cub/block/block_radix_sort.cuh>\n";
  out += "#include <cub/block/block_load.cuh>\n" + cub_text(variant, tile);
  out += formatted("enum {{ sort_step = {} }};\n",
                   tile.threads > 256 || size_of(variant.dtype) == 1 ? 5 : 6);
  out += sort_cub_parts::keys;
  out += sort_cub_parts::rows;
  return out;
}

std::string cuda_sort_sweep_text(const SortVariant& variant) {
  std::string out = cub_prelude() + "#include <cub/agent/agent_radix_sort_histogram.cuh>\n";
  out += "#include <cub/agent/agent_radix_sort_onesweep.cuh>\n";
  out += "#include <cub/block/block_scan.cuh>\n" + cub_text(variant, tile_of_sweep(variant));
  out += sort_cub_parts::keys;
  out += sort_cub_parts::sweeps;
  return out;
}

}  // namespace gpuarr
