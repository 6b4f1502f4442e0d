/* The value of an element does not depend on its place: in which array it is, of what shape and
 * layout, where its row ends, and what is computed beside it. Nor does it on whether a reduction
 * computes it or a kernel before. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "arrays.h"
#include "kernels.h"
#include "nested.h"
#include "reduced.h"

enum { most_inputs = 5, most_outputs = 2 };

/* Of a NaN neither sign nor payload is anybody's promise. */
static int same(double x, double y) {
  return (isnan(x) && isnan(y)) || (x == y && !signbit(x) == !signbit(y));
}

static void assert_same(const double* actual, const double* expected, int64_t count,
                        const char* what, gpuarr_dtype dtype, const char* how) {
  for (int64_t k = 0; k < count; ++k)
    if (!same(actual[k], expected[k]))
      fail_msg("%s of %s, %s: element %lld of %lld is %a, elsewhere %a", what,
               gpuarr_dtype_name(dtype), how, (long long)k, (long long)count, actual[k],
               expected[k]);
}

static double draw(void) {
  const double special[] = {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 1e-310, 1e300, 1e-42, 1e38};
  const double x = random_unit();
  switch (random_between(0, 20)) {
    case 0:
      return special[random_between(0, sizeof special / sizeof *special - 1)];
    case 1:
    case 2:
      return ldexp(x - 0.5, (int)random_between(-30, 30));
    case 3:
    case 4:
    case 5:
      return 2 * x - 1;
    default:
      return 16 * x - 8;
  }
}

static gpuarr_array* drawn(gpuarr_dtype dtype, int64_t count) {
  double* values = malloc((size_t)count * sizeof(double));
  for (int64_t k = 0; k < count; ++k) values[k] = draw();
  gpuarr_array *wide = from(GPUARR_F64, 1, &count, values), *array = NULL;
  assert_ok(gpuarr_array_astype(&array, wide, dtype, NULL));
  gpuarr_array_release(wide);
  free(values);
  return array;
}

static gpuarr_array* part(const gpuarr_array* x, int64_t start, int64_t count) {
  gpuarr_array* view = NULL;
  assert_ok(gpuarr_array_slice(&view, x, 0, start, start + count, 1));
  return view;
}

/* The same elements as rows, in a layout of their own. */
static struct operand laid_out(const gpuarr_array* x, const int64_t* shape) {
  struct operand o = make_operand(gpuarr_array_dtype(x), 2, shape);
  gpuarr_array* rows = NULL;
  assert_ok(gpuarr_array_reshape(&rows, x, 2, shape));
  assert_ok(gpuarr_array_assign(o.view, rows, NULL));
  gpuarr_array_release(rows);
  return o;
}

/* What is computed: a function of the catalogue, or a kernel. */
struct work {
  const char* name;
  gpuarr_elementwise* kernel;
  gpuarr_dtype dtype;
  int32_t inputs, outputs;
  int32_t arrays; /* of the inputs; the others are the number 1 */
};

static gpuarr_status run(const struct work* w, gpuarr_array* const* x, gpuarr_array** out) {
  gpuarr_arg args[most_inputs];
  for (int32_t k = 0; k < w->inputs; ++k)
    args[k] = k < w->arrays ? gpuarr_arg_array(x[k]) : gpuarr_arg_i64(1);
  if (w->kernel == NULL) return gpuarr_apply(out, w->outputs, w->name, args, w->inputs, NULL, NULL);
  return gpuarr_elementwise_call(w->kernel, out, w->outputs, args, w->inputs, GPUARR_NO_SIZE, NULL);
}

/* Runs it on arrays, which it releases, and compares with what came of the same elements. */
static void compare(const struct work* w, gpuarr_array** x, gpuarr_array** out, int64_t count,
                    double* const* expected, const char* how) {
  assert_ok(run(w, x, out));
  for (int32_t k = 0; k < w->outputs; ++k) {
    double* actual = doubles_of(out[k]);
    assert_same(actual, expected[k], count, w->name, w->dtype, how);
    free(actual);
  }
  release_arrays(out, w->outputs);
  release_arrays(x, w->arrays);
}

