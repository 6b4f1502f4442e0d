/* Kernels and threads: one compilation for all, releases while work runs, streams, fork. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels.h"

enum { threads = 10, length = 100000 };

static gpuarr_device* device;

static gpuarr_array* ramp(gpuarr_dtype dtype, int64_t count, gpuarr_stream* stream) {
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_arange(&array, device, dtype, gpuarr_arg_i32(0), gpuarr_arg_i64(count),
                                gpuarr_arg_i32(1), stream));
  return array;
}

static int64_t compiles(void) {
  int64_t count = 0;
  assert_ok(gpuarr_cache_statistic(&count, GPUARR_CACHE_COMPILES));
  return count;
}

/* What each of several threads does; a test function must not fail on a thread that is not its. */
struct task {
  pthread_barrier_t* together;
  gpuarr_elementwise* kernel;
  gpuarr_dtype dtype;
  int failures;
};

static int wrong_elements(gpuarr_array* y, int64_t count, int32_t step) {
  gpuarr_array* wide = NULL;
  double* values = malloc((size_t)count * sizeof(double));
  int wrong = 0;
  if (gpuarr_array_astype(&wide, y, GPUARR_F64, NULL) != GPUARR_OK ||
      gpuarr_array_read(values, count * 8, NULL, wide, NULL) != GPUARR_OK)
    wrong = 1;
  for (int64_t k = 0; !wrong && k < count; ++k) wrong += values[k] != (double)(step * k);
  gpuarr_array_release(wide);
  free(values);
  return wrong;
}

static void* call_together(void* argument) {
  struct task* task = argument;
  gpuarr_array *x = NULL, *y = NULL;
  task->failures += gpuarr_array_arange(&x, device, task->dtype, gpuarr_arg_i32(0),
                                        gpuarr_arg_i32(60), gpuarr_arg_i32(1), NULL) != GPUARR_OK;
  pthread_barrier_wait(task->together);
  gpuarr_arg input = gpuarr_arg_array(x);
  for (int round = 0; round < 20 && task->failures == 0; ++round) {
    task->failures += gpuarr_elementwise_call(task->kernel, &y, 1, &input, 1, GPUARR_NO_SIZE,
                                              NULL) != GPUARR_OK ||
                      wrong_elements(y, 60, 2);
    gpuarr_array_release(y);
    y = NULL;
  }
  gpuarr_array_release(x);
  return NULL;
}

static void run_together(gpuarr_elementwise* kernel, const gpuarr_dtype* dtypes) {
  pthread_barrier_t together;
  pthread_t ids[threads];
  struct task tasks[threads];
  pthread_barrier_init(&together, NULL, threads);
  for (int k = 0; k < threads; ++k) {
    tasks[k] = (struct task){&together, kernel, dtypes[k], 0};
    assert_int_equal(pthread_create(&ids[k], NULL, call_together, &tasks[k]), 0);
  }
  for (int k = 0; k < threads; ++k) pthread_join(ids[k], NULL);
  for (int k = 0; k < threads; ++k) assert_int_equal(tasks[k].failures, 0);
  pthread_barrier_destroy(&together);
}

/* A GPU compiles what fills and converts arrays, too: that shall not be counted. */
static int64_t compiles_before(const gpuarr_dtype* dtypes) {
  gpuarr_elementwise* other = make_elementwise("T x", "T y", "y = 2 * x");
  run_together(other, dtypes);
  gpuarr_elementwise_release(other);
  return compiles();
}

static void ten_threads_compile_once(void** state) {
  (void)state;
  gpuarr_dtype same[threads];
  for (int k = 0; k < threads; ++k) same[k] = GPUARR_F32;
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "y = x + x");
  int64_t before = compiles_before(same);
  run_together(kernel, same);
  assert_int_equal(compiles() - before, 1);
  /* Another kernel of the same text needs no compiler. */
  gpuarr_elementwise* twin = make_elementwise("T x", "T y", "y = x + x");
  run_together(twin, same);
  assert_int_equal(compiles() - before, 1);
  gpuarr_elementwise_release(kernel);
  gpuarr_elementwise_release(twin);
}

static void each_thread_its_own_dtype(void** state) {
  (void)state;
  const gpuarr_dtype dtypes[threads] = {GPUARR_I8,  GPUARR_U8,  GPUARR_I16, GPUARR_U16, GPUARR_I32,
                                        GPUARR_U32, GPUARR_I64, GPUARR_U64, GPUARR_F32, GPUARR_F64};
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "y = x; y += x");
  int64_t before = compiles_before(dtypes);
  run_together(kernel, dtypes);
  assert_int_equal(compiles() - before, 10);
  gpuarr_elementwise_release(kernel);
}

