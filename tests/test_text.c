/* Text that says by #line where it is from: messages of all kernels name that file and line. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "checks.h"
#include "gpuarr/text.h"
#include "kernels.h"
#include "raws.h"

static gpuarr_device* device;

/* "test_text.c, line N" of the N that a text says of itself. */
static const char* line_of(const char* text) {
  static char out[64];
  snprintf(out, sizeof out, "\ntest_text.c, line %d", atoi(text + strlen("#line ")));
  return out;
}

static void text_is_what_was_written(void** state) {
  (void)state;
  const char* text = GPUARR_TEXT(z = f<int, 2>("a, \"b\"\n", 'c') /* none */ + N_;);
  assert_non_null(strstr(text, "test_text.c\"\nz = f<int, 2>(\"a, \\\"b\\\"\\n\", 'c') + N_;"));
  assert_int_equal(strncmp(text, "#line ", 6), 0);
}

static void text_computes(void** state) {
  (void)state;
  gpuarr_array* x = ramp(GPUARR_F32, 5);
  gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_elementwise* kernel = make_elementwise(
      "T x", "T y", GPUARR_TEXT(T d = x - 2; if (d < 0) { d = -d; } y = max(d, T(1));));
  gpuarr_array* y = run_elementwise(kernel, &input, 1);
  assert_values(y, 5, (const double[]){2, 1, 1, 1, 2});
  const struct reduction_texts texts = {
    .in = "T x",
    .out = "T y",
    .map = GPUARR_TEXT(x * x),
    .reduce = GPUARR_TEXT(a + b),
    .post = GPUARR_TEXT(y = sqrt(a);),
    .identity = GPUARR_TEXT(T(6))
  };
  gpuarr_reduction* reduction = make_reduction(&texts);
  gpuarr_array* norm = reduce_all(reduction, &input, 1);
  assert_values(norm, 1, (const double[]){6});
  gpuarr_raw* raw = make_raw(GPUARR_TEXT(extern "C" __global__ void twice(float* x) {
                               __shared__ float s[8];
                               s[threadIdx.x] = x[threadIdx.x];
                               __syncthreads();
                               x[threadIdx.x] = 2 * s[threadIdx.x];
                             }),
                             "twice");
  launch(raw, 1, 5, &input, 1);
  assert_values(x, 5, (const double[]){0, 2, 4, 6, 8});
  gpuarr_raw_release(raw);
  gpuarr_reduction_release(reduction);
  gpuarr_elementwise_release(kernel);
  release_arrays((gpuarr_array*[]){x, y, norm}, 3);
}

/* Each of an elementwise kernel's texts. */
static void elementwise_errors_name_the_line(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 3), *out = NULL;
  gpuarr_arg input = gpuarr_arg_array(x);
  const char* const wrong[4] = {
    GPUARR_TEXT(y = x + q1;),
    GPUARR_TEXT(static float f(float v) { return v * q2; }),
    GPUARR_TEXT(int k = q3;),
    GPUARR_TEXT((void)q4;)
  };
  for (int k = 0; k < 4; ++k) {
    gpuarr_kernel_options* options = NULL;
    gpuarr_elementwise* kernel = NULL;
    char name[16];
    assert_ok(gpuarr_kernel_options_create(&options));
    if (k == 1) assert_ok(gpuarr_kernel_options_set_preamble(options, wrong[k]));
    if (k == 2) assert_ok(gpuarr_kernel_options_set_loop_prep(options, wrong[k]));
    if (k == 3) assert_ok(gpuarr_kernel_options_set_after_loop(options, wrong[k]));
    assert_ok(
        gpuarr_elementwise_create(&kernel, "T x", "T y", k == 0 ? wrong[0] : "y = x;", options));
    assert_status(gpuarr_elementwise_call(kernel, &out, 1, &input, 1, GPUARR_NO_SIZE, NULL),
                  GPUARR_ERR_COMPILE);
    snprintf(name, sizeof name, "q%d", k + 1);
    assert_message_has(name);
    assert_message_has(line_of(wrong[k]));
    gpuarr_elementwise_release(kernel);
    gpuarr_kernel_options_release(options);
  }
  gpuarr_array_release(x);
}

static void reduction_errors_name_the_line(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 3), *out = NULL;
  gpuarr_arg input = gpuarr_arg_array(x);
  struct reduction_texts good = {
      .in = "T x", .out = "T y", .map = "x", .reduce = "a + b", .post = "y = a"};
  const char* const wrong[5] = {GPUARR_TEXT(x + q1), GPUARR_TEXT(a + b + q2),
                                GPUARR_TEXT(y = a + q3), GPUARR_TEXT(q4),
                                GPUARR_TEXT(__device__ int g() { return q5; })};
  for (int k = 0; k < 5; ++k) {
    struct reduction_texts texts = good;
    *(k == 0   ? &texts.map
      : k == 1 ? &texts.reduce
      : k == 2 ? &texts.post
      : k == 3 ? &texts.identity
               : &texts.preamble) = wrong[k];
    gpuarr_reduction* kernel = make_reduction(&texts);
    assert_status(gpuarr_reduction_call(kernel, &out, 1, &input, 1, NULL, 0, 0, NULL),
                  GPUARR_ERR_COMPILE);
    assert_message_has(line_of(wrong[k]));
    gpuarr_reduction_release(kernel);
  }
  gpuarr_array_release(x);
}

