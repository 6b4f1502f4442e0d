/* Releases in odd moments: on threads that end, while the process ends, after a fault, in the child
 * of a fork, in the wrong order, while kernels run. What has to do with the end of a process runs
 * in a process of its own, this program with the moment's name. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { SIZE = 1000 };

/* One of each. */
struct things {
  gpuarr_array *array, *view;
  gpuarr_stream *stream, *current;
  gpuarr_event* event;
  gpuarr_elementwise* kernel;
  gpuarr_call* call;
  gpuarr_module* module;
  gpuarr_raw* raw;
};

static const char source[] =
    "extern \"C\" __global__ void one(float* x) { x[threadIdx.x] = 1; }\n"
    "extern \"C\" __global__ void wild(float* x) { x[(long long)1 << 40] = 1; }\n";

static gpuarr_array* zeros(gpuarr_stream* stream) {
  gpuarr_array* array = NULL;
  const int64_t shape[] = {SIZE};
  gpuarr_array_zeros(&array, open_test_device(), GPUARR_F32, 1, shape, GPUARR_ORDER_C, stream);
  return array;
}

/* With work of each that may still be running. */
static int make_things(struct things* t) {
  gpuarr_device* device = open_test_device();
  memset(t, 0, sizeof *t);
  int failures = gpuarr_stream_create(&t->stream, device, 0, 0) != GPUARR_OK;
  failures += gpuarr_stream_current(&t->current, device) != GPUARR_OK;
  failures += gpuarr_event_create(&t->event, device, 0) != GPUARR_OK;
  t->array = zeros(t->stream);
  failures += gpuarr_array_slice(&t->view, t->array, 0, 10, 20, 1) != GPUARR_OK;
  failures += gpuarr_elementwise_create(&t->kernel, "T x", "T y", "y = x + 1;", NULL) != GPUARR_OK;
  const gpuarr_arg input = gpuarr_arg_array(t->array);
  failures += gpuarr_elementwise_prepare(&t->call, t->kernel, &t->array, 1, &input, 1,
                                         GPUARR_NO_SIZE) != GPUARR_OK;
  failures += gpuarr_call_launch(t->call, t->stream) != GPUARR_OK;
  failures += gpuarr_module_create(&t->module, source, NULL) != GPUARR_OK;
  failures += gpuarr_module_kernel(&t->raw, t->module, "one", NULL) != GPUARR_OK;
  failures += gpuarr_raw_launch_1d(t->raw, 10, &input, 1, t->stream) != GPUARR_OK;
  failures += gpuarr_event_record(t->event, t->stream) != GPUARR_OK;
  if (failures != 0) print_error("%s\n", gpuarr_last_error());
  return failures;
}

static void release_things(struct things* t) {
  gpuarr_raw_release(t->raw);
  gpuarr_module_release(t->module);
  gpuarr_elementwise_release(t->kernel);
  gpuarr_call_release(t->call);
  gpuarr_event_release(t->event);
  gpuarr_stream_release(t->stream);
  gpuarr_stream_release(t->current);
  gpuarr_array_release(t->array);
  gpuarr_array_release(t->view);
}

/* In one of the moments: failures have messages, arrays come and go in the current stream. */
static int works_here(void) {
  gpuarr_dtype dtype = 0;
  char name[300];
  memset(name, 'x', sizeof name);
  name[sizeof name - 1] = '\0';
  if (gpuarr_dtype_from_name(&dtype, name) != GPUARR_ERR_TYPE) return 0;
  if (strstr(gpuarr_last_error(), name) == NULL) return 0;
  gpuarr_array* array = zeros(NULL);
  if (array == NULL) return 0;
  gpuarr_status status = gpuarr_array_fill(array, gpuarr_arg_f32(1), NULL);
  gpuarr_array_release(array);
  return status == GPUARR_OK;
}

/* ---- threads ---- */

