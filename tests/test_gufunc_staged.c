/* Gufuncs that one thread runs for a place, whose cores a GPU stages in shared memory where they
 * lie one behind the other: bodies that read and write them in every way, over random dtypes, sizes
 * and layouts, against naive loops; nothing else may change. */
#include <string.h>

#include "arrays.h"
#include "elements.h"
#include "nested.h"
#include "operands.h"

enum { most = 64, axes = 4, operands = 3 };

/* A body, and what it makes of cores of m x n elements. */
typedef double core[most];
struct kind {
  const char* signature;
  const char *in, *out;
  const char* cores[operands]; /* a letter for each axis */
  int inputs, outputs;
  int any_dtype; /* it does not multiply, which complex elements here would not stand */
  const char* body;
  void (*expect)(int m, int n, core* c);
};

static void cross(int m, int n, core* c) {
  (void)m, (void)n;
  for (int j = 0; j < 3; ++j)
    c[2][j] = c[0][(j + 1) % 3] * c[1][(j + 2) % 3] - c[0][(j + 2) % 3] * c[1][(j + 1) % 3];
}
static void product(int m, int n, core* c) {
  for (int i = 0; i < m; ++i) {
    c[2][i] = 0;
    for (int j = 0; j < n; ++j) c[2][i] += c[0][i * n + j] * c[1][j];
  }
}
static void turn(int m, int n, core* c) {
  (void)m;
  for (int j = 0; j < n; ++j) c[1][j] = c[0][n - 1 - j] + c[0][j];
}
static void some(int m, int n, core* c) {
  (void)m;
  if (c[0][0] == c[1][0]) return;
  for (int j = 0; j < n; ++j)
    if (c[0][j] != c[1][0]) c[2][j] = c[0][j];
}
static void add_to_old(int m, int n, core* c) {
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) c[1][i * n + j] = c[1][i * n + n - 1 - j] + c[0][j];
}
static void columns(int m, int n, core* c) {
  for (int j = 0; j < n; ++j) {
    c[1][j] = 0;
    for (int i = 0; i < m; ++i) c[1][j] += c[0][i * n + j];
  }
  c[2][0] = c[0][m * n - 1] - c[1][0];
}
static void only_written(int m, int n, core* c) {
  (void)m;
  for (int j = 0; j < n; ++j) c[1][j] = j % 2 ? c[0][0] : c[0][0] + c[0][0];
}
static void all_but_one(int m, int n, core* c) {
  for (int k = 0; k + 1 < m * n; ++k) c[1][k] = c[0][m * n - 1 - k];
}
static void one_by_address(int m, int n, core* c) {
  (void)m;
  c[1][0] = c[0][n - 1];
}

static const struct kind kinds[] = {
    {"(3),(3)->(3)",
     "T a, T b",
     "T c",
     {"3", "3", "3"},
     2,
     1,
     0,
     "for (int j = 0; j < 3; ++j)\n"
     "  c(j) = a((j + 1) % 3) * b((j + 2) % 3) - a((j + 2) % 3) * b((j + 1) % 3);",
     cross},
    {"(m,n),(n)->(m)",
     "T a, T b",
     "T c",
     {"mn", "n", "m"},
     2,
     1,
     0,
     "for (int i = 0; i < m; ++i) {\n"
     "  T s = 0;\n"
     "  for (int j = 0; j < n; ++j) s += a(i, j) * b(j);\n"
     "  c(i) = s;\n"
     "}",
     product},
    {"(n)->(n)",
     "T x",
     "T y",
     {"n", "n"},
     1,
     1,
     1,
     "for (int j = 0; j < n; ++j) y(j) = x(n - 1 - j) + x(j);",
     turn},
    {"(n),()->(n)",
     "T x, T from",
     "T y",
     {"n", "", "n"},
     2,
     1,
     1,
     "if (x(0) == from) return;\n"
     "for (int j = 0; j < n; ++j) {\n"
     "  if (x(j) == from) continue;\n"
     "  y(j) = x(j);\n"
     "}",
     some},
    {"(n)->(m,n)",
     "T x",
     "T y",
     {"n", "mn"},
     1,
     1,
     1,
     "for (int i = 0; i < m; ++i)\n"
     "  for (int j = 0; j < n; ++j) y(i, j) = y(i, n - 1 - j) + x(j);",
     add_to_old},
    {"(m,n)->(n),()",
     "T a",
     "T sums, T rest",
     {"mn", "n", ""},
     1,
     2,
     1,
     "for (int j = 0; j < n; ++j) sums(j) = a(0, j);\n"
     "for (int i = 1; i < m; ++i) for (int j = 0; j < n; ++j) sums(j) += a(i, j);\n"
     "rest = a[m * n - 1] - sums[0];",
     columns},
    {"()->(n)",
     "T x",
     "T y",
     {"", "n"},
     1,
     1,
     1,
     "auto put = [&](auto to) { for (int j = 0; j < n; ++j) to(j) = j % 2 ? x : T(x + x); };\n"
     "put(y);",
     only_written},
    {"(m,n)->(m,n)",
     "T x",
     "T y",
     {"mn", "mn"},
     1,
     1,
     1,
     "for (long long k = 0; k + 1 < y.size(); ++k) {\n"
     "  const long long at[] = {k / y.shape()[1], k % y.shape()[1]};\n"
     "  y[at] = x[x.size() - 1 - k];\n"
     "}",
     all_but_one},
    {"(n)->(n)",
     "T x",
     "T y",
     {"n", "n"},
     1,
     1,
     1,
     "T* first = &y(0);\n*first = x(n - 1);",
     one_by_address},
};
enum { kind_count = sizeof kinds / sizeof *kinds };

