/* See sweep.h: what needs no device, devices and streams. */
#include <string.h>

#include "sweep.h"

static void receive(void* user, int32_t topic, const char* line) {
  (void)topic;
  *(int64_t*)user += (int64_t)strlen(line);
}

static int32_t begin_send(void** out, const void* data, int64_t bytes, int32_t to, int32_t tag,
                          void* user) {
  (void)out, (void)data, (void)bytes, (void)to, (void)tag, (void)user;
  return 0;
}

static int32_t begin_receive(void** out, void* data, int64_t bytes, int32_t from, int32_t tag,
                             void* user) {
  (void)out, (void)data, (void)bytes, (void)from, (void)tag, (void)user;
  return 0;
}

static int32_t is_over(int32_t* out, void* request, void* user) {
  (void)request, (void)user;
  *out = 1;
  return 0;
}

static void exercise_transport(void) {
  gpuarr_transport* transport = POISON;
  made(gpuarr_transport_create(&transport, 0, 1, begin_send, begin_receive, is_over, NULL),
       &transport);
  ok(gpuarr_transport_set_probe(transport, NULL));
  ok(gpuarr_transport_set_abort(transport, NULL));
  ok(gpuarr_transport_set_release(transport, NULL));
  ok(gpuarr_transport_set_name(transport, "none"));
  check(gpuarr_transport_retain(transport) == transport, "retained");
  gpuarr_transport_release(transport);
  gpuarr_transport_release(transport);
}

static void exercise_scalars(void) {
  const gpuarr_arg all[] = {gpuarr_arg_bool(1), gpuarr_arg_i8(1),     gpuarr_arg_i16(1),
                            gpuarr_arg_i32(1),  gpuarr_arg_i64(1),    gpuarr_arg_u8(1),
                            gpuarr_arg_u16(1),  gpuarr_arg_u32(1),    gpuarr_arg_u64(1),
                            gpuarr_arg_f16(1),  gpuarr_arg_bf16(1),   gpuarr_arg_f32(1),
                            gpuarr_arg_f64(1),  gpuarr_arg_c64(1, 0), gpuarr_arg_c128(1, 0)};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
    check(all[k].dtype != 0, "a scalar has a dtype");
}

void exercise_base(const struct stage* s) {
  (void)s;
  check(strlen(gpuarr_version()) > 0, "there is a version");
  check(strcmp(gpuarr_status_name(GPUARR_OK), "GPUARR_OK") == 0, "statuses have names");
  gpuarr_dtype dtype = -1;
  ok(gpuarr_dtype_from_name(&dtype, "f32"));
  check(gpuarr_dtype_size(dtype) == 4 && strcmp(gpuarr_dtype_name(dtype), "float32") == 0,
        "dtypes");
  exercise_scalars();
  exercise_transport();

  static int64_t bytes; /* of the log: it outlives this call */
  ok(gpuarr_log_set_receiver(receive, &bytes));
  ok(gpuarr_log_set("all"));
  int64_t statistic = -1;
  got(gpuarr_cache_statistic(&statistic, GPUARR_CACHE_COMPILES), &statistic, sizeof statistic);
  check(gpuarr_cache_directory() != NULL && gpuarr_cache_problem() != NULL, "the cache has texts");

  /* A list of living objects: of what the stage has. */
  static char report[4000];
  check(gpuarr_objects_report(report, sizeof report) > 0 || gpuarr_live_objects() == 0, "a report");
}

static int32_t stop_at_once(void* user, const char* what, int32_t done, int32_t all) {
  (void)user;
  return what != NULL && done < all;
}

