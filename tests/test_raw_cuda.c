/* CUDA C++ as people write it (support/everyday.cu): the same text gives the same answers on every
 * device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "raws.h"

static gpuarr_device* device;

enum { threads = 64, blocks = 3 };

static gpuarr_module* module;

static double* run(const char* name) {
  gpuarr_array* out = line(GPUARR_F64, threads * blocks);
  gpuarr_raw* kernel = kernel_of(module, name);
  gpuarr_arg arg = gpuarr_arg_array(out);
  launch(kernel, blocks, threads, &arg, 1);
  double* got = doubles_of(out);
  gpuarr_raw_release(kernel);
  gpuarr_array_release(out);
  return got;
}

typedef double reference(int t, int block);

static void assert_same(const char* name, reference* expected) {
  double* got = run(name);
  for (int k = 0; k < threads * blocks; ++k)
    if (got[k] != expected(k % threads, k / threads))
      fail_msg("%s: thread %d of block %d gave %.17g, expected %.17g", name, k % threads,
               k / threads, got[k], expected(k % threads, k / threads));
  free(got);
}

static double shuffles(int t, int block) {
  (void)block;
  int lane = t % 32, warp = t - lane;
#define V(k) ((warp + (k)) * (warp + (k)))
  int down = lane + 5 < 32 ? V(lane + 5) : V(lane), up = lane >= 3 ? V(lane - 3) : V(lane);
  int at = lane / 8 * 8 + lane / 2 % 8;
  return down + 2.0 * up + 3.0 * V(lane / 16 * 16 + (lane % 16 ^ 9)) + 5.0 * V(at) + V(7) + 0.5;
#undef V
}

static double votes(int t, int block) {
  (void)block;
  int same = 0;
  for (int k = 0; k < 32; ++k) same += (t / 32 * 32 + k) % 5 == t % 5;
  return 0xaaaa + (t / 32 == 1) * 3 + (t / 32 == 0) * 7 + same * 100;
}

static double counts(int t, int block) {
  (void)t, (void)block;
  return 22 + 100 + 1000;
}

static double early(int t, int block) {
  (void)block;
  return t >= 40 ? -1 : 39 - t;
}

static double groups(int t, int block) {
  int first = t / 16 * 16, sum = 0, most = 0;
  for (int k = first; k < first + 16; ++k) {
    sum += k;
    most = k * 37 % 64 > most ? k * 37 % 64 : most;
  }
  int next = t % 16 + 1 < 16 ? t % 16 + 1 : 15;
  return sum + 10000 * most + 1e6 * (t / 16) + 1e8 * block + next / 100.0;
}

static double halves(int t, int block) {
  (void)block;
  return t * 0.25 + 1.5 +
         (t * t > 2048 ? (double)(t * t / 2 * 2 + (t * t % 4 == 3 ? 2 : 0)) : t * t) + 4 + t * 0.5;
}

static double complexes(int t, int block) {
  (void)block;
  return t * t + 4 + 4;
}

static double vectors(int t, int block) {
  (void)block;
  return t + 3 + 4 - 1 + (250 + t) % 256 + 7 + 2;
}

static double language(int t, int block) {
  (void)block;
  static const int fibonacci[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  return fibonacci[t % 12] + 3 * t + 3 * (t + 1) + 6 + (t % 4 == 0 ? 1 : t % 4 == 1 ? 6 : 4);
}

static void every_thread_gets_what_it_should(void** state) {
  (void)state;
  assert_same("shuffles", shuffles);
  assert_same("votes", votes);
  assert_same("counts", counts);
  assert_same("early", early);
  assert_same("groups", groups);
  assert_same("complexes", complexes);
  assert_same("vectors", vectors);
  assert_same("language", language);
}

static void arithmetic_of_16_bits(void** state) {
  (void)state;
  double* got = run("halves");
  for (int t = 0; t < 40; ++t) assert_true(got[t] == halves(t, 0)); /* t * t is exact there */
  free(got);
}

static void atomics_lose_nothing(void** state) {
  (void)state;
  const int count = threads * blocks;
  gpuarr_raw* atomics = kernel_of(module, "atomics");
  launch(atomics, blocks, threads, NULL, 0);
  double* got = run("totals");
  const double expected[] = {count,     count,   count * 0.5, count * 0.25, -50,
                             count - 1, 0xfffff, count % 10,  count * 2};
  for (int k = 0; k < 9; ++k) assert_true(got[k] == expected[k]);
  free(got);
  gpuarr_raw_release(atomics);
}

static int bits_of(unsigned x) { return __builtin_popcount(x); }

