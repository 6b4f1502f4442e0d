/* Scans along an axis, differences, and what is refused. */
#include <math.h>
#include <stdlib.h>

#include "arrays.h"

static gpuarr_array* x; /* int32, shape (2, 3): 0, 1, 2 and 3, 4, 5 */

static void sums_and_products(void** state) {
  (void)state;
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_cumsum(&out, x, 1, 0, NULL));
  assert_int_equal(gpuarr_array_dtype(out), GPUARR_I64);
  assert_values(out, 6, (double[]){0, 1, 3, 3, 7, 12});
  assert_ok(gpuarr_cumsum(&out, x, -2, 1, NULL)); /* into it, without the own element */
  assert_values(out, 6, (double[]){0, 0, 0, 0, 1, 2});
  assert_ok(gpuarr_cumprod(&out, x, 0, 0, NULL));
  assert_values(out, 6, (double[]){0, 1, 2, 0, 4, 10});
  assert_ok(gpuarr_cumprod(&out, x, 1, 1, NULL));
  assert_values(out, 6, (double[]){1, 0, 0, 1, 3, 12});
  gpuarr_array_release(out);
}

static void extremes(void** state) {
  (void)state;
  gpuarr_array *y = floats(5, (float[]){2, 1, NAN, 0, 3}), *out = NULL;
  assert_ok(gpuarr_cummin(&out, y, 0, 0, NULL));
  assert_floats(out, 5, (float[]){2, 1, NAN, NAN, NAN});
  assert_ok(gpuarr_cummax(&out, y, 0, 1, NULL));
  assert_floats(out, 5, (float[]){-INFINITY, 2, 2, NAN, NAN});
  assert_ok(gpuarr_cummax(&y, y, 0, 0, NULL)); /* in place */
  assert_floats(y, 5, (float[]){2, 2, NAN, NAN, NAN});
  gpuarr_array_release(out);
  gpuarr_array_release(y);
}

/* Long enough to be cut, forwards and backwards, and shifted onto itself. */
static void long_rows(void** state) {
  (void)state;
  enum { count = 150000 };
  gpuarr_array *y = ramp(GPUARR_I64, count), *back = NULL, *tail = NULL, *head = NULL, *out = NULL;
  assert_ok(gpuarr_array_slice(&back, y, 0, GPUARR_NONE, GPUARR_NONE, -1));
  assert_ok(gpuarr_cumsum(&out, back, 0, 0, NULL));
  double* got = doubles_of(out);
  for (int64_t k = 0; k < count; k += 997)
    assert_true(got[k] == (double)((k + 1) * (2 * (count - 1) - k) / 2));
  free(got);
  assert_ok(gpuarr_array_slice(&tail, y, 0, 1, GPUARR_NONE, 1));
  assert_ok(gpuarr_array_slice(&head, y, 0, 0, -1, 1));
  assert_ok(gpuarr_cumsum(&tail, head, 0, 1, NULL)); /* overlaps its input elsewhere */
  got = doubles_of(tail);
  for (int64_t k = 0; k < count - 1; k += 997) assert_true(got[k] == (double)(k * (k - 1) / 2));
  free(got);
  release_arrays((gpuarr_array*[]){y, back, tail, head, out}, 5);
}

static void differences(void** state) {
  (void)state;
  gpuarr_array *y = floats(5, (float[]){1, 2, 4, 7, 11}), *out = NULL, *none = NULL;
  assert_ok(gpuarr_diff(&out, y, 1, 0, NULL));
  assert_floats(out, 4, (float[]){1, 2, 3, 4});
  gpuarr_array_release(out);
  out = NULL;
  assert_ok(gpuarr_diff(&out, y, 3, -1, NULL));
  assert_floats(out, 2, (float[]){0, 0});
  assert_ok(gpuarr_diff(&none, y, 7, 0, NULL));
  assert_shape(none, 1, (int64_t[]){0});
  release_arrays((gpuarr_array*[]){y, out, none}, 3);
}

