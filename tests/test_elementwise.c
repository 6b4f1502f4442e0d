/* Elementwise kernels: typing, broadcasting, layouts, scalars, in place, prepared calls. */
#include <math.h>

#include "arrays.h"
#include "kernels.h"

static gpuarr_device* device;

static void squared_difference_broadcasts(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3};
  const float x[] = {0, 1, 2, 3, 4, 5}, y[] = {1, 1, 2}, z[] = {1, 0, 0, 4, 9, 9};
  gpuarr_array* ax = from(GPUARR_F32, 2, shape, x);
  gpuarr_array* ay = floats(3, y);
  gpuarr_elementwise* kernel = make_elementwise("T x, T y", "T z", "z = (x - y) * (x - y)");
  gpuarr_arg inputs[] = {gpuarr_arg_array(ax), gpuarr_arg_array(ay)};
  gpuarr_array* az = run_elementwise(kernel, inputs, 2);
  assert_int_equal(gpuarr_array_ndim(az), 2);
  assert_floats(az, 6, z);
  gpuarr_array_release(ax);
  gpuarr_array_release(ay);
  gpuarr_array_release(az);
  gpuarr_elementwise_release(kernel);
}

static void scalars_bind_and_convert(void** state) {
  (void)state;
  const float x[] = {-2, -1, 0, 3}, relu[] = {-0.5f, -0.25f, 0, 3};
  gpuarr_array* ax = floats(4, x);
  gpuarr_elementwise* kernel =
      make_elementwise("T x, const T slope", "T y", "y = x < 0 ? slope * x : x;");
  /* A double scalar becomes the float that the array says T is. */
  gpuarr_arg inputs[] = {gpuarr_arg_array(ax), gpuarr_arg_f64(0.25)};
  gpuarr_array* ay = run_elementwise(kernel, inputs, 2);
  assert_floats(ay, 4, relu);
  /* An integer parameter holds no fraction. */
  gpuarr_elementwise* whole = make_elementwise("float32 x, int32 n2", "float32 y", "y = x + n2");
  gpuarr_arg bad[] = {gpuarr_arg_array(ax), gpuarr_arg_f64(2.5)};
  gpuarr_array* none = NULL;
  assert_status(gpuarr_elementwise_call(whole, &none, 1, bad, 2, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_DTYPE);
  assert_message_has("n2");
  assert_message_has("2.5");
  assert_null(none);
  /* A placeholder that only a scalar binds takes the scalar's type. */
  gpuarr_elementwise* loose = make_elementwise("float32 x, U s", "U y", "y = x * s");
  gpuarr_arg mixed[] = {gpuarr_arg_array(ax), gpuarr_arg_i64(10)};
  gpuarr_array* wide = run_elementwise(loose, mixed, 2);
  assert_int_equal(gpuarr_array_dtype(wide), GPUARR_I64);
  int64_t values[4];
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, wide, NULL));
  assert_int_equal(values[0], -20);
  assert_int_equal(values[3], 30);
  gpuarr_array_release(ax);
  gpuarr_array_release(ay);
  gpuarr_array_release(wide);
  gpuarr_elementwise_release(kernel);
  gpuarr_elementwise_release(whole);
  gpuarr_elementwise_release(loose);
}

static void several_outputs_and_given_ones(void** state) {
  (void)state;
  const float x[] = {0, 0.5f, 1};
  gpuarr_array* ax = floats(3, x);
  gpuarr_elementwise* kernel = make_elementwise("T x", "T s, T c", "s = sin(x); c = cos(x)");
  gpuarr_array* outputs[2] = {NULL, NULL};
  const int64_t three = 3;
  assert_ok(gpuarr_array_empty(&outputs[1], device, GPUARR_F32, 1, &three, GPUARR_ORDER_C, NULL));
  gpuarr_array* given = outputs[1];
  gpuarr_arg input = gpuarr_arg_array(ax);
  assert_ok(gpuarr_elementwise_call(kernel, outputs, 2, &input, 1, GPUARR_NO_SIZE, NULL));
  assert_ptr_equal(outputs[1], given);
  float s[3], c[3];
  assert_ok(gpuarr_array_read(s, sizeof s, NULL, outputs[0], NULL));
  assert_ok(gpuarr_array_read(c, sizeof c, NULL, outputs[1], NULL));
  for (int k = 0; k < 3; ++k) {
    assert_close(s[k], sin(x[k]), 1e-6);
    assert_close(c[k], cos(x[k]), 1e-6);
  }
  gpuarr_array_release(ax);
  gpuarr_array_release(outputs[0]);
  gpuarr_array_release(outputs[1]);
  gpuarr_elementwise_release(kernel);
}

static void old_output_values_can_be_read(void** state) {
  (void)state;
  const float x[] = {1, -2, 3}, y[] = {10, 20, 30}, kept[] = {11, 20, 33};
  gpuarr_array* ax = floats(3, x);
  gpuarr_array* ay = floats(3, y);
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "if (x > 0) y += x");
  gpuarr_arg input = gpuarr_arg_array(ax);
  assert_ok(gpuarr_elementwise_call(kernel, &ay, 1, &input, 1, GPUARR_NO_SIZE, NULL));
  assert_floats(ay, 3, kept);
  gpuarr_array_release(ax);
  gpuarr_array_release(ay);
  gpuarr_elementwise_release(kernel);
}

