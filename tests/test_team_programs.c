/* Random programs of collective calls on a team: after each step the arrays hold what a plain model
 * says. In one process with 1 to 8 places; under mpirun and gpuarr run, in as many as there are. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models.h"

enum { most_models = 4 };

struct program {
  gpuarr_team* team;
  gpuarr_dtype dtype;
  int32_t ndim;
  int64_t shape[most_axes];
  struct model models[most_models];
};

static char where[200]; /* of the step that is under way, for who looks for a fault */

static struct model* any_of(struct program* p) {
  return &p->models[random_between(0, most_models - 1)];
}

/* Kernels are compiled for these two only. */
static int computes(const struct program* p) {
  return p->dtype == GPUARR_I32 || p->dtype == GPUARR_F64;
}

static void renew(struct program* p, struct model* m) {
  release_model(m);
  *m = random_model(p->team, p->dtype, p->ndim, p->shape);
}

static void fill(struct program* p, struct model* m) {
  const int64_t value = random_between(0, 60);
  if (p->dtype == GPUARR_C128) return; /* which the models count otherwise */
  assert_ok(gpuarr_blocked_fill(m->blocked, gpuarr_arg_i64(value)));
  for (int64_t k = 0; k < model_size(m); ++k) m->values[k] = (double)value;
}

static void write_part(struct program* p, struct model* m) { write_slab(p->team, m); }

static void read_part(struct program* p, struct model* m) { check_slab(p->team, m); }

static void redistribute(struct program* p, struct model* m) {
  struct model other = random_model(p->team, p->dtype, m->grid.ndim, m->grid.shape);
  if (random_between(0, 1)) {
    assert_ok(gpuarr_redistribute(m->blocked, other.blocked));
    memcpy(m->values, other.values, (size_t)model_size(m) * sizeof *m->values);
  } else {
    assert_ok(gpuarr_redistribute(other.blocked, m->blocked));
    memcpy(other.values, m->values, (size_t)model_size(m) * sizeof *m->values);
    check_blocks(&other);
  }
  release_model(&other);
}

static void exchange(struct program* p, struct model* m) {
  if (random_between(0, 1)) {
    assert_ok(gpuarr_halo_exchange(m->blocked));
  } else {
    assert_ok(gpuarr_halo_begin(m->blocked));
    struct model other = random_model(p->team, p->dtype, p->ndim, p->shape); /* others go on */
    if (random_between(0, 1)) check_slab(p->team, m);
    check_blocks(&other);
    release_model(&other);
    assert_ok(gpuarr_halo_end(m->blocked));
  }
  check_with_halo(m);
}

/* An operand that goes with an array: per axis as many blocks, or one, of all of the axis or of
 * extent 1. */
static struct model random_operand(struct program* p, const struct model* x) {
  struct grid grid = {0};
  struct model y;
  int repeats = 0;
  const int32_t dropped = (int32_t)random_between(0, x->grid.ndim);
  grid.ndim = x->grid.ndim - dropped;
  for (int32_t axis = 0; axis < grid.ndim; ++axis) {
    const int64_t kind = random_between(0, 2), extent = x->grid.shape[axis + dropped];
    grid.shape[axis] = kind == 0 ? 1 : extent;
    grid.chunk[axis] = kind == 2 ? x->grid.chunk[axis + dropped] : extent + 1;
  }
  for (int32_t axis = 0; axis < x->grid.ndim; ++axis)
    repeats |=
        blocks_along(&x->grid, axis) > (axis < dropped ? 1 : blocks_along(&grid, axis - dropped));
  y = random_model(p->team, p->dtype, grid.ndim, grid.shape);
  gpuarr_blocked_release(y.blocked);
  y.grid = grid;
  y.blocked = blocked_of(p->team, &grid, p->dtype, !repeats || random_between(0, 3) == 0);
  for (int64_t k = 0; k < model_size(&y); ++k) y.values[k] = 0;
  assert_ok(gpuarr_blocked_fill(y.blocked, gpuarr_arg_i64(0)));
  write_slab(p->team, &y);
  return y;
}

static double value_of_operand(const struct model* y, int32_t dropped, const int64_t* at) {
  int64_t own[most_axes];
  for (int32_t axis = 0; axis < y->grid.ndim; ++axis)
    own[axis] = y->grid.shape[axis] == 1 ? 0 : at[axis + dropped];
  return y->values[offset_in(y->grid.ndim, y->grid.shape, own)];
}

