/** @file gpuarr/graph.h  Graphs: record a stream's work once (stream capture), launch it many
 *  times. */
#ifndef GPUARR_GRAPH_H
#define GPUARR_GRAPH_H

#include "gpuarr/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The recorded work of a stream, reference-counted: a CUDA graph, or on the CPU device a list of
 *  calls. It keeps the memory and the code that it uses, even of released arrays and kernels. */
typedef struct gpuarr_graph gpuarr_graph;

/** An executable graph, reference-counted. It does not need the graph that it was created from. */
typedef struct gpuarr_graph_exec gpuarr_graph_exec;

/** Start stream capture: record the work that is submitted to a stream from now on, instead of
 *  running it; on a GPU this includes other libraries' work. Memory that is allocated in it belongs
 *  to the graph. A stream that waits for an event of the capture joins it, until it ends. Calls
 *  that wait for work, such as gpuarr_stream_synchronize, gpuarr_array_read and
 *  gpuarr_array_from_host, fail with GPUARR_ERR_UNSUPPORTED, and the capture continues. Kernels may
 *  be compiled during a capture. End the capture before the stream is released.
 *  @param  stream  a stream other than CUDA's legacy default one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (it is already being captured), GPUARR_ERR_UNSUPPORTED,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER
 *  @externalsync calls that use the same stream */
GPUARR_API gpuarr_status gpuarr_stream_begin_capture(gpuarr_stream* stream);

/** End a capture and get its graph. Afterwards, also after a failure, the streams that took part
 *  run their work directly again, unless @p stream is the wrong one.
 *  @param[out] out     the graph, owned by the caller; NULL on failure
 *  @param      stream  the stream in which the capture began, after it waited for all that joined
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (it is not being captured, the capture began in another
 *          stream, or it does not wait for one that joined), GPUARR_ERR_UNSUPPORTED (a call during
 *          the capture, possibly of another library, cannot be captured), GPUARR_ERR_DRIVER
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

/** Count the nodes of a graph: kernels, copies, fills, host functions. Counts may differ between
 *  devices.
 *  @param[out] out    the count; 0 on failure
 *  @param      graph  the graph
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @externalsync calls with the same graph */
GPUARR_API gpuarr_status gpuarr_graph_nodes(int64_t* out, gpuarr_graph* graph);

/** Create an executable graph from a graph.
 *  @param[out] out    the executable graph, owned by the caller; NULL on failure
 *  @param      graph  the graph
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DRIVER
 *  @externalsync calls with the same graph */
GPUARR_API gpuarr_status gpuarr_graph_instantiate(gpuarr_graph_exec** out, gpuarr_graph* graph);

/** Take another reference.
 *  @return @p exec
 *  @threadsafe */
GPUARR_API gpuarr_graph_exec* gpuarr_graph_exec_retain(gpuarr_graph_exec* GPUARR_NULLABLE exec);

/** Drop a reference. Launches that were submitted still run.
 *  @threadsafe */
GPUARR_API void gpuarr_graph_exec_release(gpuarr_graph_exec* GPUARR_NULLABLE exec);

/** Launch a graph's work, after the stream's earlier work and after earlier launches of the same
 *  @p exec. On a GPU it costs as much as the driver's own launch. In a stream that is being
 *  captured it becomes a part of that graph.
 *  @param  exec    the executable graph
 *  @param  stream  a stream of the graph's device; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER; on the CPU device
 *          also what the calls of the graph return
 *  @externalsync calls with the same exec */
GPUARR_API gpuarr_status gpuarr_graph_exec_launch(gpuarr_graph_exec* exec,
                                                  gpuarr_stream* GPUARR_NULLABLE stream);

/** Update an executable graph with another graph's arrays and scalars for later launches, which is
 *  cheaper than another gpuarr_graph_instantiate.
 *  @param  exec   the executable graph
 *  @param  graph  a graph of the same calls in the same order, possibly with other arguments
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (the calls differ; @p exec is unchanged),
 *          GPUARR_ERR_DEVICE, GPUARR_ERR_DRIVER
 *  @externalsync calls with the same exec or graph */
GPUARR_API gpuarr_status gpuarr_graph_exec_update(gpuarr_graph_exec* exec, gpuarr_graph* graph);

#ifdef __cplusplus
}
#endif
#endif
