/* Gufuncs and calls that must fail, with what they say. */
#include <stdio.h>
#include <string.h>

#include "arrays.h"

static gpuarr_device* device;

struct refused {
  const char *signature, *in, *out;
  gpuarr_status status;
  const char* says[2];
};

static const struct refused signatures[] = {
    {"", "T x", "T y", GPUARR_ERR_SYNTAX, {"its end at character 1, where \"->\" should be"}},
    {"(n)", "T x", "T y", GPUARR_ERR_SYNTAX, {"its end at character 4, where \"->\" should be"}},
    {"n->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"n\" at character 1, where \"(\" should be"}},
    {"(n)-()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"-\" at character 4, where \"->\" should be"}},
    {"(n->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"-\" at character 3", "\",\" or \")\""}},
    {"(n,)->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\")\" at character 4", "such as n, 3 or n?"}},
    {"(n),->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"-\" at character 5", "\"(\" should be"}},
    {"(n)(n)->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"(\" at character 4"}},
    {"(n)->()x", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"x\" at character 8", "\",\" or the end"}},
    {"(n)->(n", "T x", "T y", GPUARR_ERR_SYNTAX, {"its end at character 8"}},
    {"(n m)->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"m\" at character 4"}},
    {"(n?\?)->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"?\" at character 4"}},
    {"(n),(n?)->()", "T x, T y", "T z", GPUARR_ERR_SYNTAX, {"dimension n with \"?\" and without"}},
    {"(0)->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"0\"; it is a name, or a size of 1 or more"}},
    {"(3n)->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"3n\"; it is a name, or a size"}},
    {"(99999999999999999999)->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"it is a name, or a size"}},
    {"(_n)->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"_n\", which is reserved"}},
    {"(class)->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"class\", which is a keyword of C++"}},
    {"(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q)->()",
     "T x",
     "T y",
     GPUARR_ERR_SYNTAX,
     {"more than 16 different dimensions"}},
    {"(n),(n)->()",
     "T x",
     "T y",
     GPUARR_ERR_SYNTAX,
     {"signature has 2 inputs, but in_params names 1"}},
    {"(n)->(),()",
     "T x",
     "T y",
     GPUARR_ERR_SYNTAX,
     {"signature has 2 outputs, but out_params names 1"}},
    {"(n)->()",
     "raw T x",
     "T y",
     GPUARR_ERR_SYNTAX,
     {"parameter \"x\" is raw", "give it one, such as (k)"}},
    {"(x)->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"x\" is both a dimension", "a parameter"}},
    {"(T)->()", "T x", "T y", GPUARR_ERR_SYNTAX, {"\"T\" is both a dimension", "a placeholder"}},
    {"(n)->(n)", "T x", "T x", GPUARR_ERR_SYNTAX, {"\"x\" is in both lists"}},
    {"(n)->()", "float x", "T y", GPUARR_ERR_TYPE, {"say float32 or float64"}},
};

static void signatures_outside_the_grammar(void** state) {
  (void)state;
  for (size_t k = 0; k < sizeof signatures / sizeof *signatures; ++k) {
    const struct refused* r = &signatures[k];
    gpuarr_gufunc* f = (gpuarr_gufunc*)device;
    assert_status(gpuarr_gufunc_create(&f, r->signature, r->in, r->out, "", 0, 0, NULL), r->status);
    assert_null(f);
    assert_message_has("gpuarr_gufunc_create: ");
    for (int n = 0; n < 2 && r->says[n] != NULL; ++n) assert_message_has(r->says[n]);
  }
}

