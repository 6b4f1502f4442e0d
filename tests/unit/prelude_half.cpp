// Tests of float16 and bfloat16 as the CPU device compiles them, against exact arithmetic.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "prelude_build.hpp"

namespace {

// A format of 16 bits: its values, and rounding to it, in long double, which holds every double and
// every 64-bit integer exactly.
struct Format {
  const char* name;
  int mantissa;  // bits stored
  int bias;

  long double value(uint16_t bits) const {
    const int exponent = (bits & 0x7fff) >> mantissa, fraction = bits & ((1 << mantissa) - 1);
    const long double sign = bits >> 15 ? -1 : 1;
    if (exponent == 2 * bias + 1) return fraction ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp((long double)fraction, 1 - bias - mantissa);
    return sign * std::ldexp((long double)(fraction | 1 << mantissa), exponent - bias - mantissa);
  }
  long double round(long double x) const {
    if (!std::isfinite(x) || x == 0) return x;
    const int unit = std::max(std::ilogb(x), 1 - bias) - mantissa;
    const long double rounded = std::ldexp(std::rint(std::ldexp(x, -unit)), unit);
    return std::fabs(rounded) < std::ldexp(1.0L, bias + 1) ? rounded : std::copysign(INFINITY, x);
  }
};

constexpr Format formats[] = {{"float16", 10, 15}, {"bfloat16", 7, 127}};

constexpr std::string_view source = R"(
#define CONVERT(name, From, To) \
  extern "C" void name(const From* x, To* z, long n) { for (long i = 0; i < n; ++i) z[i] = x[i]; }
#define ALL(T) \
  CONVERT(widen_##T, T, float) CONVERT(f32_##T, float, T) CONVERT(f64_##T, double, T) \
  CONVERT(i8_##T, signed char, T) CONVERT(i16_##T, short, T) CONVERT(i32_##T, int, T) \
  CONVERT(u32_##T, unsigned, T) CONVERT(i64_##T, long long, T) \
  CONVERT(u64_##T, unsigned long long, T) CONVERT(b8_##T, bool, T)
ALL(float16)
ALL(bfloat16)
CONVERT(other_float16, bfloat16, float16)
CONVERT(other_bfloat16, float16, bfloat16)
)";

bool same(long double a, long double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  return a == b && std::signbit(a) == std::signbit(b);
}

template <class From>
void rounds(const prelude_test::Built& built, const Format& format, const std::string& type,
            const std::vector<From>& inputs) {
  auto* convert =
      built.find<void(const From*, uint16_t*, long)>((type + "_" + format.name).c_str());
  CHECK(convert != nullptr);
  if (convert == nullptr) return;
  std::vector<uint16_t> bits(inputs.size());
  convert(inputs.data(), bits.data(), static_cast<long>(inputs.size()));
  int shown = 0;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const long double expected = format.round(inputs[i]);
    if (same(format.value(bits[i]), expected) || shown++ > 3) continue;
    check::report(__FILE__, __LINE__)
        << type << " to " << format.name << ": " << +inputs[i] << " became "
        << format.value(bits[i]) << ", not " << expected << '\n';
  }
}

// Every value, the ties between neighbours, and what is just beside them.
std::vector<double> critical(const Format& format) {
  std::vector<double> found = {INFINITY, -INFINITY, NAN, 1e300, -1e300, 5e-324, -5e-324};
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto x = static_cast<double>(format.value(static_cast<uint16_t>(bits)));
    const auto next = static_cast<double>(format.value(static_cast<uint16_t>(bits ^ 1)));
    const auto after = static_cast<double>(format.value(static_cast<uint16_t>(bits + 1)));
    found.push_back(x);
    for (double tie : {(x + next) / 2, (x + after) / 2})
      if (std::isfinite(tie))
        for (double y : {tie, std::nextafter(tie, INFINITY), std::nextafter(tie, -INFINITY)})
          found.push_back(y);
  }
  const auto most = static_cast<double>(format.round(std::ldexp(1.0L, format.bias + 1) * 0.999L));
  found.push_back(most * (1 + std::ldexp(0.5, -format.mantissa - 1)));  // the tie with infinity
  found.push_back(std::nextafter(found.back(), 0.0));
  return found;
}

template <class Int>
std::vector<Int> whole(const std::vector<double>& near, std::mt19937_64& random) {
  std::vector<Int> found = {std::numeric_limits<Int>::min(), std::numeric_limits<Int>::max()};
  for (double x : near) {
    if (!(std::fabs(x) < std::ldexp(1.0, std::numeric_limits<Int>::digits - 1))) continue;
    if (x < 0 && !std::numeric_limits<Int>::is_signed) continue;
    const auto k = static_cast<Int>(x);
    for (int step = -1; step <= 1; ++step) found.push_back(static_cast<Int>(k + step));
  }
  for (int i = 0; i < 100000; ++i)
    found.push_back(
        static_cast<Int>(static_cast<Int>(random()) >> (random() % 64 % (8 * sizeof(Int)))));
  return found;
}

void widens(const prelude_test::Built& built, const Format& format) {
  auto* widen = built.find<void(const uint16_t*, float*, long)>(
      (std::string("widen_") + format.name).c_str());
  CHECK(widen != nullptr);
  if (widen == nullptr) return;
  std::vector<uint16_t> all(0x10000);
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<uint16_t>(i);
  std::vector<float> values(all.size());
  widen(all.data(), values.data(), 0x10000);
  for (size_t i = 0; i < all.size(); ++i) CHECK(same(values[i], format.value(all[i])));
}

void converts_between(const prelude_test::Built& built, const Format& from, const Format& to) {
  auto* convert =
      built.find<void(const uint16_t*, uint16_t*, long)>((std::string("other_") + to.name).c_str());
  CHECK(convert != nullptr);
  if (convert == nullptr) return;
  for (int bits = 0; bits < 0x10000; ++bits) {
    const auto x = static_cast<uint16_t>(bits);
    uint16_t z = 0;
    convert(&x, &z, 1);
    CHECK(same(to.value(z), to.round(from.value(x))));
  }
}

template <class T>
std::vector<T> random_bits(std::mt19937_64& random, std::vector<T> found) {
  for (int i = 0; i < 200000; ++i) {
    const uint64_t bits = random();
    T x;
    std::memcpy(&x, &bits, sizeof x);
    found.push_back(x);
  }
  return found;
}

}  // namespace

int main() {
  std::mt19937_64 random(20261121);
  prelude_test::for_each_compiler([&](const std::string&) {
    const prelude_test::Built built{std::string(source)};
    for (const Format& format : formats) {
      const std::vector<double> doubles = critical(format);
      std::vector<float> floats(doubles.begin(), doubles.end());
      widens(built, format);
      rounds(built, format, "f64", random_bits(random, doubles));
      rounds(built, format, "f32", random_bits(random, floats));
      rounds(built, format, "i8", whole<int8_t>(doubles, random));
      rounds(built, format, "i16", whole<int16_t>(doubles, random));
      rounds(built, format, "i32", whole<int32_t>(doubles, random));
      rounds(built, format, "u32", whole<uint32_t>(doubles, random));
      rounds(built, format, "i64", whole<long long>(doubles, random));
      rounds(built, format, "u64", whole<unsigned long long>(doubles, random));
    }
    converts_between(built, formats[0], formats[1]);
    converts_between(built, formats[1], formats[0]);
  });
  return check::result();
}
