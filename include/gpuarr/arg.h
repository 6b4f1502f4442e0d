/** @file gpuarr/arg.h  An argument of a kernel: an array, or a scalar with its type. */
#ifndef GPUARR_ARG_H
#define GPUARR_ARG_H

#include "gpuarr/dtype.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An array of at most GPUARR_MAX_NDIM axes on one device, reference-counted. It describes memory
 *  by a shape and strides; several arrays may share the same memory, which lives as long as any of
 *  them. gpuarr.h says, under "Threads", what several threads may do with an array. See
 *  gpuarr/array.h. */
typedef struct gpuarr_array gpuarr_array;

/** An argument by value: 32 bytes, layout frozen. Create it with the functions below, or fill in
 *  the struct; unused bytes must be 0.
 *
 *  Where a scalar is converted to another dtype, that dtype must be able to hold it, or the call
 *  fails with GPUARR_ERR_DTYPE. Floats are rounded to nearest, but these are refused: a finite
 *  number that is out of range (except by gpuarr_equal and the other comparisons), a fraction or
 *  NaN for an integer, a complex number with an imaginary part for a real one, and anything but 0
 *  and 1 for a bool. */
typedef struct gpuarr_arg {
  const gpuarr_array* array; /**< an array, borrowed for the call; NULL for all else */
  int32_t dtype;             /**< the scalar's dtype; 0 for all else */
  int32_t flags;             /**< 0, or GPUARR_ARG_... */
  uint8_t value[16];         /**< the scalar, as its dtype lies in memory */
} gpuarr_arg;

/** Arguments that only raw kernels take. */
enum {
  GPUARR_ARG_VIEW = 1,   /**< array: as a gpuarr_view */
  GPUARR_ARG_BYTES = 2,  /**< value: address of a struct and its length, 8 bytes each */
  GPUARR_ARG_POINTER = 3 /**< value: an address in the device's memory, 8 bytes, or 0 */
};

/** Pass an array. It is borrowed: keep it alive until the call that gets the argument.
 *  @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_array(const gpuarr_array* array);

/** Pass an array to a raw kernel's parameter of type gpuarr_view<T, NDIM>, which has the pointer,
 *  the shape and the strides (in elements): x(i, j) is an element, x.shape()[d] an extent. It is
 *  borrowed as by gpuarr_arg_array. Kernels include <gpuarr.cuh> for the type: see
 *  gpuarr_module_create.
 *  @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_view(const gpuarr_array* array);

/** Pass a struct by value to a raw kernel, or any other type, as the bytes of its object.
 *  @param  data   the bytes: borrowed, read during the call that gets the argument
 *  @param  bytes  their number, which must be the parameter's size
 *  @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_bytes(const void* data, int64_t bytes);

/** Pass an address to a raw kernel's pointer parameter: NULL, or device memory that is not an array
 *  of this library. The caller keeps it valid and orders the work that uses it.
 *  @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_pointer(const void* GPUARR_NULLABLE pointer);

/** A bool: 0 is false, any other value true.
 *  @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_bool(int32_t value);

/** An 8-bit integer. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_i8(int8_t value);
/** A 16-bit integer. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_i16(int16_t value);
/** A 32-bit integer. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_i32(int32_t value);
/** A 64-bit integer. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_i64(int64_t value);
/** An unsigned 8-bit integer. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_u8(uint8_t value);
/** An unsigned 16-bit integer. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_u16(uint16_t value);
/** An unsigned 32-bit integer. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_u32(uint32_t value);
/** An unsigned 64-bit integer. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_u64(uint64_t value);
/** A binary16 float, rounded from @p value to nearest, ties to even. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_f16(float value);
/** A bfloat16, rounded from @p value to nearest, ties to even. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_bf16(float value);
/** A 32-bit float. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_f32(float value);
/** A 64-bit float. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_f64(double value);
/** A complex number of two 32-bit floats. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_c64(float real, float imaginary);
/** A complex number of two 64-bit floats. @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_c128(double real, double imaginary);

#ifdef __cplusplus
}
#endif
#endif
