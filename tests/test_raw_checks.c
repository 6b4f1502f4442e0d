/* What checks of raw kernels find on the CPU device, and what they leave alone. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "raws.h"

static gpuarr_device* device;

static const char* const faults =
    "__device__ int first; struct box { float* p; int n; };\n"
    "__device__ float table[256]; __device__ int unused = 3;\n"
    "extern \"C\" __global__ void copy(const float* x, float* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i <= n)\n"
    "    y[i] = __ldg(x + i);\n"
    "}\n"
    "extern \"C\" __global__ void at(float* y, long long k) {\n"
    "  if (threadIdx.x == 3) y[k] = 1;\n" /* line 10 */
    "}\n"
    "extern \"C\" __global__ void add_at(float* y, long long k) { atomicAdd(y + k, 1.0f); }\n"
    "extern \"C\" __global__ void load(float* y, const float* p) { y[0] = *p; }\n"
    "extern \"C\" __global__ void use(float* y, box b) { y[0] = b.p[b.n]; }\n"
    "extern \"C\" __global__ void tiles(float* y, int over) {\n"
    "  __shared__ float s[64];\n"
    "  __shared__ float u[64];\n"
    "  s[(int)threadIdx.x + over] = 1;\n" /* line 18 */
    "  u[threadIdx.x] = 2;\n"
    "  __syncthreads();\n"
    "  y[threadIdx.x] = s[threadIdx.x] + u[threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void dynamic(float* y) {\n"
    "  extern __shared__ float d[];\n"
    "  d[threadIdx.x] = 1;\n" /* line 25 */
    "  __syncthreads();\n"
    "  y[threadIdx.x] = d[threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void wide(float* y, int by) {\n"
    "  *(float4*)(y + by) = make_float4(1, 2, 3, 4);\n" /* line 30 */
    "}\n"
    "extern \"C\" __global__ void variable(float* y) {\n"
    "  table[threadIdx.x] = 1;\n" /* line 33 */
    "  y[threadIdx.x] = table[threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void through_table(float* y, const unsigned long long* rows) {\n"
    "  y[0] = ((const float*)rows[0])[3];\n"
    "}\n";

static gpuarr_module* checked(const char* text, int32_t checks) {
  gpuarr_kernel_options* options = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_check(options, checks));
  gpuarr_module* module = NULL;
  assert_ok(gpuarr_module_create(&module, text, options));
  gpuarr_kernel_options_release(options);
  return module;
}

static gpuarr_status run(gpuarr_module* module, const char* name, int64_t blocks, int64_t threads,
                         int64_t shared, const gpuarr_arg* args, int32_t count) {
  gpuarr_raw* kernel = kernel_of(module, name);
  const int64_t grid[3] = {blocks, 1, 1}, block[3] = {threads, 1, 1};
  gpuarr_status status = gpuarr_raw_launch(kernel, grid, block, shared, args, count, NULL);
  gpuarr_raw_release(kernel);
  return status == GPUARR_OK ? gpuarr_device_synchronize(device) : status;
}

#define RUN(name, blocks, threads, shared, ...)                           \
  run(module, name, blocks, threads, shared, (gpuarr_arg[]){__VA_ARGS__}, \
      (int32_t)(sizeof((gpuarr_arg[]){__VA_ARGS__}) / sizeof(gpuarr_arg)))

static gpuarr_module* module;

static void an_element_too_far_is_found(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 1000), *y = line(GPUARR_F32, 1024);
  gpuarr_arg a = gpuarr_arg_array(x), b = gpuarr_arg_array(y);
  assert_ok(RUN("copy", 4, 256, 0, a, b, gpuarr_arg_i32(999)));
  assert_status(RUN("copy", 4, 256, 0, a, b, gpuarr_arg_i32(1000)), GPUARR_ERR_FAULT);
  assert_message_has(
      "kernel \"copy\": illegal read of 4 bytes at x[1000] (args[0], float32, shape (1000,)): "
      "1 element behind its end, by block (3,0,0) thread (232,0,0) at source:6");
  assert_ok(RUN("copy", 4, 256, 0, a, b, gpuarr_arg_i32(999)));
  release_arrays((gpuarr_array*[]){x, y}, 2);
}

