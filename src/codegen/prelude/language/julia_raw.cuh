// Arrays, shared memory and atomic operations of kernels that are written in Julia.

namespace gpuarr_julia_raw {

using namespace gpuarr_julia;

// An index of an array, with the place of the access.
struct Index {
  long long value = 1;
  Place place = {};
  Index() = default;
  template <class Int>
  __device__ Index(Int value, Place place = here()) : value((long long)value), place(place) {}
};
__device__ inline void check_index(const char* name, const Index& k, int axis, long long extent) {
#ifdef GPUARR_CHECK_MEMORY
  if (k.value < 1 || k.value > extent)
    gpuarr_check::bad_index(name, axis, k.value, 1, extent, k.place);
#else
  (void)name, (void)k, (void)axis, (void)extent;
#endif
}

// An array whose indices count from 1. If Unit, columns have no gaps; Words are how many of the
// view's elements one of T is, which lie along the view's last axis.
template <class T, int N, bool Unit>
struct array {
  T* data;
  long long extents[N ? N : 1];
  long long strides[N ? N : 1];

#ifdef GPUARR_CHECK_MEMORY
  const char* name;
#endif

  template <class Word, int M>
  __device__ array(const gpuarr_view<Word, M>& view, const char* called) : data((T*)view.data()) {
    for (int d = 0; d < N; ++d) {
      extents[d] = view.shape()[d];
      strides[d] = view.strides()[d] / (long long)(sizeof(T) / sizeof(Word));
    }
#ifdef GPUARR_CHECK_MEMORY
    name = called;
#else
    (void)called;
#endif
  }

  __device__ long long size() const {
    long long count = 1;
    for (int d = 0; d < N; ++d) count *= extents[d];
    return count;
  }
  __device__ long long size(int d) const { return extents[d]; }

#ifdef GPUARR_CHECK_MEMORY
  // Indices that know the place of the access.
  __device__ T& operator()() const { return at({}); }
  __device__ T& operator()(Index i) const { return at({i}); }
  __device__ T& operator()(Index i, Index j) const { return at({i, j}); }
  __device__ T& operator()(Index i, Index j, Index k) const { return at({i, j, k}); }
  __device__ T& operator()(Index i, Index j, Index k, Index l) const { return at({i, j, k, l}); }
  struct Indices {
    Index at[N ? N : 1];
  };
  __device__ T& at(const Indices& indices) const {
    long long offset = 0;
    for (int d = 0; d < N; ++d) {
      check_index(name, indices.at[d], d + 1, extents[d]);
      offset += (indices.at[d].value - 1) * strides[d];
    }
    return data[offset];
  }
#else
  __device__ T& operator()() const { return *data; }
  __device__ T& operator()(long long i) const { return data[column(i)]; }
  __device__ T& operator()(long long i, long long j) const {
    return data[column(i) + (j - 1) * strides[1]];
  }
  __device__ T& operator()(long long i, long long j, long long k) const {
    return data[column(i) + (j - 1) * strides[1] + (k - 1) * strides[2]];
  }
  __device__ T& operator()(long long i, long long j, long long k, long long l) const {
    return data[column(i) + (j - 1) * strides[1] + (k - 1) * strides[2] + (l - 1) * strides[3]];
  }
  __device__ long long column(long long i) const { return Unit ? i - 1 : (i - 1) * strides[0]; }
#endif
  // By one index, which counts in columns.
  __device__ T& linear(Index k) const {
#ifdef GPUARR_CHECK_MEMORY
    check_index(name, k, 0, size());
#endif
    long long rest = k.value - 1, offset = 0;
    for (int d = 0; d < N - 1; ++d) {
      offset += rest % extents[d] * strides[d];
      rest /= extents[d];
    }
    return data[N == 0 ? 0 : offset + rest * strides[N ? N - 1 : 0]];
  }
};

// Memory of a block, of constant sizes, where a kernel gives it to a function.
template <class T, int... Dims>
struct shared {
  T* data;

  __device__ long long size() const {
    const int extents[] = {Dims...};
    long long count = 1;
    for (int d = 0; d < (int)sizeof...(Dims); ++d) count *= extents[d];
    return count;
  }
  __device__ long long size(int d) const {
    const int extents[] = {Dims...};
    return extents[d];
  }
  template <class... Int>
  __device__ T& operator()(Int... indices) const {
    static_assert(sizeof...(Int) == sizeof...(Dims), "an index for each dimension");
    const int extents[] = {Dims...}, at[] = {(int)indices...};
    int offset = 0, stride = 1;
    for (int d = 0; d < (int)sizeof...(Dims); ++d) {
      offset += (at[d] - 1) * stride;
      stride *= extents[d];
    }
    return data[offset];
  }
  __device__ T& linear(Index k) const {
    check_index("shared memory", k, 0, size());
    return data[k.value - 1];
  }
};

// Atomic operations, which give what was there before. CUDA has some; the rest wait until nobody
// came between.
template <class T>
using Word = Unsigned<T>;
template <class T, class F>
__device__ inline T atomic_update(T* p, F change) {
  Word<T>* const place = (Word<T>*)p;
  Word<T> seen = *place;
  for (;;) {
    const T old = bitcast<T>(seen);
    const Word<T> found = atomicCAS(place, seen, bitcast<Word<T>>((T)change(old)));
    if (found == seen) return old;
    seen = found;
  }
}
template <class T>
__device__ inline T atomic_add(T* p, T v) {
  if constexpr (is_float<T>)
    return atomicAdd(p, v);
  else
    return (T)atomicAdd((Unsigned<T>*)p, (Unsigned<T>)v);
}
template <class T>
__device__ inline T atomic_sub(T* p, T v) {
  if constexpr (is_float<T>)
    return atomicAdd(p, -v);
  else
    return (T)atomicAdd((Unsigned<T>*)p, (Unsigned<T>)neg(v));
}
template <class T>
__device__ inline T atomic_and(T* p, T v) {
  return (T)atomicAnd((Unsigned<T>*)p, (Unsigned<T>)v);
}
template <class T>
__device__ inline T atomic_or(T* p, T v) {
  return (T)atomicOr((Unsigned<T>*)p, (Unsigned<T>)v);
}
template <class T>
__device__ inline T atomic_xor(T* p, T v) {
  return (T)atomicXor((Unsigned<T>*)p, (Unsigned<T>)v);
}
template <class T>
__device__ inline T atomic_max(T* p, T v) {
  if constexpr (is_float<T>)
    return atomic_update(p, [v](T old) { return max(old, v); });
  else
    return atomicMax(p, v);
}
template <class T>
__device__ inline T atomic_min(T* p, T v) {
  if constexpr (is_float<T>)
    return atomic_update(p, [v](T old) { return min(old, v); });
  else
    return atomicMin(p, v);
}
template <class T>
__device__ inline T atomic_exchange(T* p, T v) {
  return bitcast<T>(atomicExch((Word<T>*)p, bitcast<Word<T>>(v)));
}

}  // namespace gpuarr_julia_raw
