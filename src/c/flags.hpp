// Flags of the C ABI that say how matrices are to be read.
#pragma once

#include "c/guard.hpp"
#include "device/solver.hpp"
#include "gpuarr/solve.h"

namespace gpuarr {

inline Triangle triangle_of(int32_t upper) {
  return checked_flag(upper, "upper") ? Triangle::upper : Triangle::lower;
}

inline MatrixOp matrix_op_of(int32_t op) {
  if (op < GPUARR_MATRIX_AS_IT_IS || op > GPUARR_MATRIX_CONJUGATE_TRANSPOSED)
    fail(GPUARR_ERR_ARGUMENT, "op is {}; give 0, 1 (transposed) or 2 (conjugate transposed)", op);
  return static_cast<MatrixOp>(op);
}

}  // namespace gpuarr
