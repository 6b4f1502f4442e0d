/** @file gpuarr/linalg.h  Products of matrices and vectors.
 *
 *  Floats and complex numbers are multiplied by cuBLAS on a GPU and by the system's BLAS on the
 *  CPU, such as OpenBLAS. Both are opened when they are first needed; where one is missing, the
 *  call fails with GPUARR_ERR_NO_LIBRARY and says what to install. Matrices of either memory order,
 *  and transposed views of them, are multiplied as they lie, without a copy.
 */
#ifndef GPUARR_LINALG_H
#define GPUARR_LINALG_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** How products are computed: flags to be added. */
enum {
  GPUARR_MATMUL_TF32 = 1 /**< float32 and complex64 may be rounded to 10 bits of fraction before
                              they are multiplied, where the GPU is faster for it */
};

/** Norms of matrices: what gpuarr_matrix_norm takes. */
enum {
  GPUARR_NORM_FRO = 0,       /**< root of the sum of the squares of all elements, of Frobenius */
  GPUARR_NORM_1 = 1,         /**< largest sum of absolute values of a column */
  GPUARR_NORM_MINUS_1 = -1,  /**< smallest of these */
  GPUARR_NORM_2 = 2,         /**< greatest singular value */
  GPUARR_NORM_MINUS_2 = -2,  /**< least singular value */
  GPUARR_NORM_NUC = 4,       /**< sum of the singular values */
  GPUARR_NORM_INF = 3,       /**< largest sum of absolute values of a row */
  GPUARR_NORM_MINUS_INF = -3 /**< smallest of these */
};

