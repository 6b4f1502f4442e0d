// The 16-bit floats, in software: every rounding is to nearest, ties to even.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace gpuarr {

namespace half_detail {

template <class Float>
struct Bits;
template <>
struct Bits<float> {
  using Word = uint32_t;
  static constexpr int mantissa = 23, bias = 127;
};
template <>
struct Bits<double> {
  using Word = uint64_t;
  static constexpr int mantissa = 52, bias = 1023;
};

/// Both values are computed, which lets a loop become vector code where a branch would not.
template <class Word>
constexpr Word select(bool condition, Word yes, Word no) {
  const Word mask = Word{0} - static_cast<Word>(condition);
  return (yes & mask) | (no & ~mask);
}

/// Rounds to a format with 16 bits in all, `mantissa` of them below the point.
template <int mantissa, int bias, class Float>
constexpr uint16_t round_to_16(Float value) {
  using B = Bits<Float>;
  using Word = typename B::Word;
  constexpr int drop = B::mantissa - mantissa;
  constexpr Word one = 1;
  constexpr Word infinity = (one << (sizeof(Word) * 8 - 1)) - (one << B::mantissa);
  constexpr auto target_infinity = static_cast<uint16_t>(0x7fff & ~((1 << mantissa) - 1));
  constexpr Word too_large = static_cast<Word>(B::bias + bias + 1) << B::mantissa;
  constexpr Word first_normal = static_cast<Word>(B::bias - bias + 1) << B::mantissa;
  constexpr Word rebias = static_cast<Word>(B::bias - bias) << B::mantissa;

  const auto bits = std::bit_cast<Word>(value);
  const Word magnitude = bits & ~(one << (sizeof(Word) * 8 - 1));
  const auto sign = static_cast<uint16_t>((bits >> (sizeof(Word) * 8 - 16)) & 0x8000);
  // A carry out of the mantissa goes into the exponent, which is right, also up to infinity.
  const Word odd = (magnitude >> drop) & 1;
  Word rounded = (magnitude - rebias + (one << (drop - 1)) - 1 + odd) >> drop;
  if constexpr (rebias != 0) {
    // Beside 2^(1-bias-mantissa+B::mantissa) the unit in the last place is that of the small ones.
    constexpr Word magic = static_cast<Word>(B::bias + 1 - bias - mantissa + B::mantissa)
                           << B::mantissa;
    const Float sum = std::bit_cast<Float>(magnitude) + std::bit_cast<Float>(magic);
    rounded = select<Word>(magnitude < first_normal, std::bit_cast<Word>(sum) - magic, rounded);
  }
  rounded = select<Word>(magnitude >= too_large, target_infinity, rounded);
  // A NaN keeps the upper part of its payload, and becomes a quiet one.
  const Word payload = (magnitude >> drop) & ((one << mantissa) - 1);
  const Word nan = target_infinity | (one << (mantissa - 1)) | payload;
  return static_cast<uint16_t>(sign | select<Word>(magnitude > infinity, nan, rounded));
}

}  // namespace half_detail

/// IEEE 754 binary16, as it lies in memory.
struct Float16 {
  uint16_t bits = 0;

  Float16() = default;
  template <class Float>
  requires std::is_floating_point_v<Float>
  constexpr explicit Float16(Float value) : bits(half_detail::round_to_16<10, 15>(value)) {}

  constexpr explicit operator float() const {
    const auto sign = static_cast<uint32_t>(bits & 0x8000) << 16;
    const auto magnitude = static_cast<uint32_t>(bits & 0x7fff) << 13;
    // Beside 2^-14 the unit in the last place is that of the small ones.
    const float small = std::bit_cast<float>(magnitude + (113U << 23)) - 0x1p-14F;
    const uint32_t normal = magnitude + (112U << 23);
    const uint32_t large = magnitude + (224U << 23);  // infinity and NaN
    using half_detail::select;
    const uint32_t finite = select(magnitude < (1U << 23), std::bit_cast<uint32_t>(small), normal);
    const uint32_t value = select(magnitude >= (31U << 23), large, finite);
    return std::bit_cast<float>(sign | value);
  }
};

/// The upper half of a 32-bit float, as it lies in memory.
struct BFloat16 {
  uint16_t bits = 0;

  BFloat16() = default;
  template <class Float>
  requires std::is_floating_point_v<Float>
  constexpr explicit BFloat16(Float value) : bits(half_detail::round_to_16<7, 127>(value)) {}

  constexpr explicit operator float() const {
    return std::bit_cast<float>(static_cast<uint32_t>(bits) << 16);
  }
};

}  // namespace gpuarr
