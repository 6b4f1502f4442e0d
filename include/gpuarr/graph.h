/** @file gpuarr/graph.h  Graphs: work of a stream, noted once and launched again and again. */
#ifndef GPUARR_GRAPH_H
#define GPUARR_GRAPH_H

#include "gpuarr/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Work that was captured in a stream, reference-counted: a CUDA graph, or on the CPU device a list
 *  of calls. It keeps the memory and the code that it uses, also of arrays and kernels that are
 *  released. */
typedef struct gpuarr_graph gpuarr_graph;

/** A graph made ready to be launched, reference-counted. It does not need the graph any more. */
typedef struct gpuarr_graph_exec gpuarr_graph_exec;

/** Begin to capture a stream: what it is given from now on is not done but noted, by calls of this
 *  library, and on a GPU also of others. Memory that is asked for in it is the graph's alone. A
 *  stream that waits for an event out of the capture joins it, until the end. What has to wait for
 *  work, such as gpuarr_stream_synchronize, or gpuarr_array_read and gpuarr_array_from_host, fails
 *  with GPUARR_ERR_UNSUPPORTED, and the capture goes on. Kernels may be compiled meanwhile. End the
 *  capture before the stream is released.
 *  @param  stream  a stream other than CUDA's legacy default one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (it is being captured), GPUARR_ERR_UNSUPPORTED,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER
 *  @externalsync calls that use the same stream */
GPUARR_API gpuarr_status gpuarr_stream_begin_capture(gpuarr_stream* stream);

/** End a capture. Whatever this returns, unless the stream is the wrong one, the streams that took
 *  part do their work at once again.
 *  @param[out] out     the graph, owned by the caller; NULL on failure
 *  @param      stream  the stream that the capture began in, after it waited for all that joined
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (it is not being captured, or the capture began in
 *          another stream, or does not wait for one that joined), GPUARR_ERR_UNSUPPORTED (something
 *          was called meanwhile, maybe by another library, that cannot be captured),
 *          GPUARR_ERR_DRIVER
 *  @externalsync calls that use the same stream, or one that joined */
GPUARR_API gpuarr_status gpuarr_stream_end_capture(gpuarr_graph** out, gpuarr_stream* stream);

/** Ask whether a stream is being captured, by this library or another.
 *  @param[out] out     1 if it is, else 0
 *  @param      stream  the stream
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_stream_is_capturing(int32_t* out, gpuarr_stream* stream);

/** Take another reference.
 *  @return @p graph
 *  @threadsafe */
GPUARR_API gpuarr_graph* gpuarr_graph_retain(gpuarr_graph* GPUARR_NULLABLE graph);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_graph_release(gpuarr_graph* GPUARR_NULLABLE graph);

/** Count the nodes of a graph: kernels, copies, fills, functions. Devices may count differently.
 *  @param[out] out    the count; 0 on failure
 *  @param      graph  the graph
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @externalsync calls with the same graph */
GPUARR_API gpuarr_status gpuarr_graph_nodes(int64_t* out, gpuarr_graph* graph);

/** Make a graph ready to be launched.
 *  @param[out] out    what can be launched, owned by the caller; NULL on failure
 *  @param      graph  the graph
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @externalsync calls with the same graph */
GPUARR_API gpuarr_status gpuarr_graph_instantiate(gpuarr_graph_exec** out, gpuarr_graph* graph);

/** Take another reference.
 *  @return @p exec
 *  @threadsafe */
GPUARR_API gpuarr_graph_exec* gpuarr_graph_exec_retain(gpuarr_graph_exec* GPUARR_NULLABLE exec);

/** Drop a reference. Launches that are under way are still done.
 *  @threadsafe */
GPUARR_API void gpuarr_graph_exec_release(gpuarr_graph_exec* GPUARR_NULLABLE exec);

/** Do a graph's work once more, after the stream's earlier work and after earlier launches of the
 *  same @p exec. On a GPU it costs what the driver's own launch costs. In a stream that is being
 *  captured it becomes a part of that graph.
 *  @param  exec    what to launch
 *  @param  stream  a stream of the graph's device; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER; on the CPU device
 *          also what the calls of the graph return
 *  @externalsync calls with the same exec */
GPUARR_API gpuarr_status gpuarr_graph_exec_launch(gpuarr_graph_exec* exec,
                                                  gpuarr_stream* GPUARR_NULLABLE stream);

/** Take another graph's arrays and numbers for later launches: cheaper than another instantiate.
 *  @param  exec   what was made of a graph
 *  @param  graph  a graph of the same calls in the same order, maybe with other arguments
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (the graph is another one; @p exec is as it was),
 *          GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER
 *  @externalsync calls with the same exec or graph */
GPUARR_API gpuarr_status gpuarr_graph_exec_update(gpuarr_graph_exec* exec, gpuarr_graph* graph);

#ifdef __cplusplus
}
#endif
#endif
