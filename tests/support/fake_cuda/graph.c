/* See fake_cuda.h: captures, whose work is noted, and graphs, whose launches do it in its order. */
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { MOST_CAPTURES = 16 };
static struct capture* captures[MOST_CAPTURES]; /* those that go on */

static int member_of(const struct capture* capture, const struct CUstream_st* stream) {
  int i = 0;
  while (i < capture->count && capture->members[i] != stream) ++i;
  return i;
}

static struct capture* active(CUstream stream) { return real_stream(stream)->capture; }

int capture_work(CUstream stream, const char* kind, void (*run)(const void* data, size_t bytes),
                 const void* data, size_t bytes) {
  struct capture* capture = active(stream);
  if (capture == NULL) return 0;
  struct node node = {.kind = kind, .run = run, .bytes = bytes};
  if (bytes > sizeof node.data) abort();
  memcpy(node.data, data, bytes);
  int member = member_of(capture, real_stream(stream));
  pthread_mutex_lock(&mutex);
  if (capture->graph->count == MOST_NODES) abort();
  capture->graph->nodes[capture->graph->count++] = node;
  ++capture->work[member];
  pthread_mutex_unlock(&mutex);
  return 1;
}

CUresult check_capture(CUstream stream) {
  struct capture* capture = active(stream);
  if (capture == NULL) return CUDA_SUCCESS;
  capture->invalid = 1;
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult check_context_captures(const struct CUctx_st* context) {
  CUresult result = CUDA_SUCCESS;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < MOST_CAPTURES; ++i)
    if (captures[i] != NULL && captures[i]->members[0]->context == context) {
      captures[i]->invalid = 1;
      result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
  pthread_mutex_unlock(&mutex);
  return result;
}

CUresult capture_record(CUevent event, CUstream stream) {
  struct capture* capture = active(stream);
  event->captured = 1;
  event->capture = capture;
  event->member = member_of(capture, real_stream(stream));
  event->work = capture->work[event->member];
  return CUDA_SUCCESS;
}

/* The origin sees what it waits for; what a member knows of others is not followed. */
CUresult capture_wait(CUstream stream, CUevent event) {
  struct CUstream_st* waiting = real_stream(stream);
  pthread_mutex_lock(&mutex);
  const int captured = event->captured, recorded = event->time > 0;
  pthread_mutex_unlock(&mutex);
  if (!captured) {
    if (waiting->capture == NULL || !recorded) return CUDA_SUCCESS;
    waiting->capture->invalid = 1;
    return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
  }
  struct capture* capture = event->capture;
  int goes_on = 0;
  for (int i = 0; i < MOST_CAPTURES; ++i) goes_on |= captures[i] != NULL && captures[i] == capture;
  if (!goes_on) return CUDA_ERROR_CAPTURED_EVENT;
  if (waiting->capture != NULL && waiting->capture != capture) {
    waiting->capture->invalid = capture->invalid = 1;
    return CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  if (waiting->capture == NULL) {
    if (capture->count == MOST_MEMBERS) abort();
    capture->members[capture->count++] = waiting;
    waiting->capture = capture;
  }
  if (waiting == capture->members[0] && capture->seen[event->member] < event->work)
    capture->seen[event->member] = event->work;
  return CUDA_SUCCESS;
}

/* A capture goes with the stream that it began in, and a stream leaves one that it joined. */
void drop_capture(CUstream stream) {
  struct capture* capture = stream->capture;
  if (capture == NULL) return;
  const int member = member_of(capture, stream);
  if (member > 0) {
    capture->members[member] = capture->members[0];
    capture->invalid = 1;
    return;
  }
  for (int i = 0; i < capture->count; ++i) capture->members[i]->capture = NULL;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < MOST_CAPTURES; ++i)
    if (captures[i] == capture) captures[i] = NULL;
  pthread_mutex_unlock(&mutex);
  free(capture->graph);
  free(capture);
}

CUresult fake_stream_begin_capture(CUstream stream, CUstreamCaptureMode mode) {
  CUresult result = begin_in("cuStreamBeginCapture", real_stream(stream)->context);
  if (result != CUDA_SUCCESS) return result;
  if (stream == NULL || stream == CU_STREAM_LEGACY) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if (active(stream) != NULL || mode > CU_STREAM_CAPTURE_MODE_RELAXED)
    return CUDA_ERROR_ILLEGAL_STATE;
  struct capture* capture = calloc(1, sizeof *capture);
  capture->members[0] = real_stream(stream);
  capture->count = 1;
  capture->graph = calloc(1, sizeof *capture->graph);
  pthread_mutex_lock(&mutex);
  int i = 0;
  while (i < MOST_CAPTURES && captures[i] != NULL) ++i;
  if (i == MOST_CAPTURES) abort();
  captures[i] = capture;
  pthread_mutex_unlock(&mutex);
  real_stream(stream)->capture = capture;
  return CUDA_SUCCESS;
}

CUresult fake_stream_end_capture(CUstream stream, CUgraph* out) {
  CUresult result = begin_in("cuStreamEndCapture", real_stream(stream)->context);
  struct capture* capture = active(stream);
  *out = NULL;
  if (capture == NULL || capture->members[0] != real_stream(stream))
    return CUDA_ERROR_ILLEGAL_STATE;
  for (int i = 1; i < capture->count; ++i)
    if (capture->seen[i] < capture->work[i]) result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  if (capture->invalid) result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  for (int i = 0; i < capture->count; ++i) capture->members[i]->capture = NULL;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < MOST_CAPTURES; ++i)
    if (captures[i] == capture) captures[i] = NULL;
  pthread_mutex_unlock(&mutex);
  if (result == CUDA_SUCCESS) {
    *out = capture->graph;
    keep(*out);
  } else {
    free(capture->graph);
  }
  free(capture);
  return result;
}

