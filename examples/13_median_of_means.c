/* A robust mean: the median of the means of blocks hardly moves when a few values are wildly off,
 * and on data with heavy tails it errs less often than the plain mean. */
#include "example.h"

enum { COUNT = 1 << 20, BLOCKS = 64, OUTLIERS = 10 };

static const double true_mean = 1.5;

/* Values of a Pareto distribution with exponent 3, which has mean 3/2, a finite variance and no
 * higher moment; and a few readings of a broken instrument. */
static void draw(double* x) {
  uint64_t state = 1;
  for (int i = 0; i < COUNT; ++i) {
    state = 6364136223846793005u * state + 1442695040888963407u;
    double uniform = ((double)(state >> 11) + 0.5) / 9007199254740992.0;
    x[i] = pow(uniform, -1.0 / 3);
  }
  for (int k = 0; k < OUTLIERS; ++k) x[100000 * k + 4711] = 1e6;
}

static int ascending(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static double median(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, ascending);
  return count % 2 == 1 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

int main(void) {
  static double x[COUNT];
  double plain, means[BLOCKS];
  draw(x);

  gpuarr_device* device;
  gpuarr_reduction* mean;
  gpuarr_array *array, *blocks, *plain_array = NULL, *means_array = NULL;
  int64_t shape[] = {COUNT}, block_shape[] = {BLOCKS, -1};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_reduction_create(&mean, "T x", "T y", "x", "a + b",
                                "y = a / (n / _out_ind.size())", /* elements, by results */
                                NULL, NULL));
  check(gpuarr_array_from_host(&array, device, GPUARR_F64, 1, shape, NULL, x, sizeof x, NULL));

  /* The same kernel gives the mean of all and, of the same memory seen as a matrix, that of each
   * row. */
  int32_t last = -1;
  gpuarr_arg all = gpuarr_arg_array(array);
  check(gpuarr_reduction_call(mean, &plain_array, 1, &all, 1, NULL, GPUARR_ALL_AXES, 0, NULL));
  check(gpuarr_array_reshape(&blocks, array, 2, block_shape));
  gpuarr_arg rows = gpuarr_arg_array(blocks);
  check(gpuarr_reduction_call(mean, &means_array, 1, &rows, 1, &last, 1, 0, NULL));
  check(gpuarr_array_read(&plain, sizeof plain, NULL, plain_array, NULL));
  check(gpuarr_array_read(means, sizeof means, NULL, means_array, NULL));

  double sum = 0;
  for (int b = 0; b < BLOCKS; ++b) {
    double wanted = 0;
    for (int i = 0; i < COUNT / BLOCKS; ++i) wanted += x[b * (COUNT / BLOCKS) + i];
    expect(means[b], wanted / (COUNT / BLOCKS), 1e-12 * wanted / (COUNT / BLOCKS), "block mean", b);
    sum += wanted;
  }
  expect(plain, sum / COUNT, 1e-12 * sum / COUNT, "mean", 0);

  double robust = median(means, BLOCKS);
  expect(robust, true_mean, 0.01, "median of means", 0);
  printf("ok: true mean %.4f, median of %d block means %.4f, plain mean %.4f on %s\n", true_mean,
         BLOCKS, robust, plain, gpuarr_device_name(device));
  gpuarr_array_release(means_array);
  gpuarr_array_release(plain_array);
  gpuarr_array_release(blocks);
  gpuarr_array_release(array);
  gpuarr_reduction_release(mean);
  return 0;
}
