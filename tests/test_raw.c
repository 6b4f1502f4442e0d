/* Raw kernels: what a launch does. The texts are CUDA C++ as anybody would write it. */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "raws.h"

static gpuarr_device* device;

static const char* const vector_add =
    "__global__ void add(const float* x, const float* y, float* z, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) z[i] = x[i] + y[i];\n"
    "}\n";

static void a_kernel_works_on_arrays(void** state) {
  (void)state;
  gpuarr_raw* add = make_raw(vector_add, "add");
  gpuarr_array *x = ramp(GPUARR_F32, 1000), *y = ramp(GPUARR_F32, 1000),
               *z = line(GPUARR_F32, 1000);
  gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_array(y), gpuarr_arg_array(z),
                       gpuarr_arg_i32(990)};
  launch(add, 4, 256, args, 4);
  double* got = doubles_of(z);
  for (int k = 0; k < 1000; ++k) assert_true(got[k] == (k < 990 ? 2.0 * k : 0.0));
  free(got);
  gpuarr_raw_release(add);
  release_arrays((gpuarr_array*[]){x, y, z}, 3);
}

static void one_dimension_picks_the_block(void** state) {
  (void)state;
  gpuarr_raw* add = make_raw(vector_add, "add");
  for (int64_t n = 1; n < 100000; n = n * 7 + 3) {
    gpuarr_array *x = ramp(GPUARR_F32, n), *z = line(GPUARR_F32, n);
    gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_array(x), gpuarr_arg_array(z),
                         gpuarr_arg_i32((int32_t)n)};
    assert_ok(gpuarr_raw_launch_1d(add, n, args, 4, NULL));
    double* got = doubles_of(z);
    for (int64_t k = 0; k < n; ++k) assert_true(got[k] == 2.0 * (double)k);
    free(got);
    release_arrays((gpuarr_array*[]){x, z}, 2);
  }
  gpuarr_raw_release(add);
}

static void an_empty_grid_launches_nothing(void** state) {
  (void)state;
  gpuarr_raw* add = make_raw(vector_add, "add");
  gpuarr_array* z = ramp(GPUARR_F32, 4);
  gpuarr_arg args[] = {gpuarr_arg_array(z), gpuarr_arg_array(z), gpuarr_arg_array(z),
                       gpuarr_arg_i32(4)};
  const int64_t block[3] = {64, 1, 1};
  for (int d = 0; d < 3; ++d) {
    int64_t grid[3] = {2, 2, 2};
    grid[d] = 0;
    assert_ok(gpuarr_raw_launch(add, grid, block, 0, args, 4, NULL));
  }
  assert_ok(gpuarr_raw_launch_1d(add, 0, args, 4, NULL));
  assert_values(z, 4, (double[]){0, 1, 2, 3});
  gpuarr_raw_release(add);
  gpuarr_array_release(z);
}

/* Each thread writes a number that tells all its indices. */
static void indices_have_three_dimensions(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(
      "extern \"C\" __global__ void where(long long* out) {\n"
      "  dim3 b = gridDim, t = blockDim;\n"
      "  long long block = (blockIdx.z * b.y + blockIdx.y) * b.x + blockIdx.x;\n"
      "  long long thread = (threadIdx.z * t.y + threadIdx.y) * t.x + threadIdx.x;\n"
      "  long long total = t.x * t.y * t.z;\n"
      "  out[block * total + thread] = block * 1000 + thread + warpSize;\n"
      "}\n",
      "where");
  const int64_t grid[3] = {3, 2, 4}, block[3] = {5, 3, 2};
  gpuarr_array* out = line(GPUARR_I64, 24 * 30);
  gpuarr_arg arg = gpuarr_arg_array(out);
  assert_ok(gpuarr_raw_launch(kernel, grid, block, 0, &arg, 1, NULL));
  double* got = doubles_of(out);
  for (int k = 0; k < 24 * 30; ++k) assert_true(got[k] == (k / 30) * 1000 + k % 30 + 32);
  free(got);
  gpuarr_raw_release(kernel);
  gpuarr_array_release(out);
}

