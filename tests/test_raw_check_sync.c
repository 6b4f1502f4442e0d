/* Raw kernels whose threads do not all come to a barrier are found. */
#include "arrays.h"
#include "checks.h"
#include "raws.h"

static const char* const source =
    "extern \"C\" __global__ void apart(int* y) {\n"
    "  if (threadIdx.x < 16)\n"
    "    __syncthreads();\n" /* line 3 */
    "  else\n"
    "    __syncthreads();\n" /* line 5 */
    "  y[threadIdx.x] = 1;\n"
    "}\n"
    "extern \"C\" __global__ void missed(int* y) {\n"
    "  if (threadIdx.x < 16) {\n"
    "    __syncthreads();\n" /* line 10 */
    "    y[threadIdx.x] = 1;\n"
    "  }\n"
    "}\n"
    "extern \"C\" __global__ void early(int* y, int n) {\n"
    "  if (threadIdx.x >= n) return;\n"
    "  __syncthreads();\n"
    "  y[threadIdx.x] = 1;\n"
    "}\n"
    "extern \"C\" __global__ void stranger(int* y) { y[0] = __shfl_sync(0xff, 1, 0); }\n"
    "extern \"C\" __global__ void mixed(int* y) {\n"
    "  if (threadIdx.x == 1)\n"
    "    __syncthreads();\n" /* line 22 */
    "  else\n"
    "    y[threadIdx.x] = __shfl_sync(~0u, 1, 0);\n" /* line 24 */
    "  __syncthreads();\n"
    "}\n"
    "extern \"C\" __global__ void absent(int* y, unsigned mask, int by) {\n"
    "  if (mask >> threadIdx.x & 1)\n"
    "    y[threadIdx.x] = __shfl_down_sync(mask, 1, by);\n" /* line 29 */
    "}\n";

static gpuarr_module* module;

static void uneven_barriers_are_found(void** state) {
  (void)state;
  gpuarr_array* y = line(GPUARR_I32, 64);
  gpuarr_arg out = gpuarr_arg_array(y);
  assert_status(RUN(module, "apart", 1, 64, 0, out), GPUARR_ERR_SYNC);
  assert_message_has(
      "kernel \"apart\": block (0,0,0): not all threads come to the same barrier: 16 threads wait "
      "at source:3 (thread (0,0,0) first), 48 threads wait at source:5 (thread (16,0,0) first)");
  assert_status(RUN(module, "missed", 1, 64, 0, out), GPUARR_ERR_SYNC);
  assert_message_has(
      "16 threads wait at source:10 (thread (0,0,0) first), 48 threads came to the "
      "kernel's end without it (thread (16,0,0) first)");
  assert_ok(RUN(module, "early", 1, 64, 0, out, gpuarr_arg_i32(40)));
  assert_status(RUN(module, "stranger", 1, 32, 0, out), GPUARR_ERR_SYNC);
  assert_message_has("__shfl_sync() is called with the mask 0x000000ff by lane 8");
  assert_status(RUN(module, "mixed", 1, 32, 0, out), GPUARR_ERR_SYNC);
  assert_message_has("wait at source:24");
  assert_message_has("waits at source:22");
  assert_ok(RUN(module, "early", 1, 64, 0, out, gpuarr_arg_i32(64)));
  assert_status(RUN(module, "absent", 1, 32, 0, out, gpuarr_arg_u32(0xff), gpuarr_arg_i32(2)),
                GPUARR_ERR_SYNC);
  assert_message_has(
      "kernel \"absent\": __shfl_down_sync() with the mask 0x000000ff asks for the value of lane "
      "8, "
      "which does not take part, by block (0,0,0) thread (6,0,0), lane 6, in line 29");
  assert_ok(RUN(module, "absent", 1, 32, 0, out, gpuarr_arg_u32(~0U), gpuarr_arg_i32(2)));
  gpuarr_array_release(y);
}

int main(void) {
  skip_unless_the_cpu_checks();
  module = checked_module_of_all(source, GPUARR_CHECK_SYNC);
  const struct CMUnitTest tests[] = {cmocka_unit_test(uneven_barriers_are_found)};
  return finish_tests(cmocka_run_group_tests(tests, NULL, release_module_of_all));
}
