/* See fake_cuda.h: errors, devices, contexts, and what the library exports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "state.h"

enum { MOST_FUNCTIONS = 128, MOST_OBJECTS = 4096 };

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct fake_launch last_launch;
_Thread_local struct CUctx_st* current;
_Thread_local int in_host_function;

static int initialized;
static int64_t all_calls;
static const char* first_failed; /* by FAKE_CUDA_FAIL_AT or _FROM */
static void* kept[MOST_OBJECTS]; /* what is not yet freed */
static struct CUctx_st contexts[MOST_DEVICES];
static struct {
  const char* name;
  int64_t count;
} calls[MOST_FUNCTIONS];

long long setting(const char* name, long long otherwise) {
  const char* value = getenv(name);
  return value != NULL && *value != '\0' ? atoll(value) : otherwise;
}

static void replace_kept(void* old, void* object) {
  pthread_mutex_lock(&mutex);
  int i = 0;
  while (i < MOST_OBJECTS && kept[i] != old) ++i;
  if (i == MOST_OBJECTS) abort(); /* too many, or freed twice */
  kept[i] = object;
  pthread_mutex_unlock(&mutex);
}

void keep(void* object) { replace_kept(NULL, object); }

void drop(void* object) {
  replace_kept(object, NULL);
  free(object);
}

int is_kept(const void* object) {
  pthread_mutex_lock(&mutex);
  int i = 0;
  while (i < MOST_OBJECTS && kept[i] != object) ++i;
  pthread_mutex_unlock(&mutex);
  return i < MOST_OBJECTS;
}

static int64_t count_call(const char* name) {
  pthread_mutex_lock(&mutex);
  int i = 0;
  while (calls[i].name != NULL && strcmp(calls[i].name, name) != 0) ++i;
  calls[i].name = name;
  ++calls[i].count;
  int64_t all = ++all_calls;
  pthread_mutex_unlock(&mutex);
  return all;
}

/* "12:700": the code from the 12th call of all on; 999 (unknown) unless it is given. */
static int told(const char* variable, int64_t call, int from_there_on) {
  const char* value = getenv(variable);
  if (value == NULL || *value == '\0') return 0;
  char* rest = NULL;
  int64_t wanted = strtoll(value, &rest, 10);
  if (from_there_on ? call < wanted : call != wanted) return 0;
  return *rest == ':' ? atoi(rest + 1) : CUDA_ERROR_UNKNOWN;
}

