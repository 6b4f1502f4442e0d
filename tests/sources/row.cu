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

#line 1 "gpuarr/row/cuda/streams.cuh"
// Packs of rows on a GPU, each of which is read once and written once: they leave the caches to
// what is read again. Stands behind packs.cuh.
//
// A row may be written over one that is read, so the compiler keeps these in their order.
namespace gpuarr_kernel {

template <class T, int width>
static __device__ __forceinline__ _pack<T, width> _load_streamed(const T* from) {
  enum { bytes = sizeof(T) * width, words = (bytes + 3) / 4 };
  unsigned word[words];
  if constexpr (bytes % 16 == 0) {
#pragma unroll
    for (int k = 0; k < words; k += 4)
      asm volatile("ld.global.cs.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(word[k]), "=r"(word[k + 1]), "=r"(word[k + 2]), "=r"(word[k + 3])
                   : "l"((const unsigned*)from + k)
                   : "memory");
  } else if constexpr (bytes == 8) {
    asm volatile("ld.global.cs.v2.u32 {%0, %1}, [%2];"
                 : "=r"(word[0]), "=r"(word[1])
                 : "l"(from)
                 : "memory");
  } else if constexpr (bytes == 4) {
    asm volatile("ld.global.cs.u32 %0, [%1];" : "=r"(word[0]) : "l"(from) : "memory");
  } else if constexpr (bytes == 2) {
    unsigned short half;
    asm volatile("ld.global.cs.u16 %0, [%1];" : "=h"(half) : "l"(from) : "memory");
    word[0] = half;
  } else {
    asm volatile("ld.global.cs.u8 %0, [%1];" : "=r"(word[0]) : "l"(from) : "memory");
  }
  _pack<T, width> pack;
  memcpy((void*)&pack, word, bytes);
  return pack;
}

template <class T, int width>
static __device__ __forceinline__ void _store_streamed(T* to, const _pack<T, width>& pack) {
  enum { bytes = sizeof(T) * width, words = (bytes + 3) / 4 };
  unsigned word[words] = {};
  memcpy(word, &pack, bytes);
  if constexpr (bytes % 16 == 0) {
#pragma unroll
    for (int k = 0; k < words; k += 4)
      asm volatile("st.global.cs.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"((unsigned*)to + k),
                   "r"(word[k]), "r"(word[k + 1]), "r"(word[k + 2]), "r"(word[k + 3])
                   : "memory");
  } else if constexpr (bytes == 8) {
    asm volatile("st.global.cs.v2.u32 [%0], {%1, %2};" ::"l"(to), "r"(word[0]), "r"(word[1])
                 : "memory");
  } else if constexpr (bytes == 4) {
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(to), "r"(word[0]) : "memory");
  } else if constexpr (bytes == 2) {
    asm volatile("st.global.cs.u16 [%0], %1;" ::"l"(to), "h"((unsigned short)word[0]) : "memory");
  } else {
    asm volatile("st.global.cs.u8 [%0], %1;" ::"l"(to), "r"(word[0]) : "memory");
  }
}

}  // namespace gpuarr_kernel

#line 1 "gpuarr/row/cuda/join.cuh"
// What the threads that share a row have of a pass, joined, so that all of them get it. Stands
// behind reduction/cuda/join.cuh.
namespace gpuarr_kernel {

// What the first of so many neighbouring lanes has.
template <int lanes, class T>
static __device__ __forceinline__ T of_first_lane(const T& own) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &own, sizeof(T));
#pragma unroll
  for (int k = 0; k < (sizeof(T) + 3) / 4; ++k) words[k] = __shfl_sync(~0u, words[k], 0, lanes);
  T first;
  memcpy((void*)&first, words, sizeof(T));
  return first;
}

// The first of so many neighbouring lanes gets it. Which is the left one counts for bits: of -0 and
// +0 an operator may take the first.
template <class Pass, int lanes, class P>
static __device__ __forceinline__ void join_neighbours(const P& p, typename Pass::_partial& sum) {
#pragma unroll
  for (int distance = 1; distance < lanes; distance *= 2)
    sum = Pass::_reduce(p, sum, gpuarr_kernel::of_lane_above(sum, distance));
}

