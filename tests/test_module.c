/* Modules: several kernels, variables, compiled code. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "raws.h"

static gpuarr_device* device;

static const char* const layers =
    "__constant__ float weights[4];\n"
    "__device__ int calls = 5;\n"
    "__device__ unsigned long long table[2] = {1, 1ull << 40};\n"
    "namespace inner { __device__ double deep[3]; }\n"
    "__device__ float clamp(float x) { return x < 0 ? 0 : x; }\n"
    "extern \"C\" {\n"
    "__global__ void relu(float* x) { x[threadIdx.x] = clamp(x[threadIdx.x]); }\n"
    "__global__ void weigh(float* x) {\n"
    "  x[threadIdx.x] *= weights[threadIdx.x];\n"
    "  if (threadIdx.x == 0) calls = calls + 1;\n"
    "  if (threadIdx.x < 3) inner::deep[threadIdx.x] = threadIdx.x + 0.5;\n"
    "}\n"
    "}\n";

static gpuarr_array* global_of(gpuarr_module* module, const char* name, gpuarr_dtype dtype) {
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_module_global(&array, module, name, dtype, device));
  return array;
}

static void kernels_and_variables_of_a_module(void** state) {
  (void)state;
  gpuarr_module* module = make_module(layers);
  gpuarr_raw *relu = kernel_of(module, "relu"), *weigh = kernel_of(module, "weigh");
  gpuarr_array *weights = global_of(module, "weights", 0), *calls = global_of(module, "calls", 0),
               *table = global_of(module, "table", 0), *deep = global_of(module, "inner::deep", 0);
  gpuarr_module_release(module); /* kernels and arrays keep it */
  assert_int_equal(gpuarr_array_dtype(weights), GPUARR_F32);
  assert_shape(weights, 1, (int64_t[]){4});
  assert_int_equal(gpuarr_array_dtype(calls), GPUARR_I32);
  assert_int_equal(gpuarr_array_dtype(table), GPUARR_U64);
  assert_int_equal(gpuarr_array_dtype(deep), GPUARR_F64);
  assert_values(calls, 1, (double[]){5});
  assert_values(table, 2, (double[]){1, 1099511627776.0});
  assert_ok(
      gpuarr_array_write(weights, NULL, (float[]){1, 10, 100, 1000}, 4 * sizeof(float), NULL));
  gpuarr_array* x = floats(4, (float[]){-1, 2, -3, 4});
  gpuarr_arg arg = gpuarr_arg_array(x);
  launch(relu, 1, 4, &arg, 1);
  launch(weigh, 1, 4, &arg, 1);
  assert_values(x, 4, (double[]){0, 20, 0, 4000});
  assert_values(calls, 1, (double[]){6});
  assert_values(deep, 3, (double[]){0.5, 1.5, 2.5});
  gpuarr_raw_release(relu);
  gpuarr_raw_release(weigh);
  release_arrays((gpuarr_array*[]){weights, calls, table, deep, x}, 5);
}

static void each_module_has_its_own_variables(void** state) {
  (void)state;
  gpuarr_module *one = make_module(layers), *two = make_module(layers);
  gpuarr_array *first = global_of(one, "calls", 0), *second = global_of(two, "calls", 0),
               *again = global_of(one, "calls", 0);
  assert_ok(gpuarr_array_fill(first, gpuarr_arg_i32(77), NULL));
  assert_values(second, 1, (double[]){5});
  assert_values(again, 1, (double[]){77});
  release_arrays((gpuarr_array*[]){first, second, again}, 3);
  gpuarr_module_release(one);
  gpuarr_module_release(two);
}

