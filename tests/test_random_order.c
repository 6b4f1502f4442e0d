/* Random orders and choices: the same ones on every device. */
#include <stdlib.h>

#include "arrays.h"
#include "draws.h"

static gpuarr_generator* g;

static uint64_t digest(gpuarr_array* array) {
  const int64_t count = gpuarr_array_size(array);
  int64_t* values = malloc((size_t)(count + 1) * sizeof *values);
  assert_ok(gpuarr_array_read(values, count * 8, NULL, array, NULL));
  uint64_t made = 0xcbf29ce484222325u;
  for (int64_t k = 0; k < count; ++k) made = (made ^ (uint64_t)values[k]) * 0x100000001b3u;
  free(values);
  gpuarr_array_release(array);
  assert_ok(gpuarr_generator_set_position(g, 0));
  return made;
}

static void assert_digest(gpuarr_array* array, uint64_t expected) {
  const uint64_t made = digest(array);
  assert_int_equal(made, expected);
}

static void known_answers(void** state) {
  (void)state;
  const int64_t shape[] = {30, 10};
  const double weights[] = {1, 0, 2.5, 0.25, 3};
  const int64_t five = 5;
  gpuarr_array *p = from(GPUARR_F64, 1, &five, weights), *out = NULL;
  assert_ok(gpuarr_random_permutation(&out, g, 1000, NULL));
  assert_digest(out, 0x1a8954c0645dde29);
  out = NULL;
  assert_ok(gpuarr_random_permutation(&out, g, 5000, NULL));
  assert_digest(out, 0x8ef95b06da113fc5);
  out = NULL;
  assert_ok(gpuarr_random_choice(&out, g, 1000000000000, NULL, 1, 2, shape, NULL));
  assert_digest(out, 0x686f53001005efa0);
  out = NULL;
  assert_ok(gpuarr_random_choice(&out, g, 5, p, 1, 2, shape, NULL));
  assert_digest(out, 0xbe83b6ee51b3ecc6);
  out = NULL;
  const int64_t three = 3;
  assert_ok(gpuarr_random_choice(&out, g, 5, p, 0, 1, &three, NULL));
  assert_digest(out, 0xeaa0041875df2641);
  gpuarr_array_release(p);
}

/* Rows keep together, and are those of the permutation in the same place; in place too. */
static void shuffled(void** state) {
  (void)state;
  const int64_t shape[] = {40, 3};
  gpuarr_array *line_of = ramp(GPUARR_I64, 120), *x = NULL, *made = NULL, *order = NULL;
  assert_ok(gpuarr_array_reshape(&x, line_of, 2, shape));
  assert_ok(gpuarr_random_permutation(&order, g, 40, NULL));
  assert_ok(gpuarr_generator_set_position(g, 0));
  assert_ok(gpuarr_random_shuffle(&made, g, x, 0, NULL));
  assert_shape(made, 2, shape);
  double *rows = doubles_of(order), *values = doubles_of(made);
  for (int k = 0; k < 120; ++k) assert_true(values[k] == rows[k / 3] * 3 + k % 3);
  free(rows);
  assert_ok(gpuarr_generator_set_position(g, 0));
  gpuarr_array* given = x;
  assert_ok(gpuarr_random_shuffle(&given, g, x, -2, NULL));
  assert_values(x, 120, values);
  free(values);
  gpuarr_array* all[] = {line_of, x, made, order};
  release_arrays(all, 4);
  assert_ok(gpuarr_generator_set_position(g, 0));
}

static void nothing_to_order(void** state) {
  (void)state;
  const int64_t none = 0, flat[] = {3, 0};
  gpuarr_array *out = NULL, *x = zeros(GPUARR_F32, 2, flat);
  assert_ok(gpuarr_random_permutation(&out, g, 0, NULL));
  assert_shape(out, 1, &none);
  replace(&out, NULL);
  assert_ok(gpuarr_random_choice(&out, g, 0, NULL, 0, 1, &none, NULL));
  assert_shape(out, 1, &none);
  replace(&out, NULL);
  assert_ok(gpuarr_random_shuffle(&out, g, x, 0, NULL));
  assert_shape(out, 2, flat);
  gpuarr_array_release(out);
  gpuarr_array_release(x);
}