static void* release_only(void* things) {
  release_things(things);
  return NULL;
}

static void on_a_thread_that_never_called(void** state) {
  (void)state;
  struct things things;
  pthread_t thread;
  assert_int_equal(make_things(&things), 0);
  assert_int_equal(pthread_create(&thread, NULL, release_only, &things), 0);
  pthread_join(thread, NULL);
  assert_int_equal(gpuarr_live_objects(), 0);
}

/* Thread-specific data is destroyed after all thread_local objects, in rounds. */
static pthread_key_t keys[2];
static int key_rounds, worked;

static void end_of_key(void* things) {
  worked += works_here();
  if (++key_rounds == 1) {
    pthread_setspecific(keys[1], things); /* once more, after all others */
    return;
  }
  release_things(things);
  worked += works_here();
}

static void* leave_it_to_the_keys(void* things) {
  gpuarr_stream* own = NULL;
  if (make_things(things) == 0 && works_here() &&
      gpuarr_stream_create(&own, open_test_device(), 0, 0) == GPUARR_OK &&
      gpuarr_stream_set_current(open_test_device(), own) == GPUARR_OK)
    pthread_setspecific(keys[0], things);
  gpuarr_stream_release(own);
  return NULL;
}

static void in_a_destructor_of_thread_specific_data(void** state) {
  (void)state;
  struct things things;
  for (int i = 0; i < 2; ++i) assert_int_equal(pthread_key_create(&keys[i], end_of_key), 0);
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, leave_it_to_the_keys, &things), 0);
  pthread_join(thread, NULL);
  assert_int_equal(key_rounds, 2);
  assert_int_equal(worked, 3);
  assert_int_equal(gpuarr_live_objects(), 0);
  for (int i = 0; i < 2; ++i) pthread_key_delete(keys[i]);
}

/* ---- orders ---- */

static void in_the_order_of_making(void** state) {
  (void)state;
  struct things t;
  assert_int_equal(make_things(&t), 0);
  assert_ok(gpuarr_stream_synchronize(t.stream)); /* what follows is in another */
  gpuarr_stream_release(t.stream);
  gpuarr_stream_release(t.current);
  gpuarr_event_release(t.event);
  gpuarr_array_release(t.array);
  gpuarr_elementwise_release(t.kernel);
  gpuarr_module_release(t.module);
  assert_ok(gpuarr_array_fill(t.view, gpuarr_arg_f32(2), NULL));
  const gpuarr_arg input = gpuarr_arg_array(t.view);
  assert_ok(gpuarr_raw_launch_1d(t.raw, 10, &input, 1, NULL));
  assert_ok(gpuarr_call_launch(t.call, NULL)); /* holds its array */
  gpuarr_array_release(t.view);
  gpuarr_raw_release(t.raw);
  gpuarr_call_release(t.call);
  assert_int_equal(gpuarr_live_objects(), 0);
  assert_ok(gpuarr_device_synchronize(open_test_device()));
}

/* The last reference of a stream goes in its own work. */
static void release_stream(void* stream) { gpuarr_stream_release(stream); }

static void in_the_streams_own_work(void** state) {
  (void)state;
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
  gpuarr_array* array = zeros(stream);
  assert_ok(gpuarr_array_fill(array, gpuarr_arg_f32(1), stream));
  assert_ok(gpuarr_stream_host_function(stream, release_stream, stream));
  gpuarr_array_release(array);
  for (int i = 0; i < 5000 && gpuarr_live_objects() != 0; ++i) usleep(1000);
  assert_int_equal(gpuarr_live_objects(), 0);
  assert_ok(gpuarr_memory_trim(open_test_device()));
}

/* ---- a thread that finalises, as those of garbage collectors do ---- */

enum { GARBAGE = 64, ROUNDS = 50 };

