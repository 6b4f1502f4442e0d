// A reduction: the mean of (x - y)^2 over all elements, in one pass over memory.
#include <gpuarr_elementwise.hpp>

#include "example.hpp"

using gpuarr::Array;

int main() try {
  constexpr int count = 1000003;
  std::vector<float> x, y;
  double wanted = 0;
  for (int i = 0; i < count; ++i) {
    x.push_back(static_cast<float>(std::sin(i)));
    y.push_back(static_cast<float>(std::cos(0.5 * i)));
    const double difference = static_cast<double>(x.back()) - y.back();
    wanted += difference * difference / count;
  }

  // map turns an element of each input into a value, reduce combines two of those, and post makes
  // the output of what is left; n is the number of elements. Partial results have the output's
  // type, here float64, so that a million float32 values lose nothing on the way.
  const gpuarr::Reduction kernel("T x, T y", "float64 mse",                     // in, out
                                 "(x - y) * (x - y)", "a + b", "mse = a / n");  // map, reduce, post

  // Reduced along all axes, the result is an array without axes: one number.
  const Array x_array = Array::from(x), y_array = Array::from(y);
  const Array mse_array = kernel(x_array, y_array);
  const double mse = mse_array.item<double>();
  expect(mse, wanted, 1e-6 * wanted, "mean squared error", 0);

  // The same in C++, also one pass: nothing is computed until the number is asked for.
  const auto again =
      gpuarr::mean(gpuarr::square(gpuarr::Expr(x_array).astype(GPUARR_F64) - y_array));
  expect_kernels(gpuarr::explain(again), 1);
  expect(again.item<double>(), wanted, 1e-6 * wanted, "mean squared error", 1);

  std::printf("ok: the mean squared error of %d numbers is %.6f on %s\n", count, mse,
              mse_array.device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
