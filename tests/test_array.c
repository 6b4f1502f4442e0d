/* gpuarr/array.h: creation and attributes. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nested.h"
#include "support.h"

static gpuarr_device* device;

static const gpuarr_dtype all_dtypes[] = {GPUARR_BOOL, GPUARR_I8,  GPUARR_I16,  GPUARR_I32,
                                          GPUARR_I64,  GPUARR_U8,  GPUARR_U16,  GPUARR_U32,
                                          GPUARR_U64,  GPUARR_F16, GPUARR_BF16, GPUARR_F32,
                                          GPUARR_F64,  GPUARR_C64, GPUARR_C128};
enum { DTYPES = sizeof all_dtypes / sizeof *all_dtypes };

/* The array's elements as doubles, real parts only. */
static double* doubles_of(const gpuarr_array* array) {
  double* out = calloc((size_t)gpuarr_array_size(array) + 1, sizeof *out);
  gpuarr_array* converted = NULL;
  assert_non_null(out);
  assert_ok(gpuarr_array_astype(&converted, array, GPUARR_F64, NULL));
  assert_ok(gpuarr_array_read(out, gpuarr_array_size(array) * 8, NULL, converted, NULL));
  gpuarr_array_release(converted);
  return out;
}

static void check_doubles(gpuarr_array* array, int64_t count, const double* expected) {
  assert_int_equal(gpuarr_array_size(array), count);
  double* actual = doubles_of(array);
  for (int64_t i = 0; i < count; ++i) assert_close(actual[i], expected[i], 0);
  free(actual);
  gpuarr_array_release(array);
}

static void attributes_are_those_asked_for(void** state) {
  (void)state;
  int64_t shape[] = {2, 3, 4};
  int64_t c_strides[] = {12, 4, 1};
  int64_t f_strides[] = {1, 2, 6};
  for (int i = 0; i < DTYPES; ++i)
    for (int32_t order = GPUARR_ORDER_C; order <= GPUARR_ORDER_F; ++order) {
      gpuarr_array* a = NULL;
      assert_ok(gpuarr_array_empty(&a, device, all_dtypes[i], 3, shape, order, NULL));
      assert_int_equal(gpuarr_array_ndim(a), 3);
      assert_int_equal(gpuarr_array_size(a), 24);
      assert_int_equal(gpuarr_array_dtype(a), all_dtypes[i]);
      assert_ptr_equal(gpuarr_array_device(a), device);
      assert_memory_equal(gpuarr_array_shape(a), shape, sizeof shape);
      assert_memory_equal(gpuarr_array_strides(a), order == GPUARR_ORDER_C ? c_strides : f_strides,
                          sizeof shape);
      assert_int_equal((uintptr_t)gpuarr_array_data(a) % 512, 0);
      assert_int_equal(gpuarr_array_is_contiguous(a, GPUARR_ORDER_C), order == GPUARR_ORDER_C);
      assert_int_equal(gpuarr_array_is_contiguous(a, GPUARR_ORDER_F), order == GPUARR_ORDER_F);
      assert_int_equal(gpuarr_array_is_contiguous(a, GPUARR_ORDER_K), 1);
      assert_int_equal(gpuarr_array_is_contiguous(a, 3), 0);
      gpuarr_array_release(a);
    }
}

static void null_has_no_attributes(void** state) {
  (void)state;
  assert_int_equal(gpuarr_array_ndim(NULL), 0);
  assert_null(gpuarr_array_shape(NULL));
  assert_null(gpuarr_array_strides(NULL));
  assert_int_equal(gpuarr_array_size(NULL), 0);
  assert_int_equal(gpuarr_array_dtype(NULL), 0);
  assert_null(gpuarr_array_device(NULL));
  assert_null(gpuarr_array_data(NULL));
  assert_int_equal(gpuarr_array_is_contiguous(NULL, GPUARR_ORDER_C), 0);
  assert_null(gpuarr_array_retain(NULL));
  gpuarr_array_release(NULL);
}