static void templates_are_asked_for_by_expression(void** state) {
  (void)state;
  gpuarr_module* module = make_module(
      "namespace ns {\n"
      "template <class T, int N> __global__ void scale(T* x) { x[threadIdx.x] *= T(N) / 2; }\n"
      "}\n"
      "__global__ void plain(int* x) { x[threadIdx.x] += 1; }\n");
  gpuarr_raw* halves = kernel_of(module, "ns::scale<float, 3>");
  gpuarr_raw* plain = kernel_of(module, "plain");
  gpuarr_array *x = ramp(GPUARR_F32, 3), *y = ramp(GPUARR_F64, 3), *z = ramp(GPUARR_I32, 3);
  gpuarr_arg of_x = gpuarr_arg_array(x), of_y = gpuarr_arg_array(y), of_z = gpuarr_arg_array(z);
  launch(halves, 1, 3, &of_x, 1);
  launch(plain, 1, 3, &of_z, 1);
  gpuarr_raw* late = kernel_of(module, "ns::scale<double, 5>"); /* compiled once more */
  launch(late, 1, 3, &of_y, 1);
  assert_values(x, 3, (double[]){0, 1.5, 3});
  assert_values(y, 3, (double[]){0, 2.5, 5});
  assert_values(z, 3, (double[]){1, 2, 3});
  gpuarr_raw_release(halves);
  gpuarr_raw_release(plain);
  gpuarr_raw_release(late);
  gpuarr_module_release(module);
  release_arrays((gpuarr_array*[]){x, y, z}, 3);
}

static void a_view_has_shape_and_strides(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(
      "#include <gpuarr.cuh>\n"
      "__global__ void outer(gpuarr_view<const double, 1> x, gpuarr_view<double, 2> out) {\n"
      "  for (int i = 0; i < out.shape()[0]; ++i)\n"
      "    for (int j = threadIdx.x; j < out.shape()[1]; j += blockDim.x)\n"
      "      out(i, j) = 10 * x(i) + j + 1000 * out.size();\n"
      "}\n",
      "outer");
  gpuarr_array *x = ramp(GPUARR_F64, 8), *even = NULL, *out = NULL, *across = NULL;
  assert_ok(gpuarr_array_slice(&even, x, 0, 6, 0, -2)); /* 6, 4, 2 */
  out = zeros(GPUARR_F64, 2, (int64_t[]){4, 3});
  assert_ok(gpuarr_array_transpose(&across, out, 0, NULL));
  gpuarr_arg args[] = {gpuarr_arg_view(even), gpuarr_arg_view(across)};
  launch(kernel, 1, 2, args, 2);
  double* got = doubles_of(across);
  for (int k = 0; k < 12; ++k) assert_true(got[k] == 10 * (6 - k / 4 * 2) + k % 4 + 12000);
  free(got);
  gpuarr_raw_release(kernel);
  release_arrays((gpuarr_array*[]){x, even, out, across}, 4);
}

static void a_loop_covers_any_number_of_elements(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(
      "__global__ void count(int* x, int n) { GPUARR_LOOP(i, n) { x[i] += 1 + (i & 1); } }\n",
      "count");
  for (int n = 0; n < 3000; n = n * 3 + 1) {
    gpuarr_array* x = line(GPUARR_I32, n + 1);
    gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_i32(n)};
    launch(kernel, 3, 64, args, 2);
    double* got = doubles_of(x);
    for (int k = 0; k <= n; ++k) assert_true(got[k] == (k < n ? 1 + (k & 1) : 0));
    free(got);
    gpuarr_array_release(x);
  }
  gpuarr_raw_release(kernel);
}

static void a_prepared_launch_keeps_what_it_needs(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(
      "__global__ void axpy(float a, const float* x, float* y) {\n"
      "  y[threadIdx.x] += a * x[threadIdx.x];\n"
      "}\n",
      "axpy");
  gpuarr_array *x = ramp(GPUARR_F32, 3), *y = line(GPUARR_F32, 3);
  gpuarr_arg args[] = {gpuarr_arg_f32(2), gpuarr_arg_array(x), gpuarr_arg_array(y)};
  gpuarr_call *call = NULL, *none = NULL;
  const int64_t grid[3] = {1, 1, 1}, nothing[3] = {0, 1, 1}, block[3] = {3, 1, 1};
  assert_ok(gpuarr_raw_prepare(&call, kernel, grid, block, 0, args, 3, NULL));
  assert_ok(gpuarr_raw_prepare(&none, kernel, nothing, block, 0, args, 3, NULL));
  gpuarr_raw_release(kernel);
  gpuarr_array_release(x);
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_ok(gpuarr_call_launch(none, NULL));
  assert_ok(gpuarr_call_set_scalar(call, 0, gpuarr_arg_f64(0.5)));
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_status(gpuarr_call_set_scalar(call, 1, gpuarr_arg_f64(0.5)), GPUARR_ERR_ARGUMENT);
  assert_values(y, 3, (double[]){0, 2.5, 5});
  gpuarr_call_release(call);
  gpuarr_call_release(none);
  gpuarr_array_release(y);
}

