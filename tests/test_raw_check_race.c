/* Raw kernels whose threads race are found, and what orders them is known. */
#include "arrays.h"
#include "checks.h"
#include "raws.h"

static const char* const source =
    "#include <cooperative_groups.h>\n"
    "extern \"C\" __global__ void sum(const float* x, float* y, int wait) {\n"
    "  __shared__ float s[128];\n"
    "  int t = threadIdx.x;\n"
    "  s[t] = x[blockIdx.x * 128 + t];\n"
    "  __syncthreads();\n"
    "  for (int h = 64; h > 0; h /= 2) {\n"
    "    if (t < h) s[t] += s[t + h];\n" /* line 8 */
    "    if (wait) __syncthreads();\n"
    "  }\n"
    "  if (t == 0) y[blockIdx.x] = s[0];\n"
    "}\n"
    "extern \"C\" __global__ void warp_sum(const float* x, float* y, int wait) {\n"
    "  __shared__ float s[64];\n"
    "  int t = threadIdx.x;\n"
    "  s[t] = x[t];\n"
    "  __syncwarp();\n"
    "  for (int h = 16; h > 0; h /= 2) {\n"
    "    float v = s[t + h];\n"
    "    if (wait) __syncwarp();\n"
    "    s[t] = v + s[t];\n" /* line 21 */
    "    __syncwarp();\n"
    "  }\n"
    "  if (t == 0) y[0] = s[0];\n"
    "}\n"
    "extern \"C\" __global__ void set(int* y, int differ) { y[0] = differ * threadIdx.x; }\n"
    "extern \"C\" __global__ void set_by_blocks(int* y) { y[0] = blockIdx.x; }\n" /* 27 */
    "extern \"C\" __global__ void shift(int* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i + 1 < n) y[i] = y[i + 1];\n" /* line 30 */
    "}\n"
    "__device__ unsigned done;\n"
    "extern \"C\" __global__ void last_block(const int* x, int* parts, int* y, int fence) {\n"
    "  __shared__ bool last;\n"
    "  if (threadIdx.x == 0) {\n"
    "    parts[blockIdx.x] = x[blockIdx.x];\n" /* line 36 */
    "    if (fence) __threadfence();\n"
    "    last = atomicInc(&done, gridDim.x - 1) == gridDim.x - 1;\n"
    "  }\n"
    "  __syncthreads();\n"
    "  if (!last) return;\n"
    "  if (threadIdx.x < gridDim.x) atomicAdd(y, parts[threadIdx.x]);\n" /* line 42 */
    "}\n"
    "extern \"C\" __global__ void count(unsigned* y) {\n"
    "  __shared__ unsigned n;\n"
    "  if (threadIdx.x == 0) n = 0;\n"
    "  __syncthreads();\n"
    "  atomicAdd(&n, 1u);\n"
    "  __syncthreads();\n"
    "  if (threadIdx.x == 0) atomicAdd(y, n);\n"
    "}\n"
    "extern \"C\" __global__ void by_cas(double* y) {\n"
    "  unsigned long long* p = (unsigned long long*)y;\n"
    "  unsigned long long old = *p, seen;\n"
    "  do {\n"
    "    seen = old;\n"
    "    old = atomicCAS(p, seen, __double_as_longlong(1.0 + __longlong_as_double(seen)));\n"
    "  } while (seen != old);\n"
    "}\n"
    "extern \"C\" __global__ void peek(unsigned* y, unsigned* z) {\n"
    "  atomicAdd(y, 1u);\n"
    "  z[threadIdx.x] = y[0];\n" /* line 62 */
    "}\n"
    "extern \"C\" __global__ void lanes(int* y) {\n"
    "  __shared__ int s[32];\n"
    "  int lane = threadIdx.x;\n"
    "  if (lane < 16) {\n"
    "    s[lane] = lane;\n"
    "    __syncwarp(0xffff);\n"
    "    y[lane] = s[15 - lane];\n"
    "  }\n"
    "}\n"
    "extern \"C\" __global__ void grid(int* y, int n) {\n"
    "  y[blockIdx.x] = blockIdx.x;\n"
    "  cooperative_groups::this_grid().sync();\n"
    "  int next = y[(blockIdx.x + 1) % n];\n"
    "  cooperative_groups::this_grid().sync();\n"
    "  y[blockIdx.x] = next;\n"
    "}\n";

static gpuarr_module* module;

