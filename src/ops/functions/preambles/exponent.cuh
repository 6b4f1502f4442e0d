// Mantissas and powers of two of a float. By bits, which CPUs do in vectors; a subnormal number is
// scaled up first, or one is made last. Expects C.

template <class T>
struct float_bits_of {
  typedef unsigned bits;
  static constexpr int mantissa = 23, bias = 127;
};
template <>
struct float_bits_of<double> {
  typedef unsigned long long bits;
  static constexpr int mantissa = 52, bias = 1023;
};
typedef float_bits_of<C> form;
static inline C two_to(int k) {
  return __builtin_bit_cast(C, typename form::bits(k + form::bias) << form::mantissa);
}
static inline C normal_of(C x) { return fabs(x) < two_to(1 - form::bias) ? x * two_to(60) : x; }
static inline bool has_exponent(C x) { return (x - x == 0) & (x != 0); }
static inline C mantissa_of(C x) {
  constexpr form::bits field = form::bits(2 * form::bias + 1) << form::mantissa;
  const form::bits bits = __builtin_bit_cast(form::bits, normal_of(x));
  const C m = __builtin_bit_cast(C, (bits & ~field) | form::bits(form::bias - 1) << form::mantissa);
  return has_exponent(x) ? m : x;
}
static inline int exponent_of(C x) {
  const form::bits bits = __builtin_bit_cast(form::bits, normal_of(x));
  const int e = int(bits >> form::mantissa & (2 * form::bias + 1)) - form::bias + 1;
  return has_exponent(x) ? fabs(x) < two_to(1 - form::bias) ? e - 60 : e : 0;
}

template <class T>
static inline int clamped(T e) {
  const long long most = 9999, wide = e > 0 && (unsigned long long)e > most ? most : (long long)e;
  return int(wide < -most ? -most : wide);
}
// Rounds once: what is small is made so by the last product alone.
static inline C scaled_by(C x, int e) {
  constexpr int up = form::bias, down = form::bias - 1 - form::mantissa - 1;
  for (int k = 0; k < 2; ++k) {
    const int step = e > up ? up : e < -form::bias + 1 ? -down : 0;
    x *= two_to(step);
    e -= step;
  }
  return x * two_to(e > up ? up : e < 1 - form::bias ? 1 - form::bias : e);
}