static double intrinsics(int t, int block) {
  (void)block;
  int clz = t ? __builtin_clz((unsigned)t) : 32, reversed = 0;
  for (int k = 0; k < 8; ++k) reversed |= (t >> k & 1) << (7 - k);
  unsigned perm = (unsigned)(t & 0xff) << 24 | 0x123456;
  unsigned funnel = 3U << 5 | (unsigned)t >> 27;
  float part = (float)t * 0.1F;
  return bits_of((unsigned)t) + clz + __builtin_ffs(t) + reversed + (double)perm + funnel +
         t / 4.0F + (double)(part > 1 ? 1 : part) + (t < 20 ? t : 20) + (t > 30 ? t : 30) + t +
         3 * t;
}

/* floor(1000 / sqrt(t + 1)) may differ by one between devices where it is next to an integer. */
static void intrinsics_agree(void** state) {
  (void)state;
  double* got = run("intrinsics");
  for (int t = 0; t < threads; ++t) {
    double root = got[t] - intrinsics(t, 0), exact = 1000 / __builtin_sqrt(t + 1.0);
    assert_true(root > exact - 1.01 && root < exact + 0.01);
  }
  free(got);
}

static void a_grid_waits_for_itself(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(
      "#include <cooperative_groups.h>\n"
      "__global__ void rounds(int* x, int n) {\n"
      "  cooperative_groups::grid_group grid = cooperative_groups::this_grid();\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x, total = gridDim.x * blockDim.x;\n"
      "  for (int k = 0; k < n; ++k) {\n"
      "    int next = x[k * total + (i + 1) % total];\n"
      "    x[(k + 1) * total + i] = next + 1;\n"
      "    grid.sync();\n"
      "  }\n"
      "}\n",
      "rounds");
  assert_ok(gpuarr_raw_set_attribute(kernel, GPUARR_ATTRIBUTE_COOPERATIVE, 1));
  int64_t set = 0;
  assert_ok(gpuarr_raw_attribute(&set, kernel, GPUARR_ATTRIBUTE_COOPERATIVE, device));
  assert_int_equal(set, 1);
  gpuarr_array* x = line(GPUARR_I32, 128 * 6);
  gpuarr_array* first = NULL;
  assert_ok(gpuarr_array_slice(&first, x, 0, 0, 128, 1));
  gpuarr_array* ones = ramp(GPUARR_I32, 128);
  assert_ok(gpuarr_array_assign(first, ones, NULL));
  gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_i32(5)};
  launch(kernel, 4, 32, args, 2);
  double* got = doubles_of(x);
  for (int k = 0; k < 6; ++k)
    for (int i = 0; i < 128; ++i) assert_true(got[k * 128 + i] == (i + k) % 128 + k);
  free(got);
  gpuarr_raw_release(kernel);
  release_arrays((gpuarr_array*[]){x, first, ones}, 3);
}

static void blocks_form_clusters_where_they_can(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(
      "#include <cooperative_groups.h>\n"
      "__global__ void ranks(int* out) {\n"
      "  auto cluster = cooperative_groups::this_cluster();\n"
      "  if (threadIdx.x == 0) out[blockIdx.x] = cluster.num_blocks() * 10 + "
      "cluster.block_rank();\n"
      "}\n",
      "ranks");
  gpuarr_array* out = line(GPUARR_I32, 4);
  gpuarr_arg arg = gpuarr_arg_array(out);
  int64_t capability = 0;
  assert_ok(gpuarr_device_attribute(&capability, device, GPUARR_DEVICE_COMPUTE_CAPABILITY));
  assert_ok(gpuarr_raw_set_attribute(kernel, GPUARR_ATTRIBUTE_CLUSTER_X, 2));
  if (capability >= 90) {
    launch(kernel, 4, 32, &arg, 1);
    assert_values(out, 4, (double[]){20, 21, 20, 21});
    assert_status(try_launch(kernel, 3, 32, &arg, 1), GPUARR_ERR_ARGUMENT);
  } else {
    assert_status(try_launch(kernel, 4, 32, &arg, 1), GPUARR_ERR_UNSUPPORTED);
    assert_message_has("cluster");
  }
  gpuarr_raw_release(kernel);
  gpuarr_array_release(out);
}

static void integers_of_c_headers(void** state) {
  (void)state;
  gpuarr_array* out = line(GPUARR_F64, 1);
  gpuarr_raw* kernel = kernel_of(module, "lengths");
  gpuarr_arg args[] = {gpuarr_arg_u8(250), gpuarr_arg_i64(1LL << 40), gpuarr_arg_array(out)};
  launch(kernel, 1, 1, args, 3);
  assert_true(value_of(out) == 250 + 1099511627776.0);
  gpuarr_raw_release(kernel);
  gpuarr_array_release(out);
}

