/* What may be given for a raw kernel's parameters, and what is said of all else. */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "raws.h"

static gpuarr_device* device;

/* Kernels that write their arguments to `out`, as they got them. */
static const char* const source =
    "#include <gpuarr.cuh>\n"
    "struct params { double scale; int offset; unsigned char tag; };\n"
    "struct rgb { unsigned char r, g, b; };\n"
    "typedef float number;\n"
    "__global__ void all(bool a, signed char b, short c, int d, long long e, unsigned char f,\n"
    "                    unsigned short g, unsigned h, unsigned long long i, float j, double k,\n"
    "                    double* out) {\n"
    "  double v[] = {(double)a, (double)b, (double)c, (double)d, (double)e, (double)f, (double)g,\n"
    "                (double)h, (double)i, (double)j, k};\n"
    "  for (int m = 0; m < 11; ++m) out[m] = v[m];\n"
    "}\n"
    "__global__ void shorts(float16 a, bfloat16 b, complex64 c, complex128 d, double* out) {\n"
    "  out[0] = a; out[1] = b;\n"
    "  out[2] = c.real(); out[3] = c.imag(); out[4] = d.real(); out[5] = d.imag();\n"
    "}\n"
    "__global__ void structs(rgb c, params p, char last, double* out) {\n"
    "  out[0] = c.r; out[1] = c.g; out[2] = c.b; out[3] = p.scale; out[4] = p.offset;\n"
    "  out[5] = p.tag; out[6] = last;\n"
    "}\n"
    "__global__ void pointers(const float* x, void* y, char* z, int* p, unsigned* q,\n"
    "                         double* out) {\n"
    "  out[0] = x == 0; out[1] = y != 0; out[2] = z[1]; out[3] = *p; out[4] = *q;\n"
    "}\n"
    "extern \"C\" __global__ void named(float a, const float* x, float* y, int n) {\n"
    "  if (n) y[0] = a * x[0];\n"
    "}\n"
    "extern \"C\" __global__ void alias(number a, number* x) { x[0] = a; }\n"
    "__global__ void viewed(gpuarr_view<const float, 2> x, float* y) { y[0] = x(1, 1); }\n"
    "__global__ void nothing() {}\n";

static gpuarr_module* module;
static gpuarr_array *out, *f32, *f64, *i32, *u32, *square;

static void run(const char* name, const gpuarr_arg* args, int32_t count) {
  gpuarr_raw* kernel = kernel_of(module, name);
  launch(kernel, 1, 1, args, count);
  gpuarr_raw_release(kernel);
}

static void assert_first_values(int count, const double* expected) {
  double* got = doubles_of(out);
  for (int k = 0; k < count; ++k) assert_close(got[k], expected[k], 0);
  free(got);
}

static void scalars_of_every_dtype(void** state) {
  (void)state;
  gpuarr_arg args[] = {gpuarr_arg_bool(1),
                       gpuarr_arg_i8(-2),
                       gpuarr_arg_i16(-300),
                       gpuarr_arg_i32(-70000),
                       gpuarr_arg_i64(-1099511627776LL),
                       gpuarr_arg_u8(200),
                       gpuarr_arg_u16(60000),
                       gpuarr_arg_u32(4000000000U),
                       gpuarr_arg_u64(1ULL << 50),
                       gpuarr_arg_f32(0.25F),
                       gpuarr_arg_f64(1e100),
                       gpuarr_arg_array(out)};
  run("all", args, 12);
  assert_values(out, 11,
                (double[]){1, -2, -300, -70000, -1099511627776.0, 200, 60000, 4e9,
                           1125899906842624.0, 0.25, 1e100});
  gpuarr_arg shorts[] = {gpuarr_arg_f16(1.5F), gpuarr_arg_bf16(-3.0F), gpuarr_arg_c64(1, 2),
                         gpuarr_arg_c128(3, 4), gpuarr_arg_array(out)};
  run("shorts", shorts, 5);
  assert_first_values(6, (double[]){1.5, -3, 1, 2, 3, 4});
}

static void structs_by_value(void** state) {
  (void)state;
  const unsigned char color[3] = {7, 8, 9};
  struct {
    double scale;
    int offset;
    unsigned char tag;
  } p;
  memset(&p, 0, sizeof p);
  p.scale = 2.5;
  p.offset = -4;
  p.tag = 250;
  gpuarr_arg args[] = {gpuarr_arg_bytes(color, 3), gpuarr_arg_bytes(&p, sizeof p),
                       gpuarr_arg_i8(-1), gpuarr_arg_array(out)};
  run("structs", args, 4);
  assert_first_values(7, (double[]){7, 8, 9, 2.5, -4, 250, -1});
}

static void pointers_and_null(void** state) {
  (void)state;
  gpuarr_array* bytes = ramp(GPUARR_I8, 4);
  gpuarr_arg args[] = {gpuarr_arg_pointer(NULL), gpuarr_arg_array(f64),
                       gpuarr_arg_array(bytes),  gpuarr_arg_pointer(gpuarr_array_data(i32)),
                       gpuarr_arg_array(i32),    gpuarr_arg_array(out)};
  run("pointers", args, 6);
  assert_first_values(5, (double[]){1, 1, 1, 0, 0});
  gpuarr_array_release(bytes);
  run("nothing", NULL, 0);
}

