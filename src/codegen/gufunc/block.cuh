// `group` where a block runs the body of a place.
namespace gpuarr_gufunc {

struct _block_group {
  static __device__ __forceinline__ int rank() { return threadIdx.x; }
  static __device__ __forceinline__ int size() { return blockDim.x; }
  static __device__ __forceinline__ void sync() { __syncthreads(); }

  // All threads get the result: first of each warp, then of the warps in order.
  template <class T, class Operator>
  static __device__ __forceinline__ T reduce(T value, Operator op) {
    __shared__ T of_warps[32];
    value = _warp_group::reduce(value, op);
    __syncthreads();  // what an earlier call left has been read
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    T all = of_warps[0];
    for (unsigned warp = 1; warp < blockDim.x / 32; ++warp) all = op(all, of_warps[warp]);
    return all;
  }
  template <class T>
  static __device__ __forceinline__ T sum(T value) {
    return reduce(value, [](T a, T b) -> T { return a + b; });
  }
};

}  // namespace gpuarr_gufunc
