/* Kernels in a .cu file that becomes a part of the program, which calls the same functions on the
 * host to check them: 37_kernels.cu, 37_kernels.cuh. Rust, Julia and Fortran have such kernels in
 * their own language: 37_own_language. */
#include "37_kernels.cu.h"
#include "37_kernels.cuh"
#include "example.h"

enum { COUNT = 100000, SIZE = 128, MATRIX = 100 };

static gpuarr_device* device;
static gpuarr_module* kernels;

static gpuarr_array* array_of(gpuarr_dtype dtype, int64_t count, const void* data) {
  gpuarr_array* array;
  const int64_t bytes = count * gpuarr_dtype_size(dtype);
  if (data == NULL)
    check(gpuarr_array_zeros(&array, device, dtype, 1, &count, GPUARR_ORDER_C, NULL));
  else
    check(gpuarr_array_from_host(&array, device, dtype, 1, &count, NULL, data, bytes, NULL));
  return array;
}

static void read(gpuarr_array* array, void* data, int64_t bytes) {
  check(gpuarr_array_read(data, bytes, NULL, array, NULL));
}

static void launch(const char* name, const int64_t grid[3], const int64_t block[3],
                   const gpuarr_arg* args, int32_t count) {
  gpuarr_raw* kernel;
  check(gpuarr_module_kernel(&kernel, kernels, name, NULL));
  check(gpuarr_raw_launch(kernel, grid, block, 0, args, count, NULL));
  gpuarr_raw_release(kernel);
}

static void launch_1d(const char* name, int64_t n, const gpuarr_arg* args, int32_t count) {
  gpuarr_raw* kernel;
  check(gpuarr_module_kernel(&kernel, kernels, name, NULL));
  check(gpuarr_raw_launch_1d(kernel, n, args, count, NULL));
  gpuarr_raw_release(kernel);
}

static void prime_factors(void) {
  static int32_t sums[COUNT];
  gpuarr_array* out = array_of(GPUARR_I32, COUNT, NULL);
  const gpuarr_arg args[] = {gpuarr_arg_array(out), gpuarr_arg_i32(COUNT)};
  launch_1d("prime_factors", COUNT, args, 2);
  read(out, sums, sizeof sums);
  for (int i = 0; i < COUNT; ++i) expect(sums[i], prime_factor_sum(i), 0, "sum", i);
  puts("prime factor sums: ok");
  gpuarr_array_release(out);
}

static void mandelbrot(void) {
  static int32_t steps[SIZE * SIZE];
  int different = 0;
  gpuarr_array* out = array_of(GPUARR_I32, SIZE * SIZE, NULL);
  const gpuarr_arg args[] = {gpuarr_arg_array(out), gpuarr_arg_i32(SIZE)};
  launch_1d("mandelbrot", SIZE * SIZE, args, 2);
  read(out, steps, sizeof steps);
  for (int i = 0; i < SIZE * SIZE; ++i) {
    const double re = -2.0 + 3.0 * (i % SIZE) / SIZE, im = -1.5 + 3.0 * (i / SIZE) / SIZE;
    different += steps[i] != mandelbrot_steps(re, im, 200);
  }
  expect(different, 0, SIZE / 4, "points", 0); /* a fused multiply-add may tip some of them */
  puts("Mandelbrot: ok");
  gpuarr_array_release(out);
}

static void heat(void) {
  static float now[SIZE * SIZE], next[SIZE * SIZE];
  for (int i = 0; i < SIZE * SIZE; ++i) now[i] = (float)(i % 37);
  gpuarr_array *x = array_of(GPUARR_F32, SIZE * SIZE, now),
               *y = array_of(GPUARR_F32, SIZE * SIZE, NULL);
  const gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_array(y), gpuarr_arg_i32(SIZE),
                             gpuarr_arg_i32(SIZE), gpuarr_arg_f32(0.2f)};
  launch_1d("heat", SIZE * SIZE, args, 5);
  read(y, next, sizeof next);
  for (int i = 0; i < SIZE * SIZE; ++i)
    expect(next[i], heat_step(now, i / SIZE, i % SIZE, SIZE, SIZE, 0.2f), 1e-4, "heat", i);
  puts("heat: ok");
  gpuarr_array_release(x);
  gpuarr_array_release(y);
}

