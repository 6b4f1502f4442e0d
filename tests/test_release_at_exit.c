/* Releases while a process ends, after a fault, and in the child of a fork. Each is tried in a
 * process of its own: this program with the moment's name. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "things.h"

static struct things at_exit;
static int destroys_at_exit;

static void fail_at_exit(const char* where) {
  fprintf(stderr, "%s: %s\n", where, gpuarr_last_error());
  _exit(1);
}

/* A GPU's driver may have ended before, and says so. */
static int works_or_has_ended(void) {
  return works_here() || strstr(gpuarr_last_error(), "the process is exiting") != NULL;
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
  if (gpuarr_array_read(values, sizeof values, NULL, of_the_cpu, NULL) != GPUARR_OK) return 16;
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
    execl("/proc/self/exe", "test_release_at_exit", name, (char*)NULL);
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
      MOMENT("handlers"), MOMENT("destructor"), MOMENT("work"),
      MOMENT("threads"),  MOMENT("fault"),      MOMENT("child"),
  };
  return run_suite(tests);
}
