// Exponential, logarithm, powers, and the trigonometric and hyperbolic functions of complex
// numbers. Infinities, NaNs and signs of zeros follow C's Annex G.

namespace gpuarr_prelude {

namespace gpuarr_detail {

template <class T>
struct limits {
  static constexpr bool is_float = sizeof(T) == 4;
  static constexpr T epsilon = is_float ? 0x1p-23 : 0x1p-52;
  static constexpr T smallest = is_float ? 0x1p-126 : 0x1p-1022;  // normal number
  static constexpr T largest_power = is_float ? 0x1p127 : 0x1p1023;
  static constexpr T exp_overflows = is_float ? 88 : 709;  // beyond this
};

// A product that no compiler fuses with a later addition.
template <class T>
inline T rounded_product(T x, T y) {
#ifdef __CUDACC_RTC__
  if constexpr (sizeof(T) == 4)
    return __fmul_rn(x, y);
  else
    return __dmul_rn(x, y);
#else
  return x * y;
#endif
}
template <class T>
inline T sum_error(T x, T y, T sum) {
  const T y_part = sum - x;
  return (x - (sum - y_part)) + (y - y_part);
}

// x^2 + y^2 - 1 without cancellation: every product and sum is followed up by its rounding error.
template <class T>
inline T norm_minus_one(T x, T y) {
  const T xx = rounded_product(x, x), xx_error = fma(x, x, -xx);
  const T yy = rounded_product(y, y), yy_error = fma(y, y, -yy);
  const T first = xx - 1, sum = first + yy, lost = xx_error + yy_error, total = sum + lost;
  return total + (sum_error(xx, T(-1), first) + sum_error(first, yy, sum) +
                  sum_error(xx_error, yy_error, lost));
}

template <class T>
inline T log_abs(T x, T y) {
  x = fabs(x);
  y = fabs(y);
  const T large = x > y ? x : y, small = x > y ? y : x;
  if (large > T(0.5) && large < T(1.5)) return log1p(norm_minus_one(large, small)) / 2;
  const T scale = large >= limits<T>::largest_power ? T(0.5) : T(1);
  return log(hypot(large * scale, small * scale)) + (scale == 1 ? T(0) : T(M_LN2));
}

}  // namespace gpuarr_detail

template <class T>
inline complex<T> exp(const complex<T>& z) {
  const bool huge = z.re > gpuarr_detail::limits<T>::exp_overflows;
  const T r = exp(huge ? z.re / 2 : z.re), again = huge ? r : T(1);
  if (z.im == 0) return {r * again, z.im};
  if (!isfinite(z.im) && isinf(z.re)) return {r, z.re > 0 ? z.im - z.im : T(0)};
  T sine, cosine;
  sincos(z.im, &sine, &cosine);
  return {r * cosine * again, r * sine * again};
}

template <class T>
inline complex<T> log(const complex<T>& z) {
  return {gpuarr_detail::log_abs(z.re, z.im), atan2(z.im, z.re)};
}
template <class T>
inline complex<T> log10(const complex<T>& z) {
  return log(z) * T(M_LOG10E);
}

template <class T>
inline complex<T> sqrt(const complex<T>& z) {
  const T infinity = INFINITY;
  T x = z.re, y = z.im, factor = 1;
  if (x == 0 && y == 0) return {T(0), y};
  if (isinf(y)) return {infinity, y};
  if (isinf(x) && x > 0) return {x, y == y ? copysign(T(0), y) : y};
  if (isinf(x)) return {y == y ? T(0) : y, copysign(infinity, y)};
  const T large = gpuarr_detail::larger_part(z);
  if (large > gpuarr_detail::limits<T>::largest_power / 2) {
    x /= 16;
    y /= 16;
    factor = 4;
  } else if (large < gpuarr_detail::limits<T>::smallest / gpuarr_detail::limits<T>::epsilon) {
    x *= T(0x1p64);
    y *= T(0x1p64);
    factor = T(0x1p-32);
  }
  const T root = sqrt((fabs(x) + hypot(x, y)) / 2), other = y / (2 * root);
  if (x >= 0) return {root * factor, other * factor};
  return {fabs(other) * factor, copysign(root * factor, y)};
}

namespace gpuarr_detail {

// sinh(x) = sinh * factor, where the product with a sine may be less than the largest number.
template <class T>
struct Hyperbolic {
  T sinh, cosh, factor;
};
template <class T>
inline Hyperbolic<T> hyperbolic(T x) {
  if (fabs(x) <= limits<T>::exp_overflows)
    return {gpuarr_prelude::sinh(x), gpuarr_prelude::cosh(x), T(1)};
  const T root = exp(fabs(x) / 2);
  return {copysign(root / 2, x), root / 2, root};
}

}  // namespace gpuarr_detail

template <class T>
inline complex<T> sinh(const complex<T>& z) {
  const T x = z.re, y = z.im;
  if (y == 0) return {sinh(x), y};
  if (!isfinite(y) && (x == 0 || isinf(x))) return {x, y - y};
  T sine, cosine;
  sincos(y, &sine, &cosine);
  const gpuarr_detail::Hyperbolic<T> h = gpuarr_detail::hyperbolic(x);
  return {h.sinh * cosine * h.factor, h.cosh * sine * h.factor};
}
template <class T>
inline complex<T> cosh(const complex<T>& z) {
  const T x = z.re, y = z.im;
  if (y == 0) return {cosh(x), signbit(x) ? -y : y};
  if (!isfinite(y) && x == 0) return {y - y, x};
  if (!isfinite(y) && isinf(x)) return {fabs(x), y - y};
  T sine, cosine;
  sincos(y, &sine, &cosine);
  const gpuarr_detail::Hyperbolic<T> h = gpuarr_detail::hyperbolic(x);
  return {h.cosh * cosine * h.factor, h.sinh * sine * h.factor};
}
template <class T>
inline complex<T> tanh(const complex<T>& z) {
  const T x = z.re, y = z.im, saturates = sizeof(T) == 4 ? 11 : 22;
  if (y == 0) return {tanh(x), y};
  if (!isfinite(y)) {
    if (isinf(x)) return {copysign(T(1), x), copysign(T(0), y)};
    return {x == 0 ? x : y - y, y - y};
  }
  if (fabs(x) > saturates) {
    T sine, cosine;
    sincos(y, &sine, &cosine);
    const T decay = exp(-fabs(x));
    return {copysign(T(1), x), 4 * sine * cosine * decay * decay};
  }
  const T t = tan(y), s = sinh(x), c = sqrt(1 + s * s), b = 1 + t * t, scale = 1 + b * s * s;
  return {b * c * s / scale, t / scale};
}

// f(z) = -i g(i z)
template <class T>
inline complex<T> sin(const complex<T>& z) {
  const complex<T> w = sinh(complex<T>(-z.im, z.re));
  return {w.im, -w.re};
}
template <class T>
inline complex<T> cos(const complex<T>& z) {
  return cosh(complex<T>(-z.im, z.re));
}
template <class T>
inline complex<T> tan(const complex<T>& z) {
  const complex<T> w = tanh(complex<T>(-z.im, z.re));
  return {w.im, -w.re};
}

namespace gpuarr_detail {

template <class T>
inline complex<T> power(complex<T> z, unsigned long long n) {
  if (n == 0) return {T(1), T(0)};
  for (; !(n & 1); n >>= 1) z = z * z;
  complex<T> result = z;
  while (n >>= 1) {
    z = z * z;
    if (n & 1) result = result * z;
  }
  return result;
}

}  // namespace gpuarr_detail

template <class T, class U, class R = decltype(T() + U())>
inline complex<R> pow(const complex<T>& z, const complex<U>& w) {
  if (w == 0) return {R(1), R(0)};
  if (z == 0 && w.re > 0) return {R(0), R(0)};
  return exp(complex<R>(w) * log(complex<R>(z)));
}
// A whole power up to 64 is a product, any other goes through polar coordinates.
template <class T, class A, class R = gpuarr_detail::wider<T, A>>
inline R pow(const complex<T>& z, const A& a) {
  const R x = z;
  if constexpr (A(1) / 2 == 0) {
    if (a >= 0 && a <= 64) return gpuarr_detail::power(x, a);
    if (a < 0 && a >= -64) return 1 / gpuarr_detail::power(x, -(long long)a);
  }
  if (a == 0) return 1;
  if (z.im == 0 && z.re > 0) return pow(x.re, a);
  return gpuarr_detail::polar(pow(abs(x), a), a * arg(x));
}
template <class T, class A, class R = gpuarr_detail::wider<T, A>>
inline R pow(const A& a, const complex<T>& w) {
  const R x = w;
  if (a > 0) return gpuarr_detail::polar(pow(a, x.re), x.im * log(a));
  return pow(R(a), x);
}

}  // namespace gpuarr_prelude
