/* Tests of gpuarr/blocked_reduce.h: reductions of blocked arrays against those of the undivided
 * ones. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"

/* Random axes of a grid; returns their number, -1 for all. */
static int32_t random_axes(const struct grid* grid, int32_t* axes) {
  int32_t count = 0;
  if (random_between(0, 3) == 0) return GPUARR_ALL_AXES;
  for (int32_t axis = 0; axis < grid->ndim; ++axis)
    if (random_between(0, 1)) axes[count++] = random_between(0, 1) ? axis : axis - grid->ndim;
  return count;
}

static gpuarr_array* undivided(const struct grid* grid, gpuarr_dtype dtype, const void* values,
                               int64_t bytes) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_array_from_host(&out, open_test_device(), dtype, grid->ndim, grid->shape, NULL,
                                   values, bytes, NULL));
  return out;
}

/* The bytes of the first copy of a result, read by all processes. */
static void* bytes_of(gpuarr_blocked* x, int64_t* bytes) {
  int64_t count = 1;
  for (int32_t axis = 0; axis < gpuarr_blocked_ndim(x); ++axis)
    count *= gpuarr_blocked_extent(x, axis);
  *bytes = count * gpuarr_dtype_size(gpuarr_blocked_dtype(x));
  void* out = malloc((size_t)*bytes + 1);
  assert_ok(gpuarr_blocked_read(out, *bytes, NULL, x, NULL, NULL, -1));
  return out;
}

static void assert_equals(gpuarr_blocked* found, gpuarr_array* expected) {
  int64_t bytes = 0;
  void* a = bytes_of(found, &bytes);
  void* b = malloc((size_t)bytes + 1);
  assert_int_equal(gpuarr_blocked_ndim(found), gpuarr_array_ndim(expected));
  for (int32_t axis = 0; axis < gpuarr_array_ndim(expected); ++axis)
    assert_int_equal(gpuarr_blocked_extent(found, axis), gpuarr_array_shape(expected)[axis]);
  assert_int_equal(gpuarr_blocked_dtype(found), gpuarr_array_dtype(expected));
  assert_ok(gpuarr_array_read(b, bytes, NULL, expected, NULL));
  assert_memory_equal(a, b, (size_t)bytes);
  free(b);
  free(a);
}

/* Sum, largest element, and where in the whole it is: by i, by _J, and by an index along an axis.
 */
struct kernels {
  gpuarr_reduction *sum, *place, *two;
};

static struct kernels make_kernels(void) {
  struct kernels k;
  gpuarr_kernel_options* options = NULL;
  assert_ok(gpuarr_reduction_create(&k.sum, "int64 x, int64 y", "int64 z, int64 n_", "x + 3 * y",
                                    "a + b", "z = a; n_ = n * 1000 + _out_ind.size() + i;", "5",
                                    NULL));
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(
      gpuarr_kernel_options_set_preamble(options, "struct best { long long value, at, whole; };"));
  assert_ok(gpuarr_kernel_options_set_reduce_type(options, "best"));
  assert_ok(
      gpuarr_reduction_create(&k.place, "int64 x", "int64 value, int64 at, int64 whole",
                              "best{x, (long long)_J, (long long)i}",
                              "a.value > b.value || (a.value == b.value && a.at < b.at) ? a : b",
                              "value = a.value; at = a.at; whole = a.whole;", NULL, options));
  assert_ok(gpuarr_reduction_create(&k.two, "int64 x, int64 s", "int64 y",
                                    "x * (_in_ind.get()[0] + 1) - s", "a + b", "y = a", "0", NULL));
  gpuarr_kernel_options_release(options);
  return k;
}

static void release_kernels(struct kernels k) {
  gpuarr_reduction_release(k.sum);
  gpuarr_reduction_release(k.place);
  gpuarr_reduction_release(k.two);
}

/* A result array of random blocks, halo and places, or NULL for one that is made. */
static gpuarr_blocked* random_output(gpuarr_team* team, gpuarr_array* like) {
  struct grid grid = {.ndim = gpuarr_array_ndim(like)};
  if (random_between(0, 2) == 0) return NULL;
  for (int32_t axis = 0; axis < grid.ndim; ++axis) {
    grid.shape[axis] = gpuarr_array_shape(like)[axis];
    grid.chunk[axis] = random_between(1, grid.shape[axis]);
  }
  return blocked_of(team, &grid, gpuarr_array_dtype(like), random_between(0, 3) == 0);
}

