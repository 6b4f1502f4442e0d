/* See fake_cuda.h: modules of any image, and kernels that only note how they were launched. */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "state.h"

static size_t image_bytes(const char* image) {
  if (memcmp(image, ELFMAG, SELFMAG) != 0) return strlen(image);
  Elf64_Ehdr header;
  memcpy(&header, image, sizeof header);
  size_t sections = header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
  size_t segments = header.e_phoff + (size_t)header.e_phnum * header.e_phentsize;
  return sections > segments ? sections : segments;
}

CUresult fake_module_load(CUmodule* out, const void* image) {
  CUresult result = begin_in("cuModuleLoadData", current);
  if (result != CUDA_SUCCESS) return result;
  *out = calloc(1, sizeof **out);
  (*out)->context = current;
  (*out)->bytes = image_bytes(image);
  (*out)->image = malloc((*out)->bytes);
  memcpy((*out)->image, image, (*out)->bytes);
  keep(*out);
  return CUDA_SUCCESS;
}

CUresult fake_module_unload(CUmodule module) {
  CUresult result = begin_in("cuModuleUnload", module->context);
  if (result != CUDA_SUCCESS) return result;
  free(module->image);
  drop(module);
  return CUDA_SUCCESS;
}

/* A name that stands anywhere in the image will do. */
CUresult fake_module_get_function(CUfunction* out, CUmodule module, const char* name) {
  CUresult result = begin_in("cuModuleGetFunction", module->context);
  if (result != CUDA_SUCCESS) return result;
  size_t length = strlen(name);
  int found = 0;
  for (size_t i = 0; i + length <= module->bytes; ++i)
    found |= memcmp(module->image + i, name, length) == 0;
  if (!found) return CUDA_ERROR_NOT_FOUND;
  *out = &module->functions[module->count++];
  snprintf((*out)->name, sizeof(*out)->name, "%s", name);
  (*out)->module = module;
  return CUDA_SUCCESS;
}

CUresult fake_function_get_attribute(int* out, CUfunction_attribute attribute, CUfunction f) {
  *out = 1024; /* static shared memory */
  CUresult result = begin_in("cuFuncGetAttribute", f->module->context);
  return attribute == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES ? result : CUDA_ERROR_INVALID_VALUE;
}

CUresult fake_function_set_attribute(CUfunction f, CUfunction_attribute attribute, int value) {
  CUresult result = begin_in("cuFuncSetAttribute", f->module->context);
  if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value + 1024 > 227 << 10)
    return CUDA_ERROR_INVALID_VALUE;
  __atomic_store_n(&f->dynamic_allowed, value, __ATOMIC_RELAXED);
  return result;
}

CUresult fake_occupancy(int* out, CUfunction f, int threads, size_t shared) {
  *out = shared == 0 && threads > 0 ? 2048 / threads : 0;
  return begin_in("cuOccupancyMaxActiveBlocksPerMultiprocessor", f->module->context);
}

CUresult fake_launch_kernel(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                            unsigned by, unsigned bz, unsigned shared, CUstream stream,
                            void** parameters, void** extra) {
  CUresult result = begin_in("cuLaunchKernel", stream->context);
  if (result != CUDA_SUCCESS) return result;
  int allowed = __atomic_load_n(&f->dynamic_allowed, __ATOMIC_RELAXED);
  if (gx == 0 || gy != 1 || gz != 1 || bx == 0 || bx > 1024 || by != 1 || bz != 1 ||
      extra != NULL || (shared > 47 << 10 && shared > (unsigned)allowed))
    return CUDA_ERROR_INVALID_VALUE;
  if (f->module->context != current) return CUDA_ERROR_INVALID_HANDLE;
  pthread_mutex_lock(&mutex);
  memcpy(last_launch.name, f->name, sizeof last_launch.name);
  last_launch.device = current->device;
  last_launch.blocks = gx;
  last_launch.threads = bx;
  last_launch.shared_bytes = shared;
  last_launch.stream = stream;
  memcpy(last_launch.parameters, parameters[0], sizeof last_launch.parameters);
  pthread_mutex_unlock(&mutex);
  return CUDA_SUCCESS;
}
