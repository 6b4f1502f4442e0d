/* gpuarr/interop.h: DLPack in and out, as a library in C would do it. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "tensors.h"

static gpuarr_device* device;

static void a_tensor_describes_its_array(void** state) {
  (void)state;
  const DLDataType types[] = {{kDLBool, 8, 1},   {kDLInt, 8, 1},      {kDLInt, 16, 1},
                              {kDLInt, 32, 1},   {kDLInt, 64, 1},     {kDLUInt, 8, 1},
                              {kDLUInt, 16, 1},  {kDLUInt, 32, 1},    {kDLUInt, 64, 1},
                              {kDLFloat, 16, 1}, {kDLBfloat, 16, 1},  {kDLFloat, 32, 1},
                              {kDLFloat, 64, 1}, {kDLComplex, 64, 1}, {kDLComplex, 128, 1}};
  int64_t shape[] = {3, 4};
  for (gpuarr_dtype dtype = GPUARR_BOOL; dtype <= GPUARR_C128; ++dtype) {
    gpuarr_array *array = zeros(dtype, 2, shape), *view = NULL;
    assert_ok(gpuarr_array_slice(&view, array, 1, GPUARR_NONE, GPUARR_NONE, -2));
    DLManagedTensorVersioned* tensor = export(view, NULL);
    DLTensor* t = &tensor->dl_tensor;
    assert_int_equal(tensor->version.major, 1);
    assert_int_equal(tensor->version.minor, 0);
    assert_int_equal(tensor->flags, 0);
    assert_ptr_equal(t->data, gpuarr_array_data(view));
    assert_int_equal(t->byte_offset, 0);
    assert_int_equal(t->device.device_type, device_type());
    assert_int_equal(t->device.device_id, device_number());
    assert_memory_equal(&t->dtype, &types[dtype - 1], sizeof t->dtype);
    assert_int_equal(t->ndim, 2);
    assert_memory_equal(t->shape, ((int64_t[]){3, 2}), 16);
    assert_memory_equal(t->strides, ((int64_t[]){4, -2}), 16);
    gpuarr_array* back = import(tensor, NULL);
    assert_int_equal(gpuarr_array_dtype(back), dtype);
    release_arrays((gpuarr_array*[]){array, view, back}, 3);
  }
}

static void tensors_of_few_axes_or_elements(void** state) {
  (void)state;
  int64_t shape[] = {2, 0};
  gpuarr_array *scalar = zeros(GPUARR_F32, 0, NULL), *empty = zeros(GPUARR_F32, 2, shape);
  DLManagedTensorVersioned *one = export(scalar, NULL), *none = export(empty, NULL);
  assert_int_equal(one->dl_tensor.ndim, 0);
  assert_null(none->dl_tensor.data);
  assert_non_null(none->dl_tensor.strides);
  none->dl_tensor.data = &shape; /* some libraries leave an address there */
  none->dl_tensor.byte_offset = 1;
  gpuarr_array *back = import(one, NULL), *nothing = import(none, NULL);
  assert_close(value_of(back), 0, 0);
  assert_shape(nothing, 2, shape);
  assert_null(gpuarr_array_data(nothing));
  release_arrays((gpuarr_array*[]){scalar, empty, back, nothing}, 4);
}

/* Whichever of a tensor and its array goes first, and wherever, the memory stays for the other. */
static void memory_lives_as_long_as_its_tensor(void** state) {
  (void)state;
  int64_t before = 0, after = 0, objects = gpuarr_live_objects();
  assert_ok(gpuarr_memory_statistic(&before, device, GPUARR_MEMORY_USED));
  for (int order = 0; order < 3; ++order) {
    gpuarr_array* array = ramp(GPUARR_F64, 12);
    DLManagedTensorVersioned* tensor = export(array, NULL);
    if (order == 0) {
      tensor->deleter(tensor);
      assert_ramp(array, 0);
      gpuarr_array_release(array);
      continue;
    }
    gpuarr_array_release(array);
    assert_int_equal(gpuarr_live_objects(), objects);
    array = import(tensor, NULL);
    assert_ramp(array, 0);
    if (order == 1) gpuarr_array_release(array);
    if (order == 2) release_elsewhere(array);
  }
  assert_ok(gpuarr_memory_statistic(&after, device, GPUARR_MEMORY_USED));
  assert_int_equal(after, before);
}