static void* fail_together(void* argument) {
  struct task* task = argument;
  gpuarr_array *x = NULL, *y = NULL;
  task->failures += gpuarr_array_zeros(&x, device, GPUARR_F32, 0, NULL, 0, NULL) != GPUARR_OK;
  pthread_barrier_wait(task->together);
  gpuarr_arg input = gpuarr_arg_array(x);
  task->failures += gpuarr_elementwise_call(task->kernel, &y, 1, &input, 1, GPUARR_NO_SIZE, NULL) !=
                    GPUARR_ERR_COMPILE;
  task->failures += y != NULL;
  gpuarr_array_release(x);
  return NULL;
}

static void all_are_told_of_an_error(void** state) {
  (void)state;
  pthread_barrier_t together;
  pthread_t ids[threads];
  struct task tasks[threads];
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "y = nothing");
  pthread_barrier_init(&together, NULL, threads);
  for (int k = 0; k < threads; ++k) {
    tasks[k] = (struct task){&together, kernel, GPUARR_F32, 0};
    assert_int_equal(pthread_create(&ids[k], NULL, fail_together, &tasks[k]), 0);
  }
  for (int k = 0; k < threads; ++k) pthread_join(ids[k], NULL);
  for (int k = 0; k < threads; ++k) assert_int_equal(tasks[k].failures, 0);
  pthread_barrier_destroy(&together);
  gpuarr_elementwise_release(kernel);
}

struct things {
  gpuarr_array* arrays[2];
  gpuarr_elementwise* kernel;
  gpuarr_stream* stream;
};

static void* release_all(void* argument) {
  struct things* things = argument;
  gpuarr_array_release(things->arrays[0]);
  gpuarr_elementwise_release(things->kernel);
  gpuarr_stream_release(things->stream);
  gpuarr_array_release(things->arrays[1]);
  return NULL;
}

/* x, the first y, the kernel and the stream are let go by another thread while their work may
 * still be queued; what is taken from the pool meanwhile must not disturb it. */
static void releases_while_work_runs(void** state) {
  (void)state;
  for (int round = 0; round < 20; ++round) {
    struct things things = {{NULL, NULL}, make_elementwise("T x", "T y", "y = 2 * x"), NULL};
    gpuarr_array *z = NULL, *disturbance = NULL;
    const int64_t count = length;
    pthread_t id;
    assert_ok(gpuarr_stream_create(&things.stream, device, 0, 0));
    things.arrays[0] = ramp(GPUARR_F32, length, things.stream);
    gpuarr_stream* stream = gpuarr_stream_retain(things.stream);
    for (int k = 0; k < 2; ++k) {
      gpuarr_arg input = gpuarr_arg_array(things.arrays[k]);
      assert_ok(gpuarr_elementwise_call(things.kernel, k == 0 ? &things.arrays[1] : &z, 1, &input,
                                        1, GPUARR_NO_SIZE, things.stream));
    }
    assert_int_equal(pthread_create(&id, NULL, release_all, &things), 0);
    assert_ok(gpuarr_array_full(&disturbance, device, GPUARR_F32, 1, &count, GPUARR_ORDER_C,
                                gpuarr_arg_f32(-1), NULL));
    assert_ok(gpuarr_stream_synchronize(stream));
    pthread_join(id, NULL);
    assert_int_equal(wrong_elements(z, length, 4), 0);
    gpuarr_array_release(z);
    gpuarr_array_release(disturbance);
    gpuarr_stream_release(stream);
  }
}

