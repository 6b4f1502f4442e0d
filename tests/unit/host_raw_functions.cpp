// CUDA's functions of numbers, as raw kernels find them on the CPU, against slow and sure ones.
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "raw_build.hpp"

using namespace gpuarr;

namespace {

// Operands of all sizes, and those at which rounding is hard.
template <class T, class Bits>
std::vector<T> operands(int count) {
  std::mt19937_64 random(7);
  std::vector<T> out = {0,
                        -T(0),
                        1,
                        -1,
                        T(1.5),
                        std::numeric_limits<T>::max(),
                        std::numeric_limits<T>::min(),
                        std::numeric_limits<T>::denorm_min()};
  while (static_cast<int>(out.size()) < count) {
    const T any = std::bit_cast<T>(static_cast<Bits>(random()));
    if (std::isfinite(any)) out.push_back(any);
    out.push_back(static_cast<T>(static_cast<double>(random() % 2000) / 16 - 60));
  }
  return out;
}

const char* rounding_text = R"(
#define OF(T, p, fma, mode)                                                       \
  *z++ = p##add_##mode(x, y); *z++ = p##sub_##mode(x, y); *z++ = p##mul_##mode(x, y); \
  *z++ = p##div_##mode(x, y); *z++ = p##rcp_##mode(x); *z++ = p##sqrt_##mode(x);      \
  *z++ = fma##_##mode(x, y, x);
#define ALL(T, p, fma) OF(T, p, fma, rn) OF(T, p, fma, rz) OF(T, p, fma, ru) OF(T, p, fma, rd)
extern "C" __global__ void floats(const float* a, const float* b, float* out) {
  const int i = threadIdx.x;
  const float x = a[i], y = b[i];
  float* z = out + 28 * i;
  ALL(float, __f, __fmaf)
}
extern "C" __global__ void doubles(const double* a, const double* b, double* out) {
  const int i = threadIdx.x;
  const double x = a[i], y = b[i];
  double* z = out + 28 * i;
  ALL(double, __d, __fma)
}
extern "C" __global__ void narrow(const double* a, const long long* k, float* z, double* w) {
  const int i = threadIdx.x;
  float* f = z + 16 * i;
  *f++ = __double2float_rn(a[i]); *f++ = __double2float_rz(a[i]);
  *f++ = __double2float_ru(a[i]); *f++ = __double2float_rd(a[i]);
  *f++ = __ll2float_rn(k[i]); *f++ = __ll2float_rz(k[i]);
  *f++ = __ll2float_ru(k[i]); *f++ = __ll2float_rd(k[i]);
  const int n = (int)k[i];
  *f++ = __int2float_rn(n); *f++ = __int2float_rz(n);
  *f++ = __int2float_ru(n); *f++ = __int2float_rd(n);
  const unsigned long long u = k[i];
  *f++ = __ull2float_rn(u); *f++ = __ull2float_rz(u);
  *f++ = __ull2float_ru(u); *f++ = __ull2float_rd(u);
  w[4 * i] = __ll2double_rn(k[i]); w[4 * i + 1] = __ll2double_rz(k[i]);
  w[4 * i + 2] = __ll2double_ru(k[i]); w[4 * i + 3] = __ll2double_rd(k[i]);
}
// A product and a sum stay apart, although products and sums are joined elsewhere.
extern "C" __global__ void apart(const float* x, float* z) {
  z[0] = __fadd_rn(x[0] * x[0], -x[1]);
  z[1] = __fmul_rn(x[0], x[0]) - x[1];
  z[2] = __fsub_rn(x[0] * x[0], x[1]);
}
)";

constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_UPWARD, FE_DOWNWARD};

template <class T>
bool same(T x, T y) {
  return (std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y));
}

template <class T>
__attribute__((noinline)) T computed(int operation, T a, T b) {
  const volatile T x = a, y = b;
  volatile T z = 0;
  switch (operation) {
    case 0:
      z = x + y;
      break;
    case 1:
      z = x - y;
      break;
    case 2:
      z = x * y;
      break;
    case 3:
      z = x / y;
      break;
    case 4:
      z = 1 / x;
      break;
    case 5:
      z = std::sqrt(x);
      break;
    default:
      z = std::fma(x, y, x);
  }
  return z;
}

