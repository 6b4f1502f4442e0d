// Right sides of equations: matrices or one vector, which broadcast with the matrices on the left.
#pragma once

#include "linalg/factors/matrices.hpp"
#include "ops/base/wanted.hpp"

namespace gpuarr {

/// a x = b for a stack of each.
struct Equations {
  /// Fails where b does not fit a, whose rows and columns count exchanged if `transposed`.
  Equations(const Array& a, const Array& b, const char* label, bool transposed = false);

  Dims stack;   // of both together
  Dims left;    // of the matrices that are factorised: that, or () for one for all
  bool vector;  // b is one
  Array right;  // b as matrices
  Dims shape;   // of the result
  DType dtype;

  /// The right sides side by side if there is one matrix on the left.
  Matrices joined(const Array& work) const;
  /// The result out of (stack, n, k).
  Array result(const Array& work) const;
};

}  // namespace gpuarr
