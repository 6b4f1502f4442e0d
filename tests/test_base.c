/* Tests of gpuarr/base.h: version, names of statuses, the last error. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

static void version_is_the_headers(void** state) {
  (void)state;
  char expected[32];
  snprintf(expected, sizeof expected, "%d.%d.%d", GPUARR_VERSION_MAJOR, GPUARR_VERSION_MINOR,
           GPUARR_VERSION_PATCH);
  assert_string_equal(gpuarr_version(), expected);
}

static void statuses_have_names(void** state) {
  (void)state;
  assert_string_equal(gpuarr_status_name(GPUARR_OK), "GPUARR_OK");
  assert_string_equal(gpuarr_status_name(GPUARR_ERR_SHAPE), "GPUARR_ERR_SHAPE");
  assert_string_equal(gpuarr_status_name(GPUARR_ERR_INTERNAL), "GPUARR_ERR_INTERNAL");
  assert_string_equal(gpuarr_status_name(-1), "GPUARR_ERR_UNKNOWN");
  assert_string_equal(gpuarr_status_name(100), "GPUARR_ERR_UNKNOWN");
}

static void* read_own_error(void* message) {
  snprintf(message, 64, "%s", gpuarr_last_error());
  return NULL;
}

static void errors_belong_to_their_thread(void** state) {
  (void)state;
  gpuarr_dtype dtype = 1;
  assert_status(gpuarr_dtype_from_name(&dtype, "float33"), GPUARR_ERR_TYPE);
  assert_int_equal(dtype, 0);
  char elsewhere[64] = "unread";
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, read_own_error, elsewhere), 0);
  assert_int_equal(pthread_join(thread, NULL), 0);
  assert_string_equal(elsewhere, "");
  assert_message_has("gpuarr_dtype_from_name: ");
}

static void success_and_reading_keep_the_message(void** state) {
  (void)state;
  gpuarr_dtype dtype = 0;
  assert_status(gpuarr_dtype_from_name(&dtype, "float34"), GPUARR_ERR_TYPE);
  assert_ok(gpuarr_dtype_from_name(&dtype, "float32"));
  assert_message_has("float34");
  assert_message_has("float34");
}

static void messages_are_copied_whole_or_cut(void** state) {
  (void)state;
  gpuarr_dtype dtype = 0;
  char long_name[5000], copy[6000];
  memset(long_name, 'x', sizeof long_name - 1);
  long_name[sizeof long_name - 1] = '\0';
  assert_status(gpuarr_dtype_from_name(&dtype, long_name), GPUARR_ERR_TYPE);
  int64_t length = gpuarr_last_error_copy(NULL, 0);
  assert_int_equal(length, strlen(gpuarr_last_error()));
  assert_true(length > 4999);

  assert_int_equal(gpuarr_last_error_copy(copy, sizeof copy), length);
  assert_string_equal(copy, gpuarr_last_error());

  memset(copy, '#', sizeof copy);
  assert_int_equal(gpuarr_last_error_copy(copy, 10), length);
  assert_int_equal(strlen(copy), 9);
  assert_memory_equal(copy, gpuarr_last_error(), 9);
  assert_int_equal(copy[10], '#');

  copy[0] = '#';
  assert_int_equal(gpuarr_last_error_copy(copy, 0), length);
  assert_int_equal(copy[0], '#');
}

static void messages_are_set_by_programs(void** state) {
  (void)state;
  gpuarr_dtype dtype = 0;
  assert_status(gpuarr_dtype_from_name(&dtype, "no such"), GPUARR_ERR_TYPE);
  char text[] = "the file is gone\a";
  gpuarr_set_last_error(text);
  text[0] = '#';
  assert_string_equal(gpuarr_last_error(), "the file is gone\\x07");
  assert_int_equal(gpuarr_last_native_error(), 0);
  gpuarr_set_last_error(NULL);
  assert_string_equal(gpuarr_last_error(), "");
}

static void native_codes_are_kept(void** state) {
  (void)state;
  gpuarr_dtype dtype = 0;
  gpuarr_array* array = NULL;
  gpuarr_device* host = NULL;
  assert_ok(gpuarr_device_open(&host, "host"));
  assert_status(gpuarr_npy_load(&array, host, "/no/such/file.npy", NULL), GPUARR_ERR_IO);
  assert_null(array);
  assert_int_equal(gpuarr_last_native_error(), 2); /* ENOENT */
  assert_status(gpuarr_dtype_from_name(&dtype, "float33"), GPUARR_ERR_TYPE);
  assert_int_equal(gpuarr_last_native_error(), 0);
}

static void living_objects_are_counted(void** state) {
  (void)state;
  gpuarr_device* host = NULL;
  gpuarr_array* array = NULL;
  const int64_t shape[] = {3};
  assert_ok(gpuarr_device_open(&host, "host"));
  assert_int_equal(gpuarr_live_objects(), 0);
  assert_ok(gpuarr_array_empty(&array, host, GPUARR_F32, 1, shape, GPUARR_ORDER_C, NULL));
  assert_int_equal(gpuarr_live_objects(), 1);
  assert_ptr_equal(gpuarr_array_retain(array), array);
  assert_int_equal(gpuarr_live_objects(), 1);
  gpuarr_array_release(array);
  assert_int_equal(gpuarr_live_objects(), 1);
  gpuarr_array_release(array);
  assert_int_equal(gpuarr_live_objects(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(version_is_the_headers),
      cmocka_unit_test(statuses_have_names),
      cmocka_unit_test(errors_belong_to_their_thread),
      cmocka_unit_test(success_and_reading_keep_the_message),
      cmocka_unit_test(messages_are_copied_whole_or_cut),
      cmocka_unit_test(messages_are_set_by_programs),
      cmocka_unit_test(native_codes_are_kept),
      cmocka_unit_test(living_objects_are_counted),
  };
  return run_suite(tests);
}
