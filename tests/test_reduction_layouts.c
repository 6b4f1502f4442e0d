/* Reductions over random shapes, layouts, dtypes and axes, and over all the shapes that are reduced
 * in ways of their own, against one element after the other; nothing outside the outputs' elements
 * may change. */
#include <stdlib.h>

#include "arrays.h"
#include "elements.h"
#include "kernels.h"
#include "nested.h"
#include "reduced_shapes.h"

/* The identity is one that shows how often it came in. */
enum { identity = 3, most_inputs = 3 };

/* A kernel, and what it counts an element as. */
struct formula {
  int inputs;
  const char *in, *map, *identity;
  double coefficients[most_inputs];
  int64_t i_period, j_period; /* 0 if the map does not see them */
};

static const struct formula formulas[] = {
    {1, "T x", "x", "3", {1}, 0, 0},
    {2, "T x, T y", "x - (T)2 * y", "3", {1, -2}, 0, 0},
    {3, "T x, T y, T z", "x - (T)2 * y + z", "3", {1, -2, 1}, 0, 0},
    {1, "T x", "x + (T)(i % 7 - 3)", "3", {1}, 7, 0},
    {2, "T x, T y", "x - y + (T)(_J % 5 - 2)", "3", {1, -1}, 0, 5},
    {2, "T x, complex64 y", "x - y", "complex64(3, 6)", {1, -1}, 0, 0}, /* see elements.h */
};
enum { formula_count = sizeof formulas / sizeof *formulas, complex_formula = formula_count - 1 };

static gpuarr_reduction* kernels[formula_count];
static gpuarr_reduction* maximum;

static void make_kernels(void) {
  for (int k = 0; k < formula_count; ++k)
    assert_ok(gpuarr_reduction_create(&kernels[k], formulas[k].in, "T r", formulas[k].map, "a + b",
                                      "r = a", formulas[k].identity, NULL));
  maximum = make_fold("a < b ? b : a", NULL);
}

static void drop_kernels(void) {
  for (int k = 0; k < formula_count; ++k) gpuarr_reduction_release(kernels[k]);
  gpuarr_reduction_release(maximum);
}

struct sums {
  const struct formula* formula;
  double* results;
};

static void add_up(void* context, const struct element* e) {
  struct sums* sums = context;
  const struct formula* f = sums->formula;
  double term = e->j == 0 ? identity : 0;
  for (int k = 0; k < f->inputs; ++k) term += f->coefficients[k] * e->x[k];
  if (f->i_period != 0) term += (double)(e->i % f->i_period - f->i_period / 2);
  if (f->j_period != 0) term += (double)(e->j % f->j_period - f->j_period / 2);
  sums->results[e->result] = (e->j == 0 ? 0 : sums->results[e->result]) + term;
}

static void take_largest(void* results, const struct element* e) {
  double* largest = (double*)results + e->result;
  if (e->j == 0 || *largest < e->x[0]) *largest = e->x[0];
}

/* Where a case came from, for messages, and its operands. */
struct test_case {
  const char* what;
  int64_t number;
  gpuarr_dtype dtype;
  struct reduced loop;
  struct operand inputs[most_inputs];
};

/* Runs a kernel into memory that is given, or into an array that it makes. */
static void run(struct test_case* c, gpuarr_reduction* kernel, int count, const double* expected) {
  gpuarr_arg args[most_inputs];
  gpuarr_array* made = NULL;
  int32_t axes[operand_axes], axis_count = name_axes(&c->loop, axes);
  for (int k = 0; k < count; ++k) args[k] = gpuarr_arg_array(c->inputs[k].view);
  if (random_between(0, 1)) {
    assert_ok(gpuarr_reduction_call(kernel, &made, 1, args, count, axes, axis_count,
                                    c->loop.keepdims, NULL));
    compare_results(&c->loop, made, expected, c->what, c->number);
    gpuarr_array_release(made);
    return;
  }
  int64_t shape[operand_axes];
  int32_t ndim = result_shape(&c->loop, shape);
  struct operand out = make_operand(c->dtype, ndim, shape);
  assert_ok(gpuarr_reduction_call(kernel, &out.view, 1, args, count, axes, axis_count,
                                  c->loop.keepdims, NULL));
  expect_results(&out, expected);
  compare_operand(&out, c->what, c->number);
  drop_operand(&out);
}

