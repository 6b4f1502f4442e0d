/* Tests of gpuarr/map_blocks.h: functions, kernels and expressions for each block, against the
 * undivided arrays. */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "blocks.h"

static gpuarr_device* device;

/* An input's block extents, as the function sees them. */
struct seen {
  int calls;
  int64_t rows, columns, sum_of_starts;
};

static gpuarr_status look(const gpuarr_block* block, gpuarr_array* const* outputs,
                          gpuarr_array* const* inputs, void* user) {
  struct seen* seen = user;
  ++seen->calls;
  seen->rows += gpuarr_array_shape(inputs[0])[0];
  seen->columns += gpuarr_array_shape(inputs[0])[1];
  seen->sum_of_starts += gpuarr_block_start(block, 0) * 1000 + gpuarr_block_start(block, -1);
  assert_int_equal(gpuarr_block_stop(block, 0) - gpuarr_block_start(block, 0),
                   gpuarr_array_shape(outputs[0])[0]);
  assert_int_equal(gpuarr_block_number(block),
                   gpuarr_block_location(block, 0) * 2 + gpuarr_block_location(block, 1));
  assert_int_equal(gpuarr_block_location(block, 2), -1);
  assert_true(gpuarr_block_place(block) >= 0);
  gpuarr_stream* current = NULL;
  gpuarr_status status = gpuarr_stream_current(&current, device);
  assert_ptr_equal(gpuarr_stream_native(current), gpuarr_stream_native(gpuarr_block_stream(block)));
  gpuarr_stream_release(current);
  return status;
}

static void what_a_function_sees(void** state) {
  (void)state;
  if (in_world() || on_all_gpus()) skip();
  gpuarr_team* team = team_of(3);
  const struct grid grid = {.ndim = 2, .shape = {5, 4}, .chunk = {2, 2}, .low = {1, 1}};
  gpuarr_blocked* x = blocked_of(team, &grid, GPUARR_I64, 0);
  struct seen seen = {0};
  assert_ok(gpuarr_map_blocks(look, &seen, &x, 1, &x, 1, 0));
  assert_int_equal(seen.calls, 6);
  assert_int_equal(seen.rows, 10);
  assert_int_equal(seen.columns, 12);
  assert_int_equal(seen.sum_of_starts, 12000 + 6);
  memset(&seen, 0, sizeof seen);
  assert_ok(gpuarr_map_blocks(look, &seen, &x, 1, &x, 1, GPUARR_MAP_HALO));
  assert_int_equal(seen.rows, 10 + 4); /* none before the first rows */
  assert_int_equal(seen.columns, 12 + 3);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

/* z = x - y for random grids, where y has as many blocks as z along each axis or one, of all of the
 * axis or of extent 1. */
struct operands {
  struct grid z, y;
};

static struct operands random_operands(void) {
  struct operands o = {.z = random_grid()};
  const int32_t dropped = (int32_t)random_between(0, o.z.ndim - 1);
  o.y.ndim = o.z.ndim - dropped;
  for (int32_t axis = 0; axis < o.y.ndim; ++axis) {
    const int64_t kind = random_between(0, 2);
    o.y.shape[axis] = kind == 0 ? 1 : o.z.shape[axis + dropped];
    o.y.chunk[axis] = kind == 2 ? o.z.chunk[axis + dropped] : o.y.shape[axis];
  }
  return o;
}

static int64_t* differences(const struct operands* o, const int64_t* x, const int64_t* y) {
  int64_t* z = random_numbers(elements(o->z.ndim, o->z.shape));
  int64_t at[most_axes] = {0};
  const int32_t dropped = o->z.ndim - o->y.ndim;
  do {
    int64_t in_y[most_axes];
    for (int32_t axis = 0; axis < o->y.ndim; ++axis)
      in_y[axis] = o->y.shape[axis] == 1 ? 0 : at[axis + dropped];
    const int64_t k = offset_in(o->z.ndim, o->z.shape, at);
    z[k] = x[k] - y[offset_in(o->y.ndim, o->y.shape, in_y)];
  } while (next_index(o->z.ndim, o->z.shape, at));
  return z;
}

typedef void (*subtract_fn)(gpuarr_blocked* z, gpuarr_blocked* x, gpuarr_blocked* y);

static void check_differences(subtract_fn subtract) {
  for (int round = 0; round < 30; ++round) {
    gpuarr_team* team = team_of((int32_t)random_between(1, 8));
    const struct operands o = random_operands();
    gpuarr_blocked *z = blocked_of(team, &o.z, GPUARR_I64, 0), *x = NULL;
    gpuarr_blocked* y = NULL;
    assert_ok(gpuarr_blocked_empty_like(&x, z, 0));
    gpuarr_blocked_options* options = NULL;
    assert_ok(gpuarr_blocked_options_create(&options));
    assert_ok(gpuarr_blocked_options_set_placement(options, GPUARR_PLACEMENT_REPLICATED));
    /* One block that goes with several may be on any place. */
    const int single = elements(o.y.ndim, o.y.chunk) == elements(o.y.ndim, o.y.shape) &&
                       elements(o.z.ndim, o.z.chunk) < elements(o.z.ndim, o.z.shape);
    assert_ok(gpuarr_blocked_empty(&y, team, GPUARR_I64, o.y.ndim, o.y.shape, o.y.chunk,
                                   single && round % 2 ? NULL : options));
    int64_t* in_x = random_numbers(elements(o.z.ndim, o.z.shape));
    int64_t* in_y = random_numbers(elements(o.y.ndim, o.y.shape));
    write_all(x, in_x);
    assert_ok(
        gpuarr_blocked_write(y, NULL, NULL, -1, in_y, elements(o.y.ndim, o.y.shape) * 8, NULL));
    int64_t* expected = differences(&o, in_x, in_y);
    subtract(z, x, y);
    assert_all(team, z, expected);
    free(expected);
    free(in_y);
    free(in_x);
    gpuarr_blocked_options_release(options);
    gpuarr_blocked_release(y);
    gpuarr_blocked_release(x);
    gpuarr_blocked_release(z);
    gpuarr_team_release(team);
  }
}

static gpuarr_elementwise* minus;

static void subtract_elementwise(gpuarr_blocked* z, gpuarr_blocked* x, gpuarr_blocked* y) {
  const gpuarr_arg inputs[] = {gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED),
                               gpuarr_arg_blocked(y, GPUARR_ARG_BLOCKED), gpuarr_arg_i64(1)};
  assert_ok(gpuarr_map_blocks_elementwise(minus, &z, 1, inputs, 3));
}

