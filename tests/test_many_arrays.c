/* A million arrays made and dropped by eight threads, which pass them on, look at them through
 * views and use them in each other's streams. $GPUARR_TEST_ARRAYS is another number of them. */
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "support.h"

enum { THREADS = 8, SLOTS = 64, LONGEST = 3000 };

static gpuarr_device* device;
static gpuarr_stream* streams[THREADS];
static _Atomic(gpuarr_array*) slots[SLOTS]; /* between threads: put one in, take another out */
static atomic_int failures;

struct worker {
  pthread_t thread;
  int number;
  int64_t count;
  uint64_t state; /* of its own random numbers */
};

static uint64_t next_of(struct worker* w) {
  w->state = w->state * 6364136223846793005U + 1442695040888963407U;
  return w->state >> 33;
}

static void expect(gpuarr_status status) {
  if (status == GPUARR_OK) return;
  if (atomic_fetch_add(&failures, 1) == 0) print_error("%s\n", gpuarr_last_error());
}

/* What was written is read, whoever used the memory before. */
static void write_and_read(struct worker* w, gpuarr_array* array, gpuarr_stream* stream) {
  static const int32_t wanted = 7;
  int32_t value = 0;
  gpuarr_array* last = NULL;
  expect(gpuarr_array_fill(array, gpuarr_arg_i32(wanted), stream));
  expect(gpuarr_array_select(&last, array, 0, -1));
  expect(gpuarr_array_read(&value, sizeof value, NULL, last, stream));
  gpuarr_array_release(last);
  if (value != wanted && atomic_fetch_add(&failures, 1) == 0)
    print_error("thread %d read %d, not %d\n", w->number, (int)value, (int)wanted);
}

static void one_array(struct worker* w) {
  gpuarr_array *array = NULL, *view = NULL;
  const uint64_t random = next_of(w);
  const int64_t shape[] = {1 + (int64_t)(random % LONGEST)};
  gpuarr_stream* own = random % 5 == 0 ? NULL : streams[w->number];
  gpuarr_stream* other = streams[random % THREADS];
  expect(gpuarr_array_empty(&array, device, GPUARR_I32, 1, shape, GPUARR_ORDER_C, own));
  if (random % 16 == 1) write_and_read(w, array, own);
  if (random % 16 == 2) expect(gpuarr_array_fill(array, gpuarr_arg_i32(1), other));
  if (random % 4 == 3) {
    expect(gpuarr_array_slice(&view, array, 0, 0, 1, 1));
    gpuarr_array_release(array);
    array = view;
  }
  if (random % 8 == 4) gpuarr_array_release(gpuarr_array_retain(array));
  if (random % 2 == 0) array = atomic_exchange(&slots[next_of(w) % SLOTS], array);
  gpuarr_array_release(array);
}

static void* work(void* worker) {
  struct worker* w = worker;
  for (int64_t i = 0; i < w->count; ++i) one_array(w);
  return NULL;
}

static void come_and_go(void** state) {
  (void)state;
  const char* number = getenv("GPUARR_TEST_ARRAYS");
  const int64_t all = number != NULL ? atoll(number) : sanitized ? 20000 : 1000000;
  struct worker workers[THREADS];
  for (int i = 0; i < THREADS; ++i) {
    assert_ok(gpuarr_stream_create(&streams[i], device, 0, 0));
    workers[i] = (struct worker){.number = i, .count = all / THREADS, .state = random_bits()};
  }
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(workers[i].thread, NULL);
  for (int i = 0; i < SLOTS; ++i) gpuarr_array_release(atomic_exchange(&slots[i], NULL));
  for (int i = 0; i < THREADS; ++i) gpuarr_stream_release(streams[i]);
  assert_int_equal(atomic_load(&failures), 0);
  assert_int_equal(gpuarr_live_objects(), 0);
  int64_t used = -1;
  assert_ok(gpuarr_memory_statistic(&used, device, GPUARR_MEMORY_USED));
  assert_int_equal(used, 0);
  assert_ok(gpuarr_memory_trim(device));
  assert_ok(gpuarr_memory_statistic(&used, device, GPUARR_MEMORY_TOTAL));
  assert_int_equal(used, 0);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {cmocka_unit_test(come_and_go)};
  return run_suite(tests);
}