static void run_sum(struct test_case* c, int which) {
  struct sums sums = {&formulas[which], NULL};
  sums.results = malloc((size_t)result_count(&c->loop) * sizeof(double));
  each_element(&c->loop, c->inputs, formulas[which].inputs, add_up, &sums);
  run(c, kernels[which], formulas[which].inputs, sums.results);
  free(sums.results);
}

static void run_maximum(struct test_case* c) {
  double* largest = malloc((size_t)result_count(&c->loop) * sizeof(double));
  each_element(&c->loop, c->inputs, 1, take_largest, largest);
  run(c, maximum, 1, largest);
  free(largest);
}

static void drop_inputs(struct test_case* c, int count) {
  for (int k = 0; k < count; ++k) drop_operand(&c->inputs[k]);
}

/* Random layouts. */

static void draw_loop(struct reduced* r) {
  const int64_t extents[] = {1, 2, 3, 7, 8, 31, 32, 33, 100, 255, 256, 257, 1000};
  int64_t room = 50000;
  r->ndim = (int32_t)random_between(0, operand_axes);
  for (int32_t axis = 0; axis < r->ndim; ++axis) {
    do r->shape[axis] = extents[random_between(0, 12)];
    while (r->shape[axis] > room);
    room /= r->shape[axis];
  }
  r->reduced = (unsigned)random_between(0, (1 << r->ndim) - 1);
  r->keepdims = (int32_t)random_between(0, 1);
}

/* Of the loop's shape, maybe by repeating elements; or one that has to be broadcast. */
static struct operand draw_input(gpuarr_dtype dtype, const struct reduced* r, int whole) {
  int64_t shape[operand_axes];
  int repeats = random_between(0, 5) == 0;
  if (whole && !repeats) return make_operand(dtype, r->ndim, r->shape);
  struct operand o = make_operand(dtype, narrow(r->ndim, r->shape, shape), shape);
  if (!whole) return o;
  gpuarr_array* view = NULL;
  assert_ok(gpuarr_array_broadcast(&view, o.view, r->ndim, r->shape));
  look_through(&o, view);
  return o;
}

static gpuarr_dtype draw_dtype(int which) {
  const gpuarr_dtype dtypes[] = {GPUARR_I8,  GPUARR_I16,  GPUARR_I32, GPUARR_I64, GPUARR_U8,
                                 GPUARR_F16, GPUARR_BF16, GPUARR_F32, GPUARR_F64};
  return which == complex_formula ? GPUARR_C64 : dtypes[random_between(0, 8)];
}

static void random_layouts(void** state) {
  (void)state;
  const int rounds = sanitized ? 8 : 40;
  for (int round = 0; round < rounds; ++round) {
    int which = (int)random_between(0, formula_count); /* or the maximum */
    int count = which < formula_count ? formulas[which].inputs : 1;
    int whole = (int)random_between(0, count - 1);
    struct test_case c = {"round", round, draw_dtype(which), {0}, {{0}}};
    draw_loop(&c.loop);
    for (int k = 0; k < count; ++k) c.inputs[k] = draw_input(c.dtype, &c.loop, k == whole);
    if (which < formula_count)
      run_sum(&c, which);
    else
      run_maximum(&c);
    drop_inputs(&c, count);
  }
}

/* Shapes that are reduced in ways of their own. */

/* One input in one piece, the same a little off alignment, two of which one is off, and a random
 * layout; of a large shape only one of these. Few dtypes, since each costs compilations. */
