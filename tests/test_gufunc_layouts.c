/* Gufuncs over random shapes, orders, slices, transposes and broadcasts, by each kind of group,
 * against a naive loop; nothing outside the output's elements may change. */
#include "arrays.h"
#include "elements.h"
#include "nested.h"
#include "operands.h"

enum { max_outer = 3, rounds = sanitized ? 12 : 36 };

/* One product of matrices for each place: sizes, of which m and n may be missing. */
struct product {
  int64_t m, k, n;
  int without_m, without_n;
  int32_t ndim; /* of the outer shape */
  int64_t shape[max_outer];
};

static struct product draw_product(void) {
  static const int64_t sizes[] = {1, 2, 3, 4, 40};
  struct product p = {.m = sizes[random_between(0, 4)], .k = sizes[random_between(0, 4)]};
  p.n = sizes[random_between(0, 4)];
  if (random_between(0, 9) == 0) p.k = 0;
  p.without_m = random_between(0, 4) == 0;
  p.without_n = random_between(0, 4) == 0;
  if (p.without_m) p.m = 1;
  if (p.without_n) p.n = 1;
  p.ndim = (int32_t)random_between(0, max_outer);
  for (int axis = 0; axis < p.ndim; ++axis) p.shape[axis] = random_between(1, p.ndim > 1 ? 6 : 70);
  return p;
}

/* An operand of the outer shape, or of one that broadcasts to it, and of the core's sizes, of which
 * negative ones are missing. Where they are, an input has no outer axes. */
static struct operand draw_operand(gpuarr_dtype dtype, const struct product* p, int broadcasts,
                                   int64_t rows, int64_t columns) {
  int64_t shape[max_outer + 2];
  int32_t ndim = p->ndim;
  if (broadcasts && (rows < 0 || columns < 0)) ndim = 0;
  if (broadcasts)
    ndim = narrow(ndim, p->shape, shape);
  else
    for (int axis = 0; axis < ndim; ++axis) shape[axis] = p->shape[axis];
  if (rows >= 0) shape[ndim++] = rows;
  if (columns >= 0) shape[ndim++] = columns;
  return make_operand(dtype, ndim, shape);
}

/* Where the core of an operand begins at a place, and its steps. */
static int64_t core_of(const struct operand* o, const struct product* p, const int64_t* index,
                       int rows, int columns, int64_t* steps) {
  const int32_t core = rows + columns, outer = gpuarr_array_ndim(o->view) - core;
  const int64_t *shape = gpuarr_array_shape(o->view), *strides = gpuarr_array_strides(o->view);
  int64_t at = o->offset;
  for (int32_t axis = 0; axis < outer; ++axis)
    if (shape[axis] != 1) at += index[axis + p->ndim - outer] * strides[axis];
  steps[0] = rows ? strides[outer] : 0;
  steps[1] = columns ? strides[outer + rows] : 0;
  return at;
}

static void expect(const struct operand* a, const struct operand* b, struct operand* c,
                   const struct product* p) {
  int64_t index[max_outer] = {0}, of_a[2], of_b[2], of_c[2];
  do {
    const int64_t at_a = core_of(a, p, index, !p->without_m, 1, of_a);
    const int64_t at_b = core_of(b, p, index, 1, !p->without_n, of_b);
    const int64_t at_c = core_of(c, p, index, !p->without_m, !p->without_n, of_c);
    for (int64_t i = 0; i < p->m; ++i)
      for (int64_t j = 0; j < p->n; ++j) {
        double* to = &c->values[at_c + i * of_c[0] + j * of_c[1]];
        for (int64_t l = 0; l < p->k; ++l)
          *to += a->values[at_a + i * of_a[0] + l * of_a[1]] *
                 b->values[at_b + l * of_b[0] + j * of_b[1]];
        *to = wrapped(gpuarr_array_dtype(c->view), *to);
      }
  } while (next_index(p->ndim, p->shape, index));
}

/* The same array with the core's axes first, and the others in the opposite order. */
static gpuarr_array* core_first(const struct operand* o, int32_t core) {
  int32_t axes[max_outer + 2], ndim = gpuarr_array_ndim(o->view);
  for (int32_t axis = 0; axis < ndim; ++axis)
    axes[axis] = axis < core ? ndim - core + axis : ndim - 1 - axis;
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_array_transpose(&out, o->view, ndim, ndim > 0 ? axes : NULL));
  return out;
}

static void run(gpuarr_gufunc* f, const struct operand* a, const struct operand* b,
                const struct operand* c, const struct product* p, int32_t order) {
  const int32_t core_a = 2 - p->without_m, core_b = 2 - p->without_n;
  const int32_t core_c = 2 - p->without_m - p->without_n;
  gpuarr_array* arrays[3] = {gpuarr_array_retain(a->view), gpuarr_array_retain(b->view),
                             gpuarr_array_retain(c->view)};
  if (order == GPUARR_ORDER_F) {
    replace(&arrays[0], core_first(a, core_a));
    replace(&arrays[1], core_first(b, core_b));
    replace(&arrays[2], core_first(c, core_c));
  }
  const gpuarr_arg inputs[] = {gpuarr_arg_array(arrays[0]), gpuarr_arg_array(arrays[1])};
  assert_ok(gpuarr_gufunc_call(f, &arrays[2], 1, inputs, 2, NULL));
  release_arrays(arrays, 3);
}