static void references_are_counted(void** state) {
  (void)state;
  int64_t before = gpuarr_live_objects();
  gpuarr_array* a = NULL;
  assert_ok(gpuarr_array_empty(&a, device, GPUARR_I8, 0, NULL, GPUARR_ORDER_C, NULL));
  assert_int_equal(gpuarr_live_objects(), before + 1);
  assert_ptr_equal(gpuarr_array_retain(a), a);
  gpuarr_array_release(a);
  assert_int_equal(gpuarr_live_objects(), before + 1);
  assert_int_equal(gpuarr_array_dtype(a), GPUARR_I8);
  gpuarr_array_release(a);
  assert_int_equal(gpuarr_live_objects(), before);
}

static void zeros_ones_and_full_hold_their_value(void** state) {
  (void)state;
  int64_t shape[] = {3, 5};
  double zeros[15] = {0};
  double ones[15];
  double sevens[15];
  for (int i = 0; i < 15; ++i) {
    ones[i] = 1;
    sevens[i] = 7;
  }
  for (int i = 0; i < DTYPES; ++i)
    for (int32_t order = GPUARR_ORDER_C; order <= GPUARR_ORDER_F; ++order) {
      gpuarr_dtype dtype = all_dtypes[i];
      gpuarr_array* a = NULL;
      assert_ok(gpuarr_array_zeros(&a, device, dtype, 2, shape, order, NULL));
      check_doubles(a, 15, zeros);
      assert_ok(gpuarr_array_ones(&a, device, dtype, 2, shape, order, NULL));
      check_doubles(a, 15, ones);
      gpuarr_arg value = dtype == GPUARR_BOOL ? gpuarr_arg_bool(1) : gpuarr_arg_i32(7);
      assert_ok(gpuarr_array_full(&a, device, dtype, 2, shape, order, value, NULL));
      check_doubles(a, 15, dtype == GPUARR_BOOL ? ones : sevens);
    }
}

static void full_keeps_both_parts_of_a_complex_number(void** state) {
  (void)state;
  int64_t shape[] = {2};
  gpuarr_array* a = NULL;
  double value[2] = {0};
  assert_ok(gpuarr_array_full(&a, device, GPUARR_C128, 0, shape, GPUARR_ORDER_C,
                              gpuarr_arg_c64(1.5F, -2), NULL));
  assert_ok(gpuarr_array_read(value, sizeof value, NULL, a, NULL));
  assert_true(value[0] == 1.5 && value[1] == -2);
  gpuarr_array_release(a);
}

static void arrays_without_elements_or_axes(void** state) {
  (void)state;
  int64_t shape[] = {3, 0, 2};
  gpuarr_array* a = NULL;
  assert_ok(gpuarr_array_ones(&a, device, GPUARR_F32, 3, shape, GPUARR_ORDER_C, NULL));
  assert_int_equal(gpuarr_array_size(a), 0);
  assert_null(gpuarr_array_data(a));
  assert_ok(gpuarr_array_read(NULL, 0, NULL, a, NULL));
  gpuarr_array_release(a);
  assert_ok(gpuarr_array_ones(&a, device, GPUARR_F32, 0, NULL, GPUARR_ORDER_C, NULL));
  assert_int_equal(gpuarr_array_size(a), 1);
  assert_non_null(gpuarr_array_data(a));
  double one[] = {1};
  check_doubles(a, 1, one);
}

/* ---- arange, linspace, eye ---- */

static gpuarr_array* range(gpuarr_dtype dtype, gpuarr_arg start, gpuarr_arg stop, gpuarr_arg step) {
  gpuarr_array* a = NULL;
  assert_ok(gpuarr_array_arange(&a, device, dtype, start, stop, step, NULL));
  assert_int_equal(gpuarr_array_ndim(a), 1);
  assert_int_equal(gpuarr_array_dtype(a), dtype);
  return a;
}

static void arange_of_integers(void** state) {
  (void)state;
  for (int round = 0; round < 300; ++round) {
    int64_t start = random_between(-60, 60);
    int64_t stop = random_between(-60, 60);
    int64_t step = random_between(-9, 9);
    if (step == 0) continue;
    double expected[128];
    int64_t count = 0;
    for (int64_t v = start; step > 0 ? v < stop : v > stop; v += step)
      expected[count++] = (double)v;
    const gpuarr_dtype dtypes[] = {GPUARR_I8,  GPUARR_I16, GPUARR_I32, GPUARR_I64, GPUARR_F16,
                                   GPUARR_F32, GPUARR_F64, GPUARR_C64, GPUARR_BF16};
    gpuarr_dtype dtype = dtypes[random_between(0, 8)];
    check_doubles(range(dtype, gpuarr_arg_i64(start), gpuarr_arg_i16((int16_t)stop),
                        gpuarr_arg_i8((int8_t)step)),
                  count, expected);
  }
}

