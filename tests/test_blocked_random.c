/* Tests of gpuarr/blocked_random.h: the numbers of blocked arrays are those of undivided ones. */
#include <string.h>

#include "arrays.h"
#include "draws.h"
#include "whole.h"

/* What the draws of draws.h are called here. */
struct asked {
  const char *draw, *distribution;
  int32_t count;
  double parameters[2];
};
static const struct asked all_asked[] = {
    {"uniform", "uniform", 2, {-1, 3}},      {"normal", "normal", 2, {1, 2}},
    {"lognormal", "lognormal", 2, {0, 0.5}}, {"exponential", "exponential", 1, {2}},
    {"gamma", "gamma", 2, {3, 1}},           {"gamma of 1/2", "gamma", 2, {0.5, 1}},
    {"poisson", "poisson", 1, {3.5}},        {"large poisson", "poisson", 1, {250}},
    {"binomial", "binomial", 2, {20, 0.25}}, {"large binomial", "binomial", 2, {1000, 0.6}},
    {"bernoulli", "bernoulli", 1, {0.3}},    {"integers", "integers", 2, {10, 110}},
    {"rejecting", "integers", 2, {0, 3e9}},  {"wide", "integers", 2, {0, 3e18}},
};

static const struct asked* asked_for(const char* draw) {
  for (size_t k = 0; k < sizeof all_asked / sizeof *all_asked; ++k)
    if (strcmp(all_asked[k].draw, draw) == 0) return &all_asked[k];
  fail_msg("nothing is asked for %s", draw);
  return NULL;
}

static gpuarr_status draw_blocks(gpuarr_blocked* x, gpuarr_generator* g, const struct asked* a) {
  gpuarr_arg parameters[2];
  for (int k = 0; k < a->count; ++k) parameters[k] = gpuarr_arg_f64(a->parameters[k]);
  return gpuarr_blocked_random(x, g, a->distribution, parameters, a->count);
}

static void check_draw(const struct draw* d, const struct grid* grid, int replicated) {
  gpuarr_team* team = team_of((int32_t)random_between(1, 8));
  const uint64_t seed = random_bits(), at = (uint64_t)random_between(0, 1000);
  gpuarr_generator *alone = generator(seed, 5), *shared = generator(seed, 5);
  assert_ok(gpuarr_generator_set_position(alone, at));
  assert_ok(gpuarr_generator_set_position(shared, at));
  gpuarr_array* expected = NULL;
  gpuarr_blocked* x = blocked_of(team, grid, d->dtype, replicated);
  for (int again = 0; again < 2; ++again) {
    assert_ok(d->call(&expected, alone, d->dtype, grid->ndim, grid->shape, NULL));
    assert_ok(draw_blocks(x, shared, asked_for(d->name)));
    assert_whole(x, expected);
    assert_int_equal(gpuarr_generator_position(shared), gpuarr_generator_position(alone));
  }
  gpuarr_blocked_release(x);
  gpuarr_array_release(expected);
  gpuarr_generator_release(shared);
  gpuarr_generator_release(alone);
  gpuarr_team_release(team);
}

/* Of two axes: each number of them has kernels of its own, which take time to compile. */
static void every_distribution(void** state) {
  (void)state;
  for (int k = 0; k < draw_count; ++k) {
    const int64_t shape[] = {random_between(2, 30), random_between(10, 30)};
    struct grid grid = random_chunks(2, shape, 5);
    if (draws[k].dtype == GPUARR_F32) add_random_halo(&grid);
    check_draw(&draws[k], &grid, k % 5 == 0);
  }
}

static void any_grid(void** state) {
  (void)state;
  const struct draw* d = draw_called("normal", GPUARR_F32);
  for (int round = 0; round < 16; ++round) {
    struct grid grid = random_grid();
    add_random_halo(&grid);
    check_draw(d, &grid, round % 7 == 0);
  }
}

/* Chunks that are multiples of a step, and others: both begin within a vector of the CPU. */
static void long_runs(void** state) {
  (void)state;
  for (int k = 0; k < draw_count; k += 3) {
    const struct grid grid = {
        .ndim = 2, .shape = {random_between(40, 70), 33}, .chunk = {random_between(1, 20), 33}};
    check_draw(&draws[k], &grid, 0);
  }
}

static void many_axes(void** state) {
  (void)state;
  const struct grid grid = {.ndim = 4, .shape = {3, 5, 4, 7}, .chunk = {2, 3, 4, 3}};
  for (int k = 0; k < draw_count; k += 6) check_draw(&draws[k], &grid, 0);
}

