// The driver's own memory, as the sources of memory_bench.hpp: what ours is measured beside.
#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "memory_bench.hpp"

inline void check(CUresult result) {
  if (result == CUDA_SUCCESS) return;
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  std::fprintf(stderr, "%s\n", text != nullptr ? text : "an error of the driver");
  std::exit(1);
}

inline CUstream native(const Stream& stream) {
  return static_cast<CUstream>(gpuarr_stream_native(stream.get()));
}

inline CUdeviceptr address(void* data) { return reinterpret_cast<CUdeviceptr>(data); }

/// What the driver is asked for belongs to the context that is current in the thread.
inline void use_context() {
  thread_local const bool done = cudaFree(nullptr) == cudaSuccess;
  if (!done) std::exit(1);
}

/// A stream-ordered pool of the driver's that gives nothing back.
class DriverPool {
 public:
  explicit DriverPool(const std::vector<Stream>& streams) : streams_(streams) {
    CUmemPoolProps properties = {};
    properties.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location = {CU_MEM_LOCATION_TYPE_DEVICE, 0};
    check(cuMemPoolCreate(&pool_, &properties));
    cuuint64_t all = UINT64_MAX;
    check(cuMemPoolSetAttribute(pool_, CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, &all));
  }
  ~DriverPool() {
    cuCtxSynchronize();
    cuMemPoolDestroy(pool_);
  }
  DriverPool(const DriverPool&) = delete;
  DriverPool& operator=(const DriverPool&) = delete;

  void* allocate(int64_t bytes, size_t stream) {
    use_context();
    CUdeviceptr data;
    check(cuMemAllocFromPoolAsync(&data, static_cast<size_t>(bytes), pool_,
                                  native(streams_[stream])));
    return reinterpret_cast<void*>(data);
  }
  void free(void* data, size_t stream) {
    check(cuMemFreeAsync(address(data), native(streams_[stream])));
  }
  int64_t held() const {
    cuuint64_t bytes;
    check(cuMemPoolGetAttribute(pool_, CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT, &bytes));
    return static_cast<int64_t>(bytes);
  }

 private:
  const std::vector<Stream>& streams_;
  CUmemoryPool pool_ = nullptr;
};

/// Memory of the driver without a pool.
struct DriverDirect {
  void* allocate(int64_t bytes, size_t) {
    use_context();
    CUdeviceptr data;
    check(cuMemAlloc(&data, static_cast<size_t>(bytes)));
    return reinterpret_cast<void*>(data);
  }
  void free(void* data, size_t) { check(cuMemFree(address(data))); }
};

/// One piece for each stream, handed out again and again: what using memory costs without getting
/// any.
class SamePieces {
 public:
  SamePieces(Pool& pool, int64_t bytes, size_t streams) : pool_(pool) {
    for (size_t k = 0; k < streams; ++k) pieces_.push_back(pool.allocate(bytes, k));
  }
  ~SamePieces() {
    for (size_t k = 0; k < pieces_.size(); ++k) pool_.free(pieces_[k], k);
  }
  SamePieces(const SamePieces&) = delete;
  SamePieces& operator=(const SamePieces&) = delete;

  void* allocate(int64_t, size_t stream) { return pieces_[stream]; }
  void free(void*, size_t) {}
  int64_t held() const { return 0; }

 private:
  Pool& pool_;
  std::vector<void*> pieces_;
};
