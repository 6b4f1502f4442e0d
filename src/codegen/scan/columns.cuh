// Columns of a scan on a GPU, of which a block takes 32 neighbouring ones, each of its warps some
// consecutive elements of all of them: _scan(p), and where the scanned axis is cut _totals(p) and
// _prefix(p) before it.
//
// Expected of the generated part: the functions that scan.hpp names, and
//   Params::_scanned, _place  types of what is scanned, and of what _row gives
//   Params::_exclusive        whether results leave their own element out
//   Params::_packs            elements that a warp takes at once

namespace gpuarr_kernel {

template <class Params>
struct strip {
  typename Params::_place place;
  long long column, first, end, state;
  unsigned chunk;
  bool active;
};
template <class Params>
static __device__ __forceinline__ strip<Params> strip_of_block(const Params& p) {
  const unsigned outer = (unsigned)(p._rows / p._columns), q = blockIdx.x / (unsigned)p._cut;
  const unsigned s = q / outer, o = q - s * outer;
  const long long c = (long long)(blockIdx.x - q * (unsigned)p._cut) * 32 + threadIdx.x % 32;
  const long long first = (long long)s * p._chunk;
  const bool active = c < p._columns;
  const long long column = active ? c : p._columns - 1;
  return {_row(p, o),
          column,
          first,
          p._n - first < p._chunk ? p._n : first + p._chunk,
          s * p._rows + o * p._columns + column,
          s,
          active};
}

template <class Params, class T, int count>
static __device__ __forceinline__ T result(const Params& p, bool has, const T& before,
                                           const T (&a)[count], int k) {
  if constexpr (Params::_exclusive)
    return k > 0 ? (has ? _reduce(p, before, a[k > 0 ? k - 1 : 0]) : a[k > 0 ? k - 1 : 0])
           : has ? before
                 : _identity(p);
  else
    return has ? _reduce(p, before, a[k]) : a[k];
}

// What is not there is the last element once more: nothing that is there depends on it, and the
// total of the last chunk is nobody's.
template <bool writes, class Params>
static __device__ __forceinline__ void scan_strip(const Params& p, const strip<Params>& t) {
  typedef typename Params::_scanned T;
  constexpr int each = Params::_packs;
  alignas(16) __shared__ char bytes[2 * 256 * sizeof(T)];
  const int warp = threadIdx.x / 32;
  T* const states = (T*)p._states;
  bool any = writes && t.chunk > 0;
  T carry;
  if (any) carry = states[t.state];
  int turn = 0;
  for (long long base = t.first; base < t.end; base += 8 * each) {
    T* const sums = (T*)bytes + 256 * turn;
    turn = 1 - turn;
    const long long at = base + warp * each;
    T a[each];
#pragma unroll
    for (int k = 0; k < each; ++k)
      a[k] = _get(p, t.place, at + k < t.end ? at + k : t.end - 1, t.column);
#pragma unroll
    for (int k = 1; k < each; ++k) a[k] = _reduce(p, a[k - 1], a[k]);
    sums[threadIdx.x] = a[each - 1];
    __syncthreads();
    T before = carry;
    bool has = any;
#pragma unroll
    for (int v = 0; v < 8; ++v) {
      if (v == warp) {
        before = carry;
        has = any;
      }
      const T sum = sums[v * 32 + threadIdx.x % 32];
      carry = any ? _reduce(p, carry, sum) : sum;
      any = true;
    }
    if (!writes || !t.active) continue;
#pragma unroll
    for (int k = 0; k < each; ++k)
      if (at + k < t.end)
        _put(p, t.place, at + k, t.column, gpuarr_kernel::result(p, has, before, a, k));
  }
  if (!writes && t.active && warp == 0) states[t.state] = carry;
}

template <class Params>
static __device__ __forceinline__ void _totals(const Params& p) {
  const strip<Params> t = gpuarr_kernel::strip_of_block(p);
  if (t.chunk + 1 < p._chunks) gpuarr_kernel::scan_strip<false>(p, t);
}

// Loads are under way together.
template <class Params>
static __device__ __forceinline__ void _prefix(const Params& p) {
  typedef typename Params::_scanned T;
  T* const states = (T*)p._states;
  const long long row = (long long)blockIdx.x * 256 + threadIdx.x;
  if (row >= p._rows) return;
  T a = states[row];
  for (long long s = 1; s < p._chunks; s += 16) {
    T b[16];
#pragma unroll
    for (int k = 0; k < 16; ++k)
      if (s + k + 1 < p._chunks) b[k] = states[(s + k) * p._rows + row];
#pragma unroll
    for (int k = 0; k < 16; ++k)
      if (s + k < p._chunks) {
        states[(s + k) * p._rows + row] = a;
        if (s + k + 1 < p._chunks) a = _reduce(p, a, b[k]);
      }
  }
}

template <class Params>
static __device__ __forceinline__ void _scan(const Params& p) {
  gpuarr_kernel::scan_strip<true>(p, gpuarr_kernel::strip_of_block(p));
}

}  // namespace gpuarr_kernel
