/* Reduction kernels: axes, shapes, inputs, outputs, prepared calls. */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernels.h"

static gpuarr_device* device;

static void mean_squared_error_along_an_axis(void** state) {
  (void)state;
  gpuarr_reduction* kernel =
      make_reduction(&(struct reduction_texts){.in = "T x, T y",
                                               .out = "T z",
                                               .map = "(x - y) * (x - y)",
                                               .reduce = "a + b",
                                               .post = "z = a / (_in_ind.size() / _out_ind.size())",
                                               .identity = "0"});
  const int64_t shape[] = {4, 3};
  float x_values[12], y_values[12];
  for (int k = 0; k < 12; ++k) {
    x_values[k] = (float)k;
    y_values[k] = (float)(2 * k);
  }
  gpuarr_array *x = from(GPUARR_F32, 2, shape, x_values), *y = from(GPUARR_F32, 2, shape, y_values);
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(y)};
  gpuarr_array *rows = reduce_along(kernel, inputs, 2, -1), *all = reduce_all(kernel, inputs, 2);
  const float means[] = {5.f / 3, 50.f / 3, 149.f / 3, 302.f / 3}, mean = 506.f / 12;
  assert_floats(rows, 4, means);
  assert_floats(all, 1, &mean);
  release_arrays((gpuarr_array*[]){x, y, rows, all}, 4);
  gpuarr_reduction_release(kernel);
}

static void axes_are_any_set(void** state) {
  (void)state;
  const struct {
    int32_t axes[3], count, keepdims, ndim;
    int64_t shape[3];
    double sums[24];
  } sets[] = {
      {{2}, 1, 0, 2, {2, 3}, {6, 22, 38, 54, 70, 86}},
      {{-1}, 1, 1, 3, {2, 3, 1}, {6, 22, 38, 54, 70, 86}},
      {{0}, 1, 0, 2, {3, 4}, {12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34}},
      {{-2}, 1, 0, 2, {2, 4}, {12, 15, 18, 21, 48, 51, 54, 57}},
      {{0, 2}, 2, 0, 1, {3}, {60, 92, 124}},
      {{-1, -3}, 2, 1, 3, {1, 3, 1}, {60, 92, 124}},
      {{1, 0}, 2, 0, 1, {4}, {60, 66, 72, 78}},
      {{1, 2}, 2, 1, 3, {2, 1, 1}, {66, 210}},
      {{2, 0, 1}, 3, 0, 0, {0}, {276}},
      {{0}, GPUARR_ALL_AXES, 0, 0, {0}, {276}},
      {{0}, GPUARR_ALL_AXES, 1, 3, {1, 1, 1}, {276}},
  };
  const int64_t shape[] = {2, 3, 4};
  gpuarr_array *line24 = ramp(GPUARR_I32, 24), *x = NULL;
  assert_ok(gpuarr_array_reshape(&x, line24, 3, shape));
  gpuarr_reduction* sum = make_fold("a + b", "0");
  gpuarr_arg input = gpuarr_arg_array(x);
  for (size_t k = 0; k < sizeof sets / sizeof *sets; ++k) {
    gpuarr_array* out = NULL;
    assert_ok(gpuarr_reduction_call(sum, &out, 1, &input, 1, sets[k].axes, sets[k].count,
                                    sets[k].keepdims, NULL));
    assert_shape(out, sets[k].ndim, sets[k].shape);
    assert_values(out, gpuarr_array_size(out), sets[k].sums);
    gpuarr_array_release(out);
  }
  gpuarr_array* same = NULL; /* without an axis each element is a result */
  assert_ok(gpuarr_reduction_call(sum, &same, 1, &input, 1, sets[0].axes, 0, 1, NULL));
  assert_shape(same, 3, shape);
  assert_memory_equal(gpuarr_array_strides(same), gpuarr_array_strides(x), 3 * sizeof(int64_t));
  double* values = doubles_of(x);
  assert_values(same, 24, values);
  free(values);
  release_arrays((gpuarr_array*[]){line24, x, same}, 3);
  gpuarr_reduction_release(sum);
}

