/* Tests of gpuarr/index.h: what is said of indices out of range, by whom and when. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"

static gpuarr_device* device;
static gpuarr_stream* stream;

/* The current one of the test, so that arrays are made in it. */
static int make_stream(void** state) {
  (void)state;
  return gpuarr_stream_create(&stream, device, 0, 0) != GPUARR_OK ||
         gpuarr_stream_set_current(device, stream) != GPUARR_OK;
}

static int drop_stream(void** state) {
  (void)state;
  gpuarr_stream_release(stream);
  return gpuarr_stream_set_current(device, NULL) != GPUARR_OK;
}

/* Whether work is done, and its errors come, when a call returns. */
static int at_once(void) {
  const char* async = getenv("GPUARR_HOST_ASYNC");
  return test_device_is_host() && (async == NULL || strcmp(async, "0") == 0);
}

/* What was called with an index out of range has said so, or does so when it is waited for. */
static void assert_reported(gpuarr_status status, const char* function, const char* says) {
  if (!at_once()) {
    assert_ok(status);
    status = gpuarr_stream_synchronize(stream);
    assert_status(status, GPUARR_ERR_INDEX);
    assert_message_has("gpuarr_stream_synchronize: ");
    assert_message_has("called before, failed while its work ran");
  }
  assert_status(status, GPUARR_ERR_INDEX);
  assert_message_has(function);
  assert_message_has(says);
  assert_ok(gpuarr_stream_synchronize(stream)); /* once */
}

static gpuarr_array* whole(int64_t count, const int64_t* numbers) {
  return from(GPUARR_I64, 1, &count, numbers);
}

static void indices_out_of_range(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3}, wrong[] = {0, 2, -3, 3, -1}, low[] = {1, 0, -4};
  gpuarr_array *x = zeros(GPUARR_F32, 2, shape), *k = whole(5, wrong), *out = NULL;
  assert_reported(gpuarr_take(&out, x, k, 1, stream), "gpuarr_take",
                  "index 3, which is element 3 of indices in C order, is out of range for axis 1 "
                  "of extent 3; give indices from -3 to 2");
  gpuarr_array_release(out);
  out = NULL;
  replace(&k, whole(3, low));
  assert_reported(gpuarr_take(&out, x, k, -1, stream), "gpuarr_take",
                  "index -4, which is element 2 of indices");
  gpuarr_array_release(out);
  assert_reported(gpuarr_put(x, k, gpuarr_arg_f32(1), 1, stream), "gpuarr_put", "index -4");
  assert_reported(gpuarr_put_add(x, k, gpuarr_arg_f32(1), 1, stream), "gpuarr_put_add", "index -4");
  const int64_t one_row[] = {1, 3};
  out = NULL;
  replace(&k, from(GPUARR_I64, 2, one_row, low));
  assert_reported(gpuarr_take_along_axis(&out, x, k, 1, stream), "gpuarr_take_along_axis",
                  "index -4, which is element 2 of indices");
  gpuarr_array_release(out);
  assert_reported(gpuarr_put_along_axis(x, k, gpuarr_arg_f32(1), 1, stream),
                  "gpuarr_put_along_axis", "index -4");
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

