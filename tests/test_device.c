/* Tests of gpuarr/device.h: which devices there are, and what they say of themselves. */
#include <stdlib.h>
#include <string.h>

#include "support.h"

static void opens_by_name_once(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_device* again = NULL;
  assert_ok(gpuarr_device_open(&again, test_device_name()));
  assert_ptr_equal(device, again);
  assert_string_equal(gpuarr_device_name(device), test_device_name());
  assert_true(strlen(gpuarr_device_description(device)) > 0);
  assert_int_equal(gpuarr_device_kind(device),
                   test_device_is_host() ? GPUARR_DEVICE_HOST : GPUARR_DEVICE_CUDA);
}

static void cuda_without_number_is_the_first(void** state) {
  (void)state;
  if (test_device_is_host()) skip();
  gpuarr_device *named = NULL, *first = NULL;
  assert_ok(gpuarr_device_open(&named, "cuda"));
  assert_ok(gpuarr_device_open(&first, "cuda:0"));
  assert_ptr_equal(named, first);
}

static void default_follows_the_environment(void** state) {
  (void)state;
  gpuarr_device* device = NULL;
  const char* before = getenv("GPUARR_DEVICE");
  char* kept = before != NULL ? strdup(before) : NULL;

  assert_int_equal(setenv("GPUARR_DEVICE", test_device_name(), 1), 0);
  assert_ok(gpuarr_device_open(&device, NULL));
  assert_string_equal(gpuarr_device_name(device), test_device_name());

  assert_int_equal(setenv("GPUARR_DEVICE", "tpu", 1), 0);
  assert_status(gpuarr_device_open(&device, NULL), GPUARR_ERR_NO_DEVICE);
  assert_null(device);
  assert_message_has("$GPUARR_DEVICE is \"tpu\"");

  unsetenv("GPUARR_DEVICE");
  int32_t gpus = -1;
  assert_ok(gpuarr_device_count(&gpus, GPUARR_DEVICE_CUDA));
  assert_ok(gpuarr_device_open(&device, NULL));
  assert_string_equal(gpuarr_device_name(device), gpus > 0 ? "cuda:0" : "host");

  if (kept != NULL) setenv("GPUARR_DEVICE", kept, 1);
  free(kept);
}

static void bad_names_are_refused(void** state) {
  (void)state;
  static const char* const names[] = {"gpu",     "",        "cuda:",    "cuda:x",
                                      "cuda:-1", "cuda:1x", "cuda:0x1", "host:1",
                                      "host:",   "HOST",    " host",    "cuda:9999999999999"};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i) {
    gpuarr_device* device = open_test_device();
    assert_status(gpuarr_device_open(&device, names[i]), GPUARR_ERR_NO_DEVICE);
    assert_null(device);
    assert_message_has("gpuarr_device_open: name is \"");
    assert_message_has(names[i]);
    assert_message_has("a device is \"host\", \"cuda\" or \"cuda:N\"");
  }
}

static void a_gpu_too_many_says_how_many_there_are(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  int32_t gpus = -1;
  assert_ok(gpuarr_device_count(&gpus, GPUARR_DEVICE_CUDA));
  gpuarr_status status = gpuarr_device_open(&device, "cuda:99");
  assert_null(device);
  if (gpus == 0) {
    assert_true(status == GPUARR_ERR_NO_DRIVER || status == GPUARR_ERR_NO_DEVICE ||
                status == GPUARR_ERR_DRIVER_TOO_OLD || status == GPUARR_ERR_DRIVER ||
                status == GPUARR_ERR_UNSUPPORTED);
    assert_true(strlen(gpuarr_last_error()) > strlen("gpuarr_device_open: "));
    return;
  }
  assert_status(status, GPUARR_ERR_NO_DEVICE);
  assert_message_has("there is no cuda:99");
  assert_message_has(gpus == 1 ? "sees 1 GPU, cuda:0" : "GPUs, cuda:0 to cuda:");
}

