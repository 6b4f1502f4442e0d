// The prelude stands here.

#line 1 "gpuarr/layout/index.cuh"
// Indices along axes, taken out of the number of an element.
namespace gpuarr_kernel {

// The index along an axis of this extent, the last one of those that `rest` counts; `rest` is then
// the number along the others.
template <class Index, class Extent>
static __device__ __forceinline__ Index _take_index(Index& rest, const Extent& extent) {
  const Index number = rest;
  rest = number / extent;
  return number - rest * (Index)extent;
}

}  // namespace gpuarr_kernel

#line 1 "gpuarr/reduction/host/vector_map.cuh"
// Stands before rows.cuh where map calls functions of libmvec, and in rows of half numbers: a call,
// or a conversion, of one element takes as long as one of a vector.
#define GPUARR_VECTOR_MAP 1

#line 1 "gpuarr/row/call.cuh"
// What templates of rows know of a call's types, which stand behind them and the user's text.
struct _place;   // where an element of each array is
struct _row;     // what is known of a row
struct _values;  // GPU: what a thread has of a pack
namespace gpuarr_kernel {

// One of them; `P` are the call's _params, so that it is asked for when it is complete.
template <class P, class T>
struct of_call {
  typedef T type;
};
template <class P>
using PlaceOf = typename of_call<P, ::_place>::type;
template <class P>
using RowOf = typename of_call<P, ::_row>::type;
template <class P>
using ValuesOf = typename of_call<P, ::_values>::type;

}  // namespace gpuarr_kernel

#line 1 "gpuarr/reduction/host/tasks.cuh"
// Reductions on the CPU: what its forms share. A block is a group of tasks, and _splits tasks share
// a unit, which is a result or a tile of results.
//
// Of a call these templates know its _params, which have the types _partial and _place (where an
// element of each input is) and the plan's constants. What is generated for it stands behind the
// user's text, and is found by the type of p; the templates call each other by full names, so that
// no function of the user's is found in the same way. It is _reduce(p, a, b), and
//   _along(p, place, k)   what the element counts as that lies k further along the inner axis
//   _after(p, place, k)   the place k further along the inner reduced axis
//   _start(p, place, k)   rows: where row k of a result begins; columns: where line k does
namespace gpuarr_kernel {

template <class P>
using Partial = typename P::_partial;
template <class P>
using Place = typename P::_place;

// What is not plain is a record of the user's, which may have no constructor without arguments.
template <class T>
struct Plain {
  enum { value = !__is_class(T) };
};
#ifdef GPUARR_COMPLEX
template <class T>
struct Plain<complex<T>> {
  enum { value = 1 };
};
#endif

// Partial results side by side; `vector` of them fill a vector.
template <class T, int count>
struct Lanes {
  enum { vector = sizeof(T) > 4 ? 64 / sizeof(T) : 16 };
  alignas(64) char bytes[count * sizeof(T)];
  __forceinline__ T get(long long k) const { return ((const T*)bytes)[k]; }
  __forceinline__ void put(long long k, const T& value) { ((T*)bytes)[k] = value; }
};

static __forceinline__ long long least(long long x, long long y) { return x < y ? x : y; }

// Says that task `split` of a unit is done, which left a line of `width` partial results in
// `parts`; whether all are done and combined, in the first line.
//
// Of two neighbouring groups of tasks the one that is done last combines both, so that no thread is
// left with all of it. Their counter is that of the second's first task, and 0 again for the next
// launch.
template <class P>
static __attribute__((noinline)) bool climb(const P& p, long long unit, long long split,
                                            Partial<P>* parts, long long width) {
  unsigned* const done = p._counters + unit * p._splits;
  for (long long distance = 1; distance < p._splits; distance *= 2) {
    const long long one = split / (2 * distance) * (2 * distance), two = one + distance;
    if (two >= p._splits) continue;
    if (__atomic_add_fetch(done + two, 1u, __ATOMIC_ACQ_REL) == 1) return false;
    done[two] = 0;
    Partial<P>* const first = parts + one * width;
    const Partial<P>* const second = parts + two * width;
#pragma GCC unroll 1
#pragma GCC ivdep
    for (long long c = 0; c < width; ++c) first[c] = _reduce(p, first[c], second[c]);
  }
  return true;
}

// The tasks of blocks `first` up to `last`; `task` does one of them.
template <class P>
static __forceinline__ void _run_tasks(const P& p, long long first, long long last,
                                       void (*task)(const P&, long long, long long)) {
  const long long end = gpuarr_kernel::least(last * p._group, p._tasks);
  for (long long t = first * p._group; t < end; ++t) {
    const long long unit = p._splits == 1 ? t : t / p._splits;
    task(p, unit, t - unit * p._splits);
  }
}

}  // namespace gpuarr_kernel

