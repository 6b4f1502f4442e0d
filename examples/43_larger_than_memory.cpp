// More data than memory: an array in a Zarr directory is made, mapped and summed slab by slab; only
// one slab is in memory at a time. The same program runs by itself, by `gpuarr run -n 4`, and by
// mpirun: 43_larger_than_memory [DIRECTORY]
#include <gpuarr_team.hpp>

#include "example.hpp"

using gpuarr::Blocked;

namespace {

constexpr int64_t rows = 2000, columns = 500, slab = 500;
const gpuarr::Shape chunk{100, columns};

}  // namespace

int main(int argc, char** argv) try {
  const char* const path = argc > 1 ? argv[1] : "larger_than_memory.zarr";
  const auto team = gpuarr::Team::world();
  const Blocked x(team, GPUARR_F64, {slab, columns}, chunk);

  gpuarr::file_create(team, path, GPUARR_FILE_ZARR, GPUARR_F64, {rows, columns}, chunk);
  for (int64_t row = 0; row < rows; row += slab) {
    x.arange(row * columns, 1);
    x.save_part(path, {row, 0});
  }

  double total = 0;
  for (int64_t row = 0; row < rows; row += slab) {
    x.load_part(path, {row, 0});
    gpuarr::map_blocks("2 * x + 1", {x}, {"x"}, {x});
    x.save_part(path, {row, 0});
    total += x.reduce("sum").item<double>();
  }
  expect(total, static_cast<double>(rows * columns * (rows * columns)), 0, "sum", 0);
  if (team.first() == 0) std::printf("the sum of %s is %.0f\n", path, total);
} catch (const std::exception& exception) {
  return failed(exception);
}