static void subtract_by_text(gpuarr_blocked* z, gpuarr_blocked* x, gpuarr_blocked* y) {
  const gpuarr_arg args[] = {gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED),
                             gpuarr_arg_blocked(y, GPUARR_ARG_BLOCKED), gpuarr_arg_i64(1)};
  const char* names[] = {"x", "y", "one"};
  assert_ok(gpuarr_map_blocks_eval(&z, 1, "x * one - y", names, args, 3));
}

static gpuarr_function* minus_function;

static void subtract_by_function(gpuarr_blocked* z, gpuarr_blocked* x, gpuarr_blocked* y) {
  const gpuarr_arg inputs[] = {gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED),
                               gpuarr_arg_blocked(y, GPUARR_ARG_BLOCKED)};
  assert_ok(gpuarr_map_blocks_function(minus_function, &z, 1, inputs, 2));
}

static void kernels_expressions_functions(void** state) {
  (void)state;
  gpuarr_expr *x = NULL, *y = NULL, *d = NULL;
  assert_ok(gpuarr_expr_input(&x, 0));
  assert_ok(gpuarr_expr_input(&y, 1));
  const gpuarr_expr* both[] = {x, y};
  assert_ok(gpuarr_expr_apply(&d, 1, "subtract", both, 2));
  assert_ok(gpuarr_function_create(&minus_function, (const gpuarr_expr* const*)&d, 1));
  assert_ok(gpuarr_elementwise_create(&minus, "T x, T y, T one", "T z", "z = x * one - y;", NULL));
  check_differences(subtract_elementwise);
  check_differences(subtract_by_text);
  check_differences(subtract_by_function);
  gpuarr_elementwise_release(minus);
  gpuarr_function_release(minus_function);
  gpuarr_expr_release(d);
  gpuarr_expr_release(y);
  gpuarr_expr_release(x);
}

