// A kernel of your own for each block of a chunked array: Dask's map_blocks, on several devices or
// processes. The same program runs by itself, by `gpuarr run -n 4`, and by mpirun.
#include <gpuarr_team.hpp>

#include "example.hpp"

using gpuarr::Blocked;

namespace {

const char* const source = R"(
  extern "C" __global__ void add(const float* x, const float* y, float* z, long long n,
                                 long long width) {
    long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < n) z[i] = x[i] + y[i % width];
  })";
constexpr int64_t rows = 4096, columns = 1024;

}  // namespace

int main() try {
  const auto team = gpuarr::Team::world();  // all processes; by itself, this one
  if (team.first() == 0) std::puts(team.describe().c_str());

  // x and z are 4 x 2 blocks of 1024 x 512; y has two blocks, which every place has.
  const Blocked x(team, GPUARR_F32, {rows, columns}, {1024, 512}), z = x.like();
  const Blocked y(team, GPUARR_F32, {columns}, {512}, gpuarr::BlockedOptions().replicated());
  x.arange(0, 1);
  y.arange(0, 10);

  const gpuarr::Raw add = gpuarr::Module(source).kernel("add");
  gpuarr::map_blocks(add, z, {x, y, z, gpuarr::block_size(), gpuarr::block_extent(1)});

  const auto row = z.to_vector<float>({3000, 0}, {3001, columns});  // every process gets it
  for (std::size_t j = 0; j < row.size(); ++j)
    expect(row[j], static_cast<float>(3000 * columns + j) + static_cast<float>(10 * j), 0, "z", j);
} catch (const std::exception& exception) {
  return failed(exception);
}
