/* Tests of gpuarr/pinned.h, and of the copies in transfer.h that go on after the call. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

static gpuarr_device* device;

static int64_t number(int32_t statistic) {
  int64_t value = -1;
  assert_ok(gpuarr_pinned_statistic(&value, device, statistic));
  return value;
}

static void* pinned(int64_t bytes) {
  void* data = NULL;
  assert_ok(gpuarr_pinned_allocate(&data, device, bytes));
  assert_non_null(data);
  return data;
}

static void freed_memory_is_used_again(void** state) {
  (void)state;
  assert_ok(gpuarr_pinned_trim(device));
  void* a = pinned(1000);
  assert_int_equal((uintptr_t)a % 512, 0);
  memset(a, 7, 1000);
  void* b = pinned(3000000);
  memset(b, 7, 3000000);
  assert_int_equal(number(GPUARR_MEMORY_BLOCKS), 2);
  assert_int_equal(number(GPUARR_MEMORY_USED), 1024 + 3000320);
  assert_int_equal(number(GPUARR_MEMORY_PEAK), 1024 + 3000320);
  int64_t calls = number(GPUARR_MEMORY_DEVICE_CALLS), hits = number(GPUARR_MEMORY_HITS);
  assert_ok(gpuarr_pinned_free(device, b));
  for (int i = 0; i < 10; ++i) {
    assert_ptr_equal(pinned(3000000), b);
    assert_ok(gpuarr_pinned_free(device, b));
  }
  assert_int_equal(number(GPUARR_MEMORY_DEVICE_CALLS), calls);
  assert_int_equal(number(GPUARR_MEMORY_HITS), hits + 10);
  assert_ok(gpuarr_pinned_free(device, a));
  assert_int_equal(number(GPUARR_MEMORY_USED), 0);
  assert_true(number(GPUARR_MEMORY_CACHED) > 0);
  assert_ok(gpuarr_pinned_trim(device));
  assert_int_equal(number(GPUARR_MEMORY_CACHED), 0);
}

/* Arrays of all kinds of layouts, memory in C and in Fortran order. */
static void copies_are_right(void** state) {
  (void)state;
  enum { ROWS = 37, COLUMNS = 53, N = ROWS * COLUMNS };
  const int64_t shape[] = {ROWS, COLUMNS}, columns_first[] = {1, ROWS};
  const int64_t* layouts[] = {NULL, columns_first};
  gpuarr_stream* stream;
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  int32_t* in = pinned(N * sizeof *in);
  int32_t* out = pinned(N * sizeof *out);
  for (int32_t order = 0; order < 2; ++order)
    for (int l = 0; l < 2; ++l) {
      gpuarr_array *array, *view;
      assert_ok(gpuarr_array_zeros(&array, device, GPUARR_I32, 2, shape, order, stream));
      for (int k = 0; k < N; ++k) in[k] = 1000 * order + 10000 * l + k;
      memset(out, 0, N * sizeof *out);
      assert_ok(gpuarr_array_write_async(array, layouts[l], in, N * sizeof *in, stream));
      assert_ok(gpuarr_array_read_async(out, N * sizeof *out, layouts[1 - l], array, stream));
      assert_ok(gpuarr_stream_synchronize(stream));
      for (int r = 0; r < ROWS; ++r)
        for (int c = 0; c < COLUMNS; ++c) {
          int by_row = r * COLUMNS + c, by_column = c * ROWS + r;
          assert_int_equal(out[l ? by_row : by_column], in[l ? by_column : by_row]);
        }
      /* A part, from the end. */
      assert_ok(gpuarr_array_slice(&view, array, 1, COLUMNS - 1, 0, -2));
      int64_t count = gpuarr_array_shape(view)[1];
      assert_ok(gpuarr_array_read_async(out, N * sizeof *out, NULL, view, stream));
      assert_ok(gpuarr_stream_synchronize(stream));
      for (int r = 0; r < ROWS; ++r)
        for (int64_t c = 0; c < count; ++c) {
          int64_t at = COLUMNS - 1 - 2 * c;
          assert_int_equal(out[r * count + c], in[l ? at * ROWS + r : r * COLUMNS + at]);
        }
      gpuarr_array_release(view);
      gpuarr_array_release(array);
    }
  assert_ok(gpuarr_pinned_free(device, in));
  assert_ok(gpuarr_pinned_free(device, out));
  gpuarr_stream_release(stream);
}

