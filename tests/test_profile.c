/* Tests of gpuarr/profile.h: the report of kernels, ranges. What $GPUARR_PROFILE does
 * is tried in a process of its own: this program again. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arrays.h"
#include "kernels.h"
#include "raws.h"

enum { SIZE = 1000 };

static gpuarr_array* vector(gpuarr_dtype dtype) {
  gpuarr_array* out = NULL;
  int64_t shape = SIZE;
  assert_ok(gpuarr_array_zeros(&out, open_test_device(), dtype, 1, &shape, GPUARR_ORDER_C, NULL));
  return out;
}

static gpuarr_elementwise* named_kernel(const char* name, const char* in, const char* body) {
  gpuarr_kernel_options* options = NULL;
  gpuarr_elementwise* kernel = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_name(options, name));
  assert_ok(gpuarr_elementwise_create(&kernel, in, "T z", body, options));
  gpuarr_kernel_options_release(options);
  return kernel;
}

static const char* report(int32_t format) {
  static _Thread_local const char* text;
  assert_ok(gpuarr_profile_report(&text, format));
  return text;
}

/* The number behind a name in a kernel's line of the JSON report; -1 for null or none. */
static double number_of(const char* kernel, const char* name) {
  char key[64];
  snprintf(key, sizeof key, "\"kernel\": \"%s\"", kernel);
  const char* at = strstr(report(GPUARR_REPORT_JSON), key);
  if (at == NULL) return -1;
  snprintf(key, sizeof key, "\"%s\": ", name);
  at = strstr(at, key);
  assert_non_null(at);
  double value = -1;
  return sscanf(at + strlen(key), "%lf", &value) == 1 ? value : -1;
}

static void call_often(gpuarr_elementwise* kernel, gpuarr_array* x, gpuarr_array* z, int times) {
  gpuarr_arg input = gpuarr_arg_array(x);
  for (int i = 0; i < times; ++i)
    assert_ok(gpuarr_elementwise_call(kernel, &z, 1, &input, 1, GPUARR_NO_SIZE, NULL));
}

static void launches_are_counted_and_timed(void** state) {
  (void)state;
  gpuarr_array *x = vector(GPUARR_F32), *z = vector(GPUARR_F32), *total = NULL;
  gpuarr_elementwise* kernel = named_kernel("counted", "T x", "z = x + 1;");
  gpuarr_reduction* sum = make_fold("a + b", "0");
  gpuarr_arg input = gpuarr_arg_array(x);
  call_often(kernel, x, z, 3); /* not watched */
  assert_ok(gpuarr_profile_start());
  call_often(kernel, x, z, 200);
  total = reduce_all(sum, &input, 1);
  assert_ok(gpuarr_profile_stop());
  call_often(kernel, x, z, 3);
  assert_true(number_of("counted", "launches") == 200);
  assert_true(number_of("counted", "timed") == 200);
  assert_true(number_of("counted", "captured") == 0);
  assert_true(number_of("counted", "compiles") == 0); /* before the start */
  assert_true(number_of("counted", "device_us") > 0);
  assert_true(number_of("counted", "bytes_read") == 200 * 4 * SIZE);
  assert_true(number_of("counted", "bytes_written") == 200 * 4 * SIZE);
  assert_true(number_of("counted", "gigabytes_per_second") > 0);
  assert_true(number_of("reduction", "launches") == 1);
  assert_true(number_of("reduction", "compiles") + number_of("reduction", "disk_hits") +
                  number_of("reduction", "memory_hits") ==
              1);
  assert_true(number_of("reduction", "bytes_read") == 4 * SIZE);
  assert_true(number_of("reduction", "bytes_written") == 4);
  assert_non_null(strstr(report(GPUARR_REPORT_JSON), "\"types\": \"float32 x -> float32 z\""));
  assert_non_null(strstr(report(GPUARR_REPORT_TEXT), "counted (float32 x -> float32 z)\n"));
  assert_ok(gpuarr_profile_reset());
  assert_null(strstr(report(GPUARR_REPORT_TEXT), "counted"));
  assert_true(number_of("counted", "launches") == -1);
  gpuarr_array_release(x);
  gpuarr_array_release(z);
  gpuarr_array_release(total);
  gpuarr_elementwise_release(kernel);
  gpuarr_reduction_release(sum);
}

