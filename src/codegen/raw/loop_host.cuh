// GPUARR_LOOP(i, n) { ... }: i is each of 0 ... n-1 in one thread of a one-dimensional launch. On
// the host a thread takes neighbours, so that the compiler vectorises the loop.

struct gpuarr_share {
  long long first, last;
};
inline gpuarr_share gpuarr_share_of(long long n, long long thread, long long threads) {
  const long long part = n > 0 ? n / threads : 0, more = n > 0 ? n % threads : 0;
  const long long first = thread * part + (thread < more ? thread : more);
  return {first, first + part + (thread < more)};
}

#define GPUARR_LOOP(i, n)                                                                     \
  for (long long gpuarr_n = (n), gpuarr_t = (long long)blockIdx.x * blockDim.x + threadIdx.x, \
                 gpuarr_s = (long long)gridDim.x * blockDim.x,                                \
                 i = gpuarr_share_of(gpuarr_n, gpuarr_t, gpuarr_s).first,                     \
                 gpuarr_e = gpuarr_share_of(gpuarr_n, gpuarr_t, gpuarr_s).last;               \
       i < gpuarr_e; ++i)