static void compare_part(const struct work* w, gpuarr_array* const* x, int64_t start, int64_t count,
                         double* const* expected, const char* how) {
  gpuarr_array *parts[most_inputs], *out[most_outputs] = {NULL};
  double* there[most_outputs];
  for (int32_t k = 0; k < w->arrays; ++k) parts[k] = part(x[k], start, count);
  for (int32_t k = 0; k < w->outputs; ++k) there[k] = expected[k] + start;
  compare(w, parts, out, count, there, how);
}

/* Inputs and outputs in layouts of their own; or in those, an output that is an input as well. */
static void compare_layouts(const struct work* w, gpuarr_array* const* x, const int64_t* shape,
                            double* const* expected, const gpuarr_array* const* results) {
  struct operand inputs[most_inputs], outputs[most_outputs];
  gpuarr_array *views[most_inputs], *out[most_outputs];
  for (int32_t k = 0; k < w->arrays; ++k) {
    inputs[k] = laid_out(x[k], shape);
    views[k] = gpuarr_array_retain(inputs[k].view);
  }
  for (int32_t k = 0; k < w->outputs; ++k) {
    outputs[k] = make_operand(gpuarr_array_dtype(results[k]), 2, shape);
    const int in_place = k == 0 && random_between(0, 1) == 0 &&
                         gpuarr_array_dtype(views[0]) == gpuarr_array_dtype(results[0]);
    out[k] = gpuarr_array_retain(in_place ? views[0] : outputs[k].view);
  }
  compare(w, views, out, shape[0] * shape[1], expected, "in another layout");
  for (int32_t k = 0; k < w->arrays; ++k) drop_operand(&inputs[k]);
  for (int32_t k = 0; k < w->outputs; ++k) drop_operand(&outputs[k]);
}

static void check_places(const struct work* w, int in_layouts) {
  const int64_t shape[] = {random_between(2, 6), random_between(1, 70)};
  const int64_t count = shape[0] * shape[1];
  gpuarr_array *x[most_inputs], *out[most_outputs] = {NULL};
  double* expected[most_outputs];
  for (int32_t k = 0; k < w->arrays; ++k) x[k] = drawn(w->dtype, count);
  assert_ok(run(w, x, out));
  for (int32_t k = 0; k < w->outputs; ++k) expected[k] = doubles_of(out[k]);
  for (int64_t row = 0; row < shape[0]; ++row)
    compare_part(w, x, row * shape[1], shape[1], expected, "a row alone");
  for (int k = 0; k < 4; ++k)
    compare_part(w, x, random_between(0, count - 1), 1, expected, "alone");
  if (in_layouts) compare_layouts(w, x, shape, expected, (const gpuarr_array* const*)out);
  for (int32_t k = 0; k < w->outputs; ++k) free(expected[k]);
  release_arrays(out, w->outputs);
  release_arrays(x, w->arrays);
}

/* With as many arrays as it takes; 0 if it takes none of these elements. */
static int takes(struct work* w) {
  gpuarr_array* x = line(w->dtype, 1);
  gpuarr_array* inputs[most_inputs] = {x, x, x, x, x};
  int taken = 0;
  for (int32_t arrays = w->inputs; arrays > 0 && !taken; --arrays) {
    gpuarr_array* out[most_outputs] = {NULL};
    w->arrays = arrays;
    taken = run(w, inputs, out) == GPUARR_OK;
    release_arrays(out, most_outputs);
  }
  gpuarr_array_release(x);
  return taken;
}

/* Each function with float32, and with others at times: each compiles two kernels. */
static void check_function(int32_t number, int* checked) {
  const gpuarr_dtype dtypes[] = {GPUARR_F32, GPUARR_F64, GPUARR_F16, GPUARR_BF16};
  const int64_t one_in[] = {1, 2, 8, 8};
  const char* about = NULL;
  for (int k = 0; k < 4; ++k) {
    struct work w = {.dtype = dtypes[k]};
    if (random_between(1, one_in[k]) > 1) continue;
    assert_ok(gpuarr_apply_describe(&w.name, &about, &w.inputs, &w.outputs, number));
    if (!takes(&w)) continue;
    check_places(&w, random_between(0, 1) == 0);
    ++*checked;
  }
}