static void arrays_without_axes_are_arrays(void** state) {
  (void)state;
  const float three = 3;
  gpuarr_array* x = from(GPUARR_F32, 0, NULL, &three);
  gpuarr_reduction* sum = make_fold("a + b", "4");
  gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_array *all = reduce_all(sum, &input, 1), *none = NULL;
  assert_ok(gpuarr_reduction_call(sum, &none, 1, &input, 1, NULL, 0, 1, NULL));
  assert_int_equal(gpuarr_array_ndim(all), 0);
  assert_int_equal(gpuarr_array_ndim(none), 0);
  assert_close(value_of(all), 7, 0);
  assert_close(value_of(none), 7, 0);
  release_arrays((gpuarr_array*[]){x, all, none}, 3);
  gpuarr_reduction_release(sum);
}

static void inputs_broadcast_together(void** state) {
  (void)state;
  const int64_t wide[] = {2, 1, 4}, tall[] = {3, 1}, rows[] = {2, 3};
  const int32_t x_values[] = {1, 2, 3, 4, 5, 6, 7, 8}, y_values[] = {1, 10, 100};
  gpuarr_array *x = from(GPUARR_I32, 3, wide, x_values), *y = from(GPUARR_I32, 2, tall, y_values);
  gpuarr_reduction* dot = make_reduction(&(struct reduction_texts){.in = "T x, T y, T w",
                                                                   .out = "T z",
                                                                   .map = "x * y + w",
                                                                   .reduce = "a + b",
                                                                   .post = "z = a",
                                                                   .identity = "0"});
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(y), gpuarr_arg_i32(0)};
  gpuarr_array *along_x = reduce_along(dot, inputs, 3, 2),
               *along_y = reduce_along(dot, inputs, 3, 1);
  assert_shape(along_x, 2, rows);
  assert_values(along_x, 6, (const double[]){10, 100, 1000, 26, 260, 2600});
  assert_values(along_y, 8, (const double[]){111, 222, 333, 444, 555, 666, 777, 888});
  /* An axis that no input has more than one index of is reduced as often as it is long: once. */
  gpuarr_array* all = reduce_all(dot, inputs, 3);
  assert_close(value_of(all), 36 * 111, 0);
  release_arrays((gpuarr_array*[]){x, y, along_x, along_y, all}, 5);
  gpuarr_reduction_release(dot);
}

/* The smallest and the largest, and how far they are apart: as made, and as given. */
static void several_outputs_and_given_ones(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3}, two = 2;
  const float values[] = {3, -1, 2, -7, -5, -6};
  gpuarr_array* x = from(GPUARR_F32, 2, shape, values);
  gpuarr_reduction* kernel = make_reduction(
      &(struct reduction_texts){.in = "T x",
                                .out = "T low, T high, float64 width",
                                .preamble = "struct range { float low, high; };",
                                .reduce_type = "range",
                                .map = "range{x, x}",
                                .reduce = "range{min(a.low, b.low), max(a.high, b.high)}",
                                .post = "low = a.low; high = a.high; width = high - low"});
  gpuarr_array* outputs[] = {NULL, line(GPUARR_F32, 4), NULL};
  gpuarr_array* memory = outputs[1];
  assert_ok(gpuarr_array_slice(&outputs[1], memory, 0, 3, 0, -2)); /* elements 3 and 1 */
  gpuarr_array* given = outputs[1];
  gpuarr_arg input = gpuarr_arg_array(x);
  const int32_t axis = 1;
  assert_ok(gpuarr_reduction_call(kernel, outputs, 3, &input, 1, &axis, 1, 0, NULL));
  assert_ptr_equal(outputs[1], given);
  assert_shape(outputs[0], 1, &two);
  assert_int_equal(gpuarr_array_dtype(outputs[2]), GPUARR_F64);
  assert_values(outputs[0], 2, (const double[]){-1, -7});
  assert_values(outputs[1], 2, (const double[]){3, -5});
  assert_values(outputs[2], 2, (const double[]){4, 2});
  assert_values(memory, 4, (const double[]){0, -5, 0, 3});
  release_arrays(outputs, 3);
  release_arrays((gpuarr_array*[]){x, memory}, 2);
  gpuarr_reduction_release(kernel);
}