// Warps meet in one of two places by turns: when a block comes back to one, a barrier has been
// between.
template <class Pass, class P>
static __device__ __forceinline__ typename Pass::_partial join_row(const P& p,
                                                                   typename Pass::_partial sum,
                                                                   unsigned turn) {
  typedef typename Pass::_partial Partial;
  if constexpr (P::_lanes <= 32) {
    gpuarr_kernel::join_neighbours<Pass, P::_lanes>(p, sum);
    return P::_lanes == 1 ? sum : gpuarr_kernel::of_first_lane<P::_lanes>(sum);
  } else {
    enum { warps = P::_lanes / 32, bytes = warps * sizeof(Partial) };
    __shared__ alignas(Partial) alignas(16) unsigned char memory[P::_turns][bytes];
    Partial* const of_warp = (Partial*)memory[turn];
    gpuarr_kernel::join_neighbours<Pass, 32>(p, sum);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = of_warp[threadIdx.x % warps];
    gpuarr_kernel::join_neighbours<Pass, warps>(p, sum);
    return gpuarr_kernel::of_first_lane<32>(sum);
  }
}

}  // namespace gpuarr_kernel

#line 1 "gpuarr/row/cuda/elements.cuh"
// The elements of a thread's pack, one after the other. Stands before the forms.
//
// Of a call these templates know its _params, which have types and the plan's constants, the struct
// _row (what is known of a row), _values (what a thread has of a pack) and a struct for each stage:
//   Stage::_read(p, place, item, values)     has what the stage reads of pack `item`, as far as the
//                                            thread does not have it already
//   Pass::_take(p, place, row, values, item, k)   what element k of it counts as; it sets the
//                                            values that are kept
//   Pass::_reduce(p, a, b), Pass::_finish(p, sum, row)
//   Body::_put(p, place, row, values, item, k)    sets an element of the outputs
// and _store(p, place, item, values), which stores a pack of them.
namespace gpuarr_kernel {

template <class Partial>
struct _pass {
  typedef Partial _partial;
};

template <class Pass, class P, class Place, class Row, class Values>
static __device__ __forceinline__ typename Pass::_partial take_pack(const P& p, const Place& place,
                                                                    const Row& row, Values& values,
                                                                    int item) {
  typename Pass::_partial sum = Pass::_take(p, place, row, values, item, 0);
#pragma unroll
  for (int k = 1; k < P::_width; ++k)
    sum = Pass::_reduce(p, sum, Pass::_take(p, place, row, values, item, k));
  return sum;
}

template <class Body, class P, class Place, class Row, class Values>
static __device__ __forceinline__ void put_pack(const P& p, const Place& place, const Row& row,
                                                Values& values, int item) {
#pragma unroll
  for (int k = 0; k < P::_width; ++k) Body::_put(p, place, row, values, item, k);
  _store(p, place, item, values);
}

}  // namespace gpuarr_kernel

