// Rows of a reduction on the CPU: a task folds some rows of one result, or a part of a row. A
// result has _rows(p) rows of _inner(p) elements.
namespace gpuarr_kernel {

// Four lanes of neighbours each, in registers whatever the type.
template <class P>
static __forceinline__ Partial<P> fold_row(const P& p, const Place<P>& place, long long count) {
  const long long quarter = count / 4;
  Partial<P> a = _along(p, place, 0);
  long long k = 1;
  if (quarter > 1) {
    Partial<P> b = _along(p, place, quarter), c = _along(p, place, 2 * quarter),
               d = _along(p, place, 3 * quarter);
    for (; k < quarter; ++k) {
      a = _reduce(p, a, _along(p, place, k));
      b = _reduce(p, b, _along(p, place, quarter + k));
      c = _reduce(p, c, _along(p, place, 2 * quarter + k));
      d = _reduce(p, d, _along(p, place, 3 * quarter + k));
    }
    a = _reduce(p, _reduce(p, a, b), _reduce(p, c, d));
    k = 4 * quarter;
  }
  for (; k < count; ++k) a = _reduce(p, a, _along(p, place, k));
  return a;
}

template <class P>
static __forceinline__ Partial<P> fold_in_order(const P& p, const Place<P>& begin, long long row,
                                                long long last, long long count) {
  Partial<P> sum = gpuarr_kernel::fold_row(p, _start(p, begin, row), count);
  while (!P::_single && ++row < last)
    sum = _reduce(p, sum, gpuarr_kernel::fold_row(p, _start(p, begin, row), count));
  return sum;
}

// Unrolled, a maximum would be single elements, and a branch for each that nobody can foresee.
template <int half, class P, class All>
static __forceinline__ void halve(const P& p, All& lanes) {
#pragma GCC unroll 1
#pragma GCC ivdep
  for (int c = 0; c < half; ++c) lanes.put(c, _reduce(p, lanes.get(c), lanes.get(half + c)));
  if constexpr (half > 1) gpuarr_kernel::halve<half / 2>(p, lanes);
}

// Indices that are compared beside numbers of a size.
template <int bytes>
static auto index_of() {
  if constexpr (bytes == 8)
    return 0ll;
  else
    return 0;
}

// What is left of a row, of less than a vector, goes to the last lanes, where a vector that ends
// with the row has it; get(c) is what element c of that vector counts as. All lanes are written as
// a vector again, since a vector that is read right after single elements of it were written waits
// for them. So the asm keeps the compiler from writing under a mask.
template <int vector, class P, class All, class Get>
static __forceinline__ void fold_last(const P& p, long long left, All& lanes, const Get& get) {
  typedef decltype(gpuarr_kernel::index_of<64 / vector>()) Index;
  const Index first = vector - left;
  Lanes<Partial<P>, vector> next;
  __asm__ volatile("");
#pragma GCC unroll 1
#pragma GCC ivdep
  for (Index c = 0; c < vector; ++c)
    next.put(c, c < first ? lanes.get(c) : _reduce(p, lanes.get(c), get(c)));
  __asm__ volatile("" : "+m"(next));
#pragma GCC unroll 1
  for (int c = 0; c < vector; ++c) lanes.put(c, next.get(c));
}

#ifdef GPUARR_VECTOR_MAP
// A vector of the row, or what is left of it: then the last vector is mapped, though its first
// elements have been added. Returns where the next one begins.
template <int vector, class P, class All>
static __forceinline__ long long fold_vector(const P& p, const Place<P>& place, long long k,
                                             long long count, All& lanes) {
  Lanes<Partial<P>, vector> mapped;
  const long long left = gpuarr_kernel::least(count - k, vector);
  __asm__ volatile("");
#pragma GCC unroll 1
#pragma GCC ivdep
  for (int c = 0; c < vector; ++c) mapped.put(c, _along(p, place, k + left - vector + c));
  if (left == vector) {
#pragma GCC unroll 1
    for (int c = 0; c < vector; ++c) lanes.put(c, _reduce(p, lanes.get(c), mapped.get(c)));
  } else {
    gpuarr_kernel::fold_last<vector>(p, left, lanes, [&](int c) { return mapped.get(c); });
  }
  return k + left;
}
#endif

// Whether the rest of a row can be a vector with a mask, which takes elements of one size.
template <class P>
static constexpr bool has_masks() {
#if defined(__AVX2__) && !defined(GPUARR_VECTOR_MAP)
  return P::_element_bytes * Lanes<Partial<P>, 1>::vector == 64;
#else
  return false;
#endif
}

// What is left of a row behind its vectors.
template <int vector, class P, class All>
static __forceinline__ void fold_rest(const P& p, const Place<P>& place, long long k,
                                      long long count, All& lanes) {
  if (gpuarr_kernel::has_masks<P>() && count >= vector) {
    const auto get = [&](auto c) { return _along(p, place, count - vector + c); };
    if (k < count) gpuarr_kernel::fold_last<vector>(p, count - k, lanes, get);
    return;
  }
  const long long first = count < vector ? 0 : vector - (count - k);
#pragma GCC unroll 1
  for (long long c = 0; k + c < count; ++c) {
    const long long lane = first + c;
    lanes.put(lane, _reduce(p, lanes.get(lane), _along(p, place, k + c)));
    __asm__ volatile("");
  }
}

// Four vectors become one. Nested in one expression they would be single elements, and branches
// for a maximum.
template <int vector, class P, class All>
static __forceinline__ void join_vectors(const P& p, All& lanes) {
#pragma GCC unroll 1
  for (int c = 0; c < vector; ++c) lanes.put(c, _reduce(p, lanes.get(c), lanes.get(vector + c)));
#pragma GCC unroll 1
  for (int c = 2 * vector; c < 3 * vector; ++c)
    lanes.put(c, _reduce(p, lanes.get(c), lanes.get(vector + c)));
#pragma GCC unroll 1
  for (int c = 0; c < vector; ++c)
    lanes.put(c, _reduce(p, lanes.get(c), lanes.get(2 * vector + c)));
}

// Lanes side by side are vectors: four of them for most of a row, one for the rest, and then single
// elements or a mask. What the compiler must not make vectors of has an empty asm in it, and so has
// a loop of vectors that it would make a call of memcpy, or `rep movs`. If _along stores
// something of an element, no other one reads it, which is what ivdep promises.
template <class P>
static __forceinline__ Partial<P> fold_in_lanes(const P& p, const Place<P>& begin, long long row,
                                                long long last, long long count) {
  enum { vector = Lanes<Partial<P>, 1>::vector, all = 4 * vector };
  Place<P> place = _start(p, begin, row);
  Lanes<Partial<P>, all> lanes;
  const long long used = gpuarr_kernel::least(count, vector);
  const long long whole = count >= all ? all : used / vector * vector;
  long long k = 0;
  for (; k < whole; k += vector) {
    __asm__ volatile("");
#pragma GCC unroll 1
#pragma GCC ivdep
    for (int c = 0; c < vector; ++c) lanes.put(k + c, _along(p, place, k + c));
  }
#pragma GCC unroll 1
  for (; k < used; ++k) {
    lanes.put(k, _along(p, place, k));
    __asm__ volatile("");
  }
  for (;; k = 0) {
    for (; k + all <= count; k += all) {
      __asm__ volatile("");
#pragma GCC ivdep
      for (int c = 0; c < all; ++c) lanes.put(c, _reduce(p, lanes.get(c), _along(p, place, k + c)));
    }
#ifdef GPUARR_VECTOR_MAP
    while (count >= vector && count - k > vector / 4)
      k = gpuarr_kernel::fold_vector<vector>(p, place, k, count, lanes);
#else
    for (; k + vector <= count; k += vector) {
      __asm__ volatile("");
#pragma GCC unroll 1
#pragma GCC ivdep
      for (int c = 0; c < vector; ++c)
        lanes.put(c, _reduce(p, lanes.get(c), _along(p, place, k + c)));
    }
#endif
    gpuarr_kernel::fold_rest<vector>(p, place, k, count, lanes);
    if (P::_single || ++row == last) break;
    place = _start(p, begin, row);
  }
  if (used < vector) {
    for (long long c = 1; c < used; ++c) {
      lanes.put(0, _reduce(p, lanes.get(0), lanes.get(c)));
      __asm__ volatile("");
    }
    return lanes.get(0);
  }
  if (count >= all) gpuarr_kernel::join_vectors<vector>(p, lanes);
  gpuarr_kernel::halve<vector / 2>(p, lanes);
  return lanes.get(0);
}

// A record of ours that is made of many elements at once says so by a type.
template <class T>
static char has_blocks(typename T::_blocks*);
template <class T>
static long has_blocks(...);

template <class P>
static __forceinline__ Partial<P> fold_in_blocks(const P& p, const Place<P>& begin, long long row,
                                                 long long last, long long count) {
  enum { most = 4096 };
  Partial<P> sum;
  for (bool any = false;;) {
    const Place<P> place = _start(p, begin, row);
    for (long long k = 0; k < count; k += most, any = true) {
      const auto get = [&](long long c) { return _along(p, place, k + c); };
      const Partial<P> block = Partial<P>::_of_block(get, gpuarr_kernel::least(most, count - k));
      sum = any ? _reduce(p, sum, block) : block;
    }
    if (P::_single || ++row == last) return sum;
  }
}

template <class P>
static __forceinline__ Partial<P> fold(const P& p, const Place<P>& begin, long long row,
                                       long long last, long long count) {
  if constexpr (!P::_ordered && sizeof(has_blocks<Partial<P>>(0)) == 1)
    return gpuarr_kernel::fold_in_blocks(p, begin, row, last, count);
  else if constexpr (P::_ordered || !Plain<Partial<P>>::value)
    return gpuarr_kernel::fold_in_order(p, begin, row, last, count);
  else
    return gpuarr_kernel::fold_in_lanes(p, begin, row, last, count);
}

template <class P>
static __attribute__((noinline)) void _row_task(const P& p, long long unit, long long split) {
  long long k = 0, row = 0;
  if (split > 0) {
    k = split % p._inner_tiles * p._split_items;
    row = split / p._inner_tiles * p._rows;
  }
  const Place<P> begin = _after(p, _at_result(p, unit), k);
  const long long last = gpuarr_kernel::least(_rows(p), row + p._rows);
  const long long count = gpuarr_kernel::least(_inner(p) - k, p._split_items);
  const Partial<P> sum = gpuarr_kernel::fold(p, begin, row, last, count);
  if (p._splits == 1) return _finish(p, unit, sum);
  Partial<P>* const parts = p._partials + unit * p._splits;
  parts[split] = sum;
  if (gpuarr_kernel::climb(p, unit, split, parts, 1)) _finish(p, unit, *parts);
}

}  // namespace gpuarr_kernel
