/** @file gpuarr/scan.h  Scans: cumulative sums and the like along an axis, differences, and scans
 *  with your own operator. */
#ifndef GPUARR_SCAN_H
#define GPUARR_SCAN_H

#include "gpuarr/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Compute cumulative sums (prefix sums) along an axis.
 *
 *  Bools and signed integers give int64, unsigned integers uint64, and wrap around; other elements
 *  keep their dtype, and 16-bit floats are accumulated in float32 and each result is rounded once.
 *  Each function of this header compiles a kernel at the first call with a dtype and a kind of
 *  layout. Results are reproducible: how elements are grouped depends on shapes, layouts and the
 *  device only, so the same call on the same device gives the same bits, on the CPU with any number
 *  of threads.
 *
 *  @param[in,out] out        in: an array of the shape of @p x, of the results' dtype and on the
 *                            same device, which may be @p x; or NULL, then it is created in the
 *                            memory order of @p x and owned by the caller; on failure it stays NULL
 *  @param         x          the elements: any layout, any dtype, at least one axis
 *  @param         axis       the axis, from 0, or from the last as -1
 *  @param         exclusive  0: a result includes its own element; 1: only those before it, so that
 *                            the first is 0
 *  @param         stream     stream to work in; NULL for the current one of the array's device
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, exclusive, @p out is read-only), GPUARR_ERR_AXIS,
 *          GPUARR_ERR_DTYPE, GPUARR_ERR_SHAPE, GPUARR_ERR_DEVICE, GPUARR_ERR_OVERLAP (@p out has
 *          elements that share memory), GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_COMPILE,
 *          GPUARR_ERR_NO_COMPILER, GPUARR_ERR_LOAD, GPUARR_ERR_NO_LIBRARY, GPUARR_ERR_DRIVER,
 *          GPUARR_ERR_FORKED, GPUARR_ERR_UNSUPPORTED (long rows in a stream that is captured with
 *          the driver's own functions: capture with gpuarr_stream_begin_capture)
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_cumsum(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                       int32_t exclusive, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute cumulative products along an axis; the first exclusive one is 1.
 *  Dtypes, parameters and errors as gpuarr_cumsum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_cumprod(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                        int32_t exclusive, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute cumulative minima along an axis, of the elements' dtype; NaN from the first NaN on. The
 *  first exclusive one is the largest number of the dtype, or infinity. Complex numbers are in the
 *  order of gpuarr_less, and NaN if a part is.
 *  Parameters and errors as gpuarr_cumsum.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_cummin(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                       int32_t exclusive, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute cumulative maxima along an axis, otherwise as gpuarr_cummin.
 *  Parameters and errors as gpuarr_cummin.
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_cummax(gpuarr_array** out, const gpuarr_array* x, int32_t axis,
                                       int32_t exclusive, gpuarr_stream* GPUARR_NULLABLE stream);

/** Compute differences of neighbours along an axis, @p order times.
 *
 *  Results keep the dtype, and integers wrap around; for bools they tell whether neighbours differ.
 *  @param[in,out] out     in: an array of the dtype and device of @p x and of its shape, but
 *                         shorter by @p order along the axis (0 at least); it may overlap @p x; or
 *                         NULL, then it is created in the memory order of @p x and owned by the
 *                         caller; on failure it stays NULL
 *  @param         x       the elements: any layout, any dtype, one axis at least
 *  @param         order   how many times, 0 or more; 0 copies
 *  @param         axis    the axis, from 0, or from the last as -1
 *  @param         stream  stream to work in; NULL for the current one of the array's device
 *  @return as gpuarr_cumsum; GPUARR_ERR_ARGUMENT also for an @p order below 0
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_diff(gpuarr_array** out, const gpuarr_array* x, int32_t order,
                                     int32_t axis, gpuarr_stream* GPUARR_NULLABLE stream);

/** A scan with a user-written operator, reference-counted, immutable. It is compiled just in time,
 *  when it is first called with a combination of dtypes and layouts on any device, and kept in the
 *  cache. */
typedef struct gpuarr_scan gpuarr_scan;

/** Create a scan: along an axis, result k is post(reduce(map(x0), map(x1), ... map(xk))).
 *
 *  Parameter lists and texts are as in gpuarr_reduction_create, except that no parameter may be
 *  raw, and that i, _in_ind and _out_ind do not exist:
 *
 *  map     an expression that is evaluated for each element. It sees the inputs, and _J, the
 *          element's index along the axis.
 *  reduce  an expression of a and b, where a comes before b. It must be associative; it need not be
 *          commutative.
 *  post    statements, or an expression, that set the outputs from a, the scanned value.
 *
 *  All see scalars, and n, the number of elements along the axis. Scanned values have the first
 *  output's type, float32 if that is float16 or bfloat16, or the type set by
 *  gpuarr_kernel_options_set_reduce_type: any trivially copyable type of at most 64 bytes. Results
 *  are reproducible as those of gpuarr_cumsum.
 *
 *  @param[out] out         the scan, owned by the caller; NULL on failure
 *  @param      in_params   parameter list of the inputs, at least one
 *  @param      out_params  parameter list of the outputs, at least one
 *  @param      map         CUDA C++ expression, copied
 *  @param      reduce      CUDA C++ expression, copied
 *  @param      post        CUDA C++ statements, copied
 *  @param      identity    CUDA C++ expression: the first value of exclusive scans, copied; NULL
 *                          for none, then only inclusive scans are possible. It enters no other
 *                          result
 *  @param      options     build options; NULL for none. loop_prep and after_loop must not be set.
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_SYNTAX, GPUARR_ERR_TYPE. The texts are first
 *          compiled when the scan is called.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_scan_create(gpuarr_scan** out, const char* in_params,
                                            const char* out_params, const char* map,
                                            const char* reduce, const char* post,
                                            const char* GPUARR_NULLABLE identity,
                                            const gpuarr_kernel_options* GPUARR_NULLABLE options);

/** Take another reference.
 *  @return @p scan
 *  @threadsafe */
GPUARR_API gpuarr_scan* gpuarr_scan_retain(gpuarr_scan* GPUARR_NULLABLE scan);

/** Drop a reference.
 *  @threadsafe */
GPUARR_API void gpuarr_scan_release(gpuarr_scan* GPUARR_NULLABLE scan);

/** Scan arrays along an axis.
 *
 *  Inputs that are arrays, and given outputs, broadcast together by NumPy's rules to the shape of
 *  the results, which given outputs must have. Types are as in gpuarr_elementwise_call. An output
 *  may be an input; if it overlaps one at another address or with other strides the input is copied
 *  first.
 *
 *  @param         scan          the scan
 *  @param[in,out] outputs       an array for each output parameter; an entry that is NULL is
 *                               created in the memory order of the inputs and owned by the caller;
 *                               on failure it stays NULL
 *  @param         output_count  number of output parameters
 *  @param         inputs        an array or scalar for each input parameter; at least one array, or
 *                               a given output
 *  @param         input_count   number of input parameters
 *  @param         axis          the axis, from 0, or from the last as -1
 *  @param         exclusive     1: results do not include their own element, and the first is
 *                               post(identity)
 *  @param         stream        stream to work in; NULL for the current one of the arrays' device
 *  @return as gpuarr_cumsum; GPUARR_ERR_ARGUMENT also for counts, and for an exclusive scan without
 *          an identity; GPUARR_ERR_TYPE, GPUARR_ERR_BROADCAST; GPUARR_ERR_OVERLAP also for outputs
 *          that share memory with each other
 *  @threadsafe as far as the arrays allow */
GPUARR_API gpuarr_status gpuarr_scan_call(gpuarr_scan* scan, gpuarr_array** outputs,
                                          int32_t output_count, const gpuarr_arg* inputs,
                                          int32_t input_count, int32_t axis, int32_t exclusive,
                                          gpuarr_stream* GPUARR_NULLABLE stream);

/** Get the source that would be compiled for a call, without running it.
 *  @param[out] out  the source, NUL-terminated, valid until this thread's next call of this
 *                   function; NULL on failure
 *  Other parameters and errors as gpuarr_scan_call; outputs that are NULL stay NULL.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_scan_source(const char** out, gpuarr_scan* scan,
                                            gpuarr_array* const* outputs, int32_t output_count,
                                            const gpuarr_arg* inputs, int32_t input_count,
                                            int32_t axis, int32_t exclusive);

#ifdef __cplusplus
}
#endif
#endif