static void black_scholes(void) {
  static double spot[COUNT], strike[COUNT], years[COUNT], call[COUNT];
  for (int k = 0; k < COUNT; ++k) {
    spot[k] = 50 + k % 101;
    strike[k] = 60 + k % 89;
    years[k] = 0.1 + (k % 37) / 12.0;
  }
  const double* const given[] = {spot, strike, years};
  gpuarr_array* arrays[4];
  gpuarr_arg args[5];
  for (int k = 0; k < 4; ++k) {
    arrays[k] = array_of(GPUARR_F64, COUNT, k < 3 ? given[k] : NULL);
    args[k] = gpuarr_arg_array(arrays[k]);
  }
  args[4] = gpuarr_arg_i32(COUNT);
  launch_1d("black_scholes", COUNT, args, 5);
  read(arrays[3], call, sizeof call);
  for (int k = 0; k < COUNT; ++k)
    expect(call[k], call_price(spot[k], strike[k], years[k], 0.03, 0.25), 1e-10, "call", k);
  puts("Black-Scholes: ok");
  for (int k = 0; k < 4; ++k) gpuarr_array_release(arrays[k]);
}

static void product(void) {
  static float a[MATRIX][MATRIX], b[MATRIX][MATRIX], c[MATRIX][MATRIX];
  for (int i = 0; i < MATRIX; ++i)
    for (int j = 0; j < MATRIX; ++j) {
      a[i][j] = (float)(i % 5 - j % 3);
      b[i][j] = (float)(j % 7 - i % 2);
    }
  gpuarr_array* arrays[] = {array_of(GPUARR_F32, MATRIX * MATRIX, a),
                            array_of(GPUARR_F32, MATRIX * MATRIX, b),
                            array_of(GPUARR_F32, MATRIX * MATRIX, NULL)};
  const gpuarr_arg args[] = {gpuarr_arg_array(arrays[0]), gpuarr_arg_array(arrays[1]),
                             gpuarr_arg_array(arrays[2]), gpuarr_arg_i32(MATRIX)};
  const int64_t tiles = (MATRIX + 15) / 16;
  launch("product", (int64_t[]){tiles, tiles, 1}, (int64_t[]){16, 16, 1}, args, 4);
  read(arrays[2], c, sizeof c);
  for (int i = 0; i < MATRIX; ++i)
    for (int j = 0; j < MATRIX; ++j) {
      float sum = 0;
      for (int k = 0; k < MATRIX; ++k) sum += a[i][k] * b[k][j];
      expect(c[i][j], sum, 0, "product", i * MATRIX + j);
    }
  puts("tiled product: ok");
  for (int k = 0; k < 3; ++k) gpuarr_array_release(arrays[k]);
}

static void tree_sum(void) {
  enum { BLOCKS = (COUNT + 255) / 256 };
  static double x[COUNT], sums[BLOCKS];
  double wanted = 0, sum = 0;
  for (int k = 0; k < COUNT; ++k) wanted += x[k] = k % 1000;
  gpuarr_array *from = array_of(GPUARR_F64, COUNT, x), *to = array_of(GPUARR_F64, BLOCKS, NULL);
  const gpuarr_arg args[] = {gpuarr_arg_array(from), gpuarr_arg_array(to), gpuarr_arg_i32(COUNT)};
  launch("tree_sum", (int64_t[]){BLOCKS, 1, 1}, (int64_t[]){256, 1, 1}, args, 3);
  read(to, sums, sizeof sums);
  for (int k = 0; k < BLOCKS; ++k) sum += sums[k];
  expect(sum, wanted, 0, "sum", 0);
  puts("tree reduction: ok");
  gpuarr_array_release(from);
  gpuarr_array_release(to);
}

int main(void) {
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_module_create(&kernels, _37_kernels_cu, NULL));
  prime_factors();
  mandelbrot();
  heat();
  black_scholes();
  product();
  tree_sum();
  gpuarr_module_release(kernels);
  printf("ok: six kernels on %s\n", gpuarr_device_name(device));
  return 0;
}
