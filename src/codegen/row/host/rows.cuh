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
