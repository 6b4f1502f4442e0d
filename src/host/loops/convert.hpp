// One value from one dtype to another, by C's rules and without undefined behaviour.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>

#include "core/half.hpp"

namespace gpuarr::host {

struct Bool {
  uint8_t value;
};

template <class Real>
struct Complex {
  Real real, imaginary;
};

template <class T>
inline constexpr bool is_complex_type = false;
template <class Real>
inline constexpr bool is_complex_type<Complex<Real>> = true;
template <class T>
inline constexpr bool is_half = std::is_same_v<T, Float16> || std::is_same_v<T, BFloat16>;

/// A double that rounds to 16 bits as the integer would: bits too far down for it to hold matter
/// only as "not exactly in the middle", so one of them is kept as a mark.
template <class Integer>
double for_rounding(Integer value) {
  if constexpr (sizeof(Integer) < 8) return static_cast<double>(value);
  const bool negative = value < 0;
  uint64_t magnitude = negative ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
  if (magnitude >> 53 != 0) magnitude = (magnitude & ~0x7ffULL) | ((magnitude & 0x7ff) != 0) << 11;
  const auto real = static_cast<double>(magnitude);
  return negative ? -real : real;
}

/// Truncates. What is out of range is moved into it first, NaN too, to where does not matter; so
/// written, it becomes vector code.
template <class Integer, class Real>
Integer truncate(Real value) {
  constexpr Integer half = std::numeric_limits<Integer>::max() / 2 + 1;  // a power of 2
  constexpr Real end = 2 * static_cast<Real>(half);
  constexpr Real last = end - end * std::numeric_limits<Real>::epsilon() / 2;
  constexpr Real first = std::is_signed_v<Integer> ? -end : 0;
  const Real above = value > first ? value : first;
  return static_cast<Integer>(above < last ? above : last);
}

template <class To, class From>
To convert(From value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (std::is_same_v<From, Bool>) {
    return convert<To>(static_cast<uint8_t>(value.value != 0));
  } else if constexpr (is_half<From>) {
    return convert<To>(static_cast<float>(value));
  } else if constexpr (is_complex_type<To> && is_complex_type<From>) {
    using Real = decltype(To::real);
    return {static_cast<Real>(value.real), static_cast<Real>(value.imaginary)};
  } else if constexpr (is_complex_type<To>) {
    return {convert<decltype(To::real)>(value), 0};
  } else if constexpr (is_complex_type<From> && std::is_same_v<To, Bool>) {
    return {static_cast<uint8_t>(value.real != 0 || value.imaginary != 0)};
  } else if constexpr (is_complex_type<From>) {
    return convert<To>(value.real);
  } else if constexpr (std::is_same_v<To, Bool>) {
    return {static_cast<uint8_t>(value != 0)};
  } else if constexpr (is_half<To> && std::is_integral_v<From>) {
    return To(for_rounding(value));
  } else if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    return truncate<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

}  // namespace gpuarr::host
