// A fit by least squares: a straight line and an oscillation through noisy measurements, with an
// error bar for each of its numbers.
#include <gpuarr_linalg.hpp>

#include "example.hpp"

using gpuarr::Array;

namespace {

constexpr int points = 400, numbers = 4;
constexpr double truth[numbers] = {1.5, -0.8, 2.0, 0.6};
const char* const names[numbers] = {"offset", "slope ", "sine  ", "cosine"};

// Numbers of no apparent order with mean 0 and deviation 1: sums of twelve uniform ones.
double noise() {
  static uint32_t state = 1;
  double sum = -6;
  for (int k = 0; k < 12; ++k) {
    state = state * 1664525u + 1013904223u;
    sum += state / 4294967296.0;
  }
  return sum;
}

}  // namespace

int main() try {
  const double deviation = 0.3;
  std::vector<double> model, measured;
  for (int i = 0; i < points; ++i) {
    const double t = 10.0 * i / points;
    const double row[numbers] = {1, t, std::sin(3 * t), std::cos(3 * t)};
    measured.push_back(deviation * noise());
    for (int k = 0; k < numbers; ++k) measured.back() += truth[k] * row[k];
    model.insert(model.end(), row, row + numbers);
  }
  const Array a = Array::from(model, {points, numbers}), b = Array::from(measured);
  const auto [fit, squares, rank, values] = gpuarr::lstsq(a, b);

  // The inverse of a^T a, times the variance of the residuals, has the variances of the fit on its
  // diagonal. With a = q r it is r^-1 (r^-1)^T.
  const Array lengths = gpuarr::norm(gpuarr::inv(gpuarr::qr(a).r), 2, {1});

  const auto found = fit.to_vector<double>(), length = lengths.to_vector<double>();
  const double spread = std::sqrt(squares.item<double>() / (points - numbers));
  for (std::size_t k = 0; k < numbers; ++k) {
    const double bar = spread * length[k];
    std::printf("%s: %8.4f +- %.4f, true %g\n", names[k], found[k], bar, truth[k]);
    expect(found[k], truth[k], 4 * bar, "a number of the fit", k);
  }
  expect(spread, deviation, 0.05, "the deviation of the noise", 0);
  expect(static_cast<double>(rank.item<int64_t>()), numbers, 0, "the rank", 0);

  // What is left is orthogonal to the columns of the model.
  const auto rest = gpuarr::matmul(a, fit).to_vector<double>();
  for (std::size_t k = 0; k < numbers; ++k) {
    double product = 0;
    for (std::size_t i = 0; i < rest.size(); ++i)
      product += (measured[i] - rest[i]) * model[i * numbers + k];
    expect(product, 0, 1e-9, "residuals times a column", k);
  }
  std::printf("ok: a fit to %d points, on %s\n", points, a.device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