/* Ordinary memory goes too. */
static void ordinary_memory_is_copied(void** state) {
  (void)state;
  enum { N = 100000 };
  int64_t n = N;
  double* in = malloc(N * sizeof *in);
  double* out = calloc(N, sizeof *out);
  for (int k = 0; k < N; ++k) in[k] = k + 0.5;
  gpuarr_array* array;
  assert_ok(gpuarr_array_empty(&array, device, GPUARR_F64, 1, &n, 0, NULL));
  assert_ok(gpuarr_array_write_async(array, NULL, in, N * sizeof *in, NULL));
  assert_ok(gpuarr_array_read_async(out, N * sizeof *out, NULL, array, NULL));
  assert_ok(gpuarr_device_synchronize(device));
  assert_memory_equal(in, out, N * sizeof *in);
  gpuarr_array_release(array);
  free(in);
  free(out);
}

/* Some milliseconds of work on a GPU, so that what comes after has not begun when the calls return.
 */
static void keep_busy(gpuarr_stream* stream) {
  int64_t n = INT64_C(1) << 30;
  if (test_device_is_host()) return;
  gpuarr_array* large;
  assert_ok(gpuarr_array_empty(&large, device, GPUARR_U8, 1, &n, 0, stream));
  for (int i = 0; i < 20; ++i) assert_ok(gpuarr_array_fill(large, gpuarr_arg_i32(i), stream));
  gpuarr_array_release(large);
}

/* Memory that is freed while a copy out of it is to come must not be written by who gets it next.
 */
static void freed_memory_waits_for_its_copies(void** state) {
  (void)state;
  enum { N = 4 << 20, ROUNDS = 12 };
  int64_t n = N;
  gpuarr_stream* stream;
  gpuarr_array* arrays[ROUNDS];
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  for (int i = 0; i < ROUNDS; ++i) {
    assert_ok(gpuarr_array_empty(&arrays[i], device, GPUARR_U8, 1, &n, 0, stream));
    uint8_t* data = pinned(N);
    memset(data, i + 1, N);
    if (i % 4 == 0) keep_busy(stream);
    assert_ok(gpuarr_array_write_async(arrays[i], NULL, data, N, stream));
    assert_ok(gpuarr_pinned_free(device, data));
  }
  uint8_t* values = malloc(N);
  for (int i = 0; i < ROUNDS; ++i) {
    assert_ok(gpuarr_array_read(values, N, NULL, arrays[i], stream));
    for (int k = 0; k < N; ++k)
      if (values[k] != i + 1) assert_int_equal(values[k], i + 1);
    gpuarr_array_release(arrays[i]);
  }
  free(values);
  gpuarr_stream_release(stream);
  assert_ok(gpuarr_pinned_trim(device));
  assert_int_equal(number(GPUARR_MEMORY_CACHED), 0);
}

/* The same the other way: what a copy into freed memory writes must not land in another's. */
static void freed_memory_waits_for_what_is_written(void** state) {
  (void)state;
  enum { N = 4 << 20, ROUNDS = 8 };
  int64_t n = N;
  gpuarr_stream* stream;
  gpuarr_array* array;
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  assert_ok(gpuarr_array_zeros(&array, device, GPUARR_U8, 1, &n, 0, stream));
  for (int i = 0; i < ROUNDS; ++i) {
    keep_busy(stream);
    void* unwanted = pinned(N);
    assert_ok(gpuarr_array_read_async(unwanted, N, NULL, array, stream));
    assert_ok(gpuarr_pinned_free(device, unwanted));
    uint8_t* mine = pinned(N);
    memset(mine, 9, N);
    assert_ok(gpuarr_stream_synchronize(stream));
    for (int k = 0; k < N; ++k)
      if (mine[k] != 9) assert_int_equal(mine[k], 9);
    assert_ok(gpuarr_pinned_free(device, mine));
  }
  gpuarr_array_release(array);
  gpuarr_stream_release(stream);
}

