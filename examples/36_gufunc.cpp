// Kernels of rows and small matrices: the principal stresses of many stress tensors, by one thread
// each, and running means of rows, by whatever the rows' length suits.
#include "example.hpp"

using gpuarr::Array, gpuarr::Gufunc;

namespace {

constexpr std::size_t points = 20000, rows = 50, columns = 2000, width = 7;

// Eigenvalues of a symmetric matrix, by the angle that its characteristic polynomial gives.
const char* const eigenvalues = R"(
    const T q = (a(0, 0) + a(1, 1) + a(2, 2)) / 3;
    const T d0 = a(0, 0) - q, d1 = a(1, 1) - q, d2 = a(2, 2) - q;
    const T s = a(0, 1), t = a(0, 2), u = a(1, 2);
    const T p = sqrt((d0 * d0 + d1 * d1 + d2 * d2 + 2 * (s * s + t * t + u * u)) / 6);
    const T det = d0 * (d1 * d2 - u * u) - s * (s * d2 - u * t) + t * (s * u - d1 * t);
    const T r = p > 0 ? det / (2 * p * p * p) : 0;
    const T angle = acos(r > 1 ? T(1) : r < -1 ? T(-1) : r) / 3;
    w(2) = q + 2 * p * cos(angle);
    w(0) = q + 2 * p * cos(angle + T(2.0943951023931954923)); // 2/3 pi
    w(1) = 3 * q - w(0) - w(2);)";

// Each thread of the group has some of a row's elements.
const char* const running_mean = R"(
    for (int j = group.rank(); j < n; j += group.size()) {
      const int first = j < width ? 0 : j - width + 1;
      T sum = 0;
      for (int k = first; k <= j; ++k) sum += x(k);
      y(j) = sum / (j - first + 1);
    })";

double characteristic(const double* a, double w) {
  const double x = a[0] - w, y = a[4] - w, z = a[8] - w;
  return x * (y * z - a[5] * a[7]) - a[1] * (a[3] * z - a[5] * a[6]) +
         a[2] * (a[3] * a[7] - y * a[6]);
}

}  // namespace

int main() try {
  std::vector<double> stress(points * 9);
  for (std::size_t k = 0; k < points; ++k)
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        stress[9 * k + 3 * i + j] = stress[9 * k + 3 * j + i] =
            std::sin(static_cast<double>(k + 3 * i + j)) + (i == j ? 2 : 0);
  std::vector<float> series(rows * columns);
  for (std::size_t k = 0; k < series.size(); ++k) series[k] = static_cast<float>(k * 7 % 31);

  const Gufunc eigen("(3,3)->(3)", "T a", "T w", eigenvalues, GPUARR_GROUP_THREAD);
  const Gufunc mean("(n),()->(n)", "T x, int32 width", "T y", running_mean);
  const Array w = eigen(Array::from(stress, {points, 3, 3}));
  const Array y = mean(Array::from(series, {rows, columns}), static_cast<int>(width));

  const auto principal = w.to_vector<double>();
  const auto means = y.to_vector<float>();
  for (std::size_t k = 0; k < principal.size(); ++k)
    expect(characteristic(&stress[k / 3 * 9], principal[k]), 0, 1e-10, "polynomial", k);
  for (std::size_t k = 0; k < means.size(); ++k) {
    const std::size_t j = k % columns, count = std::min(j + 1, width);
    double sum = 0;
    for (std::size_t l = 0; l < count; ++l) sum += series[k - l];
    expect(means[k], sum / static_cast<double>(count), 1e-4, "running mean", k);
  }
  std::printf("the first: %.4f %.4f %.4f\n", principal[0], principal[1], principal[2]);
  std::printf("ok: principal stresses of %d tensors and running means of %d series on %s\n",
              static_cast<int>(points), static_cast<int>(rows), w.device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
