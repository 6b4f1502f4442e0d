// Linear equations, and what follows from factorisations.
#pragma once

#include "device/solver.hpp"
#include "linalg/factors/matrix_result.hpp"

namespace gpuarr {

// Arguments come from the C ABI and are checked here. A null stream is the current one of the
// matrices' device. Right sides of one axis are vectors.

void solve(const Array& a, const Array& b, MatrixResult& out, MatrixResult& info, Stream* stream);
void inv(const Array& a, MatrixResult& out, MatrixResult& info, Stream* stream);

void det(const Array& a, MatrixResult& out, Stream* stream);
void slogdet(const Array& a, MatrixResult& sign, MatrixResult& log, Stream* stream);

struct TriangularForm {
  Triangle triangle;
  MatrixOp op;
  bool unit_diagonal;
};
void solve_triangular(const Array& a, const Array& b, const TriangularForm& form, MatrixResult& out,
                      MatrixResult& info, Stream* stream);

void cholesky_solve(const Array& factor, const Array& b, Triangle triangle, MatrixResult& out,
                    Stream* stream);
void lu_solve(const Array& lu, const Array& pivots, const Array& b, MatrixOp op, MatrixResult& out,
              Stream* stream);

struct LeastSquares {
  MatrixResult &x, &residuals, &rank, &s, &info;
};
void lstsq(const Array& a, const Array& b, double rcond, const LeastSquares& results,
           Stream* stream);

void pinv(const Array& a, double rcond, MatrixResult& out, MatrixResult& info, Stream* stream);
void matrix_rank(const Array& a, double tol, MatrixResult& out, MatrixResult& info, Stream* stream);

}  // namespace gpuarr
