/* Static shared memory: a transpose that reads rows and writes rows. Without the tile in between,
 * neighbouring threads would write elements that are far apart, which is slow. */
#include "example.h"

enum { ROWS = 1000, COLUMNS = 700, TILE = 32, STRIPE = 8 };

/* A thread moves TILE / STRIPE elements. The 33rd column of the tile stays empty: it puts the
 * elements of a column into different banks of a GPU's shared memory. */
static const char* const source =
    "__global__ void transpose(const float* x, float* y, int rows, int columns) {\n"
    "  __shared__ float tile[32][33];\n"
    "  int row = blockIdx.y * 32, column = blockIdx.x * 32;\n"
    "  for (int j = threadIdx.y; j < 32; j += blockDim.y)\n"
    "    if (row + j < rows && column + threadIdx.x < columns)\n"
    "      tile[j][threadIdx.x] = x[(row + j) * columns + column + threadIdx.x];\n"
    "  __syncthreads();\n"
    "  for (int j = threadIdx.y; j < 32; j += blockDim.y)\n"
    "    if (column + j < columns && row + threadIdx.x < rows)\n"
    "      y[(column + j) * rows + row + threadIdx.x] = tile[threadIdx.x][j];\n"
    "}\n";

int main(void) {
  static float x[ROWS][COLUMNS], y[COLUMNS][ROWS];
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j) x[i][j] = (float)(i * COLUMNS + j);

  gpuarr_device* device;
  gpuarr_raw* transpose;
  gpuarr_array *x_array, *y_array;
  int64_t x_shape[] = {ROWS, COLUMNS}, y_shape[] = {COLUMNS, ROWS};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_raw_create(&transpose, source, "transpose", NULL, NULL));
  check(gpuarr_array_from_host(&x_array, device, GPUARR_F32, 2, x_shape, NULL, x, sizeof x, NULL));
  check(gpuarr_array_empty(&y_array, device, GPUARR_F32, 2, y_shape, GPUARR_ORDER_C, NULL));

  int64_t grid[] = {(COLUMNS + TILE - 1) / TILE, (ROWS + TILE - 1) / TILE, 1};
  int64_t block[] = {TILE, STRIPE, 1};
  gpuarr_arg args[] = {gpuarr_arg_array(x_array), gpuarr_arg_array(y_array), gpuarr_arg_i32(ROWS),
                       gpuarr_arg_i32(COLUMNS)};
  check(gpuarr_raw_launch(transpose, grid, block, 0, args, 4, NULL));
  check(gpuarr_array_read(y, sizeof y, NULL, y_array, NULL));
  for (int i = 0; i < ROWS; ++i)
    for (int j = 0; j < COLUMNS; ++j) expect(y[j][i], x[i][j], 0, "transpose", i * COLUMNS + j);

  printf("ok: a transpose of %d x %d numbers in tiles of %d x %d on %s\n", ROWS, COLUMNS, TILE,
         TILE, gpuarr_device_name(device));
  gpuarr_array_release(y_array);
  gpuarr_array_release(x_array);
  gpuarr_raw_release(transpose);
  return 0;
}
