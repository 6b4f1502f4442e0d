// Lloyd's algorithm: points go to the nearest center, centers to the middle of their points. The
// distances are a user-written reduction, which broadcasts; all else is ready-made.
#include <gpuarr_ops.hpp>

#include "example.hpp"

using gpuarr::Array, gpuarr::expand;

namespace {

constexpr int count = 20000, clusters = 4, rounds = 15;
const std::vector<float> truth{0, 0, 6, 1, -2, 5, 4, 7}, first{1, 1, 5, 0, 0, 5, 5, 5};

// Points around the true centers, the same ones on every device.
Array make_points() {
  const gpuarr::Generator random(7);
  const Array labels = random.integers({count}, 0, clusters, GPUARR_I32);
  return gpuarr::take(Array::from(truth, {clusters, 2}), labels) + random.normal({count, 2});
}

Array moved(const Array& centers, const Array& points, const gpuarr::Reduction& squared) {
  Array distances;
  squared.run({distances}, {expand(points, 1), expand(centers, 0)}, {-1});
  const Array labels = gpuarr::argmin(distances, {-1}, true);

  // A matrix that is true where a point belongs to a cluster: its product with the points adds them
  // up by cluster.
  const Array members = labels == gpuarr::arange(GPUARR_I64, 0, clusters);
  return gpuarr::matmul(members.transpose(), points) / expand(gpuarr::sum(members, {0}), 1);
}

// The same by plain loops.
std::vector<double> moved_by_loops(const std::vector<double>& centers,
                                   const std::vector<float>& points) {
  std::vector<double> sums(centers.size()), members(clusters);
  for (std::size_t i = 0; i < points.size(); i += 2) {
    std::size_t nearest = 0;
    double least = INFINITY;
    for (std::size_t c = 0; c < clusters; ++c) {
      const double x = points[i] - centers[2 * c], y = points[i + 1] - centers[2 * c + 1];
      if (x * x + y * y >= least) continue;
      least = x * x + y * y;
      nearest = c;
    }
    sums[2 * nearest] += points[i];
    sums[2 * nearest + 1] += points[i + 1];
    members[nearest] += 1;
  }
  for (std::size_t k = 0; k < sums.size(); ++k) sums[k] /= members[k / 2];
  return sums;
}

}  // namespace

int main() try {
  const gpuarr::Reduction squared("T x, T y", "T z", "(x - y) * (x - y)", "a + b", "z = a", "0");
  const Array points = make_points();
  Array centers = Array::from(first, {clusters, 2});
  for (int round = 0; round < rounds; ++round)
    centers = moved(centers, points, squared).astype(GPUARR_F32);

  const auto found = centers.to_vector<float>(), host_points = points.to_vector<float>();
  std::vector<double> wanted(first.begin(), first.end());
  for (int round = 0; round < rounds; ++round) wanted = moved_by_loops(wanted, host_points);
  for (std::size_t k = 0; k < found.size(); ++k) {
    expect(found[k], wanted[k], 2e-3, "center", k);  // a point halfway may go either way
    expect(found[k], truth[k], 0.1, "true center", k);
  }
  for (std::size_t c = 0; c < clusters; ++c)
    std::printf("center %zu: %.2f %.2f\n", c, found[2 * c], found[2 * c + 1]);
  std::printf("ok: %d clusters of %d points on %s\n", clusters, count,
              points.device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
