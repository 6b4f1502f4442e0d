/* A kernel from a file, 15_tiled_product.cu: a matrix product in tiles of shared memory.
 * 15_tiled_product [FILE.cu] */
#include "example.h"

#ifndef EXAMPLE_FOLDER /* the folder with the file, as CMakeLists.txt gives it */
#define EXAMPLE_FOLDER "."
#endif

enum { ROWS = 200, INNER = 300, COLUMNS = 250, TILE = 16 };

int main(int argc, char** argv) {
  static float a[ROWS][INNER], b[INNER][COLUMNS], c[ROWS][COLUMNS];
  for (int i = 0; i < ROWS; ++i)
    for (int k = 0; k < INNER; ++k) a[i][k] = (float)((7 * i + 3 * k) % 11 - 5);
  for (int k = 0; k < INNER; ++k)
    for (int j = 0; j < COLUMNS; ++j) b[k][j] = (float)((k + 5 * j) % 13 - 6);

  gpuarr_device* device;
  gpuarr_module* module;
  gpuarr_raw* product;
  gpuarr_array *a_array, *b_array, *c_array;
  int64_t a_shape[] = {ROWS, INNER}, b_shape[] = {INNER, COLUMNS}, c_shape[] = {ROWS, COLUMNS};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_module_open(&module, argc > 1 ? argv[1] : EXAMPLE_FOLDER "/15_tiled_product.cu",
                           NULL));
  check(gpuarr_module_kernel(&product, module, "tiled_product", NULL));
  gpuarr_module_release(module); /* the kernel keeps it */
  check(gpuarr_array_from_host(&a_array, device, GPUARR_F32, 2, a_shape, NULL, a, sizeof a, NULL));
  check(gpuarr_array_from_host(&b_array, device, GPUARR_F32, 2, b_shape, NULL, b, sizeof b, NULL));
  check(gpuarr_array_empty(&c_array, device, GPUARR_F32, 2, c_shape, GPUARR_ORDER_C, NULL));

  /* A block for each tile of the result, a thread for each of its elements; x is the column. */
  int64_t grid[] = {(COLUMNS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE, 1};
  int64_t block[] = {TILE, TILE, 1};
  gpuarr_arg args[] = {gpuarr_arg_array(a_array), gpuarr_arg_array(b_array),
                       gpuarr_arg_array(c_array), gpuarr_arg_i32(ROWS),
                       gpuarr_arg_i32(INNER),     gpuarr_arg_i32(COLUMNS)};
  check(gpuarr_raw_launch(product, grid, block, 0, args, 6, NULL));
  check(gpuarr_array_read(c, sizeof c, NULL, c_array, NULL));

  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j) {
      double wanted = 0;
      for (int k = 0; k < INNER; ++k) wanted += (double)a[i][k] * b[k][j];
      expect(c[i][j], wanted, 0, "product", i * COLUMNS + j); /* small integers: exact */
    }

  printf("ok: a product of (%d, %d) and (%d, %d) in tiles of %d x %d on %s\n", ROWS, INNER, INNER,
         COLUMNS, TILE, TILE, gpuarr_device_name(device));
  gpuarr_array_release(c_array);
  gpuarr_array_release(b_array);
  gpuarr_array_release(a_array);
  gpuarr_raw_release(product);
  return 0;
}
