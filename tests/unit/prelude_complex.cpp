// Tests of complex numbers as the CPU device compiles them: errors in units of the last place
// against long double, infinities and zeros against the C library.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "prelude_build.hpp"

namespace {

using Wide = std::complex<long double>;

struct Function {
  const char* name;
  Wide (*exact)(const Wide&);
  std::complex<double> (*library)(const std::complex<double>&);
};

#define GPUARR_FUNCTION(name)                                                             \
  {                                                                                       \
#name, [](const Wide& z) { return std::name(z); }, [](const std::complex <double>&    \
                                                              z) { return std::name(z); } \
  }
const Function functions[] = {
    GPUARR_FUNCTION(exp),  GPUARR_FUNCTION(log),   GPUARR_FUNCTION(log10), GPUARR_FUNCTION(sqrt),
    GPUARR_FUNCTION(sin),  GPUARR_FUNCTION(cos),   GPUARR_FUNCTION(tan),   GPUARR_FUNCTION(sinh),
    GPUARR_FUNCTION(cosh), GPUARR_FUNCTION(tanh),  GPUARR_FUNCTION(asin),  GPUARR_FUNCTION(acos),
    GPUARR_FUNCTION(atan), GPUARR_FUNCTION(asinh), GPUARR_FUNCTION(acosh), GPUARR_FUNCTION(atanh),
};

constexpr std::string_view source = R"(
#define EACH(name, T, f) extern "C" void name(const complex<T>* z, complex<T>* w, long n) { \
  for (long i = 0; i < n; ++i) w[i] = f(z[i]); }
#define BOTH(f) EACH(f##_double, double, f) EACH(f##_float, float, f)
BOTH(exp) BOTH(log) BOTH(log10) BOTH(sqrt) BOTH(sin) BOTH(cos) BOTH(tan) BOTH(sinh) BOTH(cosh)
BOTH(tanh) BOTH(asin) BOTH(acos) BOTH(atan) BOTH(asinh) BOTH(acosh) BOTH(atanh)
#define PAIRS(name, T, e) \
  extern "C" void name(const complex<T>* x, const complex<T>* y, complex<T>* w, long n) { \
    for (long i = 0; i < n; ++i) w[i] = e; }
#define PAIRS_BOTH(name, e) PAIRS(name##_double, double, e) PAIRS(name##_float, float, e)
PAIRS_BOTH(product, x[i] * y[i])
PAIRS_BOTH(quotient, x[i] / y[i])
PAIRS_BOTH(power, pow(x[i], y[i]))
PAIRS_BOTH(cube, pow(x[i], 3))
PAIRS_BOTH(root, pow(x[i], -0.75f))
)";

template <class T>
constexpr const char* type_name = sizeof(T) == 4 ? "float" : "double";

/// Between what came out and what is right, in units of the last place of T there.
template <class T>
double ulps(T got, long double right) {
  using Limits = std::numeric_limits<T>;
  if (std::isnan(got) || std::isnan(right)) return std::isnan(got) && std::isnan(right) ? 0 : 1e9;
  const bool huge = std::fabs(right) > Limits::max() * (1 - 1e-6L);
  if (std::isinf(got)) return huge && std::signbit(got) == std::signbit(right) ? 0 : 1e9;
  const int exponent = right == 0 ? Limits::min_exponent : std::ilogb(right) + 1;
  const long double unit =
      std::ldexp(1.0L, std::max(exponent, Limits::min_exponent) - Limits::digits);
  return static_cast<double>(std::min(std::fabs(got - right) / unit, 1e9L));
}

