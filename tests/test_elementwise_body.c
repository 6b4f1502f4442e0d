/* What an elementwise kernel's body sees: raw arrays, i, build options, half and complex types. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernels.h"

static gpuarr_device* device;

static void raw_arguments_index_logically(void** state) {
  (void)state;
  const int64_t shape[] = {3, 4};
  float x[12], reversed[12], at[12];
  for (int k = 0; k < 12; ++k) x[k] = (float)k;
  for (int k = 0; k < 12; ++k) reversed[k] = x[11 - k];
  gpuarr_array* plain = from(GPUARR_F32, 2, shape, x);
  gpuarr_array* transposed = NULL; /* its logical order is not that of memory */
  assert_ok(gpuarr_array_transpose(&transposed, plain, 0, NULL));
  gpuarr_elementwise* reverse = make_elementwise("raw T x", "T y", "y = x[n - 1 - i]");
  gpuarr_array* out = NULL;
  gpuarr_arg input = gpuarr_arg_array(plain);
  assert_ok(gpuarr_elementwise_call(reverse, &out, 1, &input, 1, 12, NULL));
  assert_floats(out, 12, reversed);
  gpuarr_elementwise* walk =
      make_elementwise("raw T x", "raw T y", "y[i] = x[i] + 100 * x.shape()[0]");
  input = gpuarr_arg_array(transposed);
  assert_ok(gpuarr_elementwise_call(walk, &out, 1, &input, 1, 12, NULL));
  for (int k = 0; k < 12; ++k) at[k] = x[k % 3 * 4 + k / 3] + 400;
  assert_floats(out, 12, at);
  gpuarr_elementwise* corner =
      make_elementwise("raw T x", "T y", "y = x(i % 4, 0) + x.size() + x.strides()[0]");
  gpuarr_array* fresh = NULL;
  assert_ok(gpuarr_elementwise_call(corner, &fresh, 1, &input, 1, 8, NULL));
  for (int k = 0; k < 8; ++k) at[k] = (float)(k % 4) + 12 + 1;
  assert_floats(fresh, 8, at);
  gpuarr_array_release(plain);
  gpuarr_array_release(transposed);
  gpuarr_array_release(out);
  gpuarr_array_release(fresh);
  gpuarr_elementwise_release(reverse);
  gpuarr_elementwise_release(walk);
  gpuarr_elementwise_release(corner);
}

static void no_output_works_by_side_effect(void** state) {
  (void)state;
  const float x[] = {1, 2, 3, 4};
  const int64_t one = 1;
  gpuarr_array* ax = floats(4, x);
  gpuarr_array* sum = NULL;
  assert_ok(gpuarr_array_zeros(&sum, device, GPUARR_F32, 1, &one, GPUARR_ORDER_C, NULL));
  gpuarr_elementwise* kernel = make_elementwise("T x", "raw T total", "atomicAdd(&total[0], x)");
  gpuarr_arg input = gpuarr_arg_array(ax);
  assert_ok(gpuarr_elementwise_call(kernel, &sum, 1, &input, 1, GPUARR_NO_SIZE, NULL));
  const float ten = 10;
  assert_floats(sum, 1, &ten);
  gpuarr_elementwise* nothing =
      make_elementwise("T x", "", "if (x < -1e30f) printf(\"%g\\n\", (double)x)");
  assert_ok(gpuarr_elementwise_call(nothing, NULL, 0, &input, 1, GPUARR_NO_SIZE, NULL));
  gpuarr_array_release(ax);
  gpuarr_array_release(sum);
  gpuarr_elementwise_release(kernel);
  gpuarr_elementwise_release(nothing);
}

static void continue_ends_an_element(void** state) {
  (void)state;
  const float x[] = {1, -2, 3}, y[] = {5, 5, 5}, expected[] = {1, 5, 3};
  gpuarr_array* ax = floats(3, x);
  gpuarr_array* ay = floats(3, y);
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "if (x < 0) continue;\ny = x");
  gpuarr_arg input = gpuarr_arg_array(ax);
  assert_ok(gpuarr_elementwise_call(kernel, &ay, 1, &input, 1, GPUARR_NO_SIZE, NULL));
  assert_floats(ay, 3, expected);
  gpuarr_array_release(ax);
  gpuarr_array_release(ay);
  gpuarr_elementwise_release(kernel);
}