CUresult fake_graph_get_nodes(CUgraph graph, CUgraphNode* nodes, size_t* count) {
  CUresult result = begin("cuGraphGetNodes");
  if (nodes != NULL) return CUDA_ERROR_INVALID_VALUE;
  *count = (size_t)graph->count;
  return result;
}

CUresult fake_graph_destroy(CUgraph graph) {
  CUresult result = begin("cuGraphDestroy");
  if (result == CUDA_SUCCESS) drop(graph);
  return result;
}

CUresult fake_graph_instantiate(CUgraphExec* out, CUgraph graph, unsigned long long flags) {
  CUresult result = begin_in("cuGraphInstantiateWithFlags", current);
  if (result != CUDA_SUCCESS) return result;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  *out = malloc(sizeof **out);
  **out = (struct CUgraphExec_st){current, *graph};
  keep(*out);
  return CUDA_SUCCESS;
}

CUresult fake_graph_exec_update(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* out) {
  CUresult result = begin_in("cuGraphExecUpdate", exec->context);
  if (result != CUDA_SUCCESS) return result;
  out->result = CU_GRAPH_EXEC_UPDATE_SUCCESS;
  if (graph->count != exec->graph.count) out->result = CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED;
  for (int i = 0; i < graph->count && out->result == CU_GRAPH_EXEC_UPDATE_SUCCESS; ++i)
    if (strcmp(graph->nodes[i].kind, exec->graph.nodes[i].kind) != 0)
      out->result = CU_GRAPH_EXEC_UPDATE_ERROR_NODE_TYPE_CHANGED;
  if (out->result != CU_GRAPH_EXEC_UPDATE_SUCCESS) return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
  exec->graph = *graph;
  return CUDA_SUCCESS;
}

static void run_graph(const struct CUgraph_st* graph) {
  for (int i = 0; i < graph->count; ++i)
    graph->nodes[i].run(graph->nodes[i].data, graph->nodes[i].bytes);
}

/* As the driver, which captures no launch of a graph. */
CUresult fake_graph_launch(CUgraphExec exec, CUstream stream) {
  CUresult result = begin_in("cuGraphLaunch", real_stream(stream)->context);
  if (result != CUDA_SUCCESS) return result;
  if (!is_kept(exec)) abort();
  if (active(stream) != NULL) return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  run_graph(&exec->graph);
  return CUDA_SUCCESS;
}

CUresult fake_stream_get_capture(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                 CUgraph* graph, const CUgraphNode** nodes, size_t* count) {
  CUresult result = begin_in("cuStreamGetCaptureInfo", real_stream(stream)->context);
  const struct capture* capture = active(stream);
  *status = capture == NULL    ? CU_STREAM_CAPTURE_STATUS_NONE
            : capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                               : CU_STREAM_CAPTURE_STATUS_ACTIVE;
  *graph = capture != NULL ? capture->graph : NULL;
  *nodes = NULL;
  *count = 0;
  return id == NULL ? result : CUDA_ERROR_INVALID_VALUE;
}

/* A child's nodes are the graph's own, and one handle stands for them. */
CUresult fake_graph_add_child(CUgraphNode* out, CUgraph graph, const CUgraphNode* before,
                              size_t count, CUgraph child) {
  CUresult result = begin("cuGraphAddChildGraphNode");
  if (result != CUDA_SUCCESS) return result;
  if (before != NULL || count != 0 || !is_kept(child)) return CUDA_ERROR_INVALID_VALUE;
  if (graph->count + child->count > MOST_NODES) abort();
  memcpy(graph->nodes + graph->count, child->nodes, (size_t)child->count * sizeof *child->nodes);
  graph->count += child->count;
  *out = (CUgraphNode)graph;
  return CUDA_SUCCESS;
}

CUresult fake_stream_update_capture(CUstream stream, CUgraphNode* nodes, size_t count,
                                    unsigned flags) {
  CUresult result = begin_in("cuStreamUpdateCaptureDependencies", real_stream(stream)->context);
  struct capture* capture = active(stream);
  if (result != CUDA_SUCCESS) return result;
  if (capture == NULL || count != 1 || *nodes != (CUgraphNode)capture->graph ||
      flags != CU_STREAM_SET_CAPTURE_DEPENDENCIES)
    return CUDA_ERROR_INVALID_VALUE;
  ++capture->work[member_of(capture, real_stream(stream))];
  return CUDA_SUCCESS;
}

CUresult fake_graph_exec_destroy(CUgraphExec exec) {
  CUresult result = begin_in("cuGraphExecDestroy", exec->context);
  if (result == CUDA_SUCCESS) drop(exec);
  return result;
}
