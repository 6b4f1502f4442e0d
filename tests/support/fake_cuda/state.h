/* What the files of the stand-in share. */
#ifndef FAKE_CUDA_STATE_H
#define FAKE_CUDA_STATE_H

#include <cuda.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "fake_cuda.h"

enum { MOST_DEVICES = 8 };

struct CUctx_st {
  int device;
  size_t used;
  int fault; /* what every call in it returns from now on; 0 for none */
};
/* What a stream that is captured notes: called once for each launch. */
struct node {
  const char* kind;
  void (*run)(const void* data, size_t bytes);
  unsigned char data[256];
  size_t bytes;
};
enum { MOST_NODES = 256 };
struct CUgraph_st {
  int count;
  struct node nodes[MOST_NODES];
};
struct CUgraphExec_st {
  struct CUctx_st* context;
  struct CUgraph_st graph;
};
enum { MOST_MEMBERS = 8 };
struct capture {
  struct CUstream_st* members[MOST_MEMBERS]; /* the first is the origin */
  int work[MOST_MEMBERS];                    /* how many nodes each has */
  int seen[MOST_MEMBERS];                    /* how many of them the origin waits for */
  int count, invalid;
  struct CUgraph_st* graph;
};
struct CUstream_st {
  struct CUctx_st* context;
  unsigned flags;
  int priority;
  struct capture* capture; /* null: none */
};
struct CUevent_st {
  struct CUctx_st* context;
  int untimed;
  int captured;            /* the last record was in a capture */
  struct capture* capture; /* that one, while it goes on */
  int member, work;        /* where in it */
  double time;             /* in milliseconds; 0 before it is recorded */
};
enum { MOST_ATTRIBUTES = 16, MOST_PARAMETERS = 32, MOST_FUNCTIONS_OF_MODULE = 16 };
struct parameter {
  size_t offset, bytes;
};
struct CUfunc_st {
  char name[64];
  struct CUmod_st* module;
  int attributes[MOST_ATTRIBUTES];
  struct parameter parameters[MOST_PARAMETERS];
  int parameter_count; /* -1: the code does not tell */
};
struct CUmod_st {
  struct CUctx_st* context;
  size_t bytes;
  char* image;
  struct CUfunc_st functions[MOST_FUNCTIONS_OF_MODULE];
  int count;
  struct {
    char name[64];
    CUdeviceptr address;
    size_t bytes;
  } globals[MOST_FUNCTIONS_OF_MODULE];
  int global_count;
};

extern pthread_mutex_t mutex; /* over all that threads share */
extern struct fake_launch last_launch;
extern _Thread_local struct CUctx_st* current;
extern _Thread_local int in_host_function; /* where every call fails */

long long setting(const char* name, long long otherwise);
void keep(void* object); /* remembers an object until it is dropped */
void drop(void* object); /* frees it; one that is not there ends the program */
int is_kept(const void* object);

/* What a handle means, the special ones too; one that was destroyed ends the program. */
struct CUstream_st* real_stream(CUstream stream);

/* What each function does first: counts itself, fails if it is told to, checks the context. */
CUresult begin(const char* name);
CUresult begin_in(const char* name, const struct CUctx_st* context);

/* What code.c reads of compiled code. A name is there if it stands anywhere as a word. */
size_t code_bytes(const char* image);
int code_processor(const char* image); /* 90 for sm_90; 0 if it does not tell */
int code_has(const struct CUmod_st* module, const char* name);
size_t code_variable_bytes(const struct CUmod_st* module, const char* name); /* 0: none */
int code_is_loose(const struct CUmod_st* module, const char* name); /* a variable ".align 1" */
int code_parameters(const struct CUmod_st* module, const char* name, struct parameter* out);
int code_entries(const struct CUmod_st* module, char names[][64], int most);

int host_is_readable(void); /* for GPUs, all of its memory */
/* Whether a node was noted for work in a stream, instead of doing it. */
int capture_work(CUstream stream, const char* kind, void (*run)(const void* data, size_t bytes),
                 const void* data, size_t bytes);
/* What synchronizing or asking does to a stream that is captured. */
void drop_capture(CUstream stream);
CUresult check_capture(CUstream stream);
CUresult check_context_captures(const struct CUctx_st* context);
CUresult capture_record(CUevent event, CUstream stream);
CUresult capture_wait(CUstream stream, CUevent event);

CUresult allocate_block(CUdeviceptr* out, size_t bytes);
void free_block(CUdeviceptr address);