/* Also where several elements are computed at the same time. */
static void arrays_of_an_element_are_its_own(void** state) {
  (void)state;
  gpuarr_array *ax = ramp(GPUARR_I32, 1000), *ay = line(GPUARR_I32, 1000);
  gpuarr_elementwise* kernel =
      make_elementwise("int32 x", "int32 y",
                       "int a[3]; a[x % 3] = x; a[(x + 1) % 3] = 5; a[(x + 2) % 3] = 7;\n"
                       "y = a[0] + 10 * a[1] + 100 * a[2]");
  gpuarr_arg input = gpuarr_arg_array(ax);
  double expected[1000];
  for (int k = 0; k < 1000; ++k)
    expected[k] = k % 3 == 0 ? k + 750 : k % 3 == 1 ? 10 * k + 507 : 100 * k + 75;
  assert_ok(gpuarr_elementwise_call(kernel, &ay, 1, &input, 1, GPUARR_NO_SIZE, NULL));
  assert_values(ay, 1000, expected);
  gpuarr_array_release(ax);
  gpuarr_array_release(ay);
  gpuarr_elementwise_release(kernel);
}

static void integers_divided_by_zero_harm_nobody(void** state) {
  (void)state;
  const int64_t shape[] = {5};
  const int32_t x[] = {7, 7, INT32_MIN, 0, -9}, y[] = {2, 0, -1, 0, 4};
  int32_t z[5];
  gpuarr_array *a = from(GPUARR_I32, 1, shape, x), *b = from(GPUARR_I32, 1, shape, y);
  gpuarr_elementwise* divide = make_elementwise("T x, T y", "T z", "z = x / y + x % y");
  gpuarr_array* out = NULL;
  const gpuarr_arg inputs[] = {gpuarr_arg_array(a), gpuarr_arg_array(b)};
  assert_ok(gpuarr_elementwise_call(divide, &out, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
  assert_ok(gpuarr_array_read(z, sizeof z, NULL, out, NULL));
  assert_int_equal(z[0], 4);
  assert_int_equal(z[4], -3);
  gpuarr_elementwise_release(divide);
  gpuarr_array_release(a);
  gpuarr_array_release(b);
  gpuarr_array_release(out);
}

static void indices_are_logical_in_any_order(void** state) {
  (void)state;
  const int64_t shape[] = {3, 5};
  gpuarr_array* f = NULL;
  assert_ok(gpuarr_array_zeros(&f, device, GPUARR_F32, 2, shape, GPUARR_ORDER_F, NULL));
  float expected[15];
  for (int k = 0; k < 15; ++k) expected[k] = (float)k;
  gpuarr_elementwise* kernel = make_elementwise("", "T y", "y = i");
  assert_ok(gpuarr_elementwise_call(kernel, &f, 1, NULL, 0, GPUARR_NO_SIZE, NULL));
  assert_floats(f, 15, expected);
  gpuarr_array* flipped = NULL;
  assert_ok(gpuarr_array_slice(&flipped, f, 1, GPUARR_NONE, GPUARR_NONE, -1));
  assert_ok(gpuarr_elementwise_call(kernel, &flipped, 1, NULL, 0, GPUARR_NO_SIZE, NULL));
  assert_floats(flipped, 15, expected);
  gpuarr_elementwise* axes =
      make_elementwise("", "T y", "y = 10 * _ind.get()[0] + _ind.get()[1] + 0 * _ind.size()");
  assert_ok(gpuarr_elementwise_call(axes, &f, 1, NULL, 0, GPUARR_NO_SIZE, NULL));
  for (int k = 0; k < 15; ++k) expected[k] = (float)(10 * (k / 5) + k % 5);
  assert_floats(f, 15, expected);
  gpuarr_array_release(f);
  gpuarr_array_release(flipped);
  gpuarr_elementwise_release(kernel);
  gpuarr_elementwise_release(axes);
}

static void options_shape_the_kernel(void** state) {
  (void)state;
  gpuarr_kernel_options* options = NULL;
  gpuarr_elementwise* kernel = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_name(options, "shaped"));
  assert_ok(gpuarr_kernel_options_set_preamble(
      options, "template <class U> __device__ U twice(U v) { return v + v; }\n"));
  assert_ok(gpuarr_kernel_options_set_loop_prep(options, "const T offset = twice((T)N);"));
  assert_ok(gpuarr_kernel_options_set_after_loop(options, "if (offset < 0) return;"));
  assert_ok(gpuarr_kernel_options_add(options, "-DN=4"));
  assert_ok(gpuarr_elementwise_create(&kernel, "T x", "T y", "y = twice(x) + offset", options));
  gpuarr_kernel_options_release(options); /* the kernel has its own */
  const float x[] = {1, 2}, y[] = {10, 12};
  gpuarr_array* ax = floats(2, x);
  gpuarr_arg input = gpuarr_arg_array(ax);
  gpuarr_array* out = run_elementwise(kernel, &input, 1);
  assert_floats(out, 2, y);
  const char* source = NULL;
  assert_ok(gpuarr_elementwise_source(&source, kernel, NULL, 0, NULL, 0, 1) == GPUARR_OK
                ? GPUARR_ERR_INTERNAL
                : GPUARR_OK);
  assert_message_has("input_count is 0");
  gpuarr_array* missing = NULL;
  assert_ok(gpuarr_elementwise_source(&source, kernel, &missing, 1, &input, 1, GPUARR_NO_SIZE));
  assert_non_null(strstr(source, "shaped_kernel"));
  assert_null(missing);
  gpuarr_array_release(ax);
  gpuarr_array_release(out);
  gpuarr_elementwise_release(kernel);
}

/* A kernel with options of its own, of which NULL is none. */
static gpuarr_elementwise* with_options(const char* preamble, const char* option, const char* in,
                                        const char* body) {
  gpuarr_kernel_options* options = NULL;
  gpuarr_elementwise* kernel = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  if (preamble != NULL) assert_ok(gpuarr_kernel_options_set_preamble(options, preamble));
  if (option != NULL) assert_ok(gpuarr_kernel_options_add(options, option));
  assert_ok(gpuarr_elementwise_create(&kernel, in, "float64 y", body, options));
  gpuarr_kernel_options_release(options);
  return kernel;
}

static void statements_around_the_loop_see_its_shape(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3};
  const char* const preps[] = {
      "const double all = _ind.size();",
      "const double all = _ind.size() + 0 * _ind.get()[1] + (_ind.shape()[1] - 3);"};
  for (int k = 0; k < 2; ++k) {
    gpuarr_kernel_options* options = NULL;
    gpuarr_elementwise* kernel = NULL;
    gpuarr_array* x = zeros(GPUARR_F64, 2, shape);
    assert_ok(gpuarr_kernel_options_create(&options));
    assert_ok(gpuarr_kernel_options_set_loop_prep(options, preps[k]));
    assert_ok(gpuarr_kernel_options_set_after_loop(options, "if (_ind.size() != 6) return;"));
    assert_ok(gpuarr_elementwise_create(&kernel, "", "T y", "y = all + i", options));
    gpuarr_kernel_options_release(options);
    assert_ok(gpuarr_elementwise_call(kernel, &x, 1, NULL, 0, GPUARR_NO_SIZE, NULL));
    assert_values(x, 6, (const double[]){6, 7, 8, 9, 10, 11});
    gpuarr_array_release(x);
    gpuarr_elementwise_release(kernel);
  }
}

