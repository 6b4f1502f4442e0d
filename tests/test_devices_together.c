/* Several devices in one program: copies between any two, kernels on each, mixtures refused. With a
 * CPU and one GPU there are two; a second GPU makes three. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "support.h"

enum { most = 8, rows = 300, columns = 200 };

static gpuarr_device* devices[most];
static int device_count;

static void open_all(void) {
  int32_t gpus = 0;
  assert_ok(gpuarr_device_open(&devices[device_count++], "host"));
  assert_ok(gpuarr_device_count(&gpus, GPUARR_DEVICE_CUDA));
  for (int k = 0; k < gpus && device_count < most; ++k) {
    char name[32];
    snprintf(name, sizeof name, "cuda:%d", k);
    assert_ok(gpuarr_device_open(&devices[device_count++], name));
  }
}

static double value_at(int64_t k) { return (double)(k * 7919 % 10007); }

static gpuarr_array* numbers_on(gpuarr_device* device) {
  const int64_t shape[] = {rows, columns};
  double* data = malloc(sizeof(double) * rows * columns);
  for (int64_t k = 0; k < rows * columns; ++k) data[k] = value_at(k);
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_from_host(&array, device, GPUARR_F64, 2, shape, NULL, data,
                                   sizeof(double) * rows * columns, NULL));
  free(data);
  return array;
}

static void copies_between_any_two(void** state) {
  (void)state;
  double* data = malloc(sizeof(double) * rows * columns);
  for (int from = 0; from < device_count; ++from)
    for (int to = 0; to < device_count; ++to) {
      gpuarr_array *source = numbers_on(devices[from]), *copy = NULL;
      assert_ok(gpuarr_array_to_device(&copy, source, devices[to], NULL));
      gpuarr_array_release(source);
      assert_ptr_equal(gpuarr_array_device(copy), devices[to]);
      assert_ok(gpuarr_array_read(data, sizeof(double) * rows * columns, NULL, copy, NULL));
      for (int64_t k = 0; k < rows * columns; ++k) assert_true(data[k] == value_at(k));
      gpuarr_array_release(copy);
    }
  free(data);
}

/* A transposed view on one device into every second column of another, and another dtype. */
static void strides_and_dtypes_travel(void** state) {
  (void)state;
  const int64_t shape[] = {columns, 2 * rows};
  float* data = malloc(sizeof(float) * 2 * rows * columns);
  for (int from = 0; from < device_count; ++from)
    for (int to = 0; to < device_count; ++to) {
      gpuarr_array *source = numbers_on(devices[from]), *turned, *target, *part;
      assert_ok(gpuarr_array_transpose(&turned, source, 0, NULL));
      assert_ok(gpuarr_array_zeros(&target, devices[to], GPUARR_F32, 2, shape, 0, NULL));
      assert_ok(gpuarr_array_slice(&part, target, 1, 1, GPUARR_NONE, 2));
      assert_ok(gpuarr_array_assign(part, turned, NULL));
      assert_ok(gpuarr_array_read(data, sizeof(double) * rows * columns, NULL, target, NULL));
      for (int64_t c = 0; c < columns; ++c)
        for (int64_t r = 0; r < rows; ++r) {
          assert_true(data[c * 2 * rows + 2 * r] == 0);
          assert_true(data[c * 2 * rows + 2 * r + 1] == (float)value_at(r * columns + c));
        }
      gpuarr_array_release(source);
      gpuarr_array_release(turned);
      gpuarr_array_release(target);
      gpuarr_array_release(part);
    }
  free(data);
}

/* A copy goes on while its source is released, and its memory is used for something else at once.
 */
static void sources_are_released_early(void** state) {
  (void)state;
  const int64_t shape[] = {rows, columns};
  double* data = malloc(sizeof(double) * rows * columns);
  for (int from = 0; from < device_count; ++from)
    for (int to = 0; to < device_count; ++to)
      for (int round = 0; round < 20; ++round) {
        gpuarr_stream *here = NULL, *there = NULL;
        assert_ok(gpuarr_stream_create(&here, devices[from], 0, 0));
        assert_ok(gpuarr_stream_create(&there, devices[to], 0, 0));
        gpuarr_array *source = NULL, *copy = NULL, *other = NULL;
        gpuarr_arg ends[] = {gpuarr_arg_i64(0), gpuarr_arg_i64(rows * columns), gpuarr_arg_i64(1)};
        assert_ok(gpuarr_array_arange(&source, devices[from], GPUARR_F64, ends[0], ends[1], ends[2],
                                      here));
        assert_ok(gpuarr_array_to_device(&copy, source, devices[to], from == to ? here : there));
        gpuarr_array_release(source);
        assert_ok(
            gpuarr_array_zeros(&other, devices[from], GPUARR_F64, 2, shape, GPUARR_ORDER_C, here));
        assert_ok(gpuarr_array_read(data, sizeof(double) * rows * columns, NULL, copy,
                                    from == to ? here : there));
        for (int64_t k = 0; k < rows * columns; ++k) assert_true(data[k] == (double)k);
        gpuarr_array_release(copy);
        gpuarr_array_release(other);
        gpuarr_stream_release(here);
        gpuarr_stream_release(there);
      }
  free(data);
}

static atomic_int turn;

struct entry {
  int expected, met, milliseconds;
};

