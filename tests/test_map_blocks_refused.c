/* Tests of what gpuarr/map_blocks.h refuses, and of functions that fail. */
#include <stdlib.h>
#include <string.h>

#include "arrays.h"
#include "blocks.h"

static gpuarr_status call_collective(const gpuarr_block* block, gpuarr_array* const* outputs,
                                     gpuarr_array* const* inputs, void* user) {
  (void)block, (void)outputs, (void)inputs;
  return gpuarr_team_synchronize(user);
}

static gpuarr_status fail_at_two(const gpuarr_block* block, gpuarr_array* const* outputs,
                                 gpuarr_array* const* inputs, void* user) {
  (void)inputs, (void)user;
  if (gpuarr_block_number(block) != 2) return GPUARR_OK;
  return gpuarr_array_fill(outputs[0], gpuarr_arg_f64(0.5), NULL);
}

static void functions_that_fail(void** state) {
  (void)state;
  if (in_world()) skip();
  gpuarr_team* team = team_of(2);
  gpuarr_blocked* x = NULL;
  const int64_t shape[] = {8}, chunk[] = {2};
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_I64, 1, shape, chunk, NULL));
  assert_status(gpuarr_map_blocks(call_collective, team, &x, 1, NULL, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_map_blocks: block (0,) on place 0: the function returned 101");
  assert_message_has("it is collective, but a function of gpuarr_map_blocks runs on this place");
  assert_status(gpuarr_map_blocks(fail_at_two, NULL, &x, 1, NULL, 0, 0), GPUARR_ERR_DTYPE);
  assert_message_has("block (2,) on place 1: the function returned 103 (GPUARR_ERR_DTYPE)");
  assert_status(gpuarr_map_blocks(NULL, NULL, &x, 1, NULL, 0, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("function is NULL");
  assert_ok(gpuarr_team_synchronize(team)); /* it goes on */
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

static gpuarr_blocked* plain(gpuarr_team* team, int32_t ndim, const int64_t* shape,
                             const int64_t* chunk) {
  gpuarr_blocked* out = NULL;
  assert_ok(gpuarr_blocked_empty(&out, team, GPUARR_I64, ndim, shape, chunk, NULL));
  return out;
}

static gpuarr_status count(const gpuarr_block* block, gpuarr_array* const* outputs,
                           gpuarr_array* const* inputs, void* user) {
  (void)block, (void)outputs, (void)inputs;
  ++*(int*)user;
  return GPUARR_OK;
}

static void arrays_that_do_not_go_together(void** state) {
  (void)state;
  if (in_world()) skip();
  int calls = 0;
  gpuarr_team *team = team_of(2), *other = team_of(2);
  const int64_t shape[] = {6, 4}, rows[] = {2, 4}, halves[] = {3, 4}, ragged[] = {5, 4};
  gpuarr_blocked *z = plain(team, 2, shape, rows), *x = plain(team, 2, shape, halves);
  gpuarr_blocked *far = plain(other, 2, shape, rows), *deep = plain(team, 2, ragged, rows);
  gpuarr_blocked *flat = plain(team, 1, shape, NULL), *cyclic = NULL;
  assert_status(gpuarr_map_blocks(count, &calls, &z, 1, &x, 1, 0), GPUARR_ERR_LAYOUT);
  assert_message_has("inputs[0] has 2 blocks along axis 0, but the first output has 3");
  assert_status(gpuarr_map_blocks(count, &calls, &z, 1, &far, 1, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("inputs[0] is of another team than the first output");
  assert_status(gpuarr_map_blocks(count, &calls, &z, 1, &deep, 1, 0), GPUARR_ERR_SHAPE);
  assert_message_has("inputs[0], of shape (5, 4) in (3, 1) blocks, does not go with");
  assert_status(gpuarr_map_blocks(count, &calls, &flat, 1, &z, 1, 0), GPUARR_ERR_SHAPE);
  assert_message_has("inputs[0] has 2 axes, but the first output has 1");
  gpuarr_blocked_options* options = NULL;
  assert_ok(gpuarr_blocked_options_create(&options));
  assert_ok(gpuarr_blocked_options_set_placement(options, GPUARR_PLACEMENT_CYCLIC));
  assert_ok(gpuarr_blocked_empty(&cyclic, team, GPUARR_I64, 2, shape, rows, options));
  assert_status(gpuarr_map_blocks(count, &calls, &z, 1, &cyclic, 1, 0), GPUARR_ERR_LAYOUT);
  assert_message_has(
      "inputs[0] has block (1, 0) on place 1, but the first output has it on place 0");
  assert_status(gpuarr_map_blocks(count, &calls, &z, 1, &x, 1, 4), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_map_blocks(count, &calls, NULL, 1, &x, 1, 0), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_map_blocks(count, &calls, &z, 0, &x, 1, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("output_count is 0");
  assert_int_equal(calls, 0);
  gpuarr_blocked_options_release(options);
  gpuarr_blocked* all[] = {z, x, far, deep, flat, cyclic};
  for (int k = 0; k < 6; ++k) gpuarr_blocked_release(all[k]);
  gpuarr_team_release(other);
  gpuarr_team_release(team);
}

static void refused_kernels(void** state) {
  (void)state;
  if (in_world()) skip();
  gpuarr_team* team = team_of(2);
  const int64_t shape[] = {6};
  gpuarr_blocked *z = plain(team, 1, shape, NULL), *f = NULL;
  gpuarr_elementwise* same = NULL;
  gpuarr_array *plain_array = line(GPUARR_I64, 6), *out = NULL;
  assert_ok(gpuarr_blocked_empty_like(&f, z, GPUARR_F32));
  assert_ok(gpuarr_elementwise_create(&same, "T x", "T z", "z = x;", NULL));
  gpuarr_arg input = gpuarr_arg_blocked(f, GPUARR_ARG_BLOCKED);
  assert_status(gpuarr_map_blocks_elementwise(same, &z, 1, &input, 1), GPUARR_ERR_DTYPE);
  assert_message_has("block (0,) on place 0: ");
  assert_status(gpuarr_map_blocks_elementwise(same, &z, 1, &input, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("input_count is 2, but the kernel has 1 inputs");
  assert_status(gpuarr_elementwise_call(same, &out, 1, &input, 1, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_ARGUMENT); /* not for each block */
  input = gpuarr_arg_blocked(NULL, GPUARR_ARG_BLOCKED);
  assert_status(gpuarr_map_blocks_elementwise(same, &z, 1, &input, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("inputs[0] is NULL");
  input = gpuarr_arg_block(GPUARR_ARG_BLOCK_START, 1);
  assert_status(gpuarr_map_blocks_elementwise(same, &z, 1, &input, 1), GPUARR_ERR_AXIS);
  assert_message_has("inputs[0]'s axis");
  const char* names[] = {"x"};
  input = gpuarr_arg_blocked(z, GPUARR_ARG_BLOCKED);
  assert_status(gpuarr_map_blocks_eval(&z, 1, "x, x", names, &input, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("output_count is 1, but text has 2 results");
  assert_status(gpuarr_map_blocks_eval(&z, 1, "x +", names, &input, 1), GPUARR_ERR_SYNTAX);
  gpuarr_array_release(plain_array);
  gpuarr_elementwise_release(same);
  gpuarr_blocked_release(f);
  gpuarr_blocked_release(z);
  gpuarr_team_release(team);
}

/* One block, which most processes of a world have not, and none. */
static void refused_alike_where_there_are_no_blocks(void** state) {
  (void)state;
  gpuarr_team* team = team_of(2);
  gpuarr_elementwise* floats = NULL;
  gpuarr_raw* raw = NULL;
  assert_ok(gpuarr_elementwise_create(&floats, "float32 x", "float32 z", "z = x;", NULL));
  assert_ok(
      gpuarr_raw_create(&raw, "extern \"C\" __global__ void k(long long* x) {}", "k", NULL, NULL));
  for (int64_t extent = 0; extent < 2; ++extent) {
    gpuarr_blocked* x = plain(team, 1, &extent, NULL);
    const gpuarr_arg args[] = {gpuarr_arg_blocked(x, GPUARR_ARG_BLOCKED), gpuarr_arg_i64(1)};
    const int64_t threads[] = {8, 0, 1};
    assert_status(gpuarr_map_blocks_elementwise(floats, &x, 1, args, 1), GPUARR_ERR_DTYPE);
    assert_status(gpuarr_map_blocks_raw(raw, x, threads, args, 1), GPUARR_ERR_ARGUMENT);
    assert_message_has("block[1] is 0; give a number of threads");
    assert_status(gpuarr_map_blocks_raw(raw, x, NULL, args, 2), GPUARR_ERR_ARGUMENT);
    assert_ok(gpuarr_map_blocks_raw(raw, x, NULL, args, 1));
    assert_ok(gpuarr_team_synchronize(team)); /* it goes on */
    gpuarr_blocked_release(x);
  }
  gpuarr_raw_release(raw);
  gpuarr_elementwise_release(floats);
  gpuarr_team_release(team);
}

int main(void) {
  open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_that_fail),
      cmocka_unit_test(arrays_that_do_not_go_together),
      cmocka_unit_test(refused_kernels),
      cmocka_unit_test(refused_alike_where_there_are_no_blocks),
  };
  return run_team_suite(tests);
}
