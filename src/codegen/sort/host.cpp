#include "codegen/sort/host.hpp"

#include <algorithm>

#include "codegen/sort_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// Whether an index fits beside the key.
bool is_number(const SortVariant& form) {
  return !form.indexed || (size_of(form.dtype) <= 4 && !form.wide);
}

}  // namespace

int64_t host_item_bytes(const SortVariant& form) {
  const int64_t key = size_of(form.dtype);
  if (is_number(form)) return form.indexed || key == 8 ? 8 : 4;
  return 2 * std::max<int64_t>(key, form.wide ? 8 : 4);
}

SortVariant host_sort_variant(const SortVariant& form) {
  SortVariant out = form;
  out.order_only = false;
  return out;
}

std::string host_sort_text(const SortVariant& form) {
  const int key = size_of(form.dtype);
  const bool number = is_number(form), wide = form.indexed || key == 8;
  std::string out = sort_key_text(form.dtype, form.descending);
  out += formatted("typedef unsigned {} sort_index;\n", form.wide ? "long long" : "int");
  out += formatted("typedef unsigned {} W;\n", wide ? "long long" : "int");
  for (auto [name, value] : {std::pair{"WIDE", wide ? 1 : 0},
                             {"INDEXED", form.indexed ? 1 : 0},
                             {"KEY_BYTES", key},
                             {"FLOATING", facts_of(form.dtype).kind == DTypeKind::real ? 1 : 0},
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
