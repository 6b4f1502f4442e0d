/* One object of each kind, with work under way, for tests of when they may be released. */
#ifndef GPUARR_TEST_THINGS_H
#define GPUARR_TEST_THINGS_H

#include <string.h>

#include "support.h"

enum { SIZE = 1000 };

/* One of each. */
struct things {
  gpuarr_array *array, *view;
  gpuarr_stream *stream, *current;
  gpuarr_event* event;
  gpuarr_elementwise* kernel;
  gpuarr_call* call;
  gpuarr_module* module;
  gpuarr_raw* raw;
};

static const char source[] =
    "extern \"C\" __global__ void one(float* x) { x[threadIdx.x] = 1; }\n"
    "extern \"C\" __global__ void wild(float* x) { x[(long long)1 << 40] = 1; }\n";

static inline gpuarr_array* zeros(gpuarr_stream* stream) {
  gpuarr_array* array = NULL;
  const int64_t shape[] = {SIZE};
  gpuarr_array_zeros(&array, open_test_device(), GPUARR_F32, 1, shape, GPUARR_ORDER_C, stream);
  return array;
}

/* With work of each that may still be running. */
static inline int make_things(struct things* t) {
  gpuarr_device* device = open_test_device();
  memset(t, 0, sizeof *t);
  int failures = gpuarr_stream_create(&t->stream, device, 0, 0) != GPUARR_OK;
  failures += gpuarr_stream_current(&t->current, device) != GPUARR_OK;
  failures += gpuarr_event_create(&t->event, device, 0) != GPUARR_OK;
  t->array = zeros(t->stream);
  failures += gpuarr_array_slice(&t->view, t->array, 0, 10, 20, 1) != GPUARR_OK;
  failures += gpuarr_elementwise_create(&t->kernel, "T x", "T y", "y = x + 1;", NULL) != GPUARR_OK;
  const gpuarr_arg input = gpuarr_arg_array(t->array);
  failures += gpuarr_elementwise_prepare(&t->call, t->kernel, &t->array, 1, &input, 1,
                                         GPUARR_NO_SIZE) != GPUARR_OK;
  failures += gpuarr_call_launch(t->call, t->stream) != GPUARR_OK;
  failures += gpuarr_module_create(&t->module, source, NULL) != GPUARR_OK;
  failures += gpuarr_module_kernel(&t->raw, t->module, "one", NULL) != GPUARR_OK;
  failures += gpuarr_raw_launch_1d(t->raw, 10, &input, 1, t->stream) != GPUARR_OK;
  failures += gpuarr_event_record(t->event, t->stream) != GPUARR_OK;
  if (failures != 0) print_error("%s\n", gpuarr_last_error());
  return failures;
}

static inline void release_things(struct things* t) {
  gpuarr_raw_release(t->raw);
  gpuarr_module_release(t->module);
  gpuarr_elementwise_release(t->kernel);
  gpuarr_call_release(t->call);
  gpuarr_event_release(t->event);
  gpuarr_stream_release(t->stream);
  gpuarr_stream_release(t->current);
  gpuarr_array_release(t->array);
  gpuarr_array_release(t->view);
}

/* In one of the moments: failures have messages, arrays come and go in the current stream. */
static inline int works_here(void) {
  gpuarr_dtype dtype = 0;
  char name[300];
  memset(name, 'x', sizeof name);
  name[sizeof name - 1] = '\0';
  if (gpuarr_dtype_from_name(&dtype, name) != GPUARR_ERR_TYPE) return 0;
  if (strstr(gpuarr_last_error(), name) == NULL) return 0;
  gpuarr_array* array = zeros(NULL);
  if (array == NULL) return 0;
  gpuarr_status status = gpuarr_array_fill(array, gpuarr_arg_f32(1), NULL);
  gpuarr_array_release(array);
  return status == GPUARR_OK;
}

#endif
