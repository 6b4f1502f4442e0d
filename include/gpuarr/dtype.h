/** @file gpuarr/dtype.h  Types of array elements. */
#ifndef GPUARR_DTYPE_H
#define GPUARR_DTYPE_H

#include "gpuarr/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Type of an element. */
typedef int32_t gpuarr_dtype;

enum {
  GPUARR_BOOL = 1, /**< one byte, 0 or 1 */
  GPUARR_I8 = 2,
  GPUARR_I16 = 3,
  GPUARR_I32 = 4,
  GPUARR_I64 = 5,
  GPUARR_U8 = 6,
  GPUARR_U16 = 7,
  GPUARR_U32 = 8,
  GPUARR_U64 = 9,
  GPUARR_F16 = 10,  /**< half precision: IEEE binary16 */
  GPUARR_BF16 = 11, /**< the upper half of a binary32 */
  GPUARR_F32 = 12,
  GPUARR_F64 = 13,
  GPUARR_C64 = 14, /**< two f32: real, imaginary */
  GPUARR_C128 = 15 /**< two f64: real, imaginary */
};

/** Size of an element in bytes.
 *  @return 0 if @p dtype is not a dtype
 *  @threadsafe */
GPUARR_API int64_t gpuarr_dtype_size(gpuarr_dtype dtype);

/** Name of a dtype, as used in kernels' parameter lists.
 *  @return "float32", static; "unknown" if @p dtype is not a dtype
 *  @threadsafe */
GPUARR_API const char* gpuarr_dtype_name(gpuarr_dtype dtype);

/** Find a dtype by name: NumPy's ("float32", "complex64", "bool") or the short one ("f32", "c64").
 *  @param[out] out   the dtype; 0 on failure
 *  @param      name  NUL-terminated
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_TYPE
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_dtype_from_name(gpuarr_dtype* out, const char* name);

#ifdef __cplusplus
}
#endif
#endif