static void check_kernel(gpuarr_team* team, gpuarr_reduction* kernel, int32_t outputs,
                         const gpuarr_arg* blocked, const gpuarr_arg* whole, int32_t inputs,
                         const struct grid* grid) {
  int32_t axes[most_axes];
  const int32_t count = random_axes(grid, axes), keepdims = (int32_t)random_between(0, 1);
  gpuarr_array* expected[3] = {NULL};
  gpuarr_blocked* found[3] = {NULL};
  assert_ok(
      gpuarr_reduction_call(kernel, expected, outputs, whole, inputs, axes, count, keepdims, NULL));
  for (int32_t k = 0; k < outputs; ++k) found[k] = random_output(team, expected[k]);
  for (int again = 0; again < 2; ++again) {
    assert_ok(
        gpuarr_blocked_reduction(kernel, found, outputs, blocked, inputs, axes, count, keepdims));
    for (int32_t k = 0; k < outputs; ++k) assert_equals(found[k], expected[k]);
  }
  for (int32_t k = 0; k < outputs; ++k) {
    gpuarr_array_release(expected[k]);
    gpuarr_blocked_release(found[k]);
  }
}

static void kernels_of_the_program(void** state) {
  (void)state;
  struct kernels k = make_kernels();
  for (int round = 0; round < (sanitized ? 8 : 30); ++round) {
    gpuarr_team* team = team_of((int32_t)random_between(1, 8));
    struct grid grid = random_grid(), flat = grid;
    add_random_halo(&grid);
    if (grid.ndim > 1) flat.shape[0] = flat.chunk[0] = 1; /* goes with all blocks of that axis */
    const int64_t n = elements(grid.ndim, grid.shape), m = elements(flat.ndim, flat.shape);
    int64_t *x = random_numbers(n), *y = random_numbers(m);
    gpuarr_blocked* bx = blocked_of(team, &grid, GPUARR_I64, round % 8 == 0);
    gpuarr_blocked* by = blocked_of(team, &flat, GPUARR_I64, 1);
    write_all(bx, x);
    assert_ok(gpuarr_blocked_write(by, NULL, NULL, -1, y, m * 8, NULL));
    gpuarr_array* wx = undivided(&grid, GPUARR_I64, x, n * 8);
    gpuarr_array* wy = undivided(&flat, GPUARR_I64, y, m * 8);
    const gpuarr_arg blocked[] = {gpuarr_arg_blocked(bx, GPUARR_ARG_BLOCKED),
                                  gpuarr_arg_blocked(by, GPUARR_ARG_BLOCKED)};
    const gpuarr_arg whole[] = {gpuarr_arg_array(wx), gpuarr_arg_array(wy)};
    const gpuarr_arg with_scalar[] = {blocked[0], gpuarr_arg_i64(7)};
    const gpuarr_arg whole_with_scalar[] = {whole[0], gpuarr_arg_i64(7)};
    check_kernel(team, k.sum, 2, blocked, whole, 2, &grid);
    check_kernel(team, k.place, 3, blocked, whole, 1, &grid);
    check_kernel(team, k.two, 1, with_scalar, whole_with_scalar, 2, &grid);
    gpuarr_array_release(wy);
    gpuarr_array_release(wx);
    gpuarr_blocked_release(by);
    gpuarr_blocked_release(bx);
    free(y);
    free(x);
    gpuarr_team_release(team);
  }
  release_kernels(k);
}

static const char* const names[] = {"sum",    "prod",   "min",    "max",      "argmin",
                                    "argmax", "any",    "all",    "mean",     "var",
                                    "std",    "norm_1", "norm_2", "norm_inf", "count_nonzero",
                                    "nansum", "nanmin", "nanmax", "logsumexp"};
enum { name_count = sizeof names / sizeof *names };

static gpuarr_array* expected_of(const char* name, gpuarr_array* x, const int32_t* axes,
                                 int32_t count, int32_t keepdims) {
  gpuarr_expr *e = NULL, *r = NULL;
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_expr_array(&e, x));
  assert_ok(gpuarr_expr_reduce(&r, name, e, axes, count, keepdims, 1.0));
  assert_ok(gpuarr_evaluate(&out, (const gpuarr_expr* const*)&r, 1, NULL));
  gpuarr_expr_release(r);
  gpuarr_expr_release(e);
  return out;
}

static int is_exact(const char* name) {
  return strstr("min max argmin argmax any all count_nonzero nanmin nanmax norm_inf", name) != NULL;
}

static void assert_near(gpuarr_blocked* found, gpuarr_array* expected) {
  int64_t bytes = 0;
  double* a = bytes_of(found, &bytes);
  double* b = malloc((size_t)bytes + 1);
  assert_int_equal(gpuarr_blocked_dtype(found), gpuarr_array_dtype(expected));
  assert_ok(gpuarr_array_read(b, bytes, NULL, expected, NULL));
  for (int64_t k = 0; k < bytes / 8; ++k) assert_close(a[k], b[k], 1e-12);
  free(b);
  free(a);
}

