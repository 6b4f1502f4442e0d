// Items sorted by their digits, and few of them by insertion.

// By digits, stably; the result may lie in either.
template <class R>
static inline unsigned digit_of(R rank, int digit) {
  return (unsigned)(rank >> 8 * digit) & 255;
}
// Where a count of each digit becomes the place of its first one; false if all have the same.
static bool make_places(sort_index* counts, sort_long n) {
  sort_index sum = 0;
  for (int d = 0; d < 256; ++d) {
    const sort_index count = counts[d];
    if ((sort_long)count == n) return false;
    counts[d] = sum;
    sum += count;
  }
  return true;
}
template <int first, int passes>
static sort_item* by_these_digits(sort_item* a, sort_item* b, sort_long n) {
  sort_index counts[passes][256] = {};
  for (sort_long k = 0; k < n; ++k) {
    const auto rank = rank_of(a[k]);
    for (int pass = 0; pass < passes; ++pass) ++counts[pass][digit_of(rank, first + pass)];
  }
  for (int pass = 0; pass < passes; ++pass) {
    if (!make_places(counts[pass], n)) continue;
    for (sort_long k = 0; k < n; ++k) {
      const sort_item e = a[k];
      b[counts[pass][digit_of(rank_of(e), first + pass)]++] = e;
    }
    sort_item* const done = b;
    b = a;
    a = done;
  }
  return a;
}
static sort_item* by_digits(sort_item* a, sort_item* b, sort_long n) {
  return by_these_digits<first_digit, SORT_KEY_BYTES>(a, b, n);
}
static void insert(sort_item* a, sort_long n) {
  for (sort_long k = 1; k < n; ++k) {
    const sort_item e = a[k];
    sort_long at = k;
    for (; at > 0 && rank_of(a[at - 1]) > rank_of(e); --at) a[at] = a[at - 1];
    a[at] = e;
  }
}