static void a_variable_takes_another_dtype(void** state) {
  (void)state;
  gpuarr_module* module = make_module(
      "struct pair { int a; float b; };\n"
      "__device__ pair pairs[3];\n"
      "__global__ void k() { pairs[1].a = 9; }\n");
  gpuarr_array* ints = global_of(module, "pairs", GPUARR_I32);
  assert_shape(ints, 1, (int64_t[]){6});
  gpuarr_raw* k = kernel_of(module, "k");
  launch(k, 1, 1, NULL, 0);
  assert_values(ints, 6, (double[]){0, 0, 9, 0, 0, 0});
  gpuarr_array* none = NULL;
  assert_status(gpuarr_module_global(&none, module, "pairs", 0, device), GPUARR_ERR_DTYPE);
  assert_message_has("the elements of \"pairs\" (24 bytes) are of type pair; give their dtype");
  assert_status(gpuarr_module_global(&none, module, "pairs", GPUARR_C128, device),
                GPUARR_ERR_DTYPE);
  assert_message_has("\"pairs\" has 24 bytes, no multiple of the 16 of a complex128");
  assert_status(gpuarr_module_global(&none, module, "nowhere", 0, device), GPUARR_ERR_NOT_FOUND);
  assert_message_has("\"nowhere\"");
  assert_null(none);
  gpuarr_array_release(ints);
  gpuarr_raw_release(k);
  gpuarr_module_release(module);
}

