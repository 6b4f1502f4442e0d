/* Tests of gpuarr/stream.h: streams, events, and each thread's current stream. */
#include <pthread.h>
#include <time.h>

#include "support.h"

/* A device other than the one under test, or NULL. */
static gpuarr_device* other_device(void) {
  gpuarr_device* other = NULL;
  gpuarr_device_open(&other, test_device_is_host() ? "cuda" : "host");
  return other;
}

static gpuarr_stream* new_stream(gpuarr_device* device, int32_t priority) {
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_create(&stream, device, priority, 0));
  assert_non_null(stream);
  return stream;
}

static gpuarr_event* new_event(gpuarr_device* device) {
  gpuarr_event* event = NULL;
  assert_ok(gpuarr_event_create(&event, device, 0));
  assert_non_null(event);
  return event;
}

/* Two handles may be of one stream. */
static void* current_native(gpuarr_device* device) {
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_current(&stream, device));
  void* native = gpuarr_stream_native(stream);
  gpuarr_stream_release(stream);
  return native;
}

static void streams_know_their_device(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_stream* stream = new_stream(device, 0);
  assert_ptr_equal(gpuarr_stream_device(stream), device);
  assert_int_equal(gpuarr_stream_priority(stream), 0);
  assert_non_null(gpuarr_stream_native(stream));
  gpuarr_stream_release(stream);
}

static void priorities_are_clamped(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  int64_t lowest = 0, highest = 0;
  assert_ok(gpuarr_device_attribute(&lowest, device, GPUARR_DEVICE_LOWEST_PRIORITY));
  assert_ok(gpuarr_device_attribute(&highest, device, GPUARR_DEVICE_HIGHEST_PRIORITY));
  gpuarr_stream* low = new_stream(device, 1000);
  gpuarr_stream* high = new_stream(device, -1000);
  gpuarr_stream* exact = new_stream(device, (int32_t)highest);
  assert_int_equal(gpuarr_stream_priority(low), lowest);
  assert_int_equal(gpuarr_stream_priority(high), highest);
  assert_int_equal(gpuarr_stream_priority(exact), highest);
  gpuarr_stream_release(low);
  gpuarr_stream_release(high);
  gpuarr_stream_release(exact);
}

static void objects_are_counted(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  int64_t before = gpuarr_live_objects();
  gpuarr_stream* stream = new_stream(device, 0);
  gpuarr_event* event = new_event(device);
  assert_int_equal(gpuarr_live_objects(), before + 2);
  assert_ptr_equal(gpuarr_stream_retain(stream), stream);
  assert_ptr_equal(gpuarr_event_retain(event), event);
  gpuarr_stream_release(stream);
  gpuarr_event_release(event);
  assert_int_equal(gpuarr_live_objects(), before + 2);
  assert_ok(gpuarr_event_record(event, stream)); /* both are still there */
  gpuarr_stream_release(stream);
  gpuarr_event_release(event);
  assert_int_equal(gpuarr_live_objects(), before);
}

static void null_is_retained_and_released(void** state) {
  (void)state;
  assert_null(gpuarr_stream_retain(NULL));
  assert_null(gpuarr_event_retain(NULL));
  gpuarr_stream_release(NULL);
  gpuarr_event_release(NULL);
  assert_null(gpuarr_stream_device(NULL));
  assert_null(gpuarr_event_device(NULL));
  assert_null(gpuarr_event_native(NULL));
  assert_null(gpuarr_stream_native(NULL));
  assert_int_equal(gpuarr_stream_priority(NULL), 0);
}

static void current_stream_is_set_and_reset(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  void* own = current_native(device);
  gpuarr_stream* stream = new_stream(device, 0);
  assert_ok(gpuarr_stream_set_current(device, stream));
  assert_ptr_equal(current_native(device), gpuarr_stream_native(stream));
  void* native = gpuarr_stream_native(stream);
  gpuarr_stream_release(stream); /* the thread holds it */
  assert_ptr_equal(current_native(device), native);
  assert_ok(gpuarr_stream_set_current(device, NULL));
  assert_ptr_equal(current_native(device), own);
}

struct seen {
  gpuarr_device* device;
  gpuarr_stream* set;
  void *before, *after;
};

static void* look_and_set(void* argument) {
  struct seen* seen = argument;
  gpuarr_stream* stream = NULL;
  if (gpuarr_stream_current(&stream, seen->device) != GPUARR_OK) return NULL;
  seen->before = gpuarr_stream_native(stream);
  gpuarr_stream_release(stream);
  if (gpuarr_stream_set_current(seen->device, seen->set) != GPUARR_OK) return NULL;
  if (gpuarr_stream_current(&stream, seen->device) != GPUARR_OK) return NULL;
  seen->after = gpuarr_stream_native(stream);
  gpuarr_stream_release(stream);
  return seen;
}