/** Multiply matrices, or stacks of them: x @ y in Python.
 *
 *  The last two axes are the matrices'; those before them broadcast together. An array of one axis
 *  is a row on the left and a column on the right, and that axis is not in the result: two vectors
 *  give an array without axes. Dtypes are promoted as NumPy promotes them. float16 and bfloat16 are
 *  added up as float32 and rounded once; integers wrap around in their own type; bool is true where
 *  any pair of elements is. Where there is nothing to add up, elements are 0.
 *
 *  A matrix lies as BLAS takes it where one of its two strides is 1 and the other is no smaller
 *  than the extent along the first, and strides of the stack are not negative; otherwise it is
 *  copied first. NaN and infinities go through as the library has it.
 *
 *  @param[in,out] out     in: an array of the result's shape, dtype and device, in any layout,
 *                         which may share memory with the inputs; or NULL, when it is made, and
 *                         owned by the caller: in Fortran order if x and y are matrices in Fortran
 *                         order, else in C order. NULL stays NULL on failure.
 *  @param         x       the left one, of any dtype: shape (..., m, k) or (k,)
 *  @param         y       the right one, of any dtype: shape (..., k, n) or (k,)
 *  @param         flags   0, or GPUARR_MATMUL_TF32
 *  @param         stream  stream to work in; NULL for the current one of the arrays' device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, flags), GPUARR_ERR_SHAPE, GPUARR_ERR_BROADCAST,
 *          GPUARR_ERR_DTYPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP (@p out with itself),
 *          GPUARR_ERR_NO_LIBRARY, GPUARR_ERR_UNSUPPORTED (an extent over 2^31 - 1 with a BLAS that
 *          counts with 32 bits; a stream that is captured with the driver's own functions),
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED, and for whole numbers
 *          GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_matmul(gpuarr_array** out, const gpuarr_array* x,
                                       const gpuarr_array* y, int32_t flags,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Add up conj(x) * y over all elements, to one result without axes: np.vdot.
 *
 *  Dtypes are promoted and added up as by gpuarr_matmul, but this needs no BLAS: it compiles when
 *  first called with a pair of dtypes and a kind of layout, and gives the same bits for the same
 *  call. gpuarr_dot of gpuarr/reduce.h does not conjugate.
 *  @param[in,out] out  in: an array without axes, of the promoted dtype; or NULL, when it is made
 *  @param         x    elements of any shape, conjugated if they are complex
 *  @param         y    as many elements, taken in C order if the shapes differ (GPUARR_ERR_SHAPE)
 *  Other parameters as gpuarr_matmul, errors as gpuarr_dot.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_vdot(gpuarr_array** out, const gpuarr_array* x,
                                     const gpuarr_array* y, gpuarr_stream* GPUARR_NULLABLE stream);

/** Add up products along the last axis of both: np.inner. The result has the other axes of x, then
 *  those of y. Where one has no axes, it is the product of every element with it.
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

/** Put a block, y times an element, in the place of each element of x: np.kron.
 *  @param[in,out] out     as gpuarr_matmul; each extent is the product of those of x and y
 *  @param         x       at most 16 axes; axes of extent 1 are put in front if y has more
 *  @param         y       likewise
 *  @param         stream  as gpuarr_matmul
 *  @return as gpuarr_elementwise_call
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_kron(gpuarr_array** out, const gpuarr_array* x,
                                     const gpuarr_array* y, gpuarr_stream* GPUARR_NULLABLE stream);

/** Add up products along pairs of axes: np.tensordot. The result has the axes of x that are left,
 *  then those of y.
 *
 *  It is a product of matrices, as by gpuarr_matmul, of views of the arrays where the axes that
 *  become one lie so, and else of copies. With no pairs nothing is added up, and no BLAS is needed.
 *
 *  @param[in,out] out         as gpuarr_matmul. An array that is made has its axes in the order of
 *                             the inputs' in memory.
 *  @param         x           the left one
 *  @param         y           the right one
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

/** Add up products along axes that are named by letters: np.einsum, of one or two operands.
 *
 *  "ij,jk->ik" is the product of matrices, "ij,ij->i" that of each row with its like, "ii->i" a
 *  diagonal, "ij->" the sum of all, "...i,...i" a product along the last axis. Letters that the
 *  result does not have are added up. Without "->" the result has the axes of the ellipsis and
 *  then, in the alphabet's order (capitals first), the letters that are there once. An extent of 1
 *  repeats along the other operand's axis of its letter. Sums along axes that only one operand has
 *  come first, then diagonals and products as by gpuarr_tensordot; bool is "or" of "and"s.
 *
 *  @param[in,out] out         as gpuarr_tensordot; the dtype is the promoted one
 *  @param         subscripts  the letters of each operand's axes, with "," between two operands
 *  @param         x           the first operand
 *  @param         y           the second; NULL for none
 *  @param         flags       0, or GPUARR_MATMUL_TF32
 *  @param         stream      as gpuarr_matmul
 *  @return as gpuarr_tensordot and gpuarr_sum, and GPUARR_ERR_SYNTAX, with the place
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_einsum(gpuarr_array** out, const char* subscripts,
                                       const gpuarr_array* x, const gpuarr_array* GPUARR_NULLABLE y,
                                       int32_t flags, gpuarr_stream* GPUARR_NULLABLE stream);

/** Multiply matrices by themselves n times: np.linalg.matrix_power, by repeated squaring.
 *  @param[in,out] out     as gpuarr_matmul; shape and dtype of @p x, whose memory order it gets
 *  @param         x       matrices in its last two axes, of equal extents (GPUARR_ERR_SHAPE)
 *  @param         n       how often; 0 gives the identity; below 0 the inverse is raised to -n, of
 *                         whole numbers in float64: the call waits then, as gpuarr_inv does
 *  @param         flags   0, or GPUARR_MATMUL_TF32
 *  @param         stream  as gpuarr_matmul
 *  @return as gpuarr_matmul and gpuarr_inv
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_matrix_power(gpuarr_array** out, const gpuarr_array* x, int64_t n,
                                             int32_t flags, gpuarr_stream* GPUARR_NULLABLE stream);

/** Add up the elements of a diagonal: np.trace. Dtypes are as for gpuarr_sum.
 *  @param[in,out] out     as gpuarr_sum; the shape is that of the other axes
 *  @param         x       the elements, of two axes or more
 *  @param         offset  which diagonal: 0 the main one, above it positive
 *  @param         axis1   axis of the diagonal's rows
 *  @param         axis2   axis of its columns, another one
 *  @param         stream  as gpuarr_sum
 *  @return as gpuarr_sum
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_trace(gpuarr_array** out, const gpuarr_array* x, int64_t offset,
                                      int32_t axis1, int32_t axis2,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute norms of matrices. Dtypes are as for gpuarr_norm; a NaN makes the norm NaN.
 *  @param[in,out] out       as gpuarr_sum; the shape is that of the axes before the last two
 *  @param         x         matrices in its last two axes
 *  @param         ord       GPUARR_NORM_...; no matrix may be empty with any but GPUARR_NORM_FRO
 *                           and GPUARR_NORM_NUC (GPUARR_ERR_EMPTY). For those by singular values
 *                           the call waits as gpuarr_svdvals, whose errors it has:
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
