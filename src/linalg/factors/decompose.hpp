// Factorisations of stacks of matrices.
#pragma once

#include "device/solver.hpp"
#include "ops/base/wanted.hpp"

namespace gpuarr {

// Arguments come from the C ABI and are checked here. A null stream is the current one of the
// matrices' device.

void cholesky(const Array& a, Triangle triangle, Wanted& out, Wanted& info, Stream* stream);

void lu(const Array& a, Wanted& p, Wanted& l, Wanted& u, Stream* stream);
void lu_factor(const Array& a, Wanted& lu, Wanted& pivots, Wanted& info, Stream* stream);

void qr(const Array& a, bool complete, Wanted& q, Wanted& r, Stream* stream);

/// u and vh are wanted or not as they say; s always.
void svd(const Array& a, bool full_matrices, Wanted& u, Wanted& s, Wanted& vh, Wanted& info,
         Stream* stream);

void eigh(const Array& a, Triangle triangle, Wanted& w, Wanted& v, Wanted& info, Stream* stream);
void eig(const Array& a, Wanted& w, Wanted& v, Wanted& info, Stream* stream);

}  // namespace gpuarr
