/* Tests of gpuarr/memory.h: the allocator's numbers follow the arrays, and trim gives back. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

#include "support.h"

static gpuarr_device* device;

static int64_t number(int32_t statistic) {
  int64_t value = -1;
  assert_ok(gpuarr_memory_statistic(&value, device, statistic));
  return value;
}

static gpuarr_array* bytes_array(int64_t bytes) {
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_empty(&array, device, GPUARR_U8, 1, &bytes, 0, NULL));
  return array;
}

static void numbers_follow_the_arrays(void** state) {
  (void)state;
  int64_t used = number(GPUARR_MEMORY_USED), blocks = number(GPUARR_MEMORY_BLOCKS);
  int64_t requests = number(GPUARR_MEMORY_ALLOCATIONS);
  gpuarr_array* a = bytes_array(1);
  gpuarr_array* b = bytes_array(513);
  assert_int_equal(number(GPUARR_MEMORY_USED), used + 512 + 1024);
  assert_int_equal(number(GPUARR_MEMORY_BLOCKS), blocks + 2);
  assert_int_equal(number(GPUARR_MEMORY_ALLOCATIONS), requests + 2);
  assert_true(number(GPUARR_MEMORY_PEAK) >= used + 1536);
  assert_int_equal(number(GPUARR_MEMORY_TOTAL),
                   number(GPUARR_MEMORY_USED) + number(GPUARR_MEMORY_CACHED));
  gpuarr_array_release(a);
  gpuarr_array_release(b);
  assert_int_equal(number(GPUARR_MEMORY_USED), used);
  assert_int_equal(number(GPUARR_MEMORY_BLOCKS), blocks);
  assert_true(number(GPUARR_MEMORY_CACHED) >= 1536);
}

static void a_released_block_is_used_again(void** state) {
  (void)state;
  gpuarr_array_release(bytes_array(3000000));
  int64_t calls = number(GPUARR_MEMORY_DEVICE_CALLS), hits = number(GPUARR_MEMORY_HITS);
  for (int i = 0; i < 10; ++i) gpuarr_array_release(bytes_array(3000000));
  assert_int_equal(number(GPUARR_MEMORY_DEVICE_CALLS), calls);
  assert_int_equal(number(GPUARR_MEMORY_HITS), hits + 10);
}

static void trim_gives_back_what_nobody_uses(void** state) {
  (void)state;
  gpuarr_array* kept = bytes_array(100);
  gpuarr_array_release(bytes_array(5000000));
  int64_t calls = number(GPUARR_MEMORY_DEVICE_CALLS);
  int64_t used = number(GPUARR_MEMORY_USED);
  assert_ok(gpuarr_memory_trim(device));
  assert_true(number(GPUARR_MEMORY_DEVICE_CALLS) > calls);
  assert_int_equal(number(GPUARR_MEMORY_USED), used);
  assert_true(number(GPUARR_MEMORY_CACHED) < 2 << 20);
  gpuarr_array_release(kept);
  assert_ok(gpuarr_memory_trim(device));
  assert_int_equal(number(GPUARR_MEMORY_CACHED), 0);
}

static void no_room_is_said_with_all_numbers(void** state) {
  (void)state;
  int64_t bytes = INT64_C(1) << 56;
  gpuarr_array* array = NULL;
  gpuarr_array* held = bytes_array(512);
  assert_status(gpuarr_array_empty(&array, device, GPUARR_U8, 1, &bytes, 0, NULL),
                GPUARR_ERR_OUT_OF_MEMORY);
  assert_null(array);
  assert_message_has("gpuarr_array_empty: not enough memory for 72057594037927936 bytes on ");
  assert_message_has(test_device_name());
  assert_message_has(": arrays use 512 bytes, the allocator has ");
  assert_message_has(" bytes are free");
  gpuarr_array_release(held);
}

static void bad_arguments_are_named(void** state) {
  (void)state;
  int64_t value = 7;
  assert_status(gpuarr_memory_statistic(NULL, device, GPUARR_MEMORY_USED), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  assert_status(gpuarr_memory_statistic(&value, NULL, GPUARR_MEMORY_USED), GPUARR_ERR_ARGUMENT);
  assert_message_has("device is NULL");
  assert_int_equal(value, 0);
  const int32_t unknown[] = {0, 12, -1};
  for (int i = 0; i < 3; ++i) {
    value = 7;
    assert_status(gpuarr_memory_statistic(&value, device, unknown[i]), GPUARR_ERR_ARGUMENT);
    assert_message_has("GPUARR_MEMORY_... numbers, 1 to 11");
    assert_int_equal(value, 0);
  }
  assert_status(gpuarr_memory_trim(NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("device is NULL");
  assert_status(gpuarr_memory_reset_peak(NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("device is NULL");
}

/* A piece that one stream released goes to another after an event, and nobody waits for the
 * device. */
