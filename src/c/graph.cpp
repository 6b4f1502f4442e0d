// gpuarr/graph.h: check, convert, call.
#include "gpuarr/graph.h"

#include "c/guard.hpp"
#include "c/handles.hpp"

using namespace gpuarr;

gpuarr_status gpuarr_stream_begin_capture(gpuarr_stream* stream) {
  return guard(__func__, [&] { deref(stream, "stream")->begin_capture(); });
}

gpuarr_status gpuarr_stream_end_capture(gpuarr_graph** out, gpuarr_stream* stream) {
  // The capture ends also where there is no memory for a handle, which is made after it.
  return guard_output(__func__, out,
                      [&] { return gpuarr_graph::make(deref(stream, "stream")->end_capture()); });
}

gpuarr_status gpuarr_stream_is_capturing(int32_t* out, gpuarr_stream* stream) {
  return guard_output(__func__, out,
                      [&] { return deref(stream, "stream")->is_capturing() ? 1 : 0; });
}

gpuarr_graph* gpuarr_graph_retain(gpuarr_graph* graph) { return retain(graph); }

void gpuarr_graph_release(gpuarr_graph* graph) { release(graph); }

gpuarr_status gpuarr_graph_nodes(int64_t* out, gpuarr_graph* graph) {
  return guard_output(__func__, out, [&] { return deref(graph, "graph")->nodes(); });
}

gpuarr_status gpuarr_graph_instantiate(gpuarr_graph_exec** out, gpuarr_graph* graph) {
  return guard_output(
      __func__, out, [&] { return gpuarr_graph_exec::make(deref(graph, "graph")->instantiate()); });
}

gpuarr_graph_exec* gpuarr_graph_exec_retain(gpuarr_graph_exec* exec) { return retain(exec); }

void gpuarr_graph_exec_release(gpuarr_graph_exec* exec) { release(exec); }

gpuarr_status gpuarr_graph_exec_launch(gpuarr_graph_exec* exec, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    GraphExec& target = *deref(exec, "exec");
    target.launch(stream_of(stream, target.device()));
  });
}

gpuarr_status gpuarr_graph_exec_update(gpuarr_graph_exec* exec, gpuarr_graph* graph) {
  return guard(__func__, [&] {
    GraphExec& target = *deref(exec, "exec");
    Graph& source = *deref(graph, "graph");
    if (&target.device() != &source.device())
      fail(GPUARR_ERR_DEVICE, "exec is of {} and graph of {}", target.device().facts().name,
           source.device().facts().name);
    source.update(target);
  });
}
