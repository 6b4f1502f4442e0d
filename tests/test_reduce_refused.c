/* Calls of ready-made reductions that must fail, with what they say. */
#include <math.h>
#include <string.h>

#include "arrays.h"
#include "reducers.h"

static gpuarr_array* x; /* float32, shape (2, 3) */

/* A call that fails leaves *out alone. */
static void assert_refused(const gpuarr_array* array, const int32_t* axes, int32_t axis_count,
                           int32_t keepdims, gpuarr_status status, const char* says) {
  gpuarr_array* out = NULL;
  assert_status(gpuarr_sum(&out, array, axes, axis_count, keepdims, NULL), status);
  assert_message_has("gpuarr_sum: ");
  assert_message_has(says);
  assert_null(out);
}

static void arguments(void** state) {
  (void)state;
  const int32_t axes[] = {2}, twice[] = {1, -1};
  assert_refused(NULL, NULL, GPUARR_ALL_AXES, 0, GPUARR_ERR_ARGUMENT, "x is NULL");
  assert_refused(x, NULL, GPUARR_ALL_AXES, 2, GPUARR_ERR_ARGUMENT, "keepdims is 2; give 1 or 0");
  assert_refused(x, NULL, -2, 0, GPUARR_ERR_ARGUMENT, "axis_count is -2");
  assert_refused(x, NULL, 1, 0, GPUARR_ERR_ARGUMENT, "axes is NULL");
  assert_refused(x, axes, 1, 0, GPUARR_ERR_AXIS, "axes[0] is 2");
  assert_refused(x, axes, INT32_MAX, 0, GPUARR_ERR_AXIS, "axis_count is 2147483647, but there are");
  assert_refused(x, twice, 2, 0, GPUARR_ERR_AXIS, "axes[1] is -1, which is given twice");
  assert_status(gpuarr_sum(NULL, x, NULL, GPUARR_ALL_AXES, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_sum: out is NULL; give the address of a variable");
}

/* The array is refused as the result of a call on x, and left as it is. */
static void assert_given_refused(const char* name, gpuarr_array* given, gpuarr_status status,
                                 const char* says) {
  const int32_t axes[] = {0};
  gpuarr_array* out = given;
  assert_status(reducer_called(name)->call(&out, x, axes, 1, 0, NULL), status);
  assert_message_has(says);
  assert_ptr_equal(out, given);
}

static void given_arrays(void** state) {
  (void)state;
  const int64_t row[] = {1, 3}, three = 3;
  gpuarr_array *wrong = line(GPUARR_F64, 3), *mine = NULL;
  assert_given_refused("sum", wrong, GPUARR_ERR_DTYPE,
                       "out is float64, but of float32 elements the result is float32");
  assert_given_refused("argmax", wrong, GPUARR_ERR_DTYPE, "the result is int64");
  assert_given_refused("any", wrong, GPUARR_ERR_DTYPE, "the result is bool");
  replace(&wrong, zeros(GPUARR_F32, 2, row));
  assert_given_refused("sum", wrong, GPUARR_ERR_SHAPE,
                       "(\"out\") has shape (1, 3), but the results' shape is (3,)");
  replace(&wrong, line(GPUARR_F32, 1));
  assert_ok(gpuarr_array_broadcast(&mine, wrong, 1, &three));
  assert_given_refused("sum", mine, GPUARR_ERR_OVERLAP, "elements that share memory");
  gpuarr_array_release(mine);
  assert_ok(gpuarr_array_select(&mine, x, 0, 1));
  assert_given_refused("max", mine, GPUARR_ERR_OVERLAP, "(\"out\") shares memory with input 0");
  gpuarr_array_release(mine);
  gpuarr_array_release(wrong);
}

static void complex_numbers(void** state) {
  (void)state;
  for (gpuarr_dtype dtype = GPUARR_C64; dtype <= GPUARR_C128; ++dtype) {
    gpuarr_array *z = line(dtype, 3), *out = NULL;
    assert_status(gpuarr_logsumexp(&out, z, NULL, GPUARR_ALL_AXES, 0, NULL), GPUARR_ERR_DTYPE);
    assert_message_has(dtype == GPUARR_C64 ? "x is complex64, of which there is no logsumexp"
                                           : "x is complex128, of which there is no logsumexp");
    assert_null(out);
    gpuarr_array_release(z);
  }
}

static void orders_of_norms(void** state) {
  (void)state;
  static const struct {
    double ord;
    const char* says;
  } cases[] = {{0, "ord is 0; give 1, 2 or INFINITY"},
               {3.5, "ord is 3.5"},
               {-INFINITY, "ord is -inf"},
               {NAN, "ord is nan"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    gpuarr_array* out = NULL;
    assert_status(gpuarr_norm(&out, x, cases[k].ord, NULL, GPUARR_ALL_AXES, 0, NULL),
                  GPUARR_ERR_ARGUMENT);
    assert_message_has("gpuarr_norm: ");
    assert_message_has(cases[k].says);
    assert_null(out);
  }
}

static void corrections_of_variances(void** state) {
  (void)state;
  gpuarr_array* out = NULL;
  assert_status(gpuarr_var(&out, x, NAN, NULL, GPUARR_ALL_AXES, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_var: ddof is nan; give a finite number");
  assert_status(gpuarr_std(&out, x, INFINITY, NULL, GPUARR_ALL_AXES, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_std: ddof is inf; give a finite number");
  assert_null(out);
}

static void dots_of_what_does_not_match(void** state) {
  (void)state;
  const int64_t other[] = {3, 2}, same[] = {2, 3};
  gpuarr_array *y = zeros(GPUARR_F32, 2, other), *out = NULL;
  assert_status(gpuarr_dot(&out, x, y, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("gpuarr_dot: y has shape (3, 2), but x has (2, 3); give arrays of one shape");
  replace(&y, line(GPUARR_F32, 3)); /* which would broadcast */
  assert_status(gpuarr_dot(&out, x, y, NULL), GPUARR_ERR_SHAPE);
  replace(&y, zeros(GPUARR_F64, 2, same));
  assert_status(gpuarr_dot(&out, x, y, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("y is float64, but x is float32; give arrays of one dtype");
  assert_status(gpuarr_dot(&out, x, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("y is NULL");
  assert_status(gpuarr_dot(&out, NULL, x, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("x is NULL");
  assert_null(out);
  gpuarr_array_release(y);
}

static void extremes_of_nothing(void** state) {
  (void)state;
  const int64_t shape[] = {0, 3};
  gpuarr_array *none = zeros(GPUARR_F32, 2, shape), *out = NULL;
  assert_status(gpuarr_min(&out, none, NULL, GPUARR_ALL_AXES, 0, NULL), GPUARR_ERR_EMPTY);
  assert_message_has(
      "gpuarr_min: zero-size array to reduction operation min which has no identity (inputs of "
      "shape (0, 3))");
  assert_null(out);
  gpuarr_array_release(none);
}

int main(void) {
  const int64_t shape[] = {2, 3};
  open_test_device();
  x = zeros(GPUARR_F32, 2, shape);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arguments),
      cmocka_unit_test(given_arrays),
      cmocka_unit_test(complex_numbers),
      cmocka_unit_test(orders_of_norms),
      cmocka_unit_test(corrections_of_variances),
      cmocka_unit_test(dots_of_what_does_not_match),
      cmocka_unit_test(extremes_of_nothing),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gpuarr_array_release(x);
  return finish_tests(failed);
}