/* As strict as the call that was prepared. */
static void a_prepared_launch_takes_numbers_that_fit(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw("__global__ void put(double* x, unsigned n) { x[0] = n; }", "put");
  gpuarr_array* x = line(GPUARR_F64, 1);
  gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_i32(7)};
  const int64_t one[3] = {1, 1, 1};
  gpuarr_call* call = NULL;
  assert_ok(gpuarr_raw_prepare(&call, kernel, one, one, 0, args, 2, NULL));
  assert_ok(gpuarr_call_set_scalar(call, 1, gpuarr_arg_u32(4000000000U)));
  assert_ok(gpuarr_call_launch(call, NULL));
  assert_values(x, 1, (double[]){4e9});
  assert_status(gpuarr_call_set_scalar(call, 1, gpuarr_arg_i32(-1)), GPUARR_ERR_DTYPE);
  assert_message_has("value is -1, which uint32 cannot hold");
  assert_status(gpuarr_call_set_scalar(call, 2, gpuarr_arg_i32(1)), GPUARR_ERR_ARGUMENT);
  gpuarr_call_release(call);
  gpuarr_raw_release(kernel);
  gpuarr_array_release(x);
}

/* Released at once; the memory must not be used for another array before the work is done. */
static void arrays_may_be_released_after_the_launch(void** state) {
  (void)state;
  gpuarr_raw* add = make_raw(vector_add, "add");
  gpuarr_stream *one = NULL, *two = NULL;
  assert_ok(gpuarr_stream_create(&one, device, 0, 0));
  assert_ok(gpuarr_stream_create(&two, device, 0, 0));
  const int64_t n = 1 << 16, grid[3] = {1 << 8, 1, 1}, block[3] = {256, 1, 1};
  for (int round = 0; round < 10; ++round) {
    gpuarr_array *x = ramp(GPUARR_F32, n), *z = line(GPUARR_F32, n);
    assert_ok(gpuarr_device_synchronize(device));
    gpuarr_arg args[] = {gpuarr_arg_array(x), gpuarr_arg_array(x), gpuarr_arg_array(z),
                         gpuarr_arg_i32((int32_t)n)};
    assert_ok(gpuarr_raw_launch(add, grid, block, 0, args, 4, round % 2 ? one : two));
    gpuarr_array_release(x);
    gpuarr_array* other = line(GPUARR_F32, n); /* may get x's memory */
    assert_ok(gpuarr_device_synchronize(device));
    double* got = doubles_of(z);
    for (int64_t k = 0; k < n; k += 97) assert_true(got[k] == 2.0 * (double)k);
    free(got);
    release_arrays((gpuarr_array*[]){z, other}, 2);
  }
  gpuarr_stream_release(one);
  gpuarr_stream_release(two);
  gpuarr_raw_release(add);
}

static void a_kernel_may_be_released_while_it_runs(void** state) {
  (void)state;
  gpuarr_raw* slow = make_raw(
      "__global__ void slow(int* x) {\n"
      "  for (volatile int k = 0; k < 3000000; k = k + 1) {}\n"
      "  x[threadIdx.x] = 5;\n"
      "}\n",
      "slow");
  gpuarr_array* x = line(GPUARR_I32, 2);
  gpuarr_arg arg = gpuarr_arg_array(x);
  launch(slow, 1, 2, &arg, 1);
  gpuarr_raw_release(slow);
  assert_values(x, 2, (double[]){5, 5});
  gpuarr_array_release(x);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_kernel_works_on_arrays),
      cmocka_unit_test(one_dimension_picks_the_block),
      cmocka_unit_test(an_empty_grid_launches_nothing),
      cmocka_unit_test(indices_have_three_dimensions),
      cmocka_unit_test(templates_are_asked_for_by_expression),
      cmocka_unit_test(a_view_has_shape_and_strides),
      cmocka_unit_test(a_loop_covers_any_number_of_elements),
      cmocka_unit_test(a_prepared_launch_keeps_what_it_needs),
      cmocka_unit_test(a_prepared_launch_takes_numbers_that_fit),
      cmocka_unit_test(arrays_may_be_released_after_the_launch),
      cmocka_unit_test(a_kernel_may_be_released_while_it_runs),
  };
  return run_suite(tests);
}