#line 1 "gpuarr/reduction/host/rows.cuh"
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

#line 1 "gpuarr/row/host/rows.cuh"
// Rows on the CPU: a block has some of them, and goes through each in passes while it is in the
// cache. Stands behind what folds the rows of a reduction (reduction/host), so that the bits are
// those of a reduction of the row.
//
// Of a call these templates know its _params, _row (what is known of a row) and a struct for each
// pass: to the folds it is what _params are to them. Its _along(pass, place, k) also sets what is
// kept of element k, so that no second loop goes through the row; _put(body, place, k) stores an
// element, _put_row(body, place) all of them.
namespace gpuarr_kernel {

template <class P>
struct _stage {
  const P& _p;
  const RowOf<P> _of_row;
};

template <class Partial, class P>
struct _pass : _stage<P> {
  typedef Partial _partial;
  typedef PlaceOf<P> _place;
  enum { _single = 1, _ordered = 0, _element_bytes = P::_element_bytes, _part = P::_part };
};

template <class Pass>
static __forceinline__ typename Pass::_partial _reduce(const Pass& pass,
                                                       const typename Pass::_partial& a,
                                                       const typename Pass::_partial& b) {
  return Pass::_reduce(pass._p, a, b);
}
template <class Pass>
static __forceinline__ typename Pass::_place _start(const Pass&, const typename Pass::_place& place,
                                                    long long) {
  return place;
}

// Gives a kept value room for a row, and goes on behind it.
template <class T>
static __forceinline__ void _take_room(char*& from, long long count, T*& kept) {
  kept = (T*)from;
  from += (count * (long long)sizeof(T) + 63) / 64 * 64;
}

// What a pass folds of a row from element `first` on.
template <class Pass>
struct part {
  typedef Partial<Pass> _partial;
  typedef Place<Pass> _place;
  enum { _single = 1, _ordered = 0, _element_bytes = Pass::_element_bytes };
  const Pass& pass;
  const long long first;
};

template <class Pass>
static __forceinline__ Partial<Pass> _along(const part<Pass>& p, const Place<Pass>& place,
                                            long long k) {
  return _along(p.pass, place, p.first + k);
}
template <class Pass>
static __forceinline__ Partial<Pass> _reduce(const part<Pass>& p, const Partial<Pass>& a,
                                             const Partial<Pass>& b) {
  return _reduce(p.pass, a, b);
}
template <class Pass>
static __forceinline__ Place<Pass> _start(const part<Pass>&, const Place<Pass>& place, long long) {
  return place;
}

// A long row is folded in the parts that are a reduction's tasks, which are combined as those are.
template <class Pass>
static __forceinline__ Partial<Pass> fold_parts(const Pass& pass, const Place<Pass>& place,
                                                long long count) {
  enum { most = 48 };
  Lanes<Partial<Pass>, most> sums;
  long long depth = 0;
  for (long long number = 0, first = 0; first < count; ++number, first += Pass::_part) {
    const part<Pass> here = {pass, first};
    Partial<Pass> sum =
        gpuarr_kernel::fold(here, place, 0, 1, gpuarr_kernel::least(count - first, Pass::_part));
    if (count <= Pass::_part) return sum;
    for (long long done = number; done & 1; done >>= 1) sum = _reduce(pass, sums.get(--depth), sum);
    sums.put(depth++, sum);
  }
  Partial<Pass> sum = sums.get(--depth);
  while (depth > 0) sum = _reduce(pass, sums.get(--depth), sum);
  return sum;
}

template <class Pass, class P, class Place, class Row>
static __forceinline__ void run_pass(const P& p, const Place& place, Row& row) {
  const Pass pass = {{{p, row}}};
  Pass::_finish(p, gpuarr_kernel::fold_parts(pass, place, p._n), row);
}

template <class Body, class Place>
static __forceinline__ void put_elements(const Body& body, const Place& place, long long count) {
#ifdef __clang__
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
  for (long long k = 0; k < count; ++k) _put(body, place, k);
}

// Parameters of its own are no array's elements, for all the compiler knows.
template <class Body, class... Passes, class P>
static __forceinline__ void _run_rows(const P p, long long first, long long last) {
  const long long end = gpuarr_kernel::least(last * p._group, p._rows);
  for (long long number = first * p._group; number < end; ++number) {
    PlaceOf<P> place;
    _to_row(p, place, number);
    alignas(64) char room[P::_room_bytes];
    RowOf<P> row;
    _begin_row(place, row);
    _make_room(p, room, row);
    (gpuarr_kernel::run_pass<Passes>(p, place, row), ...);
    _put_row(Body{{p, row}}, place);
    _finish_row(p, place, row);
  }
}

}  // namespace gpuarr_kernel

