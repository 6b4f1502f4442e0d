/* threads [SECONDS]: sixteen threads make, call, release, capture and fork (2). For
 * ThreadSanitizer, and for what only shows in time: wrong numbers, deadlocks, objects that stay. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "gpuarr.h"

/* ThreadSanitizer's: fork() takes every mutex that lives long, for which its search for deadlocks,
 * of at most 64 that a thread holds, ends the process. */
const char* __tsan_default_options(void);
const char* __tsan_default_options(void) { return "detect_deadlocks=0"; }

/* AddressSanitizer's malloc keeps its locks in a child of fork() for ever. */
#if defined(__SANITIZE_ADDRESS__)
enum { forks = 0 };
#else
enum { forks = 1 };
#endif
enum { threads = 16, elements = 64 };

static gpuarr_device* device;
static gpuarr_elementwise* shared;
static atomic_int over;
static atomic_long rounds, failures;

static int good(gpuarr_status status) {
  if (status == GPUARR_OK) return 1;
  fprintf(stderr, "%s\n", gpuarr_last_error());
  ++failures;
  return 0;
}

static void expect(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "not so: %s\n", what);
  ++failures;
}

static gpuarr_array* make(gpuarr_stream* stream, double value) {
  static const int64_t size = elements;
  gpuarr_array* out = NULL;
  good(gpuarr_array_full(&out, device, GPUARR_F32, 1, &size, GPUARR_ORDER_C, gpuarr_arg_f64(value),
                         stream));
  return out;
}

static void expect_value(const gpuarr_array* x, float value, gpuarr_stream* stream) {
  good(gpuarr_stream_synchronize(stream));
  expect(((const float*)gpuarr_array_data(x))[elements - 1] == value, "the numbers are right");
}

static void call(gpuarr_elementwise* kernel, gpuarr_stream* stream, float a) {
  gpuarr_array *x = make(stream, a), *y = NULL;
  const gpuarr_arg input = gpuarr_arg_array(x);
  if (good(gpuarr_elementwise_call(kernel, &y, 1, &input, 1, GPUARR_NO_SIZE, stream)))
    expect_value(y, 2 * a + 1, stream);
  gpuarr_array_release(x);
  gpuarr_array_release(y);
}

static void make_call_release(gpuarr_stream* stream, float a) {
  gpuarr_elementwise* own = NULL;
  if (good(gpuarr_elementwise_create(&own, "T x", "T y", "y = 2 * x + 1", NULL)))
    call(own, stream, a);
  gpuarr_elementwise_release(own);
}

static void capture(gpuarr_stream* stream, float a) {
  gpuarr_array *x = make(stream, a), *y = make(stream, 0);
  gpuarr_graph* graph = NULL;
  gpuarr_graph_exec* exec = NULL;
  const gpuarr_arg input = gpuarr_arg_array(x);
  good(gpuarr_stream_begin_capture(stream));
  good(gpuarr_elementwise_call(shared, &y, 1, &input, 1, GPUARR_NO_SIZE, stream));
  if (good(gpuarr_stream_end_capture(&graph, stream)) &&
      good(gpuarr_graph_instantiate(&exec, graph)) && good(gpuarr_graph_exec_launch(exec, stream)))
    expect_value(y, 2 * a + 1, stream);
  gpuarr_graph_release(graph);
  gpuarr_graph_exec_release(exec);
  gpuarr_array_release(x);
  gpuarr_array_release(y);
}

static void fork_and_use(float a) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    failures = 0;
    gpuarr_stream* own = NULL; /* others of the device may be captured */
    good(gpuarr_stream_create(&own, device, 0, 0));
    call(shared, own, a);
    _exit(failures > 0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  expect(status == 0, "the child of a fork goes on");
}

static void* run(void* argument) {
  const long me = (long)argument;
  for (unsigned n = 0; !over; ++n, ++rounds) {
    gpuarr_stream* stream = NULL;
    good(gpuarr_stream_create(&stream, device, 0, 0));
    const float a = (float)(me * 1000 + n % 1000);
    call(shared, stream, a);
    make_call_release(stream, a);
    if (n % 4 == 0) capture(stream, a);
    if (forks && n % 64 == (unsigned)me) fork_and_use(a);
    if (n % 16 == 0) good(gpuarr_memory_trim(device));
    gpuarr_stream_release(stream);
  }
  return NULL;
}

int main(int argc, char** argv) {
  const int seconds = argc > 1 ? atoi(argv[1]) : 2;
  alarm((unsigned)seconds + 120);
  if (!good(gpuarr_device_open(&device, "host")) ||
      !good(gpuarr_elementwise_create(&shared, "T x", "T y", "y = 2 * x + 1", NULL)))
    return 1;
  pthread_t all[threads];
  for (long k = 0; k < threads; ++k)
    if (pthread_create(&all[k], NULL, run, (void*)k) != 0) return 1;
  const struct timespec time = {seconds, 0};
  nanosleep(&time, NULL);
  over = 1;
  for (int k = 0; k < threads; ++k) pthread_join(all[k], NULL);
  gpuarr_elementwise_release(shared);
  expect(gpuarr_live_objects() == 0, "all objects are released");
  printf("%ld rounds of %d threads, %ld failures\n", (long)rounds, threads, (long)failures);
  return failures > 0;
}
