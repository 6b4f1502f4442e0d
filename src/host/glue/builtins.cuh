// CUDA's built-in variables on the CPU. The environment before it has uint3 and dim3.

// Where a kernel is inlined in a loop over threads, threadIdx has to be a register. GCC sees to
// that as long as nothing in the whole module takes its address, for which `++threadIdx.x` counts,
// and also that it makes one access of two itself: so the fields lie apart.
struct gpuarr_triple {
  alignas(16) unsigned x;
  alignas(16) unsigned y;
  alignas(16) unsigned z;
  inline __attribute__((always_inline)) operator uint3() const { return {x, y, z}; }
};
inline __attribute__((always_inline)) dim3::dim3(const gpuarr_triple& v) : x(v.x), y(v.y), z(v.z) {}

// Each thread that works on a launch has its own.
static thread_local gpuarr_triple threadIdx = {0, 0, 0};
static thread_local gpuarr_triple blockIdx = {0, 0, 0};
static thread_local gpuarr_triple blockDim = {1, 1, 1};
static thread_local gpuarr_triple gridDim = {1, 1, 1};
constexpr int warpSize = 32;

namespace gpuarr_glue {

static thread_local unsigned char* dynamic_shared = nullptr;

static thread_local const gpuarr_services* services = nullptr;

// The thread that runs, or none where threads are a loop.
static gpuarr_fiber none = {};
static thread_local gpuarr_fiber* self = &none;

inline __attribute__((always_inline)) void go_on_as(gpuarr_fiber* fiber) {
  self = fiber;
  threadIdx.x = fiber->index.x;
  threadIdx.y = fiber->index.y;
  threadIdx.z = fiber->index.z;
}

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
  blockIdx.x = blockIdx.x + 1;
  if (blockIdx.x < launch.grid.x) return;
  blockIdx.x = 0;
  blockIdx.y = blockIdx.y + 1;
  if (blockIdx.y < launch.grid.y) return;
  blockIdx.y = 0;
  blockIdx.z = blockIdx.z + 1;
}

// Of the running thread. In a row of several blocks, threadIdx.x goes on where a block ends.
inline gpuarr_dim this_block() {
  return {blockIdx.x + threadIdx.x / blockDim.x, blockIdx.y, blockIdx.z};
}
inline gpuarr_dim this_thread() { return {threadIdx.x % blockDim.x, threadIdx.y, threadIdx.z}; }

// Of the running thread, in its block.
inline unsigned thread_rank() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

}  // namespace gpuarr_glue

// What `extern __shared__ T name[];` becomes: T* name = (T*)gpuarr_dynamic_shared();
inline void* gpuarr_dynamic_shared() {
  return __builtin_assume_aligned(gpuarr_glue::dynamic_shared, 128);
}