static void kernels_of_cupy_work(void** state) {
  (void)state;
  gpuarr_array* x = ramp(GPUARR_F64, 3);
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_i32(100), gpuarr_arg_f64(2)};
  gpuarr_elementwise* kernel =
      with_options(NULL, NULL, "T x, int32 n, raw float64 w", "y = x * w + n + 1000 * _ind.size()");
  gpuarr_array* y = run_elementwise(kernel, inputs, 3);
  assert_values(y, 3, (const double[]){3100, 3102, 3104});
  gpuarr_array_release(y);
  gpuarr_elementwise_release(kernel);
  kernel = with_options(NULL, NULL, "T n", "y = n + n");
  y = run_elementwise(kernel, inputs, 1);
  assert_values(y, 3, (const double[]){0, 2, 4});
  release_arrays((gpuarr_array*[]){x, y}, 2);
  gpuarr_elementwise_release(kernel);
}

static void names_of_complex_parts_may_be_the_users(void** state) {
  (void)state;
  const double z[] = {3, 4, 0, 1};
  const int64_t two = 2;
  gpuarr_array *c = from(GPUARR_C128, 1, &two, z), *x = ramp(GPUARR_F64, 2);
  const struct {
    const char *preamble, *body;
    double values[2];
  } cases[] = {
      {"typedef double real;", "real t = z.real(); y = real(t) + norm(z)", {28, 1}},
      {"struct imag { double v; }; static const int conj = 7;",
       "imag t = {z.im}; y = t.v + conj + abs(z)",
       {16, 9}},
      {"template <class T> __device__ T real(T v) { return v + 1; }\n"
       "__device__ double norm(double v) { return v + 10; }",
       "y = real(x) + norm(x) + imag(z)",
       {15, 14}},
      {"struct polar {}; struct arg {}; __device__ const double proj = 2;",
       "y = pow(z, 2.0).real() * 0 + proj + real(x)",
       {2, 3}},
      {"",
       "y = real(z) + imag(conj(z)) + real(x) + imag(x) + thrust::norm(z) * 0 + conj(x)",
       {-1, 1}},
  };
  const gpuarr_arg inputs[] = {gpuarr_arg_array(c), gpuarr_arg_array(x)};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
    gpuarr_elementwise* kernel =
        with_options(cases[k].preamble, NULL, "complex128 z, float64 x", cases[k].body);
    gpuarr_array* y = run_elementwise(kernel, inputs, 2);
    assert_values(y, 2, cases[k].values);
    gpuarr_array_release(y);
    gpuarr_elementwise_release(kernel);
  }
  release_arrays((gpuarr_array*[]){c, x}, 2);
}