static void kernels_are_listed(void** state) {
  (void)state;
  gpuarr_module* module = make_module(layers);
  int32_t count = 0;
  assert_ok(gpuarr_module_kernel_count(&count, module, device));
  assert_int_equal(count, 2);
  int seen = 0;
  for (int32_t k = 0; k < count; ++k) {
    const char* name = NULL;
    assert_ok(gpuarr_module_kernel_name(&name, module, k, device));
    seen += strcmp(name, "relu") == 0 ? 1 : strcmp(name, "weigh") == 0 ? 2 : 10;
  }
  assert_int_equal(seen, 3);
  const char* none = NULL;
  assert_status(gpuarr_module_kernel_name(&none, module, 2, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("index is 2; the module has 2 kernels, counted from 0");
  gpuarr_module_release(module);
}

static void what_cannot_be_asked_of_a_module(void** state) {
  (void)state;
  gpuarr_module* module = make_module(layers);
  gpuarr_raw* kernel = NULL;
  gpuarr_array* array = NULL;
  assert_status(gpuarr_module_kernel(&kernel, module, "relu", "float* x, ,"), GPUARR_ERR_SYNTAX);
  assert_message_has("parameter 1 of \"float* x, ,\" has no type");
  assert_status(gpuarr_module_kernel(&kernel, module, "relu", "float* x;"), GPUARR_ERR_SYNTAX);
  assert_message_has("params has \";\"; it is a list such as \"const float* x, int n\"");
  assert_status(gpuarr_module_kernel(&kernel, NULL, "relu", NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_module_global(&array, module, "weights", 99, device), GPUARR_ERR_DTYPE);
  assert_status(gpuarr_module_global(&array, module, NULL, 0, device), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_module_build(NULL, device), GPUARR_ERR_ARGUMENT);
  assert_null(kernel);
  assert_null(array);
  char* before = getenv("GPUARR_DEVICE");
  before = before != NULL ? strdup(before) : NULL;
  assert_int_equal(setenv("GPUARR_DEVICE", "gpu", 1), 0);
  assert_status(gpuarr_module_build(module, NULL), GPUARR_ERR_NO_DEVICE);
  assert_message_has("$GPUARR_DEVICE is \"gpu\"");
  assert_int_equal(before ? setenv("GPUARR_DEVICE", before, 1) : unsetenv("GPUARR_DEVICE"), 0);
  free(before);
  gpuarr_module_release(module);
}

/* The code of one module makes another. */
static void compiled_code_loads_on_gpus(void** state) {
  (void)state;
  const char* ptx = NULL;
  gpuarr_module *module = make_module(layers), *loaded = NULL;
  if (test_device_is_host()) {
    static const char bare[] = ".version 8.0\n.target sm_80\n.address_size 64\n";
    assert_status(gpuarr_module_listing(&ptx, module, GPUARR_LISTING_PTX, device),
                  GPUARR_ERR_UNSUPPORTED);
    assert_ok(gpuarr_module_load(&loaded, bare, (int64_t)strlen(bare)));
    assert_status(gpuarr_module_build(loaded, device), GPUARR_ERR_UNSUPPORTED);
  } else {
    assert_ok(gpuarr_module_listing(&ptx, module, GPUARR_LISTING_PTX, device));
    assert_ok(gpuarr_module_load(&loaded, ptx, (int64_t)strlen(ptx)));
    gpuarr_raw* relu = kernel_of(loaded, "relu");
    gpuarr_array* x = floats(2, (float[]){-1, 2});
    gpuarr_arg arg = gpuarr_arg_array(x);
    launch(relu, 1, 2, &arg, 1);
    assert_values(x, 2, (double[]){0, 2});
    gpuarr_array_release(x);
    gpuarr_raw_release(relu);
    relu = NULL;
    assert_ok(gpuarr_module_kernel(&relu, loaded, "nowhere", NULL));
    assert_status(try_launch(relu, 1, 1, NULL, 0), GPUARR_ERR_NOT_FOUND);
    assert_message_has("relu");
    gpuarr_raw_release(relu);
  }
  gpuarr_module_release(loaded);
  gpuarr_module_release(module);
}

/* What the driver cannot load; only a GPU's knows. */
static void code_for_other_gpus(void** state) {
  (void)state;
  static const char* const images[] = {
      ".version 99.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n",
      ".version 8.0\n.target sm_999\n.address_size 64\n.visible .entry k() { ret; }\n",
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { nonsense; }\n",
  };
  if (test_device_is_host()) skip();
  for (size_t k = 0; k < sizeof images / sizeof *images; ++k) {
    gpuarr_module* module = NULL;
    assert_ok(gpuarr_module_load(&module, images[k], (int64_t)strlen(images[k])));
    assert_status(gpuarr_module_build(module, device), GPUARR_ERR_LOAD);
    print_message("%s\n", gpuarr_last_error());
    assert_message_has("PTX");
    gpuarr_module_release(module);
  }
}

static void the_processors_code_is_shown(void** state) {
  (void)state;
  gpuarr_module* module = make_module("extern \"C\" __global__ void shown(int* x) { *x = 3; }");
  const char* text = NULL;
  gpuarr_status status = gpuarr_module_listing(&text, module, GPUARR_LISTING_ASSEMBLY, device);
  if (status == GPUARR_ERR_NO_LIBRARY) {
    print_message("%s\n", gpuarr_last_error());
  } else {
    assert_ok(status);
    assert_true(strlen(text) > 100);
  }
  assert_status(gpuarr_module_listing(&text, module, 3, device), GPUARR_ERR_ARGUMENT);
  gpuarr_module_release(module);
}

/* By the instructions for several floats at a time. */
static void kernels_without_barriers_are_vectorised(void** state) {
  (void)state;
#if defined(__x86_64__)
  if (!test_device_is_host() || sanitized) skip(); /* a sanitizer looks at each access by itself */
  static const char* const packed[] = {"mulps", "132ps", "213ps", "231ps"};
  gpuarr_module* module = make_module(
      "extern \"C\" __global__ void saxpy(float a, const float* x, float* y, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) y[i] = a * x[i] + y[i];\n"
      "}\n");
  const char* text = NULL;
  gpuarr_status status = gpuarr_module_listing(&text, module, GPUARR_LISTING_ASSEMBLY, device);
  gpuarr_module_release(module);
  if (status == GPUARR_ERR_NO_LIBRARY) skip();
  assert_ok(status);
  int found = 0;
  for (int k = 0; k < 4; ++k) found += strstr(text, packed[k]) != NULL;
  assert_true(found > 0);
#else
  skip();
#endif
}

static void a_preamble_and_instances_by_options(void** state) {
  (void)state;
  gpuarr_kernel_options* options = NULL;
  gpuarr_module* module = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_preamble(options, "__device__ int sum;"));
  assert_ok(gpuarr_kernel_options_add_kernel(options, "add<4>"));
  assert_ok(gpuarr_module_create(
      &module, "template <int N> __global__ void add() { sum += N; }\n__global__ void k() {}",
      options));
  gpuarr_kernel_options_release(options);
  gpuarr_raw* k = kernel_of(module, "k");
  launch(k, 1, 1, NULL, 0);
  gpuarr_raw* add = kernel_of(module, "add< 4 >");
  launch(add, 1, 1, NULL, 0);
  gpuarr_array* sum = global_of(module, "sum", GPUARR_I32);
  assert_values(sum, 1, (double[]){4});
  gpuarr_array_release(sum);
  gpuarr_raw_release(k);
  gpuarr_raw_release(add);
  gpuarr_module_release(module);
}

/* For processors that may not be here; where a compiler is missing, that is said. */
static void text_is_checked_for_any_processor(void** state) {
  (void)state;
  gpuarr_module* good = make_module("__global__ void k(float* x) { x[threadIdx.x] = 1; }");
  gpuarr_module* bad = make_module("\n__global__ void k(float* x) { x[threadIdx.x] = q; }");
  const char* const targets[] = {"host", "sm_90"};
  for (int t = 0; t < 2; ++t) {
    const gpuarr_status status = gpuarr_module_check(good, targets[t]);
    if (status == GPUARR_ERR_NO_COMPILER || status == GPUARR_ERR_NO_LIBRARY) continue;
    if (t == 1 && status == GPUARR_ERR_UNSUPPORTED) continue; /* built without CUDA */
    assert_ok(status);
    assert_status(gpuarr_module_check(bad, targets[t]), GPUARR_ERR_COMPILE);
    assert_message_has(t == 0 ? "\"source\" does not compile for host"
                              : "\"source\" does not compile for sm_90");
    assert_message_has("\nsource, line 2, column 48: ");
  }
  const char* const wrong[] = {"gpu", "sm_ninety", "sm_1", "host2", "sm_"};
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; ++k) {
    const gpuarr_status status = gpuarr_module_check(good, wrong[k]);
    if (status == GPUARR_ERR_NO_LIBRARY && strcmp(wrong[k], "sm_1") == 0) continue;
    assert_status(status, GPUARR_ERR_UNSUPPORTED);
    assert_message_has("gpuarr_module_check: ");
    assert_message_has(wrong[k]);
  }
  assert_status(gpuarr_module_check(good, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("target is NULL");
  assert_status(gpuarr_module_check(NULL, "host"), GPUARR_ERR_ARGUMENT);
  gpuarr_module* code = NULL;
  const char ptx[] =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";
  assert_ok(gpuarr_module_load(&code, ptx, sizeof ptx - 1));
  assert_status(gpuarr_module_check(code, "host"), GPUARR_ERR_ARGUMENT);
  assert_message_has("only text can be checked");
  gpuarr_module_release(code);
  gpuarr_module_release(bad);
  gpuarr_module_release(good);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_and_variables_of_a_module),
      cmocka_unit_test(each_module_has_its_own_variables),
      cmocka_unit_test(a_variable_takes_another_dtype),
      cmocka_unit_test(kernels_are_listed),
      cmocka_unit_test(what_cannot_be_asked_of_a_module),
      cmocka_unit_test(compiled_code_loads_on_gpus),
      cmocka_unit_test(code_for_other_gpus),
      cmocka_unit_test(the_processors_code_is_shown),
      cmocka_unit_test(kernels_without_barriers_are_vectorised),
      cmocka_unit_test(a_preamble_and_instances_by_options),
      cmocka_unit_test(text_is_checked_for_any_processor),
  };
  return run_suite(tests);
}