static void arguments_of_create(void** state) {
  (void)state;
  gpuarr_gufunc* f = NULL;
  const int32_t groups[] = {-2, 2, 31, 48, 100, 1056};
  for (int k = 0; k < 6; ++k) {
    char says[32];
    snprintf(says, sizeof says, "group is %d; give GPUARR_GROUP_", groups[k]);
    assert_status(gpuarr_gufunc_create(&f, "()->()", "T x", "T y", "", groups[k], 0, NULL),
                  GPUARR_ERR_ARGUMENT);
    assert_message_has(says);
  }
  assert_message_has("a multiple of 32 from 64 to 1024");
  assert_status(gpuarr_gufunc_create(&f, "()->()", "T x", "T y", "", 0, 2, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("order is 2");
  assert_status(gpuarr_gufunc_create(&f, NULL, "T x", "T y", "", 0, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("signature is NULL");
  assert_status(gpuarr_gufunc_create(&f, "()->()", NULL, "T y", "", 0, 0, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("in_params is NULL");
  assert_status(gpuarr_gufunc_create(&f, "()->()", "T x", NULL, "", 0, 0, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("out_params is NULL");
  assert_status(gpuarr_gufunc_create(&f, "()->()", "T x", "T y", NULL, 0, 0, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("body is NULL");
  assert_status(gpuarr_gufunc_create(NULL, "()->()", "T x", "T y", "", 0, 0, NULL),
                GPUARR_ERR_ARGUMENT);
  gpuarr_kernel_options* options = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_loop_prep(options, "int a;"));
  assert_status(gpuarr_gufunc_create(&f, "()->()", "T x", "T y", "", 0, 0, options),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("options has loop_prep, which a gufunc cannot use; leave it out");
  gpuarr_kernel_options_release(options);
}

/* Calls "(m,k),(k),(3?)->(m)" with arrays of these shapes; a negative extent ends one. */
static void refuse_call(const int64_t (*shapes)[4], int32_t order, gpuarr_status status,
                        const char* says) {
  gpuarr_gufunc* f = NULL;
  assert_ok(
      gpuarr_gufunc_create(&f, "(m,k),(k),(3?)->(m)", "T a, T b, T c", "T y", "", 0, order, NULL));
  gpuarr_array* arrays[4] = {NULL};
  for (int k = 0; k < 4; ++k) {
    int32_t ndim = 0;
    while (ndim < 4 && shapes[k][ndim] >= 0) ++ndim;
    if (k < 3 || ndim > 0) arrays[k] = zeros(GPUARR_F32, ndim, shapes[k]);
  }
  const gpuarr_arg inputs[] = {gpuarr_arg_array(arrays[0]), gpuarr_arg_array(arrays[1]),
                               gpuarr_arg_array(arrays[2])};
  gpuarr_array* out = arrays[3];
  assert_status(gpuarr_gufunc_call(f, &out, 1, inputs, 3, NULL), status);
  assert_message_has("gpuarr_gufunc_call: ");
  assert_message_has(says);
  assert_ptr_equal(out, arrays[3]);
  release_arrays(arrays, 4);
  gpuarr_gufunc_release(f);
}

static void shapes_that_do_not_fit(void** state) {
  (void)state;
  const gpuarr_status shape = GPUARR_ERR_SHAPE;
  refuse_call((const int64_t[4][4]){{4, -1}, {4, -1}, {3, -1}, {-1}}, 0, shape,
              "input 0 (\"a\") has shape (4,), but its core (m,k) takes 2 axes");
  refuse_call((const int64_t[4][4]){{4, 5, -1}, {-1}, {3, -1}, {-1}}, 0, shape,
              "input 1 (\"b\") has shape (), but its core (k) takes 1 axis");
  refuse_call((const int64_t[4][4]){{4, 5, -1}, {6, -1}, {3, -1}, {-1}}, 0, shape,
              "input 1 (\"b\") has shape (6,), so k of its core (k) is 6, but k of input 0 (\"a\") "
              "is 5");
  refuse_call((const int64_t[4][4]){{4, 5, -1}, {1, -1}, {3, -1}, {-1}}, 0, shape,
              "k of its core (k) is 1, but k of input 0 (\"a\") is 5");
  refuse_call((const int64_t[4][4]){{4, 5, -1}, {5, -1}, {4, -1}, {-1}}, 0, shape,
              "input 2 (\"c\") has shape (4,), with 4 where its core (3?) says 3");
  refuse_call((const int64_t[4][4]){{2, 4, 5, -1}, {7, 5, -1}, {3, -1}, {-1}}, 0,
              GPUARR_ERR_BROADCAST,
              "input 1 (\"b\") has outer shape (7,), which does not broadcast with (2,)");
  refuse_call((const int64_t[4][4]){{2, 4, 5, -1}, {5, -1}, {-1}, {3, 4, -1}}, 0,
              GPUARR_ERR_BROADCAST, "output 0 (\"y\") has outer shape (3,)");
  refuse_call((const int64_t[4][4]){{2, 4, 5, -1}, {5, -1}, {-1}, {1, 4, -1}}, 0, shape,
              "output 0 (\"y\") has outer shape (1,), but the loop's shape is (2,)");
  refuse_call((const int64_t[4][4]){{2, 4, 5, -1}, {5, -1}, {-1}, {2, 6, -1}}, 0, shape,
              "output 0 (\"y\") has shape (2, 6), so m of its core (m) is 6, but m of input 0");
  refuse_call((const int64_t[4][4]){{2, 4, 5, -1}, {5, -1}, {-1}, {-1}}, 1, shape,
              "input 1 (\"b\") has shape (5,), so k of its core (k) is 5, but k of input 0 (\"a\") "
              "is 4");
}

static void arguments_of_calls(void** state) {
  (void)state;
  gpuarr_gufunc* f = NULL;
  assert_ok(gpuarr_gufunc_create(&f, "(n),()->()", "T x, T a", "T y", "y = a;", 0, 0, NULL));
  gpuarr_array *x = ramp(GPUARR_F32, 3), *y = zeros(GPUARR_F64, 0, NULL), *none = NULL;
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_f64(1)};
  assert_status(gpuarr_gufunc_call(NULL, &none, 1, inputs, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gufunc is NULL");
  assert_status(gpuarr_gufunc_call(f, &none, 1, inputs, 1, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("input_count is 1");
  assert_status(gpuarr_gufunc_call(f, &none, 2, inputs, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("output_count is 2");
  assert_status(gpuarr_gufunc_call(f, &y, 1, inputs, 2, NULL), GPUARR_ERR_DTYPE);
  assert_message_has(
      "input 0 (\"x\") is float32, but its type is the placeholder T, which output 0");
  inputs[0] = gpuarr_arg_f32(1);
  assert_status(gpuarr_gufunc_call(f, &none, 1, inputs, 2, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("input 0 (\"x\") is a scalar, but its core (n) takes 1 axis");
  inputs[0] = gpuarr_arg_array(x);
  gpuarr_call* call = NULL;
  assert_status(gpuarr_gufunc_prepare(&call, f, &none, 1, inputs, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("outputs[0] is NULL");
  const char* source = NULL;
  assert_status(gpuarr_gufunc_source(&source, NULL, &none, 1, inputs, 2), GPUARR_ERR_ARGUMENT);
  assert_null(source);
  const int64_t no_rows[] = {0, 3};
  gpuarr_array* empty = zeros(GPUARR_F32, 2, no_rows);
  inputs[0] = gpuarr_arg_array(empty);
  assert_status(gpuarr_gufunc_source(&source, f, &none, 1, inputs, 2), GPUARR_ERR_SHAPE);
  assert_message_has("the loop has shape (0,) and no places");
  release_arrays((gpuarr_array*[]){x, y, empty}, 3);
  gpuarr_gufunc_release(f);
}

static void outputs_that_cannot_be_written(void** state) {
  (void)state;
  gpuarr_gufunc* f = NULL;
  assert_ok(gpuarr_gufunc_create(&f, "(n)->(n),(n)", "T x", "T y, T z", "", 0, 0, NULL));
  const int64_t shape[] = {2, 3};
  gpuarr_array *x = zeros(GPUARR_F32, 2, shape), *row = line(GPUARR_F32, 3), *wide = NULL;
  assert_ok(gpuarr_array_broadcast(&wide, row, 2, shape));
  const gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_array* repeated[] = {wide, NULL};
  assert_status(gpuarr_gufunc_call(f, repeated, 2, &input, 1, NULL), GPUARR_ERR_OVERLAP);
  assert_message_has("output 0 (\"y\") has elements that share memory");
  gpuarr_array* same[] = {x, x};
  assert_status(gpuarr_gufunc_call(f, same, 2, &input, 1, NULL), GPUARR_ERR_OVERLAP);
  assert_message_has("output 0 (\"y\") and output 1 (\"z\") share memory");
  release_arrays((gpuarr_array*[]){x, row, wide}, 3);
  gpuarr_gufunc_release(f);
}

static void more_axes_than_there_can_be(void** state) {
  (void)state;
  gpuarr_gufunc* f = NULL;
  assert_ok(gpuarr_gufunc_create(&f, "()->(2)", "T x", "T y", "y(0) = x;", 0, 0, NULL));
  int64_t shape[32];
  for (int k = 0; k < 32; ++k) shape[k] = 1;
  gpuarr_array *x = zeros(GPUARR_F32, 32, shape), *none = NULL;
  const gpuarr_arg input = gpuarr_arg_array(x);
  assert_status(gpuarr_gufunc_call(f, &none, 1, &input, 1, NULL), GPUARR_ERR_SHAPE);
  assert_message_has("output 0 (\"y\") would have 33 axes: 32 of the loop and 1 of its core (2)");
  gpuarr_array_release(x);
  gpuarr_gufunc_release(f);
}

/* Bodies that do not compile say so in their own lines, whoever runs them. */
static void bodies_that_do_not_compile(void** state) {
  (void)state;
  const int32_t groups[] = {GPUARR_GROUP_THREAD, GPUARR_GROUP_WARP, GPUARR_GROUP_BLOCK};
  for (int k = 0; k < 3; ++k) {
    gpuarr_gufunc* f = NULL;
    gpuarr_kernel_options* options = NULL;
    assert_ok(gpuarr_kernel_options_create(&options));
    assert_ok(gpuarr_kernel_options_set_name(options, "mine"));
    assert_ok(gpuarr_kernel_options_set_preamble(options, "\n__device__ int f() { return q2; }"));
    assert_ok(gpuarr_gufunc_create(&f, "(n)->()", "T x", "T y", "y = 0;\ny = x(0) + q1;", groups[k],
                                   0, options));
    gpuarr_kernel_options_release(options);
    gpuarr_array *x = ramp(GPUARR_F32, 3), *out = NULL;
    const gpuarr_arg input = gpuarr_arg_array(x);
    assert_status(gpuarr_gufunc_call(f, &out, 1, &input, 1, NULL), GPUARR_ERR_COMPILE);
    assert_null(out);
    assert_message_has("kernel \"mine\" (float32 x -> float32 y) does not compile on ");
    assert_message_has("\nbody, line 2, column 12: ");
    assert_message_has("    2 | y = x(0) + q1;\n      |            ^");
    assert_message_has("\npreamble, line 2, column 29: ");
    gpuarr_array_release(x);
    gpuarr_gufunc_release(f);
  }
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(signatures_outside_the_grammar),
      cmocka_unit_test(arguments_of_create),
      cmocka_unit_test(shapes_that_do_not_fit),
      cmocka_unit_test(arguments_of_calls),
      cmocka_unit_test(outputs_that_cannot_be_written),
      cmocka_unit_test(more_axes_than_there_can_be),
      cmocka_unit_test(bodies_that_do_not_compile),
  };
  return run_suite(tests);
}
