// The kernels on the CPU: rows of one thread each, and rows that threads share.

// Elements become items. Whether they are not in order, and whether there are any whose bits differ
// though they are equal.
enum { falls = 1, special = 2 };
#if SORT_FLOATING && !SORT_INDEXED
static inline bool is_special(sort_bits key) {
  return key == sort_minus_zero || key > sort_infinity;
}
#else
static inline bool is_special(sort_bits) { return false; }
#endif
static int load(const sort_bits* in, sort_item* a, sort_long first, sort_long n) {
  int fall = 0, odd = 0;
  for (sort_long k = 0; k < n; ++k) {
    const sort_bits key = ordered(in[first + k]);
    odd |= is_special(key);
    a[k] = item_of(in[first + k], first + k);
  }
  for (sort_long k = 1; k < n; ++k) fall |= rank_of(a[k - 1]) > rank_of(a[k]);
  return (fall ? falls : 0) + (odd ? special : 0);
}
// Equals whose bits differ are sorted by their bits: they get the order that they came in.
#if SORT_FLOATING && !SORT_INDEXED
static void repair(const sort_bits* in, sort_item* a, sort_long n) {
  constexpr sort_bits least = sort_minus_zero < sort_zero ? sort_minus_zero : sort_zero;
  sort_long zeros = 0, nans = 0;
  for (sort_long end = n; zeros < end;) {
    const sort_long middle = zeros + (end - zeros) / 2;
    if (a[middle] < least)
      zeros = middle + 1;
    else
      end = middle;
  }
  nans = zeros;
  for (sort_long end = n; nans < end;) {
    const sort_long middle = nans + (end - nans) / 2;
    if (a[middle] <= sort_infinity)
      nans = middle + 1;
    else
      end = middle;
  }
  for (sort_long k = 0; k < n; ++k) {
    const sort_bits key = ordered(in[k]);
    if (key == sort_zero || key == sort_minus_zero) a[zeros++] = key;
    if (key > sort_infinity) a[nans++] = key;
  }
}
#else
static inline void repair(const sort_bits*, sort_item*, sort_long) {}
#endif
static inline void give(const sort_args& p, sort_long row, const sort_item* a, sort_long first,
                        sort_long end) {
  const sort_bits* const in = p.in + row * p.n;
  if (p.out)
    for (sort_long k = first; k < end; ++k) p.out[row * p.n + k] = element_of(in, a[k]);
  if (p.index)
    for (sort_long k = first; k < end; ++k) p.index[row * p.n + k] = index_of(a[k]);
}

static void sort_row(const sort_args& p, sort_long row, sort_item* a, sort_item* b) {
  const sort_bits* const in = p.in + row * p.n;
  const int found = load(in, a, 0, p.n);
  if (found & falls) {
    a = in_order_of_rank(in, a, b, p.n);
  }
  if (found & special) repair(in, a, p.n);
  give(p, row, a, 0, p.n);
}
extern "C" void sort_rows(const sort_args* q, long long first, long long last) {
  const sort_args& p = *q;
  sort_item near[2][SORT_NEAR / sizeof(sort_item)];
  last = lesser(last * p.group, p.rows);
  for (sort_long row = first * p.group; row < last; ++row)
    sort_row(p, row, p.a ? p.a + row * p.n : near[0], p.a ? p.b + row * p.n : near[1]);
}

// Rows that threads share: chunks that one thread sorts, and runs of them that are merged in pieces
// of equal length.
extern "C" void sort_chunks(const sort_args* q, long long first, long long last) {
  const sort_args& p = *q;
  for (sort_long block = first; block < last; ++block) {
    const sort_long row = block / p.chunks, begin = block % p.chunks * p.chunk;
    const sort_long n = lesser(p.chunk, p.n - begin);
    if (n <= 0) continue;
    const sort_bits* const in = p.in + row * p.n;
    sort_item* const a = p.a + row * p.n + begin;
    const int found = load(in, a, begin, n);
    p.flags[block] = found & special;
    if (!(found & falls)) continue;
    const sort_item* const done = in_order_of_rank(in, a, p.b + row * p.n + begin, n);
    for (sort_long k = 0; done != a && k < n; ++k) a[k] = done[k];
  }
}
// How many of the first `n` of two merged runs come from the left one.
static sort_long from_left(const sort_item* x, sort_long xn, const sort_item* y, sort_long yn,
                           sort_long n) {
  sort_long low = n > yn ? n - yn : 0, high = lesser(n, xn);
  while (low < high) {
    const sort_long i = low + (high - low) / 2;
    if (rank_of(y[n - i - 1]) < rank_of(x[i]))
      high = i;
    else
      low = i + 1;
  }
  return low;
}
static void merge(const sort_item* x, const sort_item* x_end, const sort_item* y,
                  const sort_item* y_end, sort_item* to) {
  while (x != x_end && y != y_end) {
    const bool right = rank_of(*y) < rank_of(*x);
    *to++ = *(right ? y : x);
    x += !right;
    y += right;
  }
  while (x != x_end) *to++ = *x++;
  while (y != y_end) *to++ = *y++;
}
static void merge_part(const sort_args& p, const sort_item* from, sort_item* to, sort_long begin,
                       sort_long end) {
  const sort_long pair = begin / (2 * p.run) * (2 * p.run);
  const sort_item *const x = from + pair, *const y = x + lesser(p.run, p.n - pair);
  const sort_long xn = y - x, yn = lesser(p.run, p.n - pair - xn);
  const sort_long i = from_left(x, xn, y, yn, begin - pair), j = begin - pair - i;
  const sort_long i_end = from_left(x, xn, y, yn, end - pair), j_end = end - pair - i_end;
  merge(x + i, x + i_end, y + j, y + j_end, to + begin);
}
struct sort_piece {
  sort_long row, begin, end;
};
static inline sort_piece piece_of(const sort_args& p, sort_long block) {
  const sort_long row = block / p.pieces, k = block % p.pieces, length = p.n / p.pieces + 1;
  return {row, lesser(k * length, p.n), lesser((k + 1) * length, p.n)};
}
extern "C" void sort_merge(const sort_args* q, long long first, long long last) {
  const sort_args& p = *q;
  for (sort_long block = first; block < last; ++block) {
    sort_piece piece = piece_of(p, block);
    const sort_item* const from = (p.turn ? p.b : p.a) + piece.row * p.n;
    sort_item* const to = (p.turn ? p.a : p.b) + piece.row * p.n;
    while (piece.begin < piece.end) {
      const sort_long pair_end = (piece.begin / (2 * p.run) + 1) * (2 * p.run);
      const sort_long end = lesser(piece.end, pair_end);
      merge_part(p, from, to, piece.begin, end);
      piece.begin = end;
    }
  }
}
extern "C" void sort_repair(const sort_args* q, long long first, long long last) {
  const sort_args& p = *q;
  for (sort_long row = first; row < last; ++row) {
    int found = 0;
    for (sort_long c = 0; c < p.chunks; ++c) found |= p.flags[row * p.chunks + c];
    if (found) repair(p.in + row * p.n, (p.turn ? p.b : p.a) + row * p.n, p.n);
  }
}
extern "C" void sort_finish(const sort_args* q, long long first, long long last) {
  const sort_args& p = *q;
  for (sort_long block = first; block < last; ++block) {
    const sort_piece piece = piece_of(p, block);
    give(p, piece.row, (p.turn ? p.b : p.a) + piece.row * p.n, piece.begin, piece.end);
  }
}
