// cuBLAS, opened at run time: the one list of the functions that are used of it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/libraries/math_library.hpp"

namespace gpuarr::cuda {

/// As cublas_api.h has them. Extents have 64 bits, which came with CUDA 12.
struct Cublas : MathLibrary {
  using MathLibrary::MathLibrary;

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

}  // namespace gpuarr::cuda
