// The kernels of kernels.rs written by hand, with the same types: Rust's usize is size_t.
extern "C" __global__ void factor_sums(unsigned first, unsigned* sums, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned rest = first + (unsigned)i, sum = 0, factor = 2;
    while (factor * factor <= rest) {
      if (rest % factor == 0) {
        rest /= factor;
        sum += factor;
      } else {
        ++factor;
      }
    }
    sums[i] = rest > 1 ? sum + rest : sum;
  }
}

extern "C" __global__ void mandelbrot(size_t width, float scale, unsigned limit, unsigned* steps,
                                      size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = (float)(i % width) * scale - 2.0f, y = (float)(i / width) * scale - 1.0f;
  float re = 0, im = 0;
  unsigned count = 0;
  while (count < limit && re * re + im * im <= 4.0f) {
    const float next = re * re - im * im + x;
    im = 2.0f * re * im + y;
    re = next;
    ++count;
  }
  steps[i] = count;
}

extern "C" __global__ void heat(size_t rows, size_t columns, double rate, const double* old,
                                double* next) {
  const size_t column = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  const size_t row = (size_t)blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) {
    const size_t at = row * columns + column;
    next[at] = old[at];
    if (row > 0 && column > 0 && row + 1 < rows && column + 1 < columns) {
      const double around = old[at - 1] + old[at + 1] + old[at - columns] + old[at + columns];
      next[at] += rate * (around - 4.0 * old[at]);
    }
  }
}

__device__ inline double share_below(double x) {
  const double k = 1.0 / (1.0 + 0.2316419 * fabs(x));
  const double tail = 1.781477937 + k * (-1.821255978 + k * 1.330274429);
  const double sum = k * (0.319381530 + k * (-0.356563782 + k * tail));
  const double share = exp(-0.5 * x * x) / sqrt(6.283185307179586) * sum;
  return x < 0.0 ? share : 1.0 - share;
}

extern "C" __global__ void black_scholes(double rate, double volatility, const double* spot,
                                         const double* strike, const double* years, double* calls,
                                         double* puts, size_t n) {
  const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const double spread = volatility * sqrt(years[i]);
    const double value = strike[i] * exp(-rate * years[i]);
    const double d1 = log(spot[i] / value) / spread + 0.5 * spread, d2 = d1 - spread;
    calls[i] = spot[i] * share_below(d1) - value * share_below(d2);
    puts[i] = value * share_below(-d2) - spot[i] * share_below(-d1);
  }
}

extern "C" __global__ void product(size_t n, const float* a, const float* b, float* c) {
  constexpr size_t tile = 16;
  __shared__ float left[tile][tile], right[tile][tile];
  const size_t x = threadIdx.x, y = threadIdx.y;
  const size_t row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (size_t first = 0; first < n; first += tile) {
    left[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0.0f;
    right[y][x] = column < n && first + y < n ? b[(first + y) * n + column] : 0.0f;
    __syncthreads();
    for (size_t k = 0; k < tile; ++k) sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  if (row < n && column < n) c[row * n + column] = sum;
}

extern "C" __global__ void tree_sum(const unsigned long long* x, unsigned long long* sums,
                                    size_t n) {
  __shared__ unsigned long long parts[256];
  const size_t t = threadIdx.x, first = (size_t)blockIdx.x * blockDim.x + t;
  unsigned long long sum = 0;
  for (size_t i = first; i < n; i += (size_t)gridDim.x * blockDim.x) sum += x[i];
  parts[t] = sum;
  __syncthreads();
  for (size_t half = 128; half > 0; half /= 2) {
    if (t < half) parts[t] += parts[t + half];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = parts[0];
}
