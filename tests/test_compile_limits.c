/* Compilers that do not end by themselves: time limits, and cancelling from another thread. */
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

enum { PATH_BYTES = 256, WAITERS = 3 };

static gpuarr_device* device;
static char place[] = "/tmp/gpuarr-limits-XXXXXX";

static const char* in_place(const char* name) {
  static char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/%s", place, name);
  return path;
}

/* A compiler that hangs, with a child that does, as long as there is a file "hang". */
static void make_compiler(void) {
  assert_non_null(mkdtemp(place));
  FILE* script = fopen(in_place("g++"), "w");
  assert_non_null(script);
  fprintf(script,
          "#!/bin/sh\nif [ -e %s/hang ]; then sleep 1000 & echo $! > %s/new; mv %s/new %s/child; "
          "wait; fi\nexec /usr/bin/env g++ \"$@\"\n",
          place, place, place, place);
  fclose(script);
  assert_int_equal(chmod(in_place("g++"), 0755), 0);
  setenv("GPUARR_CXX", in_place("g++"), 1);
}

static void let_it_hang(void) {
  unlink(in_place("child"));
  FILE* file = fopen(in_place("hang"), "w");
  assert_non_null(file);
  fclose(file);
}

static double seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void pause_a_moment(void) { nanosleep(&(struct timespec){0, 5000000}, NULL); }

/* Number of the process that the compiler started; waits for it. */
static pid_t child_of_compiler(void) {
  int number = 0;
  FILE* file = NULL;
  for (int k = 0; k < 4000 && (file = fopen(in_place("child"), "r")) == NULL; ++k) pause_a_moment();
  assert_non_null(file);
  assert_int_equal(fscanf(file, "%d", &number), 1);
  fclose(file);
  return number;
}

/* One that nobody waits for yet is a zombie, and as good as gone. */
static int is_alive(pid_t process) {
  char path[PATH_BYTES], state = 'Z';
  snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
  FILE* file = fopen(path, "r");
  if (file == NULL) return 0;
  if (fscanf(file, "%*d %*s %c", &state) != 1) state = 'Z';
  fclose(file);
  return state != 'Z';
}

static void assert_child_ends(void) {
  pid_t child = child_of_compiler();
  for (int k = 0; k < 1000 && is_alive(child); ++k) pause_a_moment();
  assert_false(is_alive(child));
}

static gpuarr_status call(const char* body, gpuarr_kernel_options* options) {
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array* y = NULL;
  const int64_t three = 3;
  float values[3] = {0};
  gpuarr_status status = gpuarr_elementwise_create(&kernel, "", "float32 y", body, options);
  if (!status) status = gpuarr_array_zeros(&y, device, GPUARR_F32, 1, &three, GPUARR_ORDER_C, NULL);
  if (!status) status = gpuarr_elementwise_call(kernel, &y, 1, NULL, 0, GPUARR_NO_SIZE, NULL);
  if (!status) status = gpuarr_array_read(values, sizeof values, NULL, y, NULL);
  if (!status) assert_close(values[2], 7, 0);
  gpuarr_elementwise_release(kernel);
  gpuarr_array_release(y);
  return status;
}

static void expect_ended(gpuarr_status status, double begin) {
  assert_status(status, GPUARR_ERR_COMPILE);
  assert_message_has(
      "was stopped because it took longer than 0.3 s; allow more time by $GPUARR_COMP");
  assert_true(seconds_now() - begin < 60);
  assert_child_ends();
}

static void options_bound_the_time(void** state) {
  (void)state;
  gpuarr_kernel_options* options = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_name(options, "seven"));
  for (int k = 0; k < 2; ++k) {
    const double wrong[] = {-1, 1e9, (double)NAN, (double)INFINITY};
    for (int w = 0; w < 4; ++w)
      assert_status(gpuarr_kernel_options_set_timeout(options, wrong[w]), GPUARR_ERR_ARGUMENT);
    assert_message_has("gpuarr_kernel_options_set_timeout: seconds is inf; give 0 for no limit");
    assert_ok(gpuarr_kernel_options_set_timeout(options, 0.3));
    let_it_hang();
    const double begin = seconds_now();
    expect_ended(call("y = 7", options), begin);
    assert_message_has("kernel \"seven\": ");
    /* That is no error to keep. */
    unlink(in_place("hang"));
    assert_ok(gpuarr_kernel_options_set_timeout(options, 0));
    if (k == 1) assert_ok(call("y = 7", options));
  }
  gpuarr_kernel_options_release(options);
}

static void the_environment_bounds_it_else(void** state) {
  (void)state;
  gpuarr_module* module = NULL;
  setenv("GPUARR_COMPILE_TIMEOUT", "0.3", 1);
  let_it_hang();
  double begin = seconds_now();
  expect_ended(call("y = 8 - 1", NULL), begin);
  let_it_hang();
  begin = seconds_now();
  assert_ok(gpuarr_module_create(&module, "__global__ void k(int* x) { *x = 1; }", NULL));
  expect_ended(gpuarr_module_build(module, device), begin);
  unlink(in_place("hang"));
  setenv("GPUARR_COMPILE_TIMEOUT", "soon", 1);
  assert_status(gpuarr_module_build(module, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("$GPUARR_COMPILE_TIMEOUT is \"soon\"; give seconds");
  unsetenv("GPUARR_COMPILE_TIMEOUT");
  assert_ok(gpuarr_module_build(module, device));
  gpuarr_module_release(module);
}

static atomic_int told;

static void* wait_for_it(void* user) {
  int* cancelled = user;
  *cancelled = call("y = 9 - 2", NULL) == GPUARR_ERR_COMPILE &&
               strstr(gpuarr_last_error(), "was cancelled (gpuarr_compile_cancel)") != NULL;
  atomic_fetch_add(&told, 1);
  return NULL;
}

static void cancel_in_handler(int signal) {
  (void)signal;
  gpuarr_compile_cancel();
}

static void another_thread_cancels_it_for_all_who_wait(void** state) {
  (void)state;
  pthread_t threads[WAITERS];
  int cancelled[WAITERS] = {0};
  let_it_hang();
  for (int k = 0; k < WAITERS; ++k)
    assert_int_equal(pthread_create(&threads[k], NULL, wait_for_it, &cancelled[k]), 0);
  child_of_compiler();
  for (int k = 0; k < 20; ++k) pause_a_moment(); /* until the others wait for the first */
  signal(SIGUSR1, cancel_in_handler);
  while (atomic_load(&told) < WAITERS) { /* one that came late is cancelled as well */
    raise(SIGUSR1);
    pause_a_moment();
  }
  unlink(in_place("hang"));
  for (int k = 0; k < WAITERS; ++k) pthread_join(threads[k], NULL);
  assert_child_ends();
  for (int k = 0; k < WAITERS; ++k) assert_true(cancelled[k]);
  assert_ok(call("y = 9 - 2", NULL));
}

int main(void) {
  if (!test_device_is_host()) return 77; /* NVRTC's: tests/unit/cuda_compiler.cpp */
  device = open_test_device();
  make_compiler();
  setenv("GPUARR_CACHE", "off", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(options_bound_the_time),
      cmocka_unit_test(the_environment_bounds_it_else),
      cmocka_unit_test(another_thread_cancels_it_for_all_who_wait),
  };
  int failed = run_suite(tests);
  unlink(in_place("hang"));
  unlink(in_place("child"));
  unlink(in_place("g++"));
  rmdir(place);
  return failed;
}
