/* gpuarr/array.h: what is refused, and with which words. */
#include <math.h>

#include "support.h"

static gpuarr_device* device;
static gpuarr_array* out;

#define refuse(call, status, message)  \
  do {                                 \
    out = (gpuarr_array*)(uintptr_t)8; \
    assert_status((call), (status));   \
    assert_message_has(message);       \
    assert_null(out);                  \
  } while (0)

static void shapes_are_refused(void** state) {
  (void)state;
  int64_t negative[] = {3, -1};
  int64_t large[] = {(int64_t)1 << 31, (int64_t)1 << 31};
  int64_t empty_but_large[] = {0, INT64_MAX, 2};
  int64_t ones[33];
  for (int i = 0; i < 33; ++i) ones[i] = 1;
  refuse(gpuarr_array_empty(&out, device, GPUARR_F32, 2, negative, 0, NULL), GPUARR_ERR_SHAPE,
         "gpuarr_array_empty: shape[1] is -1");
  refuse(gpuarr_array_empty(&out, device, GPUARR_F32, 33, ones, 0, NULL), GPUARR_ERR_SHAPE,
         "ndim is 33");
  refuse(gpuarr_array_empty(&out, device, GPUARR_F32, -1, ones, 0, NULL), GPUARR_ERR_SHAPE,
         "ndim is -1");
  refuse(gpuarr_array_empty(&out, device, GPUARR_F32, 1, NULL, 0, NULL), GPUARR_ERR_ARGUMENT,
         "shape is NULL");
  refuse(gpuarr_array_zeros(&out, device, GPUARR_F64, 2, large, 0, NULL), GPUARR_ERR_SHAPE,
         "(2147483648, 2147483648)");
  refuse(gpuarr_array_ones(&out, device, GPUARR_I8, 3, empty_but_large, 0, NULL), GPUARR_ERR_SHAPE,
         "2^63 - 1 bytes");
  refuse(gpuarr_array_eye(&out, device, GPUARR_F32, -2, 3, 0, 0, NULL), GPUARR_ERR_SHAPE,
         "rows is -2");
  refuse(gpuarr_array_eye(&out, device, GPUARR_F32, 2, -3, 0, 0, NULL), GPUARR_ERR_SHAPE,
         "columns is -3");
}

static void thirty_two_axes_are_fine(void** state) {
  (void)state;
  int64_t ones[32];
  for (int i = 0; i < 32; ++i) ones[i] = 1;
  assert_ok(gpuarr_array_ones(&out, device, GPUARR_F32, 32, ones, GPUARR_ORDER_F, NULL));
  float value = 0;
  assert_ok(gpuarr_array_read(&value, sizeof value, NULL, out, NULL));
  assert_true(value == 1);
  gpuarr_array_release(out);
}

static void memory_runs_out(void** state) {
  (void)state;
  int64_t gigantic[] = {(int64_t)1 << 58};
  refuse(gpuarr_array_empty(&out, device, GPUARR_F64, 1, gigantic, 0, NULL),
         GPUARR_ERR_OUT_OF_MEMORY, "gpuarr_array_empty: ");
  refuse(gpuarr_array_arange(&out, device, GPUARR_I64, gpuarr_arg_i8(0),
                             gpuarr_arg_i64((int64_t)1 << 58), gpuarr_arg_i8(1), NULL),
         GPUARR_ERR_OUT_OF_MEMORY, "gpuarr_array_arange: ");
}

