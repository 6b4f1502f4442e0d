/* Comparisons, bits and choices, element by element, and of whole arrays. */
#include <math.h>

#include "arrays.h"

static gpuarr_arg array(const gpuarr_array* a) { return gpuarr_arg_array(a); }

static void compares_integers_exactly(void** state) {
  (void)state;
  const int64_t numbers[] = {-1, INT64_MAX, 5};
  const uint64_t others[] = {UINT64_MAX, UINT64_C(1) << 63, 5};
  const int64_t count = 3;
  gpuarr_array* x = from(GPUARR_I64, 1, &count, numbers);
  gpuarr_array *y = from(GPUARR_U64, 1, &count, others), *out[4] = {NULL};
  assert_ok(gpuarr_less(&out[0], array(x), array(y), NULL));
  assert_ok(gpuarr_equal(&out[1], array(x), array(y), NULL));
  assert_int_equal(gpuarr_array_dtype(out[0]), GPUARR_BOOL);
  assert_values(out[0], 3, (const double[]){1, 1, 0});
  assert_values(out[1], 3, (const double[]){0, 0, 1});
  gpuarr_array* bytes = ramp(GPUARR_U8, 3);
  assert_ok(gpuarr_greater(&out[2], array(bytes), gpuarr_arg_i64(-1), NULL));
  assert_values(out[2], 3, (const double[]){1, 1, 1});
  assert_ok(gpuarr_not_equal(&out[3], array(bytes), gpuarr_arg_i64(1), NULL));
  assert_values(out[3], 3, (const double[]){1, 0, 1});
  release_arrays(out, 4);
  release_arrays((gpuarr_array*[]){x, y, bytes}, 3);
}

/* What is out of a float's range is infinite, as NumPy has it, and what an integer cannot be,
 * exact. */
static void compares_with_any_scalar(void** state) {
  (void)state;
  const struct {
    gpuarr_dtype dtype;
    gpuarr_arg scalar;
  } greater[] = {{GPUARR_F16, gpuarr_arg_i64(70000)}, {GPUARR_F16, gpuarr_arg_f64(1e300)},
                 {GPUARR_BF16, gpuarr_arg_f64(1e40)}, {GPUARR_F32, gpuarr_arg_f64(1e40)},
                 {GPUARR_C64, gpuarr_arg_f64(1e40)},  {GPUARR_C64, gpuarr_arg_c128(0.5, 1e40)},
                 {GPUARR_BOOL, gpuarr_arg_i64(300)},  {GPUARR_U8, gpuarr_arg_i64(300)},
                 {GPUARR_I8, gpuarr_arg_i64(128)},    {GPUARR_I64, gpuarr_arg_u64(UINT64_MAX)}};
  for (size_t k = 0; k < sizeof greater / sizeof *greater; ++k) {
    gpuarr_array *x = zeros(greater[k].dtype, 1, (const int64_t[]){2}), *out[4] = {NULL};
    assert_ok(gpuarr_less(&out[0], array(x), greater[k].scalar, NULL));
    assert_ok(gpuarr_greater_equal(&out[1], array(x), greater[k].scalar, NULL));
    assert_ok(gpuarr_equal(&out[2], greater[k].scalar, array(x), NULL));
    assert_ok(gpuarr_not_equal(&out[3], array(x), greater[k].scalar, NULL));
    for (int j = 0; j < 4; ++j) assert_values(out[j], 2, (double[]){j % 3 == 0, j % 3 == 0});
    release_arrays(out, 4);
    gpuarr_array_release(x);
  }
  gpuarr_array *x = zeros(GPUARR_F16, 1, (const int64_t[]){1}), *out[2] = {NULL};
  assert_ok(gpuarr_isclose(&out[0], array(x), gpuarr_arg_f64(-7e4), 0, 1, 0, NULL));
  assert_ok(gpuarr_logical_or(&out[1], array(x), gpuarr_arg_f64(7e4), NULL));
  assert_values(out[0], 1, (const double[]){0});
  assert_values(out[1], 1, (const double[]){1});
  release_arrays((gpuarr_array*[]){x, out[0], out[1]}, 3);
}