static void older_standards_are_taken_as_the_newer(void** state) {
  (void)state;
  gpuarr_array* x = ramp(GPUARR_F64, 2);
  const gpuarr_arg input = gpuarr_arg_array(x);
  const char* const standards[] = {"-std=c++11", "--std=c++14"};
  for (int k = 0; k < 2; ++k) {
    gpuarr_elementwise* kernel = with_options(NULL, standards[k], "T x", "y = sin(x) * 0 + x");
    gpuarr_array* y = run_elementwise(kernel, &input, 1);
    assert_values(y, 2, (const double[]){0, 1});
    gpuarr_array_release(y);
    gpuarr_elementwise_release(kernel);
  }
  gpuarr_array_release(x);
}

/* On a GPU the context would be lost. */
static void assertions_fail_the_call(void** state) {
  (void)state;
  if (!test_device_is_host()) skip();
  gpuarr_array *x = ramp(GPUARR_F64, 100000), *y = NULL;
  const gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_elementwise* kernel =
      with_options("#include <cassert>\n", NULL, "T x", "y = x;\nassert(x < 77777)");
  gpuarr_elementwise* trap = with_options(NULL, NULL, "T x", "y = x; if (x == 5) __trap()");
  gpuarr_elementwise* off = with_options(NULL, "-DNDEBUG", "T x", "y = x; assert(x < 0)");
  gpuarr_status status = gpuarr_elementwise_call(kernel, &y, 1, &input, 1, GPUARR_NO_SIZE, NULL);
  if (status == GPUARR_OK) status = gpuarr_device_synchronize(open_test_device());
  assert_status(status, GPUARR_ERR_ASSERT);
  assert_message_has("assertion \"x < 77777\" failed at body:2");
  gpuarr_array_release(y);
  y = NULL;
  status = gpuarr_elementwise_call(trap, &y, 1, &input, 1, GPUARR_NO_SIZE, NULL);
  if (status == GPUARR_OK) status = gpuarr_device_synchronize(open_test_device());
  assert_status(status, GPUARR_ERR_ASSERT);
  assert_message_has("called __trap()");
  gpuarr_array* z = run_elementwise(off, &input, 1);
  release_arrays((gpuarr_array*[]){x, y, z}, 3);
  gpuarr_elementwise_release(kernel);
  gpuarr_elementwise_release(trap);
  gpuarr_elementwise_release(off);
}

