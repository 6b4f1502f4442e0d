#include "codegen/select/select.hpp"

#include <algorithm>

#include "codegen/layout_text.hpp"
#include "codegen/scan_text.hpp"
#include "codegen/select_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// Not 0: of floats all bits but the sign's count, of each part of a complex number.
std::string counts_text(DType mask, const char* qualifier) {
  const int part = size_of(mask) / (is_complex(mask) ? 2 : 1);
  std::string bits = "~0ull";
  if (is_inexact(mask))
    bits = part == 2 ? "0x7fffull" : part == 4 ? "0x7fffffff7fffffffull" : "~0ull >> 1";
  return formatted("static {} bool counts(const mask_type& x) {{\n  return ({} & ({})) != 0;\n}}\n",
                   qualifier, size_of(mask) == 16 ? "(x.low | x.high)" : "(u64)x", bits);
}

}  // namespace

std::string cuda_select(const SelectVariant& p) {
  std::string out = counts_text(p.mask, "__device__ __forceinline__");
  out += formatted("enum {{ pack = {}, packs = {}, tile_size = 256 * pack * packs }};\n", p.pack,
                   SelectVariant::packs);
  out += layout_parts::packs;
  out += scan_parts::lanes;
  out += scan_parts::chain;
  out += scan_parts::ahead;
  out += select_parts::cuda;
  return out;
}

std::string host_select(const SelectVariant& p) {
  std::string out = counts_text(p.mask, "inline");
  out += formatted("enum {{ chunk = {} }};\n", host_select_chunk);
  return out.append(select_parts::host);
}

DType mask_alike(DType mask) {
  const DTypeFacts& facts = facts_of(mask);
  if (facts.kind == DTypeKind::complex) return mask;
  if (facts.kind == DTypeKind::real) return facts.size == 2 ? DType::f16 : mask;
  return facts.size == 1   ? DType::u8
         : facts.size == 2 ? DType::u16
         : facts.size == 4 ? DType::u32
                           : DType::u64;
}

// Of large elements two loads of 16 bytes, which keeps more under way than one.
int widest_pack(Selection selection, DType mask, int bytes) {
  if (selection == Selection::gather) return std::min(32 / bytes, bytes < 4 ? 8 : 4);
  return std::min(16 / size_of(mask), 8);
}

std::string select_source(const Target& target, const SelectVariant& p) {
  std::string out = "typedef unsigned long long u64;\nstruct u128;\n";
  out += formatted(
      "typedef {} mask_type;\ntypedef {} element;\n", unsigned_type(size_of(p.mask), "u128"),
      p.selection == Selection::indices ? "long long" : unsigned_type(p.bytes, "u128"));
  out += formatted("#define SELECT_GATHERS {:d}\n#define SELECT_SPREADS {:d}\n",
                   p.selection == Selection::gather, p.selection == Selection::spread);
  out += select_parts::args;
  return out + target.select(p);
}

}  // namespace gpuarr
