/* See sweep.h: memory of others, and tensors. */
#include <string.h>

#include "dlpack.h"
#include "sweep.h"

static void count_return(void* user) { ++*(int*)user; }

/* What is given back is given back once, and only if it was taken. */
static void exercise_wrap(const struct stage* s) {
  static const int64_t shape[] = {24};
  gpuarr_array *owner = POISON, *wrapped = POISON;
  int returned = 0;
  made(gpuarr_array_zeros(&owner, s->device, GPUARR_F32, 1, shape, 0, NULL), &owner);
  int taken = made(gpuarr_array_wrap(&wrapped, s->device, GPUARR_F32, 1, shape, NULL,
                                     gpuarr_array_data(owner), 0, count_return, &returned),
                   &wrapped);
  ok(gpuarr_array_fill(wrapped, gpuarr_arg_f32(1), s->stream));
  check(gpuarr_array_is_read_only(wrapped) == 0, "it may be written to");
  gpuarr_array_release(wrapped);
  check(returned == taken, "wrapped memory is given back once");
  gpuarr_array_release(owner);
}

static void exercise_facts(const gpuarr_array* array) {
  int64_t strides[2] = {-1, -1};
  gpuarr_stream* stream = POISON;
  ok(gpuarr_array_byte_strides(strides, array));
  check(array == NULL || strcmp(gpuarr_array_typestr(array), "<f4") == 0, "a type has a name");
  check(array == NULL || gpuarr_array_itemsize(array) == 4, "and a size");
  made(gpuarr_array_stream(&stream, array), &stream);
  gpuarr_stream_release(stream);
}

void exercise_interop(const struct stage* s) {
  exercise_wrap(s);
  exercise_facts(s->x);
  DLManagedTensorVersioned* tensor = POISON;
  DLManagedTensor* legacy = POISON;
  gpuarr_array *array = POISON, *second = POISON;
  made(gpuarr_array_to_dlpack(&tensor, s->x, s->stream), &tensor);
  made(gpuarr_array_to_dlpack_legacy(&legacy, s->x, NULL), &legacy);
  if (!made(gpuarr_array_from_dlpack(&array, tensor, NULL, s->stream), &array) && tensor != NULL)
    tensor->deleter(tensor);
  if (!made(gpuarr_array_from_dlpack_legacy(&second, legacy, s->device, NULL), &second) &&
      legacy != NULL)
    legacy->deleter(legacy);
  ok(gpuarr_array_fill(array, gpuarr_arg_f32(1), NULL));
  gpuarr_array_release(second);
  gpuarr_array_release(array);
}