static void integers_may_have_the_other_sign(void** state) {
  (void)state;
  gpuarr_arg args[] = {gpuarr_arg_f32(2), gpuarr_arg_array(f32), gpuarr_arg_array(f32),
                       gpuarr_arg_u32(7)};
  run("named", args, 4);
  gpuarr_raw* kernel = kernel_of(module, "named");
  args[3] = gpuarr_arg_u32(0x80000000U);
  assert_status(try_launch(kernel, 1, 1, args, 4), GPUARR_ERR_DTYPE);
  assert_message_has(
      "args[3] is a uint32 (4 bytes), but that parameter of named(float a, const "
      "float* x, float* y, int n) is int (4 bytes); give gpuarr_arg_i32");
  gpuarr_raw_release(kernel);
}

enum { most_args = 4 };

struct refused {
  const char* kernel;
  gpuarr_status status;
  const char* says;
  int32_t count;
  gpuarr_arg args[most_args];
};

/* The table ends with an empty row. */
static void assert_refused(const char* params, const struct refused* table) {
  for (const struct refused* r = table; r->kernel != NULL; ++r) {
    gpuarr_raw* kernel = NULL;
    assert_ok(gpuarr_module_kernel(&kernel, module, r->kernel, params));
    assert_status(try_launch(kernel, 1, 1, r->args, r->count), r->status);
    assert_message_has("gpuarr_raw_launch: ");
    assert_message_has(r->says);
    gpuarr_raw_release(kernel);
  }
}

static void other_counts_are_refused(void** state) {
  (void)state;
  const gpuarr_arg a = gpuarr_arg_f32(2), x = gpuarr_arg_array(f32);
  const struct refused table[] = {
      {"named",
       GPUARR_ERR_ARGUMENT,
       "arg_count is 3, but named(float a, const float* x, float* y, int n) has 4 parameters",
       3,
       {a, x, x}},
      {"nothing", GPUARR_ERR_ARGUMENT, "arg_count is 1, but nothing() has 0 parameters", 1, {a}},
      {"named", GPUARR_ERR_ARGUMENT, "arg_count is -1", -1, {a}},
      {0},
  };
  assert_refused(NULL, table);
  const struct refused declared[] = {
      {"alias",
       GPUARR_ERR_ARGUMENT,
       "params declares 3 parameters, but kernel \"alias\" has 2",
       2,
       {a, x}},
      {0},
  };
  assert_refused("float a, float* x, int n", declared);
}

static void other_types_are_refused(void** state) {
  (void)state;
  const gpuarr_arg a = gpuarr_arg_f32(2), x = gpuarr_arg_array(f32), n = gpuarr_arg_i32(1);
  const gpuarr_arg wrong_double = gpuarr_arg_f64(2), doubles = gpuarr_arg_array(f64);
  const struct refused table[] = {
      {"named",
       GPUARR_ERR_ARGUMENT,
       "args[0] is a float64 (8 bytes), but that parameter of named(float a, const float* x, "
       "float* y, int n) is float (4 bytes); give gpuarr_arg_f32",
       4,
       {wrong_double, x, x, n}},
      {"named", GPUARR_ERR_DTYPE, "args[0] is an int32 (4 bytes)", 4, {n, x, x, n}},
      {"named",
       GPUARR_ERR_DTYPE,
       "args[1] is an array of float64, but that parameter of named(float a, const float* x, "
       "float* y, int n) is const float* (8 bytes); give an array of float32",
       4,
       {a, doubles, x, n}},
      {"named", GPUARR_ERR_ARGUMENT, "args[3] is an array of float32", 4, {a, x, x, x}},
      {"named", GPUARR_ERR_DTYPE, "args[1] is a float64 (8 bytes)", 4, {a, wrong_double, x, n}},
      {"alias", GPUARR_ERR_ARGUMENT, "args[0] is a float64 (8 bytes)", 2, {wrong_double, x}},
      {0},
  };
  assert_refused(NULL, table);
  const struct refused declared[] = {
      {"alias", GPUARR_ERR_DTYPE, "args[0] is an int32 (4 bytes)", 2, {n, x}},
      {"alias", GPUARR_ERR_DTYPE, "args[1] is an array of float64", 2, {a, doubles}},
      {0},
  };
  assert_refused("float a, float* x", declared);
}

static void other_structs_and_views_are_refused(void** state) {
  (void)state;
  const gpuarr_arg a = gpuarr_arg_f32(2), x = gpuarr_arg_array(f32), n = gpuarr_arg_i32(1);
  const gpuarr_arg view = gpuarr_arg_view(f32), doubles = gpuarr_arg_array(f64);
  const gpuarr_arg six = gpuarr_arg_bytes("12345", 6);
  const struct refused table[] = {
      {"structs",
       GPUARR_ERR_ARGUMENT,
       "args[0] is 6 bytes",
       4,
       {six, six, gpuarr_arg_i8(1), doubles}},
      {"viewed", GPUARR_ERR_ARGUMENT, "give gpuarr_arg_view", 2, {x, x}},
      {"viewed", GPUARR_ERR_ARGUMENT, "args[0] is a view of float32 with 1 axes", 2, {view, x}},
      {"named",
       GPUARR_ERR_ARGUMENT,
       "args[2] is a view of float32 with 1 axes",
       4,
       {a, x, view, n}},
      {0},
  };
  assert_refused(NULL, table);
}

