/** @file gpuarr/blocked.h  Blocked arrays: a global shape divided into a grid of blocks, each of
 *  which is an ordinary array on one place of a team.
 *
 *  A grid divides each axis by itself, so that the blocks of a (1000, 300) array in chunks of (400,
 *  100) are 3 x 3, the last ones of axis 0 with 200 rows. Blocks are numbered in C order of their
 *  location in the grid. An array may have more blocks than there are places, or fewer.
 *
 *      gpuarr_blocked* x;
 *      int64_t shape[] = {1000, 300}, chunk[] = {400, 100};
 *      gpuarr_blocked_empty(&x, team, GPUARR_F32, 2, shape, chunk, NULL);
 */
#ifndef GPUARR_BLOCKED_H
#define GPUARR_BLOCKED_H

#include "gpuarr/array.h"
#include "gpuarr/team.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A blocked array, reference-counted. It keeps its team alive. */
typedef struct gpuarr_blocked gpuarr_blocked;

/** Where blocks lie and what surrounds them. Set what you need, create arrays, release them. */
typedef struct gpuarr_blocked_options gpuarr_blocked_options;

/** Which place has a block. */
enum {
  GPUARR_PLACEMENT_BALANCED = 1,  /**< runs of blocks in order, equally long; the default */
  GPUARR_PLACEMENT_CYCLIC = 2,    /**< block k on place k modulo the number of places */
  GPUARR_PLACEMENT_REPLICATED = 3 /**< all blocks on every place, which keep them equal */
};

/** What the ghost cells beyond the ends of an axis are. */
enum {
  GPUARR_BOUNDARY_NONE = 0,     /**< there are none */
  GPUARR_BOUNDARY_PERIODIC = 1, /**< elements of the other end */
  GPUARR_BOUNDARY_CONSTANT = 2, /**< a value */
  GPUARR_BOUNDARY_NEAREST = 3,  /**< the last element: a a | a b c | c c */
  GPUARR_BOUNDARY_REFLECT = 4   /**< backwards from the last element: b a | a b c | c b, as SciPy
                                     and Dask do; numpy.pad calls it symmetric */
};

/** Create empty options.
 *  @param[out] out  the options, owned by the caller; NULL on failure
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_blocked_options_create(gpuarr_blocked_options** out);

/** Release options. Arrays that were created with them are not affected.
 *  @externalsync @p options */
GPUARR_API void gpuarr_blocked_options_release(gpuarr_blocked_options* GPUARR_NULLABLE options);

/** Set which place has a block, by a rule.
 *  @param  options    the options
 *  @param  placement  GPUARR_PLACEMENT_BALANCED, ..._CYCLIC or ..._REPLICATED
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_blocked_options_set_placement(gpuarr_blocked_options* options,
                                                              int32_t placement);

/** Set which place has a block, one by one.
 *  @param  options  the options
 *  @param  owners   for each block the number of a place, copied
 *  @param  count    number of blocks, which the arrays must have that are created with it
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_blocked_options_set_owners(gpuarr_blocked_options* options,
                                                           const int32_t* owners, int64_t count);

/** Set how many ghost cells surround each block. They are copies of the neighbours' elements, which
 *  gpuarr_halo_exchange brings up to date.
 *  @param  options   the options
 *  @param  ndim      number of axes, which the arrays must have that are created with it
 *  @param  low       for each axis the cells before a block, 0 to 2^40
 *  @param  high      for each axis the cells behind a block, 0 to 2^40
 *  @param  boundary  for each axis GPUARR_BOUNDARY_...; NULL for NONE. PERIODIC and REFLECT need an
 *                    axis of at least as many elements as there are cells
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_blocked_options_set_halo(gpuarr_blocked_options* options,
                                                         int32_t ndim, const int64_t* low,
                                                         const int64_t* high,
                                                         const int32_t* GPUARR_NULLABLE boundary);

/** Set the value of ghost cells beyond a boundary that is GPUARR_BOUNDARY_CONSTANT; 0 unless set.
 *  @param  options  the options
 *  @param  value    a scalar that the array's dtype can hold
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_blocked_options_set_fill(gpuarr_blocked_options* options,
                                                         gpuarr_arg value);

/** Set the memory order of each block.
 *  @param  options  the options
 *  @param  order    GPUARR_ORDER_C, the default, or GPUARR_ORDER_F
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @externalsync @p options */
GPUARR_API gpuarr_status gpuarr_blocked_options_set_order(gpuarr_blocked_options* options,
                                                          int32_t order);

/** Create a blocked array with uninitialized elements. Collective.
 *  @param[out] out      the array, owned by the caller; NULL on failure
 *  @param      team     whose places have the blocks
 *  @param      dtype    type of the elements
 *  @param      ndim     number of axes
 *  @param      shape    @p ndim extents of the whole
 *  @param      chunk    @p ndim extents of a block, the last of an axis maybe shorter; NULL divides
 *                       the first axis by the number of places
 *  @param      options  placement, halo, order; NULL for the defaults
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE (also: more than 2^24 blocks, or
 *          options for another number of axes or blocks), GPUARR_ERR_DTYPE,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT, GPUARR_ERR_MISMATCH
 *  @externalsync @p team */