#line 1 "gpuarr/row/cuda/registers.cuh"
// Rows in the registers of the threads that share them: lanes of a warp, a warp, or a block.
//
// Beside what elements.cuh expects, a call has _load(p, place, item, values), for what the threads
// have of a row. A stage reads what all rows have alike.
namespace gpuarr_kernel {

// The number of a thread's pack q. Where there is no such pack it is the last one again, which
// costs less than to ask before each load.
template <class P>
static __device__ __forceinline__ int item_of(const P& p, int lane, int q) {
  const int item = lane + q * P::_lanes;
  const bool is_last = !P::_exact && q == P::_packs - 1;
  return is_last && item >= (int)p._items ? (int)p._items - 1 : item;
}

template <class P>
static __device__ __forceinline__ bool has_pack(const P& p, int lane, int q) {
  return P::_exact || q < P::_packs - 1 || lane + q * P::_lanes < (int)p._items;
}

template <class Pass, class P, class Place, class Row, class Values>
static __device__ __forceinline__ typename Pass::_partial take_item(const P& p, const Place& place,
                                                                    const Row& row, Values& values,
                                                                    int item) {
  Pass::_read(p, place, item, values);
  return gpuarr_kernel::take_pack<Pass>(p, place, row, values, item);
}

template <class Pass, class P, class Place, class Row, class Values>
static __device__ __forceinline__ void run_pass(const P& p, const Place& place, int lane, Row& row,
                                                Values (&values)[P::_packs]) {
  typename Pass::_partial sum =
      gpuarr_kernel::take_item<Pass>(p, place, row, values[0], gpuarr_kernel::item_of(p, lane, 0));
#pragma unroll
  for (int q = 1; q < P::_packs; ++q) {
    const typename Pass::_partial more = gpuarr_kernel::take_item<Pass>(
        p, place, row, values[q], gpuarr_kernel::item_of(p, lane, q));
    if (gpuarr_kernel::has_pack(p, lane, q)) sum = Pass::_reduce(p, sum, more);
  }
  Pass::_finish(p, gpuarr_kernel::join_row<Pass>(p, sum, 0), row);
}

template <class Body, class... Passes, class P>
static __device__ __forceinline__ void _run_in_registers(const P& p) {
  typedef typename P::_index Index;
  enum { rows = P::_threads / P::_lanes };  // of a block
  const int lane = threadIdx.x % P::_lanes;
  const Index number = (Index)blockIdx.x * rows + threadIdx.x / P::_lanes;
  const bool inside = rows == 1 || number < (Index)p._rows;
  PlaceOf<P> place;
  _to_row(p, place, inside ? number : (Index)p._rows - 1);
  RowOf<P> row;
  ValuesOf<P> values[P::_packs];
#pragma unroll
  for (int q = 0; q < P::_packs; ++q)
    _load(p, place, gpuarr_kernel::item_of(p, lane, q), values[q]);
  _begin_row(place, row);
  (gpuarr_kernel::run_pass<Passes>(p, place, lane, row, values), ...);
  if (!inside) return;
#pragma unroll
  for (int q = 0; q < P::_packs; ++q) {
    // Where weights are loaded a test holds them back, or all would be in registers at once.
    const bool has =
        P::_tests ? lane + q * P::_lanes < (int)p._items : gpuarr_kernel::has_pack(p, lane, q);
    if (!has) continue;
    const int item = gpuarr_kernel::item_of(p, lane, q);
    Body::_read(p, place, item, values[q]);
    gpuarr_kernel::put_pack<Body>(p, place, row, values[q], item);
  }
  if (lane == 0) _finish_row(p, place, row);
}

}  // namespace gpuarr_kernel

#line 1 "generated"
struct _params {
  typedef unsigned _index;
  enum { _width = 4, _lanes = 4 };
  enum { _turns = 1, _threads = 256, _packs = 4, _exact = 1, _tests = 0 };
  long long _n;
  long long _rows;
  long long _items;
  gpuarr_kernel::_divisor _kept[1];
  const float32* _data0;
  long long _stride0[2];
  float32* _data1;
  long long _stride1[2];
};

struct _place {
  const float32* _data0;  // x
  float32* _data1;  // y
};

static __device__ __forceinline__ void _step(
    const _params& _p, _place& _at, int _axis, unsigned _by) {
  _at._data0 += (long long)_by * _p._stride0[_axis];
  _at._data1 += (long long)_by * _p._stride1[_axis];
}

static __device__ __forceinline__ void _to_row(const _params& _p, _place& _at, unsigned _row) {
  _at = _place{_p._data0, _p._data1};
  _step(_p, _at, 0, _row);
}

struct _row {
  float32 _result0;  // m
  float32 _result1;  // s
};

static __device__ __forceinline__ void _begin_row(const _place& _at, _row& _of_row) {
}

struct _values {
  gpuarr_kernel::_pack<float32, 4> _own0;
  gpuarr_kernel::_pack<float32, 4> _kept0;
  gpuarr_kernel::_pack<float32, 4> _out1;
};

static __device__ __forceinline__ void _load(
    const _params& _p, const _place& _at, int _item, _values& _own) {
  _own._own0 = gpuarr_kernel::_load_streamed<float32, 4>(_at._data0 + _item * 4);
}

