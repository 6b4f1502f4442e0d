/* Tests of gpuarr/graph.h: what is captured gives the same results each time that it is launched,
 * and keeps all that it needs. */
#include <stdatomic.h>

#include "support.h"

enum { length = 100000 };

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

/* number, number + 1, ... */
static gpuarr_array* ramp(int64_t number, gpuarr_stream* in) {
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_arange(&array, device, GPUARR_I64, gpuarr_arg_i64(number),
                                gpuarr_arg_i64(number + length), gpuarr_arg_i64(1), in));
  return array;
}

static gpuarr_elementwise* kernel_of(const char* body) {
  gpuarr_elementwise* kernel = NULL;
  assert_ok(gpuarr_elementwise_create(&kernel, "int64 x, int64 a", "int64 y", body, NULL));
  return kernel;
}

static gpuarr_array* call(gpuarr_elementwise* kernel, gpuarr_array* x, int64_t a,
                          gpuarr_array* given) {
  gpuarr_array* y = given;
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_i64(a)};
  assert_ok(gpuarr_elementwise_call(kernel, &y, 1, inputs, 2, GPUARR_NO_SIZE, stream));
  return y;
}

static gpuarr_graph* end(void) {
  gpuarr_graph* graph = NULL;
  assert_ok(gpuarr_stream_end_capture(&graph, stream));
  assert_non_null(graph);
  return graph;
}

static gpuarr_graph_exec* made_of(gpuarr_graph* graph) {
  gpuarr_graph_exec* exec = NULL;
  assert_ok(gpuarr_graph_instantiate(&exec, graph));
  gpuarr_graph_release(graph);
  return exec;
}

static void launch(gpuarr_graph_exec* exec) { assert_ok(gpuarr_graph_exec_launch(exec, stream)); }

/* Every element is first + k * step. */
static void assert_line(gpuarr_array* array, int64_t first, int64_t step) {
  static int64_t data[length];
  assert_ok(gpuarr_array_read(data, sizeof data, NULL, array, stream));
  for (int64_t k = 0; k < length; ++k) assert_int_equal(data[k], first + k * step);
}

static int32_t is_capturing(void) {
  int32_t capturing = -1;
  assert_ok(gpuarr_stream_is_capturing(&capturing, stream));
  return capturing;
}

static void a_capture_does_nothing_yet(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = kernel_of("y = x + a");
  gpuarr_array *x = ramp(0, stream), *y = ramp(7, stream);
  assert_int_equal(is_capturing(), 0);
  assert_ok(gpuarr_stream_begin_capture(stream));
  assert_int_equal(is_capturing(), 1);
  call(kernel, x, 100, y); /* compiled meanwhile */
  gpuarr_graph* graph = end();
  assert_int_equal(is_capturing(), 0);
  int64_t nodes = 0;
  assert_ok(gpuarr_graph_nodes(&nodes, graph));
  assert_int_equal(nodes, 1);
  assert_line(y, 7, 1);
  gpuarr_graph_exec* exec = made_of(graph);
  assert_line(y, 7, 1);
  launch(exec);
  assert_line(y, 100, 1);
  gpuarr_array_release(y);
  gpuarr_array_release(x);
  gpuarr_elementwise_release(kernel);
  gpuarr_graph_exec_release(exec);
}

/* Kernels, temporary memory, copies and fills; inputs change between launches. */
static void all_is_done_at_each_launch(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = kernel_of("y = x * 2 + a");
  gpuarr_array *x = ramp(0, stream), *out = ramp(0, stream), *sum = NULL, *copy = NULL;
  int64_t total = -1;
  assert_ok(gpuarr_stream_begin_capture(stream));
  gpuarr_array* one = call(kernel, x, 1, NULL);
  gpuarr_array* two = call(kernel, one, 1, NULL);
  gpuarr_array_release(one); /* the next may take its memory */
  gpuarr_array* three = call(kernel, two, 1, NULL);
  gpuarr_array_release(two);
  assert_ok(gpuarr_array_copy(&copy, three, GPUARR_ORDER_K, stream));
  gpuarr_array_release(three);
  assert_ok(gpuarr_array_assign(out, copy, stream));
  assert_ok(gpuarr_sum(&sum, copy, NULL, GPUARR_ALL_AXES, 0, stream));
  gpuarr_array_release(copy);
  gpuarr_graph_exec* exec = made_of(end());
  for (int64_t round = 0; round < 3; ++round) {
    gpuarr_array* next = ramp(round, stream);
    assert_ok(gpuarr_array_assign(x, next, stream));
    gpuarr_array_release(next);
    gpuarr_array* noise = ramp(-1000, stream); /* takes what memory is to be had */
    launch(exec);
    assert_line(out, 8 * round + 7, 8);
    assert_line(noise, -1000, 1);
    gpuarr_array_release(noise);
    assert_ok(gpuarr_array_read(&total, sizeof total, NULL, sum, stream));
    assert_int_equal(total, (8 * round + 7) * length + 8 * ((int64_t)length * (length - 1) / 2));
  }
  gpuarr_graph_exec_release(exec);
  gpuarr_array_release(sum); /* was made in the capture, and outlives it */
  gpuarr_array_release(out);
  gpuarr_array_release(x);
  gpuarr_elementwise_release(kernel);
}

