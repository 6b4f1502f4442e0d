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

#line 1 "gpuarr/layout/divisor.cuh"
// Numbers that a GPU divides by.
namespace gpuarr_kernel {

// Below 2^31, as are the numbers that are divided: a multiplication and a shift stand in for the
// division. fields.cpp chooses them.
struct _divisor {
  unsigned by, multiplier, shift, unused;

  __device__ __forceinline__ operator unsigned() const { return by; }
};

static __device__ __forceinline__ unsigned operator/(unsigned n, const _divisor& d) {
  return (unsigned)(((unsigned long long)n * d.multiplier) >> d.shift);
}

}  // namespace gpuarr_kernel

#line 1 "gpuarr/layout/packs.cuh"
// Packs on a GPU: neighbouring elements that a thread loads or stores at once.
namespace gpuarr_kernel {

// Aligned to its size, or to 16 bytes.
template <class T, int width>
struct alignas(sizeof(T) * width < 16 ? sizeof(T) * width : 16) _pack {
  T _element[width];

  __device__ __forceinline__ void _load(const T* from) { *this = *(const _pack*)from; }
  __device__ __forceinline__ void _store(T* to) const { *(_pack*)to = *this; }

  // One by one, where it may be misaligned.
  __device__ __forceinline__ void _load_each(const T* from) {
#pragma unroll
    for (int k = 0; k < width; ++k) _element[k] = from[k];
  }
  __device__ __forceinline__ void _store_each(T* to) const {
#pragma unroll
    for (int k = 0; k < width; ++k) to[k] = _element[k];
  }
  __device__ __forceinline__ void _fill(const T& value) {
#pragma unroll
    for (int k = 0; k < width; ++k) _element[k] = value;
  }
};

template <int width>
struct _width_tag {};  // so many elements side by side

}  // namespace gpuarr_kernel

#line 1 "gpuarr/reduction/cuda/join.cuh"
// Reductions on a GPU: what partial results of neighbouring lanes, and of blocks, come together by.
//
// Of a call these templates know its _params, which have the types _partial, _place (where an
// element of each input is), _index and _result (numbers of elements and of results) and the plan's
// constants. _reduce(p, a, b), _take(p, places, values, _width_tag<n>) and what else is generated
// for it stands behind the user's text, and is found by the type of p.
namespace gpuarr_kernel {

template <class P>
using Partial = typename P::_partial;
template <class P>
using Place = typename P::_place;
template <class P>
using Index = typename P::_index;
template <class P>
using Result = typename P::_result;

template <class T>
static __device__ __forceinline__ T of_lane_above(const T& own, int by) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &own, sizeof(T));
#pragma unroll
  for (int k = 0; k < (sizeof(T) + 3) / 4; ++k) words[k] = __shfl_down_sync(~0u, words[k], by);
  T other;
  memcpy((void*)&other, words, sizeof(T));
  return other;
}

// A lane's neighbour is the next group of elements, so that joining keeps their order: results of
// lanes 0 to 2d-1 are those of 0 to d-1 and of d to 2d-1. The first `active` lanes have something,
// or if there are gaps those whose `has` says so. `count` of them are joined side by side.
template <int size, class P, int count>
static __device__ __forceinline__ void join_lanes(const P& p, Partial<P> (&values)[count], int lane,
                                                  int active, bool (&has)[count]) {
  unsigned lanes_with[count];
  if (P::_gaps)
#pragma unroll
    for (int q = 0; q < count; ++q) lanes_with[q] = __ballot_sync(~0u, has[q]);
#pragma unroll 1
  for (int distance = 1; distance < size; distance *= 2)
#pragma unroll
    for (int q = 0; q < count; ++q) {
      const Partial<P> other = gpuarr_kernel::of_lane_above(values[q], distance);
      if (!P::_gaps) {
        if (lane + distance < active) values[q] = _reduce(p, values[q], other);
        continue;
      }
      const unsigned of_warp = threadIdx.x % 32;
      if (lanes_with[q] >> of_warp >> distance & 1) {
        values[q] = has[q] ? _reduce(p, values[q], other) : other;
        has[q] = true;
      }
      lanes_with[q] |= lanes_with[q] >> distance;
    }
}

