/* What a reduction's texts see and give: indices, scalars, raw arrays, types of all kinds. */
#include <stdio.h>
#include <stdlib.h>

#include "arrays.h"
#include "kernels.h"

static gpuarr_device* device;

/* 0, 1, 2, ... of some shape. */
static gpuarr_array* counted(gpuarr_dtype dtype, int32_t ndim, const int64_t* shape) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < ndim; ++axis) count *= shape[axis];
  gpuarr_array *flat = ramp(dtype, count), *view = NULL;
  assert_ok(gpuarr_array_reshape(&view, flat, ndim, shape));
  gpuarr_array_release(flat);
  return view;
}

/* Map numbers every element by all that it sees; of equal ones the sum of the differences is 0. */
static void map_sees_indices(void** state) {
  (void)state;
  const int64_t shape[] = {3, 4, 5};
  gpuarr_array *x = counted(GPUARR_I64, 3, shape), *turned = NULL;
  const int32_t order[] = {2, 0, 1};
  assert_ok(gpuarr_array_transpose(&turned, x, 3, order)); /* of shape 5, 3, 4 */
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){
      .in = "T x",
      .out = "T numbers, T indices, T elements",
      .preamble = "struct sums { long long n, i, x; };",
      .reduce_type = "sums",
      .map = "sums{i + 1000 * _j, 100 * _in_ind.get()[0] + 10 * _in_ind.get()[1] + "
             "_in_ind.get()[2], x * (_J + 1)}",
      .reduce = "sums{a.n + b.n, a.i + b.i, a.x + b.x}",
      .post = "numbers = a.n; indices = a.i; elements = a.x"});
  gpuarr_arg input = gpuarr_arg_array(turned);
  gpuarr_array* outputs[] = {NULL, NULL, NULL};
  const int32_t axes[] = {0, 2};
  assert_ok(gpuarr_reduction_call(kernel, outputs, 3, &input, 1, axes, 2, 0, NULL));
  double numbers[3] = {0}, indices[3] = {0}, elements[3] = {0};
  for (int b = 0; b < 3; ++b)
    for (int a = 0; a < 5; ++a)
      for (int c = 0; c < 4; ++c) {
        numbers[b] += 12 * a + 4 * b + c + 1000 * (3 * (4 * a + c) + b);
        indices[b] += 100 * a + 10 * b + c;
        elements[b] += (20 * b + 5 * c + a) * (4 * a + c + 1);
      }
  assert_values(outputs[0], 3, numbers);
  assert_values(outputs[1], 3, indices);
  assert_values(outputs[2], 3, elements);
  release_arrays(outputs, 3);
  release_arrays((gpuarr_array*[]){x, turned}, 2);
  gpuarr_reduction_release(kernel);
}

static void post_sees_indices(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3, 4};
  gpuarr_array* x = counted(GPUARR_I32, 3, shape);
  gpuarr_arg input = gpuarr_arg_array(x);
  const int32_t axis = 1;
  gpuarr_reduction* dropped = make_reduction(&(struct reduction_texts){
      .in = "T x",
      .out = "T y",
      .map = "0",
      .reduce = "a + b",
      .post = "y = 1000 * i + 100 * _out_ind.get()[0] + 10 * _out_ind.get()[1] + a"});
  gpuarr_reduction* kept = make_reduction(&(struct reduction_texts){
      .in = "T x",
      .out = "T y",
      .map = "0",
      .reduce = "a + b",
      .post = "y = 100 * _out_ind.get()[0] + 10 * _out_ind.get()[1] + _out_ind.get()[2] + a"});
  gpuarr_array *rows = reduce_along(dropped, &input, 1, 1), *all = NULL;
  assert_ok(gpuarr_reduction_call(kept, &all, 1, &input, 1, &axis, 1, 1, NULL));
  assert_values(rows, 8, (const double[]){0, 1010, 2020, 3030, 4100, 5110, 6120, 7130});
  assert_values(all, 8, (const double[]){0, 1, 2, 3, 100, 101, 102, 103});
  release_arrays((gpuarr_array*[]){x, rows, all}, 3);
  gpuarr_reduction_release(dropped);
  gpuarr_reduction_release(kept);
}

/* What CuPy's kernels do: a parameter called n, a number for a raw one, nothing after reducing. */
static void kernels_of_cupy_work(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3};
  gpuarr_array* x = counted(GPUARR_F64, 2, shape);
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){.in = "T x, int32 n, raw T w",
                                                                      .out = "T y",
                                                                      .map = "x * w + n",
                                                                      .reduce = "a + b",
                                                                      .post = ""});
  const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_i32(100), gpuarr_arg_f64(2)};
  gpuarr_array* y = reduce_along(kernel, inputs, 3, 1);
  assert_values(y, 2, (const double[]){306, 324});
  release_arrays((gpuarr_array*[]){x, y}, 2);
  gpuarr_reduction_release(kernel);
}