struct _pass0 : gpuarr_kernel::_pass<float> {
  static __device__ __forceinline__ float _reduce0(
      const _params& _p, const float& _a, const float& _b) {
  const long long n = _p._n;
  {
  const float& a = _a;
  const float& b = _b;
  return
#line 1 "reduce"
a > b || a != a ? a : b

;

#line 1 "generated"
  }
}
  static __device__ __forceinline__ _partial _reduce(
      const _params& _p, const _partial& _a, const _partial& _b) {
  return _partial(_reduce0(_p, _a, _b));
}
  static __device__ __forceinline__ void _finish(
      const _params& _p, const _partial& _sum, _row& _of_row) {
  const long long n = _p._n;
  {
  const float a = _sum;
  _of_row._result0 =
#line 1 "post"
a

;

#line 1 "generated"
  }
}
  static __device__ __forceinline__ void _read(
      const _params& _p, const _place& _at, int _item, _values& _own) {
}
  static __device__ __forceinline__ _partial _take(
      const _params& _p, const _place& _at, const _row& _of_row, _values& _own, int _item, int _k) {
  const long long n = _p._n;
  const float32 x = _own._own0._element[_k];
  const float _map0 =
#line 1 "map"
x

;

#line 1 "generated"
  return _partial(_map0);
}
};

struct _pass1 : gpuarr_kernel::_pass<float> {
  static __device__ __forceinline__ float _reduce0(
      const _params& _p, const float& _a, const float& _b) {
  const long long n = _p._n;
  {
  const float& a = _a;
  const float& b = _b;
  return
#line 1 "reduce"
a + b

;

#line 1 "generated"
  }
}
  static __device__ __forceinline__ float _identity0(const _params& _p) {
  const long long n = _p._n;
  return
#line 1 "identity"
0

;

#line 1 "generated"
}
  static __device__ __forceinline__ _partial _reduce(
      const _params& _p, const _partial& _a, const _partial& _b) {
  return _partial(_reduce0(_p, _a, _b));
}
  static __device__ __forceinline__ void _finish(
      const _params& _p, const _partial& _sum, _row& _of_row) {
  const long long n = _p._n;
  {
  const float a = _reduce0(_p, _identity0(_p), _sum);
  _of_row._result1 =
#line 1 "post"
a

;

#line 1 "generated"
  }
}
  static __device__ __forceinline__ void _read(
      const _params& _p, const _place& _at, int _item, _values& _own) {
}
  static __device__ __forceinline__ _partial _take(
      const _params& _p, const _place& _at, const _row& _of_row, _values& _own, int _item, int _k) {
  const long long n = _p._n;
  const float32 x = _own._own0._element[_k];
  const float32 m = _of_row._result0;
  float32& e = _own._kept0._element[_k];
  {
#line 1 "keep"
e = exp(x - m)

;

#line 1 "generated"
  }
  const float _map0 =
#line 1 "map"
e

;

#line 1 "generated"
  return _partial(_map0);
}
};

struct _body {
  static __device__ __forceinline__ void _read(
      const _params& _p, const _place& _at, int _item, _values& _own) {
}
  static __device__ __forceinline__ void _put(
      const _params& _p, const _place& _at, const _row& _of_row, _values& _own, int _item, int _k) {
  const long long n = _p._n;
  const float32 s = _of_row._result1;
  const float32 e = _own._kept0._element[_k];
  float32& y = _own._out1._element[_k];
  {
#line 1 "body"
y = e / s

;

#line 1 "generated"
  }
}
};

static __device__ __forceinline__ void _store(
    const _params& _p, const _place& _at, int _item, const _values& _own) {
  gpuarr_kernel::_store_streamed(_at._data1 + _item * 4, _own._out1);
}

static __device__ __forceinline__ void _finish_row(
    const _params& _p, const _place& _at, const _row& _of_row) {
  const long long n = _p._n;
  {
  }
}

extern "C" __global__ void __launch_bounds__(256) softmax_kernel(
    const __grid_constant__ _params _p) {
  gpuarr_kernel::_run_in_registers<_body, _pass0, _pass1>(_p);
}
