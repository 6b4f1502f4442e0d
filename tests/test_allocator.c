/* Tests of gpuarr/allocator.h: kinds, functions of a program's own, which one is current. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static gpuarr_device* device;

static int64_t number(gpuarr_allocator* allocator, int32_t statistic) {
  int64_t value = -1;
  assert_ok(gpuarr_allocator_statistic(&value, allocator, statistic));
  return value;
}

static gpuarr_array* floats(int64_t n) {
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_full(&array, device, GPUARR_F32, 1, &n, 0, gpuarr_arg_f64(2.5), NULL));
  return array;
}

static void check_floats(gpuarr_array* array, int64_t n) {
  float* values = malloc((size_t)n * sizeof *values);
  assert_ok(gpuarr_array_read(values, n * sizeof *values, NULL, array, NULL));
  for (int64_t i = 0; i < n; ++i) assert_true(values[i] == 2.5f);
  free(values);
}

/* Work in memory of every kind, released in all orders. */
static void every_kind_serves(void** state) {
  (void)state;
  for (int32_t kind = GPUARR_ALLOCATOR_POOL; kind <= GPUARR_ALLOCATOR_DIRECT; ++kind) {
    gpuarr_allocator* allocator = NULL;
    assert_ok(gpuarr_allocator_create(&allocator, device, kind));
    assert_ptr_equal(gpuarr_allocator_device(allocator), device);
    assert_ok(gpuarr_allocator_set_current(device, allocator));
    gpuarr_array* a = floats(100000);
    gpuarr_array* b = floats(3);
    assert_int_equal(number(allocator, GPUARR_MEMORY_BLOCKS), 2);
    assert_int_equal(number(allocator, GPUARR_MEMORY_USED), 400384 + 512);
    assert_true(number(allocator, GPUARR_MEMORY_PEAK) >= 400896);
    gpuarr_array_release(b);
    check_floats(a, 100000);
    int64_t used = 0;
    assert_ok(gpuarr_memory_statistic(&used, device, GPUARR_MEMORY_USED));
    assert_int_equal(used, 400384);

    /* It is no longer current, and goes with its last array. */
    assert_ok(gpuarr_allocator_set_current(device, NULL));
    gpuarr_array* other = floats(10);
    assert_int_equal(number(allocator, GPUARR_MEMORY_BLOCKS), 1);
    gpuarr_array_release(other);
    assert_ok(gpuarr_allocator_trim(allocator));
    gpuarr_allocator_release(allocator);
    check_floats(a, 100000);
    gpuarr_array_release(a);
  }
}

static void streams_have_allocators_of_their_own(void** state) {
  (void)state;
  gpuarr_allocator *of_stream, *of_device, *found;
  gpuarr_stream* stream;
  assert_ok(gpuarr_allocator_create(&of_stream, device, GPUARR_ALLOCATOR_POOL));
  assert_ok(gpuarr_allocator_create(&of_device, device, GPUARR_ALLOCATOR_DIRECT));
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  assert_ok(gpuarr_allocator_set_for_stream(stream, of_stream));
  assert_ok(gpuarr_allocator_set_current(device, of_device));
  int64_t n = 5;
  gpuarr_array *a = NULL, *b = NULL;
  assert_ok(gpuarr_array_zeros(&a, device, GPUARR_F64, 1, &n, 0, stream));
  assert_ok(gpuarr_array_zeros(&b, device, GPUARR_F64, 1, &n, 0, NULL));
  assert_int_equal(number(of_stream, GPUARR_MEMORY_BLOCKS), 1);
  assert_int_equal(number(of_device, GPUARR_MEMORY_BLOCKS), 1);
  assert_ok(gpuarr_allocator_current(&found, device, stream));
  assert_int_equal(number(found, GPUARR_MEMORY_BLOCKS), 1);
  gpuarr_allocator_release(found);
  assert_ok(gpuarr_allocator_set_for_stream(stream, NULL));
  gpuarr_array_release(a);
  assert_ok(gpuarr_array_zeros(&a, device, GPUARR_F64, 1, &n, 0, stream));
  assert_int_equal(number(of_stream, GPUARR_MEMORY_BLOCKS), 0);
  assert_int_equal(number(of_device, GPUARR_MEMORY_BLOCKS), 2);
  assert_ok(gpuarr_allocator_set_current(device, NULL));
  assert_ok(gpuarr_allocator_current(&found, device, NULL));
  assert_ptr_equal(gpuarr_allocator_device(found), device);
  assert_int_equal(number(of_device, GPUARR_MEMORY_BLOCKS), 2);

  gpuarr_allocator_release(of_stream);
  gpuarr_stream_release(stream);
  gpuarr_allocator_release(of_device);
  gpuarr_array_release(a);
  gpuarr_array_release(b);
  gpuarr_allocator_release(found);
}

