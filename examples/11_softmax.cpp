// Reductions and elementwise functions together: softmax along the last axis, which turns each row
// of scores into probabilities, exp(x) / sum(exp(x)), as one kernel.
#include <gpuarr_elementwise.hpp>

#include "example.hpp"

using gpuarr::Array;

int main() try {
  constexpr std::size_t rows = 100, classes = 1000;
  std::vector<float> scores;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < classes; ++j)
      scores.push_back(static_cast<float>(
          1000 + 5 * std::sin(static_cast<double>(i) + 0.1 * static_cast<double>(j))));
  const Array x = Array::from(scores, {rows, classes});

  // exp(1000) is too large for any float, so each row's largest score is taken off first, which
  // changes no quotient. With keepdims, true, results have shape (100, 1), which broadcasts with
  // the scores' shape. What is written here is computed where an array is wanted: each row is read
  // once, and the steps between are not in memory.
  const auto e = exp(x - gpuarr::max(x, {-1}, true));
  const auto softmax = e / gpuarr::sum(e, {-1}, true);
  expect_kernels(gpuarr::explain(softmax), 1);
  const Array y = softmax;

  const auto result = y.to_vector<float>();
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t row = i * classes;
    double exponentials = 0, probabilities = 0;
    for (std::size_t j = row; j < row + classes; ++j) exponentials += std::exp(scores[j] - 1000.0);
    for (std::size_t j = row; j < row + classes; ++j) {
      const double wanted = std::exp(scores[j] - 1000.0) / exponentials;
      expect(result[j], wanted, 1e-5 * wanted, "softmax", j);
      probabilities += result[j];
    }
    expect(probabilities, 1, 1e-5, "sum of probabilities", i);
  }

  std::printf("ok: softmax of %d rows of %d scores on %s\n", static_cast<int>(rows),
              static_cast<int>(classes), y.device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
