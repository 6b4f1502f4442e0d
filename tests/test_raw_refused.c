/* Raw kernels and launches that must fail, with what they say. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "raws.h"

static gpuarr_device* device;

static void text_that_does_not_compile(void** state) {
  (void)state;
  gpuarr_module* module = make_module(
      "__global__ void good(int* x) { *x = 1; }\n"
      "\n"
      "__global__ void bad(int* x) {\n"
      "  *x = undeclared1 + 1;\n"
      "}\n"
      "__global__ void worse(int* x) { x->member = undeclared2; }\n");
  assert_status(gpuarr_module_build(module, device), GPUARR_ERR_COMPILE);
  assert_message_has("gpuarr_module_build: \"source\" does not compile on ");
  assert_message_has("\nsource, line 4, column 8: ");
  assert_message_has("    4 |   *x = undeclared1 + 1;\n      |        ^");
  assert_message_has("undeclared2");
  /* Each complaint once. */
  const char* first = strstr(gpuarr_last_error(), "undeclared2'");
  if (first == NULL) first = strstr(gpuarr_last_error(), "undeclared2\"");
  assert_non_null(first);
  assert_null(strstr(gpuarr_last_error(), "The compiler said:"));
  gpuarr_raw* good = kernel_of(module, "good");
  gpuarr_array* x = line(GPUARR_I32, 1);
  gpuarr_arg arg = gpuarr_arg_array(x);
  assert_status(try_launch(good, 1, 1, &arg, 1), GPUARR_ERR_COMPILE);
  gpuarr_raw_release(good);
  gpuarr_module_release(module);
  gpuarr_array_release(x);
}

/* What is wrong inside the library's own templates is told of the user's line, and nothing else. */
static void a_template_of_the_librarys(void** state) {
  (void)state;
  gpuarr_module* module = make_module(
      "struct big { double x[5]; };\n"
      "__global__ void k(big* x) {\n"
      "  x[0] = __ldg(&x[1]);\n"
      "  atomicAdd(x, x[2]);\n"
      "}\n");
  assert_status(gpuarr_module_build(module, device), GPUARR_ERR_COMPILE);
  assert_message_has("\nsource, line 4");
  assert_null(strstr(gpuarr_last_error(), ".cuh"));
  gpuarr_module_release(module);
  if (!test_device_is_host()) return;
  module = make_module("\n__global__ void refers(float& x) { x = 1; }\n");
  assert_status(gpuarr_module_build(module, device), GPUARR_ERR_COMPILE);
  assert_message_has("\nsource, line 2");
  assert_message_has("a kernel's parameters are values, not references");
  assert_null(strstr(gpuarr_last_error(), ".cuh"));
  gpuarr_module_release(module);
}

/* A hundred complaints come out whole. */
static void a_long_log_is_not_cut(void** state) {
  (void)state;
  char* text = malloc(10000);
  assert_non_null(text);
  char* at = text;
  for (int k = 0; k < 60; ++k)
    at += sprintf(at, "__global__ void k%d(int* x) { *x = missing_name_%d; }\n", k, k);
  gpuarr_module* module = make_module(text);
  assert_status(gpuarr_module_build(module, device), GPUARR_ERR_COMPILE);
  assert_message_has("missing_name_0");
  assert_message_has("missing_name_59");
  gpuarr_module_release(module);
  free(text);
}

