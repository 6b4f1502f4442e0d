// Sorting numbers side by side in vectors.

#if __AVX512F__
// Lane i against lane i ^ other; the lesser one goes where bit `high` is not set.
template <int other, int high>
static inline V exchanged(V v) {
#define SORT_OTHER(i) (i) ^ other
#define SORT_CHOSEN(i) (i) + ((i)&high ? L : 0)
  const V w = __builtin_shufflevector(v, v, SORT_LANES(SORT_OTHER));
  return __builtin_shufflevector(least(v, w), most(v, w), SORT_LANES(SORT_CHOSEN));
}
// A bitonic vector in order.
template <int distance>
static inline V settled(V v) {
  v = exchanged<distance, distance>(v);
  if constexpr (distance > 1) v = settled<distance / 2>(v);
  return v;
}
// Runs of `run` lanes, each in order, until all are.
template <int run>
static inline V in_order(V v) {
  v = exchanged<2 * run - 1, run>(v);
  if constexpr (run > 1) v = settled<run / 2>(v);
  if constexpr (2 * run < L) v = in_order<2 * run>(v);
  return v;
}
template <int n>
static inline void settle(V* v) {
  if constexpr (n == 1) {
    *v = settled<L / 2>(*v);
  } else {
#pragma GCC unroll 16
    for (int k = 0; k < n / 2; ++k) {
      const V a = v[k], b = v[k + n / 2];
      v[k] = least(a, b);
      v[k + n / 2] = most(a, b);
    }
    settle<n / 2>(v);
    settle<n / 2>(v + n / 2);
  }
}
template <int n>
static inline void order_vectors(V* v) {
  if constexpr (n == 1) {
    *v = in_order<1>(*v);
  } else {
    order_vectors<n / 2>(v);
    order_vectors<n / 2>(v + n / 2);
    V back[n / 2];
#define SORT_BACK(i) L - 1 - (i)
#pragma GCC unroll 16
    for (int k = 0; k < n / 2; ++k)
      back[k] = __builtin_shufflevector(v[n - 1 - k], v[n - 1 - k], SORT_LANES(SORT_BACK));
#pragma GCC unroll 16
    for (int k = 0; k < n / 2; ++k) {
      const V a = v[k];
      v[k] = least(a, back[k]);
      v[n / 2 + k] = most(a, back[k]);
    }
    settle<n / 2>(v);
    settle<n / 2>(v + n / 2);
  }
}
template <int vectors>
static __attribute__((noinline)) void order_few(W* a, sort_long n) {
  V v[vectors];
#pragma GCC unroll 16
  for (int k = 0; k < vectors; ++k) {
    const sort_long left = n - k * L;
    v[k] = left >= L ? load(a + k * L) : load_some(a + k * L, left > 0 ? (1 << left) - 1 : 0);
  }
  order_vectors<vectors>(v);
#pragma GCC unroll 16
  for (int k = 0; k < vectors; ++k) {
    const sort_long left = n - k * L;
    if (left > 0) store_some(a + k * L, v[k], left >= L ? all_lanes : (1 << left) - 1);
  }
}

// In place. Four vectors of each end are held back; others are read, four at a time, where less is
// free, so that there is room on both sides for what is written.
template <bool keeps_equals>
static inline sort_long parted(W* a, sort_long n, W pivot) {
  const V p = (V){} + pivot;
  sort_long low = 0, high = n;
  for (sort_long odd = n % L; odd > 0; --odd) {
    const W x = a[low];
    if (keeps_equals ? x > pivot : x >= pivot) {
      a[low] = a[--high];
      a[high] = x;
    } else {
      ++low;
    }
  }
  V held[8], v[4];
#pragma GCC unroll 4
  for (int k = 0; k < 4; ++k) {
    held[k] = load(a + low + k * L);
    held[4 + k] = load(a + high - (k + 1) * L);
  }
  sort_long read = low + 4 * L, end = high - 4 * L;
  auto put = [&](V v) {
    const unsigned right = keeps_equals ? above(v, p) : not_below(v, p);
    const int count = __builtin_popcount(right);
    store_some(a + low, pressed(v, ~right & all_lanes), (1 << (L - count)) - 1);
    high -= count;
    store_some(a + high, pressed(v, right), (1 << count) - 1);
    low += L - count;
  };
  while (end - read >= 4 * L) {
    const bool right = high - end < read - low;
    end -= right ? 4 * L : 0;
    const W* const from = right ? a + end : a + read;
    read += right ? 0 : 4 * L;
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) v[k] = load(from + k * L);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) put(v[k]);
  }
  while (read < end) {
    const bool right = high - end < read - low;
    end -= right ? L : 0;
    const V one = load(right ? a + end : a + read);
    read += right ? 0 : L;
    put(one);
  }
#pragma GCC unroll 8
  for (int k = 0; k < 8; ++k) put(held[k]);
  return low;
}
static inline W middle_of(const W* a, sort_long n) {
  V v;
  for (int k = 0; k < L; ++k) v[k] = a[(2 * k + 1) * (n / (2 * L))];
  return in_order<1>(v)[L / 2];
}
// False if it divides badly again and again: something else has to sort then.
static bool order_numbers(W* a, sort_long n, int depth) {
  while (n > few_vectors * L) {
    if (depth-- <= 0) return false;
    const W pivot = middle_of(a, n);
    sort_long left = parted<false>(a, n, pivot);
    if (left == 0) {  // nothing is less: what is equal is done
      left = parted<true>(a, n, pivot);
    } else if (!order_numbers(a, left, depth)) {
      return false;
    }
    a += left;
    n -= left;
  }
  if (n <= L)
    order_few<1>(a, n);
  else if (n <= 2 * L)
    order_few<2>(a, n);
  else if (n <= 4 * L)
    order_few<4>(a, n);
  else if (n <= 8 * L)
    order_few<8>(a, n);
  else
    order_few<16>(a, n);
  return true;
}
#endif