static void compute(struct program* p, struct model* x) {
  if (!computes(p)) return;
  struct model y = random_operand(p, x), z = {0};
  const int in_place = random_between(0, 3) == 0, largest = random_between(0, 1) != 0;
  const int32_t dropped = x->grid.ndim - y.grid.ndim;
  if (!in_place) z = model_like(x);
  struct model* out = in_place ? x : &z;
  const gpuarr_arg args[] = {gpuarr_arg_blocked(x->blocked, GPUARR_ARG_BLOCKED),
                             gpuarr_arg_blocked(y.blocked, GPUARR_ARG_BLOCKED)};
  const char* names[] = {"x", "y"};
  assert_ok(gpuarr_map_blocks_eval(&out->blocked, 1, largest ? "maximum(x, y)" : "minimum(x, y)",
                                   names, args, 2));
  int64_t at[most_axes] = {0};
  if (model_size(x) > 0) do {
      const int64_t k = offset_in(x->grid.ndim, x->grid.shape, at);
      const double a = x->values[k], b = value_of_operand(&y, dropped, at);
      out->values[k] = (a > b) == largest ? a : b;
    } while (next_index(x->grid.ndim, x->grid.shape, at));
  check_blocks(out);
  release_model(&y);
  if (!in_place) release_model(&z);
}

/* Each element of the output is one beside that of the input. */
struct shift {
  const struct grid* grid;
  int64_t by[most_axes];
};

static gpuarr_status shifted(const gpuarr_block* block, gpuarr_array* const* outputs,
                             gpuarr_array* const* inputs, void* user) {
  const struct shift* shift = user;
  gpuarr_array *view = gpuarr_array_retain(inputs[0]), *next = NULL;
  gpuarr_status status = GPUARR_OK;
  for (int32_t axis = 0; axis < shift->grid->ndim && status == GPUARR_OK; ++axis) {
    const int64_t start = gpuarr_block_start(block, axis), low = shift->grid->low[axis];
    const int none = shift->grid->boundary[axis] == GPUARR_BOUNDARY_NONE;
    const int64_t first = (none && start < low ? start : low) + shift->by[axis];
    status = gpuarr_array_slice(&next, view, axis, first,
                                first + gpuarr_array_shape(outputs[0])[axis], 1);
    gpuarr_array_release(view);
    view = next;
  }
  if (status == GPUARR_OK) status = gpuarr_array_assign(outputs[0], view, NULL);
  gpuarr_array_release(view);
  return status;
}

static void overlap(struct program* p, struct model* x) {
  (void)p;
  struct model z = model_like(x);
  struct shift shift = {.grid = &x->grid};
  for (int32_t axis = 0; axis < x->grid.ndim; ++axis)
    if (x->grid.boundary[axis] != GPUARR_BOUNDARY_NONE)
      shift.by[axis] = random_between(-x->grid.low[axis], x->grid.high[axis]);
  assert_ok(gpuarr_map_overlap(shifted, &shift, &z.blocked, 1, &x->blocked, 1));
  int64_t at[most_axes] = {0};
  if (model_size(x) > 0) do {
      int64_t from[most_axes];
      for (int32_t axis = 0; axis < x->grid.ndim; ++axis) from[axis] = at[axis] + shift.by[axis];
      z.values[offset_in(x->grid.ndim, x->grid.shape, at)] = value_beside(x, from);
    } while (next_index(x->grid.ndim, x->grid.shape, at));
  if (x->dtype != GPUARR_C128) check_blocks(&z);
  release_model(&z);
}

/* Reductions of numbers from 0: where there is none yet, the result is -1. */
struct fold {
  const char* name;
  double (*add)(double sum, double value, double place, double* best);
};

static double add_sum(double a, double v, double k, double* best) {
  (void)k, (void)best;
  return a < 0 ? v : a + v;
}
static double add_min(double a, double v, double k, double* best) {
  (void)k, (void)best;
  return a < 0 || v < a ? v : a;
}
static double add_max(double a, double v, double k, double* best) {
  (void)k, (void)best;
  return v > a ? v : a;
}
static double add_argmax(double a, double v, double k, double* best) {
  if (a >= 0 && v <= *best) return a;
  *best = v;
  return k;
}
static double add_nonzero(double a, double v, double k, double* best) {
  (void)k, (void)best;
  return (a < 0 ? 0 : a) + (v != 0);
}