static void enter(void* user) {
  struct entry* entry = user;
  struct timespec pause = {0, entry->milliseconds * 1000000L};
  nanosleep(&pause, NULL);
  entry->met = atomic_fetch_add(&turn, 1) == entry->expected;
}

static void streams_wait_for_other_devices(void** state) {
  (void)state;
  for (int first = 0; first < device_count; ++first)
    for (int second = 0; second < device_count; ++second) {
      gpuarr_stream *here = NULL, *there = NULL;
      gpuarr_event* event = NULL;
      struct entry entries[] = {{0, 0, 10}, {1, 0, 0}};
      atomic_store(&turn, 0);
      assert_ok(gpuarr_stream_create(&here, devices[first], 0, 0));
      assert_ok(gpuarr_stream_create(&there, devices[second], -1, 0));
      assert_ok(gpuarr_event_create(&event, devices[first], GPUARR_EVENT_NO_TIMING));
      assert_ok(gpuarr_stream_host_function(here, enter, &entries[0]));
      assert_ok(gpuarr_event_record(event, here));
      assert_ok(gpuarr_stream_wait(there, event));
      assert_ok(gpuarr_stream_host_function(there, enter, &entries[1]));
      assert_ok(gpuarr_stream_synchronize(there));
      assert_true(entries[0].met && entries[1].met);
      gpuarr_event_release(event);
      gpuarr_stream_release(here);
      gpuarr_stream_release(there);
    }
}

static void peers_are_enabled(void** state) {
  (void)state;
  for (int k = 0; k < device_count; ++k)
    for (int j = 0; j < device_count; ++j) {
      int32_t can = -1;
      assert_ok(gpuarr_device_can_access_peer(&can, devices[k], devices[j]));
      if (k == j) assert_int_equal(can, 1);
      gpuarr_status expected = can ? GPUARR_OK : GPUARR_ERR_UNSUPPORTED;
      assert_status(gpuarr_device_enable_peer(devices[k], devices[j]), expected);
      assert_status(gpuarr_device_enable_peer(devices[k], devices[j]), expected);
    }
  copies_between_any_two(NULL);
}

static void one_kernel_runs_on_each(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array *in[most], *out[most];
  assert_ok(gpuarr_elementwise_create(&kernel, "T x", "T y", "y = 2 * x + i % 2", NULL));
  for (int k = 0; k < device_count; ++k) in[k] = numbers_on(devices[k]);
  for (int k = 0; k < device_count; ++k) { /* all are under way before any is waited for */
    gpuarr_arg input = gpuarr_arg_array(in[k]);
    out[k] = NULL;
    assert_ok(gpuarr_elementwise_call(kernel, &out[k], 1, &input, 1, GPUARR_NO_SIZE, NULL));
  }
  double* data = malloc(sizeof(double) * rows * columns);
  for (int k = 0; k < device_count; ++k) {
    assert_ptr_equal(gpuarr_array_device(out[k]), devices[k]);
    assert_ok(gpuarr_array_read(data, sizeof(double) * rows * columns, NULL, out[k], NULL));
    for (int64_t j = 0; j < rows * columns; ++j)
      assert_true(data[j] == 2 * value_at(j) + (double)(j % 2));
    gpuarr_array_release(in[k]);
    gpuarr_array_release(out[k]);
  }
  free(data);
  gpuarr_elementwise_release(kernel);
}

static void mixtures_are_refused(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = NULL;
  assert_ok(gpuarr_elementwise_create(&kernel, "T x, T y", "T z", "z = x + y", NULL));
  for (int k = 1; k < device_count; ++k) {
    gpuarr_array *x = numbers_on(devices[0]), *y = numbers_on(devices[k]), *z = NULL;
    gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(y)};
    assert_status(gpuarr_elementwise_call(kernel, &z, 1, inputs, 2, GPUARR_NO_SIZE, NULL),
                  GPUARR_ERR_DEVICE);
    assert_message_has(gpuarr_device_name(devices[k]));
    assert_message_has("\"y\"");
    assert_null(z);
    gpuarr_stream* stream = NULL;
    assert_ok(gpuarr_stream_create(&stream, devices[k], 0, 0));
    inputs[1] = inputs[0];
    assert_status(gpuarr_elementwise_call(kernel, &z, 1, inputs, 2, GPUARR_NO_SIZE, stream),
                  GPUARR_ERR_DEVICE);
    assert_message_has("stream is of");
    gpuarr_array* given = y;
    assert_status(gpuarr_elementwise_call(kernel, &given, 1, inputs, 2, GPUARR_NO_SIZE, NULL),
                  GPUARR_ERR_DEVICE);
    assert_message_has("\"z\"");
    gpuarr_stream_release(stream);
    gpuarr_array_release(x);
    gpuarr_array_release(y);
  }
  gpuarr_elementwise_release(kernel);
}

int main(void) {
  open_test_device();
  open_all();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(copies_between_any_two),
      cmocka_unit_test(strides_and_dtypes_travel),
      cmocka_unit_test(sources_are_released_early),
      cmocka_unit_test(streams_wait_for_other_devices),
      cmocka_unit_test(one_kernel_runs_on_each),
      cmocka_unit_test(mixtures_are_refused),
      cmocka_unit_test(peers_are_enabled),
  };
  return run_suite(tests);
}