static void arange_at_the_ends_of_64_bits(void** state) {
  (void)state;
  int64_t low[3] = {0};
  gpuarr_array* a = range(GPUARR_I64, gpuarr_arg_i64(INT64_MIN), gpuarr_arg_i64(INT64_MAX),
                          gpuarr_arg_i64(INT64_MAX));
  assert_int_equal(gpuarr_array_size(a), 3);
  assert_ok(gpuarr_array_read(low, sizeof low, NULL, a, NULL));
  assert_true(low[0] == INT64_MIN && low[1] == -1 && low[2] == INT64_MAX - 1);
  gpuarr_array_release(a);

  uint64_t across[6] = {0};
  uint64_t half = (uint64_t)1 << 63;
  a = range(GPUARR_U64, gpuarr_arg_u64(half - 2), gpuarr_arg_u64(half + 4), gpuarr_arg_i8(1));
  assert_int_equal(gpuarr_array_size(a), 6);
  assert_ok(gpuarr_array_read(across, sizeof across, NULL, a, NULL));
  for (uint64_t i = 0; i < 6; ++i) assert_true(across[i] == half - 2 + i);
  gpuarr_array_release(a);

  a = range(GPUARR_U64, gpuarr_arg_u64(half + 3), gpuarr_arg_u64(half - 3), gpuarr_arg_i8(-1));
  assert_ok(gpuarr_array_read(across, sizeof across, NULL, a, NULL));
  for (uint64_t i = 0; i < 6; ++i) assert_true(across[i] == half + 3 - i);
  gpuarr_array_release(a);

  a = range(GPUARR_U64, gpuarr_arg_u64(1), gpuarr_arg_u64(UINT64_MAX), gpuarr_arg_u64(half + 1));
  assert_int_equal(gpuarr_array_size(a), 2);
  assert_ok(gpuarr_array_read(across, sizeof across, NULL, a, NULL));
  assert_true(across[0] == 1 && across[1] == half + 2);
  gpuarr_array_release(a);

  double real[2] = {0};
  a = range(GPUARR_F64, gpuarr_arg_u64(half), gpuarr_arg_u64(UINT64_MAX), gpuarr_arg_u64(half - 2));
  assert_int_equal(gpuarr_array_size(a), 2);
  gpuarr_array* b = a;
  assert_ok(gpuarr_array_read(real, sizeof real, NULL, b, NULL));
  assert_true(real[0] == 0x1p63 && real[1] == 0x1p64);
  gpuarr_array_release(a);
}

static void arange_of_floats(void** state) {
  (void)state;
  double tenths[] = {1, 1.1, 1.2};
  double expected[3];
  for (int i = 0; i < 3; ++i) expected[i] = 1 + i * 0.1;
  check_doubles(range(GPUARR_F64, gpuarr_arg_f64(1), gpuarr_arg_f64(1.3), gpuarr_arg_f64(0.1)), 3,
                expected);
  assert_close(tenths[2], expected[2], 1e-15);
  double down[] = {2, 1.5, 1, 0.5};
  check_doubles(range(GPUARR_F16, gpuarr_arg_i8(2), gpuarr_arg_f32(0), gpuarr_arg_f64(-0.5)), 4,
                down);
  double truncated[] = {0, 0, 1, 1, 2};
  check_doubles(range(GPUARR_I8, gpuarr_arg_f64(0), gpuarr_arg_f64(2.5), gpuarr_arg_f64(0.5)), 5,
                truncated);
  double tiny[] = {0};
  check_doubles(range(GPUARR_F64, gpuarr_arg_f64(0), gpuarr_arg_f64(4.9e-324), gpuarr_arg_f64(1e9)),
                1, tiny);
  check_doubles(range(GPUARR_F64, gpuarr_arg_f64(1), gpuarr_arg_f64(1), gpuarr_arg_f64(1)), 0,
                NULL);
  check_doubles(range(GPUARR_F64, gpuarr_arg_f64(1), gpuarr_arg_f64(2), gpuarr_arg_f64(-1)), 0,
                NULL);
}

