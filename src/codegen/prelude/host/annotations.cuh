// CUDA's annotations on the host, where the same words may stand in system headers too.

#define __device__
#define __host__
#define __global__ inline __attribute__((always_inline))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__  // nothing: headers write __attribute__((__noinline__))
#define __inline_hint__
// The library writes to it by its address, so that it is never what it was initialised to.
#define __constant__ __attribute__((used))
#define __managed__ __attribute__((used))
#define __shared__ thread_local  // a worker runs one block at a time
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __block_size__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __nv_pure__
#define __device_builtin__
#define __builtin_assume(condition) ((condition) ? void() : __builtin_unreachable())
#define __assume(condition) __builtin_assume(condition)

// NVRTC and nvcc have it without an include.
#define NULL __null
