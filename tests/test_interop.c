/* gpuarr/interop.h: arrays around memory of others, read-only arrays, what array interfaces ask. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernels.h"
#include "owned.h"
#include "raws.h"

static gpuarr_device* device;

/* (3, 4) around an owner's 12 elements. */
static gpuarr_array* wrapped(struct owner* owner, int32_t flags) {
  int64_t shape[] = {3, 4};
  gpuarr_array* array = NULL;
  own(owner, 12);
  assert_ok(gpuarr_array_wrap(&array, device, GPUARR_F64, 2, shape, NULL,
                              gpuarr_array_data(owner->array), flags, take_back, owner));
  return array;
}

static void the_memory_is_shared(void** state) {
  (void)state;
  struct owner owner;
  gpuarr_array* array = wrapped(&owner, 0);
  int64_t shape[] = {3, 4};
  assert_shape(array, 2, shape);
  assert_int_equal(gpuarr_array_strides(array)[0], 4);
  assert_ptr_equal(gpuarr_array_data(array), gpuarr_array_data(owner.array));
  assert_int_equal(gpuarr_array_is_read_only(array), 0);
  assert_ramp(array, 0);
  assert_ok(gpuarr_array_fill(array, gpuarr_arg_i8(7), NULL));
  double sevens[12];
  for (int k = 0; k < 12; ++k) sevens[k] = 7;
  assert_values(owner.array, 12, sevens);
  gpuarr_array_release(array);
  assert_int_equal(owner.returns, 1);
}

