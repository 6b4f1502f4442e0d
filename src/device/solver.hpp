// Factorisations of dense matrices and what is solved with them, as a device's LAPACK does it.
#pragma once

#include <cstdint>
#include <string>

#include "core/dtype.hpp"
#include "device/blas.hpp"

namespace gpuarr {

class Stream;

/// Matrices of one shape, each in memory column by column. There are some, and no extent is 0.
struct Matrices {
  DType dtype = DType::f64;  // f32, f64, c64 or c128
  void* data = nullptr;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t leading = 0;  // elements from column to column, at least the rows
  int64_t count = 1;
  int64_t step = 0;  // elements from one matrix to the next
};

/// f32, f64, c64, c128 as 0 to 3.
constexpr int place_of_type(DType dtype) {
  return static_cast<int>(dtype) - static_cast<int>(DType::f32);
}

enum class Triangle { lower, upper };

constexpr Triangle other(Triangle triangle) {
  return triangle == Triangle::lower ? Triangle::upper : Triangle::lower;
}

/// What `info` gets for a matrix, besides LAPACK's codes, which are 0 or greater.
constexpr int32_t info_not_finite = -1;  // the matrix was not worked on

/// Everything works in the order of a stream and in place, on matrices of f32, f64, c64 or c128.
/// All operands are of one dtype, and so many matrices as the first; `info` is on the device and
/// has an element for each.
class Solver {
 public:
  virtual ~Solver() = default;

  /// a = L L^H in the lower triangle, or U^H U in the upper one; the other keeps what it has, but
  /// not the lower one of stacks on a GPU.
  /// `info`: which leading minor is not positive. A NaN may pass unless looks_for_not_finite().
  virtual void cholesky(const Matrices& a, Triangle triangle, int32_t* info, Stream& stream) = 0;
  virtual void solve_cholesky(const Matrices& factor, Triangle triangle, const Matrices& b,
                              Stream& stream) = 0;

  /// i32 or i64: what the numbers of swapped rows are, which lu() writes and solve_lu() reads. They
  /// count from 1, min(rows, columns) of them for each matrix.
  virtual DType pivot_type(const Matrices& a) = 0;
  /// a = P L U. `info`: the first diagonal element of U that is 0.
  virtual void lu(const Matrices& a, void* pivots, int32_t* info, Stream& stream) = 0;
  virtual void solve_lu(const Matrices& lu, const void* pivots, MatrixOp op, const Matrices& b,
                        Stream& stream) = 0;

  /// R in the upper triangle of a, and reflectors below it, whose factors go into `tau`.
  virtual void qr(const Matrices& a, void* tau, Stream& stream) = 0;
  /// The columns of Q out of the first `reflectors` columns of a.
  virtual void form_q(const Matrices& a, int64_t reflectors, const void* tau, Stream& stream) = 0;

  /// a = u diag(values) vh, of at least as many rows as columns, which is destroyed. u has all
  /// columns of U or as many as a; it and vh may both be null. `info`: above 0 where it does not
  /// converge.
  virtual void svd(const Matrices& a, void* values, const Matrices* u, const Matrices* vh,
                   int32_t* info, Stream& stream) = 0;

  /// The eigenvalues in ascending order, of a symmetric or Hermitian matrix of which one triangle
  /// is read; the vectors take the place of a, which is destroyed in any case. `info` as svd().
  virtual void eigh(const Matrices& a, Triangle triangle, bool vectors, void* values, int32_t* info,
                    Stream& stream) = 0;

  /// Complex eigenvalues, also of a real matrix, which is destroyed; the right eigenvectors unless
  /// that is null, for a real matrix packed as by LAPACK: of a pair, real and imaginary part of the
  /// first. `info` as svd().
  virtual void eig(const Matrices& a, void* values, const Matrices* vectors, int32_t* info,
                   Stream& stream) = 0;

  /// b = op(a)^-1 b for a triangle of a.
  virtual void solve_triangular(const Matrices& a, Triangle triangle, MatrixOp op,
                                bool unit_diagonal, const Matrices& b, Stream& stream) = 0;

  /// Whether cholesky() finds each NaN that it comes to, and svd(), eigh() and eig() tell by
  /// info_not_finite that an element of a matrix is infinite or NaN. If not, they must not be given
  /// such a matrix.
  virtual bool looks_for_not_finite() const = 0;

  /// Whether cholesky() of the lower triangle is so much faster that copies are worth it.
  virtual bool wants_lower() const = 0;

  virtual std::string description() = 0;  // name, version, place
};

}  // namespace gpuarr