static void run_shape(struct reduced loop, const char* what) {
  static int64_t number;
  const gpuarr_dtype dtypes[] = {GPUARR_F32, GPUARR_I8, GPUARR_F64, GPUARR_I16};
  const int64_t large = 200000;
  const int ways = 4, one = count_of(loop.ndim, loop.shape) > large || sanitized;
  const int first = one ? (int)random_between(0, ways - 1) : 0;
  ++number;
  for (int way = first; way < (one ? first + 1 : ways); ++way) {
    gpuarr_dtype dtype = way == 0 && number % 2 ? GPUARR_F16 : dtypes[way];
    struct test_case c = {what, way, dtype, loop, {{0}}};
    int inputs = way == 2 ? 2 : 1;
    c.inputs[0] = way == 3 ? make_operand(c.dtype, loop.ndim, loop.shape)
                           : make_flat_operand(c.dtype, loop.ndim, loop.shape, way == 1);
    if (way == 2) c.inputs[1] = make_flat_operand(c.dtype, loop.ndim, loop.shape, 3);
    if (way == 1 && random_between(0, 1))
      run_maximum(&c);
    else if (way == 2)
      run_sum(&c, number % 2 ? 1 : 4);
    else
      run_sum(&c, number % 4 == 3 ? 3 : 0);
    drop_inputs(&c, inputs);
  }
}

static void one_result(void** state) {
  (void)state;
  each_one_result(run_shape);
}

static void few_long_rows(void** state) {
  (void)state;
  each_long_rows(run_shape);
}

static void many_short_rows(void** state) {
  (void)state;
  each_short_rows(run_shape);
}

static void rows_in_between(void** state) {
  (void)state;
  each_middle_rows(run_shape);
}

static void columns(void** state) {
  (void)state;
  each_columns(run_shape);
}

static void mixed_axes(void** state) {
  (void)state;
  each_mixed_axes(run_shape);
}

/* One input is there once for all rows, for all columns, or for both. */
static void repeated_inputs(void** state) {
  (void)state;
  const int64_t shapes[][2] = {{1, 1003}, {300, 1}, {1, 1}, {300, 1003}};
  for (int which = 0; which < 3; ++which)
    for (unsigned axes = 1; axes < 4; ++axes)
      for (int second = 0; second < 2; ++second) {
        struct reduced loop = {2, {300, 1003}, axes, 0};
        struct test_case c = {"repeated", which, which == 1 ? GPUARR_F16 : GPUARR_F32, loop, {{0}}};
        c.inputs[second] = make_flat_operand(c.dtype, 2, shapes[which], 0);
        c.inputs[!second] = make_flat_operand(c.dtype, 2, shapes[3], 0);
        run_sum(&c, 1);
        drop_inputs(&c, 2);
      }
}

/* Rows that begin at every place between two packs, and go on from there at their own pace. */
static void every_alignment(void** state) {
  (void)state;
  const gpuarr_dtype dtypes[] = {GPUARR_I8, GPUARR_F16, GPUARR_F32, GPUARR_F64};
  for (int t = 0; t < 4; ++t)
    for (int64_t off = 0; off < 17; ++off) {
      struct reduced loop = {2, {9, 300}, 2, 0};
      struct test_case c = {"off by", off, dtypes[t], loop, {{0}}};
      const int64_t wide[] = {9, 300 + off};
      for (int k = 0; k < 2; ++k) {
        gpuarr_array* part = NULL;
        c.inputs[k] = make_flat_operand(c.dtype, 2, wide, k * off / 2);
        assert_ok(gpuarr_array_slice(&part, c.inputs[k].view, 1, off, off + 300, 1));
        look_through(&c.inputs[k], part);
      }
      run_sum(&c, (int)off % 2);
      c.loop.reduced = 1;
      run_sum(&c, (int)off % 2);
      c.loop.reduced = 3;
      run_sum(&c, (int)off % 2);
      drop_inputs(&c, 2);
    }
}

int main(void) {
  open_test_device();
  make_kernels();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_layouts),  cmocka_unit_test(one_result),
      cmocka_unit_test(few_long_rows),   cmocka_unit_test(many_short_rows),
      cmocka_unit_test(rows_in_between), cmocka_unit_test(columns),
      cmocka_unit_test(mixed_axes),      cmocka_unit_test(repeated_inputs),
      cmocka_unit_test(every_alignment),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  drop_kernels();
  return finish_tests(failed);
}