static void dtypes_orders_and_flags_are_refused(void** state) {
  (void)state;
  int64_t shape[] = {2};
  refuse(gpuarr_array_empty(&out, device, 0, 1, shape, 0, NULL), GPUARR_ERR_DTYPE, "dtype is 0");
  refuse(gpuarr_array_full(&out, device, 16, 1, shape, 0, gpuarr_arg_f32(0), NULL),
         GPUARR_ERR_DTYPE, "dtype is 16");
  refuse(gpuarr_array_empty(&out, device, GPUARR_F32, 1, shape, GPUARR_ORDER_K, NULL),
         GPUARR_ERR_ARGUMENT, "order is 2");
  refuse(gpuarr_array_eye(&out, device, GPUARR_F32, 2, 2, 0, -1, NULL), GPUARR_ERR_ARGUMENT,
         "order is -1");
  refuse(gpuarr_array_linspace(&out, device, GPUARR_F32, 0, 1, 5, 2, NULL), GPUARR_ERR_ARGUMENT,
         "endpoint is 2");
  refuse(gpuarr_array_linspace(&out, device, GPUARR_I32, 0, 1, 5, 1, NULL), GPUARR_ERR_DTYPE,
         "dtype is int32; give a floating or complex type");
  refuse(gpuarr_array_arange(&out, device, GPUARR_BOOL, gpuarr_arg_i8(0), gpuarr_arg_i8(2),
                             gpuarr_arg_i8(1), NULL),
         GPUARR_ERR_DTYPE, "dtype is bool");
}

static void nulls_are_refused(void** state) {
  (void)state;
  int64_t shape[] = {2};
  gpuarr_arg one = gpuarr_arg_i8(1);
  refuse(gpuarr_array_empty(&out, NULL, GPUARR_F32, 1, shape, 0, NULL), GPUARR_ERR_ARGUMENT,
         "device is NULL");
  refuse(gpuarr_array_zeros(&out, NULL, GPUARR_F32, 1, shape, 0, NULL), GPUARR_ERR_ARGUMENT,
         "gpuarr_array_zeros: device is NULL");
  refuse(gpuarr_array_ones(&out, NULL, GPUARR_F32, 1, shape, 0, NULL), GPUARR_ERR_ARGUMENT,
         "gpuarr_array_ones: device is NULL");
  refuse(gpuarr_array_full(&out, NULL, GPUARR_F32, 1, shape, 0, one, NULL), GPUARR_ERR_ARGUMENT,
         "gpuarr_array_full: device is NULL");
  refuse(gpuarr_array_arange(&out, NULL, GPUARR_F32, one, one, one, NULL), GPUARR_ERR_ARGUMENT,
         "gpuarr_array_arange: device is NULL");
  refuse(gpuarr_array_linspace(&out, NULL, GPUARR_F32, 0, 1, 2, 1, NULL), GPUARR_ERR_ARGUMENT,
         "gpuarr_array_linspace: device is NULL");
  refuse(gpuarr_array_eye(&out, NULL, GPUARR_F32, 2, 2, 0, 0, NULL), GPUARR_ERR_ARGUMENT,
         "gpuarr_array_eye: device is NULL");
  gpuarr_status statuses[] = {
      gpuarr_array_empty(NULL, device, GPUARR_F32, 1, shape, 0, NULL),
      gpuarr_array_zeros(NULL, device, GPUARR_F32, 1, shape, 0, NULL),
      gpuarr_array_ones(NULL, device, GPUARR_F32, 1, shape, 0, NULL),
      gpuarr_array_full(NULL, device, GPUARR_F32, 1, shape, 0, one, NULL),
      gpuarr_array_arange(NULL, device, GPUARR_F32, one, one, one, NULL),
      gpuarr_array_linspace(NULL, device, GPUARR_F32, 0, 1, 2, 1, NULL),
      gpuarr_array_eye(NULL, device, GPUARR_F32, 2, 2, 0, 0, NULL),
  };
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; ++i)
    assert_status(statuses[i], GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_array_eye: out is NULL");
}

static gpuarr_status full_of(gpuarr_dtype dtype, gpuarr_arg value) {
  return gpuarr_array_full(&out, device, dtype, 0, NULL, GPUARR_ORDER_C, value, NULL);
}

