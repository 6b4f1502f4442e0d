/** @file gpuarr.h  libgpuarr: N-dimensional arrays and user-written kernels, on NVIDIA GPUs and on
 *  the CPU.
 *
 *  Write the body of a kernel as CUDA C++ text and call it with arrays. It is compiled just in time
 *  and runs on an NVIDIA GPU, or on the CPU of a machine without one:
 *
 *      gpuarr_device *device;
 *      gpuarr_elementwise *squared;
 *      gpuarr_array *x, *y, *z = NULL;
 *      int64_t shape[] = {1000};
 *      gpuarr_device_open(&device, NULL);
 *      gpuarr_elementwise_create(&squared, "T x, T y", "T z", "z = (x - y) * (x - y);", NULL);
 *      gpuarr_array_from_host(&x, device, GPUARR_F32, 1, shape, NULL, my_x, sizeof my_x, NULL);
 *      gpuarr_array_from_host(&y, device, GPUARR_F32, 1, shape, NULL, my_y, sizeof my_y, NULL);
 *      gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(y)};
 *      gpuarr_elementwise_call(squared, &z, 1, inputs, 2, GPUARR_NO_SIZE, NULL);
 *      gpuarr_array_read(my_z, sizeof my_z, NULL, z, NULL);
 *
 *  Kernels    elementwise.h, reduction.h and scan.h take expressions and statements; raw.h and
 *             module.h take whole __global__ functions, launched with a grid and a block.
 *  Errors     Every call that can fail returns a gpuarr_status; gpuarr_last_error() returns the
 *             message of the last failure on this thread. The library never aborts. Output
 *             parameters come first, and are NULL or 0 after a failure.
 *  Ownership  Objects are reference-counted: the caller releases what a call creates. Objects keep
 *             alive what they need, so the order of releases does not matter. Release accepts NULL,
 *             on any thread.
 *  Sizes      Shapes, strides and sizes are int64_t; strides count elements. Axes are numbered from
 *             0, or from the last as -1. Pointers marked GPUARR_NULLABLE may be NULL.
 *  Streams    Work in a stream runs in order; NULL means the calling thread's current stream. Calls
 *             return before their work is done, unless their comment says that they wait.
 *  Threads    @threadsafe: any thread may call it at any time. @threadsafe as far as the arrays
 *             allow: likewise, and calls that only read an array may run at the same time; work
 *             that writes an array's elements must be ordered with all other work on them, by using
 *             one stream, an event, or a synchronization. @externalsync X: no two calls on the same
 *             X at a time.
 *  Fork       A child process may use the CPU device; on GPUs its calls return GPUARR_ERR_FORKED.
 *  Stability  0.x: names and meanings may change between minor versions; CHANGELOG.md lists it.
 */
#ifndef GPUARR_H
#define GPUARR_H

#include "gpuarr/allocator.h"
#include "gpuarr/apply.h"
#include "gpuarr/arg.h"
#include "gpuarr/arithmetic.h"
#include "gpuarr/array.h"
#include "gpuarr/base.h"
#include "gpuarr/blocked.h"
#include "gpuarr/blocked_files.h"
#include "gpuarr/blocked_linalg.h"
#include "gpuarr/blocked_order.h"
#include "gpuarr/blocked_random.h"
#include "gpuarr/blocked_reduce.h"
#include "gpuarr/cache.h"
#include "gpuarr/decompose.h"
#include "gpuarr/device.h"
#include "gpuarr/dtype.h"
#include "gpuarr/elementwise.h"
#include "gpuarr/eval.h"
#include "gpuarr/expr.h"
#include "gpuarr/function.h"
#include "gpuarr/graph.h"
#include "gpuarr/gufunc.h"
#include "gpuarr/index.h"
#include "gpuarr/interop.h"
#include "gpuarr/join.h"
#include "gpuarr/kernel.h"
#include "gpuarr/linalg.h"
#include "gpuarr/log.h"
#include "gpuarr/logic.h"
#include "gpuarr/map_blocks.h"
#include "gpuarr/math.h"
#include "gpuarr/memory.h"
#include "gpuarr/module.h"
#include "gpuarr/npy.h"
#include "gpuarr/objects.h"
#include "gpuarr/order.h"
#include "gpuarr/pinned.h"
#include "gpuarr/profile.h"
#include "gpuarr/random.h"
#include "gpuarr/raw.h"
#include "gpuarr/rearrange.h"
#include "gpuarr/reduce.h"
#include "gpuarr/reduction.h"
#include "gpuarr/scan.h"
#include "gpuarr/select.h"
#include "gpuarr/settings.h"
#include "gpuarr/solve.h"
#include "gpuarr/sort.h"
#include "gpuarr/special.h"
#include "gpuarr/stream.h"
#include "gpuarr/team.h"
#include "gpuarr/text.h"
#include "gpuarr/transfer.h"
#include "gpuarr/transport.h"
#include "gpuarr/view.h"

#endif
