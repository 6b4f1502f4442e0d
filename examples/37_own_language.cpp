// Kernels that are written as lambdas, which the program's own compiler has checked, and which the
// host calls to check the device; and kernels of a file that becomes a part of the program.
#include <gpuarr_lambda.hpp>
#include <gpuarr_ops.hpp>

#include "37_kernels.cu.h"
#include "37_kernels.cuh"
#include "example.hpp"

using gpuarr::Array;

namespace {

// 0, 1, 2 ... as a kernel makes them.
Array numbers(const std::string& dtype, int64_t count) {
  Array out;
  gpuarr::Elementwise("", dtype + " x", "x = i").run({out}, {}, {}, count);
  return out;
}

void prime_factors() {
  const auto factors = GPUARR_LAMBDA([](int number) {
    int sum = 0;
    for (int divisor = 2; divisor * divisor <= number; ++divisor)
      for (; number % divisor == 0; number /= divisor) sum += divisor;
    return number > 1 ? sum + number : sum;
  });
  const Array sums = factors(numbers("int32", 100000));
  const auto got = sums.to_vector<int>();
  for (std::size_t k = 0; k < got.size(); ++k)
    expect(got[k], factors(static_cast<int>(k)), 0, "sum", k);
  std::puts("prime factor sums: ok");
}

void mandelbrot() {
  const auto steps = GPUARR_LAMBDA([](double re, double im) {
    double x = 0, y = 0;
    int count = 0;
    while (count < 200 && x * x + y * y <= 4) {
      const double next = x * x - y * y + re;
      y = 2 * x * y + im;
      x = next;
      ++count;
    }
    return count;
  });
  const Array line = numbers("float64", 128);
  const Array re = line * (3.0 / 128) - 2.0, im = line.reshape({128, 1}) * (3.0 / 128) - 1.5;
  const auto got = Array(steps(re, im)).to_vector<int>();
  const auto x = re.to_vector<double>(), y = im.to_vector<double>();
  int different = 0;  // a fused multiply-add may tip some of them
  for (std::size_t k = 0; k < got.size(); ++k)
    different += got[k] != steps(x[k % 128], y[k / 128]) ? 1 : 0;
  expect(different, 0, 32, "points", 0);
  std::puts("Mandelbrot: ok");
}

void black_scholes() {
  const auto price = GPUARR_LAMBDA([](double spot, double strike, double years) {
    const double spread = 0.25 * sqrt(years), today = strike * exp(-0.03 * years);
    const double a = log(spot / today) / spread + spread / 2, b = a - spread;
    return 0.5 * (spot * erfc(-a / sqrt(2.0)) - today * erfc(-b / sqrt(2.0)));
  });
  const Array spot = numbers("float64", 1000) + 50.0;
  const auto got = Array(price(spot, 100.0, 1.5)).to_vector<double>();
  for (std::size_t k = 0; k < got.size(); ++k)
    expect(got[k], price(50 + static_cast<double>(k), 100.0, 1.5), 1e-9, "price", k);
  std::puts("Black-Scholes: ok");
}

// The file's heat_step() is compiled for the host as well.
void heat(const gpuarr::Module& kernels) {
  constexpr int size = 64, count = size * size;
  const Array now = gpuarr::sin(numbers("float32", count));
  const Array next = gpuarr::zeros(GPUARR_F32, {count});
  kernels.kernel("heat").launch(count / 256, 256, {now, next, size, size, 0.2f});
  const auto plate = now.to_vector<float>(), got = next.to_vector<float>();
  for (int k = 0; k < count; ++k)
    expect(got[static_cast<std::size_t>(k)],
           heat_step(plate.data(), k / size, k % size, size, size, 0.2f), 1e-5, "heat",
           static_cast<std::size_t>(k));
  std::puts("heat: ok");
}

void product(const gpuarr::Module& kernels) {
  constexpr int n = 64;
  const Array a = numbers("float32", n * n).reshape({n, n}) % 7.f, b = a.transpose().copy();
  const Array c = gpuarr::zeros(GPUARR_F32, {n, n});
  kernels.kernel("product").launch({n / 16, n / 16}, {16, 16}, {a, b, c, n});
  const auto x = a.to_vector<float>(), got = c.to_vector<float>();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      float wanted = 0;
      for (std::size_t k = 0; k < n; ++k) wanted += x[i * n + k] * x[j * n + k];
      expect(got[i * n + j], wanted, 0, "product", i * n + j);
    }
  std::puts("tiled product: ok");
}

// A tree of the library's: what is computed of each element, and how two values become one.
void sum_of_squares() {
  const auto squared = GPUARR_LAMBDA([](auto x, auto y) { return (x - y) * (x - y); });
  const auto add = GPUARR_LAMBDA([](auto a, auto b) { return a + b; });
  const Array x = numbers("float64", 1000);
  double wanted = 0;
  for (int k = 0; k < 1000; ++k) wanted += squared(static_cast<double>(k), 3.0);
  expect(reduction(squared, add)(x, 3.0).item<double>(), wanted, 0, "sum", 0);
  std::puts("tree reduction: ok");
}

}  // namespace

int main() try {
  const gpuarr::Module kernels(_37_kernels_cu);
  prime_factors();
  mandelbrot();
  heat(kernels);
  black_scholes();
  product(kernels);
  sum_of_squares();
  std::printf("ok: six kernels on %s\n", gpuarr::Device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
