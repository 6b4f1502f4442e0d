/* gpuarr/interop.h: DLPack tensors that are no arrays of ours, and are left untouched. */
#include <stdint.h>

#include "arrays.h"
#include "tensors.h"

static gpuarr_device* device;

/* Tries to import a tensor, and finds it untouched. */
static void refuse(struct foreign* foreign, gpuarr_status status, const char* message) {
  gpuarr_array* array = (gpuarr_array*)foreign;
  assert_status(gpuarr_array_from_dlpack(&array, &foreign->managed, NULL, NULL), status);
  assert_message_has(message);
  assert_null(array);
  assert_int_equal(foreign->owner.returns, 0);
  DLManagedTensorVersioned fresh = foreign->managed;
  fresh.deleter(&fresh);
  assert_int_equal(foreign->owner.returns, 1);
  make_foreign(foreign);
}

static void other_versions_are_refused(void** state) {
  (void)state;
  struct foreign foreign;
  make_foreign(&foreign);
  foreign.managed.version = (DLPackVersion){2, 3};
  foreign.managed.dl_tensor = (DLTensor){(void*)1, {-1, -1}, -1, {255, 255, 255}, NULL, NULL, 1};
  refuse(&foreign, GPUARR_ERR_UNSUPPORTED,
         "gpuarr_array_from_dlpack: the tensor is of DLPack 2.3, and only version 1 is known");
  foreign.managed.version.major = 0;
  refuse(&foreign, GPUARR_ERR_UNSUPPORTED, "DLPack 0.0");
  gpuarr_array_release(foreign.owner.array);
}

static void unknown_types_are_refused(void** state) {
  (void)state;
  const DLDataType types[] = {{kDLFloat, 64, 2}, {kDLFloat, 8, 1}, {kDLInt, 4, 1},
                              {3, 64, 1},        {8, 8, 1},        {kDLBool, 1, 1},
                              {17, 4, 1},        {kDLFloat, 64, 0}};
  struct foreign foreign;
  make_foreign(&foreign);
  for (size_t k = 0; k < sizeof types / sizeof *types; ++k) {
    foreign.managed.dl_tensor.dtype = types[k];
    refuse(&foreign, GPUARR_ERR_DTYPE, "the tensor's type has code ");
  }
  gpuarr_array_release(foreign.owner.array);
}

static void impossible_shapes_are_refused(void** state) {
  (void)state;
  struct foreign foreign;
  make_foreign(&foreign);
  foreign.managed.dl_tensor.ndim = 33;
  refuse(&foreign, GPUARR_ERR_SHAPE, "ndim is 33");
  foreign.managed.dl_tensor.ndim = -1;
  refuse(&foreign, GPUARR_ERR_SHAPE, "ndim is -1");
  foreign.shape[1] = -4;
  refuse(&foreign, GPUARR_ERR_SHAPE, "shape[1] is -4");
  foreign.shape[0] = INT64_MAX;
  refuse(&foreign, GPUARR_ERR_SHAPE, "is more than 2^63 - 1 bytes");
  foreign.strides[0] = INT64_MAX / 4;
  refuse(&foreign, GPUARR_ERR_SHAPE, "reach beyond 2^63 bytes");
  foreign.managed.dl_tensor.shape = NULL;
  refuse(&foreign, GPUARR_ERR_ARGUMENT, "shape is NULL");
  gpuarr_array_release(foreign.owner.array);
}

/* Strides and offsets whose addresses would wrap around. */
static void addresses_that_wrap_around_are_refused(void** state) {
  (void)state;
  struct foreign foreign;
  make_foreign(&foreign);
  const int64_t far = INT64_C(1) << 57;
  foreign.strides[0] = -far;
  refuse(&foreign, GPUARR_ERR_SHAPE, "to before address 0");
  foreign.managed.dl_tensor.data = (void*)(UINTPTR_MAX - 63);
  refuse(&foreign, GPUARR_ERR_SHAPE, "beyond the last address");
  foreign.managed.dl_tensor.byte_offset = UINT64_MAX - 63;
  refuse(&foreign, GPUARR_ERR_SHAPE, "lead beyond the last address");
  gpuarr_array_release(foreign.owner.array);
}

