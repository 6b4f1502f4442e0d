/* See owned.h. */
#include "owned.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "arrays.h"
#include "kernels.h"

const double added_slowly = 40000;
static gpuarr_elementwise* slow;

void own(struct owner* owner, int64_t count) {
  *owner = (struct owner){.array = ramp(GPUARR_F64, count)};
  assert_ok(gpuarr_device_synchronize(open_test_device()));
}

/* The library calls it, so that it must not assert. */
void take_back(void* user) {
  struct owner* owner = user;
  double values[64] = {0};
  if (owner->awaited != 0) {
    gpuarr_array_read(values, sizeof values, NULL, owner->array, NULL);
    double last = values[gpuarr_array_size(owner->array) - 1];
    if (!(fabs(last - owner->awaited) < 1e-3)) ++owner->early;
  }
  ++owner->returns;
  gpuarr_array_release(owner->array);
}

gpuarr_stream* other_stream(void) {
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
  return stream;
}

void synchronize(gpuarr_stream* stream) { assert_ok(gpuarr_stream_synchronize(stream)); }

/* No compiler adds floating-point numbers in another order than the one that is written. */
void add_slowly(gpuarr_array* array, gpuarr_stream* stream) {
  if (slow == NULL)
    slow = make_elementwise("float64 x, int64 steps, float64 step", "float64 y",
                            "double v = x; for (long long k = 0; k < steps; ++k) v += step; y = v");
  int64_t steps = test_device_is_host() ? 400000 : 4000000;
  gpuarr_arg inputs[] = {gpuarr_arg_array(array), gpuarr_arg_i64(steps),
                         gpuarr_arg_f64(added_slowly / (double)steps)};
  assert_ok(gpuarr_elementwise_call(slow, &array, 1, inputs, 3, GPUARR_NO_SIZE, stream));
}

static void* release_it(void* array) {
  gpuarr_array_release(array);
  return NULL;
}

void release_elsewhere(gpuarr_array* array) {
  pthread_t thread;
  assert_int_equal(pthread_create(&thread, NULL, release_it, array), 0);
  pthread_join(thread, NULL);
}

void assert_ramp(const gpuarr_array* array, double start) {
  double* actual = doubles_of(array);
  for (int64_t k = 0; k < gpuarr_array_size(array); ++k)
    assert_close(actual[k], start + (double)k, 1e-6);
  free(actual);
}

int release_slow_kernel(void** state) {
  gpuarr_elementwise_release(slow);
  slow = NULL;
  return check_nothing_lives(state);
}
