// A kernel of your own: z = (x - y)^2, with broadcasting, and for any type.
#include "example.hpp"

using gpuarr::Array, gpuarr::Elementwise;

namespace {

constexpr std::size_t rows = 2, columns = 5;

// float32 only: the types are written out.
void with_fixed_types() {
  std::vector<float> x(rows * columns), y(columns);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  for (std::size_t j = 0; j < columns; ++j) y[j] = static_cast<float>(j);

  // y has one axis and is used for every row of x. The output is made by the call.
  const Elementwise kernel("float32 x, float32 y", "float32 z", "z = (x - y) * (x - y);");
  const Array z = kernel(Array::from(x, {rows, columns}), Array::from(y));

  const auto result = z.to_vector<float>();
  for (std::size_t i = 0; i < result.size(); ++i) {
    const float difference = x[i] - y[i % columns];
    expect(result[i], difference * difference, 0, "z", i);
  }
}

// T is a placeholder: one kernel object, compiled once for each type that it meets.
void with_any_type() {
  const Elementwise kernel("T x, T y", "T z", "z = (x - y) * (x - y);");
  const Array numbers = Array::from(std::vector<int>{0, 1, 2, 3, 4});
  for (gpuarr_dtype dtype : {GPUARR_I32, GPUARR_F64}) {
    const Array z = kernel(numbers.astype(dtype), 3);  // a scalar broadcasts too
    const auto result = z.astype(GPUARR_F64).to_vector<double>();
    for (std::size_t i = 0; i < result.size(); ++i) {
      const double difference = static_cast<double>(i) - 3;
      expect(result[i], difference * difference, 0, "z", i);
    }
  }
}

}  // namespace

int main() try {
  with_fixed_types();
  with_any_type();
  std::printf("ok: (x - y)^2 of shapes (2, 5) and (5), and of int32 and float64, on %s\n",
              gpuarr::Device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
