// Julia's meaning of operators and functions of numbers, for kernels that are written in it.

namespace gpuarr_julia {

using gpuarr_check::here;
using gpuarr_check::Place;

// An exception, which a kernel cannot throw: told under checks, else left out.
__device__ inline void require(bool condition, const char* message, Place place = here()) {
#ifdef GPUARR_CHECK_MEMORY
  if (!condition) gpuarr_check::fail(message, place);
#else
  (void)condition, (void)message, (void)place;
#endif
}

template <class T>
struct unsigned_of {};
// clang-format off
template <> struct unsigned_of<bool> { typedef unsigned char type; };
template <> struct unsigned_of<signed char> { typedef unsigned char type; };
template <> struct unsigned_of<short> { typedef unsigned short type; };
template <> struct unsigned_of<int> { typedef unsigned type; };
template <> struct unsigned_of<long> { typedef unsigned long type; };
template <> struct unsigned_of<long long> { typedef unsigned long long type; };
template <> struct unsigned_of<unsigned char> { typedef unsigned char type; };
template <> struct unsigned_of<unsigned short> { typedef unsigned short type; };
template <> struct unsigned_of<unsigned> { typedef unsigned type; };
template <> struct unsigned_of<unsigned long> { typedef unsigned long type; };
template <> struct unsigned_of<unsigned long long> { typedef unsigned long long type; };
template <> struct unsigned_of<float> { typedef unsigned type; };
template <> struct unsigned_of<double> { typedef unsigned long long type; };
// clang-format on
template <class T>
using Unsigned = typename unsigned_of<T>::type;

template <class T>
constexpr bool is_signed = (T)-1 < (T)0;
template <class A, class B>
constexpr bool is_same = false;
template <class A>
constexpr bool is_same<A, A> = true;
template <class T>
constexpr bool is_float = (T)0.5f != (T)0;
template <class T>
constexpr int bits_of = 8 * (int)sizeof(T);

// Integers wrap around. A second operand may be a literal of another type.
template <class A, class B>
__device__ inline A add(A a, B b) {
  return (A)((Unsigned<A>)a + (Unsigned<A>)b);
}
template <class A, class B>
__device__ inline A sub(A a, B b) {
  if constexpr (is_signed<A> && bits_of<A> == 16) return gpuarr_language::difference(a, (A)b);
  return (A)((Unsigned<A>)a - (Unsigned<A>)b);
}
// In 64 bits: two 16-bit numbers would meet in a signed int.
template <class A, class B>
__device__ inline A mul(A a, B b) {
  if constexpr (sizeof(A) < 4)
    return (A)((unsigned)a * (unsigned)b);
  else
    return (A)((Unsigned<A>)a * (Unsigned<A>)b);
}
template <class T>
__device__ inline T neg(T a) {
  return sub((T)0, a);
}
template <class T>
__device__ inline T abs(T a) {
  return a < 0 ? neg(a) : a;
}
template <class T>
__device__ inline T flipsign(T a, T b) {
  return b < 0 ? neg(a) : a;
}
template <class T>
__device__ inline bool add_overflows(T a, T b) {
  const T sum = add(a, b);
  return is_signed<T> ? (b < 0) != (sum < a) : sum < a;
}
template <class T>
__device__ inline bool sub_overflows(T a, T b) {
  const T rest = sub(a, b);
  return is_signed<T> ? (b < 0) != (rest > a) : a < b;
}
template <class T>
__device__ inline bool mul_overflows(T a, T b) {
  if (a == 0 || b == 0) return false;
  const T product = mul(a, b);
  if (is_signed<T> && ((a == (T)-1 && neg(b) == b) || (b == (T)-1 && neg(a) == a))) return true;
  return product / b != a;
}

// Comparisons by value of numbers of different types.
template <class A, class B>
__device__ inline int compare(A a, B b) {
  if constexpr (is_float<A> == is_float<B>) {
    if constexpr (is_float<A>) return a < b ? -1 : a > b;
    if ((a < 0) != (b < 0)) return a < 0 ? -1 : 1;
    const unsigned long long x = (unsigned long long)(long long)a;
    const unsigned long long y = (unsigned long long)(long long)b;
    return x < y ? -1 : x > y;
  } else if constexpr (is_float<A>) {
    return -compare(b, a);
  } else {
    // Both as floats first; where these are equal, the float is whole, and the integer may lie
    // beside it. 2^63 and 2^64 are what the largest integers round to.
    const double y = (double)b, x = (double)a;
    if (x < y || x > y) return x < y ? -1 : 1;
    if (is_signed<A> ? y >= 9223372036854775808.0 : y >= 18446744073709551616.0) return -1;
    const A whole = (A)y;
    return a < whole ? -1 : a > whole;
  }
}
template <class A, class B>
__device__ inline bool less(A a, B b) {
  if constexpr (is_float<A>)
    if (a != a) return false;
  if constexpr (is_float<B>)
    if (b != b) return false;
  return compare(a, b) < 0;
}
template <class A, class B>
__device__ inline bool less_equal(A a, B b) {
  if constexpr (is_float<A>)
    if (a != a) return false;
  if constexpr (is_float<B>)
    if (b != b) return false;
  return compare(a, b) <= 0;
}
template <class A, class B>
__device__ inline bool equal(A a, B b) {
  return less_equal(a, b) && !less(a, b);
}

// Bits.
template <class T, class S>
__device__ inline T bitcast(S x) {
  static_assert(sizeof(T) == sizeof(S), "as many bits");
  return __builtin_bit_cast(T, x);
}
template <class T>
__device__ inline bool signbit(T x) {
  if constexpr (sizeof(T) == 2)
    return bitcast<unsigned short>(x) >> 15;
  else
    return bitcast<Unsigned<T>>(x) >> (bits_of<T> - 1);
}
template <class T>
__device__ inline bool same_bits(T a, T b) {
  if constexpr (sizeof(T) == 2)
    return bitcast<unsigned short>(a) == bitcast<unsigned short>(b) || (a != a && b != b);
  else
    return bitcast<Unsigned<T>>(a) == bitcast<Unsigned<T>>(b) || (a != a && b != b);
}
template <class T>
__device__ inline bool isnan(T x) {
  return x != x;
}
template <class T>
__device__ inline bool isinf(T x) {
  return x == x && (x - x) != (x - x);
}
template <class T>
__device__ inline bool isfinite(T x) {
  return (x - x) == (x - x);
}
template <class T>
__device__ inline T count_ones(T x) {
  Unsigned<T> rest = (Unsigned<T>)x;
  T count = 0;
  for (; rest != 0; rest &= rest - 1) ++count;
  return count;
}
template <class T>
__device__ inline T leading_zeros(T x) {
  Unsigned<T> rest = (Unsigned<T>)x;
  T count = (T)bits_of<T>;
  for (; rest != 0; rest >>= 1) --count;
  return count;
}
template <class T>
__device__ inline T trailing_zeros(T x) {
  if (x == 0) return (T)bits_of<T>;
  Unsigned<T> rest = (Unsigned<T>)x;
  T count = 0;
  for (; (rest & 1) == 0; rest >>= 1) ++count;
  return count;
}
template <class T>
__device__ inline T byte_swap(T x) {
  Unsigned<T> rest = (Unsigned<T>)x, swapped = 0;
  for (int k = 0; k < (int)sizeof(T); ++k, rest = (Unsigned<T>)(rest >> (sizeof(T) > 1 ? 8 : 0)))
    swapped = (Unsigned<T>)((swapped << (sizeof(T) > 1 ? 8 : 0)) | (rest & 255));
  return (T)swapped;
}

// Shifts by more than the width give 0 or the sign, by a negative number they go the other way.
template <class T>
__device__ inline T shift_left(T x, long long n) {
  if (n < 0) return n <= -bits_of<T> ? (T)(x < 0 ? -1 : 0) : (T)(x >> -n);
  return n >= bits_of<T> ? (T)0 : (T)((unsigned long long)x << n);
}
template <class T>
__device__ inline T shift_right(T x, long long n) {
  if (n < 0) return n <= -bits_of<T> ? (T)0 : (T)((unsigned long long)x << -n);
  return n >= bits_of<T> ? (T)(x < 0 ? -1 : 0) : (T)(x >> n);
}
template <class T>
__device__ inline T shift_logical(T x, long long n) {
  const Unsigned<T> bits = (Unsigned<T>)x;
  if (n < 0) return n <= -bits_of<T> ? (T)0 : (T)((unsigned long long)bits << -n);
  return n >= bits_of<T> ? (T)0 : (T)(bits >> n);
}

}  // namespace gpuarr_julia