struct loop {
  int64_t m, n;
  int32_t ndim, order; /* of the outer shape; where cores are */
  int64_t shape[2];
};

static struct loop draw_loop(const struct kind* k) {
  static const int64_t sizes[] = {1, 2, 3, 4, 5, 7, 8};
  struct loop l = {.m = sizes[random_between(0, 6)], .n = sizes[random_between(0, 6)]};
  if (!strchr(k->signature, 'm')) l.n = random_between(1, most);
  l.ndim = (int32_t)random_between(0, 2);
  l.order = (int32_t)random_between(0, 1);
  for (int axis = 0; axis < l.ndim; ++axis) l.shape[axis] = random_between(1, 300 / l.ndim);
  if (l.ndim == 2 && random_between(0, 1)) l.shape[random_between(0, 1)] = random_between(1, 9);
  return l;
}

static int64_t size_of(const struct loop* l, char dim) {
  return dim == 'm' ? l->m : dim == 'n' ? l->n : 3;
}

/* Of the loop's shape or one that broadcasts to it, mostly one element behind the other. Here cores
 * come last. */
static struct operand draw_operand(gpuarr_dtype dtype, const struct loop* l, int input,
                                   const char* dims) {
  int64_t shape[axes];
  int32_t ndim = l->ndim;
  if (input && random_between(0, 2) == 0)
    ndim = narrow(ndim, l->shape, shape);
  else
    for (int axis = 0; axis < ndim; ++axis) shape[axis] = l->shape[axis];
  const int turned = dims[0] && dims[1] && random_between(0, 1);
  if (turned) {
    shape[ndim++] = size_of(l, dims[1]);
    shape[ndim++] = size_of(l, dims[0]);
  } else {
    for (; *dims; ++dims) shape[ndim++] = size_of(l, *dims);
  }
  struct operand o = random_between(0, 3) == 0
                         ? make_operand(dtype, ndim, shape)
                         : make_flat_operand(dtype, ndim, shape, random_between(0, 3));
  if (turned) {
    const int32_t order[][axes] = {{1, 0}, {0, 2, 1}, {0, 1, 3, 2}};
    gpuarr_array* view = NULL;
    assert_ok(gpuarr_array_transpose(&view, o.view, ndim, order[ndim - 2]));
    look_through(&o, view);
  }
  return o;
}

/* Where the elements of the core at a place are. */
static int core_of(const struct operand* o, const struct loop* l, const int64_t* index,
                   const char* dims, int64_t* at) {
  const int32_t core_ndim = (int32_t)strlen(dims);
  const int32_t outer = gpuarr_array_ndim(o->view) - core_ndim;
  const int64_t *shape = gpuarr_array_shape(o->view), *strides = gpuarr_array_strides(o->view);
  int64_t begin = o->offset, within[axes] = {0};
  for (int32_t axis = 0; axis < outer; ++axis)
    if (shape[axis] != 1) begin += index[axis + l->ndim - outer] * strides[axis];
  int count = 0;
  do at[count++] = begin + offset_of(core_ndim, strides + outer, within);
  while (next_index(core_ndim, shape + outer, within));
  return count;
}

