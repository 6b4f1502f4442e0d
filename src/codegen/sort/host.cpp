#include "codegen/sort/host.hpp"

#include <algorithm>

#include "codegen/sort_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// Whether an index fits beside the key.
bool is_number(const SortVariant& variant) {
  return !variant.indexed || (size_of(variant.dtype) <= 4 && !variant.wide);
}

}  // namespace

int64_t host_item_bytes(const SortVariant& variant) {
  const int64_t key = size_of(variant.dtype);
  if (is_number(variant)) return variant.indexed || key == 8 ? 8 : 4;
  return 2 * std::max<int64_t>(key, variant.wide ? 8 : 4);
}

SortVariant host_sort_variant(const SortVariant& variant) {
  SortVariant out = variant;
  out.order_only = false;
  return out;
}

std::string host_sort_text(const SortVariant& variant) {
  const int key = size_of(variant.dtype);
  const bool number = is_number(variant), wide = variant.indexed || key == 8;
  std::string out = sort_key_text(variant.dtype, variant.descending);
  out += formatted("typedef unsigned {} sort_index;\n", variant.wide ? "long long" : "int");
  out += formatted("typedef unsigned {} W;\n", wide ? "long long" : "int");
  for (auto [name, value] : {std::pair{"WIDE", wide ? 1 : 0},
                             {"INDEXED", variant.indexed ? 1 : 0},
                             {"KEY_BYTES", key},
                             {"FLOATING", facts_of(variant.dtype).kind == DTypeKind::real ? 1 : 0},
                             {"NEAR", host_near_bytes}})
    out += formatted("#define SORT_{} {}\n", name, value);
  namespace part = sort_parts;
  for (const std::string_view text :
       {number ? part::number_items : part::pair_items, part::host_args, part::vectors,
        part::vector_sort, part::digits, number ? part::number_order : part::pair_order,
        part::host_rows})
    out += text;
  return out;
}

}  // namespace gpuarr
