// Pairs sorted.

// Keys of 64 bits are cut to what leaves room for an index, as far as they differ at all; those
// that then seem equal are put right after. Items come from the elements again.
#if __AVX512F__ && SORT_KEY_BYTES == 8
static bool by_numbers(const sort_bits* in, sort_item* a, W* w, sort_long n) {
  const sort_long first = a[0].index;
  W low = ~0ull, high = 0;
  for (sort_long k = 0; k < n; ++k) {
    const W key = compared(a[k].key);
    low = key < low ? key : low;
    high = key > high ? key : high;
  }
  if (low == high) return true;
  const int width = 64 - __builtin_clzll(high - low), room = 64 - __builtin_clzll((n - 1) | 1);
  const int cut = width + room > 64 ? width + room - 64 : 0;
  for (sort_long k = 0; k < n; ++k) w[k] = (compared(a[k].key) - low) >> cut << room | k;
  if (!order_numbers(w, n, 2 * room + 8)) return false;
  const W places = (1ull << room) - 1;
  for (sort_long k = 0; k < n; ++k) {
    const sort_long at = first + (w[k] & places);
    w[k] >>= room;
    a[k] = item_of(in[at], at);
  }
  for (sort_long k = 0, end; cut > 0 && k < n; k = end) {
    for (end = k + 1; end < n && w[end] == w[k];) ++end;
    if (end - k > 64) return false;
    insert(a + k, end - k);
  }
  return true;
}
#endif
static sort_item* in_order_of_rank([[maybe_unused]] const sort_bits* in, sort_item* a, sort_item* b,
                                   sort_long n) {
  if (n <= 24) {
    insert(a, n);
    return a;
  }
#if __AVX512F__ && SORT_KEY_BYTES == 8
  const sort_long first = a[0].index;
  if (by_numbers(in, a, (W*)b, n)) return a;
  for (sort_long k = 0; k < n; ++k) a[k] = item_of(in[first + k], first + k);
#endif
  return by_digits(a, b, n);
}