static void counts_by_kind(void** state) {
  (void)state;
  int32_t count = -1;
  assert_ok(gpuarr_device_count(&count, GPUARR_DEVICE_HOST));
  assert_int_equal(count, 1);
  assert_ok(gpuarr_device_count(&count, GPUARR_DEVICE_CUDA));
  assert_true(count >= 0);
  if (!test_device_is_host()) assert_true(count >= 1);
  for (int32_t kind = 0; kind <= 3; kind += 3) {
    count = -1;
    assert_status(gpuarr_device_count(&count, kind), GPUARR_ERR_ARGUMENT);
    assert_int_equal(count, 0);
    assert_message_has(kind == 0 ? "kind is 0" : "kind is 3");
    assert_message_has("GPUARR_DEVICE_CUDA (2)");
  }
}

static void attributes_are_plausible(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  int64_t value = -1;
  assert_ok(gpuarr_device_attribute(&value, device, GPUARR_DEVICE_PROCESSORS));
  assert_true(value >= 1);
  assert_ok(gpuarr_device_attribute(&value, device, GPUARR_DEVICE_COMPUTE_CAPABILITY));
  assert_true(test_device_is_host() ? value == 0 : value >= 50);
  assert_ok(gpuarr_device_attribute(&value, device, GPUARR_DEVICE_L2_BYTES));
  assert_true(value >= 0);
  int64_t lowest = -1, highest = 1;
  assert_ok(gpuarr_device_attribute(&lowest, device, GPUARR_DEVICE_LOWEST_PRIORITY));
  assert_ok(gpuarr_device_attribute(&highest, device, GPUARR_DEVICE_HIGHEST_PRIORITY));
  assert_true(lowest >= 0 && highest <= 0);
  for (int32_t attribute = 0; attribute <= 6; attribute += 6) {
    value = -1;
    assert_status(gpuarr_device_attribute(&value, device, attribute), GPUARR_ERR_ARGUMENT);
    assert_int_equal(value, 0);
    assert_message_has(attribute == 0 ? "attribute is 0" : "attribute is 6");
  }
}

static void memory_is_plausible(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  int64_t free_bytes = -1, total = -1;
  assert_ok(gpuarr_device_memory(&free_bytes, &total, device));
  assert_true(free_bytes > 0 && free_bytes <= total);
}

/* Texts live as long as the process, also when they are asked for again. */
static void compiler_and_driver_are_named(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  const char *driver = NULL, *driver_again = NULL, *compiler = NULL, *compiler_again = NULL;
  assert_ok(gpuarr_device_driver(&driver, device));
  assert_ok(gpuarr_device_driver(&driver_again, device));
  assert_ptr_equal(driver, driver_again);
  if (test_device_is_host())
    assert_string_equal(driver, "");
  else
    assert_ptr_equal(strstr(driver, "CUDA "), driver);

  gpuarr_status status = gpuarr_device_compiler(&compiler, device);
  if (status == GPUARR_ERR_NO_COMPILER || status == GPUARR_ERR_NO_LIBRARY) {
    assert_null(compiler);
    return;
  }
  assert_ok(status);
  assert_ok(gpuarr_device_compiler(&compiler_again, device));
  assert_ptr_equal(compiler, compiler_again);
  if (!test_device_is_host()) assert_ptr_equal(strstr(compiler, "NVRTC "), compiler);
  assert_non_null(strchr(compiler, '/'));
}

typedef gpuarr_status describe(const char** out, gpuarr_device* device);

/* Opens a library; a machine without it is told what to install. */
static void assert_library(describe* ask, const char* name_on_gpu) {
  const char *text = "", *again = NULL;
  gpuarr_device* device = open_test_device();
  const gpuarr_status status = ask(&text, device);
  if (status == GPUARR_ERR_NO_LIBRARY) {
    assert_null(text);
    assert_message_has("set $GPUARR_");
    return;
  }
  assert_ok(status);
  assert_ok(ask(&again, device));
  assert_ptr_equal(text, again);
  if (!test_device_is_host()) assert_ptr_equal(strstr(text, name_on_gpu), text);
  assert_non_null(strstr(text, ".so"));
}

