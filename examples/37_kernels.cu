// Six kernels in a file of their own, which becomes a part of the program.
#include "37_kernels.cuh"

extern "C" __global__ void prime_factors(int* sums, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] = prime_factor_sum(i);
}

// Of a picture of `size` points in each direction, around 0.
extern "C" __global__ void mandelbrot(int* steps, int size) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size * size) return;
  const double re = -2.0 + 3.0 * (i % size) / size, im = -1.5 + 3.0 * (i / size) / size;
  steps[i] = mandelbrot_steps(re, im, 200);
}

extern "C" __global__ void heat(const float* now, float* next, int rows, int columns, float rate) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows * columns)
    next[i] = heat_step(now, i / columns, i % columns, rows, columns, rate);
}

extern "C" __global__ void black_scholes(const double* spot, const double* strike,
                                         const double* years, double* call, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) call[i] = call_price(spot[i], strike[i], years[i], 0.03, 0.25);
}

// c = a * b, of square matrices; each block makes a tile, of which its threads share the operands.
extern "C" __global__ void product(const float* a, const float* b, float* c, int n) {
  constexpr int tile = 16;
  __shared__ float a_tile[tile][tile], b_tile[tile][tile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int first = 0; first < n; first += tile) {
    a_tile[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;
    b_tile[y][x] = first + y < n && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += a_tile[y][k] * b_tile[k][x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

// A sum for each block of 256 threads: they add in pairs, then pairs of pairs.
extern "C" __global__ void tree_sum(const double* x, double* sums, int n) {
  __shared__ double partial[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  partial[t] = i < n ? x[i] : 0;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = partial[0];
}
