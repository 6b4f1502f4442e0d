/* What cannot be captured says so, and the capture goes on: gpuarr/graph.h. */
#include <unistd.h>

#include "arrays.h"

static gpuarr_device* device;
static gpuarr_stream* stream;

static int make_stream(void** state) {
  (void)state;
  return gpuarr_stream_create(&stream, device, 0, 0) != GPUARR_OK;
}

static int drop_stream(void** state) {
  (void)state;
  gpuarr_stream_release(stream);
  return 0;
}

static void refuse(gpuarr_status status) {
  assert_int_equal(status, GPUARR_ERR_UNSUPPORTED);
  assert_message_has("stream is being captured into a graph");
  assert_message_has("gpuarr_stream_end_capture");
}

/* None of these harms the capture. */
static void what_has_to_wait_is_refused(void** state) {
  (void)state;
  const int64_t two[] = {2};
  gpuarr_array *x = zeros(GPUARR_I64, 1, two), *made = NULL;
  gpuarr_event* event = NULL;
  int64_t data[2] = {0, 0};
  int32_t done = -1;
  assert_ok(gpuarr_event_create(&event, device, 0));
  assert_ok(gpuarr_event_record(event, stream));
  assert_ok(gpuarr_stream_begin_capture(stream));
  assert_status(gpuarr_stream_begin_capture(stream), GPUARR_ERR_ARGUMENT);
  assert_message_has("is being captured already");
  refuse(gpuarr_stream_synchronize(stream));
  refuse(gpuarr_stream_query(&done, stream));
  refuse(gpuarr_array_read(data, sizeof data, NULL, x, stream));
  refuse(gpuarr_array_write(x, NULL, data, sizeof data, stream));
  refuse(
      gpuarr_array_from_host(&made, device, GPUARR_I64, 1, two, NULL, data, sizeof data, stream));
  refuse(gpuarr_npy_save("captured.npy", x, stream));
  assert_int_not_equal(access("captured.npy", F_OK), 0);
  if (test_device_is_host()) {
    assert_ok(gpuarr_device_synchronize(device));
  } else {
    assert_status(gpuarr_device_synchronize(device), GPUARR_ERR_UNSUPPORTED);
    assert_message_has("cannot be waited for while a stream of it is being captured");
  }
  assert_status(gpuarr_stream_wait(stream, event), GPUARR_ERR_UNSUPPORTED);
  assert_message_has("event was recorded outside of the capture");
  assert_ok(gpuarr_array_fill(x, gpuarr_arg_i64(3), stream));
  gpuarr_graph *graph = NULL, *none = NULL;
  gpuarr_graph_exec* exec = NULL;
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  assert_ok(gpuarr_graph_instantiate(&exec, graph));
  assert_values(x, 2, (const double[]){0, 0});
  assert_ok(gpuarr_graph_exec_launch(exec, stream));
  assert_ok(gpuarr_device_synchronize(device));
  assert_values(x, 2, (const double[]){3, 3});
  assert_status(gpuarr_stream_end_capture(&none, stream), GPUARR_ERR_ARGUMENT);
  assert_message_has("stream is not being captured");
  gpuarr_event_release(event);
  gpuarr_graph_exec_release(exec);
  gpuarr_graph_release(graph);
  gpuarr_array_release(x);
}

static void null_is_refused_by_name(void** state) {
  (void)state;
  int64_t nodes = -1;
  int32_t capturing = -1;
  gpuarr_graph* graph = NULL;
  gpuarr_graph_exec* exec = NULL;
  assert_status(gpuarr_stream_begin_capture(NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_stream_begin_capture: stream is NULL");
  assert_status(gpuarr_stream_end_capture(NULL, stream), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  assert_status(gpuarr_stream_end_capture(&graph, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_stream_is_capturing(&capturing, NULL), GPUARR_ERR_ARGUMENT);
  assert_int_equal(capturing, 0);
  assert_status(gpuarr_stream_is_capturing(NULL, stream), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_graph_nodes(&nodes, NULL), GPUARR_ERR_ARGUMENT);
  assert_int_equal(nodes, 0);
  assert_message_has("gpuarr_graph_nodes: graph is NULL");
  assert_status(gpuarr_graph_instantiate(&exec, NULL), GPUARR_ERR_ARGUMENT);
  assert_null(exec);
  assert_message_has("graph is NULL");
  assert_status(gpuarr_graph_exec_launch(NULL, stream), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_graph_exec_launch: exec is NULL");
  assert_status(gpuarr_graph_exec_update(NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_graph_exec_update: exec is NULL");
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_has_to_wait_is_refused, make_stream, drop_stream),
      cmocka_unit_test_setup_teardown(null_is_refused_by_name, make_stream, drop_stream),
  };
  return run_suite(tests);
}