CUresult fake_init(unsigned flags);
CUresult fake_get_error_name(CUresult error, const char** out);
CUresult fake_get_error_string(CUresult error, const char** out);
CUresult fake_device_get_count(int* out);
CUresult fake_device_get(CUdevice* out, int ordinal);
CUresult fake_device_get_name(char* out, int capacity, CUdevice device);
CUresult fake_device_get_uuid(CUuuid* out, CUdevice device);
CUresult fake_device_get_attribute(int* out, CUdevice_attribute attribute, CUdevice device);
CUresult fake_primary_context_retain(CUcontext* out, CUdevice device);
CUresult fake_context_get_current(CUcontext* out);
CUresult fake_context_set_current(CUcontext context);
CUresult fake_context_synchronize(void);
CUresult fake_context_get_priorities(int* lowest, int* highest);
CUresult fake_context_enable_peer(CUcontext peer, unsigned flags);
CUresult fake_device_can_access_peer(int* out, CUdevice device, CUdevice peer);
CUresult fake_memory_get_info(size_t* free_bytes, size_t* total);
CUresult fake_memory_allocate(CUdeviceptr* out, size_t bytes);
CUresult fake_memory_free(CUdeviceptr address);
CUresult fake_memory_allocate_managed(CUdeviceptr* out, size_t bytes, unsigned flags);
CUresult fake_memory_allocate_host(void** out, size_t bytes, unsigned flags);
CUresult fake_memory_free_host(void* data);
CUresult fake_pool_create(CUmemoryPool* out, const CUmemPoolProps* properties);
CUresult fake_pool_set(CUmemoryPool pool, CUmemPool_attribute attribute, void* value);
CUresult fake_pool_trim(CUmemoryPool pool, size_t keep_bytes);
CUresult fake_pool_allocate(CUdeviceptr* out, size_t bytes, CUmemoryPool pool, CUstream stream);
CUresult fake_pool_free(CUdeviceptr address, CUstream stream);
CUresult fake_pointer_get_attributes(unsigned count, CUpointer_attribute* which, void** values,
                                     CUdeviceptr address);
CUresult fake_copy(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream);
CUresult fake_copy_from_host(CUdeviceptr target, const void* source, size_t bytes, CUstream stream);
CUresult fake_copy_to_host(void* target, CUdeviceptr source, size_t bytes, CUstream stream);
CUresult fake_set_bytes(CUdeviceptr target, unsigned char unit, size_t count, CUstream stream);
CUresult fake_set_shorts(CUdeviceptr target, unsigned short unit, size_t count, CUstream stream);
CUresult fake_set_words(CUdeviceptr target, unsigned unit, size_t count, CUstream stream);
CUresult fake_stream_create(CUstream* out, unsigned flags, int priority);
CUresult fake_stream_destroy(CUstream stream);
CUresult fake_stream_synchronize(CUstream stream);
CUresult fake_stream_query(CUstream stream);
CUresult fake_stream_get_context(CUstream stream, CUcontext* out);
CUresult fake_stream_get_priority(CUstream stream, int* out);
CUresult fake_launch_host_function(CUstream stream, CUhostFn function, void* user);
CUresult fake_stream_is_capturing(CUstream stream, CUstreamCaptureStatus* out);
CUresult fake_stream_wait_event(CUstream stream, CUevent event, unsigned flags);
CUresult fake_stream_begin_capture(CUstream stream, CUstreamCaptureMode mode);
CUresult fake_stream_end_capture(CUstream stream, CUgraph* out);
CUresult fake_graph_get_nodes(CUgraph graph, CUgraphNode* nodes, size_t* count);
CUresult fake_graph_destroy(CUgraph graph);
CUresult fake_graph_instantiate(CUgraphExec* out, CUgraph graph, unsigned long long flags);
CUresult fake_graph_exec_update(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* out);
CUresult fake_stream_get_capture(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                 CUgraph* graph, const CUgraphNode** nodes, size_t* count);
CUresult fake_graph_add_child(CUgraphNode* out, CUgraph graph, const CUgraphNode* before,
                              size_t count, CUgraph child);
CUresult fake_stream_update_capture(CUstream stream, CUgraphNode* nodes, size_t count,
                                    unsigned flags);
CUresult fake_graph_launch(CUgraphExec exec, CUstream stream);
CUresult fake_graph_exec_destroy(CUgraphExec exec);
CUresult fake_event_create(CUevent* out, unsigned flags);
CUresult fake_event_destroy(CUevent event);
CUresult fake_event_record(CUevent event, CUstream stream);
CUresult fake_event_synchronize(CUevent event);
CUresult fake_event_query(CUevent event);
CUresult fake_event_elapsed_time(float* out, CUevent start, CUevent end);
CUresult fake_module_load(CUmodule* out, const void* image, unsigned count, CUjit_option* options,
                          void** values);
CUresult fake_module_unload(CUmodule module);
CUresult fake_module_get_function(CUfunction* out, CUmodule module, const char* name);
CUresult fake_module_get_global(CUdeviceptr* out, size_t* bytes, CUmodule module, const char* name);
CUresult fake_module_count_functions(unsigned* out, CUmodule module);
CUresult fake_module_list_functions(CUfunction* out, unsigned count, CUmodule module);
CUresult fake_function_get_name(const char** out, CUfunction f);
CUresult fake_function_get_parameter(CUfunction f, size_t index, size_t* offset, size_t* bytes);
CUresult fake_best_block(int* blocks, int* threads, CUfunction f, CUoccupancyB2DSize of_block,
                         size_t shared, int limit);
CUresult fake_occupancy(int* out, CUfunction f, int threads, size_t shared);
CUresult fake_clusters(int* out, CUfunction f, const CUlaunchConfig* c);
CUresult fake_function_get_attribute(int* out, CUfunction_attribute attribute, CUfunction f);
CUresult fake_function_set_attribute(CUfunction f, CUfunction_attribute attribute, int value);
CUresult fake_launch_kernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                            unsigned by, unsigned bz, unsigned shared, CUstream stream,
                            void** parameters, void** extra);
CUresult fake_launch_kernel_with(const CUlaunchConfig* config, CUfunction f, void** parameters,
                                 void** extra);

#endif
