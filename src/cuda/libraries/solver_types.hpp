// Matrices in the words of cuSOLVER.
#pragma once

#include <climits>

#include "core/error.hpp"
#include "cuda/libraries/cusolver.hpp"
#include "device/solver.hpp"

namespace gpuarr::cuda {

// cudaDataType.
inline int data_type(DType dtype) {
  constexpr int types[] = {0, 1, 4, 5};
  return types[place_of_type(dtype)];
}
inline int real_type(DType dtype) { return place_of_type(dtype) % 2; }
inline int complex_type(DType dtype) { return 4 + place_of_type(dtype) % 2; }
inline int real_bytes(DType dtype) { return place_of_type(dtype) % 2 == 0 ? 4 : 8; }

inline std::byte* matrix_at(const Matrices& m, int64_t k) {
  return static_cast<std::byte*>(m.data) + k * m.step * size_of(m.dtype);
}

/// An extent for a function that counts with 32 bits.
inline int counted(int64_t extent, const Cusolver& api) {
  if (extent > INT_MAX)
    fail(GPUARR_ERR_UNSUPPORTED,
         "a matrix has an extent of {}, but this function of {} uses 32-bit integers", extent,
         api.library.path);
  return static_cast<int>(extent);
}

}  // namespace gpuarr::cuda