static void old_output_values_can_be_read(void** state) {
  (void)state;
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){.in = "T x",
                                                                      .out = "U y",
                                                                      .map = "x",
                                                                      .reduce = "a + b",
                                                                      .post = "if (i != 1) y += a",
                                                                      .identity = "0"});
  const int64_t shape[] = {3, 4};
  gpuarr_array *flat = ramp(GPUARR_I32, 12), *x = NULL, *y = ramp(GPUARR_I32, 3);
  assert_ok(gpuarr_array_reshape(&x, flat, 2, shape));
  gpuarr_arg input = gpuarr_arg_array(x);
  const int32_t axis = 1;
  for (int k = 1; k < 3; ++k) {
    assert_ok(gpuarr_reduction_call(kernel, &y, 1, &input, 1, &axis, 1, 0, NULL));
    assert_values(y, 3, (const double[]){6 * k, 1, 2 + 38 * k});
  }
  release_arrays((gpuarr_array*[]){flat, x, y}, 3);
  gpuarr_reduction_release(kernel);
}

static void new_outputs_lie_as_the_inputs(void** state) {
  (void)state;
  const int64_t shape[] = {3, 4, 5};
  gpuarr_array *f = NULL, *c = NULL;
  assert_ok(gpuarr_array_ones(&f, device, GPUARR_F32, 3, shape, GPUARR_ORDER_F, NULL));
  assert_ok(gpuarr_array_transpose(&c, f, 0, NULL)); /* of shape 5, 4, 3, in C order */
  gpuarr_reduction* sum = make_fold("a + b", "0");
  gpuarr_arg of_f = gpuarr_arg_array(f), of_c = gpuarr_arg_array(c);
  const int32_t axis = 1;
  const int64_t in_f[] = {1, 3}, in_c[] = {3, 1};
  gpuarr_array *y = reduce_along(sum, &of_f, 1, 1), *z = reduce_along(sum, &of_c, 1, 1), *w = NULL;
  assert_ok(gpuarr_reduction_call(sum, &w, 1, &of_f, 1, &axis, 1, 1, NULL));
  assert_memory_equal(gpuarr_array_strides(y), in_f, 2 * sizeof(int64_t));
  assert_memory_equal(gpuarr_array_strides(z), in_c, 2 * sizeof(int64_t));
  assert_int_equal(gpuarr_array_strides(w)[0], 1);
  assert_int_equal(gpuarr_array_strides(w)[2], 3);
  release_arrays((gpuarr_array*[]){f, c, y, z, w}, 5);
  gpuarr_reduction_release(sum);
}

static void prepared_calls_repeat(void** state) {
  (void)state;
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){.in = "T x, T scale",
                                                                      .out = "T y",
                                                                      .map = "x * scale",
                                                                      .reduce = "a + b",
                                                                      .post = "y = a",
                                                                      .identity = "0"});
  const int64_t count = 100000;
  gpuarr_array *x = NULL, *y = zeros(GPUARR_F64, 0, NULL);
  assert_ok(gpuarr_array_ones(&x, device, GPUARR_F64, 1, &count, GPUARR_ORDER_C, NULL));
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_i32(2)};
  gpuarr_call* call = NULL;
  assert_ok(gpuarr_reduction_prepare(&call, kernel, &y, 1, inputs, 2, NULL, GPUARR_ALL_AXES, 0));
  gpuarr_reduction_release(kernel); /* the call keeps what it needs */
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_close(value_of(y), 200000, 0);
  assert_ok(gpuarr_call_set_scalar(call, 1, gpuarr_arg_f32(0.5f)));
  assert_ok(gpuarr_array_fill(x, gpuarr_arg_i32(3), NULL));
  gpuarr_array_release(x);
  gpuarr_call* again = gpuarr_call_retain(call);
  assert_ptr_equal(again, call);
  gpuarr_call_release(call);
  assert_ok(gpuarr_call_launch(again, NULL));
  assert_close(value_of(y), 150000, 0);
  assert_status(gpuarr_call_set_scalar(again, 0, gpuarr_arg_f64(3)), GPUARR_ERR_ARGUMENT);
  gpuarr_array_release(y);
  gpuarr_call_release(again);
}