/* Also where the array takes up all of its blocks of the allocator. */
static void outside_is_found_whatever_the_size(void** state) {
  (void)state;
  for (int64_t n = 128; n <= 1 << 20; n *= 64) {
    gpuarr_array *y = line(GPUARR_F32, n), *z = line(GPUARR_F32, n);
    const int64_t places[] = {n, -1, n + 15, -2 * n, 100 * n};
    char part[64];
    assert_ok(RUN("at", 1, 32, 0, gpuarr_arg_array(y), gpuarr_arg_i64(n - 1)));
    for (int k = 0; k < 5; ++k) {
      gpuarr_arg at = gpuarr_arg_i64(places[k]);
      assert_status(RUN("at", 1, 32, 0, gpuarr_arg_array(y), at), GPUARR_ERR_FAULT);
      assert_message_has("kernel \"at\": illegal write of 4 bytes at ");
      snprintf(part, sizeof part,
               "y[%lld] (args[0], float32, shape (%lld,)): ", (long long)places[k], (long long)n);
      assert_message_has(part);
      assert_message_has("block (0,0,0) thread (3,0,0) at source:9");
      assert_status(RUN("add_at", 1, 1, 0, gpuarr_arg_array(y), at), GPUARR_ERR_FAULT);
      assert_message_has("illegal atomic operation on 4 bytes at ");
    }
    release_arrays((gpuarr_array*[]){y, z}, 2);
  }
}

static void pointers_are_followed_to_live_arrays_only(void** state) {
  (void)state;
  gpuarr_array *y = line(GPUARR_F32, 4), *other = ramp(GPUARR_F32, 100);
  struct {
    void* p;
    int32_t n;
  } box = {gpuarr_array_data(other), 99};
  gpuarr_arg out = gpuarr_arg_array(y);
  assert_ok(RUN("use", 1, 1, 0, out, gpuarr_arg_bytes(&box, sizeof box)));
  box.n = 100;
  assert_status(RUN("use", 1, 1, 0, out, gpuarr_arg_bytes(&box, sizeof box)), GPUARR_ERR_FAULT);
  assert_message_has("byte 400 of an array of 400 bytes that is not among the arguments");
  gpuarr_array_release(other);
  box.n = 3;
  assert_status(RUN("use", 1, 1, 0, out, gpuarr_arg_bytes(&box, sizeof box)), GPUARR_ERR_FAULT);
  assert_message_has("that was released");
  assert_status(RUN("load", 1, 1, 0, out, gpuarr_arg_pointer(box.p)), GPUARR_ERR_FAULT);
  assert_message_has("that was released");
  assert_status(RUN("load", 1, 1, 0, out, gpuarr_arg_pointer(NULL)), GPUARR_ERR_FAULT);
  assert_message_has(
      "kernel \"load\": illegal read of 4 bytes at NULL, by block (0,0,0) thread "
      "(0,0,0) at source:12");
  float mine = 7;
  assert_ok(RUN("load", 1, 1, 0, out, gpuarr_arg_pointer(&mine)));
  assert_values(y, 4, (double[]){7, 0, 0, 0});
  gpuarr_array_release(y);
}

static void shared_memory_and_variables_have_ends(void** state) {
  (void)state;
  gpuarr_array* y = line(GPUARR_F32, 1024);
  gpuarr_arg out = gpuarr_arg_array(y);
  assert_ok(RUN("tiles", 2, 64, 0, out, gpuarr_arg_i32(0)));
  assert_status(RUN("tiles", 2, 64, 0, out, gpuarr_arg_i32(1)), GPUARR_ERR_FAULT);
  assert_message_has(
      "illegal write of 4 bytes at s + 256 (shared, 256 bytes): 1 byte behind its "
      "end, by block (0,0,0) thread (63,0,0) at source:17");
  assert_status(RUN("tiles", 2, 64, 0, out, gpuarr_arg_i32(-1)), GPUARR_ERR_FAULT);
  assert_message_has("s - 4 (shared, 256 bytes)");
  assert_ok(RUN("dynamic", 2, 64, 256, out));
  assert_status(RUN("dynamic", 2, 64, 252, out), GPUARR_ERR_FAULT);
  assert_message_has(
      "dynamic shared memory + 252 (252 bytes): 1 byte behind its end, by block "
      "(0,0,0) thread (63,0,0) at source:24");
  assert_status(RUN("dynamic", 2, 64, 0, out), GPUARR_ERR_FAULT);
  assert_ok(RUN("variable", 1, 256, 0, out));
  assert_status(RUN("variable", 1, 257, 0, out), GPUARR_ERR_FAULT);
  assert_message_has(
      "table + 1024 (1024 bytes): 1 byte behind its end, by block (0,0,0) thread "
      "(256,0,0) at source:32");
  assert_ok(RUN("wide", 1, 1, 0, out, gpuarr_arg_i32(4)));
  assert_status(RUN("wide", 1, 1, 0, out, gpuarr_arg_i32(3)), GPUARR_ERR_FAULT);
  assert_message_has(
      "misaligned write of 16 bytes at y[3] (args[0], float32, shape (1024,)), by "
      "block (0,0,0) thread (0,0,0) at source:29");
  gpuarr_array_release(y);
}

static const char* const races =
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