static void two_streams_with_an_event_between(void** state) {
  (void)state;
  gpuarr_elementwise* twice = make_elementwise("T x", "T y", "y = 2 * x");
  for (int round = 0; round < 20; ++round) {
    gpuarr_stream *first = NULL, *second = NULL;
    gpuarr_event *event = NULL, *done = NULL;
    gpuarr_array *y = NULL, *z = NULL;
    assert_ok(gpuarr_stream_create(&first, device, 0, 0));
    assert_ok(gpuarr_stream_create(&second, device, 0, 0));
    assert_ok(gpuarr_event_create(&event, device, 0));
    assert_ok(gpuarr_event_create(&done, device, 0));
    gpuarr_array* x = ramp(GPUARR_F32, length, first);
    gpuarr_arg input = gpuarr_arg_array(x);
    assert_ok(gpuarr_elementwise_call(twice, &y, 1, &input, 1, GPUARR_NO_SIZE, first));
    gpuarr_array_release(x);
    assert_ok(gpuarr_event_record(event, first));
    gpuarr_stream_release(first); /* with its work in it */
    assert_ok(gpuarr_stream_wait(second, event));
    gpuarr_event_release(event);
    input = gpuarr_arg_array(y);
    assert_ok(gpuarr_elementwise_call(twice, &z, 1, &input, 1, GPUARR_NO_SIZE, second));
    gpuarr_array_release(y); /* used in a stream that it was not made in */
    assert_ok(gpuarr_event_record(done, second));
    gpuarr_stream_release(second);
    assert_ok(gpuarr_event_synchronize(done));
    gpuarr_event_release(done);
    assert_int_equal(wrong_elements(z, length, 4), 0);
    gpuarr_array_release(z);
  }
  gpuarr_elementwise_release(twice);
}

static int stop;

static void* call_until_stopped(void* argument) {
  gpuarr_elementwise* kernel = argument;
  gpuarr_array* y = NULL;
  gpuarr_arg input = gpuarr_arg_i32(3);
  const int64_t count = length;
  if (gpuarr_array_empty(&y, device, GPUARR_F32, 1, &count, 0, NULL) != GPUARR_OK) return argument;
  while (__atomic_load_n(&stop, __ATOMIC_RELAXED) == 0)
    if (gpuarr_elementwise_call(kernel, &y, 1, &input, 1, GPUARR_NO_SIZE, NULL) != GPUARR_OK)
      return argument;
  gpuarr_array_release(y);
  return NULL;
}

/* What a child of fork() does: one kernel that the parent may have compiled, and a new one. */
static int use_the_cpu(gpuarr_elementwise* kernel) {
  gpuarr_device* host = NULL;
  gpuarr_elementwise* fresh = NULL;
  const int64_t count = length;
  if (gpuarr_device_open(&host, "host") != GPUARR_OK ||
      gpuarr_elementwise_create(&fresh, "T x", "T y", "y += x + 1", NULL) != GPUARR_OK)
    return 1;
  gpuarr_array* y = NULL;
  gpuarr_arg input = gpuarr_arg_i32(3);
  float values[length] = {0};
  if (gpuarr_array_zeros(&y, host, GPUARR_F32, 1, &count, 0, NULL) != GPUARR_OK) return 2;
  if (gpuarr_elementwise_call(kernel, &y, 1, &input, 1, GPUARR_NO_SIZE, NULL) != GPUARR_OK)
    return 3;
  if (gpuarr_elementwise_call(fresh, &y, 1, &input, 1, GPUARR_NO_SIZE, NULL) != GPUARR_OK) return 4;
  if (gpuarr_array_read(values, sizeof values, NULL, y, NULL) != GPUARR_OK) return 5;
  for (int k = 0; k < length; ++k)
    if (values[k] != (float)(3 * (k % 5) + 4)) return 6;
  gpuarr_array_release(y);
  gpuarr_elementwise_release(fresh);
  return 0;
}

static void fork_while_kernels_run(void** state) {
  (void)state;
#if defined(__SANITIZE_THREAD__)
  skip(); /* ThreadSanitizer ends a child that starts threads */
#elif defined(__SANITIZE_ADDRESS__)
  skip(); /* AddressSanitizer's own lock may be held by a thread that the child does not have */
#endif
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", "y = x * (i % 5)");
  pthread_t ids[3];
  for (int k = 0; k < 3; ++k)
    assert_int_equal(pthread_create(&ids[k], NULL, call_until_stopped, kernel), 0);
  for (int round = 0; round < 5; ++round) {
    pid_t child = fork();
    if (child == 0) {
      alarm(60);
      _exit(use_the_cpu(kernel));
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int k = 0; k < 3; ++k) {
    void* failed = NULL;
    pthread_join(ids[k], &failed);
    assert_null(failed);
  }
  gpuarr_elementwise_release(kernel);
}

int main(void) {
  setenv("GPUARR_CACHE", "off", 1); /* what is compiled is counted */
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ten_threads_compile_once),
      cmocka_unit_test(each_thread_its_own_dtype),
      cmocka_unit_test(all_are_told_of_an_error),
      cmocka_unit_test(releases_while_work_runs),
      cmocka_unit_test(two_streams_with_an_event_between),
      cmocka_unit_test(fork_while_kernels_run),
  };
  return run_suite(tests);
}