// The whole plane by powers of two, and what is hard: near 0, 1, i, the unit circle, the branch
// cuts, and multiples of pi / 2.
template <class T>
std::vector<std::complex<T>> plane() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> line = {0, -T(0)};
  auto add = [&](T x) { line.insert(line.end(), {x, -x}); };
  for (int e = Limits::min_exponent; e<Limits::max_exponent; e += e> - 28 && e < 9 ? 2 : 41)
    add(std::ldexp(T(1.1234567), e));
  add(Limits::max());
  for (double x : {1.0, 0.6, 0.8, M_PI, M_PI_2, 30.0})
    for (int step = -1; step <= 1; ++step) add(T(x) + step * T(x) * Limits::epsilon());
  std::vector<std::complex<T>> points;
  for (T x : line)
    for (T y : line) points.emplace_back(x, y);
  points.emplace_back(T(0x1.de3e5f2d3109ap-1), T(-0x1.6da941cab7b43p-2));  // |z|^2 = 1 + 2^-60
  std::mt19937_64 random(20261121);
  std::uniform_real_distribution<double> unit(-1, 1);
  auto tiny = [&](double lowest) {
    return unit(random) * std::pow(10.0, lowest * (unit(random) + 1));
  };
  for (int i = 0; i < 10000; ++i) {
    points.emplace_back(T(4 * unit(random)), T(4 * unit(random)));
    points.emplace_back(T(tiny(-9)), T(1e8 * tiny(-9)));
    points.emplace_back(T(1 + tiny(-8)), T(tiny(-9)));
    const double angle = 4 * unit(random), radius = 1 + tiny(-9);
    points.emplace_back(T(radius * std::cos(angle)), T(radius * std::sin(angle)));
  }
  return points;
}

template <class T>
void is_accurate(const prelude_test::Built& built, const std::string& compiler) {
  const std::vector<std::complex<T>> points = plane<T>();
  std::vector<std::complex<T>> results(points.size());
  for (const Function& function : functions) {
    auto* run = built.find<void(const std::complex<T>*, std::complex<T>*, long)>(
        (std::string(function.name) + "_" + type_name<T>).c_str());
    CHECK(run != nullptr);
    if (run == nullptr) return;
    run(points.data(), results.data(), static_cast<long>(points.size()));
    double worst = 0;
    std::complex<T> where;
    for (size_t i = 0; i < points.size(); ++i) {
      const Wide right = function.exact(Wide(points[i].real(), points[i].imag()));
      const double error =
          std::max(ulps(results[i].real(), right.real()), ulps(results[i].imag(), right.imag()));
      if (error > worst) worst = error, where = points[i];
    }
    std::printf("%-8s %-6s %-6s at most %.2f ulp\n", compiler.c_str(), function.name, type_name<T>,
                worst);
    if (worst > 8)
      check::report(__FILE__, __LINE__)
          << function.name << where << " of " << type_name<T> << " is off by " << worst << " ulp\n";
  }
}

enum class Kind { nan, infinite, zero, finite };
template <class T>
Kind kind(T x) {
  if (std::isnan(x)) return Kind::nan;
  if (std::isinf(x)) return Kind::infinite;
  return x == 0 ? Kind::zero : Kind::finite;
}

// Signs are free beside a NaN, and where the argument's angle is unknown.
void edges_follow_the_standard(const prelude_test::Built& built) {
  const double edges[] = {0, -0.0, 1, -1, 0.5, -2, 1e308, -1e308, INFINITY, -INFINITY, NAN};
  for (const Function& function : functions) {
    auto* run = built.find<void(const std::complex<double>*, std::complex<double>*, long)>(
        (std::string(function.name) + "_double").c_str());
    for (double x : edges)
      for (double y : edges) {
        const std::complex<double> z(x, y), right = function.library(z);
        std::complex<double> got;
        run(&z, &got, 1);
        const bool known = !std::isnan(right.real()) && !std::isnan(right.imag()) &&
                           (std::isfinite(y) || !std::isinf(x));
        const bool signs = std::signbit(got.real()) == std::signbit(right.real()) &&
                           std::signbit(got.imag()) == std::signbit(right.imag());
        if (kind(got.real()) == kind(right.real()) && kind(got.imag()) == kind(right.imag()) &&
            (signs || !known))
          continue;
        check::report(__FILE__, __LINE__)
            << function.name << z << " is " << got << ", expected " << right << '\n';
      }
  }
}

