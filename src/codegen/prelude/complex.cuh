// complex<T>: arithmetic and parts of complex numbers, with real numbers of any type mixed in.
//
// A product is four multiplications, without C's search for infinities, so that it is vectorised
// and is the same on both devices. A quotient is scaled: it overflows only if the result does.

#define GPUARR_COMPLEX

namespace gpuarr_prelude {

template <class T>
struct alignas(2 * sizeof(T)) complex;

namespace gpuarr_detail {

template <class A>
struct scalar : real_of<decltype(A() + A())> {};
template <class T>
struct scalar<complex<T>> {};

template <class T, class A, class = typename scalar<A>::type>
using wider = complex<decltype(T() + A())>;

}  // namespace gpuarr_detail

template <class T>
struct alignas(2 * sizeof(T)) complex {
  typedef T value_type;
  T re, im;

  complex() = default;
  complex(T real, T imag) : re(real), im(imag) {}
  template <class A, class = typename gpuarr_detail::scalar<A>::type>
  complex(const A& real) : re((T)real), im(0) {}
  template <class U>
  complex(const complex<U>& z) : re((T)z.re), im((T)z.im) {}

  T real() const { return re; }
  T imag() const { return im; }
  void real(T value) { re = value; }
  void imag(T value) { im = value; }

  // Found by their argument alone, so that a user's text may have such names for what it likes.
  friend inline T real(const complex& z) { return z.re; }
  friend inline T imag(const complex& z) { return z.im; }
  friend inline T norm(const complex& z) { return z.re * z.re + z.im * z.im; }
  friend inline T arg(const complex& z) { return atan2(z.im, z.re); }
  friend inline complex conj(const complex& z) { return {z.re, -z.im}; }
  friend inline complex proj(const complex& z) {
    if (isinf(z.re) || isinf(z.im)) return {(T)INFINITY, copysign(T(0), z.im)};
    return z;
  }