static void races_in_a_block_are_found(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 512), *y = line(GPUARR_F32, 64), *k = line(GPUARR_I32, 64);
  gpuarr_arg a = gpuarr_arg_array(x), b = gpuarr_arg_array(y), c = gpuarr_arg_array(k);
  assert_ok(RUN(module, "sum", 4, 128, 0, a, b, gpuarr_arg_i32(1)));
  assert_status(RUN(module, "sum", 4, 128, 0, a, b, gpuarr_arg_i32(0)), GPUARR_ERR_RACE);
  assert_message_has("kernel \"sum\": race in shared memory: thread (");
  assert_message_has("of block (0,0,0) ");
  assert_message_has(" at source:8 what thread (");
  assert_message_has("without a barrier between");
  assert_ok(RUN(module, "warp_sum", 1, 32, 0, a, b, gpuarr_arg_i32(1)));
  assert_status(RUN(module, "warp_sum", 1, 32, 0, a, b, gpuarr_arg_i32(0)), GPUARR_ERR_RACE);
  assert_message_has("source:21");
  assert_ok(RUN(module, "set", 1, 64, 0, c, gpuarr_arg_i32(0)));
  assert_status(RUN(module, "set", 1, 64, 0, c, gpuarr_arg_i32(1)), GPUARR_ERR_RACE);
  assert_message_has(
      "race in global memory: thread (1,0,0) of block (0,0,0) writes y[0] (args[0], "
      "int32, shape (64,)) at source:26 what thread (0,0,0) of the same block wrote "
      "at source:26 without a barrier between");
  assert_status(RUN(module, "shift", 1, 64, 0, c, gpuarr_arg_i32(64)), GPUARR_ERR_RACE);
  assert_message_has(" at source:30");
  release_arrays((gpuarr_array*[]){x, y, k}, 3);
}

static void races_between_blocks_are_found(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_I32, 64), *parts = line(GPUARR_I32, 64), *y = line(GPUARR_I32, 1);
  gpuarr_arg a = gpuarr_arg_array(x), b = gpuarr_arg_array(parts), c = gpuarr_arg_array(y);
  assert_status(RUN(module, "set_by_blocks", 2, 1, 0, b), GPUARR_ERR_RACE);
  assert_message_has(
      "thread (0,0,0) of block (1,0,0) writes y[0] (args[0], int32, shape (64,)) at "
      "source:27 what thread (0,0,0) of block (0,0,0) wrote at source:27");
  assert_status(RUN(module, "shift", 2, 1, 0, b, gpuarr_arg_i32(3)), GPUARR_ERR_RACE);
  assert_ok(RUN(module, "last_block", 20, 32, 0, a, b, c, gpuarr_arg_i32(1)));
  assert_values(y, 1, (double[]){190});
  assert_status(RUN(module, "last_block", 20, 32, 0, a, b, c, gpuarr_arg_i32(0)), GPUARR_ERR_RACE);
  assert_message_has("at source:42 what thread (0,0,0) of block (0,0,0) wrote at source:36");
  release_arrays((gpuarr_array*[]){x, parts, y}, 3);
}

static void atomic_operations_and_meetings_order(void** state) {
  (void)state;
  gpuarr_array *n = line(GPUARR_U32, 256), *d = line(GPUARR_F64, 1), *k = line(GPUARR_I32, 64);
  gpuarr_array* m = line(GPUARR_U32, 256);
  gpuarr_arg a = gpuarr_arg_array(n), b = gpuarr_arg_array(d), c = gpuarr_arg_array(k);
  assert_ok(RUN(module, "count", 3, 128, 0, a));
  assert_ok(RUN(module, "by_cas", 3, 64, 0, b));
  assert_values(d, 1, (double[]){192});
  assert_status(RUN(module, "peek", 1, 64, 0, a, gpuarr_arg_array(m)), GPUARR_ERR_RACE);
  assert_message_has("source:62");
  assert_ok(RUN(module, "lanes", 1, 32, 0, c));
  gpuarr_raw* grid = kernel_of(module, "grid");
  assert_ok(gpuarr_raw_set_attribute(grid, GPUARR_ATTRIBUTE_COOPERATIVE, 1));
  gpuarr_arg args[] = {c, gpuarr_arg_i32(2)};
  assert_ok(try_launch(grid, 2, 1, args, 2));
  gpuarr_raw_release(grid);
  release_arrays((gpuarr_array*[]){n, d, k, m}, 4);
}

int main(void) {
  skip_unless_the_cpu_checks();
  module =
      checked_module_of_all(source, GPUARR_CHECK_RACE | GPUARR_CHECK_MEMORY | GPUARR_CHECK_SYNC);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(races_in_a_block_are_found),
      cmocka_unit_test(races_between_blocks_are_found),
      cmocka_unit_test(atomic_operations_and_meetings_order),
  };
  return finish_tests(cmocka_run_group_tests(tests, NULL, release_module_of_all));
}
