// Functions that kernels call and the program as well, so that the host can check the device: this
// file is read by the compilers of both, as CUDA C++ and as C.
#ifndef KERNELS_CUH
#define KERNELS_CUH

#ifndef __CUDACC__
#include <math.h>
#define __device__ static inline
#endif

__device__ int prime_factor_sum(int number) {
  int sum = 0;
  for (int divisor = 2; divisor * divisor <= number; ++divisor)
    for (; number % divisor == 0; number /= divisor) sum += divisor;
  return number > 1 ? sum + number : sum;
}

// How often z = z * z + c is computed until z is far away.
__device__ int mandelbrot_steps(double re, double im, int most) {
  double x = 0, y = 0;
  int steps = 0;
  while (steps < most && x * x + y * y <= 4) {
    const double next = x * x - y * y + re;
    y = 2 * x * y + im;
    x = next;
    ++steps;
  }
  return steps;
}

// What element (row, column) of a plate becomes; its edges stay as they are.
__device__ float heat_step(const float* plate, int row, int column, int rows, int columns,
                           float rate) {
  const float* at = plate + row * columns + column;
  if (row == 0 || column == 0 || row == rows - 1 || column == columns - 1) return *at;
  return *at + rate * (at[-columns] + at[columns] + at[-1] + at[1] - 4 * *at);
}

// The price of a call by Black and Scholes.
__device__ double call_price(double spot, double strike, double years, double rate,
                             double volatility) {
  const double spread = volatility * sqrt(years), today = strike * exp(-rate * years);
  const double a = log(spot / today) / spread + spread / 2, b = a - spread;
  return 0.5 * (spot * erfc(-a / sqrt(2.0)) - today * erfc(-b / sqrt(2.0)));
}

#endif