static void races_in_a_block_are_found(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 512), *y = line(GPUARR_F32, 64), *k = line(GPUARR_I32, 64);
  gpuarr_arg a = gpuarr_arg_array(x), b = gpuarr_arg_array(y), c = gpuarr_arg_array(k);
  assert_ok(RUN("sum", 4, 128, 0, a, b, gpuarr_arg_i32(1)));
  assert_status(RUN("sum", 4, 128, 0, a, b, gpuarr_arg_i32(0)), GPUARR_ERR_RACE);
  assert_message_has("kernel \"sum\": race in shared memory: thread (");
  assert_message_has("of block (0,0,0) ");
  assert_message_has(" at source:8 what thread (");
  assert_message_has("without a barrier between");
  assert_ok(RUN("warp_sum", 1, 32, 0, a, b, gpuarr_arg_i32(1)));
  assert_status(RUN("warp_sum", 1, 32, 0, a, b, gpuarr_arg_i32(0)), GPUARR_ERR_RACE);
  assert_message_has("source:21");
  assert_ok(RUN("set", 1, 64, 0, c, gpuarr_arg_i32(0)));
  assert_status(RUN("set", 1, 64, 0, c, gpuarr_arg_i32(1)), GPUARR_ERR_RACE);
  assert_message_has(
      "race in global memory: thread (1,0,0) of block (0,0,0) writes y[0] (args[0], "
      "int32, shape (64,)) at source:26 what thread (0,0,0) of the same block wrote "
      "at source:26 without a barrier between");
  assert_status(RUN("shift", 1, 64, 0, c, gpuarr_arg_i32(64)), GPUARR_ERR_RACE);
  assert_message_has(" at source:30");
  release_arrays((gpuarr_array*[]){x, y, k}, 3);
}

static void races_between_blocks_are_found(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_I32, 64), *parts = line(GPUARR_I32, 64), *y = line(GPUARR_I32, 1);
  gpuarr_arg a = gpuarr_arg_array(x), b = gpuarr_arg_array(parts), c = gpuarr_arg_array(y);
  assert_status(RUN("set_by_blocks", 2, 1, 0, b), GPUARR_ERR_RACE);
  assert_message_has(
      "thread (0,0,0) of block (1,0,0) writes y[0] (args[0], int32, shape (64,)) at "
      "source:27 what thread (0,0,0) of block (0,0,0) wrote at source:27");
  assert_status(RUN("shift", 2, 1, 0, b, gpuarr_arg_i32(3)), GPUARR_ERR_RACE);
  assert_ok(RUN("last_block", 20, 32, 0, a, b, c, gpuarr_arg_i32(1)));
  assert_values(y, 1, (double[]){190});
  assert_status(RUN("last_block", 20, 32, 0, a, b, c, gpuarr_arg_i32(0)), GPUARR_ERR_RACE);
  assert_message_has("at source:42 what thread (0,0,0) of block (0,0,0) wrote at source:36");
  release_arrays((gpuarr_array*[]){x, parts, y}, 3);
}

static void atomic_operations_and_meetings_order(void** state) {
  (void)state;
  gpuarr_array *n = line(GPUARR_U32, 256), *d = line(GPUARR_F64, 1), *k = line(GPUARR_I32, 64);
  gpuarr_array* m = line(GPUARR_U32, 256);
  gpuarr_arg a = gpuarr_arg_array(n), b = gpuarr_arg_array(d), c = gpuarr_arg_array(k);
  assert_ok(RUN("count", 3, 128, 0, a));
  assert_ok(RUN("by_cas", 3, 64, 0, b));
  assert_values(d, 1, (double[]){192});
  assert_status(RUN("peek", 1, 64, 0, a, gpuarr_arg_array(m)), GPUARR_ERR_RACE);
  assert_message_has("source:62");
  assert_ok(RUN("lanes", 1, 32, 0, c));
  gpuarr_raw* grid = kernel_of(module, "grid");
  assert_ok(gpuarr_raw_set_attribute(grid, GPUARR_ATTRIBUTE_COOPERATIVE, 1));
  gpuarr_arg args[] = {c, gpuarr_arg_i32(2)};
  assert_ok(try_launch(grid, 2, 1, args, 2));
  gpuarr_raw_release(grid);
  release_arrays((gpuarr_array*[]){n, d, k, m}, 4);
}

static const char* const barriers =
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
    "}\n";

