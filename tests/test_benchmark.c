/* Tests of gpuarr/profile.h: benchmarks of a function. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernels.h"

enum { SIZE = 1000 };

static gpuarr_array* vector(gpuarr_dtype dtype) {
  gpuarr_array* out = NULL;
  int64_t shape = SIZE;
  assert_ok(gpuarr_array_zeros(&out, open_test_device(), dtype, 1, &shape, GPUARR_ORDER_C, NULL));
  return out;
}

struct work {
  int calls, fails_at;
  gpuarr_elementwise* kernel;
  gpuarr_array *x, *z;
};

static gpuarr_status do_work(void* user) {
  struct work* work = user;
  if (work->calls++ == work->fails_at)
    return work->kernel == NULL ? GPUARR_ERR_EMPTY : gpuarr_array_read(NULL, 0, NULL, NULL, NULL);
  if (work->kernel == NULL) return GPUARR_OK;
  gpuarr_arg input = gpuarr_arg_array(work->x);
  return gpuarr_elementwise_call(work->kernel, &work->z, 1, &input, 1, GPUARR_NO_SIZE, NULL);
}

static double number_from(const gpuarr_benchmark* benchmark, int32_t clock, int32_t statistic) {
  double value = -1;
  assert_ok(gpuarr_benchmark_statistic(&value, benchmark, clock, statistic));
  return value;
}

static void check_numbers(const gpuarr_benchmark* benchmark, int32_t clock, int count) {
  double samples[16], sum = 0, squares = 0, least = INFINITY, most = 0;
  int64_t all = -1;
  assert_true(count <= 16);
  assert_ok(gpuarr_benchmark_samples(&all, samples, 16, benchmark, clock));
  assert_int_equal(all, count);
  for (int i = 0; i < count; ++i) {
    assert_true(samples[i] >= 0 && samples[i] < 60e6);
    sum += samples[i];
    least = fmin(least, samples[i]);
    most = fmax(most, samples[i]);
  }
  for (int i = 0; i < count; ++i) squares += pow(samples[i] - sum / count, 2);
  assert_close(number_from(benchmark, clock, GPUARR_SAMPLES_MEAN), sum / count, 1e-9);
  assert_close(number_from(benchmark, clock, GPUARR_SAMPLES_DEVIATION), sqrt(squares / count),
               1e-6);
  assert_close(number_from(benchmark, clock, GPUARR_SAMPLES_MIN), least, 0);
  assert_close(number_from(benchmark, clock, GPUARR_SAMPLES_MAX), most, 0);
  int below = 0, above = 0;
  double median = number_from(benchmark, clock, GPUARR_SAMPLES_MEDIAN);
  for (int i = 0; i < count; ++i) {
    below += samples[i] < median;
    above += samples[i] > median;
  }
  assert_true(2 * below <= count && 2 * above <= count);
}

static void a_benchmark_times_each_call(void** state) {
  (void)state;
  struct work work = {0, -1, make_elementwise("T x", "T z", "z = x + 1;"), vector(GPUARR_F32),
                      vector(GPUARR_F32)};
  gpuarr_benchmark* benchmark = NULL;
  double two[2] = {-1, -1};
  int64_t count = 0;
  assert_ok(gpuarr_benchmark_run(&benchmark, "plus_one", do_work, &work, 3, 7, INFINITY,
                                 open_test_device(), NULL));
  assert_int_equal(work.calls, 10);
  check_numbers(benchmark, GPUARR_CLOCK_CPU, 7);
  check_numbers(benchmark, GPUARR_CLOCK_DEVICE, 7);
  assert_true(number_from(benchmark, GPUARR_CLOCK_CPU, GPUARR_SAMPLES_MIN) > 0);
  assert_ok(gpuarr_benchmark_samples(&count, NULL, 0, benchmark, GPUARR_CLOCK_CPU));
  assert_int_equal(count, 7);
  assert_ok(gpuarr_benchmark_samples(&count, two, 1, benchmark, GPUARR_CLOCK_CPU));
  assert_int_equal(count, 7);
  assert_true(two[0] > 0 && two[1] == -1);
  assert_ptr_equal(gpuarr_benchmark_retain(benchmark), benchmark);
  gpuarr_benchmark_release(benchmark);
  gpuarr_benchmark_release(benchmark);
  gpuarr_benchmark_release(NULL);
  gpuarr_elementwise_release(work.kernel);
  gpuarr_array_release(work.x);
  gpuarr_array_release(work.z);
}

/* "name                :    CPU:   44.407 us   +/-  2.428 (min:   42.516 / max:   53.098) us
 * GPU-0:" */
static void it_is_written_as_cupy_does(void** state) {
  (void)state;
  struct work work = {0, -1, NULL, NULL, NULL};
  gpuarr_benchmark* benchmark = NULL;
  const char* text = NULL;
  char expected[512];
  assert_ok(gpuarr_benchmark_run(&benchmark, "nothing \"much\"", do_work, &work, 0, 4, 10,
                                 open_test_device(), NULL));
  const int32_t clocks[] = {GPUARR_CLOCK_CPU, GPUARR_CLOCK_DEVICE};
  const char* const names[] = {"CPU", test_device_is_host() ? "host" : "GPU-0"};
  int used = snprintf(expected, sizeof expected, "%-20s:", "nothing \"much\"");
  for (int i = 0; i < 2; ++i)
    used += snprintf(expected + used, sizeof expected - (size_t)used,
                     "%s    %s: %9.03f us   +/- %6.03f (min: %9.03f / max: %9.03f) us",
                     i == 0 ? "" : " ", names[i],
                     number_from(benchmark, clocks[i], GPUARR_SAMPLES_MEAN),
                     number_from(benchmark, clocks[i], GPUARR_SAMPLES_DEVIATION),
                     number_from(benchmark, clocks[i], GPUARR_SAMPLES_MIN),
                     number_from(benchmark, clocks[i], GPUARR_SAMPLES_MAX));
  assert_ok(gpuarr_benchmark_report(&text, benchmark, GPUARR_REPORT_TEXT));
  if (strcmp(test_device_name(), "cuda:0") == 0 || test_device_is_host())
    assert_string_equal(text, expected);
  assert_ok(gpuarr_benchmark_report(&text, benchmark, GPUARR_REPORT_JSON));
  assert_non_null(strstr(text, "{\"name\": \"nothing \\\"much\\\"\", \"device\": \""));
  assert_non_null(strstr(text, "\"repeats\": 4, \"cpu\": {\"mean\": "));
  gpuarr_benchmark_release(benchmark);

  assert_ok(
      gpuarr_benchmark_run(&benchmark, "once", do_work, &work, 0, 1, 10, open_test_device(), NULL));
  assert_ok(gpuarr_benchmark_report(&text, benchmark, GPUARR_REPORT_TEXT));
  assert_null(strstr(text, "+/-"));
  gpuarr_benchmark_release(benchmark);
}