static void ready_made(void** state) {
  (void)state;
  for (int round = 0; round < 4 * name_count; ++round) {
    const char* name = names[round % name_count];
    gpuarr_team* team = team_of((int32_t)random_between(1, 8));
    struct grid grid = random_grid();
    const int64_t n = elements(grid.ndim, grid.shape);
    double* values = malloc((size_t)n * sizeof *values);
    for (int64_t k = 0; k < n; ++k) values[k] = random_unit() < 0.1 ? 0 : 2 * random_unit();
    gpuarr_blocked *x = blocked_of(team, &grid, GPUARR_F64, 0), *found = NULL;
    assert_ok(gpuarr_blocked_write(x, NULL, NULL, -1, values, n * 8, NULL));
    gpuarr_array* whole = undivided(&grid, GPUARR_F64, values, n * 8);
    int32_t axes[most_axes];
    const int32_t count = random_axes(&grid, axes), keepdims = (int32_t)random_between(0, 1);
    gpuarr_array* expected = expected_of(name, whole, axes, count, keepdims);
    found = random_output(team, expected);
    assert_ok(gpuarr_blocked_reduce(&found, name, x, axes, count, keepdims, 1.0,
                                    (int32_t)random_between(0, 1)));
    if (is_exact(name))
      assert_equals(found, expected);
    else
      assert_near(found, expected);
    gpuarr_array_release(expected);
    gpuarr_array_release(whole);
    gpuarr_blocked_release(found);
    gpuarr_blocked_release(x);
    free(values);
    gpuarr_team_release(team);
  }
}

/* One grid of blocks, any number of places: the same bits. */
static void bits_of_sums(void** state) {
  (void)state;
  if (in_world()) skip();
  const int64_t shape[] = {1000, 7}, chunk[] = {90, 4};
  double values[7000], first = 0;
  for (int k = 0; k < 7000; ++k) values[k] = random_unit() - 0.3;
  for (int32_t places = 1; places <= 8; ++places) {
    gpuarr_team* team = team_of(places);
    gpuarr_blocked *x = NULL, *sum = NULL;
    double found = 0;
    assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_F64, 2, shape, chunk, NULL));
    assert_ok(gpuarr_blocked_write(x, NULL, NULL, -1, values, sizeof values, NULL));
    assert_ok(gpuarr_blocked_reduce(&sum, "sum", x, NULL, 0, 0, 0, 0));
    assert_ok(gpuarr_blocked_read(&found, 8, NULL, sum, NULL, NULL, -1));
    if (places == 1) first = found;
    assert_memory_equal(&found, &first, 8);
    gpuarr_blocked_release(sum);
    gpuarr_blocked_release(x);
    gpuarr_team_release(team);
  }
}

static void of_no_elements(void** state) {
  (void)state;
  gpuarr_team* team = team_of(3);
  gpuarr_blocked *x = NULL, *sum = NULL, *least = NULL;
  const int64_t shape[] = {0, 4};
  double found[4] = {1, 1, 1, 1};
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_F64, 2, shape, NULL, NULL));
  assert_ok(gpuarr_blocked_reduce(&sum, "sum", x, (int32_t[]){0}, 1, 0, 0, 0));
  assert_ok(gpuarr_blocked_read(found, sizeof found, NULL, sum, NULL, NULL, -1));
  for (int k = 0; k < 4; ++k) assert_true(found[k] == 0);
  if (!in_world()) {
    assert_status(gpuarr_blocked_reduce(&least, "min", x, (int32_t[]){0}, 1, 0, 0, 0),
                  GPUARR_ERR_EMPTY);
    assert_message_has("zero-size array to reduction operation min which has no identity");
    assert_null(least);
  }
  gpuarr_blocked_release(sum);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