static void two_streams_hand_memory_over(void** state) {
  (void)state;
  gpuarr_stream *streams[2], *before;
  for (int i = 0; i < 2; ++i) assert_ok(gpuarr_stream_create(&streams[i], device, 0, 0));
  assert_ok(gpuarr_stream_current(&before, device));
  assert_ok(gpuarr_memory_trim(device));
  int64_t waits = 0, calls = 0, transfers = 0;
  const void* place = NULL;
  for (int i = 0; i < 20; ++i) {
    assert_ok(gpuarr_stream_set_current(device, streams[i % 2]));
    gpuarr_array* array = bytes_array(30000000);
    if (i == 0) {
      place = gpuarr_array_data(array);
      waits = number(GPUARR_MEMORY_WAITS);
      calls = number(GPUARR_MEMORY_DEVICE_CALLS);
      transfers = number(GPUARR_MEMORY_TRANSFERS);
    }
    assert_ptr_equal(gpuarr_array_data(array), place);
    assert_ok(gpuarr_array_fill(array, gpuarr_arg_i64(i), streams[i % 2]));
    gpuarr_array_release(array);
  }
  assert_int_equal(number(GPUARR_MEMORY_TRANSFERS), transfers + 19);
  assert_int_equal(number(GPUARR_MEMORY_WAITS), waits);
  assert_int_equal(number(GPUARR_MEMORY_DEVICE_CALLS), calls);
  assert_ok(gpuarr_stream_set_current(device, before));
  gpuarr_stream_release(before);
  for (int i = 0; i < 2; ++i) gpuarr_stream_release(streams[i]);
}

/* A stream that is gone before arrays that were made in it, and before those that it worked on. */
static void a_stream_goes_before_its_memory(void** state) {
  (void)state;
  int64_t used = number(GPUARR_MEMORY_USED), n = 1000;
  gpuarr_array *own[3], *mine = NULL;
  int32_t values[1000];
  assert_ok(gpuarr_array_empty(&mine, device, GPUARR_I32, 1, &n, 0, NULL));
  for (int round = 0; round < 20; ++round) {
    gpuarr_stream* stream;
    assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
    for (int i = 0; i < 3; ++i)
      assert_ok(
          gpuarr_array_full(&own[i], device, GPUARR_I32, 1, &n, 0, gpuarr_arg_i32(i), stream));
    assert_ok(gpuarr_array_assign(mine, own[2], stream));
    gpuarr_stream_release(stream);
    gpuarr_array_release(own[2]);
    assert_ok(gpuarr_device_synchronize(device));
    assert_ok(gpuarr_array_read(values, sizeof values, NULL, own[1], NULL));
    assert_int_equal(values[999], 1);
    assert_ok(gpuarr_array_read(values, sizeof values, NULL, mine, NULL));
    assert_int_equal(values[999], 2);
    gpuarr_array_release(own[0]);
    gpuarr_array_release(own[1]);
  }
  gpuarr_array_release(mine);
  assert_int_equal(number(GPUARR_MEMORY_USED), used);
}

