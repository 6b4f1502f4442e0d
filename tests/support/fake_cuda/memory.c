/* See fake_cuda.h: memory, copies and fills, done at once. */
#include <stdlib.h>
#include <string.h>

#include "state.h"

enum { MOST_BLOCKS = 4096 };

static struct block {
  char* address;
  size_t bytes;
  struct CUctx_st* context;
} blocks[MOST_BLOCKS];

static size_t capacity(void) { return (size_t)setting("FAKE_CUDA_OOM_AFTER", 64 << 20); }

CUresult fake_memory_get_info(size_t* free_bytes, size_t* total) {
  CUresult result = begin_in("cuMemGetInfo", current);
  if (result != CUDA_SUCCESS) return result;
  pthread_mutex_lock(&mutex);
  *total = capacity();
  *free_bytes = capacity() - current->used;
  pthread_mutex_unlock(&mutex);
  return CUDA_SUCCESS;
}

static CUresult allocate_locked(CUdeviceptr* out, size_t bytes) {
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > capacity() || current->used > capacity() - bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  int i = 0;
  while (i < MOST_BLOCKS && blocks[i].address != NULL) ++i;
  if (i == MOST_BLOCKS) return CUDA_ERROR_OUT_OF_MEMORY;
  char* address = aligned_alloc(512, (bytes + 511) / 512 * 512);
  if (address == NULL) return CUDA_ERROR_OUT_OF_MEMORY;
  blocks[i] = (struct block){address, bytes, current};
  current->used += bytes;
  *out = (CUdeviceptr)address;
  return CUDA_SUCCESS;
}

CUresult allocate_block(CUdeviceptr* out, size_t bytes) {
  pthread_mutex_lock(&mutex);
  CUresult result = allocate_locked(out, bytes);
  pthread_mutex_unlock(&mutex);
  if (result == CUDA_SUCCESS) keep((void*)*out);
  return result;
}

static CUresult forget_block(CUdeviceptr address) {
  CUresult result = CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < MOST_BLOCKS; ++i)
    if (blocks[i].address != NULL && (CUdeviceptr)blocks[i].address == address) {
      blocks[i].context->used -= blocks[i].bytes;
      blocks[i].address = NULL;
      result = CUDA_SUCCESS;
    }
  pthread_mutex_unlock(&mutex);
  return result;
}

void free_block(CUdeviceptr address) {
  if (forget_block(address) == CUDA_SUCCESS) drop((void*)address);
}

CUresult fake_memory_allocate(CUdeviceptr* out, size_t bytes) {
  CUresult result = begin_in("cuMemAlloc", current);
  return result == CUDA_SUCCESS ? allocate_block(out, bytes) : result;
}

CUresult fake_memory_free(CUdeviceptr address) {
  CUresult result = begin_in("cuMemFree", current);
  if (result == CUDA_SUCCESS) result = forget_block(address);
  if (result == CUDA_SUCCESS) drop((void*)address);
  return result;
}

static int is_device_memory(CUdeviceptr address, size_t bytes) {
  int found = 0;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < MOST_BLOCKS; ++i)
    if (blocks[i].address != NULL && address >= (CUdeviceptr)blocks[i].address &&
        address + bytes <= (CUdeviceptr)blocks[i].address + blocks[i].bytes)
      found = 1;
  pthread_mutex_unlock(&mutex);
  return found;
}

static int pointers_are(const char* kind) {
  const char* value = getenv("FAKE_CUDA_POINTERS");
  return value != NULL && strcmp(value, kind) == 0;
}

int host_is_readable(void) { return pointers_are("readable"); }

