/* Tests of what gpuarr/blocked.h refuses: options, places, slabs and halos that cannot be. */
#include <stdlib.h>
#include <string.h>

#include "blocks.h"

static void refused_options(void** state) {
  (void)state;
  if (in_world()) skip();
  gpuarr_team* team = team_of(2);
  gpuarr_blocked* x = NULL;
  gpuarr_blocked_options* o = NULL;
  const int64_t shape[] = {4, 4}, chunk[] = {2, 0}, two[] = {5, 5};
  const int32_t owners[] = {0, 2}, kinds[] = {1, 4}, wrong[] = {0, 5};
  assert_status(gpuarr_blocked_empty(&x, team, GPUARR_F32, 2, shape, chunk, NULL),
                GPUARR_ERR_SHAPE);
  assert_message_has("gpuarr_blocked_empty: chunk[1] is 0; give the extent of a block");
  assert_status(gpuarr_blocked_empty(&x, team, 99, 2, shape, NULL, NULL), GPUARR_ERR_DTYPE);
  assert_status(gpuarr_blocked_empty(&x, NULL, GPUARR_F32, 2, shape, NULL, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("team is NULL");
  const int64_t huge[] = {INT64_C(1) << 40};
  assert_status(gpuarr_blocked_empty(&x, team, GPUARR_I8, 1, huge, (int64_t[]){1}, NULL),
                GPUARR_ERR_SHAPE);
  assert_message_has("more than 16777216 blocks");
  assert_ok(gpuarr_blocked_options_create(&o));
  assert_status(gpuarr_blocked_options_set_placement(o, 4), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_blocked_options_set_owners(o, NULL, 2), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_blocked_options_set_halo(o, 2, two, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("high is NULL");
  assert_status(gpuarr_blocked_options_set_halo(o, 2, two, (int64_t[]){0, -1}, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("high[1] is -1");
  assert_status(gpuarr_blocked_options_set_halo(o, 2, two, (int64_t[]){0, INT64_MAX}, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("high[1] is 9223372036854775807; give a number of ghost cells, 0 to 2^40");
  assert_status(gpuarr_blocked_options_set_halo(o, 2, two, two, wrong), GPUARR_ERR_ARGUMENT);
  assert_message_has("boundary[1] is 5");
  assert_status(gpuarr_blocked_options_set_order(o, 2), GPUARR_ERR_ARGUMENT);
  assert_ok(gpuarr_blocked_options_set_owners(o, owners, 2));
  assert_status(gpuarr_blocked_empty(&x, team, GPUARR_F32, 2, shape, NULL, o), GPUARR_ERR_ARGUMENT);
  assert_message_has("owners[1] is 2, but the team's places are 0 to 1");
  assert_status(gpuarr_blocked_empty(&x, team, GPUARR_F32, 2, shape, (int64_t[]){1, 4}, o),
                GPUARR_ERR_SHAPE);
  assert_message_has("the options have owners of 2 blocks, but the array has 4");
  assert_ok(gpuarr_blocked_options_set_placement(o, GPUARR_PLACEMENT_BALANCED));
  assert_ok(gpuarr_blocked_options_set_halo(o, 2, two, two, kinds));
  assert_status(gpuarr_blocked_empty(&x, team, GPUARR_F32, 2, shape, NULL, o), GPUARR_ERR_SHAPE);
  assert_message_has("the halo of axis 0 is 5 and 5 wide, but the axis has 4 elements");
  assert_status(gpuarr_blocked_empty(&x, team, GPUARR_F32, 1, shape, NULL, o), GPUARR_ERR_SHAPE);
  assert_message_has("the options have a halo of 2 axes, but the array has 1");
  gpuarr_blocked_options_release(o);
  gpuarr_team_release(team);
}

static void refused_calls(void** state) {
  (void)state;
  if (in_world()) skip();
  gpuarr_team *team = team_of(2), *other = team_of(2);
  gpuarr_blocked *x = NULL, *y = NULL, *z = NULL, *view = NULL;
  const int64_t shape[] = {4}, longer[] = {5};
  int64_t memory[4];
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_I64, 1, shape, NULL, NULL));
  assert_ok(gpuarr_blocked_empty(&y, other, GPUARR_I64, 1, shape, NULL, NULL));
  assert_ok(gpuarr_blocked_empty(&z, team, GPUARR_I64, 1, longer, NULL, NULL));
  assert_status(gpuarr_redistribute(x, y), GPUARR_ERR_ARGUMENT);
  assert_message_has("target and source are of different teams");
  assert_status(gpuarr_redistribute(x, z), GPUARR_ERR_SHAPE);
  assert_message_has("target has shape (4,), but source has (5,)");
  assert_status(gpuarr_blocked_read(memory, 24, NULL, x, NULL, NULL, 0), GPUARR_ERR_SHAPE);
  assert_message_has("bytes is 24");
  assert_status(gpuarr_blocked_read(memory, 32, NULL, x, NULL, longer, 0), GPUARR_ERR_AXIS);
  assert_message_has("start[0] is 0 and stop[0] is 5, but axis 0 has extent 4");
  assert_status(gpuarr_blocked_read(memory, 32, NULL, x, NULL, NULL, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("place is 2; give one of 0 to 1, or -1 for all");
  assert_status(gpuarr_blocked_transpose(&view, x, 1, (int32_t[]){1}), GPUARR_ERR_AXIS);
  assert_status(gpuarr_blocked_transpose(&view, x, 2, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_blocked_fill(x, gpuarr_arg_f64(0.5)), GPUARR_ERR_DTYPE);
  assert_message_has("gpuarr_blocked_fill: value is 0.5, which int64 cannot hold");
  gpuarr_array* local = NULL;
  assert_status(gpuarr_blocked_local(&local, x, 2, 0), GPUARR_ERR_ARGUMENT);
  assert_message_has("index is 2, but this process has 2 blocks");
  assert_status(gpuarr_blocked_local(&local, x, 0, 2), GPUARR_ERR_ARGUMENT);
  gpuarr_blocked_release(z);
  gpuarr_blocked_release(y);
  gpuarr_blocked_release(x);
  gpuarr_team_release(other);
  gpuarr_team_release(team);
}
int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(refused_options),
      cmocka_unit_test(refused_calls),
  };
  return run_team_suite(tests);
}
