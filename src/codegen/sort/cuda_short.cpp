// The text of kernels that sort short rows on a GPU, in registers and without CUB: a row by a few
// threads, or by a warp.
#include "codegen/sort/cuda.hpp"
#include "codegen/sort_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
int threads_of_few(int64_t n) { return n > most_of_few ? 0 : n > 16 ? 32 : n > 8 ? 16 : 8; }

// Until registers are full.
int items_of_warp(const SortVariant& variant, int64_t n) {
  const int key = size_of(variant.dtype);
  const int most = variant.indexed && key == 8 ? 16 : 32;
  for (int items = 2; items <= most; items *= 2)
    if (n <= int64_t{32} * items) return items;
  return 0;
}

SortVariant few_variant(const SortVariant& variant, int threads) {
  SortVariant out{variant.dtype, variant.descending};
  out.threads = threads;
  return out;
}

// A place fits beside a short key without cost.
SortVariant warp_variant(const SortVariant& variant, int items) {
  const bool floating = facts_of(variant.dtype).kind == DTypeKind::real;
  SortVariant out{variant.dtype, variant.descending};
  out.indexed = variant.indexed || (floating && size_of(variant.dtype) == 2);
  out.items = items;
  return out;
}

std::string cuda_sort_few_text(const SortVariant& variant) {
  std::string out = sort_key_text(variant.dtype, variant.descending);
  out += formatted("#define SORT_KEY_BYTES {}\nenum {{ few_threads = {} }};\n",
                   size_of(variant.dtype), variant.threads);
  out += sort_parts::short_args;
  out += sort_parts::few;
  return out;
}

std::string cuda_sort_warp_text(const SortVariant& variant) {
  const int key = size_of(variant.dtype);
  const bool floating = facts_of(variant.dtype).kind == DTypeKind::real;
  std::string out = sort_key_text(variant.dtype, variant.descending);
  out += formatted("#define SORT_KEY_BYTES {}\n#define SORT_FLOATING {}\n", key, floating ? 1 : 0);
  out += formatted("#define SORT_PLACED {:d}\n", variant.indexed);
  out += formatted("enum {{ warp_items = {} }};\n", variant.items);
  out += sort_parts::short_args;
  out += sort_parts::warp;
  return out;
}

}  // namespace gpuarr
