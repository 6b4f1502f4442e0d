// Rust's types, operators and casts, for kernels that are written in it. Integers wrap around, as
// in a release build; with checks, an overflow is an error that names its line.

#ifdef GPUARR_CHECK_MEMORY
#define GPUARR_RUST_PLACE , gpuarr_check::Place place = gpuarr_check::here()
#define GPUARR_RUST_HERE , place
#define GPUARR_RUST_CHECK(is_wrong, message) \
  if (is_wrong) gpuarr_check::fail(message, place)
#else
#define GPUARR_RUST_PLACE
#define GPUARR_RUST_HERE
#define GPUARR_RUST_CHECK(is_wrong, message)
#endif

namespace gpuarr_rust {

typedef unsigned long long usize;

// What a type of integers is computed in without overflow being undefined, 0 for other types; its
// limits; and what holds all sums and products of it, if anything does.
template <class T>
struct integer {
  static constexpr int bits = 0;
};
template <class T, class Wide, class Twice>
struct integer_of {
  typedef Wide wide;
  typedef Twice twice;
  static constexpr bool is_signed = T(-1) < T(0);
  static constexpr int bits = 8 * sizeof(T);
  static constexpr T min = is_signed ? T(1ull << (bits - 1)) : T(0);
  static constexpr T max = T(~min);
};
template <>
struct integer<signed char> : integer_of<signed char, unsigned, int> {};
template <>
struct integer<unsigned char> : integer_of<unsigned char, unsigned, int> {};
template <>
struct integer<short> : integer_of<short, unsigned, long long> {};
template <>
struct integer<unsigned short> : integer_of<unsigned short, unsigned, long long> {};
template <>
struct integer<int> : integer_of<int, unsigned, long long> {};
template <>
struct integer<unsigned> : integer_of<unsigned, unsigned, unsigned long long> {};
template <>
struct integer<long long> : integer_of<long long, unsigned long long, long long> {};
template <>
struct integer<unsigned long long>
    : integer_of<unsigned long long, unsigned long long, unsigned long long> {};
template <>
struct integer<long> : integer_of<long, unsigned long, long> {};
template <>
struct integer<unsigned long> : integer_of<unsigned long, unsigned long, unsigned long> {};

template <class T>
constexpr bool is_integer = integer<T>::bits != 0;

// A sum, difference or product as all integers count, and whether it is beyond the limits.
template <class T>
__device__ constexpr T wrapping_add(T a, T b) {
  return T(typename integer<T>::wide(a) + typename integer<T>::wide(b));
}
template <class T>
__device__ inline T wrapping_sub(T a, T b) {
  if constexpr (integer<T>::is_signed && integer<T>::bits == 16)
    return gpuarr_language::difference(a, b);
  return T(typename integer<T>::wide(a) - typename integer<T>::wide(b));
}
template <class T>
__device__ constexpr T wrapping_mul(T a, T b) {
  return T(typename integer<T>::wide(a) * typename integer<T>::wide(b));
}
template <class T>
__device__ inline T wrapping_neg(T a) {
  return wrapping_sub(T(0), a);
}

template <class T>
__device__ constexpr bool add_overflows(T a, T b) {
  if (!integer<T>::is_signed) return wrapping_add(a, b) < a;
  return b < T(0) ? a < T(integer<T>::min - b) : a > T(integer<T>::max - b);
}
template <class T>
__device__ constexpr bool sub_overflows(T a, T b) {
  if (!integer<T>::is_signed) return a < b;
  return b < T(0) ? a > T(integer<T>::max + b) : a < T(integer<T>::min + b);
}
template <class T>
__device__ constexpr bool mul_overflows(T a, T b) {
  if (a == T(0) || b == T(0)) return false;
  if (integer<T>::is_signed && (a == T(-1) || b == T(-1))) {
    return a == integer<T>::min || b == integer<T>::min;
  }
  const T product = wrapping_mul(a, b);
  return product / b != a;
}

// Whether a quotient is none: of 0, and of the least integer by -1.
template <class T>
__device__ constexpr bool div_overflows(T a, T b) {
  return integer<T>::is_signed && a == integer<T>::min && b == T(-1);
}

#define GPUARR_RUST_OPERATOR(name, op, text)                                  \
  template <class T>                                                          \
  __device__ inline T name(T a, T b GPUARR_RUST_PLACE) {                      \
    if constexpr (is_integer<T>) {                                            \
      GPUARR_RUST_CHECK(name##_overflows(a, b), "integer overflow in " text); \
      return wrapping_##name(a, b);                                           \
    } else {                                                                  \
      return T(a op b);                                                       \
    }                                                                         \
  }
GPUARR_RUST_OPERATOR(add, +, "+")
GPUARR_RUST_OPERATOR(sub, -, "-")
GPUARR_RUST_OPERATOR(mul, *, "*")
#undef GPUARR_RUST_OPERATOR

template <class T>
__device__ inline T neg(T a GPUARR_RUST_PLACE) {
  if constexpr (is_integer<T>) {
    GPUARR_RUST_CHECK(a == integer<T>::min, "integer overflow in -");
    return wrapping_neg(a);
  } else {
    return T(-a);
  }
}
template <class T>
__device__ inline T inverted(T a) {
  return T(~a);
}

template <class T>
__device__ inline T div(T a, T b GPUARR_RUST_PLACE) {
  if constexpr (is_integer<T>) {
    GPUARR_RUST_CHECK(b == T(0), "division by zero");
    GPUARR_RUST_CHECK(div_overflows(a, b), "integer overflow in /");
  }
  return T(a / b);
}
template <class T>
__device__ inline T rem(T a, T b GPUARR_RUST_PLACE) {
  if constexpr (is_integer<T>) {
    GPUARR_RUST_CHECK(b == T(0), "remainder by zero");
    GPUARR_RUST_CHECK(div_overflows(a, b), "integer overflow in %");
    return T(a % b);
  } else if constexpr (sizeof(T) == 8) {
    return ::fmod(a, b);
  } else {
    return T(::fmod(float(a), float(b)));
  }
}

template <class T>
__device__ constexpr T bit_and(T a, T b) {
  return T(a & b);
}
template <class T>
__device__ constexpr T bit_or(T a, T b) {
  return T(a | b);
}
template <class T>
__device__ constexpr T bit_xor(T a, T b) {
  return T(a ^ b);
}

// How far a loop of step_by() goes on each time.
template <class N>
__device__ inline N step(N by GPUARR_RUST_PLACE) {
  GPUARR_RUST_CHECK(by == N(0), "a step of zero in step_by");
  return by;
}

// Shifts look at as many bits of the count as the type needs.
template <class T, class N>
__device__ constexpr T wrapping_shl(T a, N count) {
  return T(typename integer<T>::wide(a) << (count & (integer<T>::bits - 1)));
}
template <class T, class N>
__device__ constexpr T wrapping_shr(T a, N count) {
  return T(a >> (count & (integer<T>::bits - 1)));
}
template <class T, class N>
__device__ inline T shl(T a, N count GPUARR_RUST_PLACE) {
  GPUARR_RUST_CHECK(count < N(0) || count >= N(integer<T>::bits), "shift past the width in <<");
  return wrapping_shl(a, count);
}
template <class T, class N>
__device__ inline T shr(T a, N count GPUARR_RUST_PLACE) {
  GPUARR_RUST_CHECK(count < N(0) || count >= N(integer<T>::bits), "shift past the width in >>");
  return wrapping_shr(a, count);
}

#define GPUARR_RUST_ASSIGN(name)                                      \
  template <class T, class N>                                         \
  __device__ inline void name##_assign(T& a, N b GPUARR_RUST_PLACE) { \
    a = name(a, b GPUARR_RUST_HERE);                                  \
  }
GPUARR_RUST_ASSIGN(add)
GPUARR_RUST_ASSIGN(sub)
GPUARR_RUST_ASSIGN(mul)
GPUARR_RUST_ASSIGN(div)
GPUARR_RUST_ASSIGN(rem)
GPUARR_RUST_ASSIGN(shl)
GPUARR_RUST_ASSIGN(shr)
#undef GPUARR_RUST_ASSIGN

#define GPUARR_RUST_ASSIGN(name)                    \
  template <class T>                                \
  __device__ inline void name##_assign(T& a, T b) { \
    a = name(a, b);                                 \
  }
