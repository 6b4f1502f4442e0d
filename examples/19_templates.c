/* Templates: one text, and a kernel for each type and degree that is asked for by its name in C++.
 * They evaluate polynomials, whose coefficients go by value, in a struct. */
#include "example.h"

enum { COUNT = 10000 };

static const char* const source =
    "template <class T, int degree>\n"
    "struct Polynomial {\n"
    "  T coefficients[degree + 1];\n"
    "};\n"
    "\n"
    "template <class T, int degree>\n"
    "__global__ void evaluate(Polynomial<T, degree> p, const T* x, T* y, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i >= n) return;\n"
    "  T value = 0;\n"
    "  for (int k = degree; k >= 0; --k) value = value * x[i] + p.coefficients[k];\n"
    "  y[i] = value;\n"
    "}\n";

/* The struct's bytes must be laid out as the kernel's: here an array of T. */
static void run(gpuarr_raw* evaluate, gpuarr_device* device, gpuarr_dtype dtype, gpuarr_arg p,
                double* result) {
  gpuarr_array *x, *y, *as_double;
  int64_t shape[] = {COUNT};
  check(gpuarr_array_linspace(&x, device, dtype, -1, 1, COUNT, 1, NULL));
  check(gpuarr_array_empty(&y, device, dtype, 1, shape, GPUARR_ORDER_C, NULL));
  gpuarr_arg args[] = {p, gpuarr_arg_array(x), gpuarr_arg_array(y), gpuarr_arg_i32(COUNT)};
  check(gpuarr_raw_launch_1d(evaluate, COUNT, args, 4, NULL));
  check(gpuarr_array_astype(&as_double, y, GPUARR_F64, NULL));
  check(gpuarr_array_read(result, COUNT * sizeof *result, NULL, as_double, NULL));
  gpuarr_array_release(as_double);
  gpuarr_array_release(y);
  gpuarr_array_release(x);
}

static void check_polynomial(const double* result, const double* coefficients, int degree,
                             double tolerance) {
  for (int i = 0; i < COUNT; ++i) {
    double x = -1 + 2.0 * i / (COUNT - 1), wanted = 0;
    for (int k = degree; k >= 0; --k) wanted = wanted * x + coefficients[k];
    expect(result[i], wanted, tolerance, "polynomial", i);
  }
}

int main(void) {
  static double result[COUNT];
  const double cubic[] = {1, -2, 0.5, 3}, quintic[] = {0, 1, 0, -1.0 / 6, 0, 1.0 / 120};
  float cubic_floats[4];
  for (int k = 0; k < 4; ++k) cubic_floats[k] = (float)cubic[k];

  /* Ask for all of them before the first launch, and the text is compiled once. */
  gpuarr_device* device;
  gpuarr_module* module;
  gpuarr_raw *of_floats, *of_doubles;
  check(gpuarr_device_open(&device, NULL));
  check(gpuarr_module_create(&module, source, NULL));
  check(gpuarr_module_kernel(&of_floats, module, "evaluate<float, 3>", NULL));
  check(gpuarr_module_kernel(&of_doubles, module, "evaluate<double, 5>", NULL));

  run(of_floats, device, GPUARR_F32, gpuarr_arg_bytes(cubic_floats, sizeof cubic_floats), result);
  check_polynomial(result, cubic, 3, 2e-6);
  run(of_doubles, device, GPUARR_F64, gpuarr_arg_bytes(quintic, sizeof quintic), result);
  check_polynomial(result, quintic, 5, 1e-14);

  printf("ok: polynomials of degree 3 in float and 5 in double at %d places on %s\n", COUNT,
         gpuarr_device_name(device));
  gpuarr_raw_release(of_doubles);
  gpuarr_raw_release(of_floats);
  gpuarr_module_release(module);
  return 0;
}