static void all_texts_see_sizes(void** state) {
  (void)state;
  const int64_t shape[] = {4, 6};
  gpuarr_array* x = zeros(GPUARR_I64, 2, shape);
  gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){
      .in = "T x",
      .out = "T y",
      .map = "_in_ind.size() + n",
      .reduce = "a + b + (n - _in_ind.size()) + (_out_ind.size() - 4)",
      .post = "y = a + 1000 * (_in_ind.size() / _out_ind.size()) + 10000 * n",
      .identity = "100 * _in_ind.size() / n - 100"});
  gpuarr_array* y = reduce_along(kernel, &input, 1, 1);
  for (int k = 0; k < 4; ++k) assert_values(y, 4, (const double[]){246288, 246288, 246288, 246288});
  release_arrays((gpuarr_array*[]){x, y}, 2);
  gpuarr_reduction_release(kernel);
}

static void scalars_and_raw_arrays_are_seen(void** state) {
  (void)state;
  const int64_t shape[] = {2, 3};
  const double weights[] = {1, 10, 100};
  gpuarr_array *x = counted(GPUARR_F32, 2, shape), *w = from(GPUARR_F64, 1, &shape[1], weights);
  gpuarr_array* back = NULL;
  assert_ok(gpuarr_array_slice(&back, w, 0, 2, GPUARR_NONE, -1));
  gpuarr_reduction* kernel =
      make_reduction(&(struct reduction_texts){.in = "T x, raw U w, float64 s, int32 k",
                                               .out = "float64 y",
                                               .map = "x * w[_J]",
                                               .reduce = "a + b * s / s",
                                               .post = "y = a * s + w[0] + w.size()",
                                               .identity = "k"});
  gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(w), gpuarr_arg_f32(2),
                         gpuarr_arg_i64(1)};
  gpuarr_array* y = reduce_along(kernel, inputs, 4, 1);
  assert_values(y, 2, (const double[]){426 + 0, 1092 + 0});
  inputs[1] = gpuarr_arg_array(back); /* 100, 10, 1 */
  gpuarr_array* z = reduce_along(kernel, inputs, 4, 1);
  assert_values(z, 2, (const double[]){129, 795});
  release_arrays((gpuarr_array*[]){x, w, back, y, z}, 5);
  gpuarr_reduction_release(kernel);
}

/* The largest and the first place that has it, along each axis and all. */
static void argmax_is_one_kernel(void** state) {
  (void)state;
  enum { rows = 70, columns = 300 };
  const int64_t shape[] = {rows, columns};
  static int32_t x_values[rows * columns];
  double by_row[rows], by_column[columns];
  int all = 0;
  for (int k = 0; k < rows * columns; ++k) x_values[k] = (int32_t)random_between(0, 500);
  for (int r = 0; r < rows; ++r) {
    by_row[r] = 0;
    for (int c = 0; c < columns; ++c)
      if (x_values[r * columns + c] > x_values[r * columns + (int)by_row[r]]) by_row[r] = c;
  }
  for (int c = 0; c < columns; ++c) {
    by_column[c] = 0;
    for (int r = 0; r < rows; ++r)
      if (x_values[r * columns + c] > x_values[(int)by_column[c] * columns + c]) by_column[c] = r;
  }
  for (int k = 0; k < rows * columns; ++k)
    if (x_values[k] > x_values[all]) all = k;
  gpuarr_reduction* argmax = make_reduction(&(struct reduction_texts){
      .in = "T x",
      .out = "int64 y",
      .preamble = "template <class T> struct best { T value; long long at; };",
      .reduce_type = "best<T>",
      .map = "best<T>{x, _J}",
      .reduce = "a.value > b.value || (a.value == b.value && a.at < b.at)"
                " ? a : b",
      .post = "y = a.at"});
  gpuarr_array* x = from(GPUARR_I32, 2, shape, x_values);
  gpuarr_arg input = gpuarr_arg_array(x);
  gpuarr_array *y = reduce_along(argmax, &input, 1, 1), *z = reduce_along(argmax, &input, 1, 0);
  gpuarr_array* w = reduce_all(argmax, &input, 1);
  assert_values(y, rows, by_row);
  assert_values(z, columns, by_column);
  assert_close(value_of(w), all, 0);
  release_arrays((gpuarr_array*[]){x, y, z, w}, 4);
  gpuarr_reduction_release(argmax);
}