static const int32_t groups[] = {GPUARR_GROUP_AUTO, GPUARR_GROUP_THREAD, GPUARR_GROUP_WARP,
                                 GPUARR_GROUP_BLOCK, 96};
enum { group_count = sizeof groups / sizeof *groups };

static void one_round(gpuarr_gufunc* (*const f)[2], int round) {
  const gpuarr_dtype dtypes[] = {GPUARR_F32, GPUARR_I32, GPUARR_F64, GPUARR_I8};
  const gpuarr_dtype dtype = dtypes[random_between(0, 5) > 0 ? 0 : random_between(1, 3)];
  const struct product p = draw_product();
  struct operand a = draw_operand(dtype, &p, 1, p.without_m ? -1 : p.m, p.k);
  struct operand b = draw_operand(dtype, &p, 1, p.k, p.without_n ? -1 : p.n);
  struct operand c = draw_operand(dtype, &p, 0, p.without_m ? -1 : p.m, p.without_n ? -1 : p.n);
  expect(&a, &b, &c, &p);
  const int32_t order = (int32_t)random_between(0, 1);
  run(f[random_between(0, group_count - 1)][order], &a, &b, &c, &p, order);
  compare_operand(&c, "round", round);
  drop_operand(&a);
  drop_operand(&b);
  drop_operand(&c);
}

static void random_products(void** state) {
  (void)state;
  gpuarr_gufunc* f[group_count][2];
  for (int g = 0; g < group_count; ++g)
    for (int32_t order = 0; order < 2; ++order)
      assert_ok(
          gpuarr_gufunc_create(&f[g][order], "(m?,k),(k,n?)->(m?,n?)", "T a, T b", "T c",
                               "for (long long e = group.rank(); e < m * n; e += group.size()) {\n"
                               "  T sum = c(e / n, e % n);\n"
                               "  for (int j = 0; j < k; ++j) sum += a(e / n, j) * b(j, e % n);\n"
                               "  c(e / n, e % n) = sum;\n"
                               "}",
                               groups[g], order, NULL));
  for (int round = 0; round < rounds; ++round) one_round(f, round);
  for (int g = 0; g < group_count; ++g)
    for (int32_t order = 0; order < 2; ++order) gpuarr_gufunc_release(f[g][order]);
}

/* Sums over cores that are larger than any group, and elements by linear index. */
static void long_rows(void** state) {
  (void)state;
  for (int g = 0; g < group_count; ++g) {
    gpuarr_gufunc* f = NULL;
    assert_ok(gpuarr_gufunc_create(
        &f, "(n),()->(),(n)", "T x, T by", "T total, T y",
        "T sum = 0;\n"
        "for (long long k = group.rank(); k < n; k += group.size()) sum += x[k];\n"
        "total = group.sum(sum) + by;\n"
        "group.sync();\n"
        "for (long long k = group.rank(); k < n; k += group.size()) y[k] = x[n - 1 - k];",
        groups[g], GPUARR_ORDER_C, NULL));
    const int64_t shape[] = {7, 3001}, rows = 7;
    struct operand x = make_operand(GPUARR_I32, 2, shape), y = make_operand(GPUARR_I32, 2, shape);
    struct operand by = make_operand(GPUARR_I32, 1, &rows),
                   sum = make_operand(GPUARR_I32, 1, &rows);
    int64_t at[2];
    for (at[0] = 0; at[0] < rows; ++at[0]) {
      double* total = &sum.values[place(&sum, 1, at)];
      *total = by.values[place(&by, 1, at)];
      for (at[1] = 0; at[1] < shape[1]; ++at[1]) {
        const int64_t opposite[] = {at[0], shape[1] - 1 - at[1]};
        *total += x.values[place(&x, 2, at)];
        y.values[place(&y, 2, at)] = x.values[place(&x, 2, opposite)];
      }
    }
    gpuarr_array* outputs[] = {sum.view, y.view};
    const gpuarr_arg inputs[] = {gpuarr_arg_array(x.view), gpuarr_arg_array(by.view)};
    assert_ok(gpuarr_gufunc_call(f, outputs, 2, inputs, 2, NULL));
    compare_operand(&sum, "sums by group", g);
    compare_operand(&y, "rows by group", g);
    drop_operand(&x);
    drop_operand(&y);
    drop_operand(&by);
    drop_operand(&sum);
    gpuarr_gufunc_release(f);
  }
}

int main(void) {
  open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_products),
      cmocka_unit_test(long_rows),
  };
  return run_suite(tests);
}
