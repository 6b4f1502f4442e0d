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