static void a_name_in_both_lists_is_one_variable(void** state) {
  (void)state;
  const float x[] = {1, 2, 3}, scaled[] = {2, 4, 6};
  gpuarr_array* ax = floats(3, x);
  gpuarr_elementwise* kernel = make_elementwise("T x, T a", "T x", "x *= a");
  gpuarr_arg inputs[] = {gpuarr_arg_array(ax), gpuarr_arg_i32(2)};
  gpuarr_array* fresh = run_elementwise(kernel, inputs, 2); /* a new output starts as the input */
  assert_floats(fresh, 3, scaled);
  assert_floats(ax, 3, x);
  gpuarr_array* same = ax;
  assert_ok(gpuarr_elementwise_call(kernel, &same, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
  assert_ptr_equal(same, ax);
  assert_floats(ax, 3, scaled);
  gpuarr_array_release(fresh);
  inputs[0] = gpuarr_arg_f32(1.5f); /* the name may be a scalar too; the loop's shape is a's */
  inputs[1] = gpuarr_arg_array(ax);
  const float products[] = {3, 6, 9};
  fresh = run_elementwise(kernel, inputs, 2);
  assert_floats(fresh, 3, products);
  gpuarr_array_release(ax);
  gpuarr_array_release(fresh);
  gpuarr_elementwise_release(kernel);
}

static void overlapping_output_is_as_if_it_did_not(void** state) {
  (void)state;
  float x[1000], expected[1000];
  for (int k = 0; k < 1000; ++k) x[k] = (float)(k * k % 97);
  gpuarr_array* base = floats(1000, x);
  gpuarr_array *from_first = NULL, *from_second = NULL;
  assert_ok(gpuarr_array_slice(&from_first, base, 0, 0, 999, 1));
  assert_ok(gpuarr_array_slice(&from_second, base, 0, 1, 1000, 1));
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "y = x + 1");
  gpuarr_arg input = gpuarr_arg_array(from_first);
  assert_ok(gpuarr_elementwise_call(kernel, &from_second, 1, &input, 1, GPUARR_NO_SIZE, NULL));
  expected[0] = x[0];
  for (int k = 1; k < 1000; ++k) expected[k] = x[k - 1] + 1;
  assert_floats(base, 1000, expected);
  /* A prepared call does not make copies, so it says no. */
  gpuarr_call* call = NULL;
  assert_status(
      gpuarr_elementwise_prepare(&call, kernel, &from_second, 1, &input, 1, GPUARR_NO_SIZE),
      GPUARR_ERR_OVERLAP);
  assert_null(call);
  /* Two outputs must not share memory, nor an output with itself. */
  gpuarr_elementwise* two = make_elementwise("", "T y, T z", "y = z = i");
  gpuarr_array* both[] = {from_first, from_second};
  assert_status(gpuarr_elementwise_call(two, both, 2, NULL, 0, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_OVERLAP);
  assert_message_has("\"y\"");
  gpuarr_array* repeated = NULL;
  const int64_t rows[] = {2, 1000};
  assert_ok(gpuarr_array_broadcast(&repeated, base, 2, rows));
  assert_status(gpuarr_elementwise_call(kernel, &repeated, 1, &input, 1, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_BROADCAST);
  gpuarr_arg all = gpuarr_arg_array(base);
  assert_status(gpuarr_elementwise_call(kernel, &repeated, 1, &all, 1, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_OVERLAP);
  assert_message_has("share memory");
  gpuarr_array_release(base);
  gpuarr_array_release(from_first);
  gpuarr_array_release(from_second);
  gpuarr_array_release(repeated);
  gpuarr_elementwise_release(kernel);
  gpuarr_elementwise_release(two);
}

static void size_is_needed_just_when_all_is_raw(void** state) {
  (void)state;
  gpuarr_elementwise* count = make_elementwise("", "T y", "y = i");
  gpuarr_array* out = NULL;
  assert_status(gpuarr_elementwise_call(count, &out, 1, NULL, 0, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_TYPE);
  assert_message_has("placeholder T");
  gpuarr_elementwise* typed = make_elementwise("", "int64 y", "y = i * n");
  assert_status(gpuarr_elementwise_call(typed, &out, 1, NULL, 0, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("size");
  assert_ok(gpuarr_elementwise_call(typed, &out, 1, NULL, 0, 5, NULL));
  int64_t values[5];
  /* Without an array the call went to the default device, which may be another. */
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, out, NULL));
  assert_int_equal(values[4], 20);
  assert_status(gpuarr_elementwise_call(typed, &out, 1, NULL, 0, 5, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("GPUARR_NO_SIZE");
  gpuarr_array_release(out);
  gpuarr_elementwise_release(count);
  gpuarr_elementwise_release(typed);
}

static void zero_sizes_launch_nothing(void** state) {
  (void)state;
  const int64_t shape[] = {3, 0};
  gpuarr_array* empty = NULL;
  assert_ok(gpuarr_array_empty(&empty, device, GPUARR_F32, 2, shape, GPUARR_ORDER_C, NULL));
  gpuarr_elementwise* broken = make_elementwise("T x", "T y", "this is not C++");
  gpuarr_arg input = gpuarr_arg_array(empty);
  gpuarr_array* out = run_elementwise(broken, &input, 1); /* nothing is compiled either */
  assert_int_equal(gpuarr_array_ndim(out), 2);
  assert_int_equal(gpuarr_array_size(out), 0);
  gpuarr_call* call = NULL;
  assert_ok(gpuarr_elementwise_prepare(&call, broken, &out, 1, &input, 1, GPUARR_NO_SIZE));
  assert_ok(gpuarr_call_launch(call, NULL));
  const char* source = NULL;
  assert_status(gpuarr_elementwise_source(&source, broken, &out, 1, &input, 1, GPUARR_NO_SIZE),
                GPUARR_ERR_SHAPE);
  assert_null(source);
  gpuarr_call_release(call);
  gpuarr_array_release(empty);
  gpuarr_array_release(out);
  gpuarr_elementwise_release(broken);
}

static void arrays_without_axes_are_arrays(void** state) {
  (void)state;
  const float x = 3, expected = 9;
  gpuarr_array* ax = from(GPUARR_F32, 0, NULL, &x);
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "y = x * x + i");
  gpuarr_arg input = gpuarr_arg_array(ax);
  gpuarr_array* out = run_elementwise(kernel, &input, 1);
  assert_int_equal(gpuarr_array_ndim(out), 0);
  assert_floats(out, 1, &expected);
  gpuarr_array_release(ax);
  gpuarr_array_release(out);
  gpuarr_elementwise_release(kernel);
}

static void new_outputs_lie_as_the_inputs(void** state) {
  (void)state;
  const int64_t shape[] = {3, 4, 5};
  const int32_t axes[] = {1, 2, 0};
  gpuarr_array *f = NULL, *c = NULL, *mixed = NULL;
  assert_ok(gpuarr_array_ones(&f, device, GPUARR_F32, 3, shape, GPUARR_ORDER_F, NULL));
  assert_ok(gpuarr_array_ones(&c, device, GPUARR_F32, 3, shape, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_array_transpose(&mixed, c, 3, axes));
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "y = x");
  gpuarr_array* sources[] = {f, c, mixed};
  for (int k = 0; k < 3; ++k) {
    gpuarr_arg input = gpuarr_arg_array(sources[k]);
    gpuarr_array* out = run_elementwise(kernel, &input, 1);
    for (int axis = 0; axis < 3; ++axis)
      assert_int_equal(gpuarr_array_strides(out)[axis], gpuarr_array_strides(sources[k])[axis]);
    gpuarr_array_release(out);
    gpuarr_array_release(sources[k]);
  }
  gpuarr_elementwise_release(kernel);
}

static void prepared_calls_repeat(void** state) {
  (void)state;
  const float x[] = {1, 2, 3}, zero[] = {0, 0, 0}, once[] = {2, 4, 6}, twice[] = {5, 10, 15};
  gpuarr_array* ax = floats(3, x);
  gpuarr_array* ay = floats(3, zero);
  gpuarr_elementwise* kernel = make_elementwise("T x, T a", "T y", "y += a * x");
  gpuarr_arg inputs[] = {gpuarr_arg_array(ax), gpuarr_arg_i32(2)};
  gpuarr_call* call = NULL;
  assert_ok(gpuarr_elementwise_prepare(&call, kernel, &ay, 1, inputs, 2, GPUARR_NO_SIZE));
  gpuarr_elementwise_release(kernel); /* the call keeps what it needs */
  gpuarr_array_release(ax);
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_floats(ay, 3, once);
  assert_ok(gpuarr_call_set_scalar(call, 1, gpuarr_arg_f64(3)));
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_floats(ay, 3, twice);
  assert_status(gpuarr_call_set_scalar(call, 0, gpuarr_arg_f64(3)), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_call_set_scalar(call, 1, gpuarr_arg_c64(1, 2)), GPUARR_ERR_DTYPE);
  gpuarr_call* again = gpuarr_call_retain(call);
  gpuarr_call_release(call);
  gpuarr_call_release(again);
  gpuarr_array_release(ay);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(squared_difference_broadcasts),
      cmocka_unit_test(scalars_bind_and_convert),
      cmocka_unit_test(several_outputs_and_given_ones),
      cmocka_unit_test(old_output_values_can_be_read),
      cmocka_unit_test(a_name_in_both_lists_is_one_variable),
      cmocka_unit_test(overlapping_output_is_as_if_it_did_not),
      cmocka_unit_test(size_is_needed_just_when_all_is_raw),
      cmocka_unit_test(zero_sizes_launch_nothing),
      cmocka_unit_test(arrays_without_axes_are_arrays),
      cmocka_unit_test(new_outputs_lie_as_the_inputs),
      cmocka_unit_test(prepared_calls_repeat),
  };
  return run_suite(tests);
}