static void combine_copies(gpuarr_team* team, int64_t rows) {
  gpuarr_blocked_options* options = NULL;
  gpuarr_blocked* x = NULL;
  const int64_t shape[] = {rows, 41}, size = rows * 41;
  const int32_t places = gpuarr_team_size(team);
  int64_t* expected = calloc((size_t)size, sizeof *expected);
  assert_ok(gpuarr_blocked_options_create(&options));
  assert_ok(gpuarr_blocked_options_set_placement(options, GPUARR_PLACEMENT_REPLICATED));
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_I64, 2, shape, shape, options));
  for (int32_t how = GPUARR_COMBINE_SUM; how <= GPUARR_COMBINE_MAX; ++how) {
    for (int64_t k = 0; k < gpuarr_blocked_local_count(x); ++k) {
      gpuarr_array* mine = NULL;
      assert_ok(gpuarr_blocked_local(&mine, x, k, 0));
      assert_ok(
          gpuarr_array_fill(mine, gpuarr_arg_i64(gpuarr_blocked_local_place(x, k) + 1), NULL));
      gpuarr_array_release(mine);
    }
    assert_ok(gpuarr_all_reduce(x, how));
    int64_t product = 1;
    for (int32_t k = 1; k <= places; ++k) product *= k;
    const int64_t results[] = {0, (int64_t)places * (places + 1) / 2, product, 1, places};
    for (int64_t k = 0; k < size; ++k) expected[k] = results[how];
    for (int64_t k = 0; k < gpuarr_blocked_local_count(x); ++k) {
      int64_t extents[most_axes];
      int64_t* found = read_local(x, k, 0, extents);
      assert_memory_equal(found, expected, (size_t)size * sizeof *expected);
      free(found);
    }
  }
  free(expected);
  gpuarr_blocked_options_release(options);
  gpuarr_blocked_release(x);
}

/* Between processes few elements go another way than many. */
static void copies_combined(void** state) {
  (void)state;
  gpuarr_team* team = team_of(5);
  combine_copies(team, 3);
  combine_copies(team, 300);
  gpuarr_team_release(team);
}

static void refused(void** state) {
  (void)state;
  if (in_world()) skip();
  gpuarr_team *team = team_of(2), *other = team_of(2);
  gpuarr_blocked *x = NULL, *out = NULL, *far = NULL, *small = NULL;
  const int64_t shape[] = {4, 6}, chunk[] = {2, 3}, one[] = {1};
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_F64, 2, shape, chunk, NULL));
  assert_ok(gpuarr_blocked_empty(&far, other, GPUARR_F64, 0, NULL, NULL, NULL));
  assert_ok(gpuarr_blocked_empty(&small, team, GPUARR_F32, 0, NULL, NULL, NULL));
  assert_ok(gpuarr_blocked_fill(x, gpuarr_arg_f64(1)));
  assert_status(gpuarr_blocked_reduce(&out, "total", x, NULL, 0, 0, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("\"total\"");
  assert_status(gpuarr_blocked_reduce(&out, "sum", x, (int32_t[]){2}, 1, 0, 0, 0), GPUARR_ERR_AXIS);
  assert_status(gpuarr_blocked_reduce(&out, "sum", x, NULL, 0, 2, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_blocked_reduce(&out, "sum", x, NULL, 0, 0, 0, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("flags is 2");
  out = far;
  assert_status(gpuarr_blocked_reduce(&out, "sum", x, NULL, 0, 0, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("of another team");
  out = small;
  assert_status(gpuarr_blocked_reduce(&out, "sum", x, NULL, 0, 0, 0, 0), GPUARR_ERR_DTYPE);
  assert_message_has("out is float32, but the result is float64");
  assert_status(gpuarr_blocked_reduce(&out, "sum", x, (int32_t[]){1}, 1, 0, 0, 0),
                GPUARR_ERR_DTYPE);
  gpuarr_kernel_options* options = NULL;
  gpuarr_reduction* ordered = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_commutative(options, 0));
  assert_ok(gpuarr_reduction_create(&ordered, "T x", "T y", "x", "a + b", "y = a", "0", options));
  gpuarr_arg input = gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED);
  out = NULL;
  assert_status(gpuarr_blocked_reduction(ordered, &out, 1, &input, 1, NULL, 0, 0),
                GPUARR_ERR_LAYOUT);
  assert_message_has("divide axis 0 only, by gpuarr_redistribute");
  input = gpuarr_arg_f64(1);
  assert_status(gpuarr_blocked_reduction(ordered, &out, 1, &input, 1, NULL, 0, 0),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("no input is a blocked array");
  assert_status(gpuarr_all_reduce(x, GPUARR_COMBINE_SUM), GPUARR_ERR_ARGUMENT);
  assert_message_has("blocked is not replicated");
  assert_status(gpuarr_all_reduce(x, 5), GPUARR_ERR_ARGUMENT);
  (void)one;
  gpuarr_reduction_release(ordered);
  gpuarr_kernel_options_release(options);
  gpuarr_blocked_release(small);
  gpuarr_blocked_release(far);
  gpuarr_blocked_release(x);
  gpuarr_team_release(other);
  gpuarr_team_release(team);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_of_the_program), cmocka_unit_test(ready_made),
      cmocka_unit_test(bits_of_sums),           cmocka_unit_test(of_no_elements),
      cmocka_unit_test(copies_combined),        cmocka_unit_test(refused),
  };
  return run_team_suite(tests);
}