static void of_functions(void** state) {
  (void)state;
  int checked = 0;
  const int32_t step = 4; /* the others in another run */
  for (int32_t k = (int32_t)random_between(0, step - 1); k < gpuarr_apply_count(); k += step)
    check_function(k, &checked);
  assert_true(checked * step > 90);
}

static void of_bodies(void** state) {
  (void)state;
  static const struct {
    const char *in, *out, *body;
    int32_t inputs, outputs;
  } texts[] = {
      {"T x", "T y, T z", "y = exp(x); z = log(x)", 1, 2},
      {"T x, T y", "T z", "z = x > 0 ? sin(x) : cos(y)", 2, 1},
      {"T x", "T y", "if (x > 0) y = tanh(x); else y = x", 1, 1},
      {"T x", "T y", "y = 0; for (int k = 0; k < 3; ++k) y += erf(x * k)", 1, 1},
      {"T x", "float32 y, float64 z", "y = expf(x); z = exp((double)x)", 1, 2},
      {"T x", "float64 y, float16 z", "y = cbrt((double)x); z = cosf(x)", 1, 2},
      {"T x, T y", "T z", "z = pow(fabs(x), y) + hypot(x, y) + atan2(y, x)", 2, 1},
      {"T x", "T y", "y = normcdf(x); if (isnan(y)) return; y = rcbrt(x) + sinpi(x)", 1, 1},
      {"T x", "int8 y", "y = 100 * sin(x) == 100 * sin(x) ? (int)(100 * sin(x)) : 0", 1, 1},
  };
  const gpuarr_dtype dtypes[] = {GPUARR_F32, GPUARR_F64};
  for (size_t k = 0; k < 2 * sizeof texts / sizeof *texts; ++k) {
    const size_t t = k / 2;
    gpuarr_elementwise* kernel = make_elementwise(texts[t].in, texts[t].out, texts[t].body);
    const struct work w = {texts[t].body,   kernel,           dtypes[k % 2],
                           texts[t].inputs, texts[t].outputs, texts[t].inputs};
    check_places(&w, 1);
    gpuarr_elementwise_release(kernel);
  }
}

/* Parts of it go to several threads. */
static void of_large_arrays(void** state) {
  (void)state;
  const struct work w = {"exp", NULL, GPUARR_F32, 1, 1, 1};
  const int64_t count = 300007;
  gpuarr_array *x = drawn(w.dtype, count), *out = NULL;
  assert_ok(run(&w, &x, &out));
  double* expected = doubles_of(out);
  for (int k = 0; k < 20; ++k) {
    const int64_t start = random_between(0, count - 1);
    compare_part(&w, &x, start, random_between(1, count - start), &expected, "a part");
  }
  free(expected);
  release_arrays((gpuarr_array*[]){x, out}, 2);
}

/* Elements that are kept, as the mask says, and computed are among each other. */
static void of_masked_arrays(void** state) {
  (void)state;
  const int64_t count = 1003;
  gpuarr_array *x = drawn(GPUARR_F32, count), *all = NULL, *some = zeros(GPUARR_F32, 1, &count);
  uint8_t* flags = malloc((size_t)count);
  for (int64_t k = 0; k < count; ++k) flags[k] = random_between(0, 1) == 0;
  gpuarr_array* mask = from(GPUARR_BOOL, 1, &count, flags);
  const gpuarr_arg arg = gpuarr_arg_array(x);
  assert_ok(gpuarr_apply(&all, 1, "log1p", &arg, 1, NULL, NULL));
  assert_ok(gpuarr_apply(&some, 1, "log1p", &arg, 1, mask, NULL));
  double *expected = doubles_of(all), *actual = doubles_of(some);
  for (int64_t k = 0; k < count; ++k)
    if (!flags[k]) expected[k] = 0;
  assert_same(actual, expected, count, "log1p", GPUARR_F32, "masked");
  free(flags);
  free(expected);
  free(actual);
  release_arrays((gpuarr_array*[]){x, all, some, mask}, 4);
}