/* Each element becomes its index in C order of the whole, from where its block begins, whichever
 * order its array has. */
static const char* const count_source =
    "#include <gpuarr.cuh>\n"
    "extern \"C\" __global__ void count(gpuarr_view<long long, 2> z, long long row, long long "
    "column,\n"
    "    long long rows, long long columns, long long size, int width) {\n"
    "  if (size != rows * columns) return;\n"
    "  for (long long i = blockIdx.y * blockDim.y + threadIdx.y; i < rows; i += blockDim.y * "
    "gridDim.y)\n"
    "    for (long long j = blockIdx.x * blockDim.x + threadIdx.x; j < columns;\n"
    "         j += blockDim.x * gridDim.x)\n"
    "      z(i, j) = (row + i) * width + column + j;\n"
    "}\n";

static void raw_kernels(void** state) {
  (void)state;
  gpuarr_raw* kernel = NULL;
  assert_ok(gpuarr_raw_create(&kernel, count_source, "count", NULL, NULL));
  for (int round = 0; round < 20; ++round) {
    gpuarr_team* team = team_of((int32_t)random_between(1, 8));
    struct grid grid = {.ndim = 2, .shape = {37, 41}};
    for (int axis = 0; axis < 2; ++axis) grid.chunk[axis] = random_between(5, 41);
    add_random_halo(&grid);
    gpuarr_blocked* z = blocked_of(team, &grid, GPUARR_I64, 0);
    const gpuarr_arg args[] = {gpuarr_arg_blocked(z, GPUARR_ARG_BLOCKED_VIEW),
                               gpuarr_arg_block(GPUARR_ARG_BLOCK_START, 0),
                               gpuarr_arg_block(GPUARR_ARG_BLOCK_START, -1),
                               gpuarr_arg_block(GPUARR_ARG_BLOCK_EXTENT, 0),
                               gpuarr_arg_block(GPUARR_ARG_BLOCK_EXTENT, 1),
                               gpuarr_arg_block(GPUARR_ARG_BLOCK_SIZE, 0),
                               gpuarr_arg_i32(41)};
    assert_ok(gpuarr_map_blocks_raw(kernel, z, (int64_t[]){8, 4, 1}, args, 7));
    int64_t expected[37 * 41];
    for (int k = 0; k < 37 * 41; ++k) expected[k] = k;
    assert_all(team, z, expected);
    gpuarr_blocked_release(z);
    gpuarr_team_release(team);
  }
  gpuarr_raw_release(kernel);
}

/* Row sums of each block: (5, 6) in blocks of (2, 3) to (5, 2) in blocks of (2, 1). */
/* Threads along x are neighbours in memory. */
static void raw_kernels_of_either_order(void** state) {
  (void)state;
  static const char* const source =
      "extern \"C\" __global__ void tell(long long* z) {\n"
      "  if (blockIdx.x + blockIdx.y + threadIdx.x > 0) return;\n"
      "  z[0] = gridDim.x;\n"
      "  z[1] = gridDim.y;\n"
      "}\n";
  gpuarr_raw* kernel = NULL;
  gpuarr_team* team = team_of(1);
  assert_ok(gpuarr_raw_create(&kernel, source, "tell", NULL, NULL));
  for (int32_t order = GPUARR_ORDER_C; order <= GPUARR_ORDER_F; ++order) {
    gpuarr_blocked_options* options = NULL;
    gpuarr_blocked* z = NULL;
    const int64_t shape[] = {3, 40};
    assert_ok(gpuarr_blocked_options_create(&options));
    assert_ok(gpuarr_blocked_options_set_order(options, order));
    assert_ok(gpuarr_blocked_empty(&z, team, GPUARR_I64, 2, shape, shape, options));
    const gpuarr_arg arg = gpuarr_arg_blocked(z, GPUARR_ARG_BLOCKED);
    assert_ok(gpuarr_map_blocks_raw(kernel, z, (int64_t[]){8, 1, 1}, &arg, 1));
    int64_t got[120];
    assert_ok(gpuarr_blocked_read(got, sizeof got, NULL, z, NULL, NULL, -1));
    assert_int_equal(got[0], order == GPUARR_ORDER_C ? 5 : 1);
    assert_int_equal(got[order == GPUARR_ORDER_C ? 1 : 40], order == GPUARR_ORDER_C ? 3 : 40);
    gpuarr_blocked_release(z);
    gpuarr_blocked_options_release(options);
  }
  gpuarr_raw_release(kernel);
  gpuarr_team_release(team);
}