GPUARR_API gpuarr_status
gpuarr_blocked_empty(gpuarr_blocked** out, gpuarr_team* team, gpuarr_dtype dtype, int32_t ndim,
                     const int64_t* GPUARR_NULLABLE shape, const int64_t* GPUARR_NULLABLE chunk,
                     const gpuarr_blocked_options* GPUARR_NULLABLE options);

/** Create a blocked array with the same blocks, places and halo as another one. Collective.
 *  @param[out] out    the array, uninitialized, owned by the caller; NULL on failure
 *  @param      like   the other one
 *  @param      dtype  type of the elements; 0 for the same
 *  @return as gpuarr_blocked_empty
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_empty_like(gpuarr_blocked** out, const gpuarr_blocked* like,
                                                   gpuarr_dtype dtype);

/** Make a blocked array of arrays that the places have already, without a copy. Collective.
 *  @param[out] out      the array, owned by the caller; NULL on failure
 *  @param      team     the team
 *  @param      arrays   one for each place of this process, its halo included: on the place's
 *                       device, in any layout. They share their memory with the blocked array,
 *                       which is in Fortran order if all of them are
 *  @param      count    number of @p arrays, gpuarr_team_local_count()
 *  @param      grid     for each axis the number of blocks; their product is the number of places.
 *                       Block k, in C order, is on place k; blocks beside each other have equal
 *                       extents
 *  @param      options  halo; NULL for none
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE (extents that make no grid),
 *          GPUARR_ERR_DTYPE (of different dtypes), GPUARR_ERR_DEVICE, GPUARR_ERR_PEER,
 *          GPUARR_ERR_TIMEOUT, GPUARR_ERR_MISMATCH; each on all places
 *  @externalsync @p team */
GPUARR_API gpuarr_status gpuarr_blocked_from_local(
    gpuarr_blocked** out, gpuarr_team* team, gpuarr_array* const* arrays, int32_t count,
    const int64_t* GPUARR_NULLABLE grid, const gpuarr_blocked_options* GPUARR_NULLABLE options);

/** Take another reference.
 *  @return @p blocked
 *  @threadsafe */
GPUARR_API gpuarr_blocked* gpuarr_blocked_retain(gpuarr_blocked* GPUARR_NULLABLE blocked);

/** Drop a reference. Not collective.
 *  @threadsafe */
GPUARR_API void gpuarr_blocked_release(gpuarr_blocked* GPUARR_NULLABLE blocked);

