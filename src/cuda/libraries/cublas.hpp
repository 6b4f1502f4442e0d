// cuBLAS, opened at run time: the one list of the functions that are used of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/library.hpp"

namespace gpuarr::cuda {

/// Functions are declared in the words of cublas_api.h, which need not be there: enumerations are
/// ints. Extents have 64 bits, which came with CUDA 12.
struct Cublas {
  using Status = int;
  using Handle = void*;

  /// `newest`: the driver's CUDA major version, since what is made for a later one does not run.
  explicit Cublas(int newest);
  Cublas(const Cublas&) = delete;
  Cublas& operator=(const Cublas&) = delete;

  void* find(const char* name) const;
  [[noreturn]] void fail(const char* function, Status status) const;
  std::string version() const;

  const Library library;

  template <class F>
  using Fn = Call<Cublas, F>;

  Fn<Status (*)(int, int*)> get_property{*this, "cublasGetProperty"};
  Fn<Status (*)(Handle*)> create{*this, "cublasCreate_v2"};
  Fn<Status (*)(Handle)> destroy{*this, "cublasDestroy_v2"};
  Fn<Status (*)(Handle, void*)> set_stream{*this, "cublasSetStream_v2"};
  Fn<Status (*)(Handle, void*, size_t)> set_workspace{*this, "cublasSetWorkspace_v2"};
  Fn<Status (*)(Handle, int)> set_math_mode{*this, "cublasSetMathMode"};
  // handle, op(A), op(B), m, n, k, alpha, A, type, leading, B, type, leading, beta, C, type,
  // leading, what is computed in, algorithm
  Fn<Status (*)(Handle, int, int, int64_t, int64_t, int64_t, const void*, const void*, int, int64_t,
                const void*, int, int64_t, const void*, void*, int, int64_t, int, int)>
      gemm{*this, "cublasGemmEx_64"};
  // The same, with a step behind each leading extent, and the batch behind the last.
  Fn<Status (*)(Handle, int, int, int64_t, int64_t, int64_t, const void*, const void*, int, int64_t,
                long long, const void*, int, int64_t, long long, const void*, void*, int, int64_t,
                long long, int64_t, int, int)>
      gemm_batch{*this, "cublasGemmStridedBatchedEx_64"};
};

const Cublas& cublas();  // opened when first called

/// Of these libraries: they say no more than that something failed. Where a kernel faulted, the
/// driver says so. `name`: the status's.
[[noreturn]] void fail_call(const char* function, int status, const char* name, bool is_memory);

}  // namespace gpuarr::cuda