static struct {
  pthread_mutex_t mutex;
  gpuarr_array* arrays[GARBAGE];
  int count, closed;
} garbage = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void throw_away(gpuarr_array* array) {
  pthread_mutex_lock(&garbage.mutex);
  int full = garbage.count == GARBAGE;
  if (!full) garbage.arrays[garbage.count++] = array;
  pthread_mutex_unlock(&garbage.mutex);
  if (full) gpuarr_array_release(array);
}

static void* finalise(void* unused) {
  for (int closed = 0; !closed;) {
    gpuarr_array* arrays[GARBAGE];
    pthread_mutex_lock(&garbage.mutex);
    int count = garbage.count;
    closed = garbage.closed;
    memcpy(arrays, garbage.arrays, sizeof arrays);
    garbage.count = 0;
    pthread_mutex_unlock(&garbage.mutex);
    for (int i = 0; i < count; ++i) gpuarr_array_release(arrays[i]);
  }
  return unused;
}

static void by_a_finaliser_while_kernels_run(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = NULL;
  gpuarr_stream* streams[2];
  pthread_t thread;
  for (int i = 0; i < 2; ++i)
    assert_ok(gpuarr_stream_create(&streams[i], open_test_device(), 0, 0));
  assert_ok(gpuarr_elementwise_create(&kernel, "T x", "T y", "y = x + 1;", NULL));
  assert_int_equal(pthread_create(&thread, NULL, finalise, NULL), 0);
  gpuarr_array* x = zeros(NULL);
  assert_ok(gpuarr_device_synchronize(open_test_device()));
  for (int i = 0; i < ROUNDS; ++i) {
    gpuarr_array *y = NULL, *z = NULL;
    gpuarr_arg input = gpuarr_arg_array(x);
    assert_ok(gpuarr_elementwise_call(kernel, &y, 1, &input, 1, GPUARR_NO_SIZE, streams[0]));
    input = gpuarr_arg_array(y);
    gpuarr_event* event = NULL;
    assert_ok(gpuarr_event_create(&event, open_test_device(), GPUARR_EVENT_NO_TIMING));
    assert_ok(gpuarr_event_record(event, streams[0]));
    assert_ok(gpuarr_stream_wait(streams[1], event));
    gpuarr_event_release(event);
    assert_ok(gpuarr_elementwise_call(kernel, &z, 1, &input, 1, GPUARR_NO_SIZE, streams[1]));
    throw_away(y);
    throw_away(z);
  }
  pthread_mutex_lock(&garbage.mutex);
  garbage.closed = 1;
  pthread_mutex_unlock(&garbage.mutex);
  pthread_join(thread, NULL);
  gpuarr_array_release(x);
  gpuarr_elementwise_release(kernel);
  for (int i = 0; i < 2; ++i) gpuarr_stream_release(streams[i]);
  assert_int_equal(gpuarr_live_objects(), 0);
}

/* ---- the end of a process ---- */

static struct things at_exit;
static int destroys_at_exit;

static void fail_at_exit(const char* where) {
  fprintf(stderr, "%s: %s\n", where, gpuarr_last_error());
  _exit(1);
}

/* A GPU's driver may have ended before, and says so. */
static int works_or_has_ended(void) {
  return works_here() || strstr(gpuarr_last_error(), "the process is ending") != NULL;
}

static void before_the_library(void) {
  if (!works_or_has_ended()) fail_at_exit("a handler from before the first call");
  release_things(&at_exit);
  if (gpuarr_live_objects() != 0 || !works_or_has_ended()) fail_at_exit("after the releases");
}

static void after_the_library(void) {
  if (!works_or_has_ended()) fail_at_exit("a handler from after the first call");
}

__attribute__((destructor)) static void destroy(void) {
  if (!destroys_at_exit) return;
  if (!works_or_has_ended()) fail_at_exit("a destructor");
  release_things(&at_exit);
  if (gpuarr_live_objects() != 0) fail_at_exit("a destructor after the releases");
}