template <class T, class Bits>
void test_arithmetic(RawModule& module, const char* name) {
  constexpr int n = 1000, per_mode = 7;
  const std::vector<T> a = operands<T, Bits>(n), b(a.rbegin(), a.rend());
  std::vector<T> z(28 * a.size());
  launch(*module.function(name), {1}, {n}, a.data(), b.data(), z.data());
  int wrong = 0;
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < 28; ++k) {
      std::fesetround(modes[k / per_mode]);
      const T right = computed(static_cast<int>(k % per_mode), a[i], b[i]);
      std::fesetround(FE_TONEAREST);
      if (!same(z[28 * i + k], right) && ++wrong < 5)
        check::report(__FILE__, __LINE__) << name << ' ' << k << " of " << a[i] << ", " << b[i]
                                          << ": " << z[28 * i + k] << ", not " << right << '\n';
    }
  CHECK_EQ(wrong, 0);
}

template <class To, class From>
__attribute__((noinline)) To converted(From value, int mode) {
  const volatile From x = value;
  std::fesetround(mode);
  const volatile To y = static_cast<To>(x);
  std::fesetround(FE_TONEAREST);
  return y;
}

void test_conversions(RawModule& module) {
  constexpr size_t n = 512;
  std::vector<double> a = operands<double, uint64_t>(n), w(4 * n);
  std::vector<long long> k(n);
  std::mt19937_64 random(11);
  for (size_t i = 0; i < n; ++i) {
    k[i] = static_cast<long long>(random() >> (i % 60));
    if (i % 3 == 0) k[i] = -k[i];
    if (i % 2 == 0) a[i] = std::ldexp(static_cast<double>(k[i]), -70);
  }
  std::vector<float> z(16 * n);
  launch(*module.function("narrow"), {1}, {n}, a.data(), k.data(), z.data(), w.data());
  for (size_t i = 0; i < n; ++i)
    for (size_t m = 0; m < 4; ++m) {
      CHECK(same(z[16 * i + m], converted<float>(a[i], modes[m])));
      CHECK(same(z[16 * i + 4 + m], converted<float>(k[i], modes[m])));
      CHECK(same(z[16 * i + 8 + m], converted<float>(static_cast<int>(k[i]), modes[m])));
      CHECK(same(z[16 * i + 12 + m], converted<float>(static_cast<uint64_t>(k[i]), modes[m])));
      CHECK(same(w[4 * i + m], converted<double>(k[i], modes[m])));
    }
}

void test_apart(RawModule& module) {
  const float x[2] = {1.0F + 0x1p-12F, 1.0F + 0x1p-11F};
  float z[3] = {1, 1, 1};
  launch(*module.function("apart"), {1}, {1}, &x[0], &z[0]);
  for (float value : z) CHECK_EQ(value, 0.0F);  // fused, 2^-24 would be left
}

const char* rare_text = R"(
extern "C" __global__ void rare(const double* x, double* z) {
  const double v = x[threadIdx.x];
  z += 10 * threadIdx.x;
  z[0] = normcdfinv(v / 40); z[1] = erfinv(v / 40); z[2] = erfcinv(v / 40); z[3] = erfcx(v);
  z[4] = cyl_bessel_i0(v); z[5] = cyl_bessel_i1(-v); z[6] = norm3d(v, 2.0, -3.0);
  z[7] = rnorm4d(v, 1.0, 2.0, 3.0) + 0 * norm4df(1, 2, 3, 4) + 0 * rhypotf(1, 2);
  z[8] = erfcinv(v * 1e-300); z[9] = erfinvf((float)v / 40);
}
extern "C" __global__ void special(double* z) {
  const double huge[] = {3e300, 4e300};
  *z++ = norm(2, huge) / 1e300; *z++ = norm3df(3e30f, 4e30f, 0) / 1e30f;
  *z++ = erfinv(1.0); *z++ = erfinv(-1.0); *z++ = erfinv(2.0); *z++ = normcdfinv(0.0);
  *z++ = erfcinv(2.0); *z++ = cyl_bessel_i0(1000.0); *z++ = erfcx(-1000.0); *z++ = erfcx(1e200);
  *z++ = norm3d(1.0, (double)INFINITY, (double)NAN); *z++ = norm3d(0.0, 0.0, 0.0);
  *z++ = cyl_bessel_i1((double)NAN); *z++ = j0(1.0) + y1f(2) + jn(2, 3.0);
}
)";

