// A stencil over blocks: heat in a plate with cold edges. Each block has a frame of ghost cells,
// which neighbours fill while it works on its inner part. The same program runs by itself, by
// `gpuarr run -n 4`, and by mpirun.
#include <gpuarr_team.hpp>

#include "example.hpp"

using gpuarr::Blocked;

namespace {

constexpr int height = 200, width = 320, steps = 50;
constexpr float rate = 0.2f;

// `now` has ghost cells, so cell (y, x) of the block is at (y + 1, x + 1) there.
const char* const source = R"(#include <gpuarr.cuh>
  __global__ void spread(gpuarr_view<const float, 2> now, gpuarr_view<float, 2> next,
                         float rate, int border) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int height = next.shape()[0], width = next.shape()[1];
    if (y >= height || x >= width) return;
    bool at_border = y == 0 || x == 0 || y == height - 1 || x == width - 1;
    if (at_border != (border != 0)) return;
    float around = now(y, x + 1) + now(y + 2, x + 1) + now(y + 1, x) + now(y + 1, x + 2);
    next(y, x) = now(y + 1, x + 1) + rate * (around - 4 * now(y + 1, x + 1));
  })";

using Plate = std::vector<float>;

// The same in plain C++.
Plate plain_steps(Plate now) {
  const auto at = [&](int y, int x) {
    const bool is_inside = y >= 0 && x >= 0 && y < height && x < width;
    return is_inside ? now[static_cast<std::size_t>(y * width + x)] : 0;
  };
  for (int step = 0; step < steps; ++step) {
    Plate next;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        next.push_back(at(y, x) + rate * (at(y - 1, x) + at(y + 1, x) + at(y, x - 1) +
                                          at(y, x + 1) - 4 * at(y, x)));
    now = next;
  }
  return now;
}

void step(const gpuarr::Raw& spread, const Blocked& from, const Blocked& to) {
  gpuarr::HaloExchange exchange(from);  // ghost cells are under way ...
  gpuarr::map_blocks(spread, to, {32, 8}, {from.halo_view(), to.view(), rate, 0});
  exchange.end();  // ... and there
  gpuarr::map_blocks(spread, to, {32, 8}, {from.halo_view(), to.view(), rate, 1});
}

}  // namespace

int main() try {
  const auto team = gpuarr::Team::world();
  gpuarr::BlockedOptions cold;
  cold.halo({1, 1}, {1, 1}, {GPUARR_BOUNDARY_CONSTANT, GPUARR_BOUNDARY_CONSTANT});
  Blocked now(team, GPUARR_F32, {height, width}, {100, 160}, cold), next = now.like();
  const gpuarr::Raw spread = gpuarr::Module(source).kernel("spread");

  Plate plate(height * width);  // a hot square in the middle, where four blocks meet
  for (std::size_t y = 80; y < 120; ++y)
    for (std::size_t x = 130; x < 190; ++x) plate[y * width + x] = 1;
  now.write(plate.data(), height * width);
  for (int k = 0; k < steps; ++k) {
    step(spread, now, next);
    std::swap(now, next);
  }

  const auto found = now.to_vector<float>();
  const Plate wanted = plain_steps(plate);
  for (std::size_t k = 0; k < found.size(); ++k) expect(found[k], wanted[k], 1e-5, "heat", k);
  if (team.first() == 0)
    std::printf("after %d steps the middle has %.4f of its heat\n", steps,
                found[100 * width + 160]);
} catch (const std::exception& exception) {
  return failed(exception);
}