static int end_with_handlers(void) {
  atexit(before_the_library);
  if (make_things(&at_exit) != 0) return 2;
  atexit(after_the_library);
  exit(works_here() ? 0 : 3);
}

static int end_with_a_destructor(void) {
  destroys_at_exit = 1;
  if (make_things(&at_exit) != 0) return 2;
  exit(works_here() ? 0 : 3);
}

/* Nothing is released, and the streams have more to do than the process has time for. */
static int end_with_work(void) {
  static struct things left[3];
  for (int i = 0; i < 3; ++i)
    if (make_things(&left[i]) != 0) return 2;
  for (int i = 0; i < 2000; ++i)
    if (gpuarr_call_launch(left[i % 3].call, left[i % 3].stream) != GPUARR_OK) return 3;
  exit(0);
}

static void* work_on(void* things) {
  for (;;) {
    struct things* t = things;
    if (gpuarr_call_launch(t->call, t->stream) != GPUARR_OK) return NULL;
    gpuarr_array_release(zeros(t->stream));
    gpuarr_stream_synchronize(t->stream);
  }
}

/* Other threads are in the middle of calls when main returns. */
static int end_while_threads_work(void) {
  static struct things of_thread[3];
  pthread_t thread;
  for (int i = 0; i < 3; ++i)
    if (make_things(&of_thread[i]) != 0 ||
        pthread_create(&thread, NULL, work_on, &of_thread[i]) != 0)
      return 2;
  usleep(20000);
  exit(0);
}

/* A fault loses a GPU; the stand-in for the driver is told to have one. */
static int end_with_a_fault(void) {
  struct things t;
  if (test_device_is_host()) return 0;
  if (make_things(&t) != 0) return 2;
  gpuarr_raw* wild = NULL;
  if (gpuarr_module_kernel(&wild, t.module, "wild", NULL) != GPUARR_OK) return 3;
  setenv("FAKE_CUDA_FAULT", "700", 1);
  const gpuarr_arg argument = gpuarr_arg_array(t.array);
  gpuarr_raw_launch_1d(wild, 1, &argument, 1, t.stream);
  if (gpuarr_stream_synchronize(t.stream) != GPUARR_ERR_FAULT) return 4;
  gpuarr_raw_release(wild);
  release_things(&t);
  if (gpuarr_live_objects() != 0) return 5;
  if (gpuarr_memory_trim(open_test_device()) == GPUARR_OK) return 6;
  return zeros(NULL) != NULL;
}

static gpuarr_status make_each(gpuarr_device* device) {
  gpuarr_stream* stream = NULL;
  gpuarr_event* event = NULL;
  gpuarr_array* array = NULL;
  const int64_t shape[] = {SIZE};
  gpuarr_status first = gpuarr_stream_create(&stream, device, 0, 0);
  gpuarr_status second = gpuarr_event_create(&event, device, 0);
  gpuarr_status third =
      gpuarr_array_zeros(&array, device, GPUARR_F32, 1, shape, GPUARR_ORDER_C, stream);
  if (first == GPUARR_OK) first = gpuarr_event_record(event, stream);
  if (second == GPUARR_OK) second = gpuarr_event_synchronize(event);
  if (third == GPUARR_OK) third = gpuarr_stream_synchronize(stream);
  gpuarr_array_release(array);
  gpuarr_event_release(event);
  gpuarr_stream_release(stream);
  return first == second && second == third ? first : GPUARR_ERR_INTERNAL;
}

