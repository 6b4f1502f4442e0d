/* With $GPUARR_CONTRACT=0 no kernel fuses a product and a sum: what one kernel
 * computes has the bits that several have. */
#include <math.h>
#include <stdlib.h>

#include "arrays.h"
#include "kernels.h"
#include "raws.h"

enum { rows = 2, columns = 1003 };
static const gpuarr_dtype dtypes[] = {GPUARR_F32, GPUARR_F64};

/* Two rows between 1 and 2: products do not come out even, and nothing
 * overflows. */
static gpuarr_array* drawn(gpuarr_dtype dtype) {
  const int64_t shape[] = {rows, columns};
  static double values[rows * columns];
  for (int k = 0; k < rows * columns; ++k) values[k] = 1 + random_unit();
  gpuarr_array *wide = from(GPUARR_F64, 2, shape, values), *x = NULL;
  assert_ok(gpuarr_array_astype(&x, wide, dtype, NULL));
  gpuarr_array_release(wide);
  return x;
}

static gpuarr_array* applied(const char* name, gpuarr_arg x, gpuarr_arg y) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_apply(&out, 1, name, (gpuarr_arg[]){x, y}, 2, NULL, NULL));
  return out;
}

/* x * y + z by two calls. */
static gpuarr_array* in_two_steps(gpuarr_array* x, gpuarr_arg y, gpuarr_array* z) {
  gpuarr_array* product = applied("multiply", gpuarr_arg_array(x), y);
  gpuarr_array* sum = applied("add", gpuarr_arg_array(product), gpuarr_arg_array(z));
  gpuarr_array_release(product);
  return sum;
}

/* Both are released. */
static void assert_equal_arrays(gpuarr_array* actual, gpuarr_array* expected) {
  const int64_t count = gpuarr_array_size(expected);
  assert_int_equal(gpuarr_array_dtype(actual), gpuarr_array_dtype(expected));
  double* values = doubles_of(expected);
  assert_values(actual, count, values);
  free(values);
  release_arrays((gpuarr_array*[]){actual, expected}, 2);
}

static void in_elementwise_kernels(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = make_elementwise("T x, T y, T z", "T w", "w = x * y + z");
  for (int k = 0; k < 2; ++k) {
    gpuarr_array *x = drawn(dtypes[k]), *y = drawn(dtypes[k]), *z = drawn(dtypes[k]);
    const gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_array(y), gpuarr_arg_array(z)};
    assert_equal_arrays(run_elementwise(kernel, args, 3), in_two_steps(x, args[1], z));
    release_arrays((gpuarr_array*[]){x, y, z}, 3);
  }
  gpuarr_elementwise_release(kernel);
}

/* The largest one, and the sum of two, is the same in any order. */
static void in_reductions(void** state) {
  (void)state;
  gpuarr_reduction* most = make_reduction(&(struct reduction_texts){.in = "T x, T y, T z",
                                                                    .out = "T w",
                                                                    .map = "x * y + z",
                                                                    .reduce = "a > b ? a : b",
                                                                    .post = "w = a"});
  gpuarr_reduction* sum = make_reduction(&(struct reduction_texts){
      .in = "T x, T y", .out = "T w", .map = "x * y", .reduce = "a + b", .post = "w = a"});
  for (int k = 0; k < 2; ++k) {
    gpuarr_array *x = drawn(dtypes[k]), *y = drawn(dtypes[k]), *z = drawn(dtypes[k]), *out = NULL;
    const gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_array(y), gpuarr_arg_array(z)};
    gpuarr_array* whole = in_two_steps(x, args[1], z);
    assert_ok(gpuarr_max(&out, whole, NULL, GPUARR_ALL_AXES, 0, NULL));
    assert_equal_arrays(reduce_all(most, args, 3), out);
    gpuarr_array *product = applied("multiply", args[0], args[1]), *sums = NULL;
    assert_ok(gpuarr_sum(&sums, product, (int32_t[]){0}, 1, 0, NULL));
    assert_equal_arrays(reduce_along(sum, args, 2, 0), sums);
    release_arrays((gpuarr_array*[]){x, y, z, whole, product}, 5);
  }
  gpuarr_reduction_release(most);
  gpuarr_reduction_release(sum);
}

/* Of two elements a scan has one operation. */
static void in_scans(void** state) {
  (void)state;
  gpuarr_scan* scan = NULL;
  assert_ok(gpuarr_scan_create(&scan, "T x", "T y", "x", "a * T(1.3) + b", "y = a", NULL, NULL));
  for (int k = 0; k < 2; ++k) {
    gpuarr_array *x = drawn(dtypes[k]), *out = NULL, *first = NULL, *second = NULL, *last = NULL;
    const gpuarr_arg arg = gpuarr_arg_array(x);
    assert_ok(gpuarr_scan_call(scan, &out, 1, &arg, 1, 0, 0, NULL));
    assert_ok(gpuarr_array_select(&first, x, 0, 0));
    assert_ok(gpuarr_array_select(&second, x, 0, 1));
    assert_ok(gpuarr_array_select(&last, out, 0, 1));
    assert_equal_arrays(last, in_two_steps(first, gpuarr_arg_f64(1.3), second));
    release_arrays((gpuarr_array*[]){x, out, first, second}, 4);
  }
  gpuarr_scan_release(scan);
}