static void half_and_complex_compute(void** state) {
  (void)state;
  const gpuarr_dtype halves[] = {GPUARR_F16, GPUARR_BF16};
  const float x[] = {0.5f, 1, -2, 3};
  for (int k = 0; k < 2; ++k) {
    gpuarr_array *ax = floats(4, x), *ah = NULL, *back = NULL;
    assert_ok(gpuarr_array_astype(&ah, ax, halves[k], NULL));
    gpuarr_elementwise* kernel =
        make_elementwise("T x", "T y", "y = x < 0 ? 0 : x * x + exp(x) - exp(x)");
    gpuarr_arg input = gpuarr_arg_array(ah);
    gpuarr_array* out = run_elementwise(kernel, &input, 1);
    assert_int_equal(gpuarr_array_dtype(out), halves[k]);
    assert_ok(gpuarr_array_astype(&back, out, GPUARR_F32, NULL));
    float values[4];
    assert_ok(gpuarr_array_read(values, sizeof values, NULL, back, NULL));
    const float expected[] = {0.25f, 1, 0, 9};
    for (int j = 0; j < 4; ++j) assert_close(values[j], expected[j], 0.02);
    gpuarr_array_release(ax);
    gpuarr_array_release(ah);
    gpuarr_array_release(out);
    gpuarr_array_release(back);
    gpuarr_elementwise_release(kernel);
  }
  const double z[] = {3, 4, 0, 1};
  const int64_t two = 2;
  gpuarr_array* az = from(GPUARR_C128, 1, &two, z);
  gpuarr_elementwise* kernel =
      make_elementwise("T z", "T w, float64 r", "w = sqrt(z * z); r = abs(z)");
  gpuarr_arg input = gpuarr_arg_array(az);
  gpuarr_array* outputs[2] = {NULL, NULL};
  assert_ok(gpuarr_elementwise_call(kernel, outputs, 2, &input, 1, GPUARR_NO_SIZE, NULL));
  double w[4], r[2];
  assert_ok(gpuarr_array_read(w, sizeof w, NULL, outputs[0], NULL));
  assert_ok(gpuarr_array_read(r, sizeof r, NULL, outputs[1], NULL));
  for (int k = 0; k < 4; ++k) assert_close(w[k], z[k], 1e-14);
  assert_close(r[0], 5, 1e-15);
  gpuarr_array_release(az);
  gpuarr_array_release(outputs[0]);
  gpuarr_array_release(outputs[1]);
  gpuarr_elementwise_release(kernel);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(raw_arguments_index_logically),
      cmocka_unit_test(no_output_works_by_side_effect),
      cmocka_unit_test(continue_ends_an_element),
      cmocka_unit_test(arrays_of_an_element_are_its_own),
      cmocka_unit_test(integers_divided_by_zero_harm_nobody),
      cmocka_unit_test(indices_are_logical_in_any_order),
      cmocka_unit_test(options_shape_the_kernel),
      cmocka_unit_test(statements_around_the_loop_see_its_shape),
      cmocka_unit_test(kernels_of_cupy_work),
      cmocka_unit_test(names_of_complex_parts_may_be_the_users),
      cmocka_unit_test(older_standards_are_taken_as_the_newer),
      cmocka_unit_test(assertions_fail_the_call),
      cmocka_unit_test(half_and_complex_compute),
  };
  return run_suite(tests);
}
