// Linear equations, and what follows from factorisations.
#pragma once

#include "device/solver.hpp"
#include "ops/base/wanted.hpp"

namespace gpuarr {

// Arguments come from the C ABI and are checked here. A null stream is the current one of the
// matrices' device. Right sides of one axis are vectors.

void solve(const Array& a, const Array& b, Wanted& out, Wanted& info, Stream* stream);
void inv(const Array& a, Wanted& out, Wanted& info, Stream* stream);

void det(const Array& a, Wanted& out, Stream* stream);
void slogdet(const Array& a, Wanted& sign, Wanted& log, Stream* stream);

struct TriangularForm {
  Triangle triangle;
  MatrixOp op;
  bool unit_diagonal;
};
void solve_triangular(const Array& a, const Array& b, const TriangularForm& form, Wanted& out,
                      Wanted& info, Stream* stream);

void cholesky_solve(const Array& factor, const Array& b, Triangle triangle, Wanted& out,
                    Stream* stream);
void lu_solve(const Array& lu, const Array& pivots, const Array& b, MatrixOp op, Wanted& out,
              Stream* stream);

struct LeastSquares {
  Wanted &x, &residuals, &rank, &s, &info;
};
void lstsq(const Array& a, const Array& b, double rcond, const LeastSquares& results,
           Stream* stream);

void pinv(const Array& a, double rcond, Wanted& out, Wanted& info, Stream* stream);
void matrix_rank(const Array& a, double tol, Wanted& out, Wanted& info, Stream* stream);

}  // namespace gpuarr
