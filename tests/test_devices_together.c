/* Several devices in one program: copies between any two, kernels on each, mixtures refused. With a
 * CPU and one GPU there are two; a second GPU makes three. */
#include <stdio.h>
#include <stdlib.h>

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
  assert_ok(gpuarr_array_from_host(&array, device, GPUARR_F64, 2, shape, NULL, data, NULL));
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
      assert_ok(gpuarr_array_read(data, NULL, copy, NULL));
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
      assert_ok(gpuarr_array_read(data, NULL, target, NULL));
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
    assert_ok(gpuarr_array_read(data, NULL, out[k], NULL));
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
    assert_ok(gpuarr_stream_create(&stream, devices[k], 0));
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
      cmocka_unit_test(one_kernel_runs_on_each),
      cmocka_unit_test(mixtures_are_refused),
  };
  return run_suite(tests);
}
