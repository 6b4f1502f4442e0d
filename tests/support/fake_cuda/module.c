/* See fake_cuda.h: modules, and kernels that only note how they were launched. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { MOST_SHARED = 227 << 10, STATIC_SHARED = 1024 };

/* As the driver's own compiler does, into the buffer that was given for it. */
static void write_log(unsigned count, const CUjit_option* options, void** values) {
  for (unsigned i = 0; i < count; ++i)
    if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
      strcpy(values[i], "ptxas application ptx input, line 3; error   : as it was told");
}

/* Code runs on GPUs of its major version, and PTX on all that are newer. */
static CUresult check_processor(const char* image) {
  int cc = (int)setting("FAKE_CUDA_CC", 90);
  int made = code_processor(image);
  if (made == 0) return CUDA_SUCCESS;
  if (image[0] != '\177') return made > cc ? CUDA_ERROR_INVALID_PTX : CUDA_SUCCESS;
  return made / 10 == cc / 10 && made <= cc ? CUDA_SUCCESS : CUDA_ERROR_NO_BINARY_FOR_GPU;
}

CUresult fake_module_load(CUmodule* out, const void* image, unsigned count, CUjit_option* options,
                          void** values) {
  CUresult result = begin_in("cuModuleLoadDataEx", current);
  if (result == CUDA_SUCCESS) result = check_processor(image);
  if (result != CUDA_SUCCESS) {
    if (result == CUDA_ERROR_INVALID_PTX) write_log(count, options, values);
    return result;
  }
  *out = calloc(1, sizeof **out);
  (*out)->context = current;
  (*out)->bytes = code_bytes(image);
  (*out)->image = calloc(1, (*out)->bytes + 1);
  memcpy((*out)->image, image, (*out)->bytes);
  keep(*out);
  return CUDA_SUCCESS;
}

CUresult fake_module_unload(CUmodule module) {
  CUresult result = begin_in("cuModuleUnload", module->context);
  if (result != CUDA_SUCCESS) return result;
  for (int i = 0; i < module->global_count; ++i) free_block(module->globals[i].address);
  free(module->image);
  drop(module);
  return CUDA_SUCCESS;
}