static const struct fold folds[] = {{"sum", add_sum},
                                    {"min", add_min},
                                    {"max", add_max},
                                    {"argmax", add_argmax},
                                    {"count_nonzero", add_nonzero}};

struct results {
  int32_t ndim; /* of the results */
  int64_t shape[most_axes];
  double* values;
};

static struct results expected_of(const struct model* x, const struct fold* fold, const int* is_in,
                                  int keepdims) {
  struct results r = {0};
  int64_t at[most_axes] = {0}, kept[most_axes], inner[most_axes];
  const int32_t ndim = x->grid.ndim;
  for (int32_t axis = 0; axis < ndim; ++axis) {
    kept[axis] = is_in[axis] ? 1 : x->grid.shape[axis];
    inner[axis] = is_in[axis] ? x->grid.shape[axis] : 1;
    if (!is_in[axis] || keepdims) r.shape[r.ndim++] = kept[axis];
  }
  const int64_t count = elements(ndim, kept);
  double* best = calloc((size_t)count + 1, sizeof *best);
  r.values = malloc((size_t)(count + 1) * sizeof *r.values);
  for (int64_t k = 0; k < count; ++k) r.values[k] = -1;
  if (model_size(x) > 0) do {
      int64_t to[most_axes], place[most_axes];
      for (int32_t axis = 0; axis < ndim; ++axis) {
        to[axis] = is_in[axis] ? 0 : at[axis];
        place[axis] = is_in[axis] ? at[axis] : 0;
      }
      const int64_t k = offset_in(ndim, kept, to);
      r.values[k] = fold->add(r.values[k], x->values[offset_in(ndim, x->grid.shape, at)],
                              (double)offset_in(ndim, inner, place), &best[k]);
    } while (next_index(ndim, x->grid.shape, at));
  free(best);
  return r;
}

static void check_results(gpuarr_blocked* found, const struct results* r) {
  int64_t count = 0;
  double* values = read_numbers(found, &count);
  assert_int_equal(gpuarr_blocked_ndim(found), r->ndim);
  assert_int_equal(count, elements(r->ndim, r->shape));
  for (int64_t k = 0; k < count; ++k) assert_true(values[k] == r->values[k]);
  free(values);
}

/* Twice: into an array that the call makes, and into one of other blocks. */
static void reduce(struct program* p, struct model* x) {
  const struct fold* fold = &folds[random_between(0, 4)];
  int is_in[most_axes] = {0};
  int32_t axes[most_axes], count = 0;
  const int32_t keepdims = (int32_t)random_between(0, 1);
  if (!computes(p) || model_size(x) == 0) return;
  for (int32_t axis = 0; axis < x->grid.ndim; ++axis) {
    if (!(is_in[axis] = random_between(0, 2) > 0)) continue;
    axes[count++] = random_between(0, 1) ? axis : axis - x->grid.ndim;
  }
  struct results r = expected_of(x, fold, is_in, keepdims);
  gpuarr_blocked* made = NULL;
  assert_ok(gpuarr_blocked_reduce(&made, fold->name, x->blocked, axes, count, keepdims, 0, 0));
  check_results(made, &r);
  struct model out = random_model(p->team, gpuarr_blocked_dtype(made), r.ndim, r.shape);
  assert_ok(
      gpuarr_blocked_reduce(&out.blocked, fold->name, x->blocked, axes, count, keepdims, 0, 0));
  memcpy(out.values, r.values, (size_t)elements(r.ndim, r.shape) * sizeof *r.values);
  check_blocks(&out);
  release_model(&out);
  gpuarr_blocked_release(made);
  free(r.values);
}

