#include "codegen/sort/host.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr const char* host_sort_types = R"(
typedef long long sort_long;
struct sort_args {
  const sort_bits* in;
  sort_bits* out;
  sort_long* index;
  sort_item *a, *b;
  int* flags;
  sort_long rows, n, group, chunks, chunk, run, turn, pieces;
};
static inline sort_long lesser(sort_long a, sort_long b) { return a < b ? a : b; }
)";

// An item is a number, sorted as it is: an element's, or that with the index below it.
constexpr const char* host_sort_number = R"(
typedef W sort_item;
enum { first_digit = SORT_INDEXED ? 4 : 0 };
static inline W rank_of(sort_item e) { return e; }
#if SORT_INDEXED
static inline sort_item item_of(sort_bits x, long long i) {
  return (W)compared(ordered(x)) << 32 | (unsigned)i;
}
static inline long long index_of(sort_item e) { return (unsigned)e; }
static inline sort_bits element_of(const sort_bits* in, sort_item e) { return in[index_of(e)]; }
#else
static inline sort_item item_of(sort_bits x, long long) { return ordered(x); }
static inline long long index_of(sort_item) { return 0; }
static inline sort_bits element_of(const sort_bits*, sort_item e) { return original((sort_bits)e); }
#endif
)";

constexpr const char* host_sort_pair = R"(
struct sort_item { sort_bits key; sort_index index; };
enum { first_digit = 0 };
static inline sort_bits rank_of(sort_item e) { return compared(e.key); }
static inline sort_item item_of(sort_bits x, long long i) { return {ordered(x), (sort_index)i}; }
static inline long long index_of(sort_item e) { return (long long)e.index; }
static inline sort_bits element_of(const sort_bits*, sort_item e) { return original(e.key); }
)";

// By digits, stably; the result may lie in either.
constexpr const char* host_sort_digits = R"(
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
)";

constexpr const char* host_sort_number_order = R"(
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
)";

// Keys of 64 bits are cut to what leaves room for an index, as far as they differ at all; those
// that then seem equal are put right after. Items come from the elements again.
constexpr const char* host_sort_pair_order = R"(
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
  const int width = 64 - __builtin_clzll(high - low), room = 64 - __builtin_clzll(n - 1 | 1);
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
static sort_item* in_order_of_rank(const sort_bits* in, sort_item* a, sort_item* b, sort_long n) {
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
)";

// Elements become items. Whether they are not in order, and whether there are any whose bits differ
// though they are equal.
constexpr const char* host_sort_load = R"(
enum { falls = 1, special = 2 };
static inline bool is_special(sort_bits key) {
#if SORT_FLOATING && !SORT_INDEXED
  return key == sort_minus_zero || key > sort_infinity;
#else
  return false;
#endif
}
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
static void repair(const sort_bits* in, sort_item* a, sort_long n) {
#if SORT_FLOATING && !SORT_INDEXED
  constexpr sort_bits least = sort_minus_zero < sort_zero ? sort_minus_zero : sort_zero;
  sort_long zeros = 0, nans = 0;
  for (sort_long end = n; zeros < end;) {
    const sort_long middle = zeros + (end - zeros) / 2;
    if (a[middle] < least) zeros = middle + 1; else end = middle;
  }
  nans = zeros;
  for (sort_long end = n; nans < end;) {
    const sort_long middle = nans + (end - nans) / 2;
    if (a[middle] <= sort_infinity) nans = middle + 1; else end = middle;
  }
  for (sort_long k = 0; k < n; ++k) {
    const sort_bits key = ordered(in[k]);
    if (key == sort_zero || key == sort_minus_zero) a[zeros++] = key;
    if (key > sort_infinity) a[nans++] = key;
  }
#endif
}
static inline void give(const sort_args& p, sort_long row, const sort_item* a, sort_long first,
                        sort_long end) {
  const sort_bits* const in = p.in + row * p.n;
  if (p.out)
    for (sort_long k = first; k < end; ++k) p.out[row * p.n + k] = element_of(in, a[k]);
  if (p.index)
    for (sort_long k = first; k < end; ++k) p.index[row * p.n + k] = index_of(a[k]);
}
)";

constexpr const char* host_sort_rows = R"(
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
)";

// Rows that threads share: chunks that one thread sorts, and runs of them that are merged in pieces
// of equal length.
constexpr const char* host_sort_shared = R"(
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
    if (rank_of(y[n - i - 1]) < rank_of(x[i])) high = i; else low = i + 1;
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
struct sort_piece { sort_long row, begin, end; };
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
)";

// Whether an index fits beside the key.
bool is_number(const SortForm& form) {
  return !form.indexed || (size_of(form.dtype) <= 4 && !form.wide);
}

}  // namespace

int64_t host_item_bytes(const SortForm& form) {
  const int64_t key = size_of(form.dtype);
  if (is_number(form)) return form.indexed || key == 8 ? 8 : 4;
  return 2 * std::max<int64_t>(key, form.wide ? 8 : 4);
}

std::string host_sort_text(const SortForm& form) {
  const int key = size_of(form.dtype);
  const bool number = is_number(form), wide = form.indexed || key == 8;
  std::string out = sort_key_text(form.dtype, form.descending);
  out += text("typedef unsigned {} sort_index;\n", form.wide ? "long long" : "int");
  out += text("typedef unsigned {} W;\n", wide ? "long long" : "int");
  for (auto [name, value] : {std::pair{"WIDE", wide ? 1 : 0},
                             {"INDEXED", form.indexed ? 1 : 0},
                             {"KEY_BYTES", key},
                             {"FLOATING", row(form.dtype).kind == DTypeKind::real ? 1 : 0},
                             {"NEAR", host_near_bytes}})
    out += text("#define SORT_{} {}\n", name, value);
  out += number ? host_sort_number : host_sort_pair;
  out += host_sort_types;
  out += host_vectors_text;
  out += host_vector_sort_text;
  out += host_sort_digits;
  out += number ? host_sort_number_order : host_sort_pair_order;
  return out + host_sort_load + host_sort_rows + host_sort_shared;
}

}  // namespace gpuarr
