/** @file gpuarr/decompose.h  Matrix factorisations: Cholesky, LU, QR, singular values, eigenvalues.
 *
 *  Matrices are the last two axes of an array of two axes or more; the axes before them are a stack
 *  (batch), each matrix of which is factorised. Any layout is accepted. Elements are float32,
 *  float64, complex64 or complex128; integers and bools are computed in float64, and 16-bit floats
 *  are refused. The work is done by the system's LAPACK on the CPU ($GPUARR_LAPACK, or OpenBLAS,
 *  MKL, liblapack), and by cuSOLVER and cuBLAS on a GPU ($GPUARR_CUSOLVER, $GPUARR_CUBLAS), which
 *  are loaded when first needed. The algorithms are described in Anderson et al., LAPACK Users'
 *  Guide, 3rd ed., SIAM 1999.
 *
 *  On the CPU all of this can be captured into a graph. On a GPU cuSOLVER reads intermediate
 *  results on the host in svd, eigh, eig and the functions of solve.h that use singular values:
 *  during stream capture these fail with GPUARR_ERR_UNSUPPORTED, except svd and eigh of stacks of
 *  small matrices, which are batched.
 */
#ifndef GPUARR_DECOMPOSE_H
#define GPUARR_DECOMPOSE_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Cholesky factorisation of positive definite matrices: a = L L^H, or a = U^H U.
 *
 *  Only one triangle of @p a is read; the other one is taken as its conjugate, and is 0 in the
 *  result.
 *
 *  @param[in,out] out     in: an array of the shape of @p a, of the dtype of the computation and on
 *                         the same device, or NULL, then it is created in the memory order of @p a
 *                         and owned by the caller; on failure it stays NULL. It may share memory
 *                         with @p a
 *  @param         a       symmetric or Hermitian matrices, shape (..., n, n)
 *  @param         upper   0 for L, from the lower triangle; 1 for U, from the upper one
 *  @param[in,out] info    NULL: the call waits for its work, and fails if a matrix could not be
 *                         factorised. Otherwise it does not wait, and this receives an int32 array,
 *                         shape (...), given or created as @p out: for each matrix 0, or LAPACK's
 *                         code, here the order of the leading minor that is not positive; then the
 *                         matrix has no result
 *  @param         stream  stream to work in; NULL for the current one of the array's device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, a flag), GPUARR_ERR_SHAPE,
 *          GPUARR_ERR_NOT_POSITIVE_DEFINITE, GPUARR_ERR_DTYPE, GPUARR_ERR_DEVICE,
 *          GPUARR_ERR_OVERLAP, GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_COMPILE,
 *          GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY, GPUARR_ERR_DRIVER,
 *          GPUARR_ERR_FORKED, GPUARR_ERR_UNSUPPORTED (in a stream that is being captured without
 *          @p info; an extent too large for the library)
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_cholesky(gpuarr_array** out, const gpuarr_array* a, int32_t upper,
                                         gpuarr_array** GPUARR_NULLABLE info,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** LU factorisation with partial pivoting: a[i] = (l u)[p[i]].
 *
 *  It never waits, and a singular matrix is not an error: it has zeros on the diagonal of @p u.
 *  @param[in,out] p  int64, shape (..., m): the row of l u that each row of a equals
 *  @param[in,out] l  lower triangles with ones on the diagonal, shape (..., m, min(m, n))
 *  @param[in,out] u  upper triangles, shape (..., min(m, n), n)
 *  @param         a  matrices, shape (..., m, n)
 *  The arrays p, l and u are given or created as out of gpuarr_cholesky. Other parameters and
 *  errors as gpuarr_cholesky, except those about info.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_lu(gpuarr_array** p, gpuarr_array** l, gpuarr_array** u,
                                   const gpuarr_array* a, gpuarr_stream* GPUARR_NULLABLE stream);

/** LU factorisation as by gpuarr_lu, in the packed form for gpuarr_lu_solve.
 *  @param[in,out] lu      shape (..., m, n): u in the upper triangle, l without its ones below
 *  @param[in,out] pivots  int32, shape (..., min(m, n)): row k was exchanged with row pivots[k],
 *                         counted from 0, in the order of k
 *  @param         a       matrices, shape (..., m, n)
 *  @param[in,out] info    as in gpuarr_cholesky; a code is the index, from 1, of the first element
 *                         on the diagonal of u that is 0, and the error is GPUARR_ERR_SINGULAR
 *  The arrays lu and pivots are given or created as out of gpuarr_cholesky. Other parameters and
 *  errors as gpuarr_cholesky.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_lu_factor(gpuarr_array** lu, gpuarr_array** pivots,
                                          const gpuarr_array* a,
                                          gpuarr_array** GPUARR_NULLABLE info,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** QR factorisation: a = q r, q with orthonormal columns and r upper triangular.
 *
 *  It never waits. Elements on the diagonal of r may be negative.
 *  @param[in,out] q         shape (..., m, k), where k is min(m, n), or m if @p complete; NULL if
 *                           it is not wanted
 *  @param[in,out] r         shape (..., k, n); NULL if it is not wanted
 *  @param         a         matrices, shape (..., m, n)
 *  @param         complete  1 for a square q, else 0
 *  The arrays q and r are given or created as out of gpuarr_cholesky. Other parameters and errors
 *  as gpuarr_cholesky, except those about info.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_qr(gpuarr_array** GPUARR_NULLABLE q,
                                   gpuarr_array** GPUARR_NULLABLE r, const gpuarr_array* a,
                                   int32_t complete, gpuarr_stream* GPUARR_NULLABLE stream);

/** Singular value decomposition: a = u diag(s) vh, u and vh unitary and s in descending order.
 *  @param[in,out] u              shape (..., m, k), where k is min(m, n), or m if @p full_matrices;
 *                                NULL if it is not wanted
 *  @param[in,out] s              singular values, real, shape (..., min(m, n))
 *  @param[in,out] vh             shape (..., k, n), where k is min(m, n), or n if @p full_matrices;
 *                                NULL if it is not wanted. Without both, only s is computed
 *  @param         a              matrices, shape (..., m, n)
 *  @param         full_matrices  1 for square u and vh, else 0
 *  @param[in,out] info           as in gpuarr_cholesky. A code is -1 where an element of the matrix
 *                                is infinite or NaN (the error is GPUARR_ERR_NOT_FINITE), and above
 *                                0 where the iteration did not converge (GPUARR_ERR_NO_CONVERGENCE)
 *  The arrays u, s and vh are given or created as out of gpuarr_cholesky. Other parameters and
 *  errors as gpuarr_cholesky.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_svd(gpuarr_array** GPUARR_NULLABLE u, gpuarr_array** s,
                                    gpuarr_array** GPUARR_NULLABLE vh, const gpuarr_array* a,
                                    int32_t full_matrices, gpuarr_array** GPUARR_NULLABLE info,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute only the singular values, in descending order: s of gpuarr_svd.
 *  @param[in,out] out  real, shape (..., min(m, n)); given or created as out of gpuarr_cholesky
 *  Other parameters and errors as gpuarr_svd.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_svdvals(gpuarr_array** out, const gpuarr_array* a,
                                        gpuarr_array** GPUARR_NULLABLE info,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute eigenvalues and eigenvectors of symmetric or Hermitian matrices: a v = v diag(w), v
 *  unitary and w in ascending order.
 *
 *  Only one triangle of @p a is read; the other one is taken as its conjugate.
 *  @param[in,out] w      eigenvalues, real, shape (..., n)
 *  @param[in,out] v      eigenvectors, in columns, shape (..., n, n)
 *  @param         a      matrices, shape (..., n, n)
 *  @param         upper  0 to read the lower triangle, 1 for the upper one
 *  @param[in,out] info   as in gpuarr_svd
 *  The arrays w and v are given or created as out of gpuarr_cholesky. Other parameters and errors
 *  as gpuarr_svd.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_eigh(gpuarr_array** w, gpuarr_array** v, const gpuarr_array* a,
                                     int32_t upper, gpuarr_array** GPUARR_NULLABLE info,
                                     gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute only the eigenvalues of symmetric or Hermitian matrices: w of gpuarr_eigh.
 *  @param[in,out] out  real, shape (..., n); given or created as out of gpuarr_cholesky
 *  Other parameters and errors as gpuarr_eigh.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_eigvalsh(gpuarr_array** out, const gpuarr_array* a, int32_t upper,
                                         gpuarr_array** GPUARR_NULLABLE info,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute eigenvalues and right eigenvectors of general square matrices: a v = v diag(w).
 *
 *  Results are always complex, also if all eigenvalues are real; their order is LAPACK's.
 *  Eigenvectors have length 1. On a GPU it needs cuSOLVER of CUDA 12.6 or newer
 *  (GPUARR_ERR_NO_LIBRARY).
 *  @param[in,out] w     eigenvalues, complex, shape (..., n)
 *  @param[in,out] v     eigenvectors, complex, in columns, shape (..., n, n)
 *  @param         a     matrices, shape (..., n, n)
 *  @param[in,out] info  as in gpuarr_svd
 *  The arrays w and v are given or created as out of gpuarr_cholesky. Other parameters and errors
 *  as gpuarr_svd.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_eig(gpuarr_array** w, gpuarr_array** v, const gpuarr_array* a,
                                    gpuarr_array** GPUARR_NULLABLE info,
                                    gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute only the eigenvalues of general square matrices: w of gpuarr_eig.
 *  @param[in,out] out  complex, shape (..., n); given or created as out of gpuarr_cholesky
 *  Other parameters and errors as gpuarr_eig.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_eigvals(gpuarr_array** out, const gpuarr_array* a,
                                        gpuarr_array** GPUARR_NULLABLE info,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
