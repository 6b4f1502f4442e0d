// A kernel from a file, 15_tiled_product.cu: a matrix product in tiles of shared memory.
// 15_tiled_product [FILE.cu]
#include "example.hpp"

#ifndef EXAMPLE_FOLDER  // the folder with the file, as CMakeLists.txt gives it
#define EXAMPLE_FOLDER "."
#endif

using gpuarr::Array;

int main(int argc, char** argv) try {
  constexpr int rows = 200, inner = 300, columns = 250, tile = 16;
  std::vector<float> a, b;
  for (int i = 0; i < rows; ++i)
    for (int k = 0; k < inner; ++k) a.push_back(static_cast<float>((7 * i + 3 * k) % 11 - 5));
  for (int k = 0; k < inner; ++k)
    for (int j = 0; j < columns; ++j) b.push_back(static_cast<float>((k + 5 * j) % 13 - 6));

  const auto module =
      gpuarr::Module::open(argc > 1 ? argv[1] : EXAMPLE_FOLDER "/15_tiled_product.cu");
  const gpuarr::Raw product = module.kernel("tiled_product");
  const Array c_array = gpuarr::empty(GPUARR_F32, {rows, columns});

  // A block for each tile of the result, a thread for each of its elements; x is the column.
  product.launch({(columns + tile - 1) / tile, (rows + tile - 1) / tile}, {tile, tile},
                 {Array::from(a, {rows, inner}), Array::from(b, {inner, columns}), c_array, rows,
                  inner, columns});

  const auto c = c_array.to_vector<float>();
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      double wanted = 0;
      for (int k = 0; k < inner; ++k)
        wanted += static_cast<double>(a[i * inner + k]) * b[k * columns + j];
      const int at = i * columns + j;
      expect(c[at], wanted, 0, "product", at);  // small integers: exact
    }

  std::printf("ok: a product of (%d, %d) and (%d, %d) in tiles of %d x %d on %s\n", rows, inner,
              inner, columns, tile, tile, c_array.device().name().c_str());
} catch (const std::exception& exception) {
  return failed(exception);
}
