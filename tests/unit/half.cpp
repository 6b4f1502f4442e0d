// Tests of core/half.hpp: every 16-bit value there and back, and rounding against exact arithmetic.
#include "core/half.hpp"

#include <cmath>
#include <limits>

#include "check.hpp"

using namespace gpuarr;

namespace {

/// What the bits mean, by the definition of the format.
double meaning(uint16_t bits, int mantissa, int bias) {
  const int fraction = bits & ((1 << mantissa) - 1);
  const int exponent = (bits & 0x7fff) >> mantissa;
  const int special = 0x7fff >> mantissa;
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  if (exponent == special)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - mantissa);
  return sign * std::ldexp((1 << mantissa) + fraction, exponent - bias - mantissa);
}

template <class Half>
void check_all_values(int mantissa, int bias) {
  for (uint32_t i = 0; i < 0x10000; ++i) {
    Half half;
    half.bits = static_cast<uint16_t>(i);
    const auto value = static_cast<float>(half);
    const double expected = meaning(half.bits, mantissa, bias);
    if (std::isnan(expected)) {
      CHECK(std::isnan(value));
      CHECK(std::isnan(static_cast<float>(Half(value))));
    } else {
      CHECK_EQ(static_cast<double>(value), expected);
      CHECK_EQ(Half(value).bits, half.bits);
      CHECK_EQ(Half(static_cast<double>(value)).bits, half.bits);
    }
    CHECK_EQ(std::signbit(value), (i & 0x8000) != 0);
  }
}

/// Between two neighbours: below the middle, the middle, above it.
template <class Half, class Float>
void check_rounding(int mantissa, int bias) {
  const auto largest = static_cast<uint16_t>(0x7fff & ~((1 << mantissa) - 1));  // infinity
  for (uint16_t i = 0; i < largest; ++i) {
    const double low = meaning(i, mantissa, bias);
    const double high = i + 1 == largest ? low + (low - meaning(i - 1, mantissa, bias))
                                         : meaning(static_cast<uint16_t>(i + 1), mantissa, bias);
    const auto middle = static_cast<Float>((low + high) / 2);
    const uint16_t even = i % 2 == 0 ? i : i + 1;
    const Float infinity = std::numeric_limits<Float>::infinity();
    CHECK_EQ(Half(middle).bits, even);
    CHECK_EQ(Half(std::nextafter(middle, Float{0})).bits, i);
    CHECK_EQ(Half(std::nextafter(middle, infinity)).bits, i + 1);
    CHECK_EQ(Half(-middle).bits, even | 0x8000);
  }
}

template <class Half>
void check_extremes() {
  CHECK_EQ(Half(std::numeric_limits<double>::max()).bits, Half(HUGE_VALF).bits);
  CHECK_EQ(Half(std::numeric_limits<double>::denorm_min()).bits, 0);
  CHECK_EQ(Half(-std::numeric_limits<double>::denorm_min()).bits, 0x8000);
  CHECK_EQ(static_cast<float>(Half(-HUGE_VAL)), -HUGE_VALF);
}

}  // namespace

int main() {
  check_all_values<Float16>(10, 15);
  check_all_values<BFloat16>(7, 127);
  check_rounding<Float16, float>(10, 15);
  check_rounding<Float16, double>(10, 15);
  check_rounding<BFloat16, float>(7, 127);
  check_rounding<BFloat16, double>(7, 127);
  check_extremes<Float16>();
  check_extremes<BFloat16>();
  return check::result();
}