static void libraries_are_named(void** state) {
  (void)state;
  assert_library(gpuarr_device_blas, "cuBLAS ");
  assert_library(gpuarr_device_solver, "cuSOLVER ");
}

static void synchronizes(void** state) {
  (void)state;
  assert_ok(gpuarr_device_synchronize(open_test_device()));
}

static void null_device(void) {
  int64_t number = -1, other = -1;
  const char* string = "";
  assert_status(gpuarr_device_attribute(&number, NULL, GPUARR_DEVICE_PROCESSORS),
                GPUARR_ERR_ARGUMENT);
  assert_int_equal(number, 0);
  assert_message_has("gpuarr_device_attribute: device is NULL");
  number = -1;
  assert_status(gpuarr_device_memory(&number, &other, NULL), GPUARR_ERR_ARGUMENT);
  assert_int_equal(number, 0);
  assert_int_equal(other, 0);
  assert_message_has("gpuarr_device_memory: device is NULL");
  assert_status(gpuarr_device_compiler(&string, NULL), GPUARR_ERR_ARGUMENT);
  assert_null(string);
  assert_message_has("gpuarr_device_compiler: device is NULL");
  string = "";
  assert_status(gpuarr_device_driver(&string, NULL), GPUARR_ERR_ARGUMENT);
  assert_null(string);
  assert_message_has("gpuarr_device_driver: device is NULL");
  string = "";
  assert_status(gpuarr_device_blas(&string, NULL), GPUARR_ERR_ARGUMENT);
  assert_null(string);
  assert_message_has("gpuarr_device_blas: device is NULL");
  string = "";
  assert_status(gpuarr_device_solver(&string, NULL), GPUARR_ERR_ARGUMENT);
  assert_null(string);
  assert_message_has("gpuarr_device_solver: device is NULL");
  assert_status(gpuarr_device_synchronize(NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_synchronize: device is NULL");
  assert_string_equal(gpuarr_device_name(NULL), "");
  assert_string_equal(gpuarr_device_description(NULL), "");
  assert_int_equal(gpuarr_device_kind(NULL), 0);
}

static void null_outputs(gpuarr_device* device) {
  int64_t number = -1;
  assert_status(gpuarr_device_count(NULL, GPUARR_DEVICE_HOST), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_count: out is NULL");
  assert_status(gpuarr_device_open(NULL, "host"), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_open: out is NULL");
  assert_status(gpuarr_device_attribute(NULL, device, GPUARR_DEVICE_PROCESSORS),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_attribute: out is NULL");
  assert_status(gpuarr_device_memory(NULL, &number, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_memory: out_free is NULL");
  assert_status(gpuarr_device_memory(&number, NULL, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_memory: out_total is NULL");
  assert_int_equal(number, 0);
  assert_status(gpuarr_device_compiler(NULL, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_compiler: out is NULL");
  assert_status(gpuarr_device_driver(NULL, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_driver: out is NULL");
  assert_status(gpuarr_device_blas(NULL, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_blas: out is NULL");
  assert_status(gpuarr_device_solver(NULL, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_solver: out is NULL");
}

static void null_is_refused_by_name(void** state) {
  (void)state;
  null_device();
  null_outputs(open_test_device());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(opens_by_name_once),
      cmocka_unit_test(cuda_without_number_is_the_first),
      cmocka_unit_test(default_follows_the_environment),
      cmocka_unit_test(bad_names_are_refused),
      cmocka_unit_test(a_gpu_too_many_says_how_many_there_are),
      cmocka_unit_test(counts_by_kind),
      cmocka_unit_test(attributes_are_plausible),
      cmocka_unit_test(memory_is_plausible),
      cmocka_unit_test(compiler_and_driver_are_named),
      cmocka_unit_test(libraries_are_named),
      cmocka_unit_test(synchronizes),
      cmocka_unit_test(null_is_refused_by_name),
  };
  return run_suite(tests);
}