static void standard_normal_numbers(void** state) {
  (void)state;
  gpuarr_team* team = team_of(5);
  const struct grid grid = {.ndim = 1, .shape = {1001}, .chunk = {130}};
  const struct asked standard = {"", "normal", 2, {0, 1}};
  gpuarr_generator *alone = generator(1, 2), *shared = generator(1, 2);
  gpuarr_blocked* x = blocked_of(team, &grid, GPUARR_F32, 0);
  gpuarr_array* expected = NULL;
  assert_ok(gpuarr_random_normal(&expected, alone, gpuarr_arg_i64(0), gpuarr_arg_i64(1), GPUARR_F32,
                                 1, grid.shape, NULL));
  assert_ok(draw_blocks(x, shared, &standard));
  assert_whole(x, expected);
  gpuarr_blocked_release(x);
  gpuarr_array_release(expected);
  gpuarr_generator_release(shared);
  gpuarr_generator_release(alone);
  gpuarr_team_release(team);
}

static void nothing_to_draw(void** state) {
  (void)state;
  gpuarr_team* team = team_of(2);
  gpuarr_generator* g = generator(1, 0);
  gpuarr_blocked *none = NULL, *one = NULL;
  const int64_t shape[] = {3, 0};
  assert_ok(gpuarr_blocked_empty(&none, team, GPUARR_F64, 2, shape, NULL, NULL));
  assert_ok(draw_blocks(none, g, asked_for("normal")));
  assert_int_equal(gpuarr_generator_position(g), 0);
  assert_ok(gpuarr_blocked_empty(&one, team, GPUARR_F64, 0, NULL, NULL, NULL));
  assert_ok(draw_blocks(one, g, asked_for("normal")));
  assert_int_equal(gpuarr_generator_position(g), 1);
  gpuarr_blocked_release(one);
  gpuarr_blocked_release(none);
  gpuarr_generator_release(g);
  gpuarr_team_release(team);
}

static void refused_draws(void** state) {
  (void)state;
  gpuarr_team* team = team_of(2);
  gpuarr_generator* g = generator(1, 0);
  gpuarr_blocked* x = NULL;
  gpuarr_array* array = line(GPUARR_F32, 3);
  const int64_t shape[] = {10};
  gpuarr_arg given[] = {gpuarr_arg_f64(3), gpuarr_arg_f64(1)};
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_F32, 1, shape, NULL, NULL));
  assert_status(gpuarr_blocked_random(x, g, "cauchy", given, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has(
      "gpuarr_blocked_random: distribution is \"cauchy\"; give one of uniform, normal, lognormal, "
      "exponential, bernoulli, integers, gamma, poisson, binomial");
  assert_status(gpuarr_blocked_random(x, g, NULL, given, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("distribution is NULL");
  assert_status(gpuarr_blocked_random(x, g, "normal", given, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is 1, but normal numbers have 2 parameters: mean, std");
  assert_status(gpuarr_blocked_random(x, g, "exponential", given, -1), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is -1, but exponential numbers have 1 parameter: scale");
  assert_status(gpuarr_blocked_random(x, g, "integers", NULL, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("parameters is NULL; give 2 of them");
  assert_status(gpuarr_blocked_random(x, g, "integers", given, 2), GPUARR_ERR_DTYPE);
  assert_message_has("integers numbers cannot be float32; give an integer type");
  assert_status(gpuarr_blocked_random(x, g, "uniform", given, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("low is 3 and high is 1; give a high that is not below low");
  given[1] = gpuarr_arg_array(array);
  assert_status(gpuarr_blocked_random(x, g, "normal", given, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("parameters[1], std, is an array; give a number");
  given[1] = gpuarr_arg_f64(1);
  assert_ok(gpuarr_generator_set_position(g, UINT64_MAX - 1));
  assert_status(gpuarr_blocked_random(x, g, "normal", given, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("has no 3 steps left before 2^64");
  assert_int_equal(gpuarr_generator_position(g), UINT64_MAX - 1);
  assert_status(gpuarr_blocked_random(NULL, g, "normal", given, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("x is NULL");
  assert_status(gpuarr_blocked_random(x, NULL, "normal", given, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("generator is NULL");
  gpuarr_array_release(array);
  gpuarr_blocked_release(x);
  gpuarr_generator_release(g);
  gpuarr_team_release(team);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_distribution),
      cmocka_unit_test(any_grid),
      cmocka_unit_test(long_runs),
      cmocka_unit_test(many_axes),
      cmocka_unit_test(standard_normal_numbers),
      cmocka_unit_test(nothing_to_draw),
      cmocka_unit_test(refused_draws),
  };
  return run_team_suite(tests);
}