static void values_that_do_not_fit_are_refused(void** state) {
  (void)state;
  refuse(full_of(GPUARR_I8, gpuarr_arg_i32(300)), GPUARR_ERR_DTYPE,
         "value is 300, which int8 cannot hold: it is out of range");
  refuse(full_of(GPUARR_U64, gpuarr_arg_i8(-1)), GPUARR_ERR_DTYPE, "value is -1");
  refuse(full_of(GPUARR_I64, gpuarr_arg_u64(UINT64_MAX)), GPUARR_ERR_DTYPE,
         "value is 18446744073709551615");
  refuse(full_of(GPUARR_I64, gpuarr_arg_f64(0x1p63)), GPUARR_ERR_DTYPE, "out of range");
  refuse(full_of(GPUARR_I32, gpuarr_arg_f32(2.5F)), GPUARR_ERR_DTYPE,
         "value is 2.5, which int32 cannot hold: it is not a whole number");
  refuse(full_of(GPUARR_I32, gpuarr_arg_f64(NAN)), GPUARR_ERR_DTYPE, "value is nan");
  refuse(full_of(GPUARR_U8, gpuarr_arg_f64(INFINITY)), GPUARR_ERR_DTYPE, "value is inf");
  refuse(full_of(GPUARR_BOOL, gpuarr_arg_i8(2)), GPUARR_ERR_DTYPE, "a bool is 0 or 1");
  refuse(full_of(GPUARR_F16, gpuarr_arg_f64(65520)), GPUARR_ERR_DTYPE,
         "value is 65520, which float16 cannot hold: it is out of range");
  refuse(full_of(GPUARR_F32, gpuarr_arg_f64(1e300)), GPUARR_ERR_DTYPE, "value is 1e+300");
  refuse(full_of(GPUARR_C64, gpuarr_arg_c128(0, -1e300)), GPUARR_ERR_DTYPE, "value is 0-1e+300i");
  refuse(full_of(GPUARR_F64, gpuarr_arg_c64(1, 2)), GPUARR_ERR_DTYPE,
         "value is 1+2i, which float64 cannot hold: its imaginary part is not 0");
}

static void values_that_fit_are_converted(void** state) {
  (void)state;
  const struct {
    gpuarr_dtype dtype;
    gpuarr_arg value;
    double expected;
  } cases[] = {
      {GPUARR_I8, gpuarr_arg_f64(-128), -128},
      {GPUARR_U8, gpuarr_arg_bool(7), 1},
      {GPUARR_BOOL, gpuarr_arg_f16(1), 1},
      {GPUARR_F32, gpuarr_arg_f64(0.1), (double)0.1F},
      {GPUARR_F16, gpuarr_arg_f64(65519), 65504},
      {GPUARR_F16, gpuarr_arg_f64(-INFINITY), -INFINITY},
      {GPUARR_BF16, gpuarr_arg_f32(NAN), NAN},
      {GPUARR_F64, gpuarr_arg_c128(3, 0), 3},
      {GPUARR_C64, gpuarr_arg_bf16(-2), -2},
      {GPUARR_F32, gpuarr_arg_i64(INT64_MIN), -0x1p63},
      {GPUARR_F64, gpuarr_arg_u64(UINT64_MAX), 0x1p64},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    gpuarr_array* converted = NULL;
    double value = 0;
    assert_ok(full_of(cases[i].dtype, cases[i].value));
    assert_ok(gpuarr_array_astype(&converted, out, GPUARR_F64, NULL));
    assert_ok(gpuarr_array_read(&value, sizeof value, NULL, converted, NULL));
    assert_close(value, cases[i].expected, 0);
    gpuarr_array_release(converted);
    gpuarr_array_release(out);
  }
}

static void arguments_that_are_no_scalars_are_refused(void** state) {
  (void)state;
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_empty(&array, device, GPUARR_F32, 0, NULL, GPUARR_ORDER_C, NULL));
  refuse(full_of(GPUARR_F32, gpuarr_arg_array(array)), GPUARR_ERR_ARGUMENT, "value is an array");
  gpuarr_array_release(array);
  gpuarr_arg arg = gpuarr_arg_f32(1);
  arg.dtype = 99;
  refuse(full_of(GPUARR_F32, arg), GPUARR_ERR_DTYPE, "value.dtype is 99");
  refuse(full_of(GPUARR_F32, gpuarr_arg_array(NULL)), GPUARR_ERR_DTYPE, "value.dtype is 0");
  arg = gpuarr_arg_f32(1);
  arg.flags = 4;
  refuse(full_of(GPUARR_F32, arg), GPUARR_ERR_ARGUMENT, "value.flags is 4");
}

