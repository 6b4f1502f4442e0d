// The body of an elementwise kernel: the median of a sorted row of complex numbers. Expects
// quantile_numbers.cuh.

const long long begin = i * length;
long long count = numbers_in(x, begin, length);
if (count < length && !skip) count = 0;
y = T(NAN, NAN);
if (count > 0) {
  const auto low = x[begin + (count - 1) / 2], high = x[begin + count / 2];
  y = T(halves(low.re, high.re), halves(low.im, high.im));
}