static void assert_refused(gpuarr_status status, const gpuarr_array* out, gpuarr_status expected,
                           const char* says) {
  assert_status(status, expected);
  assert_message_has(says);
  assert_null(out);
}

static void refused(void** state) {
  (void)state;
  const int64_t four = 4, one = 1, two = 2;
  const float bad[] = {1, -1};
  gpuarr_array *out = NULL, *p = floats(2, bad), *scalar = zeros(GPUARR_F32, 0, NULL);
  assert_refused(gpuarr_random_permutation(&out, g, -1, NULL), out, GPUARR_ERR_SHAPE, "-1");
  assert_refused(gpuarr_random_choice(&out, g, 3, NULL, 0, 1, &four, NULL), out,
                 GPUARR_ERR_ARGUMENT, "4 of 3 numbers cannot be different");
  assert_refused(gpuarr_random_choice(&out, g, 3, NULL, 2, 1, &four, NULL), out,
                 GPUARR_ERR_ARGUMENT, "replace is 2; give 1 or 0");
  assert_refused(gpuarr_random_choice(&out, g, 0, NULL, 1, 1, &one, NULL), out, GPUARR_ERR_EMPTY,
                 "n is 0, so there is nothing to choose 1 of");
  assert_refused(gpuarr_random_choice(&out, g, -3, NULL, 1, 1, &one, NULL), out,
                 GPUARR_ERR_ARGUMENT, "n is -3");
  assert_refused(gpuarr_random_choice(&out, g, 3, p, 1, 1, &one, NULL), out, GPUARR_ERR_SHAPE,
                 "p has shape (2,), but n is 3");
  assert_refused(gpuarr_random_choice(&out, g, 2, p, 1, 1, &one, NULL), out, GPUARR_ERR_ARGUMENT,
                 "p adds up to nan");
  replace(&p, line(GPUARR_C64, 2));
  assert_refused(gpuarr_random_choice(&out, g, 2, p, 1, 1, &two, NULL), out, GPUARR_ERR_DTYPE,
                 "p is complex64");
  assert_refused(gpuarr_random_shuffle(&out, g, scalar, 0, NULL), out, GPUARR_ERR_AXIS, "axis");
  assert_refused(gpuarr_random_shuffle(&out, g, NULL, 0, NULL), out, GPUARR_ERR_ARGUMENT,
                 "x is NULL");
  gpuarr_array* given = scalar;
  assert_status(gpuarr_random_permutation(&given, g, 3, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("dtype is int64, but *out is float32");
  given = p;
  assert_status(gpuarr_random_shuffle(&given, g, scalar, 0, NULL), GPUARR_ERR_AXIS);
  gpuarr_stream* stream = NULL;
  gpuarr_graph* graph = NULL;
  replace(&p, line(GPUARR_F64, 2));
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
  assert_ok(gpuarr_stream_begin_capture(stream));
  assert_refused(gpuarr_random_choice(&out, g, 2, p, 1, 1, &one, stream), out,
                 GPUARR_ERR_UNSUPPORTED, "the call waits for the sum of p");
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  gpuarr_graph_release(graph);
  gpuarr_stream_release(stream);
  gpuarr_array_release(p);
  gpuarr_array_release(scalar);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_answers),
      cmocka_unit_test(shuffled),
      cmocka_unit_test(nothing_to_order),
      cmocka_unit_test(refused),
  };
  g = generator(6, 1);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  gpuarr_generator_release(g);
  return failed == 0 && gpuarr_live_objects() == 0 ? 0 : 1;
}