/* What comes out is the device's affair, but for the divisions that are none by zero. */
static void integers_divided_by_zero_harm_nobody(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(
      "template <class T> __device__ long long both(T x, T y) { return (x / y) ^ (x % y); }\n"
      "extern \"C\" __global__ void divide(const long long* x, const long long* y,\n"
      "                                  long long* z, int n) {\n"
      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i >= n) return;\n"
      "  z[i] = both<signed char>(x[i], y[i]) + both<unsigned char>(x[i], y[i])\n"
      "       + both<short>(x[i], y[i]) + both<unsigned short>(x[i], y[i])\n"
      "       + both<int>(x[i], y[i]) + both<unsigned>(x[i], y[i])\n"
      "       + both<long long>(x[i], y[i]) + both<unsigned long long>(x[i], y[i]);\n"
      "  if (x[i] == 5) z[i] = x[i] / (n - n);\n"
      "}\n",
      "divide");
  const int64_t x[] = {10, 7, 5, -1, INT64_MIN, INT32_MIN, INT16_MIN, INT8_MIN, 0, 100};
  const int64_t y[] = {3, 7, 0, 0, -1, -1, -1, -1, 0, 7};
  const int64_t shape[] = {10};
  int64_t z[10];
  gpuarr_array *a = from(GPUARR_I64, 1, shape, x), *b = from(GPUARR_I64, 1, shape, y),
               *c = line(GPUARR_I64, 10);
  gpuarr_arg args[] = {gpuarr_arg_array(a), gpuarr_arg_array(b), gpuarr_arg_array(c),
                       gpuarr_arg_i32(10)};
  launch(kernel, 1, 32, args, 4);
  assert_ok(gpuarr_array_read(z, sizeof z, NULL, c, NULL));
  assert_int_equal(z[0], 8 * (3 ^ 1));
  assert_int_equal(z[1], 8);
  assert_int_equal(z[9], 8 * (14 ^ 2));
  gpuarr_raw_release(kernel);
  release_arrays((gpuarr_array*[]){a, b, c}, 3);
}

/* The threads of a block turn its elements round by shared memory. */
static void shared_memory_is_static_and_dynamic(void** state) {
  (void)state;
  gpuarr_module* both = make_module(
      "__global__ void fixed(int* x) {\n"
      "  __shared__ int s[128];\n"
      "  s[threadIdx.x] = x[blockIdx.x * 128 + threadIdx.x];\n"
      "  __syncthreads();\n"
      "  x[blockIdx.x * 128 + threadIdx.x] = s[127 - threadIdx.x];\n"
      "}\n"
      "__global__ void dynamic(int* x, int n) {\n"
      "  extern __shared__ int s[];\n"
      "  for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = x[blockIdx.x * n + i];\n"
      "  __syncthreads();\n"
      "  for (int i = threadIdx.x; i < n; i += blockDim.x) x[blockIdx.x * n + i] = s[n - 1 - i];\n"
      "}\n");
  gpuarr_raw *fixed = kernel_of(both, "fixed"), *dynamic = kernel_of(both, "dynamic");
  gpuarr_array* x = ramp(GPUARR_I32, 50000);
  gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_i32(25000)};
  launch(fixed, 3, 128, args, 1);
  const int64_t grid[3] = {2, 1, 1}, block[3] = {96, 1, 1};
  assert_ok(gpuarr_raw_launch(dynamic, grid, block, 100000, args, 2, NULL)); /* above 48 KiB */
  double* got = doubles_of(x);
  for (int k = 0; k < 50000; ++k) {
    int at = k / 25000 * 25000 + 24999 - k % 25000;
    assert_true(got[k] == (at < 384 ? at / 128 * 128 + 127 - at % 128 : at));
  }
  free(got);
  gpuarr_raw_release(fixed);
  gpuarr_raw_release(dynamic);
  gpuarr_module_release(both);
  gpuarr_array_release(x);
}

static int set_up(void** state) {
  (void)state;
  assert_ok(gpuarr_module_open(&module, GPUARR_TEST_KERNELS, NULL));
  return 0;
}

static int tear_down(void** state) {
  gpuarr_module_release(module);
  return check_nothing_lives(state);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_thread_gets_what_it_should),
      cmocka_unit_test(shared_memory_is_static_and_dynamic),
      cmocka_unit_test(integers_divided_by_zero_harm_nobody),
      cmocka_unit_test(arithmetic_of_16_bits),
      cmocka_unit_test(atomics_lose_nothing),
      cmocka_unit_test(intrinsics_agree),
      cmocka_unit_test(a_grid_waits_for_itself),
      cmocka_unit_test(blocks_form_clusters_where_they_can),
      cmocka_unit_test(integers_of_c_headers),
  };
  return finish_tests(cmocka_run_group_tests(tests, set_up, tear_down));
}