double ulps(double value, long double right) {
  const double near = static_cast<double>(right);
  const double ulp = std::nextafter(std::fabs(near), INFINITY) - std::fabs(near);
  return static_cast<double>(std::fabs(value - right) / ulp);
}

// x >= 0 with f(x) = y.
template <class F>
long double inverse(F f, long double y) {
  const bool falls = f(0.0L) > f(1.0L);
  long double low = 0, high = 40;
  for (int i = 0; i < 120; ++i) {
    const long double middle = (low + high) / 2;
    ((f(middle) > y) == falls ? low : high) = middle;
  }
  return (low + high) / 2;
}
// The same for erf(x) = y and erfc(x) = 1 - y, of which the smaller is given.
long double inverse_of_erf(double y, long double rest) {
  if (y < 0.5) return inverse([](long double x) { return std::erf(x); }, y);
  return inverse([](long double x) { return std::erfc(x); }, rest);
}

void test_rare(RawModule& module) {
  constexpr size_t n = 512;
  std::vector<double> x(n), z(10 * n);
  std::mt19937_64 random(5);
  for (double& v : x) v = static_cast<double>(random() % 1000000) / 1e6 * 40;
  x[0] = 29.9999, x[1] = 30.0001, x[2] = 10.0001, x[3] = 17, x[4] = 1e-9, x[5] = 39.9999;
  launch(*module.function("rare"), {1}, {n}, x.data(), z.data());
  double worst[10] = {};
  const auto note = [&](size_t k, double value, long double right) {
    worst[k] = std::max(worst[k], right == 0 ? 0 : ulps(value, right));
  };
  for (size_t i = 0; i < n; ++i) {
    const double* r = &z[10 * i];
    const double v = x[i], p = v / 40;
    const long double s = std::sqrt(2.0L), q = 1 - static_cast<long double>(p);
    const double e = 2 * std::fabs(p - 0.5);
    note(0, r[0], std::copysign(s, p - 0.5) * inverse_of_erf(e, p < 0.5 ? 2.0L * p : 2 * q));
    note(1, r[1], inverse_of_erf(p, q));
    note(2, r[2], inverse_of_erf(static_cast<double>(q), p));
    note(3, r[3],
         std::exp(static_cast<long double>(v) * v) * std::erfc(static_cast<long double>(v)));
    note(4, r[4], std::cyl_bessel_i(0.0L, static_cast<long double>(v)));
    note(5, r[5], -std::cyl_bessel_i(1.0L, static_cast<long double>(v)));
    note(6, r[6], std::sqrt(static_cast<long double>(v) * v + 13));
    note(7, r[7], 1 / std::sqrt(static_cast<long double>(v) * v + 14));
    note(8, r[8], inverse_of_erf(1, v * 1e-300L));
    const double f = static_cast<float>(v) / 40;
    if (f < 1) note(9, static_cast<float>(r[9]), static_cast<float>(inverse_of_erf(f, 1.0L - f)));
  }
  const double most[10] = {5, 5, 5, 5, 5, 5, 2, 3, 5, 0x1p29};
  for (size_t k = 0; k < 10; ++k) CHECK(worst[k] <= most[k]);
}

void test_special(RawModule& module) {
  double z[14] = {};
  launch(*module.function("special"), {1}, {1}, &z[0]);
  const double inf = INFINITY;
  const double right[] = {5, 5, inf, -inf, NAN, -inf, -inf, inf, inf, 0, inf, 0, NAN};
  for (size_t k = 0; k < 13; ++k)
    if (std::isnan(right[k]))
      CHECK(std::isnan(z[k]));
    else
      CHECK(std::fabs(z[k] - right[k]) < 1e-6 || z[k] == right[k]);
  CHECK(std::fabs(z[13] - (::j0(1.0) + ::y1(2.0) + ::jn(2, 3.0))) < 1e-6);
}

}  // namespace

int main() {
  const auto module = raw_module(raw_source(std::string(rounding_text) + rare_text));
  test_arithmetic<float, uint32_t>(*module, "floats");
  test_arithmetic<double, uint64_t>(*module, "doubles");
  test_conversions(*module);
  test_apart(*module);
  test_rare(*module);
  test_special(*module);
  return check::result();
}
