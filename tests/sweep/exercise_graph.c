/* See sweep.h: graphs. */
#include "sweep.h"

static void count_call(void* user) { ++*(int*)user; }

/* A sum whose blocks share a result, a temporary array, a function. */
static void give_work(const struct stage* s, gpuarr_stream* stream) {
  static int calls; /* outlives the graph */
  gpuarr_array *copy = POISON, *sum = NULL;
  ok(gpuarr_array_fill(s->y, gpuarr_arg_f32(3), stream));
  made(gpuarr_array_copy(&copy, s->x, GPUARR_ORDER_K, stream), &copy);
  made(gpuarr_sum(&sum, copy, NULL, GPUARR_ALL_AXES, 0, stream), &sum);
  ok(gpuarr_stream_host_function(stream, count_call, &calls));
  gpuarr_array_release(sum);
  gpuarr_array_release(copy);
}

static gpuarr_graph* capture(const struct stage* s, gpuarr_stream* stream) {
  gpuarr_graph* graph = POISON;
  int32_t capturing = -1;
  const int begun = ok(gpuarr_stream_begin_capture(stream));
  if (begun) give_work(s, stream);
  got(gpuarr_stream_is_capturing(&capturing, stream), &capturing, sizeof capturing);
  made(gpuarr_stream_end_capture(&graph, stream), &graph);
  return graph;
}

void exercise_graphs(const struct stage* s) {
  gpuarr_stream* stream = POISON;
  made(gpuarr_stream_create(&stream, s->device, 0, 0), &stream);
  gpuarr_graph *graph = capture(s, stream), *again = capture(s, stream);
  gpuarr_graph_exec* exec = POISON;
  int64_t nodes = -1;
  got(gpuarr_graph_nodes(&nodes, graph), &nodes, sizeof nodes);
  made(gpuarr_graph_instantiate(&exec, graph), &exec);
  ok(gpuarr_graph_exec_launch(exec, stream));
  ok(gpuarr_graph_exec_update(exec, again));
  ok(gpuarr_graph_exec_launch(exec, stream));
  check(gpuarr_graph_retain(graph) == graph, "retained");
  check(gpuarr_graph_exec_retain(exec) == exec, "retained");
  gpuarr_graph_release(graph);
  gpuarr_graph_release(graph);
  gpuarr_graph_release(again);
  gpuarr_graph_exec_release(exec);
  gpuarr_graph_exec_release(exec);
  ok(gpuarr_stream_synchronize(stream));
  gpuarr_stream_release(stream);
}