/* Sums of 5000 of a number, by the type of partial results that is asked for. */
static void partial_results_are_of_the_reduce_type(void** state) {
  (void)state;
  const struct {
    gpuarr_dtype in;
    const char *out, *reduce_type, *map;
    double number, sum;
  } sums[] = {
      {GPUARR_I8, "T y", NULL, "x", 100, (double)(int8_t)(500000 % 256)},
      {GPUARR_I8, "int32 y", NULL, "x", 100, 500000},
      {GPUARR_I8, "int32 y", "T", "x", 100, (double)(int8_t)(500000 % 256)},
      {GPUARR_I8, "int64 y", "int16", "x", 100, (double)(int16_t)(500000 % 65536)},
      {GPUARR_I32, "float32 y", NULL, "x * 0.25f", 1, 1250},
      {GPUARR_I32, "float32 y", "int32", "x * 0.25f", 1, 0},
      {GPUARR_F32, "T y", "float64", "x + 1.0 / (1 << 30)", 1, 5000},
      {GPUARR_F32, "float64 y", NULL, "x + 1.0 / (1 << 30)", 1, 5000 + 5000 * 0x1p-30},
      {GPUARR_F32, "float64 y", "T", "x", 1, 5000},
      {GPUARR_F16, "T y", NULL, "x", 1, 5000},       /* 16-bit floats in float32: */
      {GPUARR_F16, "float32 y", NULL, "x", 1, 5000}, /* else 2048 + 1 is 2048 */
      {GPUARR_BF16, "float32 y", NULL, "x", 1, 5000},
      {GPUARR_BF16, "T y", NULL, "x", 1, 4992}, /* to 8 digits at the end */
      {GPUARR_F16, "T y", "float64", "x + 1.0 / (1 << 30)", 1, 5000},
      {GPUARR_BOOL, "int64 y", NULL, "x", 1, 5000},
      {GPUARR_U64, "T y", "unsigned long long", "x", 1 << 30, 5000.0 * (1 << 30)},
  };
  const int64_t shape[] = {5, 1000};
  for (size_t k = 0; k < sizeof sums / sizeof *sums; ++k) {
    gpuarr_reduction* kernel =
        make_reduction(&(struct reduction_texts){.in = "T x",
                                                 .out = sums[k].out,
                                                 .map = sums[k].map,
                                                 .reduce = "a + b",
                                                 .post = "y = a",
                                                 .identity = "0",
                                                 .reduce_type = sums[k].reduce_type});
    gpuarr_array* x = NULL;
    assert_ok(gpuarr_array_full(&x, device, sums[k].in, 2, shape, GPUARR_ORDER_C,
                                gpuarr_arg_f64(sums[k].number), NULL));
    gpuarr_arg input = gpuarr_arg_array(x);
    gpuarr_array* y = reduce_all(kernel, &input, 1);
    assert_close(value_of(y), sums[k].sum, 0);
    release_arrays((gpuarr_array*[]){x, y}, 2);
    gpuarr_reduction_release(kernel);
  }
}

