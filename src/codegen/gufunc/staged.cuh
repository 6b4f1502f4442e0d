// The cores of a warp's places in shared memory: neighbouring lanes copy neighbouring elements
// there and back, however far apart the cores lie that their bodies have.
namespace gpuarr_gufunc {

// Of a warp's 32 places `count` are there. A lane without one goes along with the last one.
struct _warp {
  int lane, count, own;
  __device__ __forceinline__ bool has_place() const { return lane < count; }
};
template <class Count>
static __device__ __forceinline__ _warp _warp_of(Count places) {
  const int lane = threadIdx.x % 32, count = places < 32 ? (int)places : 32;
  return {lane, count, lane < count ? lane : count - 1};
}

// Asynchronously, where the GPU can.
template <class T>
static __device__ __forceinline__ void _copy_to_shared(T* to, const T* from) {
#if __CUDA_ARCH__ >= 800
  if constexpr (sizeof(T) == alignof(T) && sizeof(T) >= 4) {
    asm volatile(
        "cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((unsigned)__cvta_generic_to_shared(to)),
        "l"(from), "n"(sizeof(T))
        : "memory");
    return;
  }
#endif
  *to = *from;
}

static __device__ __forceinline__ void _wait_for_cores() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
  __syncwarp();
}

// Cores of `size` each, one behind the other in memory, lie `stride` apart in shared memory: where
// that is which a lane copies k-th. Most of it is known when this is compiled.
template <int size, int stride>
static __device__ __forceinline__ int _padded(int lane, int k) {
  const unsigned at = 32 * k + lane;
  if constexpr (stride == size) return at;
  if constexpr (size % 32 == 0) return 32 * k / size * stride + 32 * k % size + lane;
  if constexpr (32 % size == 0) return 32 / size * k * stride + lane / size * stride + lane % size;
  return at / size * stride + at % size;
}
template <int size, int stride, class T>
static __device__ __forceinline__ void _load_cores(T* to, const T* from, const _warp& warp) {
#pragma unroll 16
  for (int k = 0; k < size; ++k)
    if (32 * k + warp.lane < warp.count * size)
      gpuarr_gufunc::_copy_to_shared(to + gpuarr_gufunc::_padded<size, stride>(warp.lane, k),
                                     from + 32 * k + warp.lane);
}
template <int size, int stride, class T>
static __device__ __forceinline__ void _store_cores(T* to, const T* from, const _warp& warp) {
#pragma unroll 16
  for (int k = 0; k < size; ++k)
    if (32 * k + warp.lane < warp.count * size)
      to[32 * k + warp.lane] = from[gpuarr_gufunc::_padded<size, stride>(warp.lane, k)];
}

// One operand's, for all warps of a block. `together` says that a warp's cores lie one behind the
// other in memory; `at` is where the thread's own is.
template <class T, int size, int threads>
struct _staged {
  // An odd number of units from one core to the next: lanes have banks of their own.
  static constexpr int unit = sizeof(T) < 4 ? 4 : sizeof(T);
  static constexpr int units = (size * sizeof(T) + unit - 1) / unit | 1;
  static constexpr int stride = units * (unit / sizeof(T));
  static constexpr bool has_words = sizeof(T) < 4 && size * sizeof(T) % 4 == 0;
  static constexpr int words = size * sizeof(T) / 4;

  alignas(16) T all[threads * stride];

  __device__ __forceinline__ T* own() { return all + threadIdx.x * stride; }
  __device__ __forceinline__ T* of_warp() { return all + threadIdx.x / 32 * (32 * stride); }
  static __device__ __forceinline__ bool is_aligned(const T* at) {
    return (unsigned long long)at % 4 == 0;
  }

  __device__ __forceinline__ void load(const T* at, const _warp& warp, bool together) {
    const T* const from = at - warp.own * size;
    if (!together)
      for (int k = 0; k < size; ++k) own()[k] = at[k];
    else if (has_words && is_aligned(from))
      gpuarr_gufunc::_load_cores<words, units>((unsigned*)of_warp(), (const unsigned*)from, warp);
    else
      gpuarr_gufunc::_load_cores<size, stride>(of_warp(), from, warp);
  }

  // Of elements that the body did not touch, memory keeps what it had.
  template <class Mask>
  __device__ __forceinline__ void store(T* at, const _warp& warp, Mask touched, bool together) {
    const bool here = warp.has_place();
    const Mask whole = ~Mask(0) >> (8 * sizeof(Mask) - size);
    T* const to = at - warp.own * size;
    if (!__all_sync(~0u, !here || (together && touched == whole))) {
      for (int k = 0; here && k < size; ++k)
        if (touched >> k & 1) at[k] = own()[k];
    } else if (has_words && is_aligned(to)) {
      gpuarr_gufunc::_store_cores<words, units>((unsigned*)to, (const unsigned*)of_warp(), warp);
    } else {
      gpuarr_gufunc::_store_cores<size, stride>(to, of_warp(), warp);
    }
  }
};

// The element has this value unless it has its own. There is no branch, and what is stored is what
// a body's assignment overwrites: numbers, and not the struct around them. So compilers see that it
// is dead.
template <class T>
static __device__ __forceinline__ auto _give(T& to, const T& value, bool keep, int)
    -> decltype((void)to.im) {
  auto* const parts = &to.re;
  const auto re = parts[0], im = parts[1], new_re = value.re, new_im = value.im;
  parts[0] = keep ? re : new_re;
  parts[1] = keep ? im : new_im;
}
template <class T>
static __device__ __forceinline__ auto _give(T& to, const T& value, bool keep, int)
    -> decltype((void)to.bits) {
  const auto bits = to.bits, new_bits = value.bits;
  to.bits = keep ? bits : new_bits;
}
template <class T>
static __device__ __forceinline__ void _give(T& to, const T& value, bool keep, long) {
  const T now = to, other = value;
  to = keep ? now : other;
}

// A core that the body writes: a gpuarr_view of shared memory, in which an element gets its value
// when it is first touched. That value is dead where the body assigns to the element, so that the
// compiler drops it, and nothing is read.
template <class T, int N, bool Contiguous, class Mask>
struct _output {
  gpuarr_view<T, N, Contiguous> slots_;
  const T* before_;  // in memory
  Mask* touched_;

  static constexpr int ndim = N;
  __device__ __forceinline__ long long size() const { return slots_.size(); }
  __device__ __forceinline__ const long long* shape() const { return slots_.shape(); }
  __device__ __forceinline__ const long long* strides() const { return slots_.strides(); }

  __device__ __forceinline__ T* data() const {
    for (int k = 0; k < size(); ++k) touch(slots_.data()[k]);
    return slots_.data();
  }
  __device__ __forceinline__ operator gpuarr_view<T, N, Contiguous>() const {
    data();
    return slots_;
  }
  __device__ __forceinline__ T& operator[](long long k) const { return touch(slots_[k]); }
  __device__ __forceinline__ T& operator[](const gpuarr_indices<N>& indices) const {
    return touch(slots_[indices]);
  }
  template <class Int>
  __device__ __forceinline__ T& operator[](const Int (&indices)[N]) const {
    return touch(slots_[indices]);
  }
  template <class... Int>
  __device__ __forceinline__ T& operator()(Int... index) const {
    return touch(slots_(index...));
  }

 private:
  __device__ __forceinline__ T& touch(T& element) const {
    const int k = (int)(&element - slots_.data());
    gpuarr_gufunc::_give(element, before_[k], *touched_ >> k & 1, 0);
    *touched_ |= Mask(1) << k;
    return element;
  }
};

}  // namespace gpuarr_gufunc