static gpuarr_status range(gpuarr_dtype dtype, gpuarr_arg start, gpuarr_arg stop, gpuarr_arg step) {
  return gpuarr_array_arange(&out, device, dtype, start, stop, step, NULL);
}

static void ranges_are_refused(void** state) {
  (void)state;
  gpuarr_arg zero = gpuarr_arg_i8(0);
  gpuarr_arg one = gpuarr_arg_i8(1);
  gpuarr_arg ten = gpuarr_arg_f64(10);
  gpuarr_arg nan = gpuarr_arg_f32(NAN);
  refuse(range(GPUARR_I32, zero, one, zero), GPUARR_ERR_ARGUMENT, "step is 0");
  refuse(range(GPUARR_F32, zero, one, gpuarr_arg_f32(0)), GPUARR_ERR_ARGUMENT, "step is 0");
  refuse(range(GPUARR_F32, nan, one, one), GPUARR_ERR_ARGUMENT, "start is nan");
  refuse(range(GPUARR_F32, zero, gpuarr_arg_f64(INFINITY), one), GPUARR_ERR_ARGUMENT,
         "stop is inf");
  refuse(range(GPUARR_F32, zero, one, nan), GPUARR_ERR_ARGUMENT, "step is nan");
  refuse(range(GPUARR_C64, zero, gpuarr_arg_c64(0, 1), one), GPUARR_ERR_DTYPE, "stop is 0+1i");
  refuse(range(GPUARR_I8, zero, gpuarr_arg_i32(200), one), GPUARR_ERR_DTYPE,
         "the last element is 199, which int8 cannot hold");
  refuse(range(GPUARR_U8, gpuarr_arg_i8(-1), one, one), GPUARR_ERR_DTYPE, "start is -1");
  refuse(range(GPUARR_U8, gpuarr_arg_f64(-2.5), ten, one), GPUARR_ERR_DTYPE, "start is -2");
  refuse(range(GPUARR_F16, zero, gpuarr_arg_f64(1e6), gpuarr_arg_f64(1e5)), GPUARR_ERR_DTYPE,
         "the last element is 900000");
  refuse(range(GPUARR_F64, zero, gpuarr_arg_f64(1e300), one), GPUARR_ERR_SHAPE, "2^63 - 1");
  refuse(range(GPUARR_U64, gpuarr_arg_i64(INT64_MIN), gpuarr_arg_u64(UINT64_MAX), one),
         GPUARR_ERR_SHAPE, "2^63 - 1 elements");
  refuse(range(GPUARR_I64, zero, gpuarr_arg_i64(INT64_MAX), one), GPUARR_ERR_SHAPE,
         "2^63 - 1 bytes");
  refuse(gpuarr_array_linspace(&out, device, GPUARR_F32, 0, 1, -1, 1, NULL), GPUARR_ERR_SHAPE,
         "count is -1");
  refuse(gpuarr_array_linspace(&out, device, GPUARR_F32, 0, NAN, 2, 1, NULL), GPUARR_ERR_ARGUMENT,
         "stop is nan");
  refuse(gpuarr_array_linspace(&out, device, GPUARR_F16, 1e6, 0, 2, 1, NULL), GPUARR_ERR_DTYPE,
         "start is 1000000, which float16 cannot hold");
}

