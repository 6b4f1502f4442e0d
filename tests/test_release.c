/* Releases in odd moments: on threads that end, in the wrong order, in a stream's own work, while
 * kernels run. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "things.h"

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

int main(void) {
  open_test_device(); /* or skip all */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(on_a_thread_that_never_called),
      cmocka_unit_test(in_a_destructor_of_thread_specific_data),
      cmocka_unit_test(in_the_order_of_making),
      cmocka_unit_test(in_the_streams_own_work),
      cmocka_unit_test(by_a_finaliser_while_kernels_run),
  };
  return run_suite(tests);
}