// A kernel has the one that it calls: rows.cuh, ordered.cuh.
template <class P>
static __device__ bool fold(const P& p, const Place<P>& base, Index<P> item, const Index<P> end,
                            Partial<P>& sum);
template <class P>
static __device__ void fold_in_order(const P& p, const Place<P>& base, Index<P> item,
                                     const Index<P> end, int lane, Partial<P>& sum);

}  // namespace gpuarr_kernel

#line 1 "gpuarr/reduction/cuda/warps.cuh"
// Rows of a reduction on a GPU, as many lanes of a warp to a result as it takes, or all.
namespace gpuarr_kernel {

// Several results to a warp: a thread has one item of each of _unroll results, or the last one
// again.
template <class P>
static __device__ __forceinline__ void _reduce_few_items(const P& p) {
  enum { groups = 256 / P::_lanes };
  const int lane = threadIdx.x % P::_lanes;
  const Result<P> first = (Result<P>)blockIdx.x * (groups * P::_unroll) + threadIdx.x / P::_lanes;
  const Result<P> results = (Result<P>)p._results;
  const int active = (int)p._items, own = lane < active ? lane : active - 1;
  Place<P> places[P::_unroll];
  Partial<P> values[P::_unroll];
  int sizes[P::_unroll];
  bool has[P::_unroll];
#pragma unroll
  for (int q = 0; q < P::_unroll; ++q) {
    const Result<P> result = first + q * groups;
    sizes[q] = _item(p, _at_result(p, result < results ? result : results - 1), own, places[q]);
    has[q] = sizes[q] > 0 && lane < active;
  }
  if constexpr (!P::_ragged) {
    _take(p, places, values, _width_tag<P::_width>());
  } else {
#pragma unroll
    for (int q = 0; q < P::_unroll; ++q) {
      const Place<P> one[1] = {places[q]};
      Partial<P> value[1];
      if (sizes[q] == P::_width)
        _take(p, one, value, _width_tag<P::_width>());
      else if (sizes[q] == 1)
        _take(p, one, value, _width_tag<1>());
      if (sizes[q] > 0) values[q] = value[0];
    }
  }
  __syncwarp();
  gpuarr_kernel::join_lanes<P::_lanes>(p, values, lane, active, has);
  if (lane > 0) return;
#pragma unroll
  for (int q = 0; q < P::_unroll; ++q)
    if (first + q * groups < results) _finish(p, first + q * groups, values[q]);
}

// A warp has a result.
template <class P>
static __device__ __forceinline__ void _reduce_warps(const P& p) {
  const Result<P> result = (Result<P>)blockIdx.x * 8 + threadIdx.x / 32;
  if (result >= p._results) return;
  const int lane = threadIdx.x % 32;
  const Place<P> base = _at_result(p, result);
  Partial<P> sum[1];
  bool has[1];
  if constexpr (P::_ordered) {
    gpuarr_kernel::fold_in_order(p, base, 0, (Index<P>)p._items, lane, sum[0]);
  } else {
    has[0] = gpuarr_kernel::fold(p, base, lane, (Index<P>)p._items, sum[0]);
    __syncwarp();
    gpuarr_kernel::join_lanes<32>(p, sum, lane, p._items < 32 ? (int)p._items : 32, has);
  }
  if (lane == 0) _finish(p, result, sum[0]);
}

}  // namespace gpuarr_kernel

#line 1 "generated"
typedef
#line 1 "reduce_type"
float

#line 1 "generated"
_type_reduce;
#line 1 "reduce_type"
static_assert(__is_trivially_copyable(_type_reduce),
              "a reduce_type must be trivially copyable");
#line 1 "reduce_type"
static_assert(sizeof(_type_reduce) <= 64,
              "a reduce_type has at most 64 bytes");
#line 1 "reduce_type"
static_assert(__is_constructible(_type_reduce),
              "a reduce_type must have a default constructor");
#line 1 "reduce_type"
static_assert(__is_assignable(_type_reduce&, const _type_reduce&),
              "a reduce_type must be assignable");