/* What the parent's calls do in the child: on the CPU all works, a GPU says why not. */
static int in_the_child(struct things* t, gpuarr_array* of_the_cpu) {
  const gpuarr_status wanted = test_device_is_host() ? GPUARR_OK : GPUARR_ERR_FORKED;
  gpuarr_device* cpu = NULL;
  float values[SIZE];
  if (make_each(gpuarr_stream_device(t->stream)) != wanted) return 10;
  if (gpuarr_array_fill(t->array, gpuarr_arg_f32(1), NULL) != wanted) return 11;
  if (gpuarr_stream_synchronize(t->stream) != wanted) return 12;
  if (gpuarr_event_record(t->event, t->stream) != wanted) return 13;
  if (gpuarr_call_launch(t->call, NULL) != wanted) return 14;
  if (gpuarr_device_open(&cpu, "host") != GPUARR_OK || make_each(cpu) != GPUARR_OK) return 15;
  if (gpuarr_array_read(values, NULL, of_the_cpu, NULL) != GPUARR_OK) return 16;
  release_things(t);
  gpuarr_array_release(of_the_cpu);
  return gpuarr_live_objects() == 0 ? 0 : 17;
}

static int end_in_a_child(void) {
#if defined(__SANITIZE_THREAD__)
  return 0; /* ThreadSanitizer ends a child that starts threads */
#endif
  struct things t;
  gpuarr_device* cpu = NULL;
  gpuarr_array* of_the_cpu = NULL;
  const int64_t shape[] = {SIZE};
  if (make_things(&t) != 0 || gpuarr_device_open(&cpu, "host") != GPUARR_OK) return 2;
  gpuarr_array_ones(&of_the_cpu, cpu, GPUARR_F32, 1, shape, GPUARR_ORDER_C, NULL);
#if defined(__SANITIZE_ADDRESS__)
  gpuarr_stream_synchronize(t.stream); /* its lock may be held by a thread that the child has not */
#endif
  pid_t child = fork();
  if (child == 0) {
    alarm(30);
    int result = in_the_child(&t, of_the_cpu);
    if (sanitized) _exit(result); /* LeakSanitizer would look for the parent's threads */
    exit(result);
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (!WIFEXITED(status)) return 3;
  release_things(&t);
  gpuarr_array_release(of_the_cpu);
  return WEXITSTATUS(status);
}

static const struct {
  const char* name;
  int (*run)(void);
} moments[] = {
    {"handlers", end_with_handlers}, {"destructor", end_with_a_destructor},
    {"work", end_with_work},         {"threads", end_while_threads_work},
    {"fault", end_with_a_fault},     {"child", end_in_a_child},
};

static int run_moment(const char* name) {
  alarm(60);
  for (size_t i = 0; i < sizeof moments / sizeof *moments; ++i)
    if (strcmp(moments[i].name, name) == 0) return moments[i].run();
  return 127;
}

/* Another process, which must end with 0 and write nothing. */
static void in_a_process_of_its_own(void** state) {
  const char* name = *state;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    execl("/proc/self/exe", "test_release", name, (char*)NULL);
    _exit(127);
  }
  close(ends[1]);
  char text[4000];
  size_t length = 0;
  for (ssize_t got = 1; got > 0 && length < sizeof text - 1; length += (size_t)(got > 0 ? got : 0))
    got = read(ends[0], text + length, sizeof text - 1 - length);
  text[length] = '\0';
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  if (status != 0) print_error("%s: wait status %d\n", name, status);
  assert_string_equal(text, "");
  assert_int_equal(status, 0);
}

#define MOMENT(name) \
  { "at_the_end_of_a_process_with_" name, in_a_process_of_its_own, NULL, NULL, name }

int main(int argc, char** argv) {
  if (argc > 1) return run_moment(argv[1]);
  open_test_device(); /* or skip all */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_a_thread_that_never_called),
      cmocka_unit_test(in_a_destructor_of_thread_specific_data),
      cmocka_unit_test(in_the_order_of_making),
      cmocka_unit_test(in_the_streams_own_work),
      cmocka_unit_test(by_a_finaliser_while_kernels_run),
      MOMENT("handlers"),
      MOMENT("destructor"),
      MOMENT("work"),
      MOMENT("threads"),
      MOMENT("fault"),
      MOMENT("child"),
  };
  return run_suite(tests);
}