/* All that a repeated call needs beside its output is kept from the one before. */
static void repeated_calls_ask_the_device_for_no_memory(void** state) {
  (void)state;
  const int64_t shape[] = {3, 100000};
  gpuarr_array *x = zeros(GPUARR_F32, 2, shape), *y = line(GPUARR_F32, 3);
  gpuarr_reduction* sum = make_fold("a + b", "0");
  gpuarr_arg input = gpuarr_arg_array(x);
  const int32_t axis = 1;
  int64_t used[2], calls[2];
  for (int k = 0; k < 10; ++k) {
    assert_ok(gpuarr_reduction_call(sum, &y, 1, &input, 1, &axis, 1, 0, NULL));
    int64_t* to = k == 0 ? &used[0] : &used[1];
    assert_ok(gpuarr_memory_statistic(to, device, GPUARR_MEMORY_USED));
    to = k == 0 ? &calls[0] : &calls[1];
    assert_ok(gpuarr_memory_statistic(to, device, GPUARR_MEMORY_DEVICE_CALLS));
  }
  assert_int_equal(used[0], used[1]);
  assert_int_equal(calls[0], calls[1]);
  release_arrays((gpuarr_array*[]){x, y}, 2);
  gpuarr_reduction_release(sum);
}

static void the_source_is_shown(void** state) {
  (void)state;
  const int64_t shape[] = {3, 100};
  gpuarr_array *x = zeros(GPUARR_I8, 2, shape), *none = NULL;
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){.in = "T x",
                                                                      .out = "int64 y",
                                                                      .map = "x * the_map",
                                                                      .reduce = "the_reduce(a, b)",
                                                                      .post = "y = the_post(a)",
                                                                      .identity = "the_identity",
                                                                      .reduce_type = "the_type",
                                                                      .preamble = "the_preamble",
                                                                      .option = "-DTHE=option"});
  gpuarr_arg input = gpuarr_arg_array(x);
  const char* source = NULL;
  const int32_t axis = 0;
  assert_ok(gpuarr_reduction_source(&source, kernel, &none, 1, &input, 1, &axis, 1, 0));
  const char* const parts[] = {"x * the_map",  "the_reduce(a, b)", "the_post(a)",
                               "the_identity", "the_type",         "the_preamble",
                               "THE option",   "typedef int8 T;",  "reduction_kernel"};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; ++k)
    if (strstr(source, parts[k]) == NULL) fail_msg("no \"%s\" in\n%s", parts[k], source);
  assert_null(none);
  gpuarr_array_release(x);
  gpuarr_reduction_release(kernel);
}

static void kernels_are_counted(void** state) {
  (void)state;
  gpuarr_reduction* sum = make_fold("a + b", "0");
  assert_ptr_equal(gpuarr_reduction_retain(sum), sum);
  gpuarr_reduction_release(sum);
  gpuarr_array* x = ramp(GPUARR_I64, 5);
  gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_array* y = reduce_all(sum, &input, 1);
  gpuarr_reduction_release(sum);
  gpuarr_array_release(x);
  assert_close(value_of(y), 10, 0);
  gpuarr_array_release(y);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mean_squared_error_along_an_axis),
      cmocka_unit_test(axes_are_any_set),
      cmocka_unit_test(arrays_without_axes_are_arrays),
      cmocka_unit_test(inputs_broadcast_together),
      cmocka_unit_test(several_outputs_and_given_ones),
      cmocka_unit_test(old_output_values_can_be_read),
      cmocka_unit_test(new_outputs_lie_as_the_inputs),
      cmocka_unit_test(prepared_calls_repeat),
      cmocka_unit_test(repeated_calls_ask_the_device_for_no_memory),
      cmocka_unit_test(the_source_is_shown),
      cmocka_unit_test(kernels_are_counted),
  };
  return run_suite(tests);
}
