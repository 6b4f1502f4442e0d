// Factorisations of stacks of matrices.
#pragma once

#include "device/solver.hpp"
#include "linalg/factors/matrix_result.hpp"

namespace gpuarr {

// Arguments come from the C ABI and are checked here. A null stream is the current one of the
// matrices' device.

void cholesky(const Array& a, Triangle triangle, MatrixResult& out, MatrixResult& info,
              Stream* stream);

void lu(const Array& a, MatrixResult& p, MatrixResult& l, MatrixResult& u, Stream* stream);
void lu_factor(const Array& a, MatrixResult& lu, MatrixResult& pivots, MatrixResult& info,
               Stream* stream);

void qr(const Array& a, bool complete, MatrixResult& q, MatrixResult& r, Stream* stream);

/// u and vh are wanted or not as they say; s always.
void svd(const Array& a, bool full_matrices, MatrixResult& u, MatrixResult& s, MatrixResult& vh,
         MatrixResult& info, Stream* stream);

void eigh(const Array& a, Triangle triangle, MatrixResult& w, MatrixResult& v, MatrixResult& info,
          Stream* stream);
void eig(const Array& a, MatrixResult& w, MatrixResult& v, MatrixResult& info, Stream* stream);

}  // namespace gpuarr