GPUARR_RUST_ASSIGN(bit_and)
GPUARR_RUST_ASSIGN(bit_or)
GPUARR_RUST_ASSIGN(bit_xor)
#undef GPUARR_RUST_ASSIGN

// 2 to the power of so many.
template <class From>
__device__ constexpr From power_of_two(int bits) {
  return From(1ull << (bits - 1)) * From(2);
}

// From floats, to the nearest integer towards 0 that the type has; a NaN becomes 0.
template <class To, class From>
__device__ inline To saturated(From x) {
  constexpr int bits = integer<To>::bits - (integer<To>::is_signed ? 1 : 0);
  const From above = power_of_two<From>(bits);
  const From below = integer<To>::is_signed ? -above : From(0);
  return x >= above ? integer<To>::max : x >= below ? To(x) : x < below ? integer<To>::min : To(0);
}
#ifdef __CUDACC_RTC__  // which has instructions for it
template <>
__device__ inline int saturated<int, float>(float x) {
  return __float2int_rz(x);
}
template <>
__device__ inline unsigned saturated<unsigned, float>(float x) {
  return __float2uint_rz(x);
}
#endif

template <class To, class From>
__device__ inline To cast(From x) {
  if constexpr (is_integer<To> && !is_integer<From> && sizeof(From) > 1) {
    if constexpr (sizeof(From) == 2)
      return saturated<To>(float(x));
    else
      return saturated<To>(x);
  } else {
    return To(x);
  }
}