static void broadcast_elements_count_once(void** state) {
  (void)state;
  gpuarr_array *x = vector(GPUARR_F64), *z = NULL, *wide = NULL;
  gpuarr_elementwise* kernel = named_kernel("spread", "T x, int64 k", "z = x * k;");
  int64_t shape[] = {10, SIZE};
  assert_ok(gpuarr_array_broadcast(&wide, x, 2, shape));
  gpuarr_arg inputs[] = {gpuarr_arg_array(wide), gpuarr_arg_i64(3)};
  assert_ok(gpuarr_profile_start());
  assert_ok(gpuarr_elementwise_call(kernel, &z, 1, inputs, 2, GPUARR_NO_SIZE, NULL));
  assert_ok(gpuarr_profile_stop());
  assert_true(number_of("spread", "bytes_read") == 8 * SIZE);
  assert_true(number_of("spread", "bytes_written") == 8 * 10 * SIZE);
  assert_ok(gpuarr_profile_reset());
  gpuarr_array_release(x);
  gpuarr_array_release(wide);
  gpuarr_array_release(z);
  gpuarr_elementwise_release(kernel);
}

static void prepared_and_raw_calls_are_counted_too(void** state) {
  (void)state;
  gpuarr_array *x = vector(GPUARR_F32), *z = vector(GPUARR_F32);
  gpuarr_elementwise* kernel = named_kernel("prepared", "T x", "z = x + 2;");
  gpuarr_raw* raw = make_raw(
      "extern \"C\" __global__ void twice(float* z, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) z[i] *= 2;\n"
      "}\n",
      "twice");
  gpuarr_arg input = gpuarr_arg_array(x), args[] = {gpuarr_arg_array(z), gpuarr_arg_i32(SIZE)};
  gpuarr_call* call = NULL;
  int64_t grid[] = {4, 1, 1}, block[] = {256, 1, 1};
  assert_ok(gpuarr_profile_start());
  assert_ok(gpuarr_elementwise_prepare(&call, kernel, &z, 1, &input, 1, GPUARR_NO_SIZE));
  for (int i = 0; i < 5; ++i) assert_ok(gpuarr_call_launch(call, NULL));
  gpuarr_call_release(call);
  launch(raw, 4, 256, args, 2);
  assert_ok(gpuarr_raw_prepare(&call, raw, grid, block, 0, args, 2, open_test_device()));
  assert_ok(gpuarr_call_launch(call, NULL));
  gpuarr_call_release(call);
  assert_ok(gpuarr_profile_stop());
  assert_true(number_of("prepared", "launches") == 5);
  assert_true(number_of("prepared", "bytes_read") == 5 * 4 * SIZE);
  assert_true(number_of("prepared", "compiles") + number_of("prepared", "disk_hits") == 1);
  assert_true(number_of("twice", "launches") == 2);
  assert_true(number_of("twice", "bytes_read") == -1);
  assert_true(number_of("twice", "gigabytes_per_second") == -1);
  assert_true(number_of("module", "compiles") + number_of("module", "disk_hits") == 1);
  assert_non_null(strstr(report(GPUARR_REPORT_TEXT), "twice (float"));
  assert_ok(gpuarr_profile_reset());
  gpuarr_array_release(x);
  gpuarr_array_release(z);
  gpuarr_elementwise_release(kernel);
  gpuarr_raw_release(raw);
}

static void a_launch_that_fails_is_not_counted(void** state) {
  (void)state;
  gpuarr_array *x = vector(GPUARR_F32), *z = vector(GPUARR_F32);
  gpuarr_elementwise* kernel = named_kernel("broken", "T x", "z = y;");
  gpuarr_arg input = gpuarr_arg_array(x);
  assert_ok(gpuarr_profile_start());
  assert_status(gpuarr_elementwise_call(kernel, &z, 1, &input, 1, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_COMPILE);
  assert_ok(gpuarr_profile_stop());
  assert_true(number_of("broken", "launches") <= 0);
  assert_ok(gpuarr_profile_reset());
  gpuarr_array_release(x);
  gpuarr_array_release(z);
  gpuarr_elementwise_release(kernel);
}

enum { THREADS = 4, CALLS = 100 };

static void* watched_calls(void* user) {
  gpuarr_array *x = vector(GPUARR_F32), *z = vector(GPUARR_F32);
  call_often(user, x, z, CALLS);
  gpuarr_array_release(x);
  gpuarr_array_release(z);
  return NULL;
}

static void* reports(void* user) {
  for (int i = 0; i < 20; ++i) assert_non_null(report(GPUARR_REPORT_TEXT));
  return user;
}

static void threads_are_counted_together(void** state) {
  (void)state;
  pthread_t threads[THREADS + 1];
  gpuarr_elementwise* kernel = named_kernel("shared", "T x", "z = x + 3;");
  assert_ok(gpuarr_profile_start());
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, watched_calls, kernel), 0);
  assert_int_equal(pthread_create(&threads[THREADS], NULL, reports, NULL), 0);
  for (int i = 0; i <= THREADS; ++i) pthread_join(threads[i], NULL);
  assert_ok(gpuarr_profile_stop());
  assert_true(number_of("shared", "launches") == THREADS * CALLS);
  assert_true(number_of("shared", "timed") == THREADS * CALLS);
  assert_ok(gpuarr_profile_reset());
  gpuarr_elementwise_release(kernel);
}