/* Arrays that repeat one byte may have as many elements as there are numbers; new ones may not. */
static void sizes_that_do_not_fit_are_refused(void** state) {
  (void)state;
  const int64_t one = 1, gib = INT64_C(1) << 30, sixty = INT64_C(1) << 60;
  const int64_t sizes[] = {2 * gib - 1, 2 * gib,   2 * gib + 1,   sixty - 1, sixty,
                           sixty + 1,   2 * sixty, 2 * sixty + 1, 4 * sixty, INT64_MAX};
  gpuarr_array* byte = NULL;
  assert_ok(gpuarr_array_zeros(&byte, device, GPUARR_I8, 1, &one, 0, NULL));
  assert_ok(gpuarr_memory_set_limit(device, gib));
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; ++k) {
    gpuarr_array* wide = NULL;
    assert_ok(gpuarr_array_broadcast(&wide, byte, 1, &sizes[k]));
    const gpuarr_array* four[] = {wide, wide, wide, wide};
    const gpuarr_status by_8 = sizes[k] < sixty ? GPUARR_ERR_OUT_OF_MEMORY : GPUARR_ERR_SHAPE;
    const gpuarr_status by_4 = sizes[k] < 2 * sixty ? GPUARR_ERR_OUT_OF_MEMORY : GPUARR_ERR_SHAPE;
    const char* says =
        by_8 == GPUARR_ERR_SHAPE ? "is more than 2^63 - 1 bytes" : "not enough memory for";
    refuse(gpuarr_array_astype(&out, wide, GPUARR_F64, NULL), by_8, says);
    refuse(gpuarr_array_copy(&out, wide, 0, NULL), GPUARR_ERR_OUT_OF_MEMORY, "gpuarr_array_copy");
    out = NULL;
    assert_status(gpuarr_concatenate(&out, four, 4, 0, NULL), by_4);
    assert_status(gpuarr_tile(&out, wide, 1, (int64_t[]){4}, NULL), by_4);
    assert_null(out);
    gpuarr_array_release(wide);
  }
  assert_ok(gpuarr_memory_set_limit(device, 0));
  gpuarr_array_release(byte);
}

/* Shapes that broadcast to more elements than can be counted. */
static void joint_shapes_that_do_not_fit_are_refused(void** state) {
  (void)state;
  const int64_t one = 1, many = INT64_C(1) << 47, column_shape[] = {many, 1};
  gpuarr_array *byte = NULL, *row = NULL, *column = NULL, *both[2] = {NULL, NULL};
  assert_ok(gpuarr_array_zeros(&byte, device, GPUARR_I8, 1, &one, 0, NULL));
  assert_ok(gpuarr_array_broadcast(&row, byte, 1, &many));
  assert_ok(gpuarr_array_broadcast(&column, byte, 2, column_shape));
  const gpuarr_array *given[] = {row, column}, *rows[] = {row, row};
  const char* message = "shape (140737488355328, 140737488355328)";
  out = NULL;
  assert_status(gpuarr_add(&out, gpuarr_arg_array(row), gpuarr_arg_array(column), NULL),
                GPUARR_ERR_SHAPE);
  assert_message_has(message);
  assert_status(gpuarr_broadcast_arrays(both, given, 2), GPUARR_ERR_SHAPE);
  assert_message_has(message);
  assert_status(gpuarr_meshgrid(both, rows, 2, 0), GPUARR_ERR_SHAPE);
  assert_message_has(message);
  assert_status(gpuarr_kron(&out, column, row, NULL), GPUARR_ERR_SHAPE);
  assert_null(out);
  gpuarr_array_release(column);
  gpuarr_array_release(row);
  gpuarr_array_release(byte);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shapes_are_refused),
      cmocka_unit_test(thirty_two_axes_are_fine),
      cmocka_unit_test(memory_runs_out),
      cmocka_unit_test(dtypes_orders_and_flags_are_refused),
      cmocka_unit_test(nulls_are_refused),
      cmocka_unit_test(values_that_do_not_fit_are_refused),
      cmocka_unit_test(values_that_fit_are_converted),
      cmocka_unit_test(arguments_that_are_no_scalars_are_refused),
      cmocka_unit_test(ranges_are_refused),
      cmocka_unit_test(sizes_that_do_not_fit_are_refused),
      cmocka_unit_test(joint_shapes_that_do_not_fit_are_refused),
  };
  return run_suite(tests);
}
