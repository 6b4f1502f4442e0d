/** @file gpuarr/npy.h  NumPy's files: .npy, format versions 1.0, 2.0 and 3.0. */
#ifndef GPUARR_NPY_H
#define GPUARR_NPY_H

#include "gpuarr/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Load an array from a .npy file, in either memory order and either byte order. Format:
 *  https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 *  @param[out] out     the array, in the file's memory order, owned by the caller; NULL on failure
 *  @param      device  where it lives
 *  @param      path    the file, UTF-8, NUL-terminated
 *  @param      stream  stream of @p device; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_IO, GPUARR_ERR_FORMAT, GPUARR_ERR_DTYPE (a
 *          type that the library lacks), GPUARR_ERR_SHAPE, GPUARR_ERR_DEVICE,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_npy_load(gpuarr_array** out, gpuarr_device* device,
                                         const char* path, gpuarr_stream* GPUARR_NULLABLE stream);

/** Save an array to a .npy file. An array in Fortran order is saved in that order, any other in C
 *  order. It is written to a temporary file and renamed, so that a failed call leaves an existing
 *  file unchanged.
 *  @param  path    the file, UTF-8, NUL-terminated; an existing regular file is replaced and its
 *                  permissions are kept, a symbolic link is followed, anything else is
 *                  GPUARR_ERR_IO
 *  @param  array   the array; bfloat16, which NumPy lacks, is GPUARR_ERR_DTYPE
 *  @param  stream  stream to work in, after its earlier work; NULL for the current one
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_IO, GPUARR_ERR_DTYPE, GPUARR_ERR_DEVICE,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_npy_save(const char* path, const gpuarr_array* array,
                                         gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
