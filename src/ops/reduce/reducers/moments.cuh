// Means and sums of squared differences. Expects A, R, N and inner.cuh.
//
// Sums of differences from a shift, which is an element at first. It is brought close to the mean
// so far when 16 elements are in, whenever their number doubled, and whenever 128 more came in; so
// not much more than half of a sum of squares is ever cancelled, and most elements cost a few
// instructions and a test. Any shift will do, so a power of two stands for the division. The sum of
// squares is kept in two parts, since small numbers that are added one by one to a large one leave
// errors of one sign. Sums of a single element are -0, which a compiler can leave out of a sum.
//
// The CPU makes them of 4096 elements at a time, which are in its first cache: their mean, and then
// the squared differences from it, both in vectors.

struct moments {
  A shift, sum;
  R square, before;
  N count, until;  // when the shift moves next
#ifndef __CUDACC_RTC__
  typedef void _blocks;
  template <class Get>
  static inline moments _of_block(const Get& get, long long n);
#endif
};
static inline float near_inverse(float n) {
  return __builtin_bit_cast(float, 0x7f000000u - __builtin_bit_cast(unsigned, n));
}
static inline double near_inverse(double n) {
  return __builtin_bit_cast(double,
                            0x7fe0000000000000ull - __builtin_bit_cast(unsigned long long, n));
}
static inline moments centred(moments a) {
  const R n = a.count;
  const A shift = a.shift + a.sum * near_inverse(n), moved = shift - a.shift;
  const R less = inner(moved, R(2) * a.sum - n * moved);
  a.until = a.count + (a.count < 128 ? a.count : 128);
  if (a.count == 0 || !(less < INFINITY)) return a;  // 2^32 elements, or not finite
  return {shift, a.sum - n * moved, R(0), a.before + (a.square - less), a.count, a.until};
}
static inline moments joined(const moments& a, const moments& b) {
  const A d = b.shift - a.shift;
  const R m = b.count;
  const moments r = {a.shift,
                     a.sum + (b.sum + m * d),
                     a.square + (b.square + inner(d, R(2) * b.sum + m * d)),
                     a.before + b.before,
                     a.count + b.count,
                     a.until};
  if (r.count < r.until) return r;
  return a.count == 0 ? b : centred(r);
}
#ifndef __CUDACC_RTC__
template <class Get>
inline moments moments::_of_block(const Get& get, const long long n) {
  // Of fewer lanes of double g++ makes single elements.
  enum { lanes = sizeof(A) == sizeof(R) ? 32 : 128 / sizeof(A) };
  const A first = get(0).shift;
  A sums[lanes] = {};
  R squares[lanes] = {};
  const long long whole = n / lanes * lanes;
  for (long long k = 0; k < whole; k += lanes)
    for (int c = 0; c < lanes; ++c) sums[c] += get(k + c).shift - first;
  for (long long k = whole; k < n; ++k) sums[k - whole] += get(k).shift - first;
  A sum = sums[0];
  for (int c = 1; c < lanes; ++c) sum += sums[c];
  const A mean = first + sum * (R(1) / n), nothing = mean - mean;
  moments all = get(0);
  if (!(inner(nothing, nothing) == R(0))) {  // out of range, maybe only as a sum
    for (long long k = 1; k < n; ++k) all = joined(all, get(k));
    return all;
  }
  for (int c = 0; c < lanes; ++c) sums[c] = A(R(0));
  for (long long k = 0; k < whole; k += lanes)
    for (int c = 0; c < lanes; ++c) {
      const A d = get(k + c).shift - mean;
      sums[c] += d;
      squares[c] += inner(d, d);
    }
  for (long long k = whole; k < n; ++k) {
    const A d = get(k).shift - mean;
    sums[k - whole] += d;
    squares[k - whole] += inner(d, d);
  }
  for (int c = 1; c < lanes; ++c) {
    sums[0] += sums[c];
    squares[0] += squares[c];
  }
  return {mean, sums[0], squares[0], R(0), (N)n, (N)n};
}
#endif
// The sum of squared differences from the mean; NaN if an element is not finite.
static inline R spread(const moments& a, long long count) {
  const R from_shift = inner(a.sum, a.sum * (R(1) / count));
  const R square = a.before + (a.square - (from_shift < INFINITY ? from_shift : R(0)));
  const A not_finite = (a.shift + a.sum) * R(0);
  return (square < 0 ? R(0) : square) + inner(not_finite, not_finite);
}
