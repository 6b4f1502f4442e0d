/* Elementwise arithmetic: dtypes, given outputs, integers at their limits, and what is refused.
 * tests/numpy/functions.py compares every function with NumPy's. */
#include <math.h>

#include "arrays.h"

static gpuarr_arg array(const gpuarr_array* a) { return gpuarr_arg_array(a); }

static void adds_what_differs(void** state) {
  (void)state;
  const float numbers[] = {1, 2, 3, 4, 5, 6};
  const int64_t shape[] = {2, 3};
  gpuarr_array *x = from(GPUARR_F32, 2, shape, numbers), *y = ramp(GPUARR_I32, 3), *sum = NULL;
  assert_ok(gpuarr_add(&sum, array(x), array(y), NULL));
  assert_int_equal(gpuarr_array_dtype(sum), GPUARR_F64);
  assert_shape(sum, 2, shape);
  assert_values(sum, 6, (const double[]){1, 3, 5, 4, 6, 8});
  assert_ok(gpuarr_add(&x, array(x), gpuarr_arg_f64(0.5), NULL)); /* in place, a weak scalar */
  assert_floats(x, 6, (const float[]){1.5F, 2.5F, 3.5F, 4.5F, 5.5F, 6.5F});
  gpuarr_array* small = zeros(GPUARR_F16, 2, shape);
  assert_ok(gpuarr_subtract(&small, array(sum), array(y), NULL)); /* float64 into float16 */
  assert_values(small, 6, (const double[]){1, 2, 3, 4, 5, 6});
  release_arrays((gpuarr_array*[]){x, y, sum, small}, 4);
}

static void divides_integers(void** state) {
  (void)state;
  const int8_t numbers[] = {-128, 7, -7, 5, 0}, divisors[] = {-1, -2, 2, 0, 0};
  const int64_t count = 5;
  gpuarr_array* x = from(GPUARR_I8, 1, &count, numbers);
  gpuarr_array *y = from(GPUARR_I8, 1, &count, divisors), *out[4] = {NULL};
  assert_ok(gpuarr_divmod(&out[0], &out[1], array(x), array(y), NULL));
  assert_values(out[0], 5, (const double[]){-128, -4, -4, 0, 0});
  assert_values(out[1], 5, (const double[]){0, -1, 1, 0, 0});
  assert_ok(gpuarr_fmod(&out[2], array(x), array(y), NULL));
  assert_values(out[2], 5, (const double[]){0, 1, -1, 0, 0});
  assert_ok(gpuarr_divide(&out[3], array(x), array(y), NULL));
  assert_int_equal(gpuarr_array_dtype(out[3]), GPUARR_F64);
  assert_values(out[3], 5, (const double[]){128, -3.5, -3.5, INFINITY, NAN});
  release_arrays(out, 4);
  release_arrays((gpuarr_array*[]){x, y}, 2);
}

