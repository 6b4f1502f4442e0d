/* Reductions by operators that are not commutative: over every shape and layout the result is that
 * of the elements one after the other, in C order of the reduced axes. */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "kernels.h"
#include "nested.h"
#include "reduced_shapes.h"

enum { most_words = 16 };

/* A partial result. */
struct partial {
  uint32_t w[most_words];
};

/* An operator of two inputs, on the device and here. Its results are two numbers. */
struct ordered {
  const char *preamble, *reduce_type, *map, *reduce, *post, *identity;
  struct partial (*element)(const struct element* e);
  struct partial (*combine)(struct partial a, struct partial b); /* a comes first */
  void (*finish)(const struct partial* a, double* p, double* q);
  struct partial first; /* the identity */
};

static uint32_t whole(double value) { return (uint32_t)(int32_t)value; }

/* x -> m x + c: the first one is applied first. */
static struct partial affine_element(const struct element* e) {
  return (struct partial){{2 * whole(e->x[0]) + 1, 5 * whole(e->x[1]) + (uint32_t)e->j}};
}

static struct partial affine_combine(struct partial a, struct partial b) {
  return (struct partial){{b.w[0] * a.w[0], b.w[0] * a.w[1] + b.w[1]}};
}

static void two_words(const struct partial* a, double* p, double* q) {
  *p = a->w[0];
  *q = a->w[1];
}

/* The product of matrices, row by row. */
static struct partial matrix_element(const struct element* e) {
  return (struct partial){{whole(e->x[0]), 1, whole(e->x[1]), (uint32_t)e->i | 1}};
}

static struct partial matrix_combine(struct partial a, struct partial b) {
  return (struct partial){{a.w[0] * b.w[0] + a.w[1] * b.w[2], a.w[0] * b.w[1] + a.w[1] * b.w[3],
                           a.w[2] * b.w[0] + a.w[3] * b.w[2], a.w[2] * b.w[1] + a.w[3] * b.w[3]}};
}

static void two_sums(const struct partial* a, double* p, double* q) {
  *p = a->w[0] + 3 * a->w[1];
  *q = a->w[2] + 5 * a->w[3];
}

static struct partial number_element(const struct element* e) {
  return (struct partial){{(uint32_t)e->i, whole(e->x[0] - 3 * e->x[1])}};
}

static struct partial first_combine(struct partial a, struct partial b) {
  (void)b;
  return a;
}

static struct partial last_combine(struct partial a, struct partial b) {
  (void)a;
  return b;
}

/* Eight affine maps side by side. */
static struct partial wide_element(const struct element* e) {
  struct partial made;
  for (uint32_t k = 0; k < 8; ++k) {
    made.w[2 * k] = 2 * whole(e->x[0]) + 2 * k + 1;
    made.w[2 * k + 1] = whole(e->x[1]) + k;
  }
  return made;
}

static struct partial wide_combine(struct partial a, struct partial b) {
  for (int k = 0; k < most_words; k += 2) {
    a.w[k + 1] = b.w[k] * a.w[k + 1] + b.w[k + 1];
    a.w[k] *= b.w[k];
  }
  return a;
}

static void alternating_sums(const struct partial* a, double* p, double* q) {
  uint32_t sums[2] = {0};
  for (uint32_t k = 0; k < most_words; ++k) sums[k % 2] += (k + 1) * a->w[k];
  *p = sums[0];
  *q = sums[1];
}

static const struct ordered operators[] = {
    {"struct A { unsigned m, c; };",
     "A",
     "A{2u * (int)x + 1u, 5u * (int)y + (unsigned)_J}",
     "A{b.m * a.m, b.m * a.c + b.c}",
     "p = a.m; q = a.c",
     "A{3, 5}",
     affine_element,
     affine_combine,
     two_words,
     {{3, 5}}},
    {"struct M { unsigned a, b, c, d; };\n"
     "__device__ M operator*(M x, M y) {\n"
     "  return {x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d, x.c * y.a + x.d * y.c,\n"
     "          x.c * y.b + x.d * y.d};\n"
     "}",
     "M",
     "M{(unsigned)(int)x, 1, (unsigned)(int)y, (unsigned)i | 1}",
     "a * b",
     "p = a.a + 3 * a.b; q = a.c + 5 * a.d",
     NULL,
     matrix_element,
     matrix_combine,
     two_sums,
     {{0}}},
    {"struct N { unsigned i; int v; };",
     "N",
     "N{(unsigned)i, (int)x - 3 * (int)y}",
     "a",
     "p = a.i; q = a.v",
     NULL,
     number_element,
     first_combine,
     two_words,
     {{0}}},
    {"struct N { unsigned i; int v; };",
     "N",
     "N{(unsigned)i, (int)x - 3 * (int)y}",
     "b",
     "p = a.i; q = a.v",
     "N{7, 7}",
     number_element,
     last_combine,
     two_words,
     {{7, 7}}},
    {"struct W { unsigned m[8], c[8]; };\n"
     "__device__ W element(int x, int y) {\n"
     "  W w;\n"
     "  for (int k = 0; k < 8; ++k) { w.m[k] = 2u * x + 2 * k + 1; w.c[k] = y + k; }\n"
     "  return w;\n"
     "}\n"
     "__device__ W both(W a, const W& b) {\n"
     "  for (int k = 0; k < 8; ++k) { a.c[k] = b.m[k] * a.c[k] + b.c[k]; a.m[k] *= b.m[k]; }\n"
     "  return a;\n"
     "}",
     "W",
     "element((int)x, (int)y)",
     "both(a, b)",
     "p = q = 0; for (int k = 0; k < 8; ++k) { p += (2 * k + 1) * a.m[k]; q += (2 * k + 2) * "
     "a.c[k]; }",
     NULL,
     wide_element,
     wide_combine,
     alternating_sums,
     {{0}}},
};
enum { operator_count = sizeof operators / sizeof *operators };

