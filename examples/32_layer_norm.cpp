// Layer norm with weight and bias, as it is written down, and as one kernel: each row is read once,
// and written once.
#include <gpuarr_elementwise.hpp>

#include "example.hpp"

using gpuarr::Array, gpuarr::Expr, gpuarr::mean;

namespace {

constexpr std::size_t rows = 500, columns = 768;
constexpr double epsilon = 1e-5;

Expr layer_norm(const Expr& x, const Expr& weight, const Expr& bias) {
  const Expr centered = x - mean(x, {-1}, true);
  return centered / sqrt(mean(square(centered), {-1}, true) + epsilon) * weight + bias;
}

}  // namespace

int main() try {
  std::vector<float> x, weight, bias;
  for (std::size_t k = 0; k < rows * columns; ++k)
    x.push_back(static_cast<float>(static_cast<int>(k * k % 1009) - 504) / 100);
  for (std::size_t j = 0; j < columns; ++j) {
    weight.push_back(1 + static_cast<float>(j % 5) / 4);
    bias.push_back(static_cast<float>(j % 3));
  }

  // Nothing is computed until an array is wanted; explain() tells how it would be.
  const auto norm =
      layer_norm(Array::from(x, {rows, columns}), Array::from(weight), Array::from(bias));
  expect_kernels(gpuarr::explain(norm), 1);
  const Array y = norm;

  const auto result = y.to_vector<float>();
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t row = i * columns;
    double middle = 0, squares = 0;
    for (std::size_t j = 0; j < columns; ++j) middle += x[row + j] / double{columns};
    for (std::size_t j = 0; j < columns; ++j)
      squares += std::pow(x[row + j] - middle, 2) / double{columns};
    for (std::size_t j = 0; j < columns; ++j) {
      const double wanted =
          (x[row + j] - middle) / std::sqrt(squares + epsilon) * weight[j] + bias[j];
      expect(result[row + j], wanted, 1e-4, "layer norm", row + j);
    }
  }
  std::printf("ok: layer norm of %d rows of %d in one kernel on %s\n", static_cast<int>(rows),
              static_cast<int>(columns), y.device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
