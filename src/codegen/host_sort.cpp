// Sorting rows on the CPU.
#include <algorithm>

#include "codegen/sort.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr const char* host_sort_structs = R"(
typedef long long sort_long;
enum {
  sort_passes = (sort_width + 7) / 8,
  sort_stride = sort_passes * 256 + 1,
  sort_few = 24,
  sort_near = SORT_NEAR
};
struct sort_args {
  const sort_bits* in;
  sort_bits* out;
  sort_long* index;
  sort_item *a, *b;
  sort_index* counts;
  int* states;
  sort_long rows, n, group, chunks, chunk, pass;
};
static inline unsigned digit_of(sort_bits k, int pass) {
  return (unsigned)(k >> 8 * pass) & 255;
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
static inline void give(const sort_args& p, sort_long row, sort_long k, sort_item e) {
  if (p.out) p.out[row * p.n + k] = original(e.key);
  if (p.index) p.index[row * p.n + k] = index_of(e);
}
)";

constexpr const char* host_sort_item = R"(struct sort_item { sort_bits key; };
static inline sort_item item_of(sort_bits x, long long) { return {ordered(x)}; }
static inline long long index_of(sort_item) { return 0; }
)";
constexpr const char* host_sort_indexed_item =
    R"(struct sort_item { sort_bits key; sort_index index; };
static inline sort_item item_of(sort_bits x, long long i) { return {ordered(x), (sort_index)i}; }
static inline long long index_of(sort_item e) { return (long long)e.index; }
)";

// Rows that one thread sorts, each in a piece: a few elements by insertion, more by their digits.
constexpr const char* host_sort_rows = R"(
static void insert(sort_item* a, sort_long n) {
  for (sort_long k = 1; k < n; ++k) {
    const sort_item e = a[k];
    const sort_bits key = compared(e.key);
    sort_long at = k;
    for (; at > 0 && compared(a[at - 1].key) > key; --at) a[at] = a[at - 1];
    a[at] = e;
  }
}
static bool load(const sort_bits* in, sort_item* a, sort_long n) {
  int falls = 0;
  a[0] = item_of(in[0], 0);
  for (sort_long k = 1; k < n; ++k) {
    a[k] = item_of(in[k], k);
    falls |= compared(ordered(in[k - 1])) > compared(ordered(in[k]));
  }
  return falls != 0;
}
static sort_item* by_digits(sort_item* a, sort_item* b, sort_long n) {
  sort_index counts[sort_passes][256] = {};
  for (sort_long k = 0; k < n; ++k) {
    const sort_bits key = compared(a[k].key);
    for (int pass = 0; pass < sort_passes; ++pass) ++counts[pass][digit_of(key, pass)];
  }
  for (int pass = 0; pass < sort_passes; ++pass) {
    if (!make_places(counts[pass], n)) continue;
    for (sort_long k = 0; k < n; ++k) {
      const sort_item e = a[k];
      b[counts[pass][digit_of(compared(e.key), pass)]++] = e;
    }
    sort_item* const done = b;
    b = a;
    a = done;
  }
  return a;
}
static void sort_row(const sort_args& p, sort_long row, sort_item* a, sort_item* b) {
  if (load(p.in + row * p.n, a, p.n)) {
    if (p.n <= sort_few)
      insert(a, p.n);
    else
      a = by_digits(a, b, p.n);
  }
  for (sort_long k = 0; k < p.n; ++k) give(p, row, k, a[k]);
}
extern "C" void sort_rows(const sort_args* q, long long first, long long last) {
  const sort_args& p = *q;
  sort_item near[2][sort_near / sizeof(sort_item)];
  last = last * p.group < p.rows ? last * p.group : p.rows;
  for (sort_long row = first * p.group; row < last; ++row)
    sort_row(p, row, p.a ? p.a + row * p.n : near[0], p.a ? p.b + row * p.n : near[1]);
}
)";

