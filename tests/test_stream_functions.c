/* Tests of gpuarr/stream.h: functions that run in the order of a stream, and handles of streams
 * that are given away and borrowed. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "support.h"

static gpuarr_stream* new_stream(void) {
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
  return stream;
}

static void sleep_for(int milliseconds) {
  struct timespec pause = {0, milliseconds * 1000000L};
  nanosleep(&pause, NULL);
}

/* What ran, in its order. */
static struct {
  atomic_int count;
  int ran[100];
} seen;

struct step {
  int number, milliseconds;
};

static void note(void* user) {
  const struct step* step = user;
  sleep_for(step->milliseconds);
  seen.ran[atomic_fetch_add(&seen.count, 1)] = step->number;
}

static void functions_run_in_order(void** state) {
  (void)state;
  gpuarr_stream *first = new_stream(), *second = new_stream();
  gpuarr_event* event = NULL;
  assert_ok(gpuarr_event_create(&event, open_test_device(), GPUARR_EVENT_NO_TIMING));
  struct step steps[50];
  atomic_store(&seen.count, 0);
  for (int k = 0; k < 50; ++k) {
    steps[k] = (struct step){k, k % 10 == 0 ? 2 : 0};
    gpuarr_stream* stream = k < 25 ? first : second;
    if (k == 25) {
      assert_ok(gpuarr_event_record(event, first));
      assert_ok(gpuarr_stream_wait(second, event));
    }
    assert_ok(gpuarr_stream_host_function(stream, note, &steps[k]));
  }
  assert_ok(gpuarr_stream_synchronize(second));
  assert_int_equal(atomic_load(&seen.count), 50);
  for (int k = 0; k < 50; ++k) assert_int_equal(seen.ran[k], k);
  gpuarr_event_release(event);
  gpuarr_stream_release(first);
  gpuarr_stream_release(second);
}

/* The stream and its array go while work is under way. */
static void a_released_stream_does_its_work(void** state) {
  (void)state;
  const int64_t shape[] = {1000};
  struct step slow = {1, 20}, last = {2, 0};
  gpuarr_stream* stream = new_stream();
  gpuarr_array* array = NULL;
  atomic_store(&seen.count, 0);
  assert_ok(gpuarr_stream_host_function(stream, note, &slow));
  assert_ok(
      gpuarr_array_zeros(&array, open_test_device(), GPUARR_F32, 1, shape, GPUARR_ORDER_C, stream));
  assert_ok(gpuarr_stream_host_function(stream, note, &last));
  gpuarr_array_release(array);
  gpuarr_stream_release(stream);
  assert_ok(gpuarr_device_synchronize(open_test_device()));
  while (atomic_load(&seen.count) < 2) sleep_for(1); /* done, if not yet waited for */
  assert_int_equal(seen.ran[0], 1);
  assert_int_equal(seen.ran[1], 2);
}

struct attempt {
  gpuarr_stream* stream;
  gpuarr_array* array;
  gpuarr_event* event;
  gpuarr_status synchronize, create;
};

static void use_the_device(void* user) {
  struct attempt* attempt = user;
  gpuarr_stream* made = NULL;
  attempt->synchronize = gpuarr_stream_synchronize(attempt->stream);
  attempt->create = gpuarr_stream_create(&made, gpuarr_stream_device(attempt->stream), 0, 0);
  gpuarr_stream_release(made);
  gpuarr_array_release(attempt->array);
  gpuarr_event_release(attempt->event);
}

