// Keys: what numbers of every dtype are sorted by.
#include "codegen/sort/sort.hpp"
#include "codegen/sort_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

std::string key_constant(const char* name, uint64_t value, int size) {
  const uint64_t mask = size == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * size) - 1;
  return formatted("constexpr sort_bits {} = {}ull;\n", name, value & mask);
}

std::string floating_key_constants(DType dtype, bool descending) {
  const int size = size_of(dtype);
  const uint64_t sign = uint64_t{1} << (8 * size - 1);
  const uint64_t infinity = dtype == DType::f16    ? 0x7c00
                            : dtype == DType::bf16 ? 0x7f80
                            : dtype == DType::f32  ? 0x7f800000
                                                   : 0x7ff0000000000000;
  const uint64_t low = (sign - 1) - infinity;  // how many NaNs there are of a sign
  const uint64_t top = (sign | infinity) - low;
  const uint64_t minus_zero = sign - 1 - low;
  const uint64_t zero = sign - low;
  std::string out = key_constant("sort_sign", sign, size) + key_constant("sort_low", low, size);
  out += key_constant("sort_infinity", top, size);
  out += key_constant("sort_minus_zero", descending ? top - minus_zero : minus_zero, size);
  out += key_constant("sort_zero", descending ? top - zero : zero, size);
  return out;
}

}  // namespace

int sort_passes(DType dtype) { return size_of(dtype); }

std::string sort_key_text(DType dtype, bool descending) {
  const DTypeFacts& r = facts_of(dtype);
  std::string out =
      formatted("typedef {} sort_bits;\n", unsigned_type(r.size, "unsigned long long"));
  out += formatted("enum {{ sort_width = {} }};\n", r.kind == DTypeKind::boolean ? 1 : 8 * r.size);
  if (r.kind == DTypeKind::real) {
    out += floating_key_constants(dtype, descending);
    out +=
        descending ? "#define SORT_TURN(k) (sort_infinity - (k))\n" : "#define SORT_TURN(k) (k)\n";
    out += sort_parts::floating_keys;
    return out;
  }
  const bool is_signed = r.kind == DTypeKind::integer;
  out += key_constant("sort_flip", is_signed ? uint64_t{1} << (8 * r.size - 1) : 0, r.size);
  const char* greatest = r.kind == DTypeKind::boolean ? "1" : "(sort_bits)~(sort_bits)0";
  out += descending ? formatted("#define SORT_TURN(k) ({} - (k))\n", greatest)
                    : "#define SORT_TURN(k) (k)\n";
  out += sort_parts::whole_keys;
  return out;
}

}  // namespace gpuarr