/* What another stream still reads is not overwritten by who gets the memory next. */
static void memory_waits_for_the_streams_that_used_it(void** state) {
  (void)state;
  enum { N = 1 << 20 };
  int64_t n = N, large = INT64_C(1) << 28;
  int32_t* values = malloc(N * sizeof *values);
  gpuarr_stream* other;
  gpuarr_array *busy = NULL, *result;
  assert_ok(gpuarr_stream_create(&other, device, 0, 0));
  assert_ok(gpuarr_array_empty(&result, device, GPUARR_I32, 1, &n, 0, other));
  if (!test_device_is_host())
    assert_ok(gpuarr_array_empty(&busy, device, GPUARR_F32, 1, &large, 0, other));
  for (int round = 0; round < 10; ++round) {
    gpuarr_array *first, *next;
    assert_ok(gpuarr_array_full(&first, device, GPUARR_I32, 1, &n, 0, gpuarr_arg_i32(round), NULL));
    assert_ok(gpuarr_device_synchronize(device));
    for (int i = 0; busy != NULL && i < 5; ++i) /* some milliseconds before the copy begins */
      assert_ok(gpuarr_array_fill(busy, gpuarr_arg_f32(0), other));
    assert_ok(gpuarr_array_assign(result, first, other));
    gpuarr_array_release(first);
    assert_ok(gpuarr_array_full(&next, device, GPUARR_I32, 1, &n, 0, gpuarr_arg_i32(-1), NULL));
    assert_ok(gpuarr_array_read(values, N * sizeof *values, NULL, result, other));
    for (int k = 0; k < N; k += 1021) assert_int_equal(values[k], round);
    gpuarr_array_release(next);
  }
  free(values);
  gpuarr_array_release(busy);
  gpuarr_array_release(result);
  gpuarr_stream_release(other);
}

static void the_peak_begins_anew(void** state) {
  (void)state;
  gpuarr_array_release(bytes_array(50000000));
  assert_true(number(GPUARR_MEMORY_PEAK) >= 50000000);
  assert_ok(gpuarr_memory_reset_peak(device));
  assert_true(number(GPUARR_MEMORY_PEAK) < 50000000);
}

static atomic_int captures_on;

static void* capture_again_and_again(void* user) {
  (void)user;
  gpuarr_stream* stream = NULL;
  intptr_t failures = gpuarr_stream_create(&stream, device, 0, 0) != GPUARR_OK;
  while (failures == 0 && atomic_load(&captures_on)) {
    gpuarr_graph* graph = NULL;
    failures += gpuarr_stream_begin_capture(stream) != GPUARR_OK;
    failures += gpuarr_stream_end_capture(&graph, stream) != GPUARR_OK;
    gpuarr_graph_release(graph);
  }
  gpuarr_stream_release(stream);
  return (void*)failures;
}

/* Of the CPU nothing has to be waited for; a GPU refuses to be waited for as a whole, and that
 * alone. */
static void captures_of_other_threads_hinder_nobody(void** state) {
  (void)state;
  pthread_t thread;
  void* failures = NULL;
  gpuarr_allocator* allocator = NULL;
  const gpuarr_arg ends[] = {gpuarr_arg_i64(0), gpuarr_arg_i64(1 << 16), gpuarr_arg_i64(1)};
  atomic_store(&captures_on, 1);
  assert_ok(gpuarr_allocator_create(&allocator, device, GPUARR_ALLOCATOR_POOL));
  assert_int_equal(pthread_create(&thread, NULL, capture_again_and_again, NULL), 0);
  for (int round = 0; round < 100; ++round) {
    gpuarr_array* array = NULL;
    void* data = NULL;
    assert_ok(gpuarr_array_arange(&array, device, GPUARR_F64, ends[0], ends[1], ends[2], NULL));
    gpuarr_array_release(array);
    assert_ok(gpuarr_allocator_allocate(&data, allocator, 1 << 20, NULL));
    assert_ok(gpuarr_allocator_free(allocator, data, NULL));
    assert_ok(gpuarr_memory_trim(device));
    const gpuarr_status status = gpuarr_device_synchronize(device);
    if (test_device_is_host() || status != GPUARR_ERR_UNSUPPORTED) assert_ok(status);
  }
  atomic_store(&captures_on, 0);
  assert_int_equal(pthread_join(thread, &failures), 0);
  assert_null(failures);
  gpuarr_allocator_release(allocator);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(numbers_follow_the_arrays),
      cmocka_unit_test(a_released_block_is_used_again),
      cmocka_unit_test(trim_gives_back_what_nobody_uses),
      cmocka_unit_test(no_room_is_said_with_all_numbers),
      cmocka_unit_test(two_streams_hand_memory_over),
      cmocka_unit_test(a_stream_goes_before_its_memory),
      cmocka_unit_test(memory_waits_for_the_streams_that_used_it),
      cmocka_unit_test(the_peak_begins_anew),
      cmocka_unit_test(captures_of_other_threads_hinder_nobody),
      cmocka_unit_test(bad_arguments_are_named),
  };
  return run_suite(tests);
}