static void what_is_no_argument_is_refused(void** state) {
  (void)state;
  const gpuarr_arg a = gpuarr_arg_f32(2), x = gpuarr_arg_array(f32), n = gpuarr_arg_i32(1);
  const gpuarr_arg none = {0}, unknown = {.dtype = 99};
  gpuarr_arg flagged = n;
  flagged.flags = 77;
  const struct refused table[] = {
      {"named",
       GPUARR_ERR_ARGUMENT,
       "args[0] is neither an array nor a scalar",
       4,
       {none, x, x, n}},
      {"named",
       GPUARR_ERR_ARGUMENT,
       "args[1] is neither an array nor a scalar",
       4,
       {a, gpuarr_arg_view(NULL), x, n}},
      {"named", GPUARR_ERR_DTYPE, "args[0] has dtype 99", 4, {unknown, x, x, n}},
      {"named", GPUARR_ERR_ARGUMENT, "args[3] has flags 77", 4, {a, x, x, flagged}},
      {"named", GPUARR_ERR_ARGUMENT, "args[0] has 0 bytes", 4, {gpuarr_arg_bytes("", 0), x, x, n}},
      {"named",
       GPUARR_ERR_ARGUMENT,
       "args[0] is 4 bytes at NULL",
       4,
       {gpuarr_arg_bytes(NULL, 4), x, x, n}},
      {0},
  };
  assert_refused(NULL, table);
}

static void a_view_that_fits(void** state) {
  (void)state;
  gpuarr_arg args[] = {gpuarr_arg_view(square), gpuarr_arg_array(f32)};
  run("viewed", args, 2);
  gpuarr_raw* kernel = kernel_of(module, "named");
  assert_status(try_launch(kernel, 1, 1, NULL, 4), GPUARR_ERR_ARGUMENT);
  assert_message_has("args is NULL; give 4 of them");
  gpuarr_raw_release(kernel);
}

static void signatures_are_shown(void** state) {
  (void)state;
  const char* shown = NULL;
  gpuarr_raw* kernel = kernel_of(module, "named");
  assert_ok(gpuarr_raw_signature(&shown, kernel, device));
  assert_string_equal(shown, "named(float a, const float* x, float* y, int n)");
  gpuarr_raw_release(kernel);
  kernel = kernel_of(module, "viewed");
  assert_ok(gpuarr_raw_signature(&shown, kernel, device));
  assert_non_null(strstr(shown, "viewed(gpuarr_view<"));
  gpuarr_raw_release(kernel);
}

/* Only raw kernels take these. */
static void other_kernels_refuse_raw_arguments(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array* made = NULL;
  assert_ok(gpuarr_elementwise_create(&kernel, "float32 x, int64 a", "float32 y", "y = x;", NULL));
  gpuarr_arg args[] = {gpuarr_arg_array(f32), gpuarr_arg_pointer(NULL)};
  assert_status(gpuarr_elementwise_call(kernel, &made, 1, args, 2, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_ARGUMENT);
  args[0] = gpuarr_arg_view(f32);
  args[1] = gpuarr_arg_i64(1);
  assert_status(gpuarr_elementwise_call(kernel, &made, 1, args, 2, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("inputs[0].flags is 1; it must be 0");
  gpuarr_elementwise_release(kernel);
}

static int set_up(void** state) {
  (void)state;
  module = make_module(source);
  out = line(GPUARR_F64, 11);
  f32 = line(GPUARR_F32, 11);
  f64 = line(GPUARR_F64, 11);
  i32 = line(GPUARR_I32, 11);
  u32 = line(GPUARR_U32, 11);
  square = zeros(GPUARR_F32, 2, (int64_t[]){2, 2});
  return 0;
}

static int tear_down(void** state) {
  gpuarr_module_release(module);
  release_arrays((gpuarr_array*[]){out, f32, f64, i32, u32, square}, 6);
  return check_nothing_lives(state);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scalars_of_every_dtype),
      cmocka_unit_test(structs_by_value),
      cmocka_unit_test(pointers_and_null),
      cmocka_unit_test(integers_may_have_the_other_sign),
      cmocka_unit_test(other_counts_are_refused),
      cmocka_unit_test(other_types_are_refused),
      cmocka_unit_test(other_structs_and_views_are_refused),
      cmocka_unit_test(what_is_no_argument_is_refused),
      cmocka_unit_test(a_view_that_fits),
      cmocka_unit_test(signatures_are_shown),
      cmocka_unit_test(other_kernels_refuse_raw_arguments),
  };
  return finish_tests(cmocka_run_group_tests(tests, set_up, tear_down));
}