static void strides_may_be_negative_or_0(void** state) {
  (void)state;
  struct owner owner;
  own(&owner, 12);
  double* data = gpuarr_array_data(owner.array);
  int64_t shape[] = {3, 4}, backwards[] = {-4, -1}, repeated[] = {0, 2};
  gpuarr_array *reversed = NULL, *rows = NULL;
  assert_ok(gpuarr_array_wrap(&reversed, device, GPUARR_F64, 2, shape, backwards, data + 11, 0,
                              NULL, NULL));
  assert_ok(gpuarr_array_wrap(&rows, device, GPUARR_F64, 2, shape, repeated, data, 0, NULL, NULL));
  assert_values(reversed, 12, (double[]){11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
  assert_values(rows, 12, (double[]){0, 2, 4, 6, 0, 2, 4, 6, 0, 2, 4, 6});
  assert_status(gpuarr_array_fill(rows, gpuarr_arg_i8(0), NULL), GPUARR_ERR_OVERLAP);
  gpuarr_array_release(reversed);
  gpuarr_array_release(rows);
  gpuarr_array_release(owner.array);
}

static void the_deleter_comes_after_the_last_view(void** state) {
  (void)state;
  for (int reversed = 0; reversed <= 1; ++reversed) {
    struct owner owner;
    gpuarr_array* views[3] = {wrapped(&owner, 0)};
    assert_ok(gpuarr_array_transpose(&views[1], views[0], 0, NULL));
    assert_ok(gpuarr_array_slice(&views[2], views[1], 0, 1, 3, 1));
    for (int k = 0; k < 3; ++k) {
      assert_int_equal(owner.returns, 0);
      gpuarr_array_release(views[reversed ? 2 - k : k]);
    }
    assert_int_equal(owner.returns, 1);
  }
}

static void memory_without_elements_needs_no_address(void** state) {
  (void)state;
  int64_t shape[] = {2, 0}, far[] = {INT64_MIN, INT64_MAX};
  struct owner owner = {0};
  gpuarr_array* array = NULL;
  assert_ok(
      gpuarr_array_wrap(&array, device, GPUARR_F64, 2, shape, far, NULL, 0, take_back, &owner));
  assert_null(gpuarr_array_data(array));
  assert_ok(gpuarr_array_fill(array, gpuarr_arg_i8(0), NULL));
  gpuarr_array_release(array);
  assert_int_equal(owner.returns, 1);

  own(&owner, 1);
  assert_ok(gpuarr_array_wrap(&array, device, GPUARR_F64, 0, NULL, NULL,
                              gpuarr_array_data(owner.array), 0, take_back, &owner));
  assert_close(value_of(array), 0, 0);
  gpuarr_array_release(array);
  assert_int_equal(owner.returns, 1);
}

/* NumPy marks strides of axes of extent 1 with impossible numbers in its debugging mode. */
static void strides_of_one_index_mean_nothing(void** state) {
  (void)state;
  struct owner owner;
  own(&owner, 4);
  int64_t shape[] = {1, 4}, strides[] = {INT64_MAX, 1};
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_wrap(&array, device, GPUARR_F64, 2, shape, strides,
                              gpuarr_array_data(owner.array), 0, take_back, &owner));
  assert_int_equal(gpuarr_array_is_contiguous(array, GPUARR_ORDER_C), 1);
  assert_ramp(array, 0);
  gpuarr_array_release(array);
}

static void release_waits_for_the_work(void** state) {
  (void)state;
  gpuarr_stream* stream = other_stream();
  struct owner owners[3];
  for (int k = 0; k < 3; ++k) {
    gpuarr_array* array = wrapped(&owners[k], 0);
    owners[k].awaited = 11 + (k == 2 ? 2 : 1) * added_slowly;
    add_slowly(array, stream);
    if (k == 0) gpuarr_array_release(array);
    if (k == 1) release_elsewhere(array);
    if (k == 2) { /* through a view, in a stream that is current */
      gpuarr_array* view = NULL;
      assert_ok(gpuarr_array_slice(&view, array, 0, 2, 3, 1));
      assert_ok(gpuarr_stream_set_current(device, stream));
      gpuarr_array_release(array);
      add_slowly(view, NULL);
      assert_ok(gpuarr_stream_set_current(device, NULL));
      gpuarr_array_release(view);
    }
    assert_int_equal(owners[k].returns, 1);
    assert_int_equal(owners[k].early, 0);
  }
  gpuarr_stream_release(stream);
}

static void the_streams_may_go_first(void** state) {
  (void)state;
  struct owner owner;
  gpuarr_stream* stream = other_stream();
  gpuarr_array* array = wrapped(&owner, 0);
  add_slowly(array, stream);
  gpuarr_stream_release(stream);
  gpuarr_array_release(array);
  assert_int_equal(owner.returns, 1);
}

static gpuarr_status try_wrap(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape,
                              const int64_t* strides, void* data, int32_t flags) {
  struct owner owner = {0};
  gpuarr_array* array = (gpuarr_array*)&owner;
  gpuarr_status status = gpuarr_array_wrap(&array, device, dtype, ndim, shape, strides, data, flags,
                                           take_back, &owner);
  assert_null(array);
  assert_int_equal(owner.returns, 0); /* the memory is still its owner's */
  return status;
}

static void what_cannot_be_wrapped_is_refused(void** state) {
  (void)state;
  struct owner owner;
  own(&owner, 12);
  char* data = gpuarr_array_data(owner.array);
  int64_t shape[] = {3, 4}, far[] = {INT64_MAX / 8, 1}, lowest[] = {4, INT64_MIN};
  int64_t large[] = {INT64_MAX, 2}, negative[] = {3, -4}, below[] = {-(INT64_C(1) << 57), 1};
  assert_status(try_wrap(GPUARR_F64, 2, shape, NULL, NULL, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_array_wrap: data is NULL");
  assert_status(try_wrap(GPUARR_F64, 2, shape, NULL, data + 4, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("is not aligned to the 8 bytes that a float64 needs");
  assert_status(try_wrap(GPUARR_F64, 2, shape, NULL, data, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("flags is 2; give 0 or GPUARR_WRAP_READ_ONLY (1)");
  assert_status(try_wrap(GPUARR_F64, 2, shape, far, data, 0), GPUARR_ERR_SHAPE);
  assert_message_has("reach beyond 2^63 bytes");
  assert_status(try_wrap(GPUARR_F64, 2, shape, below, data, 0), GPUARR_ERR_SHAPE);
  assert_message_has("to before address 0; give the strides, in elements");
  assert_status(try_wrap(GPUARR_U8, 2, shape, lowest, data, 0), GPUARR_ERR_SHAPE);
  assert_status(try_wrap(GPUARR_F64, 2, large, NULL, data, 0), GPUARR_ERR_SHAPE);
  assert_message_has("is more than 2^63 - 1 bytes");
  assert_status(try_wrap(GPUARR_F64, 2, negative, NULL, data, 0), GPUARR_ERR_SHAPE);
  assert_message_has("shape[1] is -4");
  assert_status(try_wrap(GPUARR_F64, 33, shape, NULL, data, 0), GPUARR_ERR_SHAPE);
  assert_status(try_wrap(GPUARR_F64, 2, NULL, NULL, data, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("shape is NULL");
  assert_status(try_wrap(0, 2, shape, NULL, data, 0), GPUARR_ERR_DTYPE);
  gpuarr_array* array = NULL;
  assert_status(gpuarr_array_wrap(NULL, device, GPUARR_F64, 2, shape, NULL, data, 0, NULL, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_array_wrap(&array, NULL, GPUARR_F64, 2, shape, NULL, data, 0, NULL, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("device is NULL");
  gpuarr_array_release(owner.array);
}

/* Some GPUs read all of the host's memory; others say what they were given. */
static void ordinary_memory_is_for_devices_that_can_use_it(void** state) {
  (void)state;
  int64_t count = 3;
  double* data = calloc(3, sizeof *data);
  gpuarr_array* array = NULL;
  gpuarr_status status =
      gpuarr_array_wrap(&array, device, GPUARR_F64, 1, &count, NULL, data, 0, NULL, NULL);
  if (test_device_is_host()) assert_ok(status);
  if (status == GPUARR_OK) {
    assert_values(array, 3, data);
  } else {
    assert_status(status, GPUARR_ERR_DEVICE);
    assert_message_has("is ordinary memory of the host");
  }
  gpuarr_array_release(array);
  free(data);
}

#define refuse(call, argument)                    \
  do {                                            \
    assert_status((call), GPUARR_ERR_ARGUMENT);   \
    assert_message_has(argument " is read-only"); \
  } while (0)

static void read_only_arrays_are_not_written_to(void** state) {
  (void)state;
  struct owner owner;
  gpuarr_array* array = wrapped(&owner, GPUARR_WRAP_READ_ONLY);
  gpuarr_array *view = NULL, *copy = NULL, *sums = NULL;
  double data[12] = {0};
  int32_t axis = 0;
  assert_int_equal(gpuarr_array_is_read_only(array), 1);
  assert_ok(gpuarr_array_select(&view, array, 0, 0));
  assert_int_equal(gpuarr_array_is_read_only(view), 1);
  refuse(gpuarr_array_fill(view, gpuarr_arg_i8(1), NULL), "gpuarr_array_fill: array");
  refuse(gpuarr_array_assign(array, array, NULL), "gpuarr_array_assign: target");
  refuse(gpuarr_array_write(array, NULL, data, sizeof data, NULL), "gpuarr_array_write: array");
  assert_message_has("write to a copy of it");

  gpuarr_elementwise* twice = make_elementwise("T x", "T y", "y = x + x");
  gpuarr_elementwise* anywhere = make_elementwise("T x", "raw T y", "y[i] = x");
  gpuarr_arg input = gpuarr_arg_array(array);
  gpuarr_call* call = NULL;
  refuse(gpuarr_elementwise_call(twice, &array, 1, &input, 1, GPUARR_NO_SIZE, NULL),
         "output 0 (\"y\")");
  refuse(gpuarr_elementwise_call(anywhere, &array, 1, &input, 1, GPUARR_NO_SIZE, NULL),
         "output 0 (\"y\")");
  refuse(gpuarr_elementwise_prepare(&call, twice, &array, 1, &input, 1, GPUARR_NO_SIZE),
         "output 0 (\"y\")");
  refuse(gpuarr_sum(&view, array, &axis, 1, 0, NULL), "output 0 (\"out\")");

  /* Reading is as with any array, and a copy is no longer read-only. */
  assert_ok(gpuarr_array_copy(&copy, array, GPUARR_ORDER_C, NULL));
  assert_int_equal(gpuarr_array_is_read_only(copy), 0);
  assert_ok(gpuarr_sum(&sums, array, &axis, 1, 0, NULL));
  assert_values(sums, 4, (double[]){12, 15, 18, 21});
  assert_int_equal(gpuarr_array_is_read_only(sums), 0);
  assert_int_equal(gpuarr_array_is_read_only(NULL), 0);
  gpuarr_elementwise_release(twice);
  gpuarr_elementwise_release(anywhere);
  release_arrays((gpuarr_array*[]){array, view, copy, sums}, 4);
  assert_int_equal(owner.returns, 1);
}

static void kernels_get_read_only_arrays_as_const(void** state) {
  (void)state;
  gpuarr_module* module = make_module(
      "extern \"C\" __global__ void sum(const double* x, double* y) { *y = x[0] + x[1]; }\n"
      "extern \"C\" __global__ void first(gpuarr_view<const double, 2> x, gpuarr_view<double, 1> y)"
      "{ y(0) = x(1, 1); }\n");
  gpuarr_raw* sum = kernel_of(module, "sum");
  gpuarr_raw* first = kernel_of(module, "first");
  struct owner owner;
  gpuarr_array* array = wrapped(&owner, GPUARR_WRAP_READ_ONLY);
  gpuarr_array *row = NULL, *out = line(GPUARR_F64, 1);
  assert_ok(gpuarr_array_select(&row, array, 0, 0));
  gpuarr_arg in_place[] = {gpuarr_arg_array(array), gpuarr_arg_array(array)};
  assert_status(try_launch(sum, 1, 1, in_place, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has(
      "args[1] is read-only, and that parameter of sum(const double* x, double* y) "
      "is not declared const; declare it so, or give a copy of the array");
  gpuarr_arg views[] = {gpuarr_arg_view(array), gpuarr_arg_view(row)};
  assert_status(try_launch(first, 1, 1, views, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("args[1] is read-only");
  in_place[1] = gpuarr_arg_array(out);
  launch(sum, 1, 1, in_place, 2);
  assert_close(value_of(out), 1, 0);
  views[1] = gpuarr_arg_view(out);
  launch(first, 1, 1, views, 2);
  assert_close(value_of(out), 5, 0);
  release_arrays((gpuarr_array*[]){array, row, out}, 3);
  gpuarr_raw_release(sum);
  gpuarr_raw_release(first);
  gpuarr_module_release(module);
}

static void types_are_spelled_as_numpy_spells_them(void** state) {
  (void)state;
  const char* expected[] = {"|b1", "|i1", "<i2", "<i4", "<i8", "|u1", "<u2", "<u4",
                            "<u8", "<f2", "<V2", "<f4", "<f8", "<c8", "<c16"};
  for (gpuarr_dtype dtype = GPUARR_BOOL; dtype <= GPUARR_C128; ++dtype) {
    gpuarr_array* array = line(dtype, 1);
    assert_string_equal(gpuarr_array_typestr(array), expected[dtype - 1]);
    assert_int_equal(gpuarr_array_itemsize(array), gpuarr_dtype_size(dtype));
    gpuarr_array_release(array);
  }
  assert_null(gpuarr_array_typestr(NULL));
  assert_int_equal(gpuarr_array_itemsize(NULL), 0);
}

static void strides_in_bytes(void** state) {
  (void)state;
  int64_t shape[] = {3, 4}, strides[2] = {0};
  gpuarr_array *array = zeros(GPUARR_C64, 2, shape), *view = NULL,
               *scalar = zeros(GPUARR_I8, 0, NULL);
  assert_ok(gpuarr_array_slice(&view, array, 1, GPUARR_NONE, GPUARR_NONE, -2));
  assert_ok(gpuarr_array_byte_strides(strides, view));
  assert_int_equal(strides[0], 32);
  assert_int_equal(strides[1], -16);
  assert_ok(gpuarr_array_byte_strides(NULL, scalar));
  assert_status(gpuarr_array_byte_strides(NULL, view), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL; give an array of 2 strides");
  assert_status(gpuarr_array_byte_strides(strides, NULL), GPUARR_ERR_ARGUMENT);
  release_arrays((gpuarr_array*[]){array, view, scalar}, 3);
}

static void memory_is_in_the_order_of_a_stream(void** state) {
  (void)state;
  int64_t count = 5;
  gpuarr_stream *stream = other_stream(), *found = NULL;
  gpuarr_array *array = NULL, *view = NULL;
  assert_ok(gpuarr_array_zeros(&array, device, GPUARR_F32, 1, &count, 0, stream));
  assert_ok(gpuarr_array_slice(&view, array, 0, 1, 3, 1));
  assert_ok(gpuarr_array_stream(&found, view));
  assert_non_null(found);
  assert_ptr_equal(gpuarr_stream_native(found), gpuarr_stream_native(stream));
  assert_ptr_equal(gpuarr_stream_device(found), device);
  gpuarr_stream_release(found);
  struct owner owner;
  gpuarr_array* foreign = wrapped(&owner, 0);
  assert_ok(gpuarr_array_stream(&found, foreign));
  assert_null(found);
  assert_status(gpuarr_array_stream(&found, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_array_stream(NULL, array), GPUARR_ERR_ARGUMENT);
  release_arrays((gpuarr_array*[]){array, view, foreign}, 3);
  gpuarr_stream_release(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_memory_is_shared),
      cmocka_unit_test(strides_may_be_negative_or_0),
      cmocka_unit_test(the_deleter_comes_after_the_last_view),
      cmocka_unit_test(memory_without_elements_needs_no_address),
      cmocka_unit_test(strides_of_one_index_mean_nothing),
      cmocka_unit_test(release_waits_for_the_work),
      cmocka_unit_test(the_streams_may_go_first),
      cmocka_unit_test(what_cannot_be_wrapped_is_refused),
      cmocka_unit_test(ordinary_memory_is_for_devices_that_can_use_it),
      cmocka_unit_test(read_only_arrays_are_not_written_to),
      cmocka_unit_test(kernels_get_read_only_arrays_as_const),
      cmocka_unit_test(types_are_spelled_as_numpy_spells_them),
      cmocka_unit_test(strides_in_bytes),
      cmocka_unit_test(memory_is_in_the_order_of_a_stream),
  };
  device = open_test_device();
  return finish_tests(cmocka_run_group_tests(tests, NULL, release_slow_kernel));
}