void exercise_devices(const struct stage* s) {
  ok(gpuarr_cache_warm(s->device, stop_at_once, NULL));
  int32_t count = -1;
  got(gpuarr_device_count(&count, GPUARR_DEVICE_CUDA), &count, sizeof count);
  check(gpuarr_device_name(s->device) != NULL && gpuarr_device_description(s->device) != NULL,
        "devices have names");
  check(s->device == NULL || gpuarr_device_kind(s->device) == GPUARR_DEVICE_CUDA, "of a kind");
  int64_t attribute = -1, free_bytes = -1, total = -1, statistic = -1;
  got(gpuarr_device_attribute(&attribute, s->device, GPUARR_DEVICE_PROCESSORS), &attribute,
      sizeof attribute);
  got(gpuarr_device_memory(&free_bytes, &total, s->device), &free_bytes, sizeof free_bytes);
  const char *compiler = POISON, *driver = POISON, *blas = POISON, *solver = POISON;
  /* Opening libraries takes longer than all else here, and asks the driver nothing. */
  if (s->all_is_well) ok(gpuarr_device_compiler(&compiler, s->device));
  made(gpuarr_device_driver(&driver, s->device), &driver);
  if (s->all_is_well) made(gpuarr_device_blas(&blas, s->device), &blas);
  if (!s->all_is_well) made(gpuarr_device_solver(&solver, NULL), &solver); /* has no fake */
  ok(gpuarr_device_synchronize(s->device));
  got(gpuarr_memory_statistic(&statistic, s->device, GPUARR_MEMORY_TOTAL), &statistic,
      sizeof statistic);
  ok(gpuarr_memory_trim(s->device));
  int32_t can = -1;
  got(gpuarr_device_can_access_peer(&can, s->device, s->second), &can, sizeof can);
  ok(gpuarr_device_enable_peer(s->device, s->second));
}

static void exercise_events(const struct stage* s, gpuarr_stream* stream) {
  gpuarr_event *start = POISON, *end = POISON;
  made(gpuarr_event_create(&start, s->device, 0), &start);
  made(gpuarr_event_create(&end, s->device, 0), &end);
  ok(gpuarr_event_record(start, stream));
  ok(gpuarr_event_record(end, stream));
  ok(gpuarr_stream_wait(s->stream, end));
  ok(gpuarr_event_synchronize(end));
  int32_t done = -1;
  double microseconds = -1;
  got(gpuarr_event_query(&done, end), &done, sizeof done);
  got(gpuarr_event_elapsed(&microseconds, start, end), &microseconds, sizeof microseconds);
  check(end == NULL || gpuarr_event_device(end) == s->device, "an event is of its device");
  check(end == NULL || gpuarr_event_native(end) != NULL, "an event has a handle");
  check(gpuarr_event_retain(end) == end, "retained");
  gpuarr_event_release(end);
  gpuarr_event_release(end);
  gpuarr_event_release(start);
}

static void count_call(void* user) { ++*(int*)user; }

static void exercise_borrowed(const struct stage* s, gpuarr_stream* stream) {
  static int calls; /* outlives the stream's work */
  gpuarr_stream* borrowed = POISON;
  made(gpuarr_stream_borrow(&borrowed, s->device, gpuarr_stream_native(stream)), &borrowed);
  ok(gpuarr_stream_host_function(borrowed, count_call, &calls));
  ok(gpuarr_stream_synchronize(borrowed));
  gpuarr_stream_release(borrowed);
}

void exercise_streams(const struct stage* s) {
  gpuarr_stream *stream = POISON, *current = POISON;
  made(gpuarr_stream_create(&stream, s->device, -1, 0), &stream);
  exercise_borrowed(s, stream);
  exercise_events(s, stream);
  ok(gpuarr_stream_set_current(s->device, stream));
  made(gpuarr_stream_current(&current, s->device), &current);
  ok(gpuarr_stream_set_current(s->device, NULL));
  check(stream == NULL || gpuarr_stream_device(stream) == s->device, "a stream is of its device");
  check(stream == NULL || gpuarr_stream_native(stream) != NULL, "a stream has a handle");
  check(gpuarr_stream_priority(stream) <= 0, "the priority that was asked for");
  int32_t done = -1;
  got(gpuarr_stream_query(&done, stream), &done, sizeof done);
  ok(gpuarr_stream_synchronize(stream));
  check(gpuarr_stream_retain(stream) == stream, "retained");
  gpuarr_stream_release(stream);
  gpuarr_stream_release(stream);
  gpuarr_stream_release(current);
}