static void set_attributes(CUfunction f) {
  f->attributes[CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = 1024;
  f->attributes[CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = STATIC_SHARED;
  f->attributes[CU_FUNC_ATTRIBUTE_NUM_REGS] = 32;
  f->attributes[CU_FUNC_ATTRIBUTE_PTX_VERSION] = 90;
  f->attributes[CU_FUNC_ATTRIBUTE_BINARY_VERSION] = 90;
  f->attributes[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = (48 << 10) - STATIC_SHARED;
  f->attributes[CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = -1;
}

static CUresult get_function(CUfunction* out, CUmodule module, const char* name) {
  if (!code_has(module, name)) return CUDA_ERROR_NOT_FOUND;
  for (int i = 0; i < module->count; ++i)
    if (strcmp(module->functions[i].name, name) == 0) {
      *out = &module->functions[i];
      return CUDA_SUCCESS;
    }
  if (module->count == MOST_FUNCTIONS_OF_MODULE) return CUDA_ERROR_OUT_OF_MEMORY;
  *out = &module->functions[module->count++];
  snprintf((*out)->name, sizeof(*out)->name, "%s", name);
  (*out)->module = module;
  (*out)->parameter_count = code_parameters(module, name, (*out)->parameters);
  set_attributes(*out);
  return CUDA_SUCCESS;
}

CUresult fake_module_get_function(CUfunction* out, CUmodule module, const char* name) {
  CUresult result = begin_in("cuModuleGetFunction", module->context);
  if (result != CUDA_SUCCESS) return result;
  pthread_mutex_lock(&mutex);
  result = get_function(out, module, name);
  pthread_mutex_unlock(&mutex);
  return result;
}

CUresult fake_module_count_functions(unsigned* out, CUmodule module) {
  char names[MOST_FUNCTIONS_OF_MODULE][64];
  *out = (unsigned)code_entries(module, names, MOST_FUNCTIONS_OF_MODULE);
  return begin_in("cuModuleGetFunctionCount", module->context);
}

CUresult fake_module_list_functions(CUfunction* out, unsigned count, CUmodule module) {
  CUresult result = begin_in("cuModuleEnumerateFunctions", module->context);
  char names[MOST_FUNCTIONS_OF_MODULE][64];
  code_entries(module, names, MOST_FUNCTIONS_OF_MODULE);
  pthread_mutex_lock(&mutex);
  for (unsigned i = 0; i < count && result == CUDA_SUCCESS; ++i)
    result = get_function(&out[i], module, names[i]);
  pthread_mutex_unlock(&mutex);
  return result;
}

CUresult fake_module_get_global(CUdeviceptr* out, size_t* bytes, CUmodule module,
                                const char* name) {
  CUresult result = begin_in("cuModuleGetGlobal", module->context);
  if (result != CUDA_SUCCESS) return result;
  size_t wanted = code_variable_bytes(module, name);
  if (wanted == 0 || module->global_count == MOST_FUNCTIONS_OF_MODULE) return CUDA_ERROR_NOT_FOUND;
  int i = 0;
  while (i < module->global_count && strcmp(module->globals[i].name, name) != 0) ++i;
  if (i == module->global_count) {
    result = allocate_block(&module->globals[i].address, wanted + 1);
    if (result != CUDA_SUCCESS) return result;
    memset((void*)module->globals[i].address, 0, wanted + 1);
    snprintf(module->globals[i].name, sizeof module->globals[i].name, "%s", name);
    module->globals[i].bytes = wanted;
    ++module->global_count;
  }
  *out = module->globals[i].address + (code_is_loose(module, name) ? 1 : 0);
  *bytes = wanted;
  return CUDA_SUCCESS;
}

CUresult fake_function_get_name(const char** out, CUfunction f) {
  *out = f->name;
  return begin_in("cuFuncGetName", f->module->context);
}

CUresult fake_function_get_parameter(CUfunction f, size_t index, size_t* offset, size_t* bytes) {
  CUresult result = begin_in("cuFuncGetParamInfo", f->module->context);
  if (result != CUDA_SUCCESS) return result;
  if (f->parameter_count < 0) return CUDA_ERROR_NOT_SUPPORTED;
  if (index >= (size_t)f->parameter_count) return CUDA_ERROR_INVALID_VALUE;
  *offset = f->parameters[index].offset;
  *bytes = f->parameters[index].bytes;
  return CUDA_SUCCESS;
}

CUresult fake_function_get_attribute(int* out, CUfunction_attribute attribute, CUfunction f) {
  CUresult result = begin_in("cuFuncGetAttribute", f->module->context);
  if ((unsigned)attribute >= MOST_ATTRIBUTES) return CUDA_ERROR_INVALID_VALUE;
  *out = __atomic_load_n(&f->attributes[attribute], __ATOMIC_RELAXED);
  return result;
}

CUresult fake_function_set_attribute(CUfunction f, CUfunction_attribute attribute, int value) {
  CUresult result = begin_in("cuFuncSetAttribute", f->module->context);
  int least = 0, most = -1;
  if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    most = MOST_SHARED - STATIC_SHARED;
  if (attribute == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) least = -1, most = 100;
  if (attribute == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) most = 1;
  if (attribute == CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE) most = 2;
  if (value < least || value > most) return CUDA_ERROR_INVALID_VALUE;
  __atomic_store_n(&f->attributes[attribute], value, __ATOMIC_RELAXED);
  return result;
}

static int allowed_shared(CUfunction f) {
  return __atomic_load_n(&f->attributes[CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES],
                         __ATOMIC_RELAXED);
}

static int resident_blocks(CUfunction f, size_t threads, size_t shared) {
  if (threads == 0 || shared > (size_t)allowed_shared(f)) return 0;
  size_t blocks = 2048 / threads;
  size_t room = MOST_SHARED / (shared + STATIC_SHARED);
  return (int)(blocks < room ? blocks : room);
}

CUresult fake_occupancy(int* out, CUfunction f, int threads, size_t shared) {
  CUresult result = begin_in("cuOccupancyMaxActiveBlocksPerMultiprocessor", f->module->context);
  *out = resident_blocks(f, (size_t)threads, shared);
  return threads < 1 ? CUDA_ERROR_INVALID_VALUE : result;
}

/* Of as many blocks as the grid has. */
CUresult fake_clusters(int* out, CUfunction f, const CUlaunchConfig* c) {
  CUresult result = begin_in("cuOccupancyMaxActiveClusters", f->module->context);
  if (c->gridDimX == 0 || c->numAttrs != 0) return CUDA_ERROR_INVALID_VALUE;
  *out = 132 / (int)c->gridDimX * resident_blocks(f, c->blockDimX, c->sharedMemBytes);
  return result;
}

CUresult fake_best_block(int* blocks, int* threads, CUfunction f, CUoccupancyB2DSize of_block,
                         size_t shared, int limit) {
  CUresult result = begin_in("cuOccupancyMaxPotentialBlockSize", f->module->context);
  if (of_block != NULL || limit != 0) return CUDA_ERROR_INVALID_VALUE;
  *threads = 1024 / (1 + (int)(shared >> 15));
  *blocks = 132 * resident_blocks(f, (size_t)*threads, shared);
  if (*blocks == 0) *threads = 0;
  return result;
}

static int is_outside(unsigned value, unsigned most) { return value == 0 || value > most; }

static CUresult check_launch(CUfunction f, const CUlaunchConfig* c) {
  if (is_outside(c->gridDimX, 2147483647) || is_outside(c->gridDimY, 65535) ||
      is_outside(c->gridDimZ, 65535) || is_outside(c->blockDimX, 1024) ||
      is_outside(c->blockDimY, 1024) || is_outside(c->blockDimZ, 64) ||
      c->blockDimX * c->blockDimY * c->blockDimZ > 1024 ||
      c->sharedMemBytes > (unsigned)allowed_shared(f))
    return CUDA_ERROR_INVALID_VALUE;
  return f->module->context == current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

static CUresult note_attributes(struct fake_launch* launch, CUfunction f, const CUlaunchConfig* c) {
  for (unsigned i = 0; i < c->numAttrs; ++i) {
    const CUlaunchAttributeValue* value = &c->attrs[i].value;
    if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) {
      size_t threads = (size_t)c->blockDimX * c->blockDimY * c->blockDimZ;
      int resident = 132 * resident_blocks(f, threads, c->sharedMemBytes);
      launch->cooperative = (uint32_t)value->cooperative;
      if ((size_t)c->gridDimX * c->gridDimY * c->gridDimZ > (size_t)resident)
        return CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE;
    } else if (c->attrs[i].id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) {
      uint32_t cluster[3] = {value->clusterDim.x, value->clusterDim.y, value->clusterDim.z};
      memcpy(launch->cluster, cluster, sizeof cluster);
      if (setting("FAKE_CUDA_CC", 90) < 90) return CUDA_ERROR_NOT_SUPPORTED;
      if (cluster[0] * cluster[1] * cluster[2] > 8) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
      if (c->gridDimX % cluster[0] || c->gridDimY % cluster[1] || c->gridDimZ % cluster[2])
        return CUDA_ERROR_INVALID_VALUE;
    } else {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  return CUDA_SUCCESS;
}

/* One piece with all of them, whose length has to fit, or the address of the first. */
static CUresult note_parameters(struct fake_launch* launch, CUfunction f, void** parameters,
                                void** extra) {
  if (extra == NULL) {
    if (parameters != NULL) memcpy(launch->parameters, parameters[0], 16);
    return CUDA_SUCCESS;
  }
  if (parameters != NULL || extra[0] != CU_LAUNCH_PARAM_BUFFER_POINTER ||
      extra[2] != CU_LAUNCH_PARAM_BUFFER_SIZE || extra[4] != CU_LAUNCH_PARAM_END)
    return CUDA_ERROR_INVALID_VALUE;
  size_t bytes = *(size_t*)extra[3];
  if (f->parameter_count > 0) {
    struct parameter last = f->parameters[f->parameter_count - 1];
    if (bytes < last.offset + last.bytes) return CUDA_ERROR_INVALID_VALUE;
  }
  launch->bytes = (int64_t)bytes;
  memcpy(launch->parameters, extra[1],
         bytes < sizeof launch->parameters ? bytes : sizeof launch->parameters);
  return CUDA_SUCCESS;
}

static void note_launch(const void* data, size_t bytes) {
  pthread_mutex_lock(&mutex);
  memcpy(&last_launch, data, bytes);
  pthread_mutex_unlock(&mutex);
}

static CUresult launch(const char* name, const CUlaunchConfig* c, CUfunction f, void** parameters,
                       void** extra) {
  struct fake_launch noted = {.device = 0};
  CUresult result = begin_in(name, real_stream(c->hStream)->context);
  if (result == CUDA_SUCCESS) result = check_launch(f, c);
  if (result == CUDA_SUCCESS) result = note_attributes(&noted, f, c);
  if (result == CUDA_SUCCESS) result = note_parameters(&noted, f, parameters, extra);
  if (result != CUDA_SUCCESS) return result;
  memcpy(noted.name, f->name, sizeof noted.name);
  noted.device = current->device;
  noted.blocks = noted.grid[0] = c->gridDimX;
  noted.grid[1] = c->gridDimY;
  noted.grid[2] = c->gridDimZ;
  noted.threads = noted.block[0] = c->blockDimX;
  noted.block[1] = c->blockDimY;
  noted.block[2] = c->blockDimZ;
  noted.shared_bytes = c->sharedMemBytes;
  noted.stream = c->hStream;
  if (capture_work(c->hStream, "kernel", note_launch, &noted, sizeof noted)) return CUDA_SUCCESS;
  note_launch(&noted, sizeof noted);
  int fault = (int)setting("FAKE_CUDA_FAULT", 0);
  if (fault != 0) __atomic_store_n(&current->fault, fault, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}

CUresult fake_launch_kernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                            unsigned by, unsigned bz, unsigned shared, CUstream stream,
                            void** parameters, void** extra) {
  CUlaunchConfig config = {.gridDimX = gx,
                           .gridDimY = gy,
                           .gridDimZ = gz,
                           .blockDimX = bx,
                           .blockDimY = by,
                           .blockDimZ = bz,
                           .sharedMemBytes = shared,
                           .hStream = stream};
  return launch("cuLaunchKernel", &config, f, parameters, extra);
}

CUresult fake_launch_kernel_with(const CUlaunchConfig* config, CUfunction f, void** parameters,
                                 void** extra) {
  return launch("cuLaunchKernelEx", config, f, parameters, extra);
}