static void bad_addresses_are_refused(void** state) {
  (void)state;
  struct foreign foreign;
  make_foreign(&foreign);
  foreign.managed.dl_tensor.byte_offset = 4;
  refuse(&foreign, GPUARR_ERR_ARGUMENT,
         "and byte_offset 4 lead to an address that is not aligned to the 8 bytes that a float64 "
         "needs");
  foreign.managed.dl_tensor.data = NULL;
  refuse(&foreign, GPUARR_ERR_ARGUMENT, "data is NULL, but its shape (3, 4) has elements");
  gpuarr_array* array = NULL;
  DLManagedTensorVersioned* tensor = NULL;
  DLManagedTensor* legacy = NULL;
  assert_status(gpuarr_array_from_dlpack(&array, NULL, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("tensor is NULL");
  assert_status(gpuarr_array_from_dlpack_legacy(&array, NULL, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_array_from_dlpack(NULL, &foreign.managed, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  assert_status(gpuarr_array_to_dlpack(&tensor, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("array is NULL");
  assert_status(gpuarr_array_to_dlpack(NULL, foreign.owner.array, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_array_to_dlpack_legacy(&legacy, NULL, NULL), GPUARR_ERR_ARGUMENT);
  gpuarr_array_release(foreign.owner.array);
}

static void foreign_devices_are_refused(void** state) {
  (void)state;
  struct foreign foreign;
  gpuarr_device *host = NULL, *gpu = NULL;
  gpuarr_array* array = NULL;
  make_foreign(&foreign);
  assert_ok(gpuarr_device_open(&host, "host"));
  gpuarr_device_open(&gpu, "cuda");
  foreign.managed.dl_tensor.device.device_type = kDLROCM;
  refuse(&foreign, GPUARR_ERR_DEVICE, "the tensor is on a device of DLPack's type 10");
  foreign.managed.dl_tensor.device.device_type = kDLCUDA;
  assert_status(gpuarr_array_from_dlpack(&array, &foreign.managed, host, NULL), GPUARR_ERR_DEVICE);
  assert_message_has("but device is host");
  foreign.managed.dl_tensor.device.device_id = 77;
  if (gpu != NULL) {
    assert_status(gpuarr_array_from_dlpack(&array, &foreign.managed, gpu, NULL), GPUARR_ERR_DEVICE);
    assert_message_has("the tensor is on cuda:77, but device is cuda:0");
  }
  gpuarr_status status = gpuarr_array_from_dlpack(&array, &foreign.managed, NULL, NULL);
  assert_true(status == GPUARR_ERR_NO_DEVICE || status == GPUARR_ERR_NO_DRIVER ||
              status == GPUARR_ERR_UNSUPPORTED);
  assert_int_equal(foreign.owner.returns, 0);
  gpuarr_array_release(foreign.owner.array);
}

/* Pinned and managed memory are the host's as well. */
static void the_cpu_takes_memory_that_gpus_share(void** state) {
  (void)state;
  const int32_t types[] = {kDLCUDAHost, kDLCUDAManaged};
  gpuarr_device* host = NULL;
  assert_ok(gpuarr_device_open(&host, "host"));
  for (int k = 0; k < 2; ++k) {
    double data[] = {1, 2, 3};
    int64_t shape = 3;
    DLManagedTensorVersioned tensor = {
        {1, 0}, NULL, NULL, 0, {data, {types[k], 0}, 1, {kDLFloat, 64, 1}, &shape, NULL, 0}};
    gpuarr_array* array = NULL;
    assert_ok(gpuarr_array_from_dlpack(&array, &tensor, host, NULL));
    assert_ptr_equal(gpuarr_array_device(array), host);
    assert_values(array, 3, data);
    gpuarr_array_release(array);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_versions_are_refused),
      cmocka_unit_test(unknown_types_are_refused),
      cmocka_unit_test(impossible_shapes_are_refused),
      cmocka_unit_test(addresses_that_wrap_around_are_refused),
      cmocka_unit_test(bad_addresses_are_refused),
      cmocka_unit_test(foreign_devices_are_refused),
      cmocka_unit_test(the_cpu_takes_memory_that_gpus_share),
  };
  device = open_test_device();
  return finish_tests(cmocka_run_group_tests(tests, NULL, release_slow_kernel));
}
