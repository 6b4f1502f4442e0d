/* gpuarr/transfer.h: what is refused, and with which words; and the host's memory at its edges. */
#include <stdint.h>
#include <string.h>

#include "support.h"

static gpuarr_device* device;
static gpuarr_array* matrix; /* (3, 4), float32 */
static gpuarr_array* out;

#define refuse(call, status, message) \
  do {                                \
    out = matrix;                     \
    assert_status((call), (status));  \
    assert_message_has(message);      \
    assert_null(out);                 \
  } while (0)

static void nulls_are_refused(void** state) {
  (void)state;
  int64_t shape[] = {1};
  float value = 0;
  refuse(gpuarr_array_copy(&out, NULL, 0, NULL), GPUARR_ERR_ARGUMENT,
         "gpuarr_array_copy: array is NULL");
  refuse(gpuarr_array_contiguous(&out, NULL, 0, NULL), GPUARR_ERR_ARGUMENT, "array is NULL");
  refuse(gpuarr_array_astype(&out, NULL, GPUARR_F32, NULL), GPUARR_ERR_ARGUMENT, "array is NULL");
  refuse(gpuarr_array_to_device(&out, NULL, device, NULL), GPUARR_ERR_ARGUMENT, "array is NULL");
  refuse(gpuarr_array_to_device(&out, matrix, NULL, NULL), GPUARR_ERR_ARGUMENT, "device is NULL");
  refuse(gpuarr_array_from_host(&out, NULL, GPUARR_F32, 1, shape, NULL, &value, sizeof value, NULL),
         GPUARR_ERR_ARGUMENT, "device is NULL");
  refuse(gpuarr_array_from_host(&out, device, GPUARR_F32, 1, shape, NULL, NULL, 0, NULL),
         GPUARR_ERR_ARGUMENT, "data is NULL");
  refuse(
      gpuarr_array_from_host(&out, device, GPUARR_F32, 1, NULL, NULL, &value, sizeof value, NULL),
      GPUARR_ERR_ARGUMENT, "shape is NULL");
  gpuarr_status statuses[] = {
      gpuarr_array_copy(NULL, matrix, 0, NULL),
      gpuarr_array_contiguous(NULL, matrix, 0, NULL),
      gpuarr_array_astype(NULL, matrix, GPUARR_F32, NULL),
      gpuarr_array_to_device(NULL, matrix, device, NULL),
      gpuarr_array_assign(NULL, matrix, NULL),
      gpuarr_array_assign(matrix, NULL, NULL),
      gpuarr_array_fill(NULL, gpuarr_arg_i8(0), NULL),
      gpuarr_array_write(NULL, NULL, &value, sizeof value, NULL),
      gpuarr_array_write(matrix, NULL, NULL, 0, NULL),
      gpuarr_array_read(&value, sizeof value, NULL, NULL, NULL),
      gpuarr_array_read(NULL, 0, NULL, matrix, NULL),
      gpuarr_array_from_host(NULL, device, GPUARR_F32, 1, shape, NULL, &value, sizeof value, NULL),
  };
  for (size_t i = 0; i < sizeof statuses / sizeof *statuses; ++i)
    assert_status(statuses[i], GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_array_from_host: out is NULL");
}

static void wrong_values_are_refused(void** state) {
  (void)state;
  int64_t shape[] = {2, -2};
  float value = 0;
  refuse(gpuarr_array_copy(&out, matrix, 3, NULL), GPUARR_ERR_ARGUMENT, "order is 3");
  refuse(gpuarr_array_contiguous(&out, matrix, -1, NULL), GPUARR_ERR_ARGUMENT, "order is -1");
  refuse(gpuarr_array_from_host(&out, device, 0, 1, shape, NULL, &value, sizeof value, NULL),
         GPUARR_ERR_DTYPE, "dtype is 0");
  refuse(
      gpuarr_array_from_host(&out, device, GPUARR_F32, 2, shape, NULL, &value, sizeof value, NULL),
      GPUARR_ERR_SHAPE, "shape[1] is -2");
  refuse(
      gpuarr_array_from_host(&out, device, GPUARR_F32, 33, shape, NULL, &value, sizeof value, NULL),
      GPUARR_ERR_SHAPE, "ndim is 33");
  assert_status(gpuarr_array_fill(matrix, gpuarr_arg_f64(1e200), NULL), GPUARR_ERR_DTYPE);
  assert_message_has("gpuarr_array_fill: value is 1e+200, which float32 cannot hold");
}

static void shapes_that_do_not_broadcast_are_refused(void** state) {
  (void)state;
  gpuarr_array* transposed = NULL;
  assert_ok(gpuarr_array_transpose(&transposed, matrix, 0, NULL));
  assert_status(gpuarr_array_assign(matrix, transposed, NULL), GPUARR_ERR_BROADCAST);
  assert_message_has("gpuarr_array_assign: shape (4, 3) does not broadcast to (3, 4)");
  gpuarr_array_release(transposed);
}

static void a_broadcast_target_is_refused(void** state) {
  (void)state;
  int64_t shape[] = {2, 3, 4};
  float data[24] = {0};
  gpuarr_array* view = NULL;
  assert_ok(gpuarr_array_broadcast(&view, matrix, 3, shape));
  assert_status(gpuarr_array_assign(view, matrix, NULL), GPUARR_ERR_OVERLAP);
  assert_message_has("shape (2, 3, 4) and strides (0, 4, 1) has elements that share memory");
  assert_status(gpuarr_array_write(view, NULL, data, sizeof data, NULL), GPUARR_ERR_OVERLAP);
  assert_status(gpuarr_array_fill(view, gpuarr_arg_i8(0), NULL), GPUARR_ERR_OVERLAP);
  gpuarr_array_release(view);
}

static void host_strides_are_checked(void** state) {
  (void)state;
  float data[12] = {0};
  int64_t repeated[] = {0, 1};
  int64_t far[] = {INT64_MAX, 1};
  int64_t backwards[] = {INT64_MIN / 8, INT64_MIN / 8};
  assert_status(gpuarr_array_read(data, sizeof data, repeated, matrix, NULL), GPUARR_ERR_OVERLAP);
  assert_message_has("strides (0, 1)");
  assert_status(gpuarr_array_read(data, sizeof data, far, matrix, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("reach beyond 2^63 bytes");
  assert_status(gpuarr_array_write(matrix, backwards, data, sizeof data, NULL), GPUARR_ERR_SHAPE);
  assert_ok(gpuarr_array_write(matrix, repeated, data, sizeof data, NULL));
}

/* One byte short of what the elements reach over, forwards and backwards, and just that. */
static void memory_that_is_too_small_is_refused(void** state) {
  (void)state;
  enum { ROOM = 23 }; /* elements that strides of (8, -2) reach over */
  static const int64_t strides[] = {8, -2};
  const int64_t shape[] = {3, 4}, far[] = {INT64_C(1) << 40, 1};
  const struct {
    const int64_t* strides;
    int64_t bytes, at;
  } cases[] = {{NULL, 12 * sizeof(float), 0}, {strides, ROOM * sizeof(float), 6}};
  float data[ROOM + 2];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    const int64_t *s = cases[i].strides, enough = cases[i].bytes;
    float* first = data + cases[i].at;
    for (int k = 0; k < ROOM + 2; ++k) data[k] = -1;
    for (int64_t bytes = enough - 1; bytes > -2; bytes -= enough) {
      assert_status(gpuarr_array_read(first, bytes, s, matrix, NULL), GPUARR_ERR_SHAPE);
      assert_message_has("gpuarr_array_read: bytes is ");
      assert_message_has(s == NULL ? "take 48 bytes; give memory" : "take 92 bytes; give memory");
      assert_status(gpuarr_array_read_async(first, bytes, s, matrix, NULL), GPUARR_ERR_SHAPE);
      assert_message_has("gpuarr_array_read_async: bytes is ");
      assert_status(gpuarr_array_write(matrix, s, first, bytes, NULL), GPUARR_ERR_SHAPE);
      assert_status(gpuarr_array_write_async(matrix, s, first, bytes, NULL), GPUARR_ERR_SHAPE);
      refuse(gpuarr_array_from_host(&out, device, GPUARR_F32, 2, shape, s, first, bytes, NULL),
             GPUARR_ERR_SHAPE, "gpuarr_array_from_host: bytes is ");
    }
    for (int k = 0; k < ROOM + 2; ++k) assert_true(data[k] == -1);
    assert_ok(gpuarr_array_read(first, enough, s, matrix, NULL));
    assert_true(data[ROOM] == -1 && data[ROOM + 1] == -1);
    assert_ok(gpuarr_array_write(matrix, s, first, enough, NULL));
  }
  assert_status(gpuarr_array_read(data, sizeof data, far, matrix, NULL), GPUARR_ERR_SHAPE);
}

static void nothing_is_read_or_written_without_elements(void** state) {
  (void)state;
  int64_t shape[] = {0, 4};
  int64_t far[] = {INT64_MAX, INT64_MAX};
  gpuarr_array* empty = NULL;
  gpuarr_array* copy = NULL;
  assert_ok(gpuarr_array_from_host(&empty, device, GPUARR_F64, 2, shape, far, NULL, 0, NULL));
  assert_ok(gpuarr_array_read(NULL, 0, far, empty, NULL));
  assert_ok(gpuarr_array_write(empty, NULL, NULL, 0, NULL));
  assert_ok(gpuarr_array_fill(empty, gpuarr_arg_i8(3), NULL));
  assert_ok(gpuarr_array_assign(empty, empty, NULL));
  assert_ok(gpuarr_array_copy(&copy, empty, GPUARR_ORDER_K, NULL));
  assert_int_equal(gpuarr_array_shape(copy)[1], 4);
  gpuarr_array_release(copy);
  gpuarr_array_release(empty);
}

/* The call is done with the caller's memory when it returns, also where streams have threads. */
static void memory_may_change_after_the_call(void** state) {
  (void)state;
  enum { SIZE = 1 << 18 };
  static float data[SIZE];
  static float back[SIZE];
  int64_t shape[] = {SIZE / 64, 64};
  int64_t strides[] = {1, SIZE / 64};
  for (int round = 0; round < 10; ++round) {
    gpuarr_array* array = NULL;
    gpuarr_array* shifted = NULL;
    for (int i = 0; i < SIZE; ++i) data[i] = (float)(i + round);
    assert_ok(gpuarr_array_from_host(&array, device, GPUARR_F32, 2, shape, strides, data,
                                     sizeof data, NULL));
    memset(data, 0, sizeof data);
    assert_ok(gpuarr_array_copy(&shifted, array, GPUARR_ORDER_C, NULL));
    gpuarr_array_release(array);
    assert_ok(gpuarr_array_read(back, sizeof back, strides, shifted, NULL));
    for (int i = 0; i < SIZE; ++i) assert_true(back[i] == (float)(i + round));
    for (int i = 0; i < SIZE; ++i) data[i] = -1;
    assert_ok(gpuarr_array_write(shifted, strides, data, sizeof data, NULL));
    memset(data, 0, sizeof data);
    assert_ok(gpuarr_array_read(back, sizeof back, NULL, shifted, NULL));
    for (int i = 0; i < SIZE; ++i) assert_true(back[i] == -1);
    gpuarr_array_release(shifted);
  }
}

static void work_of_a_stream_comes_first(void** state) {
  (void)state;
  enum { SIZE = 1 << 20 };
  static int32_t back[SIZE];
  int64_t shape[] = {SIZE};
  gpuarr_stream* stream = NULL;
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_stream_create(&stream, device, 0, 0));
  assert_ok(gpuarr_array_zeros(&array, device, GPUARR_I32, 1, shape, GPUARR_ORDER_C, stream));
  for (int32_t round = 1; round < 20; ++round) {
    assert_ok(gpuarr_array_fill(array, gpuarr_arg_i32(round), stream));
    assert_ok(gpuarr_array_read(back, sizeof back, NULL, array, stream));
    for (int i = 0; i < SIZE; ++i) assert_int_equal(back[i], round);
  }
  gpuarr_array_release(array);
  gpuarr_stream_release(stream);
}

/* Between this device and the CPU device, with a permutation and a conversion either way. */
static void arrays_go_to_other_devices_and_back(void** state) {
  (void)state;
  gpuarr_device* host = NULL;
  gpuarr_array* there = NULL;
  gpuarr_array* wide = NULL;
  gpuarr_array* transposed = NULL;
  int64_t shape[] = {4, 3};
  float values[12];
  double back[12];
  for (int i = 0; i < 12; ++i) values[i] = (float)i + 0.5F;
  assert_ok(gpuarr_device_open(&host, "host"));
  assert_ok(gpuarr_array_write(matrix, NULL, values, sizeof values, NULL));
  assert_ok(gpuarr_array_to_device(&there, matrix, host, NULL));
  assert_ptr_equal(gpuarr_array_device(there), host);
  assert_memory_equal(gpuarr_array_strides(there), gpuarr_array_strides(matrix), 16);
  assert_ok(gpuarr_array_zeros(&wide, device, GPUARR_F64, 2, shape, GPUARR_ORDER_C, NULL));
  assert_ok(gpuarr_array_transpose(&transposed, there, 0, NULL));
  assert_ok(gpuarr_array_assign(wide, transposed, NULL));
  assert_ok(gpuarr_array_read(back, sizeof back, NULL, wide, NULL));
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) assert_true(back[i * 3 + j] == (double)values[j * 4 + i]);
  assert_ok(gpuarr_array_fill(wide, gpuarr_arg_i8(9), NULL));
  assert_ok(gpuarr_array_assign(transposed, wide, NULL));
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, there, NULL));
  for (int i = 0; i < 12; ++i) assert_true(values[i] == 9);
  gpuarr_array_release(transposed);
  gpuarr_array_release(wide);
  gpuarr_array_release(there);
}

static int make_matrix(void** state) {
  (void)state;
  int64_t shape[] = {3, 4};
  assert_ok(gpuarr_array_zeros(&matrix, device, GPUARR_F32, 2, shape, GPUARR_ORDER_C, NULL));
  return 0;
}

static int release_matrix(void** state) {
  (void)state;
  gpuarr_array_release(matrix);
  return 0;
}

#define with_matrix(name) cmocka_unit_test_setup_teardown(name, make_matrix, release_matrix)

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      with_matrix(nulls_are_refused),
      with_matrix(wrong_values_are_refused),
      with_matrix(shapes_that_do_not_broadcast_are_refused),
      with_matrix(a_broadcast_target_is_refused),
      with_matrix(host_strides_are_checked),
      with_matrix(arrays_go_to_other_devices_and_back),
      with_matrix(memory_that_is_too_small_is_refused),
      cmocka_unit_test(nothing_is_read_or_written_without_elements),
      cmocka_unit_test(memory_may_change_after_the_call),
      cmocka_unit_test(work_of_a_stream_comes_first),
  };
  return run_suite(tests);
}