/* y[k] = 3 y[k - 1] + x[k]: what is scanned are maps, composed in their order. */
static void operator_of_ones_own(void** state) {
  (void)state;
  gpuarr_kernel_options* options = NULL;
  gpuarr_scan* scan = NULL;
  gpuarr_array *y = floats(4, (float[]){1, 2, 0, 5}), *out = NULL;
  const char* source = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_reduce_type(options, "step"));
  assert_ok(gpuarr_kernel_options_set_preamble(
      options,
      "struct step { float c, x; };\n"
      "static inline step then(const step& a, const step& b) { return {a.c * b.c, a.x * b.c + "
      "b.x}; }"));
  assert_ok(gpuarr_scan_create(&scan, "T x, T c", "T y", "{c, x}", "then(a, b)", "y = a.x",
                               "{1, 0}", options));
  const gpuarr_arg inputs[] = {gpuarr_arg_array(y), gpuarr_arg_f64(3)};
  assert_ok(gpuarr_scan_call(scan, &out, 1, inputs, 2, 0, 0, NULL));
  assert_floats(out, 4, (float[]){1, 5, 15, 50});
  assert_ok(gpuarr_scan_call(scan, &out, 1, inputs, 2, 0, 1, NULL));
  assert_floats(out, 4, (float[]){0, 1, 5, 15});
  assert_ok(gpuarr_scan_source(&source, scan, &out, 1, inputs, 2, 0, 0));
  assert_non_null(source);
  assert_ptr_equal(gpuarr_scan_retain(scan), scan);
  gpuarr_scan_release(scan);
  gpuarr_scan_release(scan);
  gpuarr_scan_release(NULL);
  gpuarr_kernel_options_release(options);
  release_arrays((gpuarr_array*[]){y, out}, 2);
}

/* Kernels have functions and variables of these names too. */
static void names_of_ones_own(void** state) {
  (void)state;
  gpuarr_kernel_options* options = NULL;
  gpuarr_scan* scan = NULL;
  gpuarr_array *x = floats(4, (float[]){1, 2, 0, 5}), *out = NULL;
  const gpuarr_arg input = gpuarr_arg_array(x);
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_reduce_type(options, "total"));
  assert_ok(gpuarr_kernel_options_set_preamble(
      options,
      "#define row )\n#define first (\n#define lane 7 +\n"
      "struct total { float x; };\n"
      "template <class... A> void step(A&&...);\n"
      "template <class... A> void scan_row(A&&...);\n"
      "static inline total from_lane(const total&, int, int) { return {0}; }\n"
      "static inline total from_before(const total&, int, int) { return {0}; }\n"
      "template <class... A> void finish(A&&...);\n"));
  assert_ok(gpuarr_scan_create(&scan, "T x", "T y", "total{x}", "total{a.x + b.x}", "y = a.x", NULL,
                               options));
  assert_ok(gpuarr_scan_call(scan, &out, 1, &input, 1, 0, 0, NULL));
  assert_floats(out, 4, (float[]){1, 3, 3, 8});
  gpuarr_scan_release(scan);
  gpuarr_kernel_options_release(options);
  release_arrays((gpuarr_array*[]){x, out}, 2);
}

/* No array is read: the outputs alone say how long it is. */
static void scalars_alone(void** state) {
  (void)state;
  enum { count = 150000 };
  gpuarr_scan* scan = NULL;
  assert_ok(
      gpuarr_scan_create(&scan, "T c", "T y, T z", "c", "a + b", "y = a; z = -a", NULL, NULL));
  gpuarr_array* out[] = {line(GPUARR_I32, count), line(GPUARR_I32, count)};
  const gpuarr_arg input = gpuarr_arg_i64(3);
  assert_ok(gpuarr_scan_call(scan, out, 2, &input, 1, 0, 0, NULL));
  double *y = doubles_of(out[0]), *z = doubles_of(out[1]);
  for (int k = 0; k < count; k += 997) assert_true(y[k] == 3.0 * (k + 1) && z[k] == -3.0 * (k + 1));
  free(y);
  free(z);
  gpuarr_scan_release(scan);
  release_arrays(out, 2);
}

static void no_elements(void** state) {
  (void)state;
  gpuarr_array *none = zeros(GPUARR_F32, 2, (int64_t[]){0, 3}), *out = NULL;
  assert_ok(gpuarr_cumsum(&out, none, 1, 0, NULL));
  assert_shape(out, 2, (int64_t[]){0, 3});
  release_arrays((gpuarr_array*[]){none, out}, 2);
}

static void assert_refused(const gpuarr_array* array, int32_t axis, int32_t exclusive,
                           gpuarr_status status, const char* says) {
  gpuarr_array* out = NULL;
  assert_status(gpuarr_cummax(&out, array, axis, exclusive, NULL), status);
  assert_message_has("gpuarr_cummax: ");
  assert_message_has(says);
  assert_null(out);
}