/* Readers and compilers that call themselves for each of them would end the stack. */
static void text_that_is_too_deep_or_too_long(void** state) {
  (void)state;
  enum { deep = 100000, longest = 16 << 20 };
  const char* begin = "__global__ void k(int* x) { __syncthreads(); x[1] = ";
  char* text = malloc(longest + 2);
  assert_non_null(text);
  char* at = stpcpy(text, begin);
  memset(at, '(', deep);
  at[deep] = '1';
  memset(at + deep + 1, ')', deep);
  strcpy(at + 2 * deep + 1, "; }");
  gpuarr_module* module = NULL;
  assert_status(gpuarr_module_create(&module, text, NULL), GPUARR_ERR_SYNTAX);
  assert_message_has("source, line 1: 257 brackets are open here; at most 256 may be");
  memset(at, '-', deep);
  assert_status(gpuarr_module_create(&module, text, NULL), GPUARR_ERR_SYNTAX);
  assert_message_has("has 4097 operators here; at most 4096 may be");
  gpuarr_kernel_options* options = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_status(gpuarr_kernel_options_set_preamble(options, text), GPUARR_ERR_SYNTAX);
  assert_status(gpuarr_kernel_options_add(options, text), GPUARR_ERR_SYNTAX);
  gpuarr_kernel_options_release(options);
  memset(text, ' ', longest + 1);
  text[longest + 1] = '\0';
  assert_status(gpuarr_module_create(&module, text, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("source has 16777217 bytes of text; at most 16777216 are read");
  assert_null(module);
  free(text);
}

/* Each way in for text, compiled code and options. */
static void closed_text_reaches_no_files(void** state) {
  (void)state;
  const char* reaching = "#include \"/etc/hostname\"\n";
  gpuarr_module* module = NULL;
  gpuarr_raw* raw = NULL;
  gpuarr_elementwise* elementwise = NULL;
  gpuarr_reduction* reduction = NULL;
  gpuarr_kernel_options* options = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  setenv("GPUARR_TEXT", "closed", 1);
  gpuarr_module* plain = make_module("__global__ void k(int* x) { *x = 1; }");
  assert_ok(gpuarr_module_build(plain, device));
  const gpuarr_status refused[] = {
      gpuarr_module_create(&module, reaching, NULL),
      gpuarr_module_open(&module, "/etc/hostname", NULL),
      gpuarr_module_load(&module, ".version 8.0", 12),
      gpuarr_raw_create(&raw, reaching, "k", NULL, NULL),
      gpuarr_elementwise_create(&elementwise, "", "T z", reaching, NULL),
      gpuarr_reduction_create(&reduction, "T x", "T y", "x", reaching, "y = a", "0", NULL),
      gpuarr_reduction_create(&reduction, "T x", "T y", "x", "a + b", "y = a", reaching, NULL),
      gpuarr_kernel_options_set_preamble(options, reaching),
      gpuarr_kernel_options_set_loop_prep(options, reaching),
      gpuarr_kernel_options_add_kernel(options, reaching),
      gpuarr_kernel_options_add(options, "-include/etc/hostname"),
  };
  unsetenv("GPUARR_TEXT");
  for (size_t k = 0; k < sizeof refused / sizeof *refused; ++k)
    assert_status(refused[k], GPUARR_ERR_UNSUPPORTED);
  assert_message_has("option -include/etc/hostname is not allowed while $GPUARR_TEXT is closed");
  gpuarr_module_release(plain);
  gpuarr_kernel_options_release(options);
}

/* A text's control characters are shown as what they are. */
static void terminals_are_not_steered(void** state) {
  (void)state;
  gpuarr_module* module = make_module("__global__ void k(int* x) { *x = \033[31m\x9b; }");
  assert_status(gpuarr_module_build(module, device), GPUARR_ERR_COMPILE);
  assert_message_has("*x = \\x1b[31m\\x9b; }");
  assert_null(strchr(gpuarr_last_error(), '\033'));
  gpuarr_module_release(module);
}

static void a_byte_order_mark_is_skipped(void** state) {
  (void)state;
  gpuarr_module* module = make_module("\xef\xbb\xbf__global__ void k(int* x) { *x = 1; }");
  assert_ok(gpuarr_module_build(module, device));
  gpuarr_module_release(module);
  module = make_module("\xef\xbb\xbf__global__ void k(int* x) { *x = wrong; }");
  assert_status(gpuarr_module_build(module, device), GPUARR_ERR_COMPILE);
  assert_message_has("source, line 1, column 34");
  gpuarr_module_release(module);
}

static void names_that_are_not_there(void** state) {
  (void)state;
  gpuarr_raw* kernel = NULL;
  assert_status(gpuarr_raw_create(&kernel, "__global__ void one() {} __global__ void two() {}",
                                  "three", NULL, NULL),
                GPUARR_ERR_NOT_FOUND);
  assert_null(kernel);
  assert_message_has(
      "gpuarr_raw_create: there is no kernel \"three\" in the text; its kernels are "
      "\"one\", \"two\"");
  /* A macro may make a kernel, so that only the compiler knows. */
  kernel = make_raw("#define MAKE(name) __global__ void name() {}\nMAKE(one)\n", "three");
  assert_status(try_launch(kernel, 1, 1, NULL, 0), GPUARR_ERR_NOT_FOUND);
  assert_message_has("\"three\"");
  assert_message_has("one");
  gpuarr_raw_release(kernel);
  if (test_device_is_host()) {
    kernel = make_raw("__global__ void k(int* x) {} __global__ void k(float* x) {}", "k");
    assert_status(try_launch(kernel, 1, 1, NULL, 0), GPUARR_ERR_NOT_FOUND);
    assert_message_has("the CPU device has no overloaded kernels");
    gpuarr_raw_release(kernel);
  }
  /* A function that is no kernel. */
  kernel =
      make_raw("__device__ int f() { return 1; } __global__ void k(int* x) { *x = f(); }", "f");
  assert_status(try_launch(kernel, 1, 1, NULL, 0), GPUARR_ERR_NOT_FOUND);
  gpuarr_raw_release(kernel);
  assert_status(gpuarr_raw_create(&kernel, "", "k", NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_raw_create(&kernel, "__global__ void k() {}", "", NULL, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_raw_create(&kernel, NULL, "k", NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_raw_create(&kernel, "__global__ void k() {}", NULL, NULL, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_raw_create(NULL, "__global__ void k() {}", "k", NULL, NULL),
                GPUARR_ERR_ARGUMENT);
}

static void templates_that_do_not_instantiate(void** state) {
  (void)state;
  const char* text =
      "template <class T> __global__ void scale(T* x) { static_assert(sizeof(T) == 4, \"four\");\n"
      "  x[0] *= 2; }\n";
  gpuarr_raw* kernel = make_raw(text, "scale<double>");
  assert_status(try_launch(kernel, 1, 1, NULL, 0), GPUARR_ERR_COMPILE);
  assert_message_has("four");
  gpuarr_raw_release(kernel);
  kernel = make_raw(text, "scale<no_such_type>");
  assert_status(try_launch(kernel, 1, 1, NULL, 0), GPUARR_ERR_COMPILE);
  assert_message_has("scale<no_such_type>");
  gpuarr_raw_release(kernel);
}

static void late_instances_of_a_module_with_variables(void** state) {
  (void)state;
  gpuarr_module* module = make_module(
      "__device__ int calls;\n"
      "template <int N> __global__ void add() { calls += N; }\n"
      "__global__ void reset() { calls = 0; }\n");
  gpuarr_raw* reset = kernel_of(module, "reset");
  launch(reset, 1, 1, NULL, 0);
  gpuarr_raw* late = kernel_of(module, "add<3>");
  assert_status(try_launch(late, 1, 1, NULL, 0), GPUARR_ERR_NOT_FOUND);
  assert_message_has("gpuarr_kernel_options_add_kernel");
  gpuarr_raw_release(late);
  gpuarr_raw_release(reset);
  gpuarr_module_release(module);
}

/* Which the text does not show. */
static void late_instances_where_others_bring_variables(void** state) {
  (void)state;
  static const char* const text =
      "template <int N> __global__ void add() { calls += N; }\n"
      "__global__ void reset() { calls = 0; }\n";
  char* header = write_text("calls.h", "__device__ int calls;\n");
  char including[1024];
  snprintf(including, sizeof including, "#include \"%s\"\n%s", header, text);
  for (int preamble = 0; preamble < 2; ++preamble) {
    gpuarr_kernel_options* options = NULL;
    gpuarr_module* module = NULL;
    assert_ok(gpuarr_kernel_options_create(&options));
    if (preamble) assert_ok(gpuarr_kernel_options_set_preamble(options, "__device__ int calls;"));
    assert_ok(gpuarr_module_create(&module, preamble ? text : including, options));
    gpuarr_kernel_options_release(options);
    gpuarr_raw* reset = kernel_of(module, "reset");
    launch(reset, 1, 1, NULL, 0);
    gpuarr_raw* late = kernel_of(module, "add<3>");
    assert_status(try_launch(late, 1, 1, NULL, 0), GPUARR_ERR_NOT_FOUND);
    assert_message_has("the module may have variables");
    gpuarr_raw_release(late);
    gpuarr_raw_release(reset);
    gpuarr_module_release(module);
  }
  unlink(header);
  free(header);
}

struct shape {
  int64_t grid[3], block[3], shared;
  const char* says;
};

static void shapes_beyond_the_limits(void** state) {
  (void)state;
  static const struct shape shapes[] = {
      {{-1, 1, 1}, {1, 1, 1}, 0, "grid is (-1, 1, 1); its numbers are 0 or more"},
      {{1, 65536, 1}, {1, 1, 1}, 0, "grid is (1, 65536, 1)"},
      {{1, 1, 65536}, {1, 1, 1}, 0, "at most (2147483647, 65535, 65535)"},
      {{1LL << 31, 1, 1}, {1, 1, 1}, 0, "grid is (2147483648, 1, 1)"},
      {{1, 1, 1}, {0, 1, 1}, 0, "block is (0, 1, 1); its numbers are 1 or more"},
      {{1, 1, 1}, {1025, 1, 1}, 0, "at most (1024, 1024, 64)"},
      {{1, 1, 1}, {1, 1, 65}, 0, "block is (1, 1, 65)"},
      {{1, 1, 1}, {33, 32, 1}, 0, "1056 threads; kernel \"k\" can have 1024 in a block on "},
      {{1, 1, 1}, {1, 1, 1}, -1, "shared_bytes is -1; kernel \"k\" can have 0 to "},
      {{1, 1, 1}, {1, 1, 1}, 1LL << 40, "of dynamic shared memory on "},
      {{0, 1, 1}, {2000, 1, 1}, 0, "block is (2000, 1, 1)"},
  };
  gpuarr_raw* kernel = make_raw("__global__ void k() {}", "k");
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_current(&stream, device));
  for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
    assert_status(gpuarr_raw_launch(kernel, shapes[k].grid, shapes[k].block, shapes[k].shared, NULL,
                                    0, stream),
                  GPUARR_ERR_ARGUMENT);
    assert_message_has(shapes[k].says);
  }
  const int64_t one[3] = {1, 1, 1};
  assert_status(gpuarr_raw_launch(kernel, NULL, one, 0, NULL, 0, stream), GPUARR_ERR_ARGUMENT);
  assert_message_has("grid is NULL");
  assert_status(gpuarr_raw_launch(kernel, one, NULL, 0, NULL, 0, stream), GPUARR_ERR_ARGUMENT);
  assert_message_has("block is NULL");
  assert_status(gpuarr_raw_launch_1d(kernel, -1, NULL, 0, stream), GPUARR_ERR_ARGUMENT);
  assert_message_has("n is -1");
  gpuarr_stream_release(stream);
  gpuarr_raw_release(kernel);
}

static void launch_bounds_are_kept(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw("__global__ void __launch_bounds__(128) k() {}", "k");
  int64_t most = 0;
  assert_ok(gpuarr_raw_attribute(&most, kernel, GPUARR_ATTRIBUTE_MAX_THREADS, device));
  assert_int_equal(most, 128);
  launch(kernel, 1, 128, NULL, 0);
  assert_status(try_launch(kernel, 1, 129, NULL, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("kernel \"k\" can have 128 in a block");
  gpuarr_raw_release(kernel);
}

static void cooperative_grids_that_do_not_fit(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw("__global__ void k() {}", "k");
  assert_ok(gpuarr_raw_set_attribute(kernel, GPUARR_ATTRIBUTE_COOPERATIVE, 1));
  launch(kernel, 2, 32, NULL, 0);
  assert_status(try_launch(kernel, 100000000, 1024, NULL, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("a cooperative launch can have no more");
  gpuarr_raw_release(kernel);
}

static void attributes_that_are_none(void** state) {
  (void)state;
  int64_t value = 7;
  gpuarr_raw* kernel = make_raw("__global__ void k() {}", "k");
  assert_status(gpuarr_raw_attribute(&value, kernel, 0, device), GPUARR_ERR_ARGUMENT);
  assert_int_equal(value, 0);
  assert_status(gpuarr_raw_attribute(&value, kernel, 99, device), GPUARR_ERR_ARGUMENT);
  gpuarr_raw_release(kernel);
}

static void arrays_of_another_device(void** state) {
  (void)state;
  gpuarr_device* other = NULL;
  if (gpuarr_device_open(&other, test_device_is_host() ? "cuda" : "host") != GPUARR_OK) skip();
  gpuarr_raw* kernel = make_raw("__global__ void k(float* x, float* y) {}", "k");
  gpuarr_array *here = line(GPUARR_F32, 1), *there = NULL;
  assert_ok(gpuarr_array_to_device(&there, here, other, NULL));
  gpuarr_arg args[] = {gpuarr_arg_array(here), gpuarr_arg_array(there)};
  assert_status(try_launch(kernel, 1, 1, args, 2), GPUARR_ERR_DEVICE);
  assert_message_has("args[1] is an array on ");
  gpuarr_raw_release(kernel);
  release_arrays((gpuarr_array*[]){here, there}, 2);
}

static void options_that_a_module_cannot_use(void** state) {
  (void)state;
  gpuarr_kernel_options* options = NULL;
  gpuarr_module* module = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_status(gpuarr_kernel_options_set_check(options, 8), GPUARR_ERR_ARGUMENT);
  assert_message_has("checks is 8");
  assert_status(gpuarr_kernel_options_add_kernel(options, " "), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_kernel_options_add_kernel(options, NULL), GPUARR_ERR_ARGUMENT);
  assert_ok(gpuarr_kernel_options_set_loop_prep(options, "int a;"));
  assert_status(gpuarr_module_create(&module, "int a;", options), GPUARR_ERR_ARGUMENT);
  assert_message_has("options has loop_prep, which a module cannot use");
  assert_null(module);
  gpuarr_kernel_options_release(options);
}

static void checks_of_the_environment(void** state) {
  (void)state;
  gpuarr_module* module = NULL;
  assert_int_equal(setenv("GPUARR_CHECK", "memory,rays", 1), 0);
  assert_status(gpuarr_module_create(&module, "__global__ void k() {}", NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("$GPUARR_CHECK is \"memory,rays\"; it is a list of memory, race, sync");
  assert_int_equal(unsetenv("GPUARR_CHECK"), 0);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_that_does_not_compile),
      cmocka_unit_test(a_template_of_the_librarys),
      cmocka_unit_test(a_long_log_is_not_cut),
      cmocka_unit_test(text_that_is_too_deep_or_too_long),
      cmocka_unit_test(closed_text_reaches_no_files),
      cmocka_unit_test(terminals_are_not_steered),
      cmocka_unit_test(a_byte_order_mark_is_skipped),
      cmocka_unit_test(names_that_are_not_there),
      cmocka_unit_test(templates_that_do_not_instantiate),
      cmocka_unit_test(late_instances_of_a_module_with_variables),
      cmocka_unit_test(late_instances_where_others_bring_variables),
      cmocka_unit_test(shapes_beyond_the_limits),
      cmocka_unit_test(launch_bounds_are_kept),
      cmocka_unit_test(cooperative_grids_that_do_not_fit),
      cmocka_unit_test(attributes_that_are_none),
      cmocka_unit_test(arrays_of_another_device),
      cmocka_unit_test(options_that_a_module_cannot_use),
      cmocka_unit_test(checks_of_the_environment),
  };
  return run_suite(tests);
}