static void current_stream_is_each_threads_own(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  void* own = current_native(device);
  gpuarr_stream* mine = new_stream(device, 0);
  gpuarr_stream* theirs = new_stream(device, 0);
  assert_ok(gpuarr_stream_set_current(device, mine));
  struct seen seen = {device, theirs, NULL, NULL};
  pthread_t thread;
  void* result = NULL;
  assert_int_equal(pthread_create(&thread, NULL, look_and_set, &seen), 0);
  assert_int_equal(pthread_join(thread, &result), 0);
  assert_ptr_equal(result, &seen);
  assert_ptr_equal(seen.before, own);
  assert_ptr_equal(seen.after, gpuarr_stream_native(theirs));
  assert_ptr_equal(current_native(device), gpuarr_stream_native(mine));
  assert_ok(gpuarr_stream_set_current(device, NULL));
  gpuarr_stream_release(mine);
  gpuarr_stream_release(theirs);
}

static void streams_synchronize_and_answer(void** state) {
  (void)state;
  gpuarr_stream* stream = new_stream(open_test_device(), 0);
  assert_ok(gpuarr_stream_synchronize(stream));
  int32_t done = -1;
  assert_ok(gpuarr_stream_query(&done, stream));
  assert_int_equal(done, 1);
  gpuarr_stream_release(stream);
}

static void events_mark_points(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_stream* first = new_stream(device, 0);
  gpuarr_stream* second = new_stream(device, 0);
  gpuarr_event* event = new_event(device);
  int32_t done = -1;
  assert_ok(gpuarr_event_query(&done, event)); /* never recorded */
  assert_int_equal(done, 1);
  assert_ok(gpuarr_event_synchronize(event));
  assert_ok(gpuarr_stream_wait(second, event));

  assert_ok(gpuarr_event_record(event, first));
  assert_ok(gpuarr_stream_wait(second, event));
  assert_ok(gpuarr_event_synchronize(event));
  assert_ok(gpuarr_event_query(&done, event));
  assert_int_equal(done, 1);
  assert_ok(gpuarr_stream_synchronize(second));
  assert_ok(gpuarr_event_record(event, NULL)); /* the current stream */
  assert_ok(gpuarr_event_synchronize(event));
  gpuarr_event_release(event);
  gpuarr_stream_release(first);
  gpuarr_stream_release(second);
}

static void time_between_events(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_event* start = new_event(device);
  gpuarr_event* end = new_event(device);
  double microseconds = -1;
  assert_status(gpuarr_event_elapsed(&microseconds, start, end), GPUARR_ERR_ARGUMENT);
  assert_true(microseconds == 0);
  assert_message_has("never recorded");
  assert_ok(gpuarr_event_record(start, NULL));
  assert_status(gpuarr_event_elapsed(&microseconds, start, end), GPUARR_ERR_ARGUMENT);
  assert_ok(gpuarr_event_record(end, NULL));
  assert_ok(gpuarr_event_synchronize(end));
  assert_ok(gpuarr_event_elapsed(&microseconds, start, end));
  assert_true(microseconds >= 0 && microseconds < 60e6);
  struct timespec pause = {0, 5000000};
  nanosleep(&pause, NULL);
  assert_ok(gpuarr_event_record(end, NULL));
  assert_ok(gpuarr_event_synchronize(end));
  assert_ok(gpuarr_event_elapsed(&microseconds, start, end));
  assert_true(microseconds >= 4900 && microseconds < 60e6);
  gpuarr_event_release(start);
  gpuarr_event_release(end);
}

static void devices_are_not_mixed(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_device* other = other_device();
  if (other == NULL) skip();
  gpuarr_stream* here = new_stream(device, 0);
  gpuarr_stream* there = new_stream(other, 0);
  gpuarr_event* event = new_event(device);
  gpuarr_event* foreign = new_event(other);
  double microseconds = -1;
  assert_status(gpuarr_stream_set_current(device, there), GPUARR_ERR_DEVICE);
  assert_message_has("gpuarr_stream_set_current: stream belongs to device");
  assert_message_has(gpuarr_device_name(other));
  assert_status(gpuarr_event_record(event, there), GPUARR_ERR_DEVICE);
  assert_message_has("gpuarr_event_record: stream belongs to device");
  assert_status(gpuarr_event_elapsed(&microseconds, event, foreign), GPUARR_ERR_DEVICE);
  assert_message_has("give events of one device");

  assert_ok(gpuarr_event_record(foreign, there));
  assert_ok(gpuarr_stream_wait(here, foreign)); /* this is allowed */
  assert_ok(gpuarr_stream_synchronize(here));
  gpuarr_stream_release(here);
  gpuarr_stream_release(there);
  gpuarr_event_release(event);
  gpuarr_event_release(foreign);
}

static void flags_are_known(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_stream* stream = NULL;
  gpuarr_event* event = NULL;
  assert_ok(gpuarr_stream_create(&stream, device, 0, GPUARR_STREAM_BLOCKING));
  assert_ok(gpuarr_stream_synchronize(stream));
  gpuarr_stream_release(stream);
  assert_status(gpuarr_stream_create(&stream, device, 0, 2), GPUARR_ERR_ARGUMENT);
  assert_null(stream);
  assert_message_has("flags is 2; give 0 or GPUARR_STREAM_BLOCKING (1)");
  assert_status(gpuarr_event_create(&event, device, -1), GPUARR_ERR_ARGUMENT);
  assert_null(event);
  assert_message_has("flags is -1; give 0 or GPUARR_EVENT_NO_TIMING (1)");
}

