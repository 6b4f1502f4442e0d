// Fortran's model of real numbers: huge, tiny, exponent, fraction, nearest and their like, by bits.

namespace gpuarr_fortran {

template <class T>
struct Model;
template <>
struct Model<float> {
  typedef int Bits;
  static constexpr int digits = 24, bias = 126, top = 255;
};
template <>
struct Model<double> {
  typedef long long Bits;
  static constexpr int digits = 53, bias = 1022, top = 2047;
};

// 2 ** k, for k from the least exponent of a normal number to the greatest.
template <class T>
__device__ inline T power_of_two(int k) {
  typedef typename Model<T>::Bits Bits;
  return __builtin_bit_cast(T, (Bits)(k + Model<T>::bias + 1) << (Model<T>::digits - 1));
}

template <class T>
__device__ inline T huge() {
  if constexpr (IsInteger<T>::value) {
    return greatest<T>();
  } else {
    typedef typename Model<T>::Bits Bits;
    return __builtin_bit_cast(T, ((Bits)Model<T>::top << (Model<T>::digits - 1)) - 1);
  }
}
template <class T>
__device__ inline T tiny() {
  return power_of_two<T>(-Model<T>::bias);
}
template <class T>
__device__ inline T epsilon() {
  return power_of_two<T>(1 - Model<T>::digits);
}

template <class T>
__device__ inline bool is_nan(T x) {
  return x != x;
}
template <class T>
__device__ inline bool is_finite(T x) {
  return x - x == 0;
}
template <class T>
__device__ inline bool is_negative(T x) {
  return __builtin_bit_cast(typename Model<T>::Bits, x) < 0;
}
template <class T>
__device__ inline bool is_normal(T x) {
  return is_finite(x) && (x == 0 || fabs(x) >= tiny<T>());
}

template <class T>
__device__ inline int stored_exponent(T x) {
  typedef typename Model<T>::Bits Bits;
  return (int)(__builtin_bit_cast(Bits, x) >> (Model<T>::digits - 1)) & Model<T>::top;
}

// e in x = f * 2 ** e, with f from 1/2 to 1; of what is not finite the greatest integer.
template <class T>
__device__ inline int exponent(T x) {
  if (x == 0) return 0;
  if (!is_finite(x)) return 2147483647;
  const int stored = stored_exponent(x);
  if (stored != 0) return stored - Model<T>::bias;
  return stored_exponent(x * power_of_two<T>(64)) - Model<T>::bias - 64;
}

template <class T>
__device__ inline T fraction(T x) {
  typedef typename Model<T>::Bits Bits;
  if (x == 0) return x;
  if (!is_finite(x)) return x - x;
  if (stored_exponent(x) == 0) x *= power_of_two<T>(64);
  const Bits place = (Bits)Model<T>::top << (Model<T>::digits - 1);
  const Bits half = (Bits)Model<T>::bias << (Model<T>::digits - 1);
  return __builtin_bit_cast(T, (__builtin_bit_cast(Bits, x) & ~place) | half);
}

// f * 2 ** e of a fraction, rounded once.
template <class T>
__device__ inline T composed(T f, long long e) {
  constexpr int least = -Model<T>::bias;
  if (e > Model<T>::bias + 2) return f * huge<T>() * 4;
  if (e - 1 >= least) return f * 2 * power_of_two<T>((int)(e - 1));
  const long long rest = e - least;
  return rest < -Model<T>::digits - 1 ? f * T(0)
                                      : f * power_of_two<T>((int)rest) * power_of_two<T>(least);
}

template <class T>
__device__ inline T scale(T x, long long k) {
  if (x == 0 || !is_finite(x)) return x;
  return composed(fraction(x), exponent(x) + k);
}
template <class T>
__device__ inline T set_exponent(T x, long long k) {
  if (x == 0) return x;
  if (!is_finite(x)) return x - x;
  return composed(fraction(x), k);
}
template <class T>
__device__ inline T spacing(T x) {
  if (!is_finite(x)) return x - x;
  const int e = exponent(x) - Model<T>::digits;
  return x == 0 || e < -Model<T>::bias ? tiny<T>() : power_of_two<T>(e);
}
template <class T>
__device__ inline T rrspacing(T x) {
  if (!is_finite(x)) return x - x;
  return fabs(fraction(x)) * power_of_two<T>(Model<T>::digits);
}

// The next number in the direction of s.
template <class T>
__device__ inline T nearest(T x, T s) {
  typedef typename Model<T>::Bits Bits;
  if (x != x) return x;
  const bool down = is_negative(s);
  if (x == 0) return __builtin_bit_cast(T, (Bits)1) * (down ? T(-1) : T(1));
  if (!is_finite(x) && (x < 0) == down) return x;
  const Bits bits = __builtin_bit_cast(Bits, x);
  return __builtin_bit_cast(T, bits + ((x < 0) == down ? 1 : -1));
}

}  // namespace gpuarr_fortran
