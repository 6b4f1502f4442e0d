/** @file gpuarr/map_blocks.h  Call a function, a kernel or an expression for each block of blocked
 *  arrays.
 *
 *  A call is made once for each block of the first output, on the place that has it. Inputs give
 *  the block at the same location of their grid, as in Dask's map_blocks. Axes are matched from the
 *  last one, as in broadcasting; along each, an input has as many blocks as the output, or one,
 *  which then goes with all of them. The extents of blocks that go together must be equal, or 1;
 *  where one block goes with several it has extent 1 or is all of the axis (GPUARR_ERR_SHAPE).
 *  Blocks must be on the output's places, except those that go with several, which are fetched by
 *  those who lack them; otherwise the call fails with GPUARR_ERR_LAYOUT, and gpuarr_redistribute
 *  helps. Blocks without elements are left out.
 *
 *  An array that is not blocked can be an argument of kernels too: every block of this process gets
 *  it, so it must be on the device of its places.
 */
#ifndef GPUARR_MAP_BLOCKS_H
#define GPUARR_MAP_BLOCKS_H

#include "gpuarr/blocked.h"
#include "gpuarr/elementwise.h"
#include "gpuarr/function.h"
#include "gpuarr/raw.h"
#include "gpuarr/reduction.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A block that a function is called for. It lives as long as that call. */
typedef struct gpuarr_block gpuarr_block;

/** A function that works on one block. It may give any work to gpuarr_block_stream(), which is also
 *  the current stream of the block's device while it runs. It must not make collective calls.
 *  @param  block    which block, on which place
 *  @param  outputs  the outputs' blocks, borrowed
 *  @param  inputs   the inputs' blocks, borrowed
 *  @param  user     as given to gpuarr_map_blocks
 *  @return GPUARR_OK; with any other status the call that was made for all blocks fails, and has
 *          gpuarr_last_error() of this thread as cause */
typedef gpuarr_status (*gpuarr_block_fn)(const gpuarr_block* block, gpuarr_array* const* outputs,
                                         gpuarr_array* const* inputs, void* GPUARR_NULLABLE user);

/** Flags of gpuarr_map_blocks. */
enum {
  GPUARR_MAP_POSITION = 1, /**< extents are not compared: locations in the grids count alone */
  GPUARR_MAP_HALO = 2      /**< inputs have their ghost cells, as they are */
};

/** Call a function for each block of this process, by places, then by numbers of blocks.
 *  Collective.
 *  @param  function      called on this thread
 *  @param  user          passed to the function
 *  @param  outputs       arrays whose blocks it writes, with equal grids and places
 *  @param  output_count  number of @p outputs, at least 1
 *  @param  inputs        arrays whose blocks it reads; one may be an output too
 *  @param  input_count   number of @p inputs
 *  @param  flags         0, or a sum of GPUARR_MAP_...
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SHAPE, GPUARR_ERR_LAYOUT, the status of the
 *          function, GPUARR_ERR_PEER, GPUARR_ERR_TIMEOUT, GPUARR_ERR_MISMATCH,
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_map_blocks(gpuarr_block_fn function, void* GPUARR_NULLABLE user,
                                           gpuarr_blocked* const* outputs, int32_t output_count,
                                           gpuarr_blocked* const* GPUARR_NULLABLE inputs,
                                           int32_t input_count, int32_t flags);

/** Bring the ghost cells of the inputs up to date, then call a function for each block with them:
 *  stencils. Collective. Outputs have no ghost cells there, so nothing is trimmed: element (0, 0)
 *  of an output's block belongs to element (low[0], low[1]) of an input's, except at a boundary
 *  without ghost cells.
 *  Parameters and errors as gpuarr_map_blocks.
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_map_overlap(gpuarr_block_fn function, void* GPUARR_NULLABLE user,
                                            gpuarr_blocked* const* outputs, int32_t output_count,
                                            gpuarr_blocked* const* GPUARR_NULLABLE inputs,
                                            int32_t input_count);

/** Number of a block in the grid of the first output.
 *  @return -1 for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_block_number(const gpuarr_block* block);

/** Place that works on the block.
 *  @return -1 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_block_place(const gpuarr_block* block);

/** Location of a block along an axis of the grid, negative from the last.
 *  @return -1 for an axis that the first output has not, and for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_block_location(const gpuarr_block* block, int32_t axis);

/** First index of a block along an axis of the first output.
 *  @return -1 for an axis that it has not, and for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_block_start(const gpuarr_block* block, int32_t axis);

/** Index behind the last one of a block along an axis of the first output.
 *  @return -1 for an axis that it has not, and for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_block_stop(const gpuarr_block* block, int32_t axis);

/** Stream to work in, borrowed for the call.
 *  @return NULL for NULL
 *  @threadsafe */
GPUARR_API gpuarr_stream* gpuarr_block_stream(const gpuarr_block* block);

/** Arguments that stand for something else in each block's call; only functions of this header take
 *  them. */
enum {
  GPUARR_ARG_BLOCKED = 4,           /**< a blocked array's block */
  GPUARR_ARG_BLOCKED_HALO = 5,      /**< the same with its ghost cells */
  GPUARR_ARG_BLOCKED_VIEW = 6,      /**< the block as a gpuarr_view */
  GPUARR_ARG_BLOCKED_HALO_VIEW = 7, /**< the same with its ghost cells */
  GPUARR_ARG_BLOCK_START = 8,       /**< the block's first index along an axis, int64 */
  GPUARR_ARG_BLOCK_EXTENT = 9,      /**< its extent along an axis, int64 */
  GPUARR_ARG_BLOCK_SIZE = 10        /**< its number of elements, int64 */
};

