/** @file gpuarr_linalg.hpp  libgpuarr for C++17: products, factorisations, equations.
 *
 *      auto [u, s, vh] = gpuarr::svd(a);
 *      gpuarr::Array x = gpuarr::solve(a, b), p = gpuarr::matmul(a, x);
 *
 *  Names and rules are those of the C functions in linalg.h, decompose.h and solve.h: matrices are
 *  the last two axes; the axes before them are a stack (batch). BLAS and LAPACK libraries are
 *  loaded when first needed; if one is missing, the Error says what to install.
 *
 *  info  Where the last parameter is Array* info, a call waits, and throws if a matrix is singular,
 *        not positive definite, or the like. Given one, it does not wait: the array gets an int32
 *        for each matrix, 0 or LAPACK's code.
 */
#ifndef GPUARR_LINALG_HPP
#define GPUARR_LINALG_HPP

#include "gpuarr_made.hpp"

namespace gpuarr {
inline namespace wrapper {

/// Receives the codes of a C function, if they are wanted.
inline gpuarr_array** codes(Array* info) { return info == nullptr ? nullptr : info->out(); }

/// @name Products: of matrices; of all elements, the left ones conjugated; along the last axes; of
/// each element with each; of each element with a whole array; along pairs of axes, which are the
/// last of x and the first of y if only their number is given; by letters, "ij,jk->ik". Flags are 0
/// or GPUARR_MATMUL_TF32. Where one is an Expr, so is the product of matrices.
///@{
inline Array matmul(const Array& x, const Array& y, int flags = 0) {
  return made(gpuarr_matmul, x, y, flags);
}
template <class X, class Y,
          class = std::enable_if_t<std::is_same_v<X, Expr> || std::is_same_v<Y, Expr>>>
Expr matmul(const X& x, const Y& y) {
  return get<Expr>(gpuarr_expr_matmul, Expr(x), Expr(y));
}
inline Array vdot(const Array& x, const Array& y) { return made(gpuarr_vdot, x, y); }
inline Array inner(const Array& x, const Array& y, int flags = 0) {
  return made(gpuarr_inner, x, y, flags);
}
inline Array outer(const Array& x, const Array& y) { return made(gpuarr_outer, x, y); }
inline Array kron(const Array& x, const Array& y) { return made(gpuarr_kron, x, y); }
inline Array tensordot(const Array& x, const Array& y, int axes = 2) {
  return made(gpuarr_tensordot, x, y, nullptr, nullptr, axes, 0);
}
inline Array tensordot(const Array& x, const Array& y, const Axes& of_x, const Axes& of_y,
                       int flags = 0) {
  const int32_t* ys = counted(of_y, len(of_x), "tensordot: axes of y");
  return made(gpuarr_tensordot, x, y, of_x.data(), ys, len(of_x), flags);
}
inline Array einsum(Text subscripts, const Array& x, const Array& y = {}, int flags = 0) {
  return made(gpuarr_einsum, subscripts, x, y, flags);
}
///@}

/// @name Matrix power, if negative of the inverse; trace; matrix norms, GPUARR_NORM_...
///@{
inline Array matrix_power(const Array& x, int64_t n, int flags = 0) {
  return made(gpuarr_matrix_power, x, n, flags);
}
inline Array trace(const Array& x, int64_t offset = 0, int axis1 = 0, int axis2 = 1) {
  return made(gpuarr_trace, x, offset, axis1, axis2);
}
inline Array matrix_norm(const Array& x, int ord = GPUARR_NORM_FRO, bool keepdims = false) {
  return made(gpuarr_matrix_norm, x, ord, keepdims);
}
///@}

/// @name Factorisations: a = l l^H, or u^H u; rows p of l u are those of a, or in one array; a = q
/// r; a = u diag(s) vh; eigenvalues w and vectors v of symmetric or Hermitian matrices, of which
/// one triangle is read; of general ones. Factors have only the columns, or rows, that they need,
/// unless complete ones are requested.
///@{
struct Lu {
  Array p, l, u;
};
struct LuFactor {
  Array lu, pivots;
};
struct Qr {
  Array q, r;
};
struct Svd {
  Array u, s, vh;
};
struct Eigen {
  Array w, v;
};
inline Array cholesky(const Array& a, bool upper = false, Array* info = nullptr) {
  return made(gpuarr_cholesky, a, upper, codes(info));
}
inline Lu lu(const Array& a) { return made_as<Lu>(gpuarr_lu, a); }
inline LuFactor lu_factor(const Array& a, Array* info = nullptr) {
  return made_as<LuFactor>(gpuarr_lu_factor, a, codes(info));
}
inline Qr qr(const Array& a, bool complete = false) { return made_as<Qr>(gpuarr_qr, a, complete); }
inline Svd svd(const Array& a, bool full_matrices = false, Array* info = nullptr) {
  return made_as<Svd>(gpuarr_svd, a, full_matrices, codes(info));
}
inline Array svdvals(const Array& a, Array* info = nullptr) {
  return made(gpuarr_svdvals, a, codes(info));
}
inline Eigen eigh(const Array& a, bool upper = false, Array* info = nullptr) {
  return made_as<Eigen>(gpuarr_eigh, a, upper, codes(info));
}
inline Array eigvalsh(const Array& a, bool upper = false, Array* info = nullptr) {
  return made(gpuarr_eigvalsh, a, upper, codes(info));
}
inline Eigen eig(const Array& a, Array* info = nullptr) {
  return made_as<Eigen>(gpuarr_eig, a, codes(info));
}
inline Array eigvals(const Array& a, Array* info = nullptr) {
  return made(gpuarr_eigvals, a, codes(info));
}
///@}

/// @name Equations a x = b: by LU; for triangular a; with the factors of cholesky() or
/// lu_factor(); least squares, for which a negative rcond is the dtype's precision. op is one of
/// GPUARR_MATRIX_...
///@{
struct Lstsq {
  Array x, residuals, rank, s;
};
inline Array solve(const Array& a, const Array& b, Array* info = nullptr) {
  return made(gpuarr_solve, a, b, codes(info));
}
inline Array solve_triangular(const Array& a, const Array& b, bool upper = false,
                              int op = GPUARR_MATRIX_AS_IT_IS, bool unit_diagonal = false,
                              Array* info = nullptr) {
  return made(gpuarr_solve_triangular, a, b, upper, op, unit_diagonal, codes(info));
}
inline Array cholesky_solve(const Array& factor, const Array& b, bool upper = false) {
  return made(gpuarr_cholesky_solve, factor, b, upper);
}
inline Array lu_solve(const LuFactor& f, const Array& b, int op = GPUARR_MATRIX_AS_IT_IS) {
  return made(gpuarr_lu_solve, f.lu, f.pivots, b, op);
}
inline Lstsq lstsq(const Array& a, const Array& b, double rcond = -1, Array* info = nullptr) {
  return made_as<Lstsq>(gpuarr_lstsq, a, b, rcond, codes(info));
}
///@}

/// @name Inverses and pseudoinverses; determinants, also as sign * exp(logdet); ranks: the number
/// of singular values above a threshold, which is the dtype's precision if it is negative.
///@{
struct Slogdet {
  Array sign, logdet;
};
inline Array inv(const Array& a, Array* info = nullptr) { return made(gpuarr_inv, a, codes(info)); }
inline Array pinv(const Array& a, double rcond = -1, Array* info = nullptr) {
  return made(gpuarr_pinv, a, rcond, codes(info));
}
inline Array det(const Array& a) { return made(gpuarr_det, a); }
inline Slogdet slogdet(const Array& a) { return made_as<Slogdet>(gpuarr_slogdet, a); }
inline Array matrix_rank(const Array& a, double tol = -1, Array* info = nullptr) {
  return made(gpuarr_matrix_rank, a, tol, codes(info));
}
///@}

}  // namespace wrapper
}  // namespace gpuarr
#endif