static void cheap_events_know_no_time(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_event *cheap = NULL, *timed = new_event(device);
  double microseconds = -1;
  assert_ok(gpuarr_event_create(&cheap, device, GPUARR_EVENT_NO_TIMING));
  assert_ptr_equal(gpuarr_event_device(cheap), device);
  if (test_device_is_host())
    assert_null(gpuarr_event_native(cheap));
  else
    assert_non_null(gpuarr_event_native(cheap));
  assert_ok(gpuarr_event_record(timed, NULL));
  assert_ok(gpuarr_event_record(cheap, NULL));
  assert_ok(gpuarr_event_synchronize(cheap));
  assert_status(gpuarr_event_elapsed(&microseconds, timed, cheap), GPUARR_ERR_ARGUMENT);
  assert_true(microseconds == 0);
  assert_message_has("end was made with GPUARR_EVENT_NO_TIMING");
  assert_status(gpuarr_event_elapsed(&microseconds, cheap, timed), GPUARR_ERR_ARGUMENT);
  assert_message_has("start was made with GPUARR_EVENT_NO_TIMING");
  gpuarr_event_release(cheap);
  gpuarr_event_release(timed);
}

static void null_streams(gpuarr_device* device) {
  gpuarr_stream* stream = (gpuarr_stream*)device; /* anything but NULL */
  int32_t done = -1;
  assert_status(gpuarr_stream_create(NULL, device, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_create: out is NULL");
  assert_status(gpuarr_stream_create(&stream, NULL, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_null(stream);
  assert_message_has("gpuarr_stream_create: device is NULL");
  assert_status(gpuarr_stream_current(NULL, device), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_current: out is NULL");
  assert_status(gpuarr_stream_current(&stream, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_current: device is NULL");
  assert_status(gpuarr_stream_set_current(NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_set_current: device is NULL");
  assert_status(gpuarr_stream_synchronize(NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_synchronize: stream is NULL");
  assert_status(gpuarr_stream_query(&done, NULL), GPUARR_ERR_ARGUMENT);
  assert_int_equal(done, 0);
  assert_message_has("gpuarr_stream_query: stream is NULL");
  stream = new_stream(device, 0);
  assert_status(gpuarr_stream_query(NULL, stream), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_query: out_done is NULL");
  assert_status(gpuarr_stream_wait(stream, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_wait: event is NULL");
  gpuarr_stream_release(stream);
}

static void null_events(gpuarr_device* device) {
  gpuarr_event* event = (gpuarr_event*)device; /* anything but NULL */
  int32_t done = -1;
  double microseconds = -1;
  assert_status(gpuarr_event_create(NULL, device, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_event_create: out is NULL");
  assert_status(gpuarr_event_create(&event, NULL, 0), GPUARR_ERR_ARGUMENT);
  assert_null(event);
  assert_message_has("gpuarr_event_create: device is NULL");
  event = new_event(device);
  assert_status(gpuarr_stream_wait(NULL, event), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_wait: stream is NULL");
  assert_status(gpuarr_event_record(NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_event_record: event is NULL");
  assert_status(gpuarr_event_synchronize(NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_event_synchronize: event is NULL");
  assert_status(gpuarr_event_query(&done, NULL), GPUARR_ERR_ARGUMENT);
  assert_int_equal(done, 0);
  assert_message_has("gpuarr_event_query: event is NULL");
  assert_status(gpuarr_event_query(NULL, event), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_event_query: out_done is NULL");
  assert_status(gpuarr_event_elapsed(NULL, event, event), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_event_elapsed: out_microseconds is NULL");
  assert_status(gpuarr_event_elapsed(&microseconds, NULL, event), GPUARR_ERR_ARGUMENT);
  assert_true(microseconds == 0);
  assert_message_has("gpuarr_event_elapsed: start is NULL");
  assert_status(gpuarr_event_elapsed(&microseconds, event, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_event_elapsed: end is NULL");
  gpuarr_event_release(event);
}

static void null_is_refused_by_name(void** state) {
  (void)state;
  null_streams(open_test_device());
  null_events(open_test_device());
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(streams_know_their_device),
      cmocka_unit_test(priorities_are_clamped),
      cmocka_unit_test(objects_are_counted),
      cmocka_unit_test(null_is_retained_and_released),
      cmocka_unit_test(current_stream_is_set_and_reset),
      cmocka_unit_test(current_stream_is_each_threads_own),
      cmocka_unit_test(streams_synchronize_and_answer),
      cmocka_unit_test(events_mark_points),
      cmocka_unit_test(time_between_events),
      cmocka_unit_test(flags_are_known),
      cmocka_unit_test(cheap_events_know_no_time),
      cmocka_unit_test(devices_are_not_mixed),
      cmocka_unit_test(null_is_refused_by_name),
  };
  return run_suite(tests);
}
