// Pi by Monte Carlo, with an error bar: how many points of a square fall into a quarter of a
// circle. The random numbers are the same on every device, and so is the answer, to the last digit.
#include <gpuarr_random.hpp>

#include "example.hpp"

int main() try {
  constexpr int rounds = 16, points = 1 << 20;
  const double pi = std::acos(-1.0);
  const gpuarr::Generator random(20261122);
  // 24 bits of each coordinate: as doubles, squares and their sum are exact.
  const gpuarr::Reduction inside("float32 x, float32 y", "int64 hits",
                                 "(double)x * x + (double)y * y < 1", "a + b", "hits = a", "0");
  double sum = 0, squares = 0;
  for (int round = 0; round < rounds; ++round) {
    const gpuarr::Array xy = random.uniform({2, points});
    const auto hits = inside(xy.select(0, 0), xy.select(0, 1)).item<int64_t>();
    const double found = 4 * static_cast<double>(hits) / points;
    sum += found;
    squares += found * found;
  }

  // The rounds are independent: their scatter says how far their mean may be off.
  const double mean = sum / rounds;
  const double error = std::sqrt((squares / rounds - mean * mean) / (rounds - 1));
  std::printf("pi is %.6f +- %.6f, by %d points\n", mean, error, rounds * points);
  expect(mean, pi, 4 * error, "pi", 0);
  expect(error, 0, 0.001, "the error bar", 0);
  std::printf("ok: pi within %.1f standard errors on %s\n", std::fabs(mean - pi) / error,
              gpuarr::Device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
