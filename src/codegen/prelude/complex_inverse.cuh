// Inverse trigonometric and hyperbolic functions of complex numbers, after T. E. Hull,
// T. F. Fairgrieve and P. T. P. Tang, "Implementing the complex arcsine and arccosine functions
// using exception handling", ACM TOMS 23 (1997). Annex G holds.

namespace gpuarr_prelude {

namespace gpuarr_detail {

// With r = |x + i (y + 1)|, s = |x + i (y - 1)| and a = (r + s) / 2, for x, y >= 0:
// asinh(x + i y) = log(a + sqrt(a^2 - 1)) + i atan2(y, sqrt(a^2 - y^2)).
template <class T>
struct Asinh {
  T value;   // the real part
  T across;  // sqrt(a^2 - y^2)
};

// (hypot(x, y) - y) / 2, given the hypot.
template <class T>
inline T half_excess(T x, T y, T h) {
  if (y < 0) return (h - y) / 2;
  return y == 0 ? x / 2 : x * x / (h + y) / 2;
}

template <class T>
inline Asinh<T> asinh_parts(T x, T y) {
  const T epsilon = limits<T>::epsilon, down = (1 - y) * (1 + y);
  const T r = hypot(x, y + 1), s = hypot(x, y - 1);
  const T mean = (r + s) / 2, a = mean < 1 ? T(1) : mean;
  if (y == 1 && x < epsilon * epsilon / 128) return {sqrt(x), sqrt(x) * sqrt((a + y) / 2)};
  const bool on_axis = x < epsilon * fabs(y - 1);
  Asinh<T> parts;
  if (a >= 10) {
    parts.value = log(a + sqrt(a * a - 1));
  } else if (on_axis) {
    parts.value = y < 1 ? x / sqrt(down) : log1p((y - 1) + sqrt(-down));
  } else {
    const T over_one = half_excess(x, 1 + y, r) + half_excess(x, 1 - y, s);
    parts.value = log1p(over_one + sqrt(over_one * (a + 1)));
  }
  if (on_axis)
    parts.across = y > 1 ? x * (y / sqrt(-down)) : sqrt(down);
  else
    parts.across = sqrt((half_excess(x, y + 1, r) + half_excess(x, y - 1, s)) * (a + y));
  return parts;
}

template <class T>
inline bool is_large(const complex<T>& z) {
  return larger_part(z) > 1 / limits<T>::epsilon;
}
// log(2 z) for a z in the right half-plane, the mirror image of any.
template <class T>
inline complex<T> log_of_double(const complex<T>& z) {
  return {log_abs(z.re, z.im) + T(M_LN2), atan2(fabs(z.im), fabs(z.re))};
}

}  // namespace gpuarr_detail

template <class T>
inline complex<T> asinh(const complex<T>& z) {
  const T x = fabs(z.re), y = fabs(z.im);
  complex<T> w;
  if (x != x || y != y) {
    if (isinf(x)) return {z.re, z.im + z.im};
    if (isinf(y)) return {z.im, z.re + z.re};
    if (y == 0) return {z.re + z.re, z.im};
    return {z.re + z.im, z.re + z.im};
  }
  if (gpuarr_detail::is_large(z)) {
    w = gpuarr_detail::log_of_double(z);
  } else if (gpuarr_detail::larger_part(z) < gpuarr_detail::limits<T>::epsilon / 2) {
    return z;
  } else {
    const gpuarr_detail::Asinh<T> parts = gpuarr_detail::asinh_parts(x, y);
    w = {parts.value, atan2(y, parts.across)};
  }
  return {copysign(w.re, z.re), copysign(w.im, z.im)};
}

template <class T>
inline complex<T> acos(const complex<T>& z) {
  const T x = fabs(z.re), y = fabs(z.im);
  if (x != x || y != y) {
    if (isinf(x)) return {z.im + z.im, -(T)INFINITY};
    if (isinf(y)) return {z.re + z.re, -z.im};
    if (x == 0) return {T(M_PI_2), z.im + z.im};
    return {z.re + z.im, z.re + z.im};
  }
  complex<T> w;
  if (gpuarr_detail::is_large(z)) {
    w = gpuarr_detail::log_of_double(z);
    w = {atan2(y, z.re), w.re};
  } else {
    const gpuarr_detail::Asinh<T> parts = gpuarr_detail::asinh_parts(y, x);
    w = {atan2(parts.across, z.re), parts.value};
  }
  return {w.re, signbit(z.im) ? w.im : -w.im};
}

template <class T>
inline complex<T> atanh(const complex<T>& z) {
  const T x = fabs(z.re), y = fabs(z.im), epsilon = gpuarr_detail::limits<T>::epsilon;
  if (y == 0 && x <= 1) return {atanh(z.re), z.im};
  if (x == 0) return {z.re, atan(z.im)};
  if (x != x || y != y) {
    if (isinf(x)) return {copysign(T(0), z.re), z.im + z.im};
    if (isinf(y)) return {copysign(T(0), z.re), copysign(T(M_PI_2), z.im)};
    return {z.re + z.im, z.re + z.im};
  }
  complex<T> w;
  if (gpuarr_detail::is_large(z)) {
    const complex<T> inverse = 1 / complex<T>(x, y);
    w = {inverse.re, T(M_PI_2)};
  } else if (gpuarr_detail::larger_part(z) < epsilon / 2) {
    return z;
  } else {
    const T from_one = (x - 1) * (x - 1) + (y < epsilon * epsilon ? 0 : y * y);
    w.re = x == 1 && y < epsilon ? (T(M_LN2) - log(y)) / 2 : log1p(4 * x / from_one) / 4;
    w.im = atan2(2 * y, (1 - x) * (1 + x) - (y < epsilon ? 0 : y * y)) / 2;
  }
  return {copysign(w.re, z.re), copysign(w.im, z.im)};
}

// asin(z) = -i asinh(i z), and so on
template <class T>
inline complex<T> asin(const complex<T>& z) {
  const complex<T> w = asinh(complex<T>(z.im, z.re));
  return {w.im, w.re};
}
template <class T>
inline complex<T> atan(const complex<T>& z) {
  const complex<T> w = atanh(complex<T>(z.im, z.re));
  return {w.im, w.re};
}
template <class T>
inline complex<T> acosh(const complex<T>& z) {
  const complex<T> w = acos(z);
  if (w.re != w.re && w.im == w.im) return {fabs(w.im), w.re};
  if (w.im != w.im) return {w.im, w.re};
  return {fabs(w.im), copysign(w.re, z.im)};
}

}  // namespace gpuarr_prelude