static gpuarr_reduction* kernels[operator_count];

static void make_kernels(void) {
  for (int k = 0; k < operator_count; ++k) {
    const struct ordered* o = &operators[k];
    kernels[k] = make_reduction(&(struct reduction_texts){.in = "T x, U y",
                                                          .out = "uint32 p, uint32 q",
                                                          .map = o->map,
                                                          .reduce = o->reduce,
                                                          .post = o->post,
                                                          .identity = o->identity,
                                                          .preamble = o->preamble,
                                                          .reduce_type = o->reduce_type,
                                                          .ordered = 1});
  }
}

static void drop_kernels(void) {
  for (int k = 0; k < operator_count; ++k) gpuarr_reduction_release(kernels[k]);
}

struct folds {
  const struct ordered* by;
  struct partial* results;
};

static void fold(void* context, const struct element* e) {
  struct folds* folds = context;
  struct partial* a = &folds->results[e->result];
  struct partial b = folds->by->element(e);
  if (e->j > 0)
    *a = folds->by->combine(*a, b);
  else
    *a = folds->by->identity != NULL ? folds->by->combine(folds->by->first, b) : b;
}

static void run(const struct reduced* r, int which, const struct operand* inputs, const char* what,
                int64_t number) {
  int64_t count = result_count(r);
  struct folds folds = {&operators[which], malloc((size_t)count * sizeof(struct partial))};
  double *p = malloc((size_t)count * sizeof *p), *q = malloc((size_t)count * sizeof *q);
  each_element(r, inputs, 2, fold, &folds);
  for (int64_t k = 0; k < count; ++k) operators[which].finish(&folds.results[k], &p[k], &q[k]);
  gpuarr_arg args[] = {gpuarr_arg_array(inputs[0].view), gpuarr_arg_array(inputs[1].view)};
  gpuarr_array* outputs[] = {NULL, NULL};
  int32_t axes[operand_axes], axis_count = name_axes(r, axes);
  assert_ok(gpuarr_reduction_call(kernels[which], outputs, 2, args, 2, axes, axis_count,
                                  r->keepdims, NULL));
  compare_results(r, outputs[0], p, what, number);
  compare_results(r, outputs[1], q, what, number);
  gpuarr_array_release(outputs[0]);
  gpuarr_array_release(outputs[1]);
  free(folds.results);
  free(p);
  free(q);
}

/* Each shape by one operator, from memory in one piece, in a random layout, or in both, and with
 * the second input repeated. */
static void run_shape(struct reduced r, const char* what) {
  const gpuarr_dtype dtypes[] = {GPUARR_I8, GPUARR_I32, GPUARR_F32, GPUARR_F64, GPUARR_I16};
  static int number;
  int64_t narrowed[operand_axes];
  int which = number % operator_count, way = number / operator_count % 4;
  gpuarr_dtype dtype = dtypes[which];
  struct operand inputs[2];
  ++number;
  inputs[0] = way == 3 ? make_operand(dtype, r.ndim, r.shape)
                       : make_flat_operand(dtype, r.ndim, r.shape, way);
  inputs[1] = way == 2 ? make_operand(GPUARR_I32, narrow(r.ndim, r.shape, narrowed), narrowed)
                       : make_flat_operand(GPUARR_I32, r.ndim, r.shape, 0);
  run(&r, which, inputs, what, which);
  drop_operand(&inputs[0]);
  drop_operand(&inputs[1]);
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

/* Reduced axes that lie in memory in another order than their own, or backwards. */
static void axes_against_memory(void** state) {
  (void)state;
  const int64_t shape[] = {5, 7, 3, 11};
  for (int round = 0; round < (sanitized ? 20 : 60); ++round) {
    struct reduced r = {4, {5, 7, 3, 11}, (unsigned)random_between(1, 15), 0};
    struct operand inputs[2];
    for (int k = 0; k < 2; ++k) inputs[k] = make_operand(GPUARR_I32, 4, shape);
    run(&r, round % operator_count, inputs, "round", round);
    for (int k = 0; k < 2; ++k) drop_operand(&inputs[k]);
  }
}

int main(void) {
  open_test_device();
  make_kernels();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_result),
      cmocka_unit_test(few_long_rows),
      cmocka_unit_test(many_short_rows),
      cmocka_unit_test(rows_in_between),
      cmocka_unit_test(columns),
      cmocka_unit_test(mixed_axes),
      cmocka_unit_test(axes_against_memory),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  drop_kernels();
  return finish_tests(failed);
}