CUresult fake_pointer_get_attributes(unsigned count, CUpointer_attribute* which, void** values,
                                     CUdeviceptr address) {
  CUresult result = begin_in("cuPointerGetAttributes", current);
  if (result != CUDA_SUCCESS) return result;
  int type = pointers_are("registered") ? CU_MEMORYTYPE_HOST : 0;
  int ordinal = 0;
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < MOST_BLOCKS; ++i)
    if (blocks[i].address != NULL && address >= (CUdeviceptr)blocks[i].address &&
        address < (CUdeviceptr)blocks[i].address + blocks[i].bytes) {
      type = CU_MEMORYTYPE_DEVICE;
      ordinal = blocks[i].context->device;
    }
  pthread_mutex_unlock(&mutex);
  int managed = type == 0 && pointers_are("managed");
  for (unsigned i = 0; i < count; ++i) switch (which[i]) {
      case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(int*)values[i] = managed ? CU_MEMORYTYPE_DEVICE : type;
        break;
      case CU_POINTER_ATTRIBUTE_IS_MANAGED:
        *(int*)values[i] = managed;
        break;
      case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int*)values[i] = ordinal;
        break;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  return CUDA_SUCCESS;
}

struct noted_copy {
  void* target;
  const void* source;
  size_t bytes;
};

static void run_copy(const void* data, size_t bytes) {
  struct noted_copy c;
  memcpy(&c, data, bytes);
  memmove(c.target, c.source, c.bytes);
}

static CUresult copy(void* target, const void* source, size_t bytes, CUstream stream) {
  struct noted_copy c = {target, source, bytes};
  if (!capture_work(stream, "copy", run_copy, &c, sizeof c)) run_copy(&c, sizeof c);
  return CUDA_SUCCESS;
}

CUresult fake_copy(CUdeviceptr target, CUdeviceptr source, size_t bytes, CUstream stream) {
  CUresult result = begin_in("cuMemcpyAsync", real_stream(stream)->context);
  if (result != CUDA_SUCCESS) return result;
  if (!is_device_memory(target, bytes) || !is_device_memory(source, bytes))
    return CUDA_ERROR_INVALID_VALUE;
  return copy((void*)target, (const void*)source, bytes, stream);
}

CUresult fake_copy_from_host(CUdeviceptr target, const void* source, size_t bytes,
                             CUstream stream) {
  CUresult result = begin_in("cuMemcpyHtoDAsync", real_stream(stream)->context);
  if (result != CUDA_SUCCESS) return result;
  if (!is_device_memory(target, bytes)) return CUDA_ERROR_INVALID_VALUE;
  return copy((void*)target, source, bytes, stream);
}

CUresult fake_copy_to_host(void* target, CUdeviceptr source, size_t bytes, CUstream stream) {
  CUresult result = begin_in("cuMemcpyDtoHAsync", real_stream(stream)->context);
  if (result != CUDA_SUCCESS) return result;
  if (!is_device_memory(source, bytes)) return CUDA_ERROR_INVALID_VALUE;
  return copy(target, (const void*)source, bytes, stream);
}

struct noted_fill {
  char* target;
  unsigned char unit[4];
  size_t size, count;
};

static void run_fill(const void* data, size_t bytes) {
  struct noted_fill f;
  memcpy(&f, data, bytes);
  for (size_t i = 0; i < f.count; ++i) memcpy(f.target + i * f.size, f.unit, f.size);
}

static CUresult set(const char* name, CUdeviceptr target, const void* unit, size_t size,
                    size_t count, CUstream stream) {
  CUresult result = begin_in(name, real_stream(stream)->context);
  if (result != CUDA_SUCCESS) return result;
  if (!is_device_memory(target, count * size) || target % size != 0)
    return CUDA_ERROR_INVALID_VALUE;
  struct noted_fill f = {.target = (char*)target, .size = size, .count = count};
  memcpy(f.unit, unit, size);
  if (!capture_work(stream, "fill", run_fill, &f, sizeof f)) run_fill(&f, sizeof f);
  return CUDA_SUCCESS;
}

CUresult fake_set_bytes(CUdeviceptr target, unsigned char unit, size_t count, CUstream stream) {
  return set("cuMemsetD8Async", target, &unit, sizeof unit, count, stream);
}

CUresult fake_set_shorts(CUdeviceptr target, unsigned short unit, size_t count, CUstream stream) {
  return set("cuMemsetD16Async", target, &unit, sizeof unit, count, stream);
}

CUresult fake_set_words(CUdeviceptr target, unsigned unit, size_t count, CUstream stream) {
  return set("cuMemsetD32Async", target, &unit, sizeof unit, count, stream);
}
