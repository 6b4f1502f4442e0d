// What both of CUDA's 16-bit floats need on the host beside the formats.

namespace gpuarr_prelude::gpuarr_detail {

// The sum of a and b rounded to odd, see to_odd(): right where double alone has digits too few.
inline double sum_to_odd(double a, double b) {
  const double sum = a + b, t = sum - a, error = (a - (sum - t)) + (b - t);
  long long bits = __builtin_bit_cast(long long, sum);
  if (error > 0 || error < 0) {
    if ((error > 0) != (sum > 0)) --bits;
    bits |= 1;
  }
  return __builtin_bit_cast(double, bits);
}

// The next number of a 16-bit format down (-1), up (1) or toward zero (0), unless x is one.
template <class Format>
inline unsigned short toward(double x, int direction) {
  unsigned short bits = Format::round(to_odd(x));
  const double nearest = Format::widen(bits);
  if (direction == 0) direction = x < 0 ? 1 : -1;
  if (direction < 0 ? nearest > x : nearest < x) {
    if ((bits & 0x7fff) == 0)
      bits = direction < 0 ? 0x8001 : 1;
    else
      bits += (bits >> 15 != 0) == (direction > 0) ? -1 : 1;
  }
  return bits;
}

// Of a whole number or an infinity; a NaN gives 0.
template <class Int>
inline Int integer_of(float whole) {
  constexpr int digits = 8 * (int)sizeof(Int) - ((Int)-1 < 0);
  constexpr Int most = (Int)(((1ull << (digits - 1)) - 1) * 2 + 1);
  const float limit = (float)(1ull << (digits - 1)) * 2;
  if (whole != whole) return 0;
  if (whole >= limit) return most;
  if (whole <= ((Int)-1 < 0 ? -limit : 0)) return (Int)~most;
  return (Int)whole;
}

}  // namespace gpuarr_prelude::gpuarr_detail
