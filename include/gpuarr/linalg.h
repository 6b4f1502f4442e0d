/** @file gpuarr/linalg.h  Products of matrices and vectors.
 *
 *  Floats and complex numbers are multiplied by cuBLAS on a GPU and by the system's BLAS on the
 *  CPU, such as OpenBLAS. Both are loaded when first needed; if one is missing, the call fails with
 *  GPUARR_ERR_NO_LIBRARY and the message says what to install. Matrices of either memory order, and
 *  transposed views of them, are multiplied without a copy.
 */
#ifndef GPUARR_LINALG_H
#define GPUARR_LINALG_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Flags of products of matrices. */
enum {
  GPUARR_MATMUL_TF32 = 1 /**< TensorFloat-32: float32 and complex64 may be rounded to 10 bits of
                              fraction before they are multiplied, if that is faster */
};

/** Matrix norms of gpuarr_matrix_norm. */
enum {
  GPUARR_NORM_FRO = 0,       /**< Frobenius norm: root of the sum of the squares of all elements */
  GPUARR_NORM_1 = 1,         /**< largest sum of absolute values of a column */
  GPUARR_NORM_MINUS_1 = -1,  /**< smallest of these */
  GPUARR_NORM_2 = 2,         /**< largest singular value (spectral norm) */
  GPUARR_NORM_MINUS_2 = -2,  /**< smallest singular value */
  GPUARR_NORM_NUC = 4,       /**< nuclear norm: sum of the singular values */
  GPUARR_NORM_INF = 3,       /**< largest sum of absolute values of a row */
  GPUARR_NORM_MINUS_INF = -3 /**< smallest of these */
};