static void lines_of_several_files(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 3), *out = NULL;
  gpuarr_arg input = gpuarr_arg_array(x);
  const struct {
    const char *body, *says;
  } wrong[] = {
      {"#line 36 \"heat.f90\"\nfloat a = x;\n#line 37\ny = a + q;\n",
       "\nheat.f90, line 37, column 9: "},
      {"float a = x;\n#line 36 \"heat.f90\"\na = 1;\n#line 7 \"flux.f90\"\n\ny = a + q;",
       "\nflux.f90, line 8, column 9: "},
      {"float a = q;\n#line 36 \"heat.f90\"\ny = a;", "\nbody, line 1, column 11: "},
      {"y = x;\n#line 36 \"heat.f90\"\nif (x > 0) {",
       "\nheat.f90, line 36, column 12: this { is not"},
      {"#line 36 \"heat.f90\"\n#error \"not this\"\n", "\nheat.f90, line 36"},
      {"#line 5 \"a.f90\"\nfloat b = 1;\n#line 3 \"a.f90\"\ny = x + b + q;",
       "\na.f90, line 3, column 13: "},
  };
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    gpuarr_elementwise* kernel = make_elementwise("T x", "T y", wrong[k].body);
    assert_status(gpuarr_elementwise_call(kernel, &out, 1, &input, 1, GPUARR_NO_SIZE, NULL),
                  GPUARR_ERR_COMPILE);
    assert_message_has(wrong[k].says);
    gpuarr_elementwise_release(kernel);
  }
  gpuarr_array_release(x);
}

static void raw_errors_name_file_and_line(void** state) {
  (void)state;
  gpuarr_module* module = make_module(
      "\n#line 40 \"heat.cu\"\n"
      "extern \"C\" __global__ void heat(float* u) {\n"
      "  u[0] = q;\n"
      "}\n");
  assert_status(gpuarr_module_build(module, device), GPUARR_ERR_COMPILE);
  assert_message_has("\"heat.cu\" does not compile on ");
  assert_message_has("\nheat.cu, line 41, column 10: ");
  assert_message_has("\n   41 |   u[0] = q;\n      |          ^");
  gpuarr_module_release(module);
}

static void failed_assertions_name_the_line(void** state) {
  (void)state;
  if (!test_device_is_host()) skip(); /* it would be lost */
  gpuarr_array* x = ramp(GPUARR_F32, 3);
  gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_raw* kernel = make_raw(
      "#line 40 \"heat.cu\"\n"
      "extern \"C\" __global__ void heat(float* u) {\n"
      "  assert(u[threadIdx.x] < 2);\n"
      "}\n",
      "heat");
  assert_status(try_launch(kernel, 1, 3, &input, 1), GPUARR_ERR_ASSERT);
  assert_message_has("at heat.cu:41");
  gpuarr_raw_release(kernel);
  gpuarr_array_release(x);
}

/* What kernels in other languages say of themselves, in the place of a compiler: on both devices,
 * and the device goes on. */
static void own_checks_are_told(void** state) {
  (void)state;
  gpuarr_array* x = ramp(GPUARR_F32, 8);
  gpuarr_raw* kernel = checked_raw(
      "#line 12 \"heat.f90\"\n"
      "__device__ float& at(float* u, long long k, gpuarr_check::Place place =\n"
      "    gpuarr_check::here()) {\n"
      "  if (k < 1 || k > 8) gpuarr_check::bad_index(\"u\", 2, k, 1, 8, place);\n"
      "  return u[k - 1];\n"
      "}\n"
      "// gpuarr_fortran\n"
      "extern \"C\" __global__ void heat(float* u, long long k, int how) {\n"
      "  using namespace gpuarr_fortran;\n"
      "#line 30 \"main.f90\"\n"
      "  if (how == 1 && threadIdx.x == 3) gpuarr_check::fail(\"overflow\", "
      "gpuarr_check::here());\n"
      "  if (how == 2) gpuarr_check::bad_index(\"v\", 0, -7, 1, 0, gpuarr_check::here());\n"
      "  if (threadIdx.x == 5) at(u, k) = 3;\n"
      "}\n",
      "heat", GPUARR_CHECK_MEMORY);
  const struct {
    int64_t k;
    int how;
    gpuarr_status status;
    const char* says;
  } runs[] = {
      {8, 0, GPUARR_OK, ""},
      {9, 0, GPUARR_ERR_FAULT, "index 9 of axis 2 of u is outside of 1..8 at main.f90:32"},
      {INT64_MIN, 0, GPUARR_ERR_FAULT,
       "thread (5,0,0): index -9223372036854775808 of axis 2 of u is outside of 1..8 at "
       "main.f90:32"},
      {2, 1, GPUARR_ERR_ASSERT,
       "kernel \"heat\", block (0,0,0), thread (3,0,0): overflow at main.f90:30"},
      {2, 2, GPUARR_ERR_FAULT, "index -7 of v, which is empty at main.f90:31"},
      {2, 0, GPUARR_OK, ""},
  };
  for (size_t k = 0; k < sizeof runs / sizeof *runs; ++k) {
    const gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_i64(runs[k].k),
                               gpuarr_arg_i32(runs[k].how)};
    assert_status(try_launch(kernel, 1, 8, args, 3), runs[k].status);
    if (runs[k].status != GPUARR_OK) assert_message_has(runs[k].says);
  }
  assert_values(x, 8, (const double[]){0, 3, 2, 3, 4, 5, 6, 3});
  gpuarr_raw_release(kernel);
  gpuarr_array_release(x);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_what_was_written),
      cmocka_unit_test(text_computes),
      cmocka_unit_test(elementwise_errors_name_the_line),
      cmocka_unit_test(reduction_errors_name_the_line),
      cmocka_unit_test(lines_of_several_files),
      cmocka_unit_test(raw_errors_name_file_and_line),
      cmocka_unit_test(failed_assertions_name_the_line),
      cmocka_unit_test(own_checks_are_told),
  };
  return run_suite(tests);
}