static void foreign_tensors_are_seen_where_they_are(void** state) {
  (void)state;
  struct foreign foreign;
  make_foreign(&foreign);
  foreign.managed.version.minor = 99; /* newer minor versions add only names */
  gpuarr_array *array = import(&foreign.managed, NULL), *view = NULL;
  assert_ptr_equal(gpuarr_array_data(array), gpuarr_array_data(foreign.owner.array));
  assert_ptr_equal(gpuarr_array_device(array), device);
  assert_int_equal(gpuarr_array_is_read_only(array), 0);
  assert_shape(array, 2, foreign.shape);
  assert_ramp(array, 0);
  assert_ok(gpuarr_array_transpose(&view, array, 0, NULL));
  gpuarr_array_release(array);
  assert_int_equal(foreign.owner.returns, 0);
  gpuarr_array_release(view);
  assert_int_equal(foreign.owner.returns, 1);

  make_foreign(&foreign);
  assert_ok(gpuarr_array_from_dlpack_legacy(&array, &foreign.legacy, device, NULL));
  assert_ramp(array, 0);
  gpuarr_array_release(array);
  assert_int_equal(foreign.owner.returns, 1);

  make_foreign(&foreign); /* nobody to tell */
  foreign.managed.deleter = NULL;
  gpuarr_array_release(import(&foreign.managed, NULL));
  gpuarr_array_release(foreign.owner.array);
}

static void strides_and_offset_are_followed(void** state) {
  (void)state;
  struct foreign foreign;
  make_foreign(&foreign);
  foreign.managed.dl_tensor.strides = NULL;
  foreign.managed.dl_tensor.byte_offset = 16;
  foreign.shape[0] = 2;
  gpuarr_array* array = import(&foreign.managed, NULL);
  assert_int_equal(gpuarr_array_strides(array)[0], 4);
  assert_ramp(array, 2);
  gpuarr_array_release(array);

  make_foreign(&foreign);
  foreign.managed.dl_tensor.byte_offset = 88;
  foreign.strides[0] = -4;
  foreign.strides[1] = -1;
  array = import(&foreign.managed, NULL);
  assert_values(array, 12, (double[]){11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0});
  gpuarr_array_release(array);
  assert_int_equal(foreign.owner.returns, 1);
}

