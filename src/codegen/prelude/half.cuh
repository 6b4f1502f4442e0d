// float16 and bfloat16 in common: 16 bits in memory, float in every expression.
//
// There is one implicit way out, to float, and from there the language does the rest, as it does
// for a short integer: x + y, -x, sin(x) and max(x, 1) are of type float. Storing rounds to the
// nearest, ties to even, and once only, from double and from integers too.

namespace gpuarr_prelude {

namespace gpuarr_detail {

inline unsigned float_bits(float x) { return __builtin_bit_cast(unsigned, x); }
inline float float_of(unsigned bits) { return __builtin_bit_cast(float, bits); }

// Rounding to odd: where bits are lost the last one is set, so that rounding the result to a
// format with at least two bits less gives what rounding once would have given.
inline float to_odd(float x) { return x; }
inline float to_odd(double x) {
  const float nearest = (float)x;
  const double error = x - nearest;
  unsigned bits = float_bits(nearest);
  bits -= bits >> 31 ? error > 0 : error < 0;  // now x is cut toward zero
  return float_of(error > 0 || error < 0 ? bits | 1 : bits);
}
template <class A>
inline float to_odd(A x) {
  if constexpr (sizeof(A) < 4) {
    return (float)x;
  } else if constexpr (sizeof(A) == 4) {
    const bool exact = x >> 24 == 0 || x >> 24 == (A)-1;
    return exact ? (float)x : (float)(x >> 8 | ((x & 0xff) != 0)) * 0x1p8f;
  } else {
    const bool exact = x >> 53 == 0 || x >> 53 == (A)-1;
    return to_odd(exact ? (double)x : (double)(x >> 24 | ((x & 0xffffff) != 0)) * 0x1p24);
  }
}

}  // namespace gpuarr_detail

// Format::round makes bits of a float, Format::widen the float of bits.
template <class Format>
struct short_float {
  unsigned short bits;

  short_float() = default;
  template <class A, class = gpuarr_detail::real<A>>
  short_float(A x) : bits(Format::round(gpuarr_detail::to_odd(x))) {}
  operator float() const { return Format::widen(bits); }

  template <class A>
  short_float& operator+=(const A& x) {
    return *this = *this + x;
  }
  template <class A>
  short_float& operator-=(const A& x) {
    return *this = *this - x;
  }
  template <class A>
  short_float& operator*=(const A& x) {
    return *this = *this * x;
  }
  template <class A>
  short_float& operator/=(const A& x) {
    return *this = *this / x;
  }
  short_float& operator++() { return *this += 1; }
  short_float& operator--() { return *this -= 1; }
  short_float operator++(int) {
    const short_float old = *this;
    ++*this;
    return old;
  }
  short_float operator--(int) {
    const short_float old = *this;
    --*this;
    return old;
  }
};

}  // namespace gpuarr_prelude
