/* See sweep.h: limits, hooks, and allocators of every kind. */
#include "sweep.h"

static int32_t reclaim(gpuarr_device* device, int64_t bytes, void* user) {
  (void)device;
  (void)bytes;
  (void)user;
  return 0;
}

static gpuarr_status watch(int32_t event, void* data, int64_t bytes, gpuarr_device* device,
                           gpuarr_stream* stream, void* user) {
  (void)data;
  (void)bytes;
  (void)device;
  (void)stream;
  ++((int64_t*)user)[event];
  return GPUARR_OK;
}

static gpuarr_status give(void** out, int64_t bytes, gpuarr_device* device, gpuarr_stream* stream,
                          void* user) {
  (void)device;
  return gpuarr_allocator_allocate(out, user, bytes, stream);
}

static void take(void* data, int64_t bytes, gpuarr_device* device, gpuarr_stream* stream,
                 void* user) {
  (void)bytes;
  (void)device;
  ok(gpuarr_allocator_free(user, data, stream));
}

static void exercise_allocator(const struct stage* s, gpuarr_allocator* allocator) {
  check(allocator == NULL || gpuarr_allocator_device(allocator) == s->device, "its device");
  void* data = POISON;
  if (made(gpuarr_allocator_allocate(&data, allocator, 1000, s->stream), &data))
    ok(gpuarr_allocator_free(allocator, data, s->stream));
  const int64_t shape[] = {1000};
  gpuarr_array* array = POISON;
  ok(gpuarr_allocator_set_for_stream(s->stream, allocator));
  made(gpuarr_array_zeros(&array, s->device, GPUARR_F32, 1, shape, 0, s->stream), &array);
  ok(gpuarr_allocator_set_for_stream(s->stream, NULL));
  ok(gpuarr_allocator_set_current(s->device, allocator));
  ok(gpuarr_allocator_set_current(s->device, NULL));
  gpuarr_array_release(array);
  ok(gpuarr_allocator_trim(allocator));
  int64_t number = -1;
  got(gpuarr_allocator_statistic(&number, allocator, GPUARR_MEMORY_PEAK), &number, sizeof number);
}

static void exercise_pinned(const struct stage* s) {
  float values[24] = {0};
  void* data = POISON;
  int64_t number = -1;
  made(gpuarr_pinned_allocate(&data, s->device, sizeof values), &data);
  void* host = data != NULL ? data : values;
  ok(gpuarr_array_write_async(s->x, NULL, host, sizeof values, s->stream));
  ok(gpuarr_array_read_async(host, sizeof values, NULL, s->x, s->stream));
  ok(gpuarr_pinned_free(s->device, data));
  got(gpuarr_pinned_statistic(&number, s->device, GPUARR_MEMORY_USED), &number, sizeof number);
  ok(gpuarr_stream_synchronize(s->stream));
  ok(gpuarr_pinned_trim(s->device));
}

void exercise_memory(const struct stage* s) {
  exercise_pinned(s);
  int64_t seen[7] = {0}, hook = -1, key = -1;
  got(gpuarr_memory_add_hook(&hook, watch, seen), &hook, sizeof hook);
  got(gpuarr_memory_add_reclaim(&key, reclaim, NULL), &key, sizeof key);
  ok(gpuarr_memory_set_limit_fraction(s->device, 0.9));
  for (int32_t kind = GPUARR_ALLOCATOR_POOL; kind <= GPUARR_ALLOCATOR_DIRECT; ++kind) {
    gpuarr_allocator* allocator = POISON;
    made(gpuarr_allocator_create(&allocator, s->device, kind), &allocator);
    exercise_allocator(s, allocator);
    gpuarr_allocator_release(allocator);
  }
  gpuarr_allocator *current = POISON, *custom = POISON;
  made(gpuarr_allocator_current(&current, s->device, NULL), &current);
  made(gpuarr_allocator_create_custom(&custom, s->device, give, take, current), &custom);
  if (current != NULL) exercise_allocator(s, custom);
  check(gpuarr_allocator_retain(custom) == custom, "retained");
  gpuarr_allocator_release(custom);
  gpuarr_allocator_release(custom);
  gpuarr_allocator_release(current);
  check(seen[GPUARR_MEMORY_FREEING] == seen[GPUARR_MEMORY_FREED], "what is freed is told twice");
  ok(gpuarr_memory_set_limit(s->device, 0));
  ok(gpuarr_memory_reset_peak(s->device));
  if (key != 0) ok(gpuarr_memory_remove_reclaim(key));
  if (hook != 0) ok(gpuarr_memory_remove_hook(hook));
}