static void linspace_ends_exactly(void** state) {
  (void)state;
  for (int round = 0; round < 200; ++round) {
    double start = random_unit() * 20 - 10;
    double stop = random_unit() * 20 - 10;
    int64_t count = random_between(0, 50);
    int32_t endpoint = (int32_t)random_between(0, 1);
    int single = random_between(0, 1) == 0;
    gpuarr_array* a = NULL;
    gpuarr_dtype dtype = single ? GPUARR_C64 : GPUARR_F64;
    assert_ok(gpuarr_array_linspace(&a, device, dtype, start, stop, count, endpoint, NULL));
    assert_int_equal(gpuarr_array_size(a), count);
    double* actual = doubles_of(a);
    int64_t steps = endpoint ? count - 1 : count;
    for (int64_t i = 0; i < count; ++i)
      assert_close(actual[i], start + (stop - start) * (double)i / (double)(steps > 0 ? steps : 1),
                   single ? 2e-6 : 1e-14);
    if (count > 0) assert_true(actual[0] == (single ? (double)(float)start : start));
    if (count > 1 && endpoint)
      assert_true(actual[count - 1] == (single ? (double)(float)stop : stop));
    free(actual);
    gpuarr_array_release(a);
  }
  double wide[] = {-DBL_MAX, 0, DBL_MAX};
  gpuarr_array* a = NULL;
  assert_ok(gpuarr_array_linspace(&a, device, GPUARR_F64, -DBL_MAX, DBL_MAX, 3, 1, NULL));
  check_doubles(a, 3, wide);
  /* No float holds the difference between the ends. */
  double far[] = {-1.7e308, -0.85e308, 0, 0.85e308, 1.7e308};
  assert_ok(gpuarr_array_linspace(&a, device, GPUARR_F64, -1.7e308, 1.7e308, 5, 1, NULL));
  check_doubles(a, 5, far);
  assert_ok(gpuarr_array_linspace(&a, device, GPUARR_F64, 1.7e308, -1.7e308, 4, 0, NULL));
  check_doubles(a, 4, (double[]){1.7e308, 0.85e308, 0, -0.85e308});
  check_doubles(range(GPUARR_F64, gpuarr_arg_f64(-1.7e308), gpuarr_arg_f64(1.71e308),
                      gpuarr_arg_f64(0.85e308)),
                5, far);
}

static void eye_has_ones_on_its_diagonal(void** state) {
  (void)state;
  for (int round = 0; round < 100; ++round) {
    int64_t shape[] = {random_between(0, 6), random_between(0, 6)};
    int64_t k = random_between(0, 9) == 0 ? (random_between(0, 1) ? INT64_MIN : INT64_MAX)
                                          : random_between(-7, 7);
    double expected[36];
    for (int64_t i = 0; i < shape[0]; ++i)
      for (int64_t j = 0; j < shape[1]; ++j) expected[i * shape[1] + j] = j - i == k ? 1 : 0;
    gpuarr_array* a = NULL;
    assert_ok(gpuarr_array_eye(&a, device, all_dtypes[random_between(0, DTYPES - 1)], shape[0],
                               shape[1], k, (int32_t)random_between(0, 1), NULL));
    check_doubles(a, shape[0] * shape[1], expected);
  }
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(attributes_are_those_asked_for),
      cmocka_unit_test(null_has_no_attributes),
      cmocka_unit_test(references_are_counted),
      cmocka_unit_test(zeros_ones_and_full_hold_their_value),
      cmocka_unit_test(full_keeps_both_parts_of_a_complex_number),
      cmocka_unit_test(arrays_without_elements_or_axes),
      cmocka_unit_test(arange_of_integers),
      cmocka_unit_test(arange_at_the_ends_of_64_bits),
      cmocka_unit_test(arange_of_floats),
      cmocka_unit_test(linspace_ends_exactly),
      cmocka_unit_test(eye_has_ones_on_its_diagonal),
  };
  return run_suite(tests);
}