/* Arrays, kernels and the graph go before the launches. */
static void a_graph_keeps_what_it_uses(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = kernel_of("y = x + a");
  gpuarr_array *x = ramp(0, stream), *between = ramp(0, stream), *y = ramp(0, stream);
  assert_ok(gpuarr_stream_begin_capture(stream));
  call(kernel, x, 1, between);
  call(kernel, between, 1, y);
  gpuarr_array_release(between);
  gpuarr_array_release(x);
  gpuarr_elementwise_release(kernel);
  gpuarr_graph_exec* exec = made_of(end());
  gpuarr_array* others[20];
  for (int k = 0; k < 20; ++k) others[k] = ramp(500, stream);
  launch(exec);
  assert_line(y, 2, 1);
  for (int k = 0; k < 20; ++k) {
    assert_line(others[k], 500, 1);
    gpuarr_array_release(others[k]);
  }
  launch(exec);
  gpuarr_graph_exec_release(exec); /* while it may be under way */
  assert_line(y, 2, 1);
  gpuarr_array_release(y);
}

/* A stream that waits for an event out of the capture joins it. */
static void streams_join(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = kernel_of("y = x + a");
  gpuarr_array *x = ramp(0, stream), *y = ramp(0, stream), *z = ramp(0, stream), *w = NULL;
  gpuarr_stream *side = NULL, *main_stream = stream;
  gpuarr_event *fork = NULL, *joined = NULL;
  int32_t done = -1, capturing = -1;
  assert_ok(gpuarr_stream_create(&side, device, 0, 0));
  assert_ok(gpuarr_event_create(&fork, device, GPUARR_EVENT_NO_TIMING));
  assert_ok(gpuarr_event_create(&joined, device, 0));
  assert_ok(gpuarr_stream_synchronize(stream));
  for (int round = 0; round < 2; ++round) {
    assert_ok(gpuarr_stream_begin_capture(stream));
    assert_ok(gpuarr_event_record(fork, stream));
    assert_ok(gpuarr_stream_wait(side, fork));
    assert_ok(gpuarr_stream_is_capturing(&capturing, side));
    assert_int_equal(capturing, 1);
    assert_status(gpuarr_event_query(&done, fork), GPUARR_ERR_UNSUPPORTED);
    assert_message_has("recorded in a stream that is being captured");
    assert_status(gpuarr_event_synchronize(fork), GPUARR_ERR_UNSUPPORTED);
    gpuarr_graph* graph = NULL;
    assert_status(gpuarr_stream_end_capture(&graph, side), GPUARR_ERR_ARGUMENT);
    assert_null(graph);
    assert_message_has("the capture began in another stream");
    stream = side;
    call(kernel, x, 10, y);
    w = call(kernel, y, 10, NULL);
    stream = main_stream;
    call(kernel, x, 20, z);
    if (round == 0) {
      assert_status(gpuarr_stream_end_capture(&graph, stream), GPUARR_ERR_ARGUMENT);
      assert_message_has("its work is not waited for");
      assert_null(graph);
      assert_ok(gpuarr_stream_is_capturing(&capturing, side));
      assert_int_equal(capturing, 0);
      assert_int_equal(is_capturing(), 0);
      gpuarr_array_release(w);
      continue;
    }
    assert_ok(gpuarr_event_record(joined, side));
    assert_ok(gpuarr_stream_wait(stream, joined));
    call(kernel, w, 0, z);
    gpuarr_array_release(w);
    gpuarr_graph_exec* exec = made_of(end());
    launch(exec);
    assert_line(y, 10, 1);
    assert_line(z, 20, 1);
    gpuarr_graph_exec_release(exec);
  }
  assert_status(gpuarr_stream_wait(stream, joined), GPUARR_ERR_ARGUMENT);
  assert_message_has("in a capture that has ended");
  assert_ok(gpuarr_event_record(joined, stream));
  assert_ok(gpuarr_event_synchronize(joined));
  gpuarr_event_release(fork);
  gpuarr_event_release(joined);
  gpuarr_stream_release(side);
  gpuarr_array_release(x);
  gpuarr_array_release(y);
  gpuarr_array_release(z);
  gpuarr_elementwise_release(kernel);
}