  template <class A>
  complex& operator+=(const A& x) {
    return *this = *this + x;
  }
  template <class A>
  complex& operator-=(const A& x) {
    return *this = *this - x;
  }
  template <class A>
  complex& operator*=(const A& x) {
    return *this = *this * x;
  }
  template <class A>
  complex& operator/=(const A& x) {
    return *this = *this / x;
  }
};

typedef complex<float> complex64;
typedef complex<double> complex128;

template <class T>
inline complex<T> operator+(const complex<T>& z) {
  return z;
}
template <class T>
inline complex<T> operator-(const complex<T>& z) {
  return {-z.re, -z.im};
}

template <class T, class U, class R = decltype(T() + U())>
inline complex<R> operator+(const complex<T>& x, const complex<U>& y) {
  return {x.re + y.re, x.im + y.im};
}
template <class T, class A, class R = gpuarr_detail::wider<T, A>>
inline R operator+(const complex<T>& z, const A& a) {
  return {z.re + a, z.im};
}
template <class T, class A, class R = gpuarr_detail::wider<T, A>>
inline R operator+(const A& a, const complex<T>& z) {
  return {a + z.re, z.im};
}

template <class T, class U, class R = decltype(T() + U())>
inline complex<R> operator-(const complex<T>& x, const complex<U>& y) {
  return {x.re - y.re, x.im - y.im};
}
template <class T, class A, class R = gpuarr_detail::wider<T, A>>
inline R operator-(const complex<T>& z, const A& a) {
  return {z.re - a, z.im};
}
template <class T, class A, class R = gpuarr_detail::wider<T, A>>
inline R operator-(const A& a, const complex<T>& z) {
  return {a - z.re, -z.im};
}

template <class T, class U, class R = decltype(T() + U())>
inline complex<R> operator*(const complex<T>& x, const complex<U>& y) {
  return {x.re * y.re - x.im * y.im, x.re * y.im + x.im * y.re};
}
template <class T, class A, class R = gpuarr_detail::wider<T, A>>
inline R operator*(const complex<T>& z, const A& a) {
  return {z.re * a, z.im * a};
}
template <class T, class A, class R = gpuarr_detail::wider<T, A>>
inline R operator*(const A& a, const complex<T>& z) {
  return {a * z.re, a * z.im};
}

namespace gpuarr_detail {

// 2^k, and the exponent of a finite x >= 0, for |k| and exponents to which a bias makes normal.
inline float power_of_two(int k, float) { return __builtin_bit_cast(float, (k + 127) << 23); }
inline double power_of_two(int k, double) {
  return __builtin_bit_cast(double, (long long)(k + 1023) << 52);
}
inline int exponent(float x) {
  const int e = (int)(__builtin_bit_cast(unsigned, x) >> 23);
  return (e < 1 ? 1 : e > 253 ? 253 : e) - 127;
}
inline int exponent(double x) {
  const int e = (int)(__builtin_bit_cast(unsigned long long, x) >> 52);
  return (e < 1 ? 1 : e > 2045 ? 2045 : e) - 1023;
}
template <class T>
inline T larger_part(const complex<T>& z) {
  const T x = fabs(z.re), y = fabs(z.im);
  return x > y ? x : y;
}
template <class T>
inline T sign_if_infinite(T x) {
  return copysign(isinf(x) ? T(1) : T(0), x);
}

// What C's Annex G says of a quotient that came out as NaN + NaN i.
template <class T>
inline complex<T> quotient_of_special(const complex<T>& x, const complex<T>& y) {
  const T infinity = INFINITY;
  if (y.re == 0 && y.im == 0)
    return {copysign(infinity, y.re) * x.re, copysign(infinity, y.re) * x.im};
  complex<T> a = x, b = y;
  T factor = 1;
  if ((isinf(x.re) || isinf(x.im)) && isfinite(y.re) && isfinite(y.im)) {
    a = {sign_if_infinite(x.re), sign_if_infinite(x.im)};
    factor = infinity;
  } else if ((isinf(y.re) || isinf(y.im)) && isfinite(x.re) && isfinite(x.im)) {
    b = {sign_if_infinite(y.re), sign_if_infinite(y.im)};
    factor = 0;
  } else {
    return {infinity - infinity, infinity - infinity};
  }
  return {factor * (a.re * b.re + a.im * b.im), factor * (a.im * b.re - a.re * b.im)};
}

template <class T>
inline complex<T> quotient(const complex<T>& x, const complex<T>& y) {
  const int ex = exponent(larger_part(x)), ey = exponent(larger_part(y)), e = ex - ey;
  const complex<T> a = x * power_of_two(-ex, T()), b = y * power_of_two(-ey, T());
  const T inverse = 1 / (b.re * b.re + b.im * b.im);
  // In two steps, since 2^e alone may overflow.
  const T s = power_of_two(e / 2, T()), t = power_of_two(e - e / 2, T());
  const complex<T> z = {(a.re * b.re + a.im * b.im) * inverse * s * t,
                        (a.im * b.re - a.re * b.im) * inverse * s * t};
  if (z.re != z.re && z.im != z.im) return quotient_of_special(x, y);
  return z;
}

}  // namespace gpuarr_detail

template <class T, class U, class R = decltype(T() + U())>
inline complex<R> operator/(const complex<T>& x, const complex<U>& y) {
  return gpuarr_detail::quotient(complex<R>(x), complex<R>(y));
}
template <class T, class A, class R = gpuarr_detail::wider<T, A>>
inline R operator/(const complex<T>& z, const A& a) {
  return {z.re / a, z.im / a};
}
template <class T, class A, class R = gpuarr_detail::wider<T, A>>
inline R operator/(const A& a, const complex<T>& z) {
  return gpuarr_detail::quotient(R(a), R(z));
}

template <class T, class U>
inline bool operator==(const complex<T>& x, const complex<U>& y) {
  return x.re == y.re && x.im == y.im;
}
template <class T, class A, class = typename gpuarr_detail::scalar<A>::type>
inline bool operator==(const complex<T>& z, const A& a) {
  return z.re == a && z.im == 0;
}
template <class T, class A, class = typename gpuarr_detail::scalar<A>::type>
inline bool operator==(const A& a, const complex<T>& z) {
  return z == a;
}
template <class T, class U>
inline bool operator!=(const complex<T>& x, const complex<U>& y) {
  return !(x == y);
}
template <class T, class A, class = typename gpuarr_detail::scalar<A>::type>
inline bool operator!=(const complex<T>& z, const A& a) {
  return !(z == a);
}
template <class T, class A, class = typename gpuarr_detail::scalar<A>::type>
inline bool operator!=(const A& a, const complex<T>& z) {
  return !(z == a);
}

// NumPy's order: by the real parts, then by the imaginary ones; nothing is before or behind a NaN,
// of a part. No branches, since loops are to be vectorised.
template <class T, class U>
inline bool operator<(const complex<T>& x, const complex<U>& y) {
  return ((x.re < y.re) & (x.im == x.im) & (y.im == y.im)) | ((x.re == y.re) & (x.im < y.im));
}
template <class T, class U>
inline bool operator<=(const complex<T>& x, const complex<U>& y) {
  return ((x.re < y.re) & (x.im == x.im) & (y.im == y.im)) | ((x.re == y.re) & (x.im <= y.im));
}
template <class T, class U>
inline bool operator>(const complex<T>& x, const complex<U>& y) {
  return y < x;
}
template <class T, class U>
inline bool operator>=(const complex<T>& x, const complex<U>& y) {
  return y <= x;
}

template <class T>
inline T abs(const complex<T>& z) {
  return hypot(z.re, z.im);
}
template <class T>
inline int isnan(const complex<T>& z) {
  return isnan(z.re) || isnan(z.im);
}
template <class T>
inline int isinf(const complex<T>& z) {
  return isinf(z.re) || isinf(z.im);
}
template <class T>
inline int isfinite(const complex<T>& z) {
  return isfinite(z.re) && isfinite(z.im);
}

// The parts of a real number, for text that is compiled for both kinds. The empty packs make them
// give way to templates of the user's; a macro tells of what else he calls so (own_names()).
namespace gpuarr_detail {
template <class... T>
struct alone {};
template <class T>
struct alone<T> : scalar<T> {};
}  // namespace gpuarr_detail
#define GPUARR_PART(name, value)                                                               \
  template <class A, class... None, class R = typename gpuarr_detail::alone<A, None...>::type> \
  inline R name([[maybe_unused]] A x, None...) {                                               \
    return value;                                                                              \
  }
#ifndef GPUARR_OWN_real
GPUARR_PART(real, x)
#endif
#ifndef GPUARR_OWN_imag
GPUARR_PART(imag, 0)
#endif
#ifndef GPUARR_OWN_conj
GPUARR_PART(conj, x)
#endif
#ifndef GPUARR_OWN_norm
GPUARR_PART(norm, (R)x* x)
#endif
#undef GPUARR_PART

namespace gpuarr_detail {
template <class A, class B, class R = real<A, B>>
inline complex<R> polar(A r, B angle) {
  return {(R)r * cos((R)angle), (R)r * sin((R)angle)};
}
}  // namespace gpuarr_detail
#ifndef GPUARR_OWN_polar
template <class A, class B = A, class R = gpuarr_detail::real<A, B>>
inline complex<R> polar(A r, B angle = B()) {
  return gpuarr_detail::polar(r, angle);
}
#endif

}  // namespace gpuarr_prelude

namespace thrust {

using namespace gpuarr_prelude;

template <class T>
inline T real(const complex<T>& z) {
  return z.re;
}
template <class T>
inline T imag(const complex<T>& z) {
  return z.im;
}
template <class T>
inline T norm(const complex<T>& z) {
  return z.re * z.re + z.im * z.im;
}
template <class T>
inline T arg(const complex<T>& z) {
  return atan2(z.im, z.re);
}
template <class T>
inline complex<T> conj(const complex<T>& z) {
  return {z.re, -z.im};
}

}  // namespace thrust