/* A GPU refuses; the CPU could hang only where streams have threads. */
static void functions_use_no_gpu(void** state) {
  (void)state;
  const int64_t shape[] = {1000};
  gpuarr_device* device = open_test_device();
  struct attempt attempt = {new_stream(), NULL, NULL, -1, -1};
  assert_ok(gpuarr_event_create(&attempt.event, device, 0));
  assert_ok(gpuarr_array_zeros(&attempt.array, device, GPUARR_F32, 1, shape, GPUARR_ORDER_C,
                               attempt.stream));
  assert_ok(gpuarr_stream_host_function(attempt.stream, use_the_device, &attempt));
  assert_ok(gpuarr_stream_synchronize(attempt.stream));
  if (test_device_is_host()) {
    assert_true(attempt.synchronize == GPUARR_OK || attempt.synchronize == GPUARR_ERR_ARGUMENT);
    assert_int_equal(attempt.create, GPUARR_OK);
  } else {
    assert_int_equal(attempt.synchronize, GPUARR_ERR_ARGUMENT);
    assert_int_equal(attempt.create, GPUARR_ERR_ARGUMENT);
  }
  gpuarr_stream_release(attempt.stream);
  assert_status(gpuarr_stream_host_function(NULL, note, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_host_function: stream is NULL");
  gpuarr_stream* stream = new_stream();
  assert_status(gpuarr_stream_host_function(stream, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_host_function: function is NULL");
  gpuarr_stream_release(stream);
}

static void handles_come_back(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_stream *stream = new_stream(), *again = NULL;
  void* native = gpuarr_stream_native(stream);
  assert_ok(gpuarr_stream_borrow(&again, device, native));
  assert_ptr_equal(gpuarr_stream_native(again), native);
  assert_ptr_equal(gpuarr_stream_device(again), device);
  gpuarr_stream_release(stream); /* the borrowed one holds it */
  assert_ok(gpuarr_stream_synchronize(again));
  gpuarr_stream_release(again);
  assert_status(gpuarr_stream_borrow(NULL, device, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_borrow: out is NULL");
  assert_status(gpuarr_stream_borrow(&again, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_borrow: device is NULL");
  if (!test_device_is_host()) return;
  assert_status(gpuarr_stream_borrow(&again, device, &native), GPUARR_ERR_ARGUMENT);
  assert_null(again);
  assert_message_has("native is not a stream of host");
}

/* Work in the default stream of other libraries, kept as this thread's current stream. */
static void the_default_stream_is_borrowed(void** state) {
  (void)state;
  const int64_t shape[] = {1000};
  gpuarr_device* device = open_test_device();
  gpuarr_stream *stream = NULL, *current = NULL;
  gpuarr_array* array = NULL;
  int32_t data[1000];
  assert_ok(gpuarr_stream_borrow(&stream, device, NULL));
  assert_ok(gpuarr_stream_set_current(device, stream));
  assert_ok(gpuarr_stream_current(&current, device));
  assert_ptr_equal(gpuarr_stream_native(current), gpuarr_stream_native(stream));
  gpuarr_stream_release(stream);
  assert_ok(gpuarr_array_zeros(&array, device, GPUARR_I32, 1, shape, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_stream_set_current(device, NULL));
  assert_ok(gpuarr_array_read(data, sizeof data, NULL, array, current));
  for (int k = 0; k < 1000; ++k) assert_int_equal(data[k], 0);
  gpuarr_stream_release(current);
  gpuarr_array_release(array);
}

static void peers_are_known(void** state) {
  (void)state;
  gpuarr_device *device = open_test_device(), *host = NULL;
  int32_t can = -1;
  assert_ok(gpuarr_device_can_access_peer(&can, device, device));
  assert_int_equal(can, 1);
  assert_ok(gpuarr_device_enable_peer(device, device));
  assert_ok(gpuarr_device_open(&host, "host"));
  if (!test_device_is_host()) {
    assert_ok(gpuarr_device_can_access_peer(&can, device, host));
    assert_int_equal(can, 0);
    assert_status(gpuarr_device_enable_peer(device, host), GPUARR_ERR_UNSUPPORTED);
    assert_message_has("cannot access the memory of host; copy arrays instead");
    assert_status(gpuarr_device_enable_peer(host, device), GPUARR_ERR_UNSUPPORTED);
  }
  assert_status(gpuarr_device_can_access_peer(NULL, device, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_can_access_peer: out is NULL");
  assert_status(gpuarr_device_can_access_peer(&can, NULL, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("device is NULL");
  assert_status(gpuarr_device_can_access_peer(&can, device, NULL), GPUARR_ERR_ARGUMENT);
  assert_int_equal(can, 0);
  assert_message_has("peer is NULL");
  assert_status(gpuarr_device_enable_peer(NULL, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_enable_peer: device is NULL");
  assert_status(gpuarr_device_enable_peer(device, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_device_enable_peer: peer is NULL");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_run_in_order),
      cmocka_unit_test(a_released_stream_does_its_work),
      cmocka_unit_test(functions_use_no_gpu),
      cmocka_unit_test(handles_come_back),
      cmocka_unit_test(the_default_stream_is_borrowed),
      cmocka_unit_test(peers_are_known),
  };
  return run_suite(tests);
}
