// Methods of Rust's integers alone, and changes that other threads see at once.

namespace gpuarr_rust {

template <class T>
__device__ inline T wrapping_pow(T x, unsigned n) {
  T result = T(1);
  for (; n != 0; n /= 2) {
    if (n % 2 != 0) result = wrapping_mul(result, x);
    x = wrapping_mul(x, x);
  }
  return result;
}
template <class T>
__device__ inline T pow(T x, unsigned n GPUARR_RUST_PLACE) {
#ifdef GPUARR_CHECK_MEMORY
  T result = T(1);
  for (unsigned k = n; k != 0 && result != T(0); --k) {
    if (k == n && (x == T(0) || x == T(1))) return x;
    if (x == T(-1) && integer<T>::is_signed) break;
    GPUARR_RUST_CHECK(mul_overflows(result, x), "integer overflow in pow");
    result = wrapping_mul(result, x);
  }
#endif
  return wrapping_pow(x, n);
}

template <class T>
__device__ inline T wrapping_div(T a, T b GPUARR_RUST_PLACE) {
  GPUARR_RUST_CHECK(b == T(0), "division by zero");
  return div_overflows(a, b) ? a : T(a / b);
}
template <class T>
__device__ inline T wrapping_rem(T a, T b GPUARR_RUST_PLACE) {
  GPUARR_RUST_CHECK(b == T(0), "remainder by zero");
  return div_overflows(a, b) ? T(0) : T(a % b);
}
template <class T>
__device__ inline T wrapping_abs(T x) {
  return x < T(0) ? wrapping_neg(x) : x;
}
template <class T>
__device__ inline T saturating_add(T a, T b) {
  if (!add_overflows(a, b)) return wrapping_add(a, b);
  return b < T(0) ? integer<T>::min : integer<T>::max;
}
template <class T>
__device__ inline T saturating_sub(T a, T b) {
  if (!sub_overflows(a, b)) return wrapping_sub(a, b);
  return integer<T>::is_signed && b < T(0) ? integer<T>::max : integer<T>::min;
}
template <class T>
__device__ inline T saturating_mul(T a, T b) {
  if (!mul_overflows(a, b)) return wrapping_mul(a, b);
  return (a < T(0)) != (b < T(0)) ? integer<T>::min : integer<T>::max;
}

// The type of the same width without a sign.
template <int Bytes>
struct unsigned_of_bytes;
template <>
struct unsigned_of_bytes<1> {
  typedef unsigned char type;
};
template <>
struct unsigned_of_bytes<2> {
  typedef unsigned short type;
};
template <>
struct unsigned_of_bytes<4> {
  typedef unsigned type;
};
template <>
struct unsigned_of_bytes<8> {
  typedef unsigned long long type;
};
template <class T>
using unsigned_of = typename unsigned_of_bytes<sizeof(T)>::type;

template <class T>
__device__ inline unsigned_of<T> abs_diff(T a, T b) {
  typedef unsigned_of<T> U;
  return a < b ? wrapping_sub(U(b), U(a)) : wrapping_sub(U(a), U(b));
}
template <class T>
__device__ inline unsigned_of<T> unsigned_abs(T x) {
  return unsigned_of<T>(wrapping_abs(x));
}
template <class T>
__device__ inline bool is_positive(T x) {
  return x > T(0);
}
template <class T>
__device__ inline bool is_negative(T x) {
  return x < T(0);
}

template <class T>
__device__ inline unsigned count_ones(T x) {
#ifdef __CUDACC_RTC__
  return unsigned(__popcll(unsigned_of<T>(x)));
#else
  return unsigned(__builtin_popcountll(unsigned_of<T>(x)));
#endif
}
template <class T>
__device__ inline unsigned leading_zeros(T x) {
  const unsigned long long bits = unsigned_of<T>(x);
#ifdef __CUDACC_RTC__
  return unsigned(__clzll((long long)bits)) - (64 - integer<T>::bits);
#else
  return bits == 0 ? integer<T>::bits : unsigned(__builtin_clzll(bits)) - (64 - integer<T>::bits);
#endif
}
template <class T>
__device__ inline unsigned trailing_zeros(T x) {
  // The lowest bit and those below it.
  const unsigned_of<T> bits = unsigned_of<T>(x);
  return bits == 0 ? integer<T>::bits : count_ones(unsigned_of<T>((bits & ~bits + 1) - 1));
}
template <class T>
__device__ inline unsigned count_zeros(T x) {
  return count_ones(T(~x));
}
template <class T>
__device__ inline unsigned leading_ones(T x) {
  return leading_zeros(T(~x));
}
template <class T>
__device__ inline unsigned trailing_ones(T x) {
  return trailing_zeros(T(~x));
}
template <class T>
__device__ inline T rotate_left(T x, unsigned n) {
  const unsigned_of<T> bits = unsigned_of<T>(x);
  return T(wrapping_shl(bits, n) | wrapping_shr(bits, 0u - n));
}
template <class T>
__device__ inline T rotate_right(T x, unsigned n) {
  return rotate_left(x, 0u - n);
}
template <class T>
__device__ inline T swap_bytes(T x) {
  unsigned_of<T> from = unsigned_of<T>(x), to = 0;
  for (unsigned k = 0; k < sizeof(T); ++k) {
    to = unsigned_of<T>((unsigned long long)to << 8 | (from & 0xff));
    from = unsigned_of<T>((unsigned long long)from >> 8);
  }
  return T(to);
}
template <class T>
__device__ inline T reverse_bits(T x) {
  unsigned_of<T> from = unsigned_of<T>(x), to = 0;
  for (int k = 0; k < integer<T>::bits; ++k) {
    to = unsigned_of<T>((unsigned long long)to << 1 | (from & 1));
    from = unsigned_of<T>(from >> 1);
  }
  return T(to);
}
template <class T>
__device__ inline bool is_power_of_two(T x) {
  return count_ones(x) == 1;
}
template <class T>
__device__ inline T next_power_of_two(T x GPUARR_RUST_PLACE) {
  if (x <= T(1)) return T(1);
  const unsigned width = integer<T>::bits - leading_zeros(T(x - T(1)));
  GPUARR_RUST_CHECK(width == integer<T>::bits, "integer overflow in next_power_of_two");
  return width == integer<T>::bits ? T(0) : wrapping_shl(T(1), width);
}

// CUDA has additions and exchanges of 8 bytes for integers without a sign.
template <class T>
__device__ inline T atomic_add(T& place, T value) {
  if constexpr (is_integer<T>)
    return T(atomicAdd((unsigned_of<T>*)&place, unsigned_of<T>(value)));
  else
    return atomicAdd(&place, value);
}
template <class T>
__device__ inline T atomic_sub(T& place, T value) {
  if constexpr (is_integer<T>)
    return atomic_add(place, wrapping_neg(value));
  else
    return atomic_add(place, -value);
}
template <class T>
__device__ inline T atomic_min(T& place, T value) {
  return atomicMin(&place, value);
}
template <class T>
__device__ inline T atomic_max(T& place, T value) {
  return atomicMax(&place, value);
}
#define GPUARR_RUST_ATOMIC(name, function)                              \
  template <class T>                                                    \
  __device__ inline T name(T& place, T value) {                         \
    return T(function((unsigned_of<T>*)&place, unsigned_of<T>(value))); \
  }
GPUARR_RUST_ATOMIC(atomic_and, atomicAnd)
GPUARR_RUST_ATOMIC(atomic_or, atomicOr)
GPUARR_RUST_ATOMIC(atomic_xor, atomicXor)
#undef GPUARR_RUST_ATOMIC
template <class T>
__device__ inline T atomic_exchange(T& place, T value) {
  if constexpr (is_integer<T>) {
    return T(atomicExch((unsigned_of<T>*)&place, unsigned_of<T>(value)));
  } else {
    typedef typename bits_of<T>::type bits;
    return from_bits<T>(atomicExch((bits*)&place, to_bits(value)));
  }
}
template <class T>
__device__ inline T atomic_compare_exchange(T& place, T wanted, T value) {
  typedef unsigned_of<T> U;
  return T(atomicCAS((U*)&place, U(wanted), U(value)));
}

}  // namespace gpuarr_rust