static void a_child_of_a_fork_has_a_profile_of_its_own(void** state) {
  (void)state;
  if (!test_device_is_host()) skip();
  gpuarr_array *x = vector(GPUARR_F32), *z = vector(GPUARR_F32);
  gpuarr_elementwise* kernel = named_kernel("forked", "T x", "z = x + 4;");
  assert_ok(gpuarr_profile_start());
  call_often(kernel, x, z, 10);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    call_often(kernel, x, z, 10);
    _exit(number_of("forked", "launches") == 20 ? 0 : 1);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  assert_ok(gpuarr_profile_stop());
  assert_true(number_of("forked", "timed") == 10);
  assert_ok(gpuarr_profile_reset());
  gpuarr_array_release(x);
  gpuarr_array_release(z);
  gpuarr_elementwise_release(kernel);
}

static void bad_arguments_are_named(void** state) {
  (void)state;
  const char* text = "";
  assert_status(gpuarr_profile_report(&text, 0), GPUARR_ERR_ARGUMENT);
  assert_null(text);
  assert_status(gpuarr_profile_report(NULL, GPUARR_REPORT_TEXT), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_profile_push(NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("name is NULL");
}

static void ranges_are_free_for_all(void** state) {
  (void)state;
  assert_ok(gpuarr_profile_push("outer"));
  assert_ok(gpuarr_profile_push("inner"));
  assert_ok(gpuarr_profile_pop());
  assert_ok(gpuarr_profile_pop());
}

/* The environment. */

static int run_watched(void) {
  gpuarr_array *x = vector(GPUARR_F32), *z = vector(GPUARR_F32);
  gpuarr_elementwise* kernel = named_kernel("whole", "T x", "z = x + 5;");
  call_often(kernel, x, z, 6);
  gpuarr_array_release(x);
  gpuarr_array_release(z);
  gpuarr_elementwise_release(kernel);
  return 0;
}

/* What the process leaves in the file at the end. */
static const char* left_by(const char* setting, const char* file, const char* errors) {
  static char text[1 << 14];
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    setenv("GPUARR_PROFILE", setting, 1);
    if (freopen(errors, "w", stderr) == NULL) _exit(4);
    execl("/proc/self/exe", "test_profile", "watched", (char*)NULL);
    _exit(3);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  FILE* left = fopen(file, "r");
  assert_non_null(left);
  text[fread(text, 1, sizeof text - 1, left)] = '\0';
  fclose(left);
  return text;
}

static void the_environment_asks_for_a_report_at_exit(void** state) {
  (void)state;
  char errors[] = "/tmp/gpuarr-test-XXXXXX", file[64];
  int made = mkstemp(errors);
  assert_true(made >= 0);
  close(made);
  snprintf(file, sizeof file, "%s.json", errors);
  const char* text = left_by(file, file, errors);
  assert_non_null(strstr(text, "{\n  \"kernels\": [\n    {\"kernel\": \"whole\", "));
  assert_non_null(strstr(text, "\"launches\": 6, "));
  assert_non_null(strstr(left_by("1", errors, errors), "whole (float32 x -> float32 z)\n"));
  assert_non_null(strstr(left_by("/nowhere/at/all", errors, errors),
                         "gpuarr: $GPUARR_PROFILE: no report: /nowhere/at/all: "));
  assert_string_equal(left_by("0", errors, errors), "");
  unlink(file);
  unlink(errors);
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "watched") == 0) return run_watched();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_arguments_are_named),
      cmocka_unit_test(launches_are_counted_and_timed),
      cmocka_unit_test(broadcast_elements_count_once),
      cmocka_unit_test(prepared_and_raw_calls_are_counted_too),
      cmocka_unit_test(a_launch_that_fails_is_not_counted),
      cmocka_unit_test(threads_are_counted_together),
      cmocka_unit_test(a_child_of_a_fork_has_a_profile_of_its_own),
      cmocka_unit_test(ranges_are_free_for_all),
      cmocka_unit_test(the_environment_asks_for_a_report_at_exit),
  };
  return run_suite(tests);
}
