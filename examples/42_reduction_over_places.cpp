// A reduction of your own over all places: the largest element and where it is, in one pass. Blocks
// are combined in their order, so that the result is the same for any number of places. The same
// program runs by itself, by `gpuarr run -n 4`, and by mpirun.
#include <gpuarr_team.hpp>

#include "example.hpp"

using gpuarr::Blocked;

namespace {

constexpr int64_t rows = 1000, columns = 700;

// i is an element's index in the whole array.
gpuarr::Reduction make_kernel() {
  gpuarr::Options options;
  options.set(gpuarr_kernel_options_set_preamble, "struct found { double value; long long at; };")
      .set(gpuarr_kernel_options_set_reduce_type, "found");
  return {"float64 x, float64 y",
          "float64 largest, int64 at",
          "found{(x - y) * (x - y), (long long)i}",
          "a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b",
          "largest = sqrt(a.value); at = a.at;",
          nullptr,
          options};
}

}  // namespace

int main() try {
  const auto team = gpuarr::Team::world();
  const Blocked x(team, GPUARR_F64, {rows, columns}, {300, columns}), y = x.like();
  x.arange(0, 1);
  y.fill(400000);

  Blocked largest, at;  // empty ones are made: one number on every place
  gpuarr::reduce(make_kernel(), {largest, at}, {x, y});
  const double most = largest.item<double>();
  const auto index = static_cast<int>(at.item<int64_t>());
  expect(most, 400000, 0, "largest difference", 0);
  expect(index, 0, 0, "its index", 0);

  const auto means = x.reduce("mean", {0}).to_vector<double>();  // ready-made ones go by name
  for (std::size_t j = 0; j < means.size(); ++j)
    expect(means[j], (rows - 1) / 2.0 * columns + static_cast<double>(j), 1e-9, "mean of a column",
           j);
  if (team.first() == 0) std::printf("largest difference %.0f, at element %d\n", most, index);
} catch (const std::exception& exception) {
  return failed(exception);
}
