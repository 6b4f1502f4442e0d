/* Raw kernels that reach outside of their memory are found, and the others left alone. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "arrays.h"
#include "checks.h"
#include "raws.h"

static const char* const source =
    "struct box { float* p; int n; };\n"
    "__device__ float table[256]; __device__ int unused = 3;\n"
    "extern \"C\" __global__ void copy(const float* x, float* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i <= n)\n"
    "    y[i] = __ldg(x + i);\n"
    "}\n"
    "extern \"C\" __global__ void at(float* y, long long k) {\n"
    "  if (threadIdx.x == 3) y[k] = 1;\n" /* line 9 */
    "}\n"
    "extern \"C\" __global__ void add_at(float* y, long long k) { atomicAdd(y + k, 1.0f); }\n"
    "extern \"C\" __global__ void load(float* y, const float* p) { y[0] = *p; }\n"
    "extern \"C\" __global__ void use(float* y, box b) { y[0] = b.p[b.n]; }\n"
    "extern \"C\" __global__ void tiles(float* y, int over) {\n"
    "  __shared__ float s[64];\n"
    "  __shared__ float u[64];\n"
    "  s[(int)threadIdx.x + over] = 1;\n" /* line 17 */
    "  u[threadIdx.x] = 2;\n"
    "  __syncthreads();\n"
    "  y[threadIdx.x] = s[threadIdx.x] + u[threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void dynamic(float* y) {\n"
    "  extern __shared__ float d[];\n"
    "  d[threadIdx.x] = 1;\n" /* line 24 */
    "  __syncthreads();\n"
    "  y[threadIdx.x] = d[threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void wide(float* y, int by) {\n"
    "  *(float4*)(y + by) = make_float4(1, 2, 3, 4);\n" /* line 29 */
    "}\n"
    "extern \"C\" __global__ void variable(float* y) {\n"
    "  table[threadIdx.x] = 1;\n" /* line 32 */
    "  y[threadIdx.x] = table[threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void divide(float* y, int n) { y[0] = 9 / n; }\n" /* line 35 */
    "extern \"C\" __global__ void bytes(float* y, const float* x, long long n, int how) {\n"
    "  if (how == 0) memcpy(y, x, n);\n" /* line 37 */
    "  if (how == 1) memmove(y, x, n);\n"
    "  if (how == 2) memset(y, 0, n);\n"
    "}\n";

static gpuarr_module* module;

static void an_element_too_far_is_found(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 1000), *y = line(GPUARR_F32, 1024);
  gpuarr_arg a = gpuarr_arg_array(x), b = gpuarr_arg_array(y);
  assert_ok(RUN(module, "copy", 4, 256, 0, a, b, gpuarr_arg_i32(999)));
  assert_status(RUN(module, "copy", 4, 256, 0, a, b, gpuarr_arg_i32(1000)), GPUARR_ERR_FAULT);
  assert_message_has(
      "kernel \"copy\": illegal read of 4 bytes at x[1000] (args[0], float32, shape (1000,)): "
      "1 element behind its end, by block (3,0,0) thread (232,0,0) at source:6");
  assert_ok(RUN(module, "copy", 4, 256, 0, a, b, gpuarr_arg_i32(999)));
  release_arrays((gpuarr_array*[]){x, y}, 2);
}