/* Structs of any size and alignment up to 64 bytes. What is beside the sum must stay as it is. */
static void structs_are_partial_results(void** state) {
  (void)state;
  const struct {
    const char *alignment, *rest, *sum;
  } structs[] = {
      {"", "signed char rest[1]", "signed char"},
      {"", "signed char rest[2]", "signed char"},
      {"", "signed char rest[2]", "short"},
      {"", "short rest[2]", "short"},
      {"", "signed char rest[1]", "int"},
      {"alignas(16)", "int rest[3]", "int"},
      {"", "int rest[4]", "int"},
      {"", "double rest[3]", "int"},
      {"alignas(16)", "int rest[8]", "int"},
      {"", "signed char rest[56]", "int"},
      {"", "signed char rest[57]", "int"},
      {"alignas(64)", "long long rest[7]", "int"},
  };
  const int64_t shape[] = {130, 67};
  gpuarr_array* x = NULL;
  assert_ok(gpuarr_array_ones(&x, device, GPUARR_I32, 2, shape, GPUARR_ORDER_C, NULL));
  gpuarr_arg input = gpuarr_arg_array(x);
  for (size_t k = 0; k < sizeof structs / sizeof *structs; ++k) {
    char preamble[400];
    (void)snprintf(preamble, sizeof preamble,
                   "struct %s S { %s; %s sum; };\n"
                   "__device__ S one(int x) { S s; for (auto& r : s.rest) r = (int)(&r - s.rest); "
                   "s.sum = x; return s; }\n"
                   "__device__ S both(S a, const S& b) {\n"
                   "  for (auto& r : a.rest) if (r != b.rest[&r - a.rest]) a.sum += 33;\n"
                   "  a.sum += b.sum; return a; }",
                   structs[k].alignment, structs[k].rest, structs[k].sum);
    gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){.in = "T x",
                                                                        .out = "int8 y",
                                                                        .preamble = preamble,
                                                                        .reduce_type = "S",
                                                                        .map = "one(x)",
                                                                        .reduce = "both(a, b)",
                                                                        .post = "y = a.sum"});
    gpuarr_array *y = reduce_along(kernel, &input, 1, 0), *z = reduce_along(kernel, &input, 1, 1);
    gpuarr_array* all = reduce_all(kernel, &input, 1);
    double *columns = doubles_of(y), *rows = doubles_of(z);
    for (int c = 0; c < 67; ++c) assert_close(columns[c], 130 - 256, 0);
    for (int r = 0; r < 130; ++r) assert_close(rows[r], 67, 0);
    assert_close(value_of(all), 130 * 67 % 256, 0);
    free(columns);
    free(rows);
    release_arrays((gpuarr_array*[]){y, z, all}, 3);
    gpuarr_reduction_release(kernel);
  }
  gpuarr_array_release(x);
}

/* Dtypes that differ, complex numbers, truth values, and integers that double cannot hold. */
static void dtypes_of_all_kinds(void** state) {
  (void)state;
  const float z_values[] = {3, 4, 0, -1, -2, 0};
  const uint8_t flags[] = {0, 1, 0};
  const uint64_t large[] = {UINT64_MAX - 2, UINT64_MAX, 7};
  const int64_t three = 3;
  gpuarr_array *z = from(GPUARR_C64, 1, &three, z_values), *f = from(GPUARR_BOOL, 1, &three, flags);
  gpuarr_array *u = from(GPUARR_U64, 1, &three, large), *w = ramp(GPUARR_I16, 3);
  gpuarr_reduction* norm = make_reduction(&(struct reduction_texts){.in = "T z, U w, bool f",
                                                                    .out = "float64 y",
                                                                    .map = "f ? 0 : abs(z) * w",
                                                                    .reduce = "a + b",
                                                                    .post = "y = sqrt(a)",
                                                                    .identity = "0"});
  gpuarr_reduction *product = make_fold("a * b", "1"), *any = make_fold("a || b", "false");
  gpuarr_reduction* most = make_fold("max(a, b)", NULL);
  gpuarr_arg of_z[] = {gpuarr_arg_array(z), gpuarr_arg_array(w), gpuarr_arg_array(f)};
  gpuarr_arg of_f = gpuarr_arg_array(f), of_u = gpuarr_arg_array(u);
  gpuarr_array* y[] = {reduce_all(norm, of_z, 3), reduce_all(product, of_z, 1),
                       reduce_all(any, &of_f, 1), reduce_all(most, &of_u, 1)};
  assert_close(value_of(y[0]), 2, 0);
  float product_value[2];
  assert_ok(gpuarr_array_read(product_value, sizeof product_value, NULL, y[1], NULL));
  assert_close(product_value[0], -8, 0); /* (3 + 4i) * -i * -2 */
  assert_close(product_value[1], 6, 0);
  assert_int_equal(gpuarr_array_dtype(y[2]), GPUARR_BOOL);
  assert_close(value_of(y[2]), 1, 0);
  uint64_t largest;
  assert_ok(gpuarr_array_read(&largest, sizeof largest, NULL, y[3], NULL));
  assert_true(largest == UINT64_MAX);
  release_arrays(y, 4);
  release_arrays((gpuarr_array*[]){z, f, u, w}, 4);
  gpuarr_reduction* kernels[] = {norm, product, any, most};
  for (int k = 0; k < 4; ++k) gpuarr_reduction_release(kernels[k]);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(map_sees_indices),
      cmocka_unit_test(post_sees_indices),
      cmocka_unit_test(kernels_of_cupy_work),
      cmocka_unit_test(all_texts_see_sizes),
      cmocka_unit_test(scalars_and_raw_arrays_are_seen),
      cmocka_unit_test(argmax_is_one_kernel),
      cmocka_unit_test(partial_results_are_of_the_reduce_type),
      cmocka_unit_test(structs_are_partial_results),
      cmocka_unit_test(dtypes_of_all_kinds),
  };
  return run_suite(tests);
}
