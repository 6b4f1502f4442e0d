// Numbers sorted.

// Items in order, in a or b.
static sort_item* in_order_of_rank(const sort_bits*, sort_item* a, sort_item* b, sort_long n) {
#if __AVX512F__
  constexpr sort_long few = SORT_KEY_BYTES == 1 ? 64 : SORT_INDEXED ? 256 : 4096;
  if (SORT_KEY_BYTES <= 2 && n > few) return by_digits(a, b, n);
  int depth = 8;
  for (sort_long k = n; k > 0; k >>= 1) depth += 2;
  if (order_numbers(a, n, depth)) return a;
  // Indices are in disorder by now: they are digits too.
  return by_these_digits<0, sizeof(W)>(a, b, n);
#endif
  if (n > 24) return by_digits(a, b, n);
  insert(a, n);
  return a;
}