static void read_only_is_passed_on(void** state) {
  (void)state;
  struct foreign foreign;
  make_foreign(&foreign);
  foreign.managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  gpuarr_array* array = import(&foreign.managed, NULL);
  assert_int_equal(gpuarr_array_is_read_only(array), 1);
  DLManagedTensorVersioned* tensor = export(array, NULL);
  assert_int_equal(tensor->flags, DLPACK_FLAG_BITMASK_READ_ONLY);
  tensor->deleter(tensor);
  DLManagedTensor* legacy = (DLManagedTensor*)&foreign;
  assert_status(gpuarr_array_to_dlpack_legacy(&legacy, array, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("array is read-only, which the older struct cannot express");
  assert_null(legacy);
  gpuarr_array_release(array);
  assert_int_equal(foreign.owner.returns, 1);
}

static void the_older_struct_makes_the_trip_too(void** state) {
  (void)state;
  gpuarr_array *array = ramp(GPUARR_F64, 12), *back = NULL;
  DLManagedTensor* tensor = NULL;
  assert_ok(gpuarr_array_to_dlpack_legacy(&tensor, array, NULL));
  assert_ptr_equal(tensor->dl_tensor.data, gpuarr_array_data(array));
  gpuarr_array_release(array);
  assert_ok(gpuarr_array_from_dlpack_legacy(&back, tensor, NULL, NULL));
  assert_ramp(back, 0);
  gpuarr_array_release(back);
}

/* What is computed in one stream is read in another, which nobody synchronises. */
static void consumers_wait_for_all_earlier_work(void** state) {
  (void)state;
  gpuarr_stream *home = other_stream(), *second = other_stream(), *consumer = other_stream();
  int64_t count = 64;
  gpuarr_array *array = NULL, *copy = NULL;
  assert_ok(gpuarr_array_zeros(&array, device, GPUARR_F64, 1, &count, 0, home));
  synchronize(home);
  add_slowly(array, second);
  gpuarr_array* back = import(export(array, consumer), NULL);
  assert_ok(gpuarr_array_copy(&copy, back, GPUARR_ORDER_K, consumer));
  synchronize(consumer);
  double* values = doubles_of(copy);
  for (int k = 0; k < count; ++k) assert_close(values[k], added_slowly, 1e-6);
  free(values);
  release_arrays((gpuarr_array*[]){array, copy, back}, 3);
  gpuarr_stream_release(home);
  gpuarr_stream_release(second);
  gpuarr_stream_release(consumer);
}

static void importers_wait_for_the_producer(void** state) {
  (void)state;
  struct foreign foreign;
  make_foreign(&foreign);
  gpuarr_stream *producer = other_stream(), *mine = other_stream(), *found = NULL;
  gpuarr_array* copy = NULL;
  add_slowly(foreign.owner.array, producer);
  assert_ok(gpuarr_stream_set_current(device, mine));
  gpuarr_array* array = import(&foreign.managed, producer);
  assert_ok(gpuarr_array_copy(&copy, array, GPUARR_ORDER_K, NULL));
  assert_ok(gpuarr_array_stream(&found, array));
  assert_ptr_equal(gpuarr_stream_native(found), gpuarr_stream_native(mine));
  assert_ok(gpuarr_stream_set_current(device, NULL));
  synchronize(mine);
  assert_ramp(copy, added_slowly);
  release_arrays((gpuarr_array*[]){copy, array}, 2);
  assert_int_equal(foreign.owner.returns, 1);
  gpuarr_stream_release(found);
  gpuarr_stream_release(producer);
  gpuarr_stream_release(mine);
}

/* The array is gone, the tensor is deleted while the consumer's work runs: nobody gets the memory
 * before that is done. */
static void memory_is_not_reused_before_the_consumers_work(void** state) {
  (void)state;
  gpuarr_stream *home = other_stream(), *consumer = other_stream();
  int64_t count = 64;
  gpuarr_array *array = NULL, *next = NULL, *result = NULL;
  assert_ok(gpuarr_array_zeros(&array, device, GPUARR_F64, 1, &count, 0, home));
  DLManagedTensorVersioned* tensor = export(array, consumer);
  gpuarr_array* theirs = NULL; /* as another library would use it */
  assert_ok(gpuarr_array_wrap(&theirs, device, GPUARR_F64, 1, &count, NULL, tensor->dl_tensor.data,
                              0, NULL, NULL));
  add_slowly(theirs, consumer);
  assert_ok(gpuarr_array_copy(&result, theirs, GPUARR_ORDER_K, consumer));
  gpuarr_array_release(theirs);
  gpuarr_array_release(array);
  tensor->deleter(tensor);
  assert_ok(gpuarr_array_empty(&next, device, GPUARR_F64, 1, &count, 0, home));
  assert_ok(gpuarr_array_fill(next, gpuarr_arg_f64(-1), home));
  synchronize(home);
  synchronize(consumer);
  double* values = doubles_of(result);
  for (int k = 0; k < count; ++k) assert_close(values[k], added_slowly, 1e-6);
  free(values);
  release_arrays((gpuarr_array*[]){next, result}, 2);
  gpuarr_stream_release(home);
  gpuarr_stream_release(consumer);
}

static void an_import_is_released_during_a_kernel(void** state) {
  (void)state;
  gpuarr_stream* stream = other_stream();
  for (int elsewhere = 0; elsewhere <= 1; ++elsewhere) {
    struct foreign foreign;
    make_foreign(&foreign);
    foreign.owner.awaited = 11 + added_slowly;
    gpuarr_array* array = import(&foreign.managed, NULL);
    add_slowly(array, stream);
    if (elsewhere)
      release_elsewhere(array);
    else
      gpuarr_array_release(array);
    assert_int_equal(foreign.owner.returns, 1);
    assert_int_equal(foreign.owner.early, 0);
  }
  gpuarr_stream_release(stream);
}

static void streams_are_of_the_tensors_device(void** state) {
  (void)state;
  gpuarr_device* other = NULL;
  if (gpuarr_device_open(&other, test_device_is_host() ? "cuda" : "host") != GPUARR_OK) skip();
  gpuarr_stream* stream = NULL;
  DLManagedTensorVersioned* tensor = NULL;
  gpuarr_array* array = ramp(GPUARR_F64, 3);
  assert_ok(gpuarr_stream_create(&stream, other, 0, 0));
  assert_status(gpuarr_array_to_dlpack(&tensor, array, stream), GPUARR_ERR_DEVICE);
  assert_null(tensor);
  tensor = export(array, NULL);
  gpuarr_array* back = array;
  assert_status(gpuarr_array_from_dlpack(&back, tensor, NULL, stream), GPUARR_ERR_DEVICE);
  assert_null(back);
  tensor->deleter(tensor);
  gpuarr_array_release(array);
  gpuarr_stream_release(stream);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_tensor_describes_its_array),
      cmocka_unit_test(tensors_of_few_axes_or_elements),
      cmocka_unit_test(memory_lives_as_long_as_its_tensor),
      cmocka_unit_test(foreign_tensors_are_seen_where_they_are),
      cmocka_unit_test(strides_and_offset_are_followed),
      cmocka_unit_test(read_only_is_passed_on),
      cmocka_unit_test(the_older_struct_makes_the_trip_too),
      cmocka_unit_test(consumers_wait_for_all_earlier_work),
      cmocka_unit_test(importers_wait_for_the_producer),
      cmocka_unit_test(memory_is_not_reused_before_the_consumers_work),
      cmocka_unit_test(an_import_is_released_during_a_kernel),
      cmocka_unit_test(streams_are_of_the_tensors_device),
  };
  device = open_test_device();
  return finish_tests(cmocka_run_group_tests(tests, NULL, release_slow_kernel));
}
