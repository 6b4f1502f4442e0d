/* Dynamic shared memory and barriers: a sum by a tree. The threads of a block add in pairs, then
 * pairs of pairs, until one sum is left. */
#include "example.h"

enum { COUNT = 1234567, THREADS = 256 };

/* The launch says how large `partial` is. The barriers keep a thread from reading what another one
 * has not written yet; all threads of a block have to come to each of them. */
static const char* const source =
    "__global__ void block_sums(const double* x, double* sums, int n) {\n"
    "  extern __shared__ double partial[];\n"
    "  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
    "  partial[t] = i < n ? x[i] : 0;\n"
    "  __syncthreads();\n"
    "  for (int half = blockDim.x / 2; half > 0; half /= 2) {\n"
    "    if (t < half) partial[t] += partial[t + half];\n"
    "    __syncthreads();\n"
    "  }\n"
    "  if (t == 0) sums[blockIdx.x] = partial[0];\n"
    "}\n";

static int blocks_for(int count) { return (count + THREADS - 1) / THREADS; }

int main(void) {
  static double x[COUNT];
  double wanted = 0, sum;
  for (int i = 0; i < COUNT; ++i) wanted += x[i] = i % 1000 - 100; /* integers: exact */

  gpuarr_device* device;
  gpuarr_raw* block_sums;
  gpuarr_array *from, *to;
  int64_t count = COUNT, room = blocks_for(COUNT);
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_raw_create(&block_sums, source, "block_sums", NULL, NULL));
  check(gpuarr_array_from_host(&from, device, GPUARR_F64, 1, &count, NULL, x, sizeof x, NULL));
  check(gpuarr_array_empty(&to, device, GPUARR_F64, 1, &room, GPUARR_ORDER_C, NULL));

  /* Each round leaves a sum for each block; launches in one stream run one after the other. */
  int rounds = 0;
  for (int left = COUNT; left > 1; left = blocks_for(left), ++rounds) {
    int64_t grid[] = {blocks_for(left), 1, 1}, block[] = {THREADS, 1, 1};
    gpuarr_arg args[] = {gpuarr_arg_array(from), gpuarr_arg_array(to), gpuarr_arg_i32(left)};
    check(gpuarr_raw_launch(block_sums, grid, block, THREADS * sizeof(double), args, 3, NULL));
    gpuarr_array* swap = from;
    from = to;
    to = swap;
  }

  gpuarr_array* first;
  check(gpuarr_array_select(&first, from, 0, 0));
  check(gpuarr_array_read(&sum, sizeof sum, NULL, first, NULL));
  expect(sum, wanted, 0, "sum", 0);
  printf("ok: the sum of %d numbers is %.0f, in %d rounds on %s\n", COUNT, sum, rounds,
         gpuarr_device_name(device));
  gpuarr_array_release(first);
  gpuarr_array_release(to);
  gpuarr_array_release(from);
  gpuarr_raw_release(block_sums);
  return 0;
}
