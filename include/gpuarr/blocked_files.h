/** @file gpuarr/blocked_files.h  Blocked arrays in files: .npy, and Zarr, which has a file for each
 *  chunk.
 *
 *  Every process writes and reads its own blocks, so the files must be on a file system that all
 *  have. Zarr is written uncompressed, in version 2 or 3; blocks and chunks are the same there, and
 *  no two processes write to one file. Python reads both (numpy.load, zarr.open), Julia too.
 */
#ifndef GPUARR_BLOCKED_FILES_H
#define GPUARR_BLOCKED_FILES_H

#include "gpuarr/blocked.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Formats of files. */
enum {
  GPUARR_FILE_NPY = 1,  /**< NumPy's .npy, one file */
  GPUARR_FILE_ZARR = 2, /**< a Zarr array of version 2, a directory */
  GPUARR_FILE_ZARR3 = 3 /**< a Zarr array of version 3, a directory */
};

/** Save a blocked array. Collective. It is written under another name and renamed when all of it is
 *  on the disk, so that a failed call leaves an array that is there unchanged.
 *  @param  path     the file, or the directory of a Zarr array, UTF-8; an array there is replaced
 *  @param  blocked  the array. Its memory order is that of the file
 *  @param  format   GPUARR_FILE_NPY, ..._ZARR or ..._ZARR3; Zarr needs blocks of one extent along
 *                   each axis, but for the last (GPUARR_ERR_LAYOUT)
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_LAYOUT, GPUARR_ERR_DTYPE (bfloat16),
 *          GPUARR_ERR_IO, GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT,
 *          GPUARR_ERR_MISMATCH, GPUARR_ERR_DRIVER
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_save(const char* path, gpuarr_blocked* blocked,
                                             int32_t format);

/** Load a blocked array. Collective.
 *  @param[out] out      the array, owned by the caller; NULL on failure
 *  @param      team     whose places have the blocks
 *  @param      path     a .npy file, or the directory of a Zarr array
 *  @param      ndim     number of extents in @p chunk, the array's number of axes; 0 with NULL
 *  @param      chunk    extents of a block for each axis; NULL for the chunks of a Zarr array, and
 *                       for a .npy file as gpuarr_blocked_empty
 *  @param      options  placement, halo, order; NULL for the defaults and the file's order. Ghost
 *                       cells are not filled
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_IO, GPUARR_ERR_FORMAT, GPUARR_ERR_DTYPE,
 *          GPUARR_ERR_UNSUPPORTED (compressed chunks), GPUARR_ERR_SHAPE, GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT, GPUARR_ERR_MISMATCH, GPUARR_ERR_DRIVER
 *  @externalsync @p team */
GPUARR_API gpuarr_status gpuarr_blocked_load(gpuarr_blocked** out, gpuarr_team* team,
                                             const char* path, int32_t ndim,
                                             const int64_t* GPUARR_NULLABLE chunk,
                                             const gpuarr_blocked_options* GPUARR_NULLABLE options);

/** Create an array in a file, to be written in parts by gpuarr_blocked_save_part: for more data
 *  than there is memory. Collective; one process does it. Elements that are not written are 0.
 *  @param  team    the team
 *  @param  path    the file or directory; an array there is replaced
 *  @param  format  GPUARR_FILE_NPY, ..._ZARR or ..._ZARR3
 *  @param  dtype   type of the elements
 *  @param  ndim    number of axes
 *  @param  shape   @p ndim extents
 *  @param  chunk   @p ndim extents of a chunk of a Zarr array; ignored, and may be NULL, for .npy
 *  @return as gpuarr_blocked_save, and GPUARR_ERR_SHAPE
 *  @externalsync @p team */
GPUARR_API gpuarr_status gpuarr_file_create(gpuarr_team* team, const char* path, int32_t format,
                                            gpuarr_dtype dtype, int32_t ndim,
                                            const int64_t* GPUARR_NULLABLE shape,
                                            const int64_t* GPUARR_NULLABLE chunk);

/** Write a blocked array to a part of an array in a file. Collective.
 *  @param  path     a .npy file, or the directory of a Zarr array
 *  @param  blocked  the array, of the file's dtype
 *  @param  start    for each axis the index in the file of its first element; NULL for 0. In a Zarr
 *                   array each block must be whole chunks (GPUARR_ERR_LAYOUT)
 *  @return as gpuarr_blocked_save, and GPUARR_ERR_FORMAT, GPUARR_ERR_SHAPE
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_save_part(const char* path, gpuarr_blocked* blocked,
                                                  const int64_t* GPUARR_NULLABLE start);

/** Read a blocked array from a part of an array in a file. Collective.
 *  @param  blocked  the array to fill, of the file's dtype
 *  @param  path     a .npy file, or the directory of a Zarr array
 *  @param  start    for each axis the index in the file of its first element; NULL for 0
 *  @return as gpuarr_blocked_load
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_load_part(gpuarr_blocked* blocked, const char* path,
                                                  const int64_t* GPUARR_NULLABLE start);

#ifdef __cplusplus
}
#endif
#endif
