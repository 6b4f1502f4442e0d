/** @file gpuarr/solve.h  Linear equations, least squares, inverses, determinants, ranks.
 *
 *  Matrices, dtypes, libraries and info are as described in gpuarr/decompose.h. Stacks of both
 *  sides broadcast together.
 */
#ifndef GPUARR_SOLVE_H
#define GPUARR_SOLVE_H

#include "gpuarr/decompose.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Operations op(a) on a matrix before equations are solved. */
enum {
  GPUARR_MATRIX_AS_IT_IS = 0,
  GPUARR_MATRIX_TRANSPOSED = 1,
  GPUARR_MATRIX_CONJUGATE_TRANSPOSED = 2
};

/** Solve the equations a x = b.
 *
 *  @param[in,out] out     x, of the shape of @p b with the stacks broadcast together; of the dtype
 *                         that @p a and @p b promote to. In: such an array on the device of @p a;
 *                         or NULL, then it is created in the memory order of @p b and owned by the
 *                         caller; on failure it stays NULL. It may share memory with @p a and @p b
 *  @param         a       square matrices, shape (..., n, n)
 *  @param         b       right sides, one vector of shape (n,), or matrices of shape (..., n, k)
 *                         with one in each column
 *  @param[in,out] info    as in gpuarr_cholesky, of the shape of the stacks broadcast together. A
 *                         code is the index, from 1, of the first element on the diagonal of U that
 *                         is 0; the error is GPUARR_ERR_SINGULAR
 *  @param         stream  stream to work in; NULL for the current one of the arrays' device
 *  @return as gpuarr_cholesky, and GPUARR_ERR_BROADCAST, GPUARR_ERR_SINGULAR
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_solve(gpuarr_array** out, const gpuarr_array* a,
                                      const gpuarr_array* b, gpuarr_array** GPUARR_NULLABLE info,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Solve the equations op(a) x = b, where a is triangular.
 *  @param         a              square matrices, shape (..., n, n), of which one triangle is read
 *  @param         b              as in gpuarr_solve
 *  @param         upper          1 if a is the upper triangle, 0 if it is the lower one
 *  @param         op             GPUARR_MATRIX_AS_IT_IS or one of the other two
 *  @param         unit_diagonal  1 to use ones as the diagonal without reading it, else 0
 *  @param[in,out] info           as in gpuarr_solve, of the diagonal of a
 *  Other parameters and errors as gpuarr_solve.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_solve_triangular(gpuarr_array** out, const gpuarr_array* a,
                                                 const gpuarr_array* b, int32_t upper, int32_t op,
                                                 int32_t unit_diagonal,
                                                 gpuarr_array** GPUARR_NULLABLE info,
                                                 gpuarr_stream* GPUARR_NULLABLE stream);

/** Solve the equations a x = b with the factor of a from gpuarr_cholesky. It never waits.
 *  @param  factor  shape (..., n, n), of which one triangle is read
 *  @param  b       as in gpuarr_solve
 *  @param  upper   1 if @p factor is U, 0 if it is L
 *  Other parameters and errors as gpuarr_solve.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_cholesky_solve(gpuarr_array** out, const gpuarr_array* factor,
                                               const gpuarr_array* b, int32_t upper,
                                               gpuarr_stream* GPUARR_NULLABLE stream);

/** Solve the equations op(a) x = b with the factors of a from gpuarr_lu_factor. It never waits.
 *  @param  lu      shape (..., n, n)
 *  @param  pivots  int32 or int64, shape (..., n). One out of the range 0 to n - 1 is an error
 *                  (GPUARR_ERR_INDEX), which is returned as by gpuarr_take: by this call on the
 *                  CPU, by the next one that waits on a GPU. Its row is then not exchanged
 *  @param  b       as in gpuarr_solve
 *  @param  op      GPUARR_MATRIX_AS_IT_IS or one of the other two
 *  Other parameters and errors as gpuarr_solve.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_lu_solve(gpuarr_array** out, const gpuarr_array* lu,
                                         const gpuarr_array* pivots, const gpuarr_array* b,
                                         int32_t op, gpuarr_stream* GPUARR_NULLABLE stream);

/** Invert square matrices.
 *  @param[in,out] out   of the shape of @p a, given or created as in gpuarr_cholesky
 *  @param         a     shape (..., n, n)
 *  @param[in,out] info  as in gpuarr_solve
 *  Other parameters and errors as gpuarr_solve.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_inv(gpuarr_array** out, const gpuarr_array* a,
                                    gpuarr_array** GPUARR_NULLABLE info,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute determinants. It never waits; the product's exponent is kept separately, so that it
 *  overflows only if the result does. The determinant of an empty matrix is 1.
 *  @param[in,out] out  shape (...), given or created as in gpuarr_cholesky
 *  @param         a    square matrices, shape (..., n, n)
 *  Other parameters and errors as gpuarr_cholesky, except those about info.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_det(gpuarr_array** out, const gpuarr_array* a,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute determinants as sign * exp(logdet). It never waits.
 *  @param[in,out] sign    of the dtype of @p a: 1 or -1, of complex matrices a number of modulus 1;
 *                         0 where the determinant is 0. Shape (...)
 *  @param[in,out] logdet  real, shape (...); -infinity where the determinant is 0
 *  @param         a       square matrices, shape (..., n, n)
 *  The arrays sign and logdet are given or created as out of gpuarr_cholesky. Other parameters and
 *  errors as gpuarr_det.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_slogdet(gpuarr_array** sign, gpuarr_array** logdet,
                                        const gpuarr_array* a,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Least squares: find the x that minimises the norm of b - a x, and of several the one with the
 *  smallest norm.
 *
 *  It is computed from singular values.
 *  @param[in,out] x          shape (..., n, k), or (..., n) for a vector @p b
 *  @param[in,out] residuals  real, shape (..., k), or (...) for a vector: the squares of the norms
 *                            of b - a x, whatever the rank; NULL if they are not wanted
 *  @param[in,out] rank       int64, shape (...): how many singular values count; NULL if not wanted
 *  @param[in,out] s          singular values, real, shape (..., min(m, n)); NULL if not wanted
 *  @param         a          matrices, shape (..., m, n)
 *  @param         b          as in gpuarr_solve, with m rows
 *  @param         rcond      singular values of at most rcond times the largest one count as 0;
 *                            negative for max(m, n) times the dtype's precision
 *  @param[in,out] info       as in gpuarr_svd, of the shape of the stacks broadcast together
 *  The results are given or created as out of gpuarr_solve; rank and s belong to @p a and have the
 *  shape of its stack. Other parameters and errors as gpuarr_svd and gpuarr_solve;
 *  GPUARR_ERR_ARGUMENT if rcond is NaN.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_lstsq(gpuarr_array** x, gpuarr_array** GPUARR_NULLABLE residuals,
                                      gpuarr_array** GPUARR_NULLABLE rank,
                                      gpuarr_array** GPUARR_NULLABLE s, const gpuarr_array* a,
                                      const gpuarr_array* b, double rcond,
                                      gpuarr_array** GPUARR_NULLABLE info,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute Moore-Penrose pseudoinverses, from singular values.
 *  @param[in,out] out    shape (..., n, m), given or created as in gpuarr_cholesky
 *  @param         a      matrices, shape (..., m, n)
 *  @param         rcond  as in gpuarr_lstsq
 *  @param[in,out] info   as in gpuarr_svd
 *  Other parameters and errors as gpuarr_svd; GPUARR_ERR_ARGUMENT if rcond is NaN.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_pinv(gpuarr_array** out, const gpuarr_array* a, double rcond,
                                     gpuarr_array** GPUARR_NULLABLE info,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute ranks of matrices: the number of singular values above a threshold.
 *  @param[in,out] out   int64, shape (...), given or created as in gpuarr_cholesky
 *  @param         a     matrices, shape (..., m, n)
 *  @param         tol   the threshold; negative for the largest singular value of the matrix times
 *                       max(m, n) times the dtype's precision
 *  @param[in,out] info  as in gpuarr_svd
 *  Other parameters and errors as gpuarr_svd; GPUARR_ERR_ARGUMENT if tol is NaN.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_matrix_rank(gpuarr_array** out, const gpuarr_array* a, double tol,
                                            gpuarr_array** GPUARR_NULLABLE info,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