/** Multiply matrices, or stacks of them: x @ y in Python.
 *
 *  The last two axes are the matrices'; those before them broadcast together. An array of one axis
 *  is a row on the left and a column on the right, and the result does not have that axis: two
 *  vectors give an array without axes. Dtypes are promoted as by NumPy. float16 and bfloat16 are
 *  accumulated in float32 and rounded once; integers wrap around in their own type; a bool is true
 *  if both elements of any pair are. Empty sums are 0.
 *
 *  A matrix is passed to BLAS directly if one of its two strides is 1, the other is at least the
 *  extent along the first, and the stack's strides are not negative; otherwise it is copied first.
 *  NaN and infinities are treated as by the BLAS library.
 *
 *  @param[in,out] out     in: an array of the result's shape, dtype and device, in any layout,
 *                         which may share memory with the inputs; or NULL, then it is created and
 *                         owned by the caller, in Fortran order if x and y are matrices in Fortran
 *                         order, else in C order; on failure it stays NULL
 *  @param         x       left operand, of any dtype: shape (..., m, k) or (k,)
 *  @param         y       right operand, of any dtype: shape (..., k, n) or (k,)
 *  @param         flags   0, or GPUARR_MATMUL_TF32
 *  @param         stream  stream to work in; NULL for the current one of the arrays' device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, flags), GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST,
 *          GPUARR_ERR_DTYPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP (@p out with itself),
 *          GPUARR_ERR_NO_LIBRARY, GPUARR_ERR_UNSUPPORTED (an extent over 2^31 - 1 with a BLAS of
 *          32-bit integers; a stream that is captured with the driver's own functions),
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED, and for integers
 *          GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_matmul(gpuarr_array** out, const gpuarr_array* x,
                                       const gpuarr_array* y, int32_t flags,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Sum conj(x) * y over all elements, to one result without axes: np.vdot.
 *
 *  Dtypes are promoted and accumulated as by gpuarr_matmul, but no BLAS is needed: a kernel is
 *  compiled at the first call with a pair of dtypes and a kind of layout, and the same call gives
 *  the same bits. gpuarr_dot of gpuarr/reduce.h does not conjugate.
 *  @param[in,out] out  in: an array without axes, of the promoted dtype; or NULL, then it is
 *                      created
 *  @param         x    elements of any shape, conjugated if they are complex
 *  @param         y    as many elements, taken in C order if the shapes differ (GPUARR_ERR_SHAPE)
 *  Other parameters as gpuarr_matmul, errors as gpuarr_dot.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_vdot(gpuarr_array** out, const gpuarr_array* x,
                                     const gpuarr_array* y, gpuarr_stream* GPUARR_NULLABLE stream);

/** Sum products along the last axis of both: np.inner. The result has the other axes of x, then
 *  those of y. If one has no axes, every element of the other is multiplied by it.
 *  @param  x  shape (..., k), or none
 *  @param  y  shape (..., k), or none
 *  Other parameters and errors as gpuarr_tensordot.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_inner(gpuarr_array** out, const gpuarr_array* x,
                                      const gpuarr_array* y, int32_t flags,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Multiply every element of one array by every element of another: np.outer.
 *  @param[in,out] out     as gpuarr_matmul; shape (size of x, size of y)
 *  @param         x       elements of any shape, taken in C order
 *  @param         y       likewise
 *  @param         stream  as gpuarr_matmul
 *  @return as gpuarr_elementwise_call
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_outer(gpuarr_array** out, const gpuarr_array* x,
                                      const gpuarr_array* y, gpuarr_stream* GPUARR_NULLABLE stream);

/** Kronecker product: replace each element of x by a block, y times the element: np.kron.
 *  @param[in,out] out     as gpuarr_matmul; each extent is the product of those of x and y
 *  @param         x       at most 16 axes; axes of extent 1 are put in front if y has more
 *  @param         y       likewise
 *  @param         stream  as gpuarr_matmul
 *  @return as gpuarr_elementwise_call
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_kron(gpuarr_array** out, const gpuarr_array* x,
                                     const gpuarr_array* y, gpuarr_stream* GPUARR_NULLABLE stream);

/** Tensor contraction: sum products along pairs of axes: np.tensordot. The result has the remaining
 *  axes of x, then those of y.
 *
 *  It is a product of matrices, as by gpuarr_matmul: of views of the arrays if the axes that are
 *  joined can be one in memory, else of copies. Without pairs nothing is summed, and no BLAS is
 *  needed.
 *
 *  @param[in,out] out         as gpuarr_matmul. A created array has its axes in memory in the order
 *                             of the inputs' axes in memory
 *  @param         x           left operand
 *  @param         y           right operand
 *  @param         x_axes      for each pair its axis of @p x, from 0, or from the last as -1; NULL,
 *                             together with @p y_axes, for the last axes of @p x and the first of
 *                             @p y, each in their order
 *  @param         y_axes      for each pair its axis of @p y, of the same extent
 *  @param         axis_count  number of pairs
 *  @param         flags       0, or GPUARR_MATMUL_TF32
 *  @param         stream      as gpuarr_matmul
 *  @return as gpuarr_matmul, and GPUARR_ERR_AXIS; those of gpuarr_elementwise_call
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_tensordot(gpuarr_array** out, const gpuarr_array* x,
                                          const gpuarr_array* y,
                                          const int32_t* GPUARR_NULLABLE x_axes,
                                          const int32_t* GPUARR_NULLABLE y_axes, int32_t axis_count,
                                          int32_t flags, gpuarr_stream* GPUARR_NULLABLE stream);

/** Einstein summation of one or two operands, whose axes are named by letters: np.einsum.
 *
 *  "ij,jk->ik" is the product of matrices, "ij,ij->i" the dot product of each pair of rows, "ii->i"
 *  a diagonal, "ij->" the sum of all, "...i,...i" a product along the last axis. Letters that the
 *  result does not have are summed over. Without "->" the result has the axes of the ellipsis and
 *  then, in alphabetical order (capitals first), the letters that occur once. An extent of 1
 *  broadcasts along the other operand's axis of its letter. Sums along axes that only one operand
 *  has are computed first, then diagonals and products as by gpuarr_tensordot; bools are combined
 *  by "and" and "or".
 *
 *  @param[in,out] out         as gpuarr_tensordot; the dtype is the promoted one
 *  @param         subscripts  the letters of each operand's axes, with "," between two operands
 *  @param         x           the first operand
 *  @param         y           the second; NULL for none
 *  @param         flags       0, or GPUARR_MATMUL_TF32
 *  @param         stream      as gpuarr_matmul
 *  @return as gpuarr_tensordot and gpuarr_sum, and GPUARR_ERR_SYNTAX with the position
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_einsum(gpuarr_array** out, const char* subscripts,
                                       const gpuarr_array* x, const gpuarr_array* GPUARR_NULLABLE y,
                                       int32_t flags, gpuarr_stream* GPUARR_NULLABLE stream);

/** Raise square matrices to the power n, by repeated squaring: np.linalg.matrix_power.
 *  @param[in,out] out     as gpuarr_matmul; of the shape and dtype of @p x, created in its memory
 *                         order
 *  @param         x       matrices in its last two axes, of equal extents (GPUARR_ERR_SHAPE)
 *  @param         n       exponent; 0 gives the identity; if it is negative the inverse is raised
 *                         to -n, for integers in float64, and the call waits, as gpuarr_inv does
 *  @param         flags   0, or GPUARR_MATMUL_TF32
 *  @param         stream  as gpuarr_matmul
 *  @return as gpuarr_matmul and gpuarr_inv
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_matrix_power(gpuarr_array** out, const gpuarr_array* x, int64_t n,
                                             int32_t flags, gpuarr_stream* GPUARR_NULLABLE stream);

/** Sum the elements of a diagonal: np.trace. Dtypes are as for gpuarr_sum.
 *  @param[in,out] out     as gpuarr_sum; the shape is that of the other axes
 *  @param         x       the elements, of two axes or more
 *  @param         offset  diagonal: 0 is the main one, positive numbers are above it
 *  @param         axis1   axis of the diagonal's rows
 *  @param         axis2   axis of its columns, another one
 *  @param         stream  as gpuarr_sum
 *  @return as gpuarr_sum
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_trace(gpuarr_array** out, const gpuarr_array* x, int64_t offset,
                                      int32_t axis1, int32_t axis2,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute matrix norms. Dtypes are as for gpuarr_norm; a NaN makes the norm NaN.
 *  @param[in,out] out       as gpuarr_sum; the shape is that of the axes before the last two
 *  @param         x         matrices in its last two axes
 *  @param         ord       GPUARR_NORM_...; empty matrices are only allowed with GPUARR_NORM_FRO
 *                           and GPUARR_NORM_NUC (GPUARR_ERR_EMPTY). For norms from singular values
 *                           the call waits and has the errors of gpuarr_svdvals:
 *                           GPUARR_ERR_NOT_FINITE for NaN
 *  @param         keepdims  1 to keep the last two axes, with extent 1; 0 to drop them
 *  @param         stream    as gpuarr_sum
 *  @return as gpuarr_min
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_matrix_norm(gpuarr_array** out, const gpuarr_array* x, int32_t ord,
                                            int32_t keepdims,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
