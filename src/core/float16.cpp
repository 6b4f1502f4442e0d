// binary16 and bfloat16 on the host.
#include "core/float16.hpp"

#include <algorithm>
#include <cmath>

namespace gpuarr {
namespace {

struct Format {
  int fraction_bits;
  int exponent_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  uint32_t infinity() const { return ((1U << exponent_bits) - 1) << fraction_bits; }
};

constexpr Format binary16{10, 5};
constexpr Format bfloat16{7, 8};

uint16_t pack(long double value, Format format) {
  uint32_t sign = std::signbit(value) ? 0x8000U : 0U;
  if (std::isnan(value))
    return static_cast<uint16_t>(sign | format.infinity() | 1U << (format.fraction_bits - 1));
  if (std::isinf(value)) return static_cast<uint16_t>(sign | format.infinity());
  if (value == 0) return static_cast<uint16_t>(sign);
  int exponent = std::max(std::ilogb(value), 1 - format.bias());
  // In units of the last place: a carry into the next exponent, and from the subnormal numbers
  // into the normal ones, is what adding the fields gives.
  long double units = std::rint(std::scalbn(std::fabs(value), format.fraction_bits - exponent));
  auto fields = static_cast<uint32_t>(exponent + format.bias() - 1) << format.fraction_bits;
  fields += static_cast<uint32_t>(units);
  return static_cast<uint16_t>(sign | std::min(fields, format.infinity()));
}

float unpack(uint16_t bits, Format format) {
  uint32_t fields = bits & 0x7fffU;
  uint32_t fraction = fields & ((1U << format.fraction_bits) - 1);
  int exponent = static_cast<int>(fields >> format.fraction_bits);
  float value = 0;
  if (fields >= format.infinity())
    value = fraction == 0 ? INFINITY : NAN;
  else if (exponent == 0)
    value = std::ldexp(static_cast<float>(fraction), 1 - format.bias() - format.fraction_bits);
  else
    value = std::ldexp(static_cast<float>(fraction + (1U << format.fraction_bits)),
                       exponent - format.bias() - format.fraction_bits);
  return (bits & 0x8000U) != 0 ? -value : value;
}

}  // namespace

uint16_t to_float16(long double value) { return pack(value, binary16); }
uint16_t to_bfloat16(long double value) { return pack(value, bfloat16); }

float from_float16(uint16_t bits) { return unpack(bits, binary16); }
float from_bfloat16(uint16_t bits) { return unpack(bits, bfloat16); }

}  // namespace gpuarr