/* Also where the array takes up all of its blocks of the allocator. */
static void outside_is_found_whatever_the_size(void** state) {
  (void)state;
  for (int64_t n = 128; n <= 1 << 20; n *= 64) {
    gpuarr_array *y = line(GPUARR_F32, n), *z = line(GPUARR_F32, n);
    const int64_t places[] = {n, -1, n + 15, -2 * n, 100 * n};
    char part[64];
    assert_ok(RUN(module, "at", 1, 32, 0, gpuarr_arg_array(y), gpuarr_arg_i64(n - 1)));
    for (int k = 0; k < 5; ++k) {
      gpuarr_arg at = gpuarr_arg_i64(places[k]);
      assert_status(RUN(module, "at", 1, 32, 0, gpuarr_arg_array(y), at), GPUARR_ERR_FAULT);
      assert_message_has("kernel \"at\": illegal write of 4 bytes at ");
      snprintf(part, sizeof part,
               "y[%lld] (args[0], float32, shape (%lld,)): ", (long long)places[k], (long long)n);
      assert_message_has(part);
      assert_message_has("block (0,0,0) thread (3,0,0) at source:9");
      assert_status(RUN(module, "add_at", 1, 1, 0, gpuarr_arg_array(y), at), GPUARR_ERR_FAULT);
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
  assert_ok(RUN(module, "use", 1, 1, 0, out, gpuarr_arg_bytes(&box, sizeof box)));
  box.n = 100;
  assert_status(RUN(module, "use", 1, 1, 0, out, gpuarr_arg_bytes(&box, sizeof box)),
                GPUARR_ERR_FAULT);
  assert_message_has("byte 400 of an array of 400 bytes that is not among the arguments");
  gpuarr_array_release(other);
  box.n = 3;
  assert_status(RUN(module, "use", 1, 1, 0, out, gpuarr_arg_bytes(&box, sizeof box)),
                GPUARR_ERR_FAULT);
  assert_message_has("that was released");
  assert_status(RUN(module, "load", 1, 1, 0, out, gpuarr_arg_pointer(box.p)), GPUARR_ERR_FAULT);
  assert_message_has("that was released");
  assert_status(RUN(module, "load", 1, 1, 0, out, gpuarr_arg_pointer(NULL)), GPUARR_ERR_FAULT);
  assert_message_has(
      "kernel \"load\": illegal read of 4 bytes at NULL, by block (0,0,0) thread "
      "(0,0,0) at source:12");
  float mine = 7;
  assert_ok(RUN(module, "load", 1, 1, 0, out, gpuarr_arg_pointer(&mine)));
  assert_values(y, 4, (double[]){7, 0, 0, 0});
  gpuarr_array_release(y);
}

/* The compiler calls functions for these. */
static void copies_of_bytes_are_checked(void** state) {
  (void)state;
  gpuarr_array *x = ramp(GPUARR_F32, 1000), *y = line(GPUARR_F32, 1024);
  gpuarr_arg to = gpuarr_arg_array(y), from = gpuarr_arg_array(x);
  for (int32_t how = 0; how < 3; ++how) {
    const int reads = how < 2;
    gpuarr_arg chosen = gpuarr_arg_i32(how), bytes = gpuarr_arg_i64(reads ? 4000 : 4096);
    assert_ok(RUN(module, "bytes", 1, 1, 0, to, from, bytes, chosen));
    bytes = gpuarr_arg_i64(4104);
    assert_status(RUN(module, "bytes", 1, 1, 0, to, from, bytes, chosen), GPUARR_ERR_FAULT);
    assert_message_has(reads ? "kernel \"bytes\": illegal read of 4104 bytes at x[0]"
                             : "kernel \"bytes\": illegal write of 4104 bytes at y[0]");
    char place[32];
    snprintf(place, sizeof place, "at source:%d", 37 + how);
    assert_message_has(place);
  }
  release_arrays((gpuarr_array*[]){x, y}, 2);
}

static void divisions_by_zero_are_found(void** state) {
  (void)state;
  gpuarr_array* y = line(GPUARR_F32, 1);
  gpuarr_arg out = gpuarr_arg_array(y);
  assert_ok(RUN(module, "divide", 1, 1, 0, out, gpuarr_arg_i32(3)));
  assert_values(y, 1, (double[]){3});
  assert_status(RUN(module, "divide", 1, 1, 0, out, gpuarr_arg_i32(0)), GPUARR_ERR_FAULT);
  assert_message_has(
      "kernel \"divide\": division of an integer by zero, by block (0,0,0) thread (0,0,0) at "
      "source:35");
  gpuarr_array_release(y);
}

static void shared_memory_and_variables_have_ends(void** state) {
  (void)state;
  gpuarr_array* y = line(GPUARR_F32, 1024);
  gpuarr_arg out = gpuarr_arg_array(y);
  assert_ok(RUN(module, "tiles", 2, 64, 0, out, gpuarr_arg_i32(0)));
  assert_status(RUN(module, "tiles", 2, 64, 0, out, gpuarr_arg_i32(1)), GPUARR_ERR_FAULT);
  assert_message_has(
      "illegal write of 4 bytes at s + 256 (shared, 256 bytes): 1 byte behind its "
      "end, by block (0,0,0) thread (63,0,0) at source:17");
  assert_status(RUN(module, "tiles", 2, 64, 0, out, gpuarr_arg_i32(-1)), GPUARR_ERR_FAULT);
  assert_message_has("s - 4 (shared, 256 bytes)");
  assert_ok(RUN(module, "dynamic", 2, 64, 256, out));
  assert_status(RUN(module, "dynamic", 2, 64, 252, out), GPUARR_ERR_FAULT);
  assert_message_has(
      "dynamic shared memory + 252 (252 bytes): 1 byte behind its end, by block "
      "(0,0,0) thread (63,0,0) at source:24");
  assert_status(RUN(module, "dynamic", 2, 64, 0, out), GPUARR_ERR_FAULT);
  assert_ok(RUN(module, "variable", 1, 256, 0, out));
  assert_status(RUN(module, "variable", 1, 257, 0, out), GPUARR_ERR_FAULT);
  assert_message_has(
      "table + 1024 (1024 bytes): 1 byte behind its end, by block (0,0,0) thread "
      "(256,0,0) at source:32");
  assert_ok(RUN(module, "wide", 1, 1, 0, out, gpuarr_arg_i32(4)));
  assert_status(RUN(module, "wide", 1, 1, 0, out, gpuarr_arg_i32(3)), GPUARR_ERR_FAULT);
  assert_message_has(
      "misaligned write of 16 bytes at y[3] (args[0], float32, shape (1024,)), by "
      "block (0,0,0) thread (0,0,0) at source:29");
  gpuarr_array_release(y);
}

static void* launch_many(void* kernel) {
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
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
  gpuarr_module* own = make_module(source);
  assert_int_equal(unsetenv("GPUARR_CHECK"), 0);
  gpuarr_array* y = line(GPUARR_F32, 128);
  assert_status(RUN(own, "at", 1, 32, 0, gpuarr_arg_array(y), gpuarr_arg_i64(128)),
                GPUARR_ERR_FAULT);
  gpuarr_array_release(y);
  gpuarr_module_release(own);
}

int main(void) {
  skip_unless_the_cpu_checks();
  module = checked_module_of_all(source, GPUARR_CHECK_MEMORY);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_element_too_far_is_found),
      cmocka_unit_test(outside_is_found_whatever_the_size),
      cmocka_unit_test(pointers_are_followed_to_live_arrays_only),
      cmocka_unit_test(copies_of_bytes_are_checked),
      cmocka_unit_test(divisions_by_zero_are_found),
      cmocka_unit_test(shared_memory_and_variables_have_ends),
      cmocka_unit_test(threads_check_beside_each_other),
      cmocka_unit_test(the_environment_chooses_too),
  };
  return finish_tests(cmocka_run_group_tests(tests, NULL, release_module_of_all));
}
