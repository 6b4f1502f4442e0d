/* Reductions with an identity and without, of no elements, and to no results. */
#include <stdlib.h>

#include "arrays.h"
#include "kernels.h"

static gpuarr_device* device;

/* Once in each result, whatever its shape and however many threads make it. */
static void the_identity_enters_once(void** state) {
  (void)state;
  const int64_t shapes[][2] = {{1, 1000}, {1000, 1}, {3, 1000},  {1000, 3},
                               {70, 70},  {1, 1},    {1, 65537}, {20000, 2}};
  gpuarr_reduction* sum = make_fold("a + b", "1");
  for (int k = 0; k < 8; ++k) {
    gpuarr_array *x = NULL, *outputs[3];
    assert_ok(gpuarr_array_ones(&x, device, GPUARR_I32, 2, shapes[k], GPUARR_ORDER_C, NULL));
    gpuarr_arg input = gpuarr_arg_array(x);
    for (int axis = 0; axis < 2; ++axis) outputs[axis] = reduce_along(sum, &input, 1, axis);
    outputs[2] = reduce_all(sum, &input, 1);
    assert_close(value_of(outputs[2]), (double)(1 + shapes[k][0] * shapes[k][1]), 0);
    for (int axis = 0; axis < 2; ++axis) {
      double* values = doubles_of(outputs[axis]);
      for (int64_t r = 0; r < shapes[k][1 - axis]; ++r)
        assert_close(values[r], (double)(1 + shapes[k][axis]), 0);
      free(values);
    }
    release_arrays(outputs, 3);
    gpuarr_array_release(x);
  }
  gpuarr_reduction_release(sum);
}

static void without_identity_elements_alone_count(void** state) {
  (void)state;
  gpuarr_reduction *most = make_fold("max(a, b)", NULL), *product = make_fold("a * b", NULL);
  for (int64_t count = 1; count < 200000; count = count * 5 + 1) {
    gpuarr_array *x = NULL, *ones = NULL;
    assert_ok(gpuarr_array_full(&x, device, GPUARR_F32, 1, &count, GPUARR_ORDER_C,
                                gpuarr_arg_f32(-3), NULL));
    assert_ok(gpuarr_array_ones(&ones, device, GPUARR_F32, 1, &count, GPUARR_ORDER_C, NULL));
    gpuarr_arg input = gpuarr_arg_array(x), of_ones = gpuarr_arg_array(ones);
    gpuarr_array *largest = reduce_all(most, &input, 1), *one = reduce_all(product, &of_ones, 1);
    assert_close(value_of(largest), -3, 0);
    assert_close(value_of(one), 1, 0);
    release_arrays((gpuarr_array*[]){x, ones, largest, one}, 4);
  }
  gpuarr_reduction_release(most);
  gpuarr_reduction_release(product);
}

/* Results of no elements are post(identity). */
static void nothing_to_reduce(void** state) {
  (void)state;
  const int64_t shape[] = {2, 0, 3}, results[] = {2, 3}, kept[] = {2, 1, 3};
  gpuarr_array *x = zeros(GPUARR_F32, 3, shape), *rows = NULL, *given = zeros(GPUARR_F32, 3, kept);
  gpuarr_arg input = gpuarr_arg_array(x);
  const int32_t axis = 1;
  for (int ordered = 0; ordered < 2; ++ordered) {
    gpuarr_reduction* kernel =
        make_reduction(&(struct reduction_texts){.in = "T x",
                                                 .out = "T y",
                                                 .map = "x + i + _J",
                                                 .reduce = "a + b",
                                                 .post = "y = a + i + 100 * _out_ind.get()[1] + n",
                                                 .identity = "7",
                                                 .ordered = ordered});
    rows = reduce_along(kernel, &input, 1, 1);
    assert_shape(rows, 2, results);
    assert_values(rows, 6, (const double[]){7, 108, 209, 10, 111, 212});
    gpuarr_array_release(rows);
    assert_ok(gpuarr_reduction_call(kernel, &given, 1, &input, 1, &axis, 1, 1, NULL));
    assert_values(given, 6, (const double[]){7, 8, 9, 10, 11, 12});
    gpuarr_call* call = NULL;
    assert_ok(gpuarr_reduction_prepare(&call, kernel, &given, 1, &input, 1, &axis, 1, 1));
    assert_ok(gpuarr_array_fill(given, gpuarr_arg_i32(0), NULL));
    assert_ok(gpuarr_call_launch(call, NULL));
    assert_values(given, 6, (const double[]){7, 8, 9, 10, 11, 12});
    gpuarr_call_release(call);
    gpuarr_reduction_release(kernel);
  }
  gpuarr_reduction* sum = make_fold("a + b", "5");
  gpuarr_array* all = reduce_all(sum, &input, 1);
  assert_int_equal(gpuarr_array_ndim(all), 0);
  assert_close(value_of(all), 5, 0);
  release_arrays((gpuarr_array*[]){x, given, all}, 3);
  gpuarr_reduction_release(sum);
}

static void no_results_launch_nothing(void** state) {
  (void)state;
  const int64_t shape[] = {0, 3};
  gpuarr_array *empty = zeros(GPUARR_F32, 2, shape), *out = NULL;
  gpuarr_reduction* broken = make_fold("this is not C++", NULL); /* and compile nothing */
  gpuarr_arg input = gpuarr_arg_array(empty);
  out = reduce_along(broken, &input, 1, 1);
  assert_shape(out, 1, shape);
  gpuarr_call* call = NULL;
  const char* source = "";
  const int32_t axis = 1;
  assert_ok(gpuarr_reduction_prepare(&call, broken, &out, 1, &input, 1, &axis, 1, 0));
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_status(gpuarr_reduction_source(&source, broken, &out, 1, &input, 1, &axis, 1, 0),
                GPUARR_ERR_SHAPE);
  assert_message_has("there are no results, of shape (0,), so nothing would be compiled");
  assert_null(source);
  gpuarr_call_release(call);
  release_arrays((gpuarr_array*[]){empty, out}, 2);
  gpuarr_reduction_release(broken);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_identity_enters_once),
      cmocka_unit_test(without_identity_elements_alone_count),
      cmocka_unit_test(nothing_to_reduce),
      cmocka_unit_test(no_results_launch_nothing),
  };
  return run_suite(tests);
}