static void bad_arguments_are_named(void** state) {
  (void)state;
  const gpuarr_status wrong = GPUARR_ERR_ARGUMENT;
  void* data = &data;
  assert_ok(gpuarr_pinned_allocate(&data, device, 0));
  assert_null(data);
  assert_ok(gpuarr_pinned_free(device, NULL));
  data = &data;
  assert_status(gpuarr_pinned_allocate(&data, device, -1), wrong);
  assert_message_has("bytes is -1; give a size, 0 or more");
  assert_null(data);
  assert_status(gpuarr_pinned_allocate(NULL, device, 1), wrong);
  assert_message_has("out is NULL");
  assert_status(gpuarr_pinned_allocate(&data, NULL, 1), wrong);
  assert_message_has("device is NULL");
  const int64_t much = INT64_C(1) << 56;
  assert_status(gpuarr_pinned_allocate(&data, device, much), GPUARR_ERR_OUT_OF_MEMORY);
  assert_message_has("not enough pinned host memory for 72057594037927936 bytes");
  assert_status(gpuarr_pinned_free(device, &data), wrong);
  assert_message_has("which is not pinned memory in use of ");
  assert_status(gpuarr_pinned_free(NULL, NULL), wrong);
  data = pinned(10);
  assert_ok(gpuarr_pinned_free(device, data));
  assert_status(gpuarr_pinned_free(device, data), wrong);
  int64_t value = 7;
  const int32_t none[] = {0, GPUARR_MEMORY_TRANSFERS, GPUARR_MEMORY_LIMIT, 12};
  for (int i = 0; i < 4; ++i) {
    assert_status(gpuarr_pinned_statistic(&value, device, none[i]), wrong);
    assert_message_has("give one of the GPUARR_MEMORY_... numbers, 1 to 8");
    assert_int_equal(value, 0);
  }
  assert_status(gpuarr_pinned_trim(NULL), wrong);

  gpuarr_array* array;
  const int64_t shape[] = {2, 3}, gaps[] = {6, 2}, back[] = {-3, -1}, same[] = {0, 1};
  assert_ok(gpuarr_array_zeros(&array, device, GPUARR_F32, 2, shape, 0, NULL));
  float values[12] = {0};
  const int64_t* strides[] = {gaps, back, same};
  for (int i = 0; i < 3; ++i) {
    assert_status(gpuarr_array_write_async(array, strides[i], values + 5, sizeof values, NULL),
                  GPUARR_ERR_UNSUPPORTED);
    assert_message_has(
        "give memory in which the elements lie side by side, or use the call "
        "without _async");
    assert_status(gpuarr_array_read_async(values + 5, sizeof values, strides[i], array, NULL),
                  GPUARR_ERR_UNSUPPORTED);
  }
  assert_status(gpuarr_array_write_async(array, NULL, NULL, 0, NULL), wrong);
  assert_message_has("data is NULL");
  assert_status(gpuarr_array_write_async(NULL, NULL, values, sizeof values, NULL), wrong);
  assert_message_has("array is NULL");
  assert_status(gpuarr_array_read_async(NULL, 0, NULL, array, NULL), wrong);
  assert_message_has("data is NULL");
  assert_status(gpuarr_array_read_async(values, sizeof values, NULL, NULL, NULL), wrong);
  assert_message_has("array is NULL");
  gpuarr_array_release(array);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(freed_memory_is_used_again),
      cmocka_unit_test(copies_are_right),
      cmocka_unit_test(ordinary_memory_is_copied),
      cmocka_unit_test(freed_memory_waits_for_its_copies),
      cmocka_unit_test(freed_memory_waits_for_what_is_written),
      cmocka_unit_test(bad_arguments_are_named),
  };
  return run_suite(tests);
}
