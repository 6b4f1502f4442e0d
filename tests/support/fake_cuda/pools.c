/* See fake_cuda.h: managed memory, the host's page-locked memory, and the stream-ordered pool,
 * which is a count of what came from it. */
#include <stdlib.h>

#include "state.h"

struct CUmemPoolHandle_st {
  int device;
};

CUresult fake_memory_allocate_managed(CUdeviceptr* out, size_t bytes, unsigned flags) {
  CUresult result = begin_in("cuMemAllocManaged", current);
  if (result != CUDA_SUCCESS) return result;
  return flags == CU_MEM_ATTACH_GLOBAL ? allocate_block(out, bytes) : CUDA_ERROR_INVALID_VALUE;
}

CUresult fake_memory_allocate_host(void** out, size_t bytes, unsigned flags) {
  CUresult result = begin_in("cuMemHostAlloc", current);
  if (result != CUDA_SUCCESS) return result;
  if (flags != CU_MEMHOSTALLOC_PORTABLE || bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > (size_t)setting("FAKE_CUDA_HOST_BYTES", 64 << 20)) return CUDA_ERROR_OUT_OF_MEMORY;
  *out = aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (*out == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  keep(*out);
  return CUDA_SUCCESS;
}

CUresult fake_memory_free_host(void* data) {
  CUresult result = begin_in("cuMemFreeHost", current);
  if (result == CUDA_SUCCESS) drop(data);
  return result;
}

CUresult fake_pool_create(CUmemoryPool* out, const CUmemPoolProps* properties) {
  static struct CUmemPoolHandle_st pools[MOST_DEVICES];
  CUresult result = begin_in("cuMemPoolCreate", current);
  if (result != CUDA_SUCCESS) return result;
  if (properties->allocType != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
      properties->location.id != current->device)
    return CUDA_ERROR_INVALID_VALUE;
  *out = &pools[current->device];
  (*out)->device = current->device;
  return CUDA_SUCCESS;
}

CUresult fake_pool_set(CUmemoryPool pool, CUmemPool_attribute attribute, void* value) {
  CUresult result = begin_in("cuMemPoolSetAttribute", current);
  if (pool == NULL || value == NULL || attribute != CU_MEMPOOL_ATTR_RELEASE_THRESHOLD)
    return CUDA_ERROR_INVALID_VALUE;
  return result;
}

CUresult fake_pool_trim(CUmemoryPool pool, size_t keep_bytes) {
  CUresult result = begin_in("cuMemPoolTrimTo", current);
  return pool != NULL && keep_bytes == 0 ? result : CUDA_ERROR_INVALID_VALUE;
}

CUresult fake_pool_allocate(CUdeviceptr* out, size_t bytes, CUmemoryPool pool, CUstream stream) {
  CUresult result = begin_in("cuMemAllocFromPoolAsync", stream->context);
  if (result != CUDA_SUCCESS) return result;
  return pool->device == stream->context->device ? allocate_block(out, bytes)
                                                 : CUDA_ERROR_INVALID_VALUE;
}

CUresult fake_pool_free(CUdeviceptr address, CUstream stream) {
  CUresult result = begin_in("cuMemFreeAsync", stream->context);
  if (result == CUDA_SUCCESS) free_block(address);
  return result;
}
