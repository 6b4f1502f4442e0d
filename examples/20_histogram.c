/* Atomics: a histogram of bytes. Each block counts in shared memory, which is near, and adds its
 * counts to those of all at the end. */
#include "example.h"

enum { COUNT = 10000000, BINS = 256, BLOCKS = 256, THREADS = 256 };

/* GPUARR_LOOP shares i = 0 ... n-1 among the threads of any grid: on a GPU neighbouring threads
 * take neighbouring elements, on the CPU a thread takes a stretch of them. */
static const char* const source =
    "#include <gpuarr.cuh>\n"
    "__global__ void histogram(const unsigned char* bytes, long long n, unsigned* counts) {\n"
    "  __shared__ unsigned mine[256];\n"
    "  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x) mine[bin] = 0;\n"
    "  __syncthreads();\n"
    "  GPUARR_LOOP(i, n) atomicAdd(&mine[bytes[i]], 1u);\n"
    "  __syncthreads();\n"
    "  for (int bin = threadIdx.x; bin < 256; bin += blockDim.x)\n"
    "    atomicAdd(&counts[bin], mine[bin]);\n"
    "}\n";

int main(void) {
  static uint8_t bytes[COUNT];
  uint32_t wanted[BINS] = {0}, counts[BINS], state = 1;
  for (int i = 0; i < COUNT; ++i) {
    state = 1664525u * state + 1013904223u;
    bytes[i] = (uint8_t)((state >> 24) * (state >> 16 & 255) >> 8);
    ++wanted[bytes[i]];
  }

  gpuarr_device* device;
  gpuarr_raw* histogram;
  gpuarr_array *bytes_array, *counts_array;
  int64_t shape[] = {COUNT}, bins[] = {BINS};
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_raw_create(&histogram, source, "histogram", NULL, NULL));
  check(gpuarr_array_from_host(&bytes_array, device, GPUARR_U8, 1, shape, NULL, bytes, sizeof bytes,
                               NULL));
  check(gpuarr_array_zeros(&counts_array, device, GPUARR_U32, 1, bins, GPUARR_ORDER_C, NULL));

  int64_t grid[] = {BLOCKS, 1, 1}, block[] = {THREADS, 1, 1};
  gpuarr_arg args[] = {gpuarr_arg_array(bytes_array), gpuarr_arg_i64(COUNT),
                       gpuarr_arg_array(counts_array)};
  check(gpuarr_raw_launch(histogram, grid, block, 0, args, 3, NULL));
  check(gpuarr_array_read(counts, sizeof counts, NULL, counts_array, NULL));
  for (int bin = 0; bin < BINS; ++bin) expect(counts[bin], wanted[bin], 0, "count", bin);

  printf("ok: %d bytes counted in %d bins by %d blocks on %s\n", COUNT, BINS, BLOCKS,
         gpuarr_device_name(device));
  gpuarr_array_release(counts_array);
  gpuarr_array_release(bytes_array);
  gpuarr_raw_release(histogram);
  return 0;
}