static void expect(const struct kind* k, const struct loop* l, struct operand* o) {
  int64_t index[2] = {0}, at[operands][most];
  core cores[operands];
  do {
    int counts[operands];
    for (int p = 0; p < k->inputs + k->outputs; ++p) {
      counts[p] = core_of(&o[p], l, index, k->cores[p], at[p]);
      for (int e = 0; e < counts[p]; ++e) cores[p][e] = o[p].values[at[p][e]];
    }
    k->expect((int)l->m, (int)l->n, cores);
    for (int p = k->inputs; p < k->inputs + k->outputs; ++p)
      for (int e = 0; e < counts[p]; ++e)
        o[p].values[at[p][e]] = wrapped(gpuarr_array_dtype(o[p].view), cores[p][e]);
  } while (next_index(l->ndim, l->shape, index));
}

/* The same array with the core's axes first, and the others in the opposite order. */
static gpuarr_array* core_first(const struct operand* o, int32_t core_ndim) {
  int32_t order[axes], ndim = gpuarr_array_ndim(o->view);
  for (int32_t axis = 0; axis < ndim; ++axis)
    order[axis] = axis < core_ndim ? ndim - core_ndim + axis : ndim - 1 - axis;
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_array_transpose(&out, o->view, ndim, ndim > 0 ? order : NULL));
  return out;
}

static void run(const struct kind* k, const struct loop* l, const struct operand* o) {
  gpuarr_array* arrays[operands];
  gpuarr_arg inputs[operands];
  for (int p = 0; p < k->inputs + k->outputs; ++p) {
    arrays[p] = l->order == GPUARR_ORDER_F ? core_first(&o[p], (int32_t)strlen(k->cores[p]))
                                           : gpuarr_array_retain(o[p].view);
    if (p < k->inputs) inputs[p] = gpuarr_arg_array(arrays[p]);
  }
  gpuarr_gufunc* f = NULL;
  assert_ok(gpuarr_gufunc_create(&f, k->signature, k->in, k->out, k->body, GPUARR_GROUP_THREAD,
                                 l->order, NULL));
  if (random_between(0, 1)) {
    gpuarr_call* call = NULL;
    assert_ok(gpuarr_gufunc_prepare(&call, f, arrays + k->inputs, k->outputs, inputs, k->inputs));
    assert_ok(gpuarr_call_launch(call, NULL));
    gpuarr_call_release(call);
  } else {
    assert_ok(gpuarr_gufunc_call(f, arrays + k->inputs, k->outputs, inputs, k->inputs, NULL));
  }
  gpuarr_gufunc_release(f);
  release_arrays(arrays, k->inputs + k->outputs);
}

static void random_bodies(void** state) {
  (void)state;
  const gpuarr_dtype dtypes[] = {GPUARR_F32, GPUARR_F64, GPUARR_I32, GPUARR_I8,
                                 GPUARR_F16, GPUARR_I64, GPUARR_C64, GPUARR_C128};
  const int rounds = test_device_is_host() ? kind_count * (sanitized ? 1 : 3) : kind_count * 24;
  for (int round = 0; round < rounds; ++round) {
    const struct kind* k = &kinds[round % kind_count];
    const gpuarr_dtype dtype = dtypes[random_between(0, k->any_dtype ? 7 : 5)];
    const struct loop l = draw_loop(k);
    struct operand o[operands];
    for (int p = 0; p < k->inputs + k->outputs; ++p)
      o[p] = draw_operand(dtype, &l, p < k->inputs, k->cores[p]);
    expect(k, &l, o);
    run(k, &l, o);
    for (int p = 0; p < k->inputs + k->outputs; ++p) {
      compare_operand(&o[p], k->signature, round);
      drop_operand(&o[p]);
    }
  }
}

