/** @file gpuarr/interop.h  Exchange with other libraries, without a copy: arrays around their
 *  memory, DLPack, what `__cuda_array_interface__` asks for. */
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
  GPUARR_WRAP_READ_ONLY = 1 /**< no function of the library writes to the array, nor to its views */
};

/** Gives back wrapped memory; called with the @p user that the array was made with. It may run in
 *  any thread that releases an array, and must not throw. In a host function nothing can be waited
 *  for: do not release the last view of wrapped memory there. */
typedef void (*gpuarr_deleter)(void* user);

/** Make an array around memory that somebody else owns.
 *
 *  The memory must stay as it is until the deleter is called, or, where there is none, until the
 *  last view is released and its work is done. Work that others gave to a GPU with this memory is
 *  theirs to wait for: see gpuarr_stream_wait.
 *  @param[out] out      the array, owned by the caller; NULL on failure
 *  @param      device   where the memory is, or a GPU that can use it. The CPU takes any address of
 *                       the host; a GPU its own memory, managed and registered memory, and all of
 *                       the host's where it can read that
 *  @param      dtype    type of its elements
 *  @param      ndim     number of axes, 0 to GPUARR_MAX_NDIM
 *  @param      shape    @p ndim extents, each >= 0; may be NULL when @p ndim is 0
 *  @param      strides  @p ndim strides in elements, any of them negative or 0; NULL for C order
 *  @param      data     the element with all indices 0, aligned for @p dtype; may be NULL when
 *                       there are no elements
 *  @param      flags    0 or GPUARR_WRAP_READ_ONLY
 *  @param      deleter  called once, when the last view is released and all work that the library
 *                       was given with the memory is done, which that release waits for; also where
 *                       the GPU was lost meanwhile. Not called if this function fails
 *  @param      user     what @p deleter gets
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

/** Ask whether the library refuses to write to an array: a wrapped or imported one whose owner said
 *  so, or a view of one. To write, copy it.
 *  @return 1 or 0; 0 for NULL
 *  @threadsafe */
GPUARR_API int32_t gpuarr_array_is_read_only(const gpuarr_array* array);

/** Hand an array to another library as a DLPack tensor of version 1.0: the same memory, which stays
 *  for as long as the tensor does.
 *  @param[out] out       the tensor, owned by the caller until a consumer takes it; NULL on
 *                        failure. Its `deleter` gives it back, once, from any thread; memory is not
 *                        reused before work is done that @p consumer was given before that
 *  @param      array     any array; read-only ones say so in `flags`. Strides are never NULL, and
 *                        negative ones are passed on, which some libraries refuse
 *  @param      consumer  stream that will use the tensor; NULL for the current one of the array's
 *                        device. It waits for the work that the library was given with the array in
 *                        other streams. A borrowed one counts until it is released: keep it for as
 *                        long as the tensor where you can
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_DEVICE (@p consumer is of another one),
 *          GPUARR_ERR_OUT_OF_MEMORY, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_to_dlpack(struct DLManagedTensorVersioned** out,
                                                gpuarr_array* array,
                                                gpuarr_stream* GPUARR_NULLABLE consumer);

/** The same as the older struct without a version, for libraries that know no other.
 *
 *  It cannot say that an array is read-only; such arrays are refused with GPUARR_ERR_ARGUMENT.
 *  Parameters and errors as gpuarr_array_to_dlpack.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_to_dlpack_legacy(struct DLManagedTensor** out,
                                                       gpuarr_array* array,
                                                       gpuarr_stream* GPUARR_NULLABLE consumer);

/** Make an array of a DLPack tensor, around the same memory.
 *
 *  On success the array owns the tensor: its deleter is called as that of gpuarr_array_wrap. On any
 *  failure the tensor is still the caller's, untouched; of one of another major version nothing but
 *  the deleter may be used, so call that.
 *  @param[out] out       the array, owned by the caller; NULL on failure. It is read-only if the
 *                        tensor's `flags` say so
 *  @param      tensor    a tensor of version 1; its `strides` may be NULL for C order
 *  @param      device    where to use it: the CPU takes memory of the CPU, pinned and managed
 *                        memory, a GPU what gpuarr_array_wrap says; NULL for the device that the
 *                        tensor names
 *  @param      producer  stream of that device in which the tensor's elements are still computed:
 *                        the current stream waits for it; NULL if there is nothing to wait for, as
 *                        where the producer was told the current stream
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT (NULL, alignment), GPUARR_ERR_SHAPE, GPUARR_ERR_DTYPE (a
 *          type that arrays have not), GPUARR_ERR_DEVICE (a type of device that is none of ours, or
 *          not @p device), GPUARR_ERR_UNSUPPORTED (the version), GPUARR_ERR_NO_DEVICE,
 *          GPUARR_ERR_NO_DRIVER, GPUARR_ERR_DRIVER
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_from_dlpack(gpuarr_array** out,
                                                  struct DLManagedTensorVersioned* tensor,
                                                  gpuarr_device* GPUARR_NULLABLE device,
                                                  gpuarr_stream* GPUARR_NULLABLE producer);

/** The same of the older struct without a version. Parameters and errors as
 *  gpuarr_array_from_dlpack.
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_from_dlpack_legacy(gpuarr_array** out,
                                                         struct DLManagedTensor* tensor,
                                                         gpuarr_device* GPUARR_NULLABLE device,
                                                         gpuarr_stream* GPUARR_NULLABLE producer);

/** The elements' type as `__array_interface__` and `__cuda_array_interface__` spell it.
 *  @return "<f4", "|b1", "<c8", static. bfloat16, which NumPy has not, is "<V2", as the package
 *          ml_dtypes has it and PyTorch gives it: two bytes that NumPy itself does not look into.
 *          NULL for NULL
 *  @threadsafe */
GPUARR_API const char* gpuarr_array_typestr(const gpuarr_array* array);

/** Bytes of an element.
 *  @return 0 for NULL
 *  @threadsafe */
GPUARR_API int64_t gpuarr_array_itemsize(const gpuarr_array* array);

/** Strides of the axes in bytes, as those interfaces want them.
 *  @param[out] out    receives gpuarr_array_ndim values; may be NULL if there are none
 *  @param      array  the array
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_byte_strides(int64_t* GPUARR_NULLABLE out,
                                                   const gpuarr_array* array);

/** The stream in whose order an array's memory is: the one that the array was made in, or that
 *  waited for the producer of a DLPack tensor. Work that was given in other streams is not in it.
 *  What this returns keeps no handle of a borrowed stream in use; see gpuarr_stream_borrow.
 *  @param[out] out    the stream, owned by the caller; NULL on failure, and for memory that is in
 *                     no stream's order: of gpuarr_array_wrap, of a module's variable
 *  @param      array  the array
 *  @return GPUARR_OK, GPUARR_ERR_ARGUMENT, GPUARR_ERR_OUT_OF_MEMORY
 *  @threadsafe */
GPUARR_API gpuarr_status gpuarr_array_stream(gpuarr_stream** out, const gpuarr_array* array);

#ifdef __cplusplus
}
#endif
#endif