/* On a GPU how many elements a thread adds up depends on what it computes for them. */
static void assert_sums(const double* actual, const double* expected, int64_t results,
                        int64_t elements, gpuarr_dtype dtype, const char* map) {
  if (test_device_is_host()) {
    assert_same(actual, expected, results, map, dtype, "summed");
    return;
  }
  const double eps = dtype == GPUARR_F32 ? 0x1p-24 : 0x1p-53;
  const double bound = 4 * log2((double)elements + 2) * eps;
  for (int64_t k = 0; k < results; ++k) /* what is summed is positive */
    if (!same(actual[k], expected[k])) assert_close(actual[k] / expected[k], 1, bound);
}

static void check_sums(const char* map, const char* reduce, gpuarr_dtype dtype,
                       const struct reduced* r) {
  char body[80];
  snprintf(body, sizeof body, "y = %s", map);
  const int64_t count = count_of(r->ndim, r->shape);
  gpuarr_array *flat = drawn(dtype, count), *x = NULL, *out[2] = {NULL};
  assert_ok(gpuarr_array_reshape(&x, flat, r->ndim, r->shape));
  gpuarr_elementwise* kernel = make_elementwise("T x", "T y", body);
  gpuarr_arg arg = gpuarr_arg_array(x);
  gpuarr_array* mapped = run_elementwise(kernel, &arg, 1);
  int32_t axes[operand_axes];
  const int32_t axis_count = name_axes(r, axes);
  const char* const maps[] = {map, "x"};
  for (int k = 0; k < 2; ++k) {
    gpuarr_reduction* sum = make_reduction(&(struct reduction_texts){
        .in = "T x", .out = "T y", .map = maps[k], .reduce = reduce, .post = "y = a"});
    arg = gpuarr_arg_array(k == 0 ? x : mapped);
    assert_ok(gpuarr_reduction_call(sum, &out[k], 1, &arg, 1, axes, axis_count, 0, NULL));
    gpuarr_reduction_release(sum);
  }
  double *actual = doubles_of(out[0]), *expected = doubles_of(out[1]);
  assert_sums(actual, expected, result_count(r), count, dtype, map);
  free(actual);
  free(expected);
  gpuarr_elementwise_release(kernel);
  release_arrays((gpuarr_array*[]){flat, x, mapped, out[0], out[1]}, 5);
}

static struct reduced draw_reduced(void) {
  struct reduced r = {(int32_t)random_between(1, 3), {0}, 0, 0};
  const int64_t longest = r.ndim == 1 ? 200000 : r.ndim == 2 ? 400 : 60;
  for (int32_t axis = 0; axis < r.ndim; ++axis) r.shape[axis] = random_between(1, longest);
  r.reduced = (unsigned)random_between(1, (1 << r.ndim) - 1);
  return r;
}

static void of_what_is_summed(void** state) {
  (void)state;
  static const char* const maps[] = {"exp(x)",  "fabs(log(x))", "fabs(sin(x))", "fabs(tanh(x))",
                                     "erfc(x)", "exp2(x)",      "fabs(cbrt(x))"};
  const gpuarr_dtype dtypes[] = {GPUARR_F32, GPUARR_F64};
  for (size_t k = 0; k < sizeof maps / sizeof *maps; ++k)
    for (int n = 0; n < 2; ++n) {
      const struct reduced r = draw_reduced();
      check_sums(maps[k], "a + b", dtypes[n % 2], &r);
    }
  for (int n = 0; n < 4; ++n) {
    const struct reduced r = draw_reduced();
    check_sums("exp(x)", "a > b ? a : b", dtypes[n % 2], &r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(of_functions),      cmocka_unit_test(of_bodies),
      cmocka_unit_test(of_large_arrays),   cmocka_unit_test(of_masked_arrays),
      cmocka_unit_test(of_what_is_summed),
  };
  return run_suite(tests);
}