/** Type of the elements.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API gpuarr_dtype gpuarr_blocked_dtype(const gpuarr_blocked* blocked);

/** Number of axes.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_blocked_ndim(const gpuarr_blocked* blocked);

/** Extent of the whole along an axis, negative from the last.
 *  @return 0 for an axis that it has not, and for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_blocked_extent(const gpuarr_blocked* blocked, int32_t axis);

/** Number of blocks along an axis, negative from the last.
 *  @return 0 for an axis that it has not, and for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_blocked_count(const gpuarr_blocked* blocked, int32_t axis);

/** First index of a block along an axis of the whole.
 *  @return -1 for a block or axis that it has not, and for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_blocked_start(const gpuarr_blocked* blocked, int64_t block, int32_t axis);

/** Index behind the last one of a block along an axis of the whole.
 *  @return -1 for a block or axis that it has not, and for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_blocked_stop(const gpuarr_blocked* blocked, int64_t block, int32_t axis);

/** Place that has a block; the first place of this process where all have it.
 *  @return -1 for a block that it has not, and for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_blocked_owner(const gpuarr_blocked* blocked, int64_t block);

/** Number of blocks on places of this process.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_blocked_local_count(const gpuarr_blocked* blocked);

/** Number, in the grid, of a block on a place of this process.
 *  @param  blocked  the array
 *  @param  index    which one: 0 to gpuarr_blocked_local_count() - 1, by places, then by numbers
 *  @return -1 for one that it has not, and for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_blocked_local_number(const gpuarr_blocked* blocked, int64_t index);

/** Place of a block on a place of this process.
 *  @param  blocked  the array
 *  @param  index    as in gpuarr_blocked_local_number
 *  @return -1 for one that it has not, and for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_blocked_local_place(const gpuarr_blocked* blocked, int64_t index);

/** Get a block on a place of this process, as an ordinary array over the same memory. Work on it
 *  belongs in the place's stream (gpuarr_team_stream).
 *  @param[out] out      the array, owned by the caller; NULL on failure
 *  @param      blocked  the blocked array
 *  @param      index    as in gpuarr_blocked_local_number
 *  @param      halo     1 for the block with its ghost cells, 0 without
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_blocked_local(gpuarr_array** out, const gpuarr_blocked* blocked,
                                              int64_t index, int32_t halo);

/** Set all elements to a value. Collective, but nothing is sent.
 *  @param  blocked  the array
 *  @param  value    a scalar that the dtype can hold
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DTYPE, and on a GPU errors of compiling a
 *          kernel; GPUARR_ERR_PEER, GPUARR_ERR_MISMATCH
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_fill(gpuarr_blocked* blocked, gpuarr_arg value);

/** Set each element to start + step * k, where k is its index in C order of the whole. Collective,
 *  but nothing is sent.
 *  @param  blocked  the array, of a real dtype
 *  @param  start    a real number
 *  @param  step     a real number
 *  @return as gpuarr_blocked_fill
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_arange(gpuarr_blocked* blocked, gpuarr_arg start,
                                               gpuarr_arg step);

/** Copy all elements, or a part of them, from memory of the program. Collective; complete on
 *  return.
 *  @param  blocked  the array
 *  @param  start    for each axis the first index; NULL for 0
 *  @param  stop     for each axis the index behind the last; NULL for the extent
 *  @param  place    the place whose process has the memory; -1: all have it, with equal contents
 *  @param  data     the elements from @p start to @p stop, in C order; ignored, and may be NULL,
 *                   where another process has them
 *  @param  bytes    size of that memory
 *  @param  strides  for each axis the elements from one index of the memory to the next; NULL for C
 *                   order
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS (indices out of range), GPUARR_ERR_SHAPE
 *          (@p bytes are too few), GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT,
 *          GPUARR_ERR_MISMATCH, GPUARR_ERR_DRIVER
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_write(gpuarr_blocked* blocked,
                                              const int64_t* GPUARR_NULLABLE start,
                                              const int64_t* GPUARR_NULLABLE stop, int32_t place,
                                              const void* GPUARR_NULLABLE data, int64_t bytes,
                                              const int64_t* GPUARR_NULLABLE strides);

/** Copy all elements, or a part of them, to memory of the program. Collective; complete on return.
 *  @param[out] data     receives the elements; ignored, and may be NULL, where another process gets
 *                       them
 *  @param      bytes    size of that memory
 *  @param      strides  as in gpuarr_blocked_write
 *  @param      blocked  the array
 *  @param      start    as in gpuarr_blocked_write
 *  @param      stop     as in gpuarr_blocked_write
 *  @param      place    the place whose process gets them; -1: all do
 *  @return as gpuarr_blocked_write
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_read(void* GPUARR_NULLABLE data, int64_t bytes,
                                             const int64_t* GPUARR_NULLABLE strides,
                                             gpuarr_blocked* blocked,
                                             const int64_t* GPUARR_NULLABLE start,
                                             const int64_t* GPUARR_NULLABLE stop, int32_t place);

/** Copy all elements into other blocks, on other places: any grid to any grid. Collective.
 *  @param  target  of the same shape, dtype and team
 *  @param  source  another array
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT, GPUARR_ERR_MISMATCH,
 *          GPUARR_ERR_DRIVER
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_redistribute(gpuarr_blocked* target, gpuarr_blocked* source);

/** View a blocked array with its axes permuted: the same blocks on the same places, over the same
 *  memory. Nothing is sent.
 *  @param[out] out      the view, owned by the caller; NULL on failure
 *  @param      blocked  the array
 *  @param      count    number of axes in @p axes: the array's; 0 with @p axes NULL
 *  @param      axes     axis i of the view is axis axes[i] of the array, negative counts from the
 *                       last; NULL reverses the axes
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_AXIS
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_blocked_transpose(gpuarr_blocked** out, gpuarr_blocked* blocked,
                                                  int32_t count,
                                                  const int32_t* GPUARR_NULLABLE axes);

/** Bring the ghost cells of all blocks up to date, corners too. Collective. What was done before in
 *  the places' streams is what neighbours see.
 *  @param  blocked  the array; nothing happens if it has no halo
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_PEER,
 *          GPUARR_ERR_TIMEOUT, GPUARR_ERR_MISMATCH, GPUARR_ERR_DRIVER
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_halo_exchange(gpuarr_blocked* blocked);

/** Begin gpuarr_halo_exchange, and let the places' streams go on meanwhile: until
 *  gpuarr_halo_end, work may read the blocks, but neither write what neighbours are sent nor touch
 *  ghost cells. Collective.
 *  @param  blocked  the array
 *  @return as gpuarr_halo_exchange; GPUARR_ERR_ARGUMENT also where it was begun before
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_halo_begin(gpuarr_blocked* blocked);

/** End what gpuarr_halo_begin began: work that is given to the places' streams from now on sees the
 *  ghost cells. Collective.
 *  @param  blocked  the array
 *  @return as gpuarr_halo_exchange; GPUARR_ERR_ARGUMENT also where it was not begun
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_halo_end(gpuarr_blocked* blocked);

#ifdef __cplusplus
}
#endif
#endif