static void raises_to_powers(void** state) {
  (void)state;
  const int32_t numbers[] = {3, -1, 0, 2};
  const int64_t count = 4;
  gpuarr_array* x = from(GPUARR_I32, 1, &count, numbers);
  const double squares[] = {9, 1, 0, 4}, cubes[] = {27, -1, 0, 8};
  gpuarr_array *out[3] = {NULL}, *odd = from(GPUARR_I32, 1, &count, (int32_t[]){-1, -3, -2, 31});
  assert_ok(gpuarr_power(&out[0], array(x), gpuarr_arg_i64(2), NULL));
  assert_values(out[0], 4, squares);
  assert_ok(gpuarr_power(&out[1], array(x), gpuarr_arg_i64(3), NULL));
  assert_values(out[1], 4, cubes);
  assert_ok(gpuarr_power(&out[2], array(x), array(odd), NULL)); /* cut at the point; wraps around */
  assert_values(out[2], 4, (const double[]){0, -1, 0, -2147483648.0});
  gpuarr_array* none = NULL;
  assert_status(gpuarr_power(&none, array(x), gpuarr_arg_i64(-1), NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("y is -1, but negative powers of integers are not integers");
  assert_null(none);
  release_arrays(out, 3);
  release_arrays((gpuarr_array*[]){x, odd}, 2);
}

/* As near as the C library's pow, and with its signs and infinities. */
static void cubes_floats(void** state) {
  (void)state;
  enum { count = 512 };
  const int64_t n = count;
  double numbers[count] = {-0.0, 0, NAN, INFINITY, -INFINITY, 1e200, -1e200, 1e-110, 3e-120};
  float floats[count];
  for (int k = 9; k < count; ++k)
    numbers[k] = ldexp(1 + k / 777.0, k % 600 - 300) * (1 - k % 2 * 2);
  for (int k = 0; k < count; ++k) floats[k] = (float)numbers[k];
  gpuarr_array *x = from(GPUARR_F64, 1, &n, numbers), *y = from(GPUARR_F32, 1, &n, floats);
  gpuarr_array* out[2] = {NULL};
  assert_ok(gpuarr_power(&out[0], array(x), gpuarr_arg_i64(3), NULL));
  assert_ok(gpuarr_power(&out[1], array(y), gpuarr_arg_f64(3), NULL));
  assert_int_equal(gpuarr_array_dtype(out[1]), GPUARR_F32);
  double cubes[count];
  assert_ok(gpuarr_array_read(cubes, sizeof cubes, NULL, out[0], NULL));
  assert_ok(gpuarr_array_read(floats, sizeof floats, NULL, out[1], NULL));
  for (int k = 0; k < count; ++k) {
    const double expected = pow(numbers[k], 3);
    const double near = nextafter(expected, cubes[k]); /* one unit off is allowed */
    if (expected != expected ? cubes[k] == cubes[k] : cubes[k] != expected && cubes[k] != near)
      fail_msg("the cube of %.17g is %.17g, not %.17g", numbers[k], cubes[k], expected);
    if (signbit(cubes[k]) != signbit(expected) && expected == expected)
      fail_msg("the cube of %g has the wrong sign", numbers[k]);
    const float single = (float)pow((float)numbers[k], 3);
    if (single != single ? floats[k] == floats[k] : floats[k] != single)
      fail_msg("the cube of %g in float32 is %.9g, not %.9g", numbers[k], floats[k], single);
  }
  release_arrays(out, 2);
  release_arrays((gpuarr_array*[]){x, y}, 2);
}

static void limits_and_rounds(void** state) {
  (void)state;
  const double numbers[] = {-15, 2.5, 0.125, NAN};
  const int64_t count = 4;
  gpuarr_array *x = from(GPUARR_F64, 1, &count, numbers), *out[4] = {NULL};
  assert_ok(gpuarr_clip(&out[0], x, gpuarr_arg_f64(-1), gpuarr_arg_f64(1), NULL));
  assert_ok(gpuarr_clip(&out[1], x, gpuarr_arg_array(NULL), gpuarr_arg_f64(1), NULL));
  assert_ok(gpuarr_round(&out[2], x, 2, NULL));
  assert_ok(gpuarr_round(&out[3], x, -1, NULL));
  const double expected[4][4] = {
      {-1, 1, 0.125, NAN}, {-15, 1, 0.125, NAN}, {-15, 2.5, 0.12, NAN}, {-20, 0, 0, NAN}};
  for (int k = 0; k < 4; ++k) assert_values(out[k], 4, expected[k]);
  release_arrays(out, 4);
  gpuarr_array* none = NULL;
  const gpuarr_arg left_out = gpuarr_arg_array(NULL);
  assert_status(gpuarr_clip(&none, x, left_out, left_out, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("low and high are both left out; give one");
  gpuarr_array_release(x);
}

static void refuses(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_I8, 3), *flags = line(GPUARR_BOOL, 3), *none = NULL;
  gpuarr_array *z = line(GPUARR_C64, 3), *other = line(GPUARR_I8, 4);
  assert_status(gpuarr_add(NULL, array(x), array(x), NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL; give the address of a variable");
  assert_status(gpuarr_negative(&none, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_negative: x is NULL; give an array");
  assert_status(gpuarr_add(&none, gpuarr_arg_f64(1), gpuarr_arg_f64(1), NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("no argument is an array; give one, or an output");
  assert_status(gpuarr_subtract(&none, array(flags), array(flags), NULL), GPUARR_ERR_DTYPE);
  assert_message_has(
      "subtract is not defined for bool; it takes integers, floats, complex numbers");
  assert_status(gpuarr_fmod(&none, array(z), array(x), NULL), GPUARR_ERR_DTYPE);
  assert_message_has("fmod is not defined for complex64; it takes integers, floats");
  assert_status(gpuarr_add(&none, array(x), gpuarr_arg_i64(128), NULL), GPUARR_ERR_DTYPE);
  assert_message_has("y is 128, which int8 cannot hold: it is out of range");
  assert_status(gpuarr_divide(&x, array(x), array(x), NULL), GPUARR_ERR_DTYPE);
  assert_message_has("out is int8, to which the result's float64 is not converted; give float64");
  assert_status(gpuarr_add(&none, array(x), array(other), NULL), GPUARR_ERR_BROADCAST);
  assert_message_has("input 1 (\"y\") has shape (4,), which does not broadcast with (3,)");
  assert_status(gpuarr_add(&other, array(x), array(x), NULL), GPUARR_ERR_BROADCAST);
  assert_status(gpuarr_divmod(&x, &x, array(x), gpuarr_arg_i64(2), NULL), GPUARR_ERR_OVERLAP);
  assert_message_has("share memory");
  assert_null(none);
  release_arrays((gpuarr_array*[]){x, flags, z, other}, 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(adds_what_differs), cmocka_unit_test(divides_integers),
      cmocka_unit_test(raises_to_powers),  cmocka_unit_test(cubes_floats),
      cmocka_unit_test(limits_and_rounds), cmocka_unit_test(refuses),
  };
  return run_suite(tests);
}
