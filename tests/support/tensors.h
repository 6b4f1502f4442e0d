/* DLPack tensors of the test device, as a library in C would make and take them. */
#ifndef GPUARR_TEST_TENSORS_H
#define GPUARR_TEST_TENSORS_H

#include <stdlib.h>
#include <string.h>

#include "dlpack.h"
#include "owned.h"

/* N of "cuda:N". */
static inline int32_t device_number(void) {
  const char* colon = strchr(gpuarr_device_name(open_test_device()), ':');
  return colon != NULL ? (int32_t)atoi(colon + 1) : 0;
}

static inline int32_t device_type(void) { return test_device_is_host() ? kDLCPU : kDLCUDA; }

static inline DLManagedTensorVersioned* export(gpuarr_array* array, gpuarr_stream* consumer) {
  DLManagedTensorVersioned* tensor = NULL;
  assert_ok(gpuarr_array_to_dlpack(&tensor, array, consumer));
  assert_non_null(tensor);
  return tensor;
}

static inline gpuarr_array* import(DLManagedTensorVersioned* tensor, gpuarr_stream* producer) {
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_from_dlpack(&array, tensor, NULL, producer));
  assert_non_null(array);
  return array;
}

/* A tensor of another library, around an owner's memory. */
struct foreign {
  DLManagedTensorVersioned managed;
  DLManagedTensor legacy;
  struct owner owner;
  int64_t shape[2], strides[2];
};

static inline void return_foreign(DLManagedTensorVersioned* self) { take_back(self->manager_ctx); }
static inline void return_legacy(DLManagedTensor* self) { take_back(self->manager_ctx); }

/* (3, 4) of float64: 0 to 11. */
static inline void make_foreign(struct foreign* foreign) {
  *foreign = (struct foreign){.shape = {3, 4}, .strides = {4, 1}};
  own(&foreign->owner, 12);
  DLTensor tensor = {gpuarr_array_data(foreign->owner.array),
                     {device_type(), device_number()},
                     2,
                     {kDLFloat, 64, 1},
                     foreign->shape,
                     foreign->strides,
                     0};
  foreign->managed = (DLManagedTensorVersioned){{1, 0}, &foreign->owner, return_foreign, 0, tensor};
  foreign->legacy = (DLManagedTensor){tensor, &foreign->owner, return_legacy};
}

#endif