// Rows that threads share. A state says for each pass where the items are before it (0: they are
// still elements; 1: a; 2: b), and whether their digits differ at all.
constexpr const char* host_sort_chunks = R"(
struct sort_state { int where[16], differ[16]; };
struct sort_part {
  sort_long row, begin, end;
  sort_index* counts;  // of each pass, and whether a key is less than the one before
  sort_state& state;
};
static inline sort_part part_of(const sort_args& p, sort_long block) {
  const sort_long row = block / p.chunks, chunk = block % p.chunks, begin = chunk * p.chunk;
  const sort_long end = begin + p.chunk < p.n ? begin + p.chunk : p.n;
  return {row, begin, end, p.counts + block * sort_stride, ((sort_state*)p.states)[row]};
}
struct sort_source {
  const sort_bits* raw;
  const sort_item* items;
  inline sort_item operator[](sort_long k) const { return raw ? item_of(raw[k], k) : items[k]; }
};
static inline sort_source source_of(const sort_args& p, const sort_part& part, sort_long pass) {
  const int where = part.state.where[pass];
  const sort_long at = part.row * p.n;
  return {where == 0 ? p.in + at : nullptr, (where == 1 ? p.a : p.b) + at};
}
static void count_all(const sort_args& p, const sort_part& part) {
  const sort_bits* in = p.in + part.row * p.n;
  int falls = 0;
  for (sort_long k = part.begin + (part.begin == 0); k < part.end; ++k)
    falls |= compared(ordered(in[k - 1])) > compared(ordered(in[k]));
  for (int k = 0; k < sort_passes * 256; ++k) part.counts[k] = 0;
  part.counts[sort_passes * 256] = falls;
  for (sort_long k = part.begin; k < part.end; ++k) {
    const sort_bits key = compared(ordered(in[k]));
    for (int pass = 0; pass < sort_passes; ++pass) ++part.counts[pass * 256 + digit_of(key, pass)];
  }
}
static void count_items(const sort_args& p, const sort_part& part) {
  sort_index* const counts = part.counts + p.pass * 256;
  const sort_source from = source_of(p, part, p.pass);
  for (int d = 0; d < 256; ++d) counts[d] = 0;
  for (sort_long k = part.begin; k < part.end; ++k)
    ++counts[digit_of(compared(from[k].key), p.pass)];
}
extern "C" void sort_count(const sort_args* q, long long first, long long last) {
  for (sort_long block = first; block < last; ++block) {
    const sort_part part = part_of(*q, block);
    if (q->pass == 0)
      count_all(*q, part);
    else if (part.state.differ[q->pass])
      count_items(*q, part);
  }
}
static void find_differences(const sort_args& p, const sort_index* counts, sort_state& state) {
  int falls = 0;
  for (sort_long c = 0; c < p.chunks; ++c) falls |= (int)counts[(c + 1) * sort_stride - 1];
  for (int pass = 0; pass < sort_passes; ++pass) {
    state.differ[pass] = falls;
    for (int d = 0; d < 256; ++d) {
      sort_long sum = 0;
      for (sort_long c = 0; c < p.chunks; ++c) sum += counts[c * sort_stride + pass * 256 + d];
      if (sum == p.n) state.differ[pass] = 0;
    }
  }
}
extern "C" void sort_place(const sort_args* q, long long first, long long last) {
  const sort_args& p = *q;
  for (sort_long row = first; row < last; ++row) {
    sort_index* const counts = p.counts + row * p.chunks * sort_stride;
    sort_state& state = ((sort_state*)p.states)[row];
    if (p.pass == 0) {
      state.where[0] = 0;
      find_differences(p, counts, state);
    }
    const int where = state.where[p.pass];
    state.where[p.pass + 1] = !state.differ[p.pass] ? where : where == 1 ? 2 : 1;
    if (!state.differ[p.pass]) continue;
    sort_index sum = 0;
    for (int d = 0; d < 256; ++d)
      for (sort_long c = 0; c < p.chunks; ++c) {
        sort_index& count = counts[c * sort_stride + p.pass * 256 + d];
        const sort_index here = count;
        count = sum;
        sum += here;
      }
  }
}
extern "C" void sort_scatter(const sort_args* q, long long first, long long last) {
  const sort_args& p = *q;
  for (sort_long block = first; block < last; ++block) {
    const sort_part part = part_of(p, block);
    if (!part.state.differ[p.pass]) continue;
    const sort_source from = source_of(p, part, p.pass);
    sort_item* const to = (part.state.where[p.pass + 1] == 1 ? p.a : p.b) + part.row * p.n;
    sort_index places[256];
    for (int d = 0; d < 256; ++d) places[d] = part.counts[p.pass * 256 + d];
    for (sort_long k = part.begin; k < part.end; ++k) {
      const sort_item e = from[k];
      to[places[digit_of(compared(e.key), p.pass)]++] = e;
    }
  }
}
extern "C" void sort_finish(const sort_args* q, long long first, long long last) {
  const sort_args& p = *q;
  for (sort_long block = first; block < last; ++block) {
    const sort_part part = part_of(p, block);
    const sort_source from = source_of(p, part, sort_passes);
    for (sort_long k = part.begin; k < part.end; ++k) give(p, part.row, k, from[k]);
  }
}
)";

}  // namespace

int64_t host_item_bytes(const SortForm& form) {
  const int64_t key = size_of(form.dtype);
  return form.indexed ? 2 * std::max<int64_t>(key, form.wide ? 8 : 4) : key;
}

int64_t host_count_bytes(const SortForm& form) {
  return (sort_passes(form.dtype) * int64_t{sort_digits} + 1) * (form.wide ? 8 : 4);
}

std::string host_sort_text(const SortForm& form) {
  std::string out = sort_key_text(form.dtype, form.descending);
  out += text("typedef unsigned {} sort_index;\n", form.wide ? "long long" : "int");
  out += text("#define SORT_NEAR {}\n", host_near_bytes);
  out += form.indexed ? host_sort_indexed_item : host_sort_item;
  return out + host_sort_structs + host_sort_rows + host_sort_chunks;
}

}  // namespace gpuarr