static CUresult told_to_fail(const char* name) {
  int64_t call = count_call(name);
  int code = told("FAKE_CUDA_FAIL_AT", call, 0);
  if (code == 0) code = told("FAKE_CUDA_FAIL_FROM", call, 1);
  if (code == 0) return CUDA_SUCCESS;
  const char* none = NULL;
  __atomic_compare_exchange_n(&first_failed, &none, name, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return (CUresult)code;
}

/* What each function does first: counts itself, fails if told to. */
CUresult begin(const char* name) {
  CUresult failure = told_to_fail(name);
  if (failure != CUDA_SUCCESS) return failure;
  if (in_host_function) return CUDA_ERROR_NOT_PERMITTED;
  const char* wanted = getenv("FAKE_CUDA_FAIL");
  size_t length = strlen(name);
  if (wanted != NULL && strncmp(wanted, name, length) == 0 && wanted[length] == ':')
    return (CUresult)atoi(wanted + length + 1);
  return __atomic_load_n(&initialized, __ATOMIC_RELAXED) || strcmp(name, "cuInit") == 0
             ? CUDA_SUCCESS
             : CUDA_ERROR_NOT_INITIALIZED;
}

CUresult begin_in(const char* name, const struct CUctx_st* context) {
  CUresult result = begin(name);
  if (result != CUDA_SUCCESS) return result;
  if (current == NULL) return CUDA_ERROR_INVALID_CONTEXT;
  int fault = __atomic_load_n(&context->fault, __ATOMIC_RELAXED);
  if (fault != 0) return (CUresult)fault;
  return context == current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult fake_init(unsigned flags) {
  CUresult result = begin("cuInit");
  if (result != CUDA_SUCCESS) return result;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (setting("FAKE_CUDA_FORKS", 0)) {
    pid_t child = fork();
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
  }
  if (setting("FAKE_CUDA_DEVICES", 1) == 0) return CUDA_ERROR_NO_DEVICE;
  __atomic_store_n(&initialized, 1, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}

CUresult fake_get_error_name(CUresult error, const char** out) {
  static const struct {
    CUresult error;
    const char* name;
  } names[] = {{CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE"},
               {CUDA_ERROR_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY"},
               {CUDA_ERROR_DEINITIALIZED, "CUDA_ERROR_DEINITIALIZED"},
               {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED"},
               {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT"},
               {CUDA_ERROR_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE"},
               {CUDA_ERROR_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU"},
               {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE"},
               {CUDA_ERROR_INVALID_PTX, "CUDA_ERROR_INVALID_PTX"},
               {CUDA_ERROR_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"},
               {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS"},
               {CUDA_ERROR_ASSERT, "CUDA_ERROR_ASSERT"},
               {CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"},
               {CUDA_ERROR_INVALID_CLUSTER_SIZE, "CUDA_ERROR_INVALID_CLUSTER_SIZE"},
               {CUDA_ERROR_SYSTEM_NOT_READY, "CUDA_ERROR_SYSTEM_NOT_READY"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (names[i].error == error) {
      *out = names[i].name;
      return CUDA_SUCCESS;
    }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult fake_get_error_string(CUresult error, const char** out) {
  *out = error == CUDA_ERROR_OUT_OF_MEMORY ? "out of memory" : "as its name says";
  return CUDA_SUCCESS;
}

CUresult fake_device_get_count(int* out) {
  CUresult result = begin("cuDeviceGetCount");
  *out = (int)setting("FAKE_CUDA_DEVICES", 1);
  return result;
}

CUresult fake_device_get(CUdevice* out, int ordinal) {
  CUresult result = begin("cuDeviceGet");
  *out = ordinal;
  return ordinal < setting("FAKE_CUDA_DEVICES", 1) ? result : CUDA_ERROR_INVALID_DEVICE;
}

CUresult fake_device_get_name(char* out, int capacity, CUdevice device) {
  CUresult result = begin("cuDeviceGetName");
  snprintf(out, (size_t)capacity, "Fake GPU %d", device);
  return result;
}

CUresult fake_device_get_uuid(CUuuid* out, CUdevice device) {
  CUresult result = begin("cuDeviceGetUuid");
  for (int k = 0; k < 16; ++k) out->bytes[k] = (char)(17 * (15 - k)); /* ff, ee ... 11, 00 */
  out->bytes[15] = (char)device;
  return result;
}

CUresult fake_device_get_attribute(int* out, CUdevice_attribute attribute, CUdevice device) {
  CUresult result = begin("cuDeviceGetAttribute");
  (void)device;
  int cc = (int)setting("FAKE_CUDA_CC", 90);
  switch (attribute) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      *out = 132;
      return result;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *out = cc / 10;
      return result;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *out = cc % 10;
      return result;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      *out = 60 << 20;
      return result;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *out = 227 << 10;
      return result;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
      *out = 228 << 10;
      return result;
    case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS:
      *out = host_is_readable();
      return result;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X:
      *out = 2147483647;
      return result;
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y:
    case CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z:
      *out = 65535;
      return result;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X:
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y:
      *out = 1024;
      return result;
    case CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z:
      *out = 64;
      return result;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult fake_primary_context_retain(CUcontext* out, CUdevice device) {
  CUresult result = begin("cuDevicePrimaryCtxRetain");
  if (result != CUDA_SUCCESS) return result;
  __atomic_store_n(&contexts[device].device, device, __ATOMIC_RELAXED);
  *out = &contexts[device];
  return CUDA_SUCCESS;
}

CUresult fake_context_get_current(CUcontext* out) {
  *out = current;
  return begin("cuCtxGetCurrent");
}

CUresult fake_context_set_current(CUcontext context) {
  CUresult result = begin("cuCtxSetCurrent");
  if (result == CUDA_SUCCESS) current = context;
  return result;
}

CUresult fake_context_synchronize(void) {
  CUresult result = begin_in("cuCtxSynchronize", current);
  return result == CUDA_SUCCESS ? check_context_captures(current) : result;
}

CUresult fake_context_get_priorities(int* lowest, int* highest) {
  *lowest = 0;
  *highest = -5;
  return begin_in("cuCtxGetStreamPriorityRange", current);
}

/* ---- what is exported ---- */

/* A name answers only to the version whose prototype the stand-in has. */
static const struct {
  const char* name;
  int version;
  void (*address)(void);
} table[] = {
    {"cuGetErrorName", 6000, (void (*)(void))fake_get_error_name},
    {"cuGetErrorString", 6000, (void (*)(void))fake_get_error_string},
    {"cuInit", 2000, (void (*)(void))fake_init},
    {"cuDeviceGetCount", 2000, (void (*)(void))fake_device_get_count},
    {"cuDeviceGet", 2000, (void (*)(void))fake_device_get},
    {"cuDeviceGetName", 2000, (void (*)(void))fake_device_get_name},
    {"cuDeviceGetUuid", 11040, (void (*)(void))fake_device_get_uuid},
    {"cuDeviceGetAttribute", 2000, (void (*)(void))fake_device_get_attribute},
    {"cuDevicePrimaryCtxRetain", 7000, (void (*)(void))fake_primary_context_retain},
    {"cuCtxGetCurrent", 4000, (void (*)(void))fake_context_get_current},
    {"cuCtxSetCurrent", 4000, (void (*)(void))fake_context_set_current},
    {"cuCtxSynchronize", 2000, (void (*)(void))fake_context_synchronize},
    {"cuCtxGetStreamPriorityRange", 5050, (void (*)(void))fake_context_get_priorities},
    {"cuDeviceCanAccessPeer", 4000, (void (*)(void))fake_device_can_access_peer},
    {"cuCtxEnablePeerAccess", 4000, (void (*)(void))fake_context_enable_peer},
    {"cuStreamGetCtx", 9020, (void (*)(void))fake_stream_get_context},
    {"cuStreamGetPriority", 5050, (void (*)(void))fake_stream_get_priority},
    {"cuLaunchHostFunc", 10000, (void (*)(void))fake_launch_host_function},
    {"cuStreamBeginCapture", 10010, (void (*)(void))fake_stream_begin_capture},
    {"cuStreamEndCapture", 10000, (void (*)(void))fake_stream_end_capture},
    {"cuGraphGetNodes", 10000, (void (*)(void))fake_graph_get_nodes},
    {"cuGraphDestroy", 10000, (void (*)(void))fake_graph_destroy},
    {"cuGraphInstantiateWithFlags", 11040, (void (*)(void))fake_graph_instantiate},
    {"cuGraphExecUpdate", 12000, (void (*)(void))fake_graph_exec_update},
    {"cuStreamGetCaptureInfo", 11030, (void (*)(void))fake_stream_get_capture},
    {"cuStreamUpdateCaptureDependencies", 11030, (void (*)(void))fake_stream_update_capture},
    {"cuGraphAddChildGraphNode", 10000, (void (*)(void))fake_graph_add_child},
    {"cuGraphLaunch", 10000, (void (*)(void))fake_graph_launch},
    {"cuGraphExecDestroy", 10000, (void (*)(void))fake_graph_exec_destroy},
    {"cuMemGetInfo", 3020, (void (*)(void))fake_memory_get_info},
    {"cuMemAlloc", 3020, (void (*)(void))fake_memory_allocate},
    {"cuMemAllocManaged", 6000, (void (*)(void))fake_memory_allocate_managed},
    {"cuMemHostAlloc", 2020, (void (*)(void))fake_memory_allocate_host},
    {"cuMemFreeHost", 2000, (void (*)(void))fake_memory_free_host},
    {"cuMemPoolCreate", 11020, (void (*)(void))fake_pool_create},
    {"cuMemPoolSetAttribute", 11020, (void (*)(void))fake_pool_set},
    {"cuMemPoolTrimTo", 11020, (void (*)(void))fake_pool_trim},
    {"cuMemAllocFromPoolAsync", 11020, (void (*)(void))fake_pool_allocate},
    {"cuMemFreeAsync", 11020, (void (*)(void))fake_pool_free},
    {"cuMemFree", 3020, (void (*)(void))fake_memory_free},
    {"cuPointerGetAttributes", 7000, (void (*)(void))fake_pointer_get_attributes},
    {"cuMemcpyAsync", 4000, (void (*)(void))fake_copy},
    {"cuMemcpyHtoDAsync", 3020, (void (*)(void))fake_copy_from_host},
    {"cuMemcpyDtoHAsync", 3020, (void (*)(void))fake_copy_to_host},
    {"cuMemsetD8Async", 3020, (void (*)(void))fake_set_bytes},
    {"cuMemsetD16Async", 3020, (void (*)(void))fake_set_shorts},
    {"cuMemsetD32Async", 3020, (void (*)(void))fake_set_words},
    {"cuStreamCreateWithPriority", 5050, (void (*)(void))fake_stream_create},
    {"cuStreamDestroy", 4000, (void (*)(void))fake_stream_destroy},
    {"cuStreamSynchronize", 2000, (void (*)(void))fake_stream_synchronize},
    {"cuStreamQuery", 2000, (void (*)(void))fake_stream_query},
    {"cuStreamIsCapturing", 10000, (void (*)(void))fake_stream_is_capturing},
    {"cuStreamWaitEvent", 3020, (void (*)(void))fake_stream_wait_event},
    {"cuEventCreate", 2000, (void (*)(void))fake_event_create},
    {"cuEventDestroy", 4000, (void (*)(void))fake_event_destroy},
    {"cuEventRecord", 2000, (void (*)(void))fake_event_record},
    {"cuEventSynchronize", 2000, (void (*)(void))fake_event_synchronize},
    {"cuEventQuery", 2000, (void (*)(void))fake_event_query},
    {"cuEventElapsedTime", 2000, (void (*)(void))fake_event_elapsed_time},
    {"cuModuleLoadDataEx", 2010, (void (*)(void))fake_module_load},
    {"cuModuleUnload", 2000, (void (*)(void))fake_module_unload},
    {"cuModuleGetFunction", 2000, (void (*)(void))fake_module_get_function},
    {"cuModuleGetGlobal", 3020, (void (*)(void))fake_module_get_global},
    {"cuModuleGetFunctionCount", 12040, (void (*)(void))fake_module_count_functions},
    {"cuModuleEnumerateFunctions", 12040, (void (*)(void))fake_module_list_functions},
    {"cuFuncGetName", 12030, (void (*)(void))fake_function_get_name},
    {"cuFuncGetParamInfo", 12040, (void (*)(void))fake_function_get_parameter},
    {"cuOccupancyMaxPotentialBlockSize", 6050, (void (*)(void))fake_best_block},
    {"cuOccupancyMaxActiveClusters", 11070, (void (*)(void))fake_clusters},
    {"cuLaunchKernelEx", 11060, (void (*)(void))fake_launch_kernel_with},
    {"cuFuncGetAttribute", 2020, (void (*)(void))fake_function_get_attribute},
    {"cuFuncSetAttribute", 9000, (void (*)(void))fake_function_set_attribute},
    {"cuOccupancyMaxActiveBlocksPerMultiprocessor", 6050, (void (*)(void))fake_occupancy},
    {"cuLaunchKernel", 4000, (void (*)(void))fake_launch_kernel},
};

#define EXPORTED __attribute__((visibility("default")))

EXPORTED CUresult cuDriverGetVersion(int* out) {
  *out = (int)setting("FAKE_CUDA_DRIVER_VERSION", 13000);
  return told_to_fail("cuDriverGetVersion");
}

EXPORTED CUresult cuGetProcAddress(const char* name, void** out, int version, cuuint64_t flags,
                                   CUdriverProcAddressQueryResult* found) {
  const char* lacks = getenv("FAKE_CUDA_LACKS");
  *out = NULL;
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i)
    if (strcmp(table[i].name, name) == 0 && table[i].version == version &&
        flags == CU_GET_PROC_ADDRESS_LEGACY_STREAM && (lacks == NULL || strcmp(lacks, name) != 0))
      memcpy(out, &table[i].address, sizeof *out);
  if (found != NULL)
    *found = *out != NULL ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *out != NULL ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

EXPORTED struct fake_launch fake_cuda_last_launch(void) {
  pthread_mutex_lock(&mutex);
  struct fake_launch launch = last_launch;
  pthread_mutex_unlock(&mutex);
  return launch;
}

EXPORTED int64_t fake_cuda_calls(const char* name) {
  int64_t count = 0;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < MOST_FUNCTIONS && calls[i].name != NULL; ++i)
    if (strcmp(calls[i].name, name) == 0) count = calls[i].count;
  pthread_mutex_unlock(&mutex);
  return count;
}

EXPORTED int64_t fake_cuda_all_calls(void) {
  pthread_mutex_lock(&mutex);
  int64_t count = all_calls;
  pthread_mutex_unlock(&mutex);
  return count;
}

EXPORTED const char* fake_cuda_failed(void) {
  const char* name = __atomic_load_n(&first_failed, __ATOMIC_RELAXED);
  return name != NULL ? name : "";
}

EXPORTED int64_t fake_cuda_live(void) {
  int64_t count = 0;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < MOST_OBJECTS; ++i) count += kept[i] != NULL;
  pthread_mutex_unlock(&mutex);
  return count;
}

EXPORTED uint32_t fake_cuda_stream_flags(void* stream) { return ((CUstream)stream)->flags; }
