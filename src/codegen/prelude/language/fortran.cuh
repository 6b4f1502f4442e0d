// Fortran's meaning of operators and functions, for kernels that are written in it: numbers.

namespace gpuarr_fortran {

template <class T>
struct Unsigned {
  typedef unsigned type;
};
template <>
struct Unsigned<long long> {
  typedef unsigned long long type;
};
template <>
struct Unsigned<short> {
  typedef unsigned short type;
};
template <>
struct Unsigned<signed char> {
  typedef unsigned char type;
};

template <class T>
struct IsInteger {
  static constexpr bool value = false;
};
template <>
struct IsInteger<signed char> {
  static constexpr bool value = true;
};
template <>
struct IsInteger<short> {
  static constexpr bool value = true;
};
template <>
struct IsInteger<int> {
  static constexpr bool value = true;
};
template <>
struct IsInteger<long long> {
  static constexpr bool value = true;
};

// x ** N for a literal N, in the order in which gfortran multiplies.
template <int N, class T>
__device__ constexpr T power(T x) {
  constexpr char first[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 6, 5, 6, 6, 10, 7, 9, 8};
  if constexpr (N == 0) {
    return T(1);
  } else if constexpr (N == 1) {
    return x;
  } else {
    constexpr int one = N <= 16 ? first[N] : N / 2, other = N - one;
    const T a = power<one>(x);
    if constexpr (one == other)
      return T(a * a);
    else
      return T(a * power<other>(x));
  }
}

template <class T>
__device__ constexpr T power_of_integer(T x, long long n) {
  typedef typename Unsigned<T>::type U;
  if (n < 0) return x == 1 ? T(1) : x == -1 ? T(n & 1 ? -1 : 1) : T(0);
  U result = 1, factor = (U)x;
  for (unsigned long long k = (unsigned long long)n; k != 0; k >>= 1) {
    if (k & 1) result = (U)(result * factor);
    factor = (U)(factor * factor);
  }
  return (T)result;
}

// x ** n for an integer n; 2 ** (-1) of integers is 0, as 1 / 2 is.
template <class T, class N>
__device__ inline T power(T x, N n) {
  if constexpr (IsInteger<T>::value) {
    return power_of_integer(x, (long long)n);
  } else {
    unsigned long long k = n < 0 ? 0 - (unsigned long long)n : (unsigned long long)n;
    T result = k & 1 ? x : T(1);
    while (k >>= 1) {
      x = x * x;
      if (k & 1) result = result * x;
    }
    return n < 0 ? T(1) / result : result;
  }
}

template <class T>
__device__ inline T mod(T a, T p) {
  if constexpr (IsInteger<T>::value)
    return (T)(a % p);
  else
    return fmod(a, p);
}

// The remainder with the sign of p.
template <class T>
__device__ inline T modulo(T a, T p) {
  if constexpr (IsInteger<T>::value) {
    const T rest = (T)(a % p);
    return rest != 0 && (rest < 0) != (p < 0) ? (T)(rest + p) : rest;
  } else {
    const T rest = fmod(a, p);
    return rest == 0 ? copysign(rest, p) : (rest < 0) != (p < 0) ? rest + p : rest;
  }
}

template <class T>
__device__ inline T abs(T x) {
  typedef typename Unsigned<T>::type U;
  return x < 0 ? (T)(0 - (U)x) : x;
}

template <class T>
__device__ inline T sign(T a, T b) {
  if constexpr (IsInteger<T>::value)
    return (T)(b < 0 ? 0 - (typename Unsigned<T>::type)abs(a) : abs(a));
  else
    return copysign(a, b);
}

template <class T>
__device__ inline T dim(T x, T y) {
  if constexpr (IsInteger<T>::value) {
    return x > y ? (T)(x - y) : T(0);
  } else {
    const T difference = x - y;
    return difference <= 0 ? T(0) : difference;
  }
}

// What they are of NaN is the compiler's choice: as in gfortran the second, by one instruction of a
// vector.
template <class T>
__device__ inline T max(T a, T b) {
  return a > b ? a : b;
}
template <class T>
__device__ inline T min(T a, T b) {
  return a < b ? a : b;
}

template <class I, class T>
__device__ inline I nint(T x) {
  return (I)round(x);
}
template <class I, class T>
__device__ inline I floor(T x) {
  if constexpr (IsInteger<T>::value)
    return (I)x;
  else
    return (I)::floor(x);
}
template <class I, class T>
__device__ inline I ceiling(T x) {
  if constexpr (IsInteger<T>::value)
    return (I)x;
  else
    return (I)ceil(x);
}

// Bits: shifts past the width give 0, which Fortran leaves open.
template <class T>
__device__ inline T shiftl(T i, long long by) {
  typedef typename Unsigned<T>::type U;
  return by >= (long long)(8 * sizeof(T)) ? T(0) : (T)(U)((U)i << by);
}
template <class T>
__device__ inline T shiftr(T i, long long by) {
  typedef typename Unsigned<T>::type U;
  return by >= (long long)(8 * sizeof(T)) ? T(0) : (T)(U)((U)i >> by);
}
template <class T>
__device__ inline T shifta(T i, long long by) {
  return by >= (long long)(8 * sizeof(T)) ? (T)(i < 0 ? -1 : 0) : (T)(i >> by);
}
template <class T>
__device__ inline T ishft(T i, long long by) {
  return by < 0 ? shiftr(i, -by) : shiftl(i, by);
}
template <class T>
__device__ inline T ishftc(T i, long long by, long long size = 8 * sizeof(T)) {
  typedef typename Unsigned<T>::type U;
  if (size <= 0 || by == 0 || by == size || by == -size) return i;
  const U mask = size >= (long long)(8 * sizeof(T)) ? (U) ~(U)0 : (U)(((U)1 << size) - 1);
  const long long left = by < 0 ? by + size : by;
  const U low = (U)((U)i & mask);
  const U turned = (U)(((U)(low << left) | (U)(low >> (size - left))) & mask);
  return (T)(U)(((U)i & (U)~mask) | turned);
}
template <class T>
__device__ inline T ibset(T i, long long at) {
  typedef typename Unsigned<T>::type U;
  return (T)(U)((U)i | (U)((U)1 << at));
}
template <class T>
__device__ inline T ibclr(T i, long long at) {
  typedef typename Unsigned<T>::type U;
  return (T)(U)((U)i & (U) ~(U)((U)1 << at));
}
template <class T>
__device__ inline bool btest(T i, long long at) {
  return (((typename Unsigned<T>::type)i >> at) & 1) != 0;
}
template <class T>
__device__ inline T ibits(T i, long long at, long long count) {
  typedef typename Unsigned<T>::type U;
  const U mask = count >= (long long)(8 * sizeof(T)) ? (U) ~(U)0 : (U)(((U)1 << count) - 1);
  return (T)(U)((U)shiftr(i, at) & mask);
}
template <class T>
__device__ inline T bit_not(T i) {
  return (T)~i;
}
template <class T>
__device__ inline T maskr(long long count) {
  return count == 0 ? T(0) : shiftr(T(-1), (long long)(8 * sizeof(T)) - count);
}
template <class T>
__device__ inline T maskl(long long count) {
  return count == 0 ? T(0) : shiftl(T(-1), (long long)(8 * sizeof(T)) - count);
}
template <class T>
__device__ inline int popcnt(T i) {
  int count = 0;
  for (typename Unsigned<T>::type u = (typename Unsigned<T>::type)i; u != 0; u &= u - 1) ++count;
  return count;
}
template <class T>
__device__ inline int poppar(T i) {
  return popcnt(i) & 1;
}
template <class T>
__device__ inline int trailz(T i) {
  int count = 0;
  while (count < (int)(8 * sizeof(T)) && !btest(i, count)) ++count;
  return count;
}
template <class T>
__device__ inline int leadz(T i) {
  int count = (int)(8 * sizeof(T));
  while (count > 0 && !btest(i, count - 1)) --count;
  return (int)(8 * sizeof(T)) - count;
}

template <class To, class From>
__device__ inline To transfer(From x) {
  return __builtin_bit_cast(To, x);
}

// The extremes of a type, that a fold by max or min begins with.
template <class T>
__device__ inline T greatest() {
  if constexpr (IsInteger<T>::value)
    return shiftr(T(-1), 1);
  else if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, 0x7f800000);
  else
    return __builtin_bit_cast(T, 0x7ff0000000000000);
}
template <class T>
__device__ inline T least() {
  if constexpr (IsInteger<T>::value)
    return (T)(-greatest<T>() - 1);
  else
    return -greatest<T>();
}

}  // namespace gpuarr_fortran