/* Place k has k + 1 everywhere. */
static void all_reduce(struct program* p, struct model* like) {
  const int32_t how = (int32_t)random_between(GPUARR_COMBINE_SUM, GPUARR_COMBINE_MAX);
  const int32_t places = gpuarr_team_size(p->team);
  double expected = how == GPUARR_COMBINE_MAX ? places : 1;
  struct model m = {.dtype = p->dtype, .grid = like->grid};
  if (!computes(p)) return;
  m.blocked = blocked_of(p->team, &m.grid, p->dtype, 1);
  m.values = calloc((size_t)model_size(&m) + 1, sizeof *m.values);
  for (int64_t k = 0; k < gpuarr_blocked_local_count(m.blocked); ++k) {
    gpuarr_array* block = NULL;
    const int64_t value = gpuarr_blocked_local_place(m.blocked, k) + 1;
    assert_ok(gpuarr_blocked_local(&block, m.blocked, k, 0));
    assert_ok(gpuarr_array_fill(block, gpuarr_arg_i64(value), NULL));
    gpuarr_array_release(block);
  }
  for (int32_t k = 2; k <= places && how <= GPUARR_COMBINE_PROD; ++k)
    expected = how == GPUARR_COMBINE_SUM ? expected + k : expected * k;
  assert_ok(gpuarr_all_reduce(m.blocked, how));
  for (int64_t k = 0; k < model_size(&m); ++k) m.values[k] = expected;
  check_blocks(&m);
  release_model(&m);
}

/* A step on an array, or on a view of it with other axes. */
typedef void (*step_fn)(struct program* p, struct model* m);

static void through_a_view(struct program* p, struct model* m, step_fn step) {
  int32_t axes[most_axes] = {0};
  for (int32_t k = 1; k < m->grid.ndim; ++k) {
    const int64_t other = random_between(0, k);
    axes[k] = axes[other];
    axes[other] = k;
  }
  struct model view = transposed_model(m, axes);
  step(p, &view);
  check_blocks(&view);
  put_back(m, &view, axes);
  release_model(&view);
}

static const struct {
  const char* name;
  step_fn step;
} steps[] = {{"renew", renew},
             {"fill", fill},
             {"write", write_part},
             {"read", read_part},
             {"redistribute", redistribute},
             {"exchange", exchange},
             {"exchange", exchange},
             {"compute", compute},
             {"compute", compute},
             {"overlap", overlap},
             {"reduce", reduce},
             {"reduce", reduce},
             {"all_reduce", all_reduce}};
enum { step_count = sizeof steps / sizeof *steps };

static struct program begin(void) {
  static const gpuarr_dtype dtypes[] = {GPUARR_I32, GPUARR_I32, GPUARR_F64, GPUARR_F64,
                                        GPUARR_I8,  GPUARR_F16, GPUARR_C128};
  struct program p = {.team = team_of((int32_t)random_between(1, 8)),
                      .dtype = dtypes[random_between(0, 6)],
                      .ndim = (int32_t)random_between(0, 3)};
  for (int32_t axis = 0; axis < p.ndim; ++axis)
    p.shape[axis] = random_between(0, 30) == 0 ? 0 : random_between(1, 9);
  for (int k = 0; k < most_models; ++k)
    p.models[k] = random_model(p.team, p.dtype, p.ndim, p.shape);
  return p;
}

static void random_programs(void** state) {
  (void)state;
  const char* wanted = getenv("GPUARR_TEST_PROGRAMS");
  const int programs = wanted != NULL ? atoi(wanted) : sanitized ? 8 : 20;
  for (int round = 0; round < programs; ++round) {
    struct program p = begin();
    for (int k = 0; k < 20; ++k) {
      const int64_t step = random_between(0, step_count - 1);
      const int by_view = steps[step].step != renew && random_between(0, 3) == 0;
      struct model* m = any_of(&p);
      snprintf(where, sizeof where, "program %d, step %d: %s%s on array %d", round, k,
               steps[step].name, by_view ? " by a view" : "", (int)(m - p.models));
      if (by_view)
        through_a_view(&p, m, steps[step].step);
      else
        steps[step].step(&p, m);
      check_blocks(m);
    }
    for (int k = 0; k < most_models; ++k) check_blocks(&p.models[k]);
    assert_ok(gpuarr_team_synchronize(p.team));
    for (int k = 0; k < most_models; ++k) release_model(&p.models[k]);
    gpuarr_team_release(p.team);
  }
  where[0] = '\0';
}

static int say_where(void** state) {
  (void)state;
  if (where[0] != '\0') print_error("%s\n", where);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(random_programs, say_where)};
  return run_team_suite(tests);
}