/* An allocator of a program: it takes what it gives from the device's pool. */
struct mine {
  gpuarr_allocator* source;
  int64_t live, bytes, calls;
  int fail; /* 1: NULL, 2: misaligned, 3: a status, 4: the same address twice */
  void* last;
};

static gpuarr_status give(void** out, int64_t bytes, gpuarr_device* whose, gpuarr_stream* stream,
                          void* user) {
  struct mine* mine = user;
  assert_ptr_equal(whose, device);
  assert_non_null(stream);
  mine->calls++;
  if (mine->fail == 1) return GPUARR_OK;
  if (mine->fail == 3) return GPUARR_ERR_IO;
  if (mine->fail == 4) {
    *out = mine->last;
    return GPUARR_OK;
  }
  gpuarr_status status = gpuarr_allocator_allocate(out, mine->source, bytes + 16, stream);
  mine->live++;
  mine->bytes += bytes;
  mine->last = *out;
  if (mine->fail == 2) *out = (char*)*out + 4;
  return status;
}

static void take(void* data, int64_t bytes, gpuarr_device* whose, gpuarr_stream* stream,
                 void* user) {
  struct mine* mine = user;
  assert_ptr_equal(whose, device);
  mine->live--;
  mine->bytes -= bytes;
  assert_ok(gpuarr_allocator_free(mine->source, (void*)((uintptr_t)data & ~(uintptr_t)15), stream));
}

