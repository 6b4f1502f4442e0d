/* Checks of raw kernels on the CPU device find nothing in kernels that have no fault. */
#include "arrays.h"
#include "checks.h"

static gpuarr_module* module;

/* Each takes integers, and does with n of them what the test says, in one block. */
static const char* const sound =
    "#define KERNEL(name) extern \"C\" __global__ void name(int* x, int n)\n"
    "struct triple { int x, y, z; };\n"
    "class counted { public: int k; __device__ counted() {} __device__ counted(int k) : k(k) {} "
    "};\n"
    "KERNEL(structs) {\n"
    "  int t = threadIdx.x;\n"
    "  triple v = ((triple*)x)[t % (n / 3)];\n"
    "  __syncthreads();\n"
    "  if (t < n / 3) ((triple*)x)[t] = {v.z, v.x, v.y};\n"
    "}\n"
    "KERNEL(constructed) {\n"
    "  __shared__ counted s[64];\n"
    "  int t = threadIdx.x;\n"
    "  if (t < n) s[t] = counted(x[t]);\n"
    "  __syncthreads();\n"
    "  if (t < n) x[t] = s[n - 1 - t].k;\n"
    "}\n"
    "KERNEL(halves) {\n"
    "  unsigned short* w = (unsigned short*)x + threadIdx.x % 2;\n"
    "  unsigned short old = *w, seen;\n"
    "  do {\n"
    "    seen = old;\n"
    "    old = atomicCAS(w, seen, (unsigned short)(seen + 1));\n"
    "  } while (old != seen);\n"
    "}\n"
    "template <class T> __device__ void reversed(T* s, T* x, int n) {\n"
    "  if (threadIdx.x >= n) return;\n"
    "  s[threadIdx.x] = x[threadIdx.x];\n"
    "  __syncthreads();\n"
    "  x[threadIdx.x] = s[n - 1 - threadIdx.x];\n"
    "}\n"
    "KERNEL(returns_in_function) { __shared__ int s[64]; reversed(s, x, n); }\n"
    "__device__ int reverse(int* s, int* x, int n) {\n"
    "  auto past = [&](int k) { return k >= n; };\n"
    "  if (past(threadIdx.x)) return 0; else s[threadIdx.x] = x[threadIdx.x];\n"
    "  __syncthreads();\n"
    "  x[threadIdx.x] = s[n - 1 - threadIdx.x];\n"
    "  return 1;\n"
    "}\n"
    "KERNEL(returns_a_value) { __shared__ int s[64]; reverse(s, x, n); }\n"
    "KERNEL(captures) {\n"
    "  __shared__ int s[64];\n"
    "  auto f = [&] {\n"
    "    if (threadIdx.x >= n) return;\n"
    "    s[threadIdx.x] = x[threadIdx.x];\n"
    "    __syncthreads();\n"
    "    x[threadIdx.x] = s[n - 1 - threadIdx.x];\n"
    "  };\n"
    "  f();\n"
    "}\n";

static const char* const allocating =
    "struct shape { __device__ virtual int area() { return 1; } };\n"
    "struct square : shape { int a; __device__ square(int a) : a(a) {}\n"
    "  __device__ int area() override { return a * a; } };\n"
    "extern \"C\" __global__ void areas(int* x, int n) {\n"
    "  if (threadIdx.x >= n) return;\n"
    "  square* s = new square(threadIdx.x);\n"
    "  shape* p = s;\n"
    "  x[threadIdx.x] = p->area();\n"
    "  delete s;\n"
    "}\n";

static const int32_t all = GPUARR_CHECK_MEMORY | GPUARR_CHECK_RACE | GPUARR_CHECK_SYNC;

/* The array then has what the kernel made of 0, 1, 2 ... */
static gpuarr_array* made_by(gpuarr_module* of, const char* name, int32_t n, int64_t threads) {
  gpuarr_array* x = ramp(GPUARR_I32, n);
  assert_ok(RUN(of, name, 1, threads, 0, gpuarr_arg_array(x), gpuarr_arg_i32(n)));
  return x;
}

static void assert_reverses(const char* name) {
  double expected[50];
  for (int k = 0; k < 50; ++k) expected[k] = 49 - k;
  for (int64_t threads = 50; threads <= 64; threads += 7) {
    gpuarr_array* x = made_by(module, name, 50, threads);
    assert_values(x, 50, expected);
    gpuarr_array_release(x);
  }
}

static void structs_of_any_size_are_aligned_as_they_say(void** state) {
  (void)state;
  gpuarr_array* x = made_by(module, "structs", 9, 3);
  assert_values(x, 9, (double[]){2, 0, 1, 5, 3, 4, 8, 6, 7});
  gpuarr_array_release(x);
}

static void shared_arrays_have_constructors(void** state) {
  (void)state;
  assert_reverses("constructed");
}

static void atomic_operations_are_on_half_words(void** state) {
  (void)state;
  gpuarr_array* x = made_by(module, "halves", 1, 50);
  assert_values(x, 1, (double[]){25 * 65537});
  gpuarr_array_release(x);
}

static void early_returns_stand_in_functions(void** state) {
  (void)state;
  assert_reverses("returns_in_function");
  assert_reverses("returns_a_value");
}

static void lambdas_capture_across_barriers(void** state) {
  (void)state;
  assert_reverses("captures");
}

static void threads_get_memory_that_others_had(void** state) {
  (void)state;
  gpuarr_module* own = checked_module(allocating, all);
  gpuarr_array* x = made_by(own, "areas", 5, 32);
  assert_values(x, 5, (double[]){0, 1, 4, 9, 16});
  gpuarr_array_release(x);
  gpuarr_module_release(own);
}

int main(void) {
  skip_unless_the_cpu_checks();
  module = checked_module_of_all(sound, all);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(structs_of_any_size_are_aligned_as_they_say),
      cmocka_unit_test(shared_arrays_have_constructors),
      cmocka_unit_test(atomic_operations_are_on_half_words),
      cmocka_unit_test(early_returns_stand_in_functions),
      cmocka_unit_test(lambdas_capture_across_barriers),
      cmocka_unit_test(threads_get_memory_that_others_had),
  };
  return finish_tests(cmocka_run_group_tests(tests, NULL, release_module_of_all));
}