static void reductions_of_each_block(void** state) {
  (void)state;
  gpuarr_team* team = team_of(3);
  gpuarr_blocked *x = NULL, *s = NULL;
  gpuarr_reduction* sum = NULL;
  const int64_t shape[] = {5, 6}, chunk[] = {2, 3}, sums[] = {5, 2}, one[] = {2, 1};
  int64_t expected[10];
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_I64, 2, shape, chunk, NULL));
  assert_ok(gpuarr_blocked_empty(&s, team, GPUARR_I64, 2, sums, one, NULL));
  assert_ok(gpuarr_blocked_arange(x, gpuarr_arg_i64(0), gpuarr_arg_i64(1)));
  assert_ok(gpuarr_reduction_create(&sum, "T x", "T y", "x", "a + b", "y = a", "0", NULL));
  const gpuarr_arg input = gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED);
  assert_ok(gpuarr_map_blocks_reduction(sum, &s, 1, &input, 1, (int32_t[]){1}, 1));
  for (int k = 0; k < 10; ++k) expected[k] = 3 * (k / 2 * 6 + k % 2 * 3) + 3;
  assert_all(team, s, expected);
  gpuarr_reduction_release(sum);
  gpuarr_blocked_release(s);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

/* Sums of three neighbours, of a block with one ghost cell on either side. */
static gpuarr_status neighbours(const gpuarr_block* block, gpuarr_array* const* outputs,
                                gpuarr_array* const* inputs, void* user) {
  (void)user;
  const int64_t n = gpuarr_array_size(outputs[0]);
  if (gpuarr_array_size(inputs[0]) != n + 2) return GPUARR_ERR_SHAPE;
  gpuarr_array *part[3] = {NULL}, *out = outputs[0];
  gpuarr_status status = GPUARR_OK;
  for (int k = 0; k < 3 && status == GPUARR_OK; ++k)
    status = gpuarr_array_slice(&part[k], inputs[0], 0, k, k + n, 1);
  const char* names[] = {"a", "b", "c"};
  const gpuarr_arg args[] = {gpuarr_arg_array(part[0]), gpuarr_arg_array(part[1]),
                             gpuarr_arg_array(part[2])};
  if (status == GPUARR_OK)
    status = gpuarr_eval(&out, "a + b + c", names, args, 3, gpuarr_block_stream(block));
  for (int k = 0; k < 3; ++k) gpuarr_array_release(part[k]);
  return status;
}

static void stencils(void** state) {
  (void)state;
  for (int round = 0; round < 10; ++round) {
    gpuarr_team* team = team_of((int32_t)random_between(1, 8));
    struct grid grid = {.ndim = 1, .shape = {50}, .low = {1}, .high = {1}};
    grid.chunk[0] = random_between(1, 50);
    grid.boundary[0] = GPUARR_BOUNDARY_PERIODIC;
    gpuarr_blocked *x = blocked_of(team, &grid, GPUARR_I64, 0), *y = NULL;
    assert_ok(gpuarr_blocked_empty_like(&y, x, 0));
    int64_t *values = random_numbers(50), expected[50];
    for (int k = 0; k < 50; ++k)
      expected[k] = values[(k + 49) % 50] + values[k] + values[(k + 1) % 50];
    write_all(x, values);
    assert_ok(gpuarr_map_overlap(neighbours, NULL, &y, 1, &x, 1));
    assert_all(team, y, expected);
    free(values);
    gpuarr_blocked_release(y);
    gpuarr_blocked_release(x);
    gpuarr_team_release(team);
  }
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_function_sees),
      cmocka_unit_test(kernels_expressions_functions),
      cmocka_unit_test(raw_kernels),
      cmocka_unit_test(raw_kernels_of_either_order),
      cmocka_unit_test(reductions_of_each_block),
      cmocka_unit_test(stencils),
  };
  return run_team_suite(tests);
}