static void an_exec_is_updated(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = kernel_of("y = x + a");
  gpuarr_array *x = ramp(0, stream), *y = ramp(0, stream), *z = ramp(0, stream);
  gpuarr_graph* graphs[3];
  for (int k = 0; k < 3; ++k) {
    assert_ok(gpuarr_stream_begin_capture(stream));
    call(kernel, x, k == 0 ? 5 : 6, k == 0 ? y : z);
    if (k == 2) assert_ok(gpuarr_array_assign(y, x, stream));
    graphs[k] = end();
  }
  gpuarr_graph_exec* exec = NULL;
  assert_ok(gpuarr_graph_instantiate(&exec, graphs[0]));
  launch(exec);
  assert_status(gpuarr_graph_exec_update(exec, graphs[2]), GPUARR_ERR_ARGUMENT);
  assert_message_has("it has other nodes");
  launch(exec);
  assert_line(y, 5, 1);
  assert_line(z, 0, 1);
  assert_ok(gpuarr_graph_exec_update(exec, graphs[1]));
  gpuarr_array* fives = ramp(-5, stream);
  assert_ok(gpuarr_array_assign(y, fives, stream));
  gpuarr_array_release(fives);
  launch(exec);
  assert_line(y, -5, 1);
  assert_line(z, 6, 1);
  for (int k = 0; k < 3; ++k) gpuarr_graph_release(graphs[k]);
  gpuarr_graph_exec_release(exec);
  gpuarr_array_release(x);
  gpuarr_array_release(y);
  gpuarr_array_release(z);
  gpuarr_elementwise_release(kernel);
}

static atomic_int counted;

static void count(void* user) {
  (void)user;
  atomic_fetch_add(&counted, 1);
}

/* A graph in a graph, and a function, which is called each time. */
static void graphs_hold_functions_and_graphs(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = kernel_of("y = x + a");
  gpuarr_array* x = ramp(0, stream);
  atomic_store(&counted, 0);
  assert_ok(gpuarr_stream_begin_capture(stream));
  call(kernel, x, 1, x);
  assert_ok(gpuarr_stream_host_function(stream, count, NULL));
  gpuarr_graph_exec* inner = made_of(end());
  assert_ok(gpuarr_stream_begin_capture(stream));
  launch(inner);
  launch(inner);
  gpuarr_graph_exec* outer = made_of(end());
  gpuarr_graph_exec_release(inner);
  assert_int_equal(atomic_load(&counted), 0);
  for (int k = 0; k < 3; ++k) launch(outer);
  assert_line(x, 6, 1);
  assert_int_equal(atomic_load(&counted), 6);
  gpuarr_graph_exec_release(outer);
  gpuarr_array_release(x);
  gpuarr_elementwise_release(kernel);
}

static void objects_are_counted(void** state) {
  (void)state;
  const int64_t before = gpuarr_live_objects();
  int64_t nodes = -1;
  assert_ok(gpuarr_stream_begin_capture(stream));
  gpuarr_graph* graph = end();
  assert_ok(gpuarr_graph_nodes(&nodes, graph));
  assert_int_equal(nodes, 0);
  assert_ptr_equal(gpuarr_graph_retain(graph), graph);
  gpuarr_graph_release(graph);
  gpuarr_graph_exec* exec = made_of(graph);
  assert_ptr_equal(gpuarr_graph_exec_retain(exec), exec);
  gpuarr_graph_exec_release(exec);
  launch(exec);
  assert_int_equal(gpuarr_live_objects(), before + 1);
  gpuarr_graph_exec_release(exec);
  assert_int_equal(gpuarr_live_objects(), before);
  assert_null(gpuarr_graph_retain(NULL));
  assert_null(gpuarr_graph_exec_retain(NULL));
  gpuarr_graph_release(NULL);
  gpuarr_graph_exec_release(NULL);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_capture_does_nothing_yet, make_stream, drop_stream),
      cmocka_unit_test_setup_teardown(all_is_done_at_each_launch, make_stream, drop_stream),
      cmocka_unit_test_setup_teardown(a_graph_keeps_what_it_uses, make_stream, drop_stream),
      cmocka_unit_test_setup_teardown(streams_join, make_stream, drop_stream),
      cmocka_unit_test_setup_teardown(an_exec_is_updated, make_stream, drop_stream),
      cmocka_unit_test_setup_teardown(graphs_hold_functions_and_graphs, make_stream, drop_stream),
      cmocka_unit_test_setup_teardown(objects_are_counted, make_stream, drop_stream),
  };
  return run_suite(tests);
}
