// The body of an elementwise kernel: a quantile of a row, sorted if OF_SORTED is 1; else x has the
// two elements next to its place. Expects quantile_numbers.cuh.

#if OF_SORTED
const long long begin = i * length;
long long count = numbers_in(x, begin, length);
if (count < length && !skip) count = 0;
#endif
// Of `count` elements, or 0: then it is NaN.
const double at = q * (count - 1), whole = floor(at);
double low = NAN, high = NAN, part = at - whole;
if (count > 0) {
#if OF_SORTED
  const long long k = (long long)whole;
  low = (double)x[begin + k];
  high = (double)x[begin + (k + 1 < count ? k + 1 : k)];
#else
  low = (double)x[2 * i];
  high = (double)x[2 * i + 1];
#endif
}
if (method == 1) part = 0;
if (method == 2) part = part > 0;
if (method == 3) part = part == 0.5 ? (long long)whole % 2 != 0 : part > 0.5;
if (method == 4 && part > 0) low = high = halves(low, high), part = 0;
y = part == 1 ? high : between(low, high, part);
