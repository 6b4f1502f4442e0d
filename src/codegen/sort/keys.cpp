// Keys: what numbers of every dtype are sorted by.
#include "codegen/sort/sort.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

const char* key_bits_type(int size) {
  switch (size) {
    case 1:
      return "unsigned char";
    case 2:
      return "unsigned short";
    case 4:
      return "unsigned";
    default:
      return "unsigned long long";
  }
}

constexpr const char* whole_key_text = R"(
static inline sort_bits ordered(sort_bits x) { return (sort_bits)SORT_TURN(x ^ sort_flip); }
static inline sort_bits original(sort_bits k) { return (sort_bits)(SORT_TURN(k) ^ sort_flip); }
static inline sort_bits compared(sort_bits k) { return k; }
)";

// Without the NaNs below -infinity, all NaNs are above infinity: they wrap around. Turning the
// numbers leaves them there. There is no branch, since signs may be random.
constexpr const char* floating_key_text = R"(
static inline sort_bits ordered(sort_bits x) {
  const sort_bits flips = (sort_bits)(0 - (x >> (sort_width - 1))) | sort_sign;
  const sort_bits k = (sort_bits)((x ^ flips) - sort_low);
  return (sort_bits)SORT_TURN(k);
}
static inline sort_bits original(sort_bits k) {
  const sort_bits x = (sort_bits)(SORT_TURN(k) + sort_low);
  const sort_bits flips = (sort_bits)((x >> (sort_width - 1)) - 1) | sort_sign;
  return (sort_bits)(x ^ flips);
}
static inline sort_bits compared(sort_bits k) {
  const sort_bits same = k == sort_minus_zero ? sort_zero : k;
  return same > sort_infinity ? (sort_bits)~(sort_bits)0 : same;
}
)";

std::string key_constant(const char* name, uint64_t value, int size) {
  const uint64_t mask = size == 8 ? ~uint64_t{0} : (uint64_t{1} << 8 * size) - 1;
  return text("constexpr sort_bits {} = {}ull;\n", name, value & mask);
}

uint64_t key_infinity(DType dtype) {
  switch (dtype) {
    case DType::f16:
      return 0x7c00;
    case DType::bf16:
      return 0x7f80;
    case DType::f32:
      return 0x7f800000;
    default:
      return 0x7ff0000000000000;
  }
}

std::string floating_key_constants(DType dtype, bool descending) {
  const int size = size_of(dtype);
  const uint64_t sign = uint64_t{1} << (8 * size - 1);
  const uint64_t infinity = key_infinity(dtype);
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
  const DTypeRow& r = row(dtype);
  std::string out = text("typedef {} sort_bits;\n", key_bits_type(r.size));
  out += text("enum {{ sort_width = {} }};\n", r.kind == DTypeKind::boolean ? 1 : 8 * r.size);
  if (r.kind == DTypeKind::real) {
    out += floating_key_constants(dtype, descending);
    out +=
        descending ? "#define SORT_TURN(k) (sort_infinity - (k))\n" : "#define SORT_TURN(k) (k)\n";
    return out + floating_key_text;
  }
  const bool is_signed = r.kind == DTypeKind::integer;
  out += key_constant("sort_flip", is_signed ? uint64_t{1} << (8 * r.size - 1) : 0, r.size);
  const char* greatest = r.kind == DTypeKind::boolean ? "1" : "(sort_bits)~(sort_bits)0";
  out += descending ? text("#define SORT_TURN(k) ({} - (k))\n", greatest)
                    : "#define SORT_TURN(k) (k)\n";
  return out + whole_key_text;
}

}  // namespace gpuarr
