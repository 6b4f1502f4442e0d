/** @file gpuarr/select.h  Selection by a boolean mask: take elements, find their indices, write to
 *  them. */
#ifndef GPUARR_SELECT_H
#define GPUARR_SELECT_H

#include "gpuarr/arg.h"
#include "gpuarr/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Take the elements that a mask selects (compaction), in C order of their indices: NumPy's
 *  x[mask].
 *
 *  Their number is only known afterwards: the call waits for the stream. A created result has one
 *  axis. If at least half of the elements are selected it is a view of memory for all of them, else
 *  it is copied into memory of its own size. Each function of this header compiles a kernel at the
 *  first call with an element size on a device.
 *
 *  @param[in,out] out     in: an array with one axis, as many elements as are selected, the dtype
 *                         and the device of @p x; it may overlap @p x; or NULL, then it is created
 *                         and owned by the caller; on failure it stays NULL
 *  @param         x       the elements: any shape, any layout (copied if it is not C order)
 *  @param         mask    bool, of the shape of @p x, on its device, likewise
 *  @param         stream  stream to work in; NULL for the current one of the array's device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, @p out is read-only), GPUARR_ERR_DTYPE,
 *          GPUARR_ERR_SHAPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP, GPUARR_ERR_OUT_OF_MEMORY,
 *          GPUARR_ERR_COMPILE, GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY,
 *          GPUARR_ERR_DRIVER, GPUARR_ERR_FORKED, GPUARR_ERR_UNSUPPORTED (in a stream that is being
 *          captured: capture gpuarr_select_into)
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_select(gpuarr_array** out, const gpuarr_array* x,
                                       const gpuarr_array* mask,
                                       gpuarr_stream* GPUARR_NULLABLE stream);

/** Take the elements that a mask selects into the front of an array, without waiting for their
 *  number, which stays on the device.
 *
 *  @param         out     array with one axis and no gaps, of the dtype and device of @p x;
 *                         selected elements beyond its end are dropped, and its elements after the
 *                         selected ones are not changed
 *  @param[in,out] count   the number of selected elements, including dropped ones. In: an int64
 *                         array with one element; or NULL, then it is created and owned by the
 *                         caller; on failure it stays NULL
 *  @param         x       as for gpuarr_select
 *  @param         mask    as for gpuarr_select
 *  @param         stream  stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_select; GPUARR_ERR_UNSUPPORTED only in a stream that is captured with the
 *          driver's own functions
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_select_into(gpuarr_array* out, gpuarr_array** count,
                                            const gpuarr_array* x, const gpuarr_array* mask,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the elements that are not 0: their indices in C order, as int64. NaN is not 0. The call
 *  waits, as gpuarr_select does.
 *  @param[out] out     the indices, with one axis, owned by the caller; NULL on failure
 *  @param      x       any shape, layout and dtype
 *  @param      stream  stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_select
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_flatnonzero(gpuarr_array** out, const gpuarr_array* x,
                                            gpuarr_stream* GPUARR_NULLABLE stream);

/** Find the elements that are not 0: their indices along each axis, in C order of the elements, as
 *  int64. The call waits, as gpuarr_select does.
 *  @param[out] indices  for each axis of @p x an array with one axis, owned by the caller; NULL on
 *                       failure, but unchanged if @p count is refused
 *  @param      count    number of entries of @p indices: the number of axes of @p x
 *  @param      x        any shape with an axis, any layout and dtype
 *  @param      stream   stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_select; GPUARR_ERR_ARGUMENT also for a wrong @p count
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_nonzero(gpuarr_array** indices, int32_t count,
                                        const gpuarr_array* x,
                                        gpuarr_stream* GPUARR_NULLABLE stream);

/** Write to the elements that a mask selects.
 *
 *  A scalar is written to all of them. Of an array, element k in C order is written to the k-th
 *  selected element in C order; if it has fewer elements they repeat, as with NumPy's place(). So
 *  the call does not need to wait for the number of selected elements.
 *
 *  @param  x       array to write to, any shape and layout
 *  @param  mask    bool, of the shape of @p x, on its device, any layout
 *  @param  values  a scalar that the dtype of @p x can hold (GPUARR_ERR_DTYPE); or an array on the
 *                  same device with at least one element, of any shape, which is converted as by
 *                  gpuarr_array_assign; it may overlap @p x
 *  @param  stream  stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_select; GPUARR_ERR_UNSUPPORTED only in a stream that is captured with the
 *          driver's own functions
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_place(gpuarr_array* x, const gpuarr_array* mask, gpuarr_arg values,
                                      gpuarr_stream* GPUARR_NULLABLE stream);

#ifdef __cplusplus
}
#endif
#endif