/* Numbers that would wrap around to one in range. */
static void indices_far_out_of_range(void** state) {
  (void)state;
  const uint64_t most = UINT64_MAX;
  const int64_t one = 1, least = INT64_MIN;
  gpuarr_array *x = line(GPUARR_F64, 4), *k = from(GPUARR_U64, 1, &one, &most), *out = NULL;
  assert_reported(gpuarr_take(&out, x, k, 0, stream), "gpuarr_take",
                  "index 18446744073709551615, which is element 0 of indices in C order, is out of "
                  "range for axis 0 of extent 4; give indices from 0 to 3");
  gpuarr_array_release(out);
  out = NULL;
  replace(&k, whole(1, &least));
  assert_reported(gpuarr_take(&out, x, k, 0, stream), "gpuarr_take", "index -9223372036854775808");
  gpuarr_array_release(out);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

/* What is in range is done all the same, and nothing else is touched. */
static void the_rest_is_done(void** state) {
  (void)state;
  const int64_t numbers[] = {2, 7, -1, -9};
  const float elements[] = {5, 6, 7};
  gpuarr_array *x = floats(3, elements), *k = whole(4, numbers), *out = line(GPUARR_F32, 4);
  assert_ok(gpuarr_array_fill(out, gpuarr_arg_f32(9), stream));
  assert_reported(gpuarr_take(&out, x, k, 0, stream), "gpuarr_take", "of extent 3");
  assert_values(out, 4, (double[]){7, 0, 7, 0});
  assert_reported(gpuarr_put(x, k, gpuarr_arg_f32(1), 0, stream), "gpuarr_put", "of extent 3");
  assert_values(x, 3, (double[]){5, 6, 1});
  assert_reported(gpuarr_put_add(x, k, gpuarr_arg_f32(2), 0, stream), "gpuarr_put_add",
                  "of extent 3");
  assert_values(x, 3, (double[]){5, 6, 5});
  gpuarr_array_release(out);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

/* Waiting for an event, for the device and reading tell as well; each report is told once. */
static void whoever_waits_is_told(void** state) {
  (void)state;
  if (at_once()) skip();
  const int64_t wrong[] = {4, 5};
  gpuarr_array *x = line(GPUARR_F32, 3), *k = whole(2, wrong), *out = NULL;
  gpuarr_event* event = NULL;
  float values[2];
  assert_ok(gpuarr_event_create(&event, device, 0));
  assert_ok(gpuarr_take(&out, x, k, 0, stream));
  assert_ok(gpuarr_event_record(event, stream));
  assert_status(gpuarr_event_synchronize(event), GPUARR_ERR_INDEX);
  assert_message_has("gpuarr_event_synchronize: gpuarr_take, called before");
  assert_ok(gpuarr_event_synchronize(event));
  assert_ok(gpuarr_take(&out, x, k, 0, stream));
  assert_status(gpuarr_array_read(values, sizeof values, NULL, out, stream), GPUARR_ERR_INDEX);
  assert_message_has("gpuarr_array_read: gpuarr_take, called before");
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, out, stream));
  assert_ok(gpuarr_take(&out, x, k, 0, stream));
  assert_status(gpuarr_device_synchronize(device), GPUARR_ERR_INDEX);
  assert_ok(gpuarr_device_synchronize(device));
  assert_ok(gpuarr_stream_synchronize(stream));
  gpuarr_event_release(event);
  gpuarr_array_release(out);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

/* A stream's error is not told to who waits for another one, and may outlive the stream. */
static void other_streams_go_on(void** state) {
  (void)state;
  if (at_once()) skip();
  const int64_t wrong[] = {4, 5};
  gpuarr_array *x = line(GPUARR_F32, 3), *k = whole(2, wrong), *out = NULL;
  gpuarr_stream* other = NULL;
  assert_ok(gpuarr_stream_create(&other, device, 0, 0));
  assert_ok(gpuarr_stream_synchronize(stream));
  assert_ok(gpuarr_take(&out, x, k, 0, other));
  assert_ok(gpuarr_stream_synchronize(stream));
  assert_status(gpuarr_stream_synchronize(other), GPUARR_ERR_INDEX);
  assert_ok(gpuarr_take(&out, x, k, 0, other));
  gpuarr_stream_release(other);
  gpuarr_array_release(out);
  assert_status(gpuarr_device_synchronize(device), GPUARR_ERR_INDEX);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

/* Each launch reports anew, in whichever stream. */
static void graphs_report(void** state) {
  (void)state;
  const int64_t wrong[] = {1, 3}, right[] = {1, 2};
  gpuarr_array *x = line(GPUARR_F32, 3), *k = whole(2, right), *out = line(GPUARR_F32, 2);
  gpuarr_graph* graph = NULL;
  gpuarr_graph_exec* exec = NULL;
  gpuarr_stream* other = NULL;
  assert_ok(gpuarr_stream_create(&other, device, 0, 0));
  assert_ok(gpuarr_take(&out, x, k, 0, stream)); /* compiles */
  assert_ok(gpuarr_device_synchronize(device));  /* the graph runs in another stream */
  assert_ok(gpuarr_stream_begin_capture(stream));
  assert_ok(gpuarr_take(&out, x, k, 0, stream));
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  assert_ok(gpuarr_graph_instantiate(&exec, graph));
  assert_ok(gpuarr_graph_exec_launch(exec, other));
  assert_ok(gpuarr_stream_synchronize(other));
  assert_ok(gpuarr_array_write(k, NULL, wrong, sizeof wrong, NULL));
  for (int time = 0; time < 2; ++time) {
    assert_ok(gpuarr_graph_exec_launch(exec, other));
    assert_status(gpuarr_stream_synchronize(other), GPUARR_ERR_INDEX);
    assert_message_has("gpuarr_take, called before, failed while its work ran: index 3");
  }
  gpuarr_graph_exec_release(exec);
  gpuarr_graph_release(graph);
  gpuarr_stream_release(other);
  gpuarr_array_release(out);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

static void many_streams(void** state) {
  (void)state;
  if (at_once()) skip();
  const int64_t wrong[] = {4, 5};
  enum { count = 100 };
  gpuarr_array *x = line(GPUARR_F32, 3), *k = whole(2, wrong), *outs[count] = {NULL};
  gpuarr_stream* streams[count];
  assert_ok(gpuarr_stream_synchronize(stream));
  for (int i = 0; i < count; ++i) {
    assert_ok(gpuarr_stream_create(&streams[i], device, 0, 0));
    assert_ok(gpuarr_take(&outs[i], x, k, 0, streams[i]));
  }
  for (int i = 0; i < count; ++i) {
    assert_status(gpuarr_stream_synchronize(streams[i]), GPUARR_ERR_INDEX);
    assert_ok(gpuarr_stream_synchronize(streams[i]));
    gpuarr_stream_release(streams[i]);
  }
  release_arrays(outs, count);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
}

enum { rounds = 20 };

/* Counts how often a thread was told of its own index, which is out of range. */
static void* take_wrongly(void* told) {
  const int64_t one = 1, mine = 1000 + *(int*)told;
  char own[32];
  snprintf(own, sizeof own, "index %d,", (int)mine);
  gpuarr_stream* work = NULL;
  gpuarr_array *x = floats(3, (float[]){1, 2, 3}), *k = from(GPUARR_I64, 1, &one, &mine);
  *(int*)told = 0;
  if (gpuarr_stream_create(&work, device, 0, 0) != GPUARR_OK) return NULL;
  for (int round = 0; round < rounds; ++round) {
    gpuarr_array* out = NULL;
    gpuarr_status status = gpuarr_take(&out, x, k, 0, work);
    if (status == GPUARR_OK) status = gpuarr_stream_synchronize(work);
    if (status == GPUARR_ERR_INDEX && strstr(gpuarr_last_error(), own) != NULL) ++*(int*)told;
    gpuarr_array_release(out);
  }
  gpuarr_stream_release(work);
  gpuarr_array_release(k);
  gpuarr_array_release(x);
  return NULL;
}

static void each_thread_is_told_of_its_own(void** state) {
  (void)state;
  enum { count = 4 };
  pthread_t threads[count];
  int told[count];
  for (int i = 0; i < count; ++i) {
    told[i] = i;
    assert_int_equal(pthread_create(&threads[i], NULL, take_wrongly, &told[i]), 0);
  }
  for (int i = 0; i < count; ++i) assert_int_equal(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < count; ++i) assert_int_equal(told[i], rounds);
}

#define with_stream(name) cmocka_unit_test_setup_teardown(name, make_stream, drop_stream)

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      with_stream(indices_out_of_range), with_stream(indices_far_out_of_range),
      with_stream(the_rest_is_done),     with_stream(whoever_waits_is_told),
      with_stream(other_streams_go_on),  with_stream(graphs_report),
      with_stream(many_streams),         cmocka_unit_test(each_thread_is_told_of_its_own),
  };
  return run_suite(tests);
}
