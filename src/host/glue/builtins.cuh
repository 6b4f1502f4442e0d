// CUDA's built-in variables on the CPU. The environment before it has uint3 and dim3.

// Each thread that works on a launch has its own. Their address is never taken here: where a kernel
// is inlined in a loop over threads, they are registers.
static thread_local uint3 threadIdx = {0, 0, 0};
static thread_local uint3 blockIdx = {0, 0, 0};
static thread_local dim3 blockDim;
static thread_local dim3 gridDim;
constexpr int warpSize = 32;

namespace gpuarr_glue {

static thread_local unsigned char* dynamic_shared = nullptr;

inline void set_dimensions(const gpuarr_launch& launch) {
  blockDim.x = launch.block.x;
  blockDim.y = launch.block.y;
  blockDim.z = launch.block.z;
  gridDim.x = launch.grid.x;
  gridDim.y = launch.grid.y;
  gridDim.z = launch.grid.z;
}

// Blocks are numbered along x first.
inline void set_block(const gpuarr_launch& launch, long long number) {
  const unsigned long long row = (unsigned long long)number / launch.grid.x;
  blockIdx.x = (unsigned)((unsigned long long)number % launch.grid.x);
  blockIdx.y = (unsigned)(row % launch.grid.y);
  blockIdx.z = (unsigned)(row / launch.grid.y);
}

inline void next_block(const gpuarr_launch& launch) {
  if (++blockIdx.x < launch.grid.x) return;
  blockIdx.x = 0;
  if (++blockIdx.y < launch.grid.y) return;
  blockIdx.y = 0;
  ++blockIdx.z;
}

}  // namespace gpuarr_glue

// What `extern __shared__ T name[];` becomes: T* name = (T*)gpuarr_dynamic_shared();
inline void* gpuarr_dynamic_shared() {
  return __builtin_assume_aligned(gpuarr_glue::dynamic_shared, 128);
}