/* An input that an output overlaps is read as it was before. */
static void in_place(void** state) {
  (void)state;
  for (int64_t shift = 0; shift < 3; ++shift) {
    const int64_t shape[] = {101, 5}, count = 505;
    gpuarr_array *all = ramp(GPUARR_F32, count + shift), *parts[2] = {NULL, NULL},
                 *rows[2] = {NULL, NULL};
    for (int k = 0; k < 2; ++k) {
      const int64_t first = k * shift;
      assert_ok(gpuarr_array_slice(&parts[k], all, 0, first, first + count, 1));
      assert_ok(gpuarr_array_reshape(&rows[k], parts[k], 2, shape));
    }
    gpuarr_gufunc* f = NULL;
    assert_ok(gpuarr_gufunc_create(&f, "(n)->(n)", "T x", "T y",
                                   "for (int j = 0; j < n; ++j) y(j) = x(n - 1 - j);",
                                   GPUARR_GROUP_THREAD, GPUARR_ORDER_C, NULL));
    const gpuarr_arg input = gpuarr_arg_array(rows[0]);
    assert_ok(gpuarr_gufunc_call(f, &rows[1], 1, &input, 1, NULL));
    float expected[505];
    for (int k = 0; k < 505; ++k) expected[k] = (float)(k / 5 * 5 + 4 - k % 5);
    assert_floats(parts[1], count, expected);
    gpuarr_gufunc_release(f);
    release_arrays((gpuarr_array*[]){all, parts[0], parts[1], rows[0], rows[1]}, 5);
  }
}

/* An output as a pointer, and as the view that a function of the preamble takes. */
static void other_faces(void** state) {
  (void)state;
  const char* const bodies[] = {
      "T* to = y.data();\nfor (int j = 1; j < n; ++j) to[j] = x.data()[j] + to[j];",
      "gpuarr_view<float32, 1, true> to = y;\nfor (int j = 1; j < n; ++j) to(j) += x(j);",
      "for (int j = 1; j < n; ++j) { T& to = y(j); to += x(j); }",
      "T* to = (T*)&y(0);\nfor (int j = 1; j < n; ++j) to[j] += x[j];"};
  const int64_t shape[] = {75, 6};
  for (size_t b = 0; b < sizeof bodies / sizeof *bodies; ++b) {
    gpuarr_array *line = ramp(GPUARR_F32, 450), *x = NULL, *y = NULL;
    assert_ok(gpuarr_array_reshape(&x, line, 2, shape));
    assert_ok(gpuarr_array_copy(&y, x, GPUARR_ORDER_C, NULL));
    gpuarr_gufunc* f = NULL;
    assert_ok(gpuarr_gufunc_create(&f, "(n)->(n)", "T x", "T y", bodies[b], GPUARR_GROUP_THREAD,
                                   GPUARR_ORDER_C, NULL));
    const gpuarr_arg input = gpuarr_arg_array(x);
    assert_ok(gpuarr_gufunc_call(f, &y, 1, &input, 1, NULL));
    float expected[450];
    for (int k = 0; k < 450; ++k) expected[k] = (float)(k % 6 ? 2 * k : k);
    assert_floats(y, 450, expected);
    gpuarr_gufunc_release(f);
    release_arrays((gpuarr_array*[]){line, x, y}, 3);
  }
}

/* What the source of a call says: shared memory on a GPU, where it pays. */
static void the_source(void** state) {
  (void)state;
  const int on_gpu = !test_device_is_host();
  for (int64_t n = 1; n <= 65; n += 4) {
    const int64_t shape[] = {9, n};
    gpuarr_array *x = zeros(GPUARR_F32, 2, shape), *y = NULL;
    gpuarr_gufunc* f = NULL;
    assert_ok(gpuarr_gufunc_create(&f, "(n)->()", "T x", "T y",
                                   "y = 0; for (int j = 0; j < n; ++j) y += x(j);",
                                   GPUARR_GROUP_THREAD, GPUARR_ORDER_C, NULL));
    const gpuarr_arg input = gpuarr_arg_array(x);
    const char* source = NULL;
    assert_ok(gpuarr_gufunc_source(&source, f, &y, 1, &input, 1));
    const int stages = strstr(source, "__shared__ gpuarr_gufunc::_staged<float32") != NULL;
    assert_int_equal(stages, on_gpu && n > 1 && n < 65);
    gpuarr_gufunc_release(f);
    gpuarr_array_release(x);
  }
}

int main(void) {
  open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_bodies),
      cmocka_unit_test(in_place),
      cmocka_unit_test(other_faces),
      cmocka_unit_test(the_source),
  };
  return run_suite(tests);
}
