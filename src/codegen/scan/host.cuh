// What rows and columns of a scan have on the CPU: _prefix(p, first, last), the second pass where
// the scanned axis is cut. Expected of the generated part: _reduce(p, a, b), and _identity(p) of a
// scan that is exclusive; and
//   Params::_scanned    type of what is scanned
//   Params::_exclusive  whether results leave their own element out
//
// Functions call each other by their full names here, and in the files that go with this one: else
// one of the user's with the same name would be found by the type of its arguments, and compete.
// What a kernel hands on goes by reference: after copies GCC gives out registers in another order.

namespace gpuarr_kernel {

template <class Params, class T>
static inline T result(const Params& p, bool has, const T& before, const T& after) {
  if constexpr (Params::_exclusive)
    return has ? before : _identity(p);
  else
    return after;
}

template <class Params>
static inline __attribute__((always_inline)) void _prefix(const Params& p, const long long& first,
                                                          const long long& last) {
  typedef typename Params::_scanned T;
  T* const states = (T*)p._states;
  const long long end = last * 256 < p._rows ? last * 256 : p._rows;
  for (long long row = first * 256; row < end; ++row) {
    T a = states[row];
    for (long long s = 1; s < p._chunks; ++s) {
      const T b = states[s * p._rows + row];
      states[s * p._rows + row] = a;
      if (s + 1 < p._chunks) a = _reduce(p, a, b);
    }
  }
}

}  // namespace gpuarr_kernel