/** Pass a blocked array: each call gets a block of it. It is borrowed: keep it alive until the call
 *  that gets the argument.
 *  @param  blocked  the array
 *  @param  kind     GPUARR_ARG_BLOCKED, ..._HALO, ..._VIEW or ..._HALO_VIEW. The last two are for
 *                   raw kernels (see gpuarr_arg_view); ghost cells are for raw kernels and for raw
 *                   parameters of elementwise ones
 *  @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_blocked(const gpuarr_blocked* blocked, int32_t kind);

/** Pass a number that says where a block is, as int64.
 *  @param  what  GPUARR_ARG_BLOCK_START, ..._EXTENT or ..._SIZE
 *  @param  axis  of the output whose blocks calls are made for, negative from the last; 0 for
 *                ..._SIZE
 *  @threadsafe */
GPUARR_API gpuarr_arg gpuarr_arg_block(int32_t what, int32_t axis);

/** Call an elementwise kernel for each block. Collective. The result is that of the undivided
 *  arrays, but i, n and _ind count within a block, and so does a raw array.
 *  @param  kernel        the kernel
 *  @param  outputs       an array for each output parameter, with equal grids and places
 *  @param  output_count  number of output parameters
 *  @param  inputs        an argument for each input parameter: blocked, an array, a scalar, or of
 *                        gpuarr_arg_block
 *  @param  input_count   number of input parameters
 *  @return what gpuarr_map_blocks and gpuarr_elementwise_call return
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_map_blocks_elementwise(gpuarr_elementwise* kernel,
                                                       gpuarr_blocked* const* outputs,
                                                       int32_t output_count,
                                                       const gpuarr_arg* GPUARR_NULLABLE inputs,
                                                       int32_t input_count);

/** Call a reduction kernel for each block: block by block, unlike gpuarr_blocked_reduction.
 *  Collective.
 *  @param  kernel        the kernel
 *  @param  outputs       an array for each output parameter, with as many axes as the inputs. Along
 *                        a reduced axis it has as many blocks as they have, each of extent 1
 *  @param  output_count  number of output parameters
 *  @param  inputs        as in gpuarr_map_blocks_elementwise
 *  @param  input_count   number of input parameters
 *  @param  axes          as in gpuarr_reduction_call
 *  @param  axis_count    as in gpuarr_reduction_call
 *  @return what gpuarr_map_blocks and gpuarr_reduction_call return
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_map_blocks_reduction(gpuarr_reduction* kernel,
                                                     gpuarr_blocked* const* outputs,
                                                     int32_t output_count, const gpuarr_arg* inputs,
                                                     int32_t input_count,
                                                     const int32_t* GPUARR_NULLABLE axes,
                                                     int32_t axis_count);

/** Launch a raw kernel for each block. Collective.
 *  @param  kernel     the kernel
 *  @param  over       the array for whose blocks it is launched; its blocks decide the grid
 *  @param  block      threads of a block along x, y and z; there are as many blocks of threads as
 *                     cover the last axis of @p over by x, the one before by y and the product of
 *                     all others by z; the first by x, and so on, where its order is
 *                     GPUARR_ORDER_F. NULL: one thread for each element, in one dimension, as
 *                     gpuarr_raw_launch_1d chooses
 *  @param  args       an argument for each parameter: blocked, an array, a scalar, a struct, or of
 *                     gpuarr_arg_block. Which arrays are written is not known: all but @p over must
 *                     go with it as inputs do
 *  @param  arg_count  number of @p args
 *  @return what gpuarr_map_blocks and gpuarr_raw_launch return
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_map_blocks_raw(gpuarr_raw* kernel, gpuarr_blocked* over,
                                               const int64_t* GPUARR_NULLABLE block,
                                               const gpuarr_arg* GPUARR_NULLABLE args,
                                               int32_t arg_count);

/** Compute an expression from its text for each block, as gpuarr_eval_all does: what it reduces or
 *  indexes, it does within a block. Collective.
 *  @param  outputs       an array for each result of the text, with equal grids and places
 *  @param  output_count  number of @p outputs
 *  @param  text          as in gpuarr_eval_all
 *  @param  names         as in gpuarr_eval_all
 *  @param  args          for each name a blocked array, an array, a scalar, or of gpuarr_arg_block
 *  @param  count         number of @p names and @p args
 *  @return what gpuarr_map_blocks and gpuarr_eval_all return
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_map_blocks_eval(gpuarr_blocked* const* outputs,
                                                int32_t output_count, const char* text,
                                                const char* const* GPUARR_NULLABLE names,
                                                const gpuarr_arg* GPUARR_NULLABLE args,
                                                int32_t count);

/** Call a function of expressions for each block, as gpuarr_map_blocks_eval computes a text.
 *  Collective.
 *  @param  function      the function
 *  @param  outputs       an array for each output, with equal grids and places
 *  @param  output_count  gpuarr_function_output_count()
 *  @param  inputs        one for each input, as gpuarr_map_blocks_eval takes them
 *  @param  input_count   gpuarr_function_input_count()
 *  @return what gpuarr_map_blocks and gpuarr_function_call return
 *  @externalsync the team */
GPUARR_API gpuarr_status gpuarr_map_blocks_function(const gpuarr_function* function,
                                                    gpuarr_blocked* const* outputs,
                                                    int32_t output_count,
                                                    const gpuarr_arg* GPUARR_NULLABLE inputs,
                                                    int32_t input_count);

#ifdef __cplusplus
}
#endif
#endif