static void arguments(void** state) {
  (void)state;
  gpuarr_array *point = zeros(GPUARR_F32, 0, NULL), *out = NULL;
  assert_refused(NULL, 0, 0, GPUARR_ERR_ARGUMENT, "x is NULL");
  assert_refused(x, 2, 0, GPUARR_ERR_AXIS, "axis is 2");
  assert_refused(x, 0, 2, GPUARR_ERR_ARGUMENT, "exclusive is 2; give 0 or 1");
  assert_refused(point, 0, 0, GPUARR_ERR_AXIS, "axis");
  assert_status(gpuarr_cumsum(NULL, x, 0, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_cumsum: out is NULL; give the address of a variable");
  assert_status(gpuarr_diff(NULL, x, 1, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  assert_status(gpuarr_diff(&out, x, -1, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("order is -1; give 0 or more");
  assert_null(out);
  gpuarr_array_release(point);
}

static void given_arrays(void** state) {
  (void)state;
  gpuarr_array *given = zeros(GPUARR_I32, 2, (int64_t[]){2, 3}), *wide = NULL;
  assert_status(gpuarr_cumsum(&given, x, 0, 0, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("out is int32, but the result is int64; give such an array");
  replace(&given, zeros(GPUARR_I64, 2, (int64_t[]){3, 2}));
  assert_status(gpuarr_cumsum(&given, x, 0, 0, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("out has shape (3, 2), but the result has (2, 3); give such an array");
  assert_status(gpuarr_diff(&given, x, 1, 1, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("the result has (2, 2)");
  replace(&given, zeros(GPUARR_I64, 2, (int64_t[]){1, 3}));
  assert_ok(gpuarr_array_broadcast(&wide, given, 2, (int64_t[]){2, 3}));
  assert_status(gpuarr_cumsum(&wide, x, 0, 0, NULL), GPUARR_ERR_OVERLAP);
  assert_message_has("elements that share memory");
  release_arrays((gpuarr_array*[]){given, wide}, 2);
}

static void texts(void** state) {
  (void)state;
  gpuarr_scan* scan = NULL;
  static const struct {
    const char *in, *out, *map, *says;
    gpuarr_status status;
  } cases[] = {
      {"raw T x", "T y", "x", "\"x\" is raw; a scan's parameters cannot be", GPUARR_ERR_SYNTAX},
      {"", "T y", "x", "in_params is empty", GPUARR_ERR_SYNTAX},
      {"T x", "", "x", "out_params is empty", GPUARR_ERR_SYNTAX},
      {"T x", "T a", "x", "out_params has \"a\"", GPUARR_ERR_SYNTAX},
      {"T x", "T x", "x", "\"x\" is in both lists", GPUARR_ERR_SYNTAX},
      {"T x", "T y", " ", "map is \" \"; give an expression", GPUARR_ERR_ARGUMENT},
      {"T x", "T y", NULL, "map is NULL", GPUARR_ERR_ARGUMENT},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    assert_status(gpuarr_scan_create(&scan, cases[k].in, cases[k].out, cases[k].map, "a + b",
                                     "y = a", NULL, NULL),
                  cases[k].status);
    assert_message_has(cases[k].says);
    assert_null(scan);
  }
}

static void calls(void** state) {
  (void)state;
  gpuarr_scan* scan = NULL;
  gpuarr_array* out = NULL;
  const gpuarr_arg input = gpuarr_arg_array(x);
  assert_ok(gpuarr_scan_create(&scan, "T x", "T y", "x", "a + c", "y = a", NULL, NULL));
  assert_status(gpuarr_scan_call(scan, &out, 1, &input, 1, 0, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("exclusive is 1, but \"scan\" has no identity for its first results");
  assert_status(gpuarr_scan_call(scan, &out, 1, &input, 1, -3, 0, NULL), GPUARR_ERR_AXIS);
  assert_status(gpuarr_scan_call(scan, &out, 1, &input, 1, 0, 0, NULL), GPUARR_ERR_COMPILE);
  assert_message_has("a + c");
  assert_null(out);
  gpuarr_scan_release(scan);
}

int main(void) {
  open_test_device();
  x = from(GPUARR_I32, 2, (int64_t[]){2, 3}, (int32_t[]){0, 1, 2, 3, 4, 5});
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_and_products),
      cmocka_unit_test(extremes),
      cmocka_unit_test(long_rows),
      cmocka_unit_test(differences),
      cmocka_unit_test(operator_of_ones_own),
      cmocka_unit_test(names_of_ones_own),
      cmocka_unit_test(scalars_alone),
      cmocka_unit_test(no_elements),
      cmocka_unit_test(arguments),
      cmocka_unit_test(given_arrays),
      cmocka_unit_test(texts),
      cmocka_unit_test(calls),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gpuarr_array_release(x);
  return finish_tests(failed);
}