static void uneven_barriers_are_found(void** state) {
  (void)state;
  gpuarr_array* y = line(GPUARR_I32, 64);
  gpuarr_arg out = gpuarr_arg_array(y);
  assert_status(RUN("apart", 1, 64, 0, out), GPUARR_ERR_SYNC);
  assert_message_has(
      "kernel \"apart\": block (0,0,0): not all threads come to the same barrier: 16 threads wait "
      "at source:3 (thread (0,0,0) first), 48 threads wait at source:5 (thread (16,0,0) first)");
  assert_status(RUN("missed", 1, 64, 0, out), GPUARR_ERR_SYNC);
  assert_message_has(
      "16 threads wait at source:10 (thread (0,0,0) first), 48 threads came to the "
      "kernel's end without it (thread (16,0,0) first)");
  assert_ok(RUN("early", 1, 64, 0, out, gpuarr_arg_i32(40)));
  assert_status(RUN("stranger", 1, 32, 0, out), GPUARR_ERR_SYNC);
  assert_message_has("__shfl_sync() is called with the mask 0x000000ff by lane 8");
  assert_status(RUN("mixed", 1, 32, 0, out), GPUARR_ERR_SYNC);
  assert_message_has("wait at source:24");
  assert_message_has("waits at source:22");
  assert_ok(RUN("early", 1, 64, 0, out, gpuarr_arg_i32(64)));
  gpuarr_array_release(y);
}

static void* launch_many(void* kernel) {
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_create(&stream, device, 0));
  gpuarr_array* y = line(GPUARR_F32, 100);
  const int64_t one[3] = {1, 1, 1}, block[3] = {32, 1, 1};
  for (int k = 0; k < 50; ++k) {
    const int bad = k % 3 == 1;
    gpuarr_arg args[] = {gpuarr_arg_array(y), gpuarr_arg_i64(bad ? 100 + k : k)};
    gpuarr_status status = gpuarr_raw_launch(kernel, one, block, 0, args, 2, stream);
    if (status == GPUARR_OK) status = gpuarr_stream_synchronize(stream);
    assert_status(status, bad ? GPUARR_ERR_FAULT : GPUARR_OK);
  }
  gpuarr_array_release(y);
  gpuarr_stream_release(stream);
  return NULL;
}

static void threads_check_beside_each_other(void** state) {
  (void)state;
  gpuarr_raw* kernel = kernel_of(module, "at");
  pthread_t threads[4];
  for (int k = 0; k < 4; ++k)
    assert_int_equal(pthread_create(&threads[k], NULL, launch_many, kernel), 0);
  for (int k = 0; k < 4; ++k) assert_int_equal(pthread_join(threads[k], NULL), 0);
  gpuarr_raw_release(kernel);
}

static void the_environment_chooses_too(void** state) {
  (void)state;
  assert_int_equal(setenv("GPUARR_CHECK", "memory,sync", 1), 0);
  gpuarr_module* own = make_module(faults);
  assert_int_equal(unsetenv("GPUARR_CHECK"), 0);
  gpuarr_array* y = line(GPUARR_F32, 128);
  gpuarr_arg args[] = {gpuarr_arg_array(y), gpuarr_arg_i64(128)};
  assert_status(run(own, "at", 1, 32, 0, args, 2), GPUARR_ERR_FAULT);
  gpuarr_array_release(y);
  gpuarr_module_release(own);
}

static int check_faults(void** state) {
  (void)state;
  module = checked(faults, GPUARR_CHECK_MEMORY);
  return 0;
}
static int check_races(void** state) {
  (void)state;
  module = checked(races, GPUARR_CHECK_RACE | GPUARR_CHECK_MEMORY | GPUARR_CHECK_SYNC);
  return 0;
}
static int check_barriers(void** state) {
  (void)state;
  module = checked(barriers, GPUARR_CHECK_SYNC);
  return 0;
}
static int drop(void** state) {
  (void)state;
  gpuarr_module_release(module);
  return 0;
}

int main(void) {
  device = open_test_device();
  const char* compiler = getenv("GPUARR_CXX");
  if (!test_device_is_host() || (compiler != NULL && strstr(compiler, "clang") != NULL)) {
    puts("skipped: it is the CPU device with g++ that checks kernels so");
    return 77;
  }
  const struct CMUnitTest memory[] = {
      cmocka_unit_test(an_element_too_far_is_found),
      cmocka_unit_test(outside_is_found_whatever_the_size),
      cmocka_unit_test(pointers_are_followed_to_live_arrays_only),
      cmocka_unit_test(shared_memory_and_variables_have_ends),
      cmocka_unit_test(threads_check_beside_each_other),
      cmocka_unit_test(the_environment_chooses_too),
  };
  const struct CMUnitTest order[] = {
      cmocka_unit_test(races_in_a_block_are_found),
      cmocka_unit_test(races_between_blocks_are_found),
      cmocka_unit_test(atomic_operations_and_meetings_order),
  };
  const struct CMUnitTest sync[] = {cmocka_unit_test(uneven_barriers_are_found)};
  int failed = cmocka_run_group_tests(memory, check_faults, drop);
  failed += cmocka_run_group_tests(order, check_races, drop);
  failed += cmocka_run_group_tests(sync, check_barriers, drop);
  return finish_tests(failed);
}