// Tuples, arrays and slices. Without an index out of range they are no more than their contents.
template <class... T>
struct tuple;
template <class A>
struct tuple<A> {
  A _0;
};
template <class A, class B>
struct tuple<A, B> {
  A _0;
  B _1;
};
template <class A, class B, class C>
struct tuple<A, B, C> {
  A _0;
  B _1;
  C _2;
};
template <class A, class B, class C, class D>
struct tuple<A, B, C, D> {
  A _0;
  B _1;
  C _2;
  D _3;
};
template <class A, class B, class C, class D, class E>
struct tuple<A, B, C, D, E> {
  A _0;
  B _1;
  C _2;
  D _3;
  E _4;
};
template <class A, class B, class C, class D, class E, class F>
struct tuple<A, B, C, D, E, F> {
  A _0;
  B _1;
  C _2;
  D _3;
  E _4;
  F _5;
};

// An index with the line where it stands.
#ifdef GPUARR_CHECK_MEMORY
struct index {
  usize value;
  gpuarr_check::Place place;
  __device__ index(usize i, gpuarr_check::Place at = gpuarr_check::here()) : value(i), place(at) {}
};
__device__ inline usize in_range(index i, usize count, const char* name) {
  if (i.value >= count)
    gpuarr_check::bad_index(name, 0, (long long)i.value, 0, (long long)count - 1, i.place);
  return i.value;
}
__device__ inline usize at(usize i, usize count, const char* name GPUARR_RUST_PLACE) {
  return in_range(index(i, place), count, name);
}
#else
typedef usize index;
__device__ constexpr usize in_range(usize i, usize, const char*) { return i; }
#endif

template <class T, usize N>
struct array {
  T items[N];
  __device__ inline T& operator[](index i) { return items[in_range(i, N, "array")]; }
  __device__ inline const T& operator[](index i) const { return items[in_range(i, N, "array")]; }
};

template <class T>
struct slice {
  T* items;
  usize count;
  __device__ inline T& operator[](index i) const { return items[in_range(i, count, "slice")]; }
  __device__ inline slice(T* first, usize n) : items(first), count(n) {}
  template <class U, usize N>
  __device__ inline slice(array<U, N>& all) : items(all.items), count(N) {}
  template <class U, usize N>
  __device__ inline slice(const array<U, N>& all) : items(all.items), count(N) {}
  template <class U>
  __device__ inline slice(const slice<U>& all) : items(all.items), count(all.count) {}
};

template <class T>
__device__ inline slice<T> slice_of(T* first, usize count) {
  return slice<T>(first, count);
}

template <class T, usize N>
__device__ constexpr usize len(const array<T, N>&) {
  return N;
}
template <class T>
__device__ inline usize len(const slice<T>& all) {
  return all.count;
}
template <class A>
__device__ inline bool is_empty(const A& all) {
  return len(all) == 0;
}
template <class A>
__device__ inline void swap(A&& all, index i, index j) {
  const auto kept = all[i];
  all[i] = all[j];
  all[j] = kept;
}

template <class A>
struct item_of;
template <class T, usize N>
struct item_of<array<T, N>> {
  typedef T type;
  static constexpr usize count = N;
};
template <class A>
__device__ inline A repeat(typename item_of<A>::type value) {
  A all;
  for (usize k = 0; k < item_of<A>::count; ++k) all.items[k] = value;
  return all;
}

}  // namespace gpuarr_rust