template <class T>
using Pairs = void(const std::complex<T>*, const std::complex<T>*, std::complex<T>*, long);

/// The largest error of a result as a whole, over numbers of sizes up to 2^range either way.
template <class T>
double error_of(const prelude_test::Built& built, const char* name, int range,
                Wide (*exact)(const Wide&, const Wide&)) {
  auto* run = built.find<Pairs<T>>((std::string(name) + "_" + type_name<T>).c_str());
  CHECK(run != nullptr);
  if (run == nullptr) return 1e9;
  std::mt19937_64 random(20261121);
  std::uniform_real_distribution<double> unit(-1, 1);
  auto part = [&] {
    return static_cast<T>(std::ldexp(unit(random), static_cast<int>(range * unit(random))));
  };
  double worst = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::complex<T> x(part(), part()), y(part(), part());
    std::complex<T> got;
    run(&x, &y, &got, 1);
    const Wide right = exact(Wide(x.real(), x.imag()), Wide(y.real(), y.imag()));
    const long double size = std::abs(right);
    if (size > std::numeric_limits<T>::max() / 2 || size < std::numeric_limits<T>::min()) continue;
    const long double error = std::abs(Wide(got.real(), got.imag()) - right) / size;
    if (!(error <= worst)) worst = static_cast<double>(error);
  }
  return worst / std::numeric_limits<T>::epsilon();
}

template <class T>
void arithmetic_is_accurate(const prelude_test::Built& built) {
  const int full = std::numeric_limits<T>::max_exponent - 2;
  auto product = [](const Wide& x, const Wide& y) { return x * y; };
  auto quotient = [](const Wide& x, const Wide& y) { return x / y; };
  CHECK(error_of<T>(built, "product", full / 2 - 2, product) < 2);
  CHECK(error_of<T>(built, "quotient", 4, quotient) < 4);
  CHECK(error_of<T>(built, "quotient", full, quotient) < 4);  // over the whole range of exponents
  auto cube = [](const Wide& x, const Wide&) { return x * x * x; };
  auto root = [](const Wide& x, const Wide&) { return std::pow(x, -0.75L); };
  auto power = [](const Wide& x, const Wide& y) { return std::pow(x, y); };
  CHECK(error_of<T>(built, "cube", 9, cube) < 4);
  CHECK(error_of<T>(built, "root", 9, root) < 8);
  CHECK(error_of<T>(built, "power", 1, power) < 16);  // grows with the exponent's size
}

void quotients_at_the_edges(const prelude_test::Built& built) {
  using Z = std::complex<double>;
  auto* run = built.find<Pairs<double>>("quotient_double");
  auto divide = [&](Z x, Z y) {
    Z z;
    run(&x, &y, &z, 1);
    return z;
  };
  // Not 0: the compiler fuses one of two equal products with their difference.
  CHECK(std::abs(divide({1e300, 1e300}, {1e300, 1e300}) - 1.0) < 1e-16);
  CHECK_EQ(divide({1e-310, 0}, {1e-310, 0}), Z(1, 0));
  CHECK_EQ(divide({1, 0}, {1e308, 1e308}), Z(5e-309, -5e-309));
  CHECK(std::isinf(divide({1, 1}, {0, 0}).real()));
  CHECK(std::isinf(divide({INFINITY, 1}, {2, 3}).real()));
  CHECK_EQ(divide({2, 3}, {INFINITY, 1}), Z(0, 0));
  CHECK(std::isnan(divide({0, 0}, {0, 0}).real()));
  CHECK(std::isnan(divide({NAN, 0}, {1, 0}).real()));
}

}  // namespace

int main() {
  prelude_test::for_each_compiler([](const std::string& compiler) {
    const prelude_test::Built built{std::string(source)};
    is_accurate<double>(built, compiler);
    is_accurate<float>(built, compiler);
    edges_follow_the_standard(built);
    arithmetic_is_accurate<double>(built);
    arithmetic_is_accurate<float>(built);
    quotients_at_the_edges(built);
  });
  return check::result();
}
