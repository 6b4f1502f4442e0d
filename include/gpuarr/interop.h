/** @file gpuarr/interop.h  Zero-copy exchange with other libraries: arrays around their memory,
 *  DLPack, the values of `__cuda_array_interface__`. */
#ifndef GPUARR_INTEROP_H
#define GPUARR_INTEROP_H

#include "gpuarr/array.h"
#include "gpuarr/device.h"
#include "gpuarr/dtype.h"
#include "gpuarr/stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* DLPack's structs, as dlpack.h defines them; it may be included besides, in any order. */
struct DLManagedTensor;
struct DLManagedTensorVersioned;

/** Flags of gpuarr_array_wrap. */
enum {
  GPUARR_WRAP_READ_ONLY = 1 /**< the library refuses to write to the array and its views */
};

/** A function that frees wrapped memory; @p user is that of gpuarr_array_wrap. It runs on the
 *  thread that releases the last view, and must not throw. Do not release the last view of wrapped
 *  memory in a host function of a stream, where waiting is impossible. */
typedef void (*gpuarr_deleter)(void* user);

/** Create an array around memory that another library or the program owns.
 *
 *  The memory must stay valid until the deleter is called, or, without one, until the last view is
 *  released and its work is done. Before the library uses the memory, the caller must wait for
 *  other libraries' work on it: see gpuarr_stream_wait.
 *  @param[out] out      the array, owned by the caller; NULL on failure
 *  @param      device   where the memory is, or a GPU that can access it. The CPU accepts any host
 *                       address; a GPU its own memory, managed and registered memory, and any host
 *                       memory if it can access that
 *  @param      dtype    type of its elements
 *  @param      ndim     number of axes, 0 to GPUARR_MAX_NDIM
 *  @param      shape    @p ndim extents, each >= 0; may be NULL when @p ndim is 0
 *  @param      strides  @p ndim strides in elements, any of them negative or 0; NULL for C order
 *  @param      data     the element with all indices 0, aligned for @p dtype; may be NULL when
 *                       there are no elements
 *  @param      flags    0 or GPUARR_WRAP_READ_ONLY
 *  @param      deleter  called once, when the last view is released, after waiting for the
 *                       library's work on the memory; also if the GPU was lost. Not called if this
 *                       function fails
 *  @param      user     passed to @p deleter
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, alignment, flags), GPUARR_ERR_SHAPE,
 *          GPUARR_ERR_DTYPE, GPUARR_ERR_DEVICE (memory that the device cannot use),
 *          GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_wrap(gpuarr_array** out, gpuarr_device* device,
                                           gpuarr_dtype dtype, int32_t ndim,
                                           const int64_t* GPUARR_NULLABLE shape,
                                           const int64_t* GPUARR_NULLABLE strides,
                                           void* GPUARR_NULLABLE data, int32_t flags,
                                           gpuarr_deleter GPUARR_NULLABLE deleter,
                                           void* GPUARR_NULLABLE user);

/** Ask whether an array is read-only: wrapped or imported as such, or a view of such an array. To
 *  write to it, copy it.
 *  @return 1 or 0; 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_array_is_read_only(const gpuarr_array* array);

/** Export an array as a DLPack tensor of version 1.0, which shares its memory and keeps it alive.
 *  @param[out] out       the tensor, owned by the caller until a consumer takes it; NULL on
 *                        failure. Its `deleter` releases it, once, on any thread; the memory is not
 *                        reused before the work that @p consumer had by then is done
 *  @param      array     any array; `flags` tell whether it is read-only. Strides are never NULL;
 *                        negative ones are exported as they are, which some libraries refuse
 *  @param      consumer  stream that will use the tensor; NULL for the current one of the array's
 *                        device. It waits for the library's work on the array in other streams. A
 *                        borrowed stream is known until it is released: keep it as long as the
 *                        tensor if possible
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE (@p consumer belongs to another one),
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_to_dlpack(struct DLManagedTensorVersioned** out,
                                                gpuarr_array* array,
                                                gpuarr_stream* GPUARR_NULLABLE consumer);

/** Export an array as the older struct without a version, for libraries that only support that.
 *
 *  It cannot mark an array as read-only; such arrays are refused with GPUARR_ERR_ARGUMENT.
 *  Parameters and errors as gpuarr_array_to_dlpack.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_to_dlpack_legacy(struct DLManagedTensor** out,
                                                       gpuarr_array* array,
                                                       gpuarr_stream* GPUARR_NULLABLE consumer);

/** Import a DLPack tensor as an array around the same memory.
 *
 *  On success the array owns the tensor and calls its deleter as that of gpuarr_array_wrap. On
 *  failure the caller still owns the tensor, which is unchanged; of a tensor of another major
 *  version only the deleter may be used, so call that.
 *  @param[out] out       the array, owned by the caller; NULL on failure. Read-only if the tensor's
 *                        `flags` are
 *  @param      tensor    a tensor of version 1; its `strides` may be NULL for C order
 *  @param      device    where to use it: the CPU accepts CPU memory, pinned and managed memory, a
 *                        GPU what gpuarr_array_wrap accepts; NULL for the device that the tensor
 *                        names
 *  @param      producer  stream of that device in which the tensor's elements are computed: the
 *                        current stream waits for it; NULL if there is nothing to wait for, as when
 *                        the producer was given the current stream
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, alignment), GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE (a
 *          type that arrays do not have), GPUARR_ERR_DEVICE (an unsupported type of device, or not
 *          @p device), GPUARR_ERR_UNSUPPORTED (the version), GPUARR_ERR_NO_DEVICE,
 *          GPUARR_ERR_NO_DRIVER, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_from_dlpack(gpuarr_array** out,
                                                  struct DLManagedTensorVersioned* tensor,
                                                  gpuarr_device* GPUARR_NULLABLE device,
                                                  gpuarr_stream* GPUARR_NULLABLE producer);

/** Import the older struct without a version. Parameters and errors as gpuarr_array_from_dlpack.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_from_dlpack_legacy(gpuarr_array** out,
                                                         struct DLManagedTensor* tensor,
                                                         gpuarr_device* GPUARR_NULLABLE device,
                                                         gpuarr_stream* GPUARR_NULLABLE producer);

/** Type of the elements in the notation of `__array_interface__` and `__cuda_array_interface__`.
 *  @return "<f4", "|b1", "<c8", static; NULL for NULL. bfloat16, which NumPy lacks, is "<V2", two
 *          uninterpreted bytes, as in the package ml_dtypes and in PyTorch
 *  @threadsafe */
GPUARR_API const char* gpuarr_array_typestr(const gpuarr_array* array);

/** Size of an element in bytes.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_array_itemsize(const gpuarr_array* array);

/** Strides of the axes in bytes, as those interfaces need them.
 *  @param[out] out    receives gpuarr_array_ndim values; may be NULL if there are none
 *  @param      array  the array
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_byte_strides(int64_t* GPUARR_NULLABLE out,
                                                   const gpuarr_array* array);

/** Get the stream that an array's memory is ordered in: the stream in which the array was created,
 *  or that waited for the producer of a DLPack tensor. Work in other streams is not covered. The
 *  reference does not keep a borrowed stream's handle in use; see gpuarr_stream_borrow.
 *  @param[out] out    the stream, owned by the caller; NULL on failure, and for memory without a
 *                     stream: of gpuarr_array_wrap and of modules' variables
 *  @param      array  the array
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_stream(gpuarr_stream** out, const gpuarr_array* array);

#ifdef __cplusplus
}
#endif
#endif
