/* Tests of gpuarr/kernel.h: options of kernels, prepared calls. */
#include <string.h>

#include "support.h"

static gpuarr_device* device;

static gpuarr_kernel_options* options_made(void) {
  gpuarr_kernel_options* options = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  return options;
}

static void names_are_identifiers(void** state) {
  (void)state;
  gpuarr_kernel_options* options = options_made();
  const char* wrong[] = {"", "9lives", "two words", "a-b", "class", "x;y"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    assert_status(gpuarr_kernel_options_set_name(options, wrong[k]), GPUARR_ERR_ARGUMENT);
    assert_message_has("gpuarr_kernel_options_set_name: name is \"");
    assert_message_has(wrong[k]);
  }
  assert_ok(gpuarr_kernel_options_set_name(options, "nine_lives9"));
  gpuarr_kernel_options_release(options);
}

static void null_is_refused(void** state) {
  (void)state;
  assert_status(gpuarr_kernel_options_create(NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  typedef gpuarr_status setter(gpuarr_kernel_options*, const char*);
  const struct {
    setter* set;
    const char* text;
  } setters[] = {{gpuarr_kernel_options_set_name, "name is NULL"},
                 {gpuarr_kernel_options_set_preamble, "preamble is NULL"},
                 {gpuarr_kernel_options_set_loop_prep, "statements is NULL"},
                 {gpuarr_kernel_options_set_after_loop, "statements is NULL"},
                 {gpuarr_kernel_options_add, "option is NULL"}};
  gpuarr_kernel_options* options = options_made();
  for (size_t k = 0; k < sizeof setters / sizeof *setters; ++k) {
    assert_status(setters[k].set(NULL, "x"), GPUARR_ERR_ARGUMENT);
    assert_message_has("options is NULL");
    assert_status(setters[k].set(options, NULL), GPUARR_ERR_ARGUMENT);
    assert_message_has(setters[k].text);
  }
  gpuarr_kernel_options_release(options);
  gpuarr_kernel_options_release(NULL);

  assert_status(gpuarr_call_launch(NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_call_launch: call is NULL");
  assert_status(gpuarr_call_set_scalar(NULL, 0, gpuarr_arg_f64(1)), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_call_set_scalar: call is NULL");
  assert_null(gpuarr_call_retain(NULL));
  gpuarr_call_release(NULL);
}

/* y = x + k for a scalar k, prepared; y starts at 0. */
static gpuarr_call* addition(gpuarr_array** out_y, const gpuarr_kernel_options* options, int64_t n,
                             const char* body) {
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array* x = NULL;
  gpuarr_call* call = NULL;
  assert_ok(gpuarr_elementwise_create(&kernel, "T x, T k", "T y", body, options));
  assert_ok(gpuarr_array_ones(&x, device, GPUARR_F32, 1, &n, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_array_zeros(out_y, device, GPUARR_F32, 1, &n, GPUARR_ORDER_C, NULL));
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_f32(2)};
  assert_ok(gpuarr_elementwise_prepare(&call, kernel, out_y, 1, inputs, 2, GPUARR_NO_SIZE));
  gpuarr_array_release(x);
  gpuarr_elementwise_release(kernel);
  return call;
}

static void assert_both_are(float expected, const gpuarr_array* y) {
  float actual[2] = {-1, -1};
  assert_ok(gpuarr_array_read(actual, sizeof actual, NULL, y, NULL));
  assert_close(actual[0], expected, 0);
  assert_close(actual[1], expected, 0);
}

static void options_do_not_reach_kernels_made_before(void** state) {
  (void)state;
  gpuarr_kernel_options* options = options_made();
  gpuarr_array* y = NULL;
  assert_ok(gpuarr_kernel_options_add(options, "-DSTEP=1"));
  assert_ok(gpuarr_kernel_options_set_preamble(options, "__device__ int step() { return STEP; }"));
  gpuarr_elementwise* kernel = NULL;
  assert_ok(gpuarr_elementwise_create(&kernel, "", "float32 y", "y = step()", options));
  assert_ok(gpuarr_kernel_options_set_preamble(options, "__device__ int step() { return 7; }"));
  gpuarr_kernel_options_release(options);
  assert_ok(gpuarr_array_zeros(&y, device, GPUARR_F32, 1, (int64_t[]){2}, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_elementwise_call(kernel, &y, 1, NULL, 0, GPUARR_NO_SIZE, NULL));
  assert_both_are(1, y);
  gpuarr_array_release(y);
  gpuarr_elementwise_release(kernel);
}

static void scalars_of_a_call_are_replaced(void** state) {
  (void)state;
  gpuarr_array* y = NULL;
  gpuarr_call* call = addition(&y, NULL, 2, "y = x + k");
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_both_are(3, y);
  assert_ok(gpuarr_call_set_scalar(call, 1, gpuarr_arg_i64(40)));
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_both_are(41, y);

  const int32_t wrong[] = {-1, 0, 2};
  for (int k = 0; k < 3; ++k) {
    assert_status(gpuarr_call_set_scalar(call, wrong[k], gpuarr_arg_f32(1)), GPUARR_ERR_ARGUMENT);
    assert_message_has("input is");
  }
  assert_status(gpuarr_call_set_scalar(call, 1, gpuarr_arg_c64(1, 1)), GPUARR_ERR_DTYPE);
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_both_are(41, y);
  gpuarr_call_release(call);
  gpuarr_array_release(y);
}

/* A complex number of which only the imaginary part is refused: the real part stays as well. */
static void a_scalar_is_replaced_whole_or_not(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array* y = NULL;
  gpuarr_call* call = NULL;
  gpuarr_arg input = gpuarr_arg_c64(3, 4);
  assert_ok(gpuarr_elementwise_create(&kernel, "complex64 a", "float32 y", "y = a.real()", NULL));
  assert_ok(gpuarr_array_zeros(&y, device, GPUARR_F32, 1, (int64_t[]){2}, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_elementwise_prepare(&call, kernel, &y, 1, &input, 1, GPUARR_NO_SIZE));
  assert_status(gpuarr_call_set_scalar(call, 0, gpuarr_arg_c128(1, 1e300)), GPUARR_ERR_DTYPE);
  assert_message_has("value is 1+1e+300i, which complex64 cannot hold: it is out of range");
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_both_are(3, y);
  assert_status(gpuarr_call_set_scalar(call, 0, gpuarr_arg_array(y)), GPUARR_ERR_ARGUMENT);
  assert_message_has("value is an array; give a scalar");
  gpuarr_call_release(call);
  gpuarr_array_release(y);
  gpuarr_elementwise_release(kernel);
}

static void an_option_is_not_empty(void** state) {
  (void)state;
  gpuarr_kernel_options* options = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_status(gpuarr_kernel_options_add(options, ""), GPUARR_ERR_ARGUMENT);
  assert_message_has("option is \"\"; give one, such as -DN=4");
  gpuarr_kernel_options_release(options);
}

/* -D and -U act in the order in which they are given, whether in one piece or two. */
static void definitions_in_every_form(void** state) {
  (void)state;
  const char* const given[] = {"-DA",   "-D",  "B=3",   "-DC(v)=((v)*2)",
                               "-DE=5", "-UE", "-DF=1", "-DF=4"};
  gpuarr_kernel_options* options = NULL;
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array* y = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  for (size_t k = 0; k < sizeof given / sizeof *given; ++k)
    assert_ok(gpuarr_kernel_options_add(options, given[k]));
  assert_ok(gpuarr_elementwise_create(
      &kernel, "", "float32 y", "#ifdef E\n#error E\n#endif\ny = A + B + C(10) + F", options));
  assert_ok(gpuarr_array_zeros(&y, device, GPUARR_F32, 1, (int64_t[]){2}, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_elementwise_call(kernel, &y, 1, NULL, 0, GPUARR_NO_SIZE, NULL));
  assert_both_are(28, y);
  gpuarr_array_release(y);
  gpuarr_elementwise_release(kernel);
  gpuarr_kernel_options_release(options);
}

static void calls_run_in_the_stream_that_is_given(void** state) {
  (void)state;
  gpuarr_array* y = NULL;
  gpuarr_stream* stream = NULL;
  gpuarr_call* call = addition(&y, NULL, 2, "y += x * k");
  assert_ok(gpuarr_device_synchronize(device));
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  for (int k = 0; k < 10; ++k) assert_ok(gpuarr_call_launch(call, stream));
  assert_ok(gpuarr_stream_synchronize(stream));
  assert_both_are(20, y);
  gpuarr_stream_release(stream);
  gpuarr_call_release(call);
  gpuarr_array_release(y);
}

static void a_call_over_nothing_succeeds(void** state) {
  (void)state;
  gpuarr_array* y = NULL;
  gpuarr_call* call = addition(&y, NULL, 0, "y = x + k");
  assert_ptr_equal(gpuarr_call_retain(call), call);
  gpuarr_call_release(call);
  assert_ok(gpuarr_call_launch(call, NULL));
  gpuarr_call_release(call);
  gpuarr_array_release(y);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_are_identifiers),
      cmocka_unit_test(null_is_refused),
      cmocka_unit_test(options_do_not_reach_kernels_made_before),
      cmocka_unit_test(scalars_of_a_call_are_replaced),
      cmocka_unit_test(a_scalar_is_replaced_whole_or_not),
      cmocka_unit_test(an_option_is_not_empty),
      cmocka_unit_test(definitions_in_every_form),
      cmocka_unit_test(calls_run_in_the_stream_that_is_given),
      cmocka_unit_test(a_call_over_nothing_succeeds),
  };
  return run_suite(tests);
}
