// The preamble of quantile.cuh and median.cuh: how many elements of a row are numbers, and what
// lies between two of them.
//
// Computed in double from elements of any type. NaNs are the last of a row. The value nearer to the
// place is what is added to, so that the result lies between the two and is exact at both; where
// one is infinite, so is the result.

template <class T>
static inline long long numbers_in(const T& row, long long begin, long long n) {
  if (!(row[begin + n - 1] != row[begin + n - 1])) return n;
  long long low = 0, high = n - 1;
  while (low < high) {
    const long long middle = low + (high - low) / 2;
    if (row[begin + middle] != row[begin + middle])
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}
static inline double halves(double a, double b) {
  const double sum = a + b;
  return sum - sum == 0 ? sum * 0.5 : a * 0.5 + b * 0.5;
}
static inline double between(double a, double b, double t) {
  if (a == b || t == 0) return a;
  const double d = b - a;
  if (!(d < INFINITY)) return a * (1 - t) + b * t;
  return t < 0.5 ? a + d * t : b - d * (1 - t);
}
