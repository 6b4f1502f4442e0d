// Steps of the optimiser Adam: parameters and both moments in place, by one kernel a step, which
// reads four arrays and writes three.
#include <gpuarr_elementwise.hpp>

#include "example.hpp"

using gpuarr::Array;

namespace {

constexpr std::size_t count = 10000;
constexpr int steps = 200;
constexpr double rate = 0.05, keep = 0.9, keep_squares = 0.999, epsilon = 1e-8;

double wanted_of(std::size_t k) { return std::sin(static_cast<double>(k)); }

}  // namespace

int main() try {
  std::vector<float> wanted;
  for (std::size_t k = 0; k < count; ++k) wanted.push_back(static_cast<float>(wanted_of(k)));
  const Array target = Array::from(wanted);
  Array p = gpuarr::zeros(GPUARR_F32, {count}), m = p.copy(), v = p.copy();

  // What is to become least is the sum of (p - target)^2 / 2.
  for (int step = 1; step <= steps; ++step) {
    const Array gradient = p - target;
    const auto m1 = keep * m + (1 - keep) * gradient;
    const auto v1 = keep_squares * v + (1 - keep_squares) * square(gradient);
    const auto p1 = p - rate / (1 - std::pow(keep, step)) * m1 /
                            (sqrt(v1 / (1 - std::pow(keep_squares, step))) + epsilon);
    expect_kernels(gpuarr::explain(p1, m1, v1), 1);
    gpuarr::evaluate_into({p, m, v}, {p1, m1, v1});  // all are read before one is written
  }

  const auto result = p.to_vector<float>();
  double worst = 0;
  for (std::size_t k = 0; k < count; ++k) {
    double x = 0, first = 0, second = 0;
    for (int step = 1; step <= steps; ++step) {
      const double gradient = x - wanted[k];
      first = keep * first + (1 - keep) * gradient;
      second = keep_squares * second + (1 - keep_squares) * gradient * gradient;
      x -= rate / (1 - std::pow(keep, step)) * first /
           (std::sqrt(second / (1 - std::pow(keep_squares, step))) + epsilon);
    }
    expect(result[k], x, 1e-3, "parameter", k);
    worst = std::fmax(worst, std::fabs(result[k] - wanted[k]));
  }
  expect(worst, 0, 0.05, "the farthest parameter", 0);
  std::printf("ok: %d steps of Adam with %d parameters, one kernel each, on %s\n", steps,
              static_cast<int>(count), p.device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