static void time_may_be_limited(void** state) {
  (void)state;
  struct work work = {0, -1, NULL, NULL, NULL};
  gpuarr_benchmark* benchmark = NULL;
  int64_t count = 0;
  assert_ok(gpuarr_benchmark_run(&benchmark, "brief", do_work, &work, 2, INT64_MAX, 0.01,
                                 open_test_device(), NULL));
  assert_ok(gpuarr_benchmark_samples(&count, NULL, 0, benchmark, GPUARR_CLOCK_CPU));
  assert_int_equal(count, work.calls - 2);
  assert_true(count > 0);
  gpuarr_benchmark_release(benchmark);
}

static void a_failure_ends_it(void** state) {
  (void)state;
  struct work work = {0, 4, make_elementwise("T x", "T z", "z = x + 1;"), vector(GPUARR_F32),
                      vector(GPUARR_F32)};
  gpuarr_benchmark* benchmark = (gpuarr_benchmark*)&work;
  gpuarr_device* device = open_test_device();
  assert_status(
      gpuarr_benchmark_run(&benchmark, "bad", do_work, &work, 2, 7, INFINITY, device, NULL),
      GPUARR_ERR_ARGUMENT);
  assert_null(benchmark);
  assert_message_has("gpuarr_benchmark_run: repeat 2 failed: gpuarr_array_read: ");
  assert_int_equal(work.calls, 5);
  struct work plain = {0, 1, NULL, NULL, NULL};
  assert_status(
      gpuarr_benchmark_run(&benchmark, "bad", do_work, &plain, 2, 7, INFINITY, device, NULL),
      GPUARR_ERR_EMPTY);
  assert_message_has("gpuarr_benchmark_run: a warm-up failed: it returned GPUARR_ERR_EMPTY");
  gpuarr_elementwise_release(work.kernel);
  gpuarr_array_release(work.x);
  gpuarr_array_release(work.z);
}

static void bad_arguments_are_named(void** state) {
  (void)state;
  struct work work = {0, -1, NULL, NULL, NULL};
  gpuarr_device* device = open_test_device();
  gpuarr_benchmark* b = NULL;
  const char* text = "";
  double value = 7;
  int64_t count = 7;
#define REFUSED(message, ...)                                                          \
  assert_status(gpuarr_benchmark_run(__VA_ARGS__, device, NULL), GPUARR_ERR_ARGUMENT); \
  assert_message_has(message)
  REFUSED("out is NULL", NULL, "b", do_work, &work, 0, 1, 1.0);
  REFUSED("name is NULL", &b, NULL, do_work, &work, 0, 1, 1.0);
  REFUSED("function is NULL", &b, "b", NULL, &work, 0, 1, 1.0);
  REFUSED("warmups is -1", &b, "b", do_work, &work, -1, 1, 1.0);
  REFUSED("repeats is 0", &b, "b", do_work, &work, 0, 0, 1.0);
  REFUSED("seconds is 0", &b, "b", do_work, &work, 0, 1, 0.0);
  REFUSED("seconds is nan", &b, "b", do_work, &work, 0, 1, (double)NAN);
  assert_status(gpuarr_benchmark_run(&b, "b", do_work, &work, 0, 1, 1.0, NULL, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("device is NULL");
  assert_ok(gpuarr_benchmark_run(&b, "b", do_work, &work, 0, 1, 1.0, device, NULL));
  assert_status(gpuarr_benchmark_statistic(&value, b, 3, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("clock is 3; give GPUARR_CLOCK_CPU or GPUARR_CLOCK_DEVICE");
  assert_true(value == 0);
  assert_status(gpuarr_benchmark_statistic(&value, b, 1, 6), GPUARR_ERR_ARGUMENT);
  assert_message_has("statistic is 6");
  assert_status(gpuarr_benchmark_statistic(&value, NULL, 1, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("benchmark is NULL");
  assert_status(gpuarr_benchmark_samples(&count, NULL, 0, b, 0), GPUARR_ERR_ARGUMENT);
  assert_int_equal(count, 0);
  assert_status(gpuarr_benchmark_report(&text, b, 3), GPUARR_ERR_ARGUMENT);
  assert_message_has("format is 3; give GPUARR_REPORT_TEXT or GPUARR_REPORT_JSON");
  assert_null(text);
  gpuarr_benchmark_release(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_benchmark_times_each_call), cmocka_unit_test(it_is_written_as_cupy_does),
      cmocka_unit_test(time_may_be_limited),         cmocka_unit_test(a_failure_ends_it),
      cmocka_unit_test(bad_arguments_are_named),
  };
  return run_suite(tests);
}