static void chooses(void** state) {
  (void)state;
  const float conditions[] = {0, NAN, -0.0F, 2};
  gpuarr_array *condition = floats(4, conditions), *x = ramp(GPUARR_I16, 4), *out = NULL;
  assert_ok(gpuarr_where(&out, array(condition), array(x), gpuarr_arg_i64(-5), NULL));
  assert_int_equal(gpuarr_array_dtype(out), GPUARR_I16);
  assert_values(out, 4, (const double[]){-5, 1, -5, 3});
  release_arrays((gpuarr_array*[]){condition, x, out}, 3);
}

static void shifts(void** state) {
  (void)state;
  const int8_t numbers[] = {1, -3, 64, -1}, places[] = {7, 8, 1, -1};
  const int64_t count = 4;
  gpuarr_array* x = from(GPUARR_I8, 1, &count, numbers);
  gpuarr_array *y = from(GPUARR_I8, 1, &count, places), *out[2] = {NULL};
  assert_ok(gpuarr_left_shift(&out[0], array(x), array(y), NULL));
  assert_values(out[0], 4, (const double[]){-128, 0, -128, 0});
  assert_ok(gpuarr_right_shift(&out[1], array(x), array(y), NULL));
  assert_values(out[1], 4, (const double[]){0, -1, 32, -1});
  release_arrays((gpuarr_array*[]){x, y, out[0], out[1]}, 4);
}

static int32_t close_ones(const gpuarr_array* x, const gpuarr_array* y, int32_t equal_nan) {
  int32_t answer = -1;
  assert_ok(gpuarr_allclose(&answer, x, y, 1e-5, 1e-8, equal_nan, NULL));
  return answer;
}

static void compares_arrays(void** state) {
  (void)state;
  const float numbers[] = {1, NAN, INFINITY}, near[] = {1.000001F, NAN, INFINITY};
  gpuarr_array *x = floats(3, numbers), *y = floats(3, near), *whole = ramp(GPUARR_I32, 3);
  gpuarr_array *same = ramp(GPUARR_F64, 3), *shorter = ramp(GPUARR_F64, 2);
  int32_t answer = -1;
  assert_ok(gpuarr_array_equal(&answer, whole, same, NULL));
  assert_int_equal(answer, 1);
  assert_ok(gpuarr_array_equal(&answer, same, shorter, NULL));
  assert_int_equal(answer, 0);
  assert_ok(gpuarr_array_equal(&answer, x, x, NULL)); /* there is a NaN */
  assert_int_equal(answer, 0);
  assert_int_equal(close_ones(x, y, 1), 1);
  assert_int_equal(close_ones(x, y, 0), 0);
  assert_int_equal(close_ones(whole, x, 1), 0);
  answer = -1;
  assert_status(gpuarr_allclose(&answer, whole, shorter, 0, 0, 0, NULL), GPUARR_ERR_BROADCAST);
  assert_int_equal(answer, 0);
  assert_status(gpuarr_allclose(&answer, x, y, 0, 0, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("equal_nan is 2; give 1 or 0");
  assert_status(gpuarr_array_equal(NULL, x, y, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  release_arrays((gpuarr_array*[]){x, y, whole, same, shorter}, 5);
}

static void does_not_wait_in_a_capture(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_array* x = ramp(GPUARR_F32, 3);
  gpuarr_stream* stream = NULL;
  gpuarr_graph* graph = NULL;
  int32_t answer = -1;
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  assert_ok(gpuarr_stream_begin_capture(stream));
  assert_status(gpuarr_array_equal(&answer, x, x, stream), GPUARR_ERR_UNSUPPORTED);
  assert_message_has("the stream is being captured");
  assert_int_equal(answer, 0);
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  gpuarr_graph_release(graph);
  gpuarr_stream_release(stream);
  gpuarr_array_release(x);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(compares_integers_exactly),
      cmocka_unit_test(compares_with_any_scalar),
      cmocka_unit_test(chooses),
      cmocka_unit_test(shifts),
      cmocka_unit_test(compares_arrays),
      cmocka_unit_test(does_not_wait_in_a_capture),
  };
  return run_suite(tests);
}
