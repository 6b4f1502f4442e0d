// Flags of the C ABI that say how matrices are to be read.
#pragma once

#include "core/error.hpp"
#include "device/solver.hpp"
#include "gpuarr/solve.h"

namespace gpuarr {

inline bool flag_of(int32_t value, const char* argument) {
  if (value != 0 && value != 1) fail(GPUARR_ERR_ARGUMENT, "{} is {}; give 1 or 0", argument, value);
  return value != 0;
}

inline Triangle triangle_of(int32_t upper) {
  return flag_of(upper, "upper") ? Triangle::upper : Triangle::lower;
}

inline MatrixOp matrix_op_of(int32_t op) {
  if (op < GPUARR_MATRIX_AS_IT_IS || op > GPUARR_MATRIX_CONJUGATE_TRANSPOSED)
    fail(GPUARR_ERR_ARGUMENT, "op is {}; give 0, 1 (transposed) or 2 (conjugate transposed)", op);
  return static_cast<MatrixOp>(op);
}

}  // namespace gpuarr