/* Also where the user's options ask for the contrary. */
static void in_modules(void** state) {
  (void)state;
  const char* source =
      "extern \"C\" __global__ void k(const float* x, const float* y, float* "
      "z, long long n) {\n"
      "  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;\n"
      "  if (i < n) z[i] = x[i] * y[i] + z[i];\n}\n";
  for (int k = 0; k < 2; ++k) {
    gpuarr_kernel_options* options = NULL;
    assert_ok(gpuarr_kernel_options_create(&options));
    if (k == 1)
      assert_ok(gpuarr_kernel_options_add(
          options, test_device_is_host() ? "-ffp-contract=fast" : "--fmad=true"));
    gpuarr_raw* kernel = NULL;
    assert_ok(gpuarr_raw_create(&kernel, source, "k", NULL, options));
    gpuarr_kernel_options_release(options);
    gpuarr_array *x = drawn(GPUARR_F32), *y = drawn(GPUARR_F32), *z = drawn(GPUARR_F32);
    gpuarr_array* expected = in_two_steps(x, gpuarr_arg_array(y), z);
    const gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_array(y), gpuarr_arg_array(z),
                               gpuarr_arg_i64(rows * columns)};
    launch(kernel, (rows * columns + 127) / 128, 128, args, 4);
    assert_equal_arrays(z, expected);
    gpuarr_raw_release(kernel);
    release_arrays((gpuarr_array*[]){x, y}, 2);
  }
}

/* log2(2^x + 2^y) is the larger one, and what log1p gives times log2(e). */
static void in_the_librarys_own(void** state) {
  (void)state;
  gpuarr_array *x = drawn(GPUARR_F32), *y = drawn(GPUARR_F32);
  const gpuarr_arg ax = gpuarr_arg_array(x), ay = gpuarr_arg_array(y);
  gpuarr_array *most = applied("maximum", ax, ay), *least = applied("minimum", ax, ay);
  gpuarr_array* apart = applied("subtract", gpuarr_arg_array(least), gpuarr_arg_array(most));
  const gpuarr_arg in_place = gpuarr_arg_array(apart);
  assert_ok(gpuarr_apply(&apart, 1, "exp2", &in_place, 1, NULL, NULL));
  assert_ok(gpuarr_apply(&apart, 1, "log1p", &in_place, 1, NULL, NULL));
  assert_equal_arrays(applied("logaddexp2", ax, ay),
                      in_two_steps(apart, gpuarr_arg_f64(1.4426950408889634), most));
  release_arrays((gpuarr_array*[]){x, y, most, least, apart}, 5);
}

/* Kernels that were not there in memory. */
static int64_t made(void) {
  int64_t compiled = 0, on_disk = 0;
  assert_ok(gpuarr_cache_statistic(&compiled, GPUARR_CACHE_COMPILES));
  assert_ok(gpuarr_cache_statistic(&on_disk, GPUARR_CACHE_DISK_HITS));
  return compiled + on_disk;
}

/* Neither is taken for the other, in memory or on disk. */
static void is_part_of_the_key(void** state) {
  (void)state;
  gpuarr_array* x = drawn(GPUARR_F32);
  const gpuarr_arg arg = gpuarr_arg_array(x);
  const char* const values[] = {"0", "1", "0", "1"};
  const int64_t before = made();
  for (int k = 0; k < 4; ++k) {
    setenv("GPUARR_CONTRACT", values[k], 1);
    gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "y = x * x + 3");
    gpuarr_array_release(run_elementwise(kernel, &arg, 1));
    gpuarr_elementwise_release(kernel);
    assert_int_equal(made() - before, k == 0 ? 1 : 2);
  }
  setenv("GPUARR_CONTRACT", "off", 1);
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "y = x * x + 4");
  gpuarr_array* out = NULL;
  assert_status(gpuarr_elementwise_call(kernel, &out, 1, &arg, 1, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("$GPUARR_CONTRACT is \"off\"; say 0 or 1");
  setenv("GPUARR_CONTRACT", "0", 1);
  gpuarr_elementwise_release(kernel);
  gpuarr_array_release(x);
}

int main(void) {
  setenv("GPUARR_CONTRACT", "0", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_elementwise_kernels),
      cmocka_unit_test(in_reductions),
      cmocka_unit_test(in_scans),
      cmocka_unit_test(in_modules),
      cmocka_unit_test(in_the_librarys_own),
      cmocka_unit_test(is_part_of_the_key),
  };
  return run_suite(tests);
}
