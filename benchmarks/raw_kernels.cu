// The raw kernels that are measured: the library compiles this file at run time, on either device,
// and nvcc compiles what bench_raw.cu compares with.

extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void saxpy_strides(float a, const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    y[i] = a * x[i] + y[i];
}

// One of five arguments that does next to nothing: what a launch costs.
extern "C" __global__ void tiny(const float* x, const float* y, float* z, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" __global__ void prime_factor_sums(int first, int* sums, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int number = first + i, sum = 0;
  for (int divisor = 2; divisor * divisor <= number; ++divisor)
    for (; number % divisor == 0; number /= divisor) sum += divisor;
  sums[i] = number > 1 ? sum + number : sum;
}

extern "C" __global__ void tree_sum(const float* x, float* sums, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

extern "C" __global__ void tiled_product(const float* a, const float* b, float* c, int n) {
  __shared__ float s[16][16], t[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    s[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += s[threadIdx.y][k] * t[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// 32 x 8 threads move a tile of 32 x 32.
extern "C" __global__ void tiled_transpose(const float* x, float* y, int rows, int columns) {
  __shared__ float tile[32][33];
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (column < columns && row + k < rows)
      tile[threadIdx.y + k][threadIdx.x] = x[(row + k) * columns + column];
  __syncthreads();
  column = blockIdx.y * 32 + threadIdx.x;
  row = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8)
    if (column < rows && row + k < columns)
      y[(row + k) * rows + column] = tile[threadIdx.x][threadIdx.y + k];
}

// In a function of its own, a barrier is not where the CPU device can cut a kernel in two: threads
// are fibers.
__device__ void wait() { __syncthreads(); }

extern "C" __global__ void barriers(float* x, int count) {
  for (int k = 0; k < count; ++k) {
    x[threadIdx.x] += 1;
    wait();
  }
}

extern "C" __global__ void accesses(const float* x, float* sums, int n, int rounds) {
  float sum = 0;
  for (int k = 0; k < rounds; ++k)
    for (int i = 0; i < n; ++i) sum += x[i] * k;
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