#line 1 "generated"
typedef unsigned _index;
typedef unsigned _result;
struct _place;
struct _params {
  typedef ::_place _place;
  typedef ::_index _index;
  typedef ::_result _result;
  typedef _type_reduce _partial;
  enum { _width = 4, _unroll = 4, _lanes = 16 };
  enum { _ordered = 0 };
  enum { _gaps = 0, _ragged = 0 };
  long long _n;
  long long _results;
  long long _items;
  gpuarr_kernel::_divisor _row_items;
  gpuarr_kernel::_divisor _inner_tiles;
  gpuarr_kernel::_divisor _tiles;
  long long _splits;
  long long _split_items;
  _type_reduce* _partials;
  unsigned* _counters;
  gpuarr_kernel::_divisor _kept[1];
  gpuarr_kernel::_divisor _reduced[1];
  const float32* _data0;
  long long _stride0[2];
  float32* _data1;
  long long _stride1[1];
};

static __device__ __forceinline__ _type_reduce _reduce(
    const _params& _p, const _type_reduce& _a, const _type_reduce& _b) {
  const long long n = _p._n;
  {
    const _type_reduce& a = _a;
    const _type_reduce& b = _b;
    return
#line 1 "reduce"
a + b

;

#line 1 "generated"
  }
}

static __device__ __forceinline__ _type_reduce _map(
    const _params& _p, const float32& x, long long i, long long _J, long long _j) {
  const long long n = _p._n;
  {
    return
#line 1 "map"
x * x

;

#line 1 "generated"
  }
}

static __device__ __forceinline__ void _post(
    const _params& _p, _type_reduce _a, float32& y, long long i) {
  const long long n = _p._n;
  {
    _type_reduce& a = _a;
#line 1 "post"
y = sqrt(a)

;

#line 1 "generated"
  }
}

struct _results {
  float32* _data1;  // y
};

static __device__ __forceinline__ void _step_result(
    const _params& _p, _results& _at, int _axis, long long _by) {
  _at._data1 += _by * _p._stride1[_axis];
}

static __device__ __forceinline__ void _finish_at(
    const _params& _p, _result _outer, _result _inner, _type_reduce _a) {
  _results _to = {_p._data1};
  _step_result(_p, _to, 0, _inner);
  _post(_p, _a, *_to._data1, 0);
}

static __device__ __forceinline__ void _finish(const _params& _p, _result _rest, _type_reduce _a) {
  _finish_at(_p, 0, _rest, _a);
}

struct _place {
  const float32* _data0;  // x
};

static __device__ __forceinline__ void _step(
    const _params& _p, _place& _at, int _axis, long long _by) {
  _at._data0 += _by * _p._stride0[_axis];
}

static __device__ __forceinline__ _place _at_result(const _params& _p, _result _rest) {
  _place _at = {_p._data0};
  _step(_p, _at, 0, _rest);
  return _at;
}

// What each of some packs counts as.
template <int _width, int _count>
static __device__ __forceinline__ void _take(
    const _params& _p, const _place (&_at)[_count], _type_reduce (&_sums)[_count],
    gpuarr_kernel::_width_tag<_width>) {
  gpuarr_kernel::_pack<float32, _width> _values0[_count];
#pragma unroll
  for (int _q = 0; _q < _count; ++_q) _values0[_q]._load(_at[_q]._data0);
#pragma unroll
  for (int _q = 0; _q < _count; ++_q) {
    _sums[_q] = _map(_p, _values0[_q]._element[0], 0, 0, 0);
#pragma unroll
    for (int _k = 1; _k < _width; ++_k)
      _sums[_q] = _reduce(_p, _sums[_q], _map(_p, _values0[_q]._element[_k], 0, 0, 0));
  }
}

static __device__ __forceinline__ int _item(
    const _params& _p, const _place& _base, _index _number, _place& _at) {
  _at = _base;
  const _index _in_row = _number;
  const long long _begin = (long long)_in_row * 4;
  _at._data0 += _begin;
  return 4;
}

extern "C" __global__ void __launch_bounds__(256) norm_kernel(const __grid_constant__ _params _p) {
  gpuarr_kernel::_reduce_few_items(_p);
}
