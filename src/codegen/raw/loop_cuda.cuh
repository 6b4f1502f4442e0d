// GPUARR_LOOP(i, n) { ... }: i is each of 0 ... n-1 in one thread of a one-dimensional launch. On a
// GPU neighbouring threads take neighbours, so that their accesses join.

#define GPUARR_LOOP(i, n)                                                              \
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x, gpuarr_n = (n); \
       i < gpuarr_n; i += (long long)gridDim.x * blockDim.x)