static void functions_of_a_program(void** state) {
  (void)state;
  struct mine mine = {NULL, 0, 0, 0, 0, NULL};
  assert_ok(gpuarr_allocator_current(&mine.source, device, NULL));
  gpuarr_allocator* allocator = NULL;
  assert_ok(gpuarr_allocator_create_custom(&allocator, device, give, take, &mine));
  assert_ok(gpuarr_allocator_set_current(device, allocator));
  gpuarr_array* a = floats(1000);
  check_floats(a, 1000);
  assert_int_equal(mine.live, 1);
  assert_int_equal(mine.bytes, 4000);
  int64_t n = 10;
  gpuarr_array* b = NULL;

  mine.fail = 1;
  assert_status(gpuarr_array_empty(&b, device, GPUARR_F32, 1, &n, 0, NULL),
                GPUARR_ERR_OUT_OF_MEMORY);
  assert_null(b);
  assert_message_has("not enough memory for 40 bytes");
  mine.fail = 2;
  assert_status(gpuarr_array_empty(&b, device, GPUARR_F32, 1, &n, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_null(b);
  assert_message_has("for 40 bytes; give an address that is a multiple of 16");
  assert_int_equal(mine.live, 1);
  mine.fail = 3;
  assert_status(gpuarr_array_empty(&b, device, GPUARR_F32, 1, &n, 0, NULL), GPUARR_ERR_IO);
  assert_message_has("the allocator answered GPUARR_ERR_IO (601) to the request for 40 bytes on ");
  mine.fail = 4;
  mine.last = gpuarr_array_data(a);
  assert_status(gpuarr_array_empty(&b, device, GPUARR_F32, 1, &n, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("which is memory in use; give each address once");
  mine.fail = 0;

  /* A limit holds for these too. */
  int64_t held = 0;
  assert_ok(gpuarr_memory_trim(device));
  assert_ok(gpuarr_memory_statistic(&held, device, GPUARR_MEMORY_USED));
  assert_int_equal(held, 4096);
  n = 64 << 20;
  int64_t calls = mine.calls;
  assert_ok(gpuarr_memory_set_limit(device, 32 << 20));
  assert_status(gpuarr_array_empty(&b, device, GPUARR_U8, 1, &n, 0, NULL),
                GPUARR_ERR_OUT_OF_MEMORY);
  assert_int_equal(mine.calls, calls);
  assert_ok(gpuarr_memory_set_limit(device, 0));

  assert_ok(gpuarr_allocator_set_current(device, NULL));
  gpuarr_allocator_release(allocator);
  check_floats(a, 1000);
  gpuarr_array_release(a);
  assert_int_equal(mine.live, 0);
  assert_int_equal(mine.bytes, 0);
  gpuarr_allocator_release(mine.source);
}

static void memory_without_an_array(void** state) {
  (void)state;
  gpuarr_allocator *pool, *direct;
  void *data = &pool, *other;
  assert_ok(gpuarr_allocator_current(&pool, device, NULL));
  assert_ok(gpuarr_allocator_create(&direct, device, GPUARR_ALLOCATOR_DIRECT));
  assert_ok(gpuarr_allocator_allocate(&data, pool, 0, NULL));
  assert_null(data);
  assert_ok(gpuarr_allocator_free(pool, NULL, NULL));
  assert_ok(gpuarr_allocator_allocate(&data, pool, 1000, NULL));
  assert_ok(gpuarr_allocator_allocate(&other, direct, 1000, NULL));
  assert_int_equal((uintptr_t)data % 16, 0);
  const gpuarr_status wrong = GPUARR_ERR_ARGUMENT;
  assert_status(gpuarr_allocator_free(direct, data, NULL), wrong);
  assert_message_has("which is not memory in use of this allocator; free each address once");
  assert_status(gpuarr_allocator_free(pool, other, NULL), wrong);
  assert_status(gpuarr_allocator_free(pool, (char*)data + 16, NULL), wrong);
  assert_ok(gpuarr_allocator_free(pool, data, NULL));
  assert_ok(gpuarr_allocator_free(direct, other, NULL));
  assert_status(gpuarr_allocator_free(pool, data, NULL), wrong);
  assert_status(gpuarr_allocator_free(direct, other, NULL), wrong);
  gpuarr_allocator_release(pool);
  gpuarr_allocator_release(direct);
}

static void bad_arguments_are_named(void** state) {
  (void)state;
  gpuarr_allocator *allocator = (gpuarr_allocator*)&device, *pool;
  const gpuarr_status wrong = GPUARR_ERR_ARGUMENT;
  assert_status(gpuarr_allocator_create(&allocator, device, 5), wrong);
  assert_message_has("kind is 5; give GPUARR_ALLOCATOR_POOL (1), _DRIVER (2), _MANAGED (3) or");
  assert_null(allocator);
  assert_status(gpuarr_allocator_create(NULL, device, 1), wrong);
  assert_message_has("out is NULL");
  assert_status(gpuarr_allocator_create(&allocator, NULL, 1), wrong);
  assert_message_has("device is NULL");
  assert_status(gpuarr_allocator_create_custom(&allocator, device, NULL, take, NULL), wrong);
  assert_message_has("allocate is NULL; give a function");
  assert_status(gpuarr_allocator_create_custom(&allocator, device, give, NULL, NULL), wrong);
  assert_message_has("deallocate is NULL; give a function");
  assert_status(gpuarr_allocator_set_current(NULL, NULL), wrong);
  assert_message_has("device is NULL");
  assert_status(gpuarr_allocator_set_for_stream(NULL, NULL), wrong);
  assert_message_has("stream is NULL");
  assert_status(gpuarr_allocator_current(NULL, device, NULL), wrong);
  assert_status(gpuarr_allocator_current(&allocator, NULL, NULL), wrong);
  assert_message_has("device is NULL");
  assert_ok(gpuarr_allocator_current(&pool, device, NULL));
  void* data = &pool;
  assert_status(gpuarr_allocator_allocate(&data, pool, -1, NULL), wrong);
  assert_message_has("bytes is -1; give a size, 0 or more");
  assert_null(data);
  assert_status(gpuarr_allocator_allocate(&data, NULL, 1, NULL), wrong);
  assert_message_has("allocator is NULL");
  assert_status(gpuarr_allocator_free(NULL, NULL, NULL), wrong);
  assert_status(gpuarr_allocator_trim(NULL), wrong);
  int64_t value = 7;
  assert_status(gpuarr_allocator_statistic(&value, pool, 12), wrong);
  assert_int_equal(value, 0);
  assert_status(gpuarr_allocator_statistic(&value, NULL, 1), wrong);
  assert_null(gpuarr_allocator_device(NULL));
  assert_ptr_equal(gpuarr_allocator_retain(pool), pool);
  gpuarr_allocator_release(pool);
  gpuarr_allocator_release(pool);
  gpuarr_allocator_release(NULL);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_serves),
      cmocka_unit_test(streams_have_allocators_of_their_own),
      cmocka_unit_test(functions_of_a_program),
      cmocka_unit_test(memory_without_an_array),
      cmocka_unit_test(bad_arguments_are_named),
  };
  return run_suite(tests);
}
