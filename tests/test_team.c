/* Tests of gpuarr/team.h: places, devices, deadlines, progress, in one process. Several processes
 * are tested by tests/mpi. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "blocks.h"

static void places_of_one_process(void** state) {
  (void)state;
  if (in_world() || on_all_gpus()) skip();
  gpuarr_team* team = team_of(3);
  const char* text = NULL;
  assert_int_equal(gpuarr_team_size(team), 3);
  assert_int_equal(gpuarr_team_first(team), 0);
  assert_int_equal(gpuarr_team_local_count(team), 3);
  assert_ptr_equal(gpuarr_team_device(team, 2), open_test_device());
  assert_null(gpuarr_team_device(team, 3));
  assert_null(gpuarr_team_device(team, -1));
  assert_ok(gpuarr_team_describe(&text, team));
  assert_non_null(strstr(text, "3 places in one process: 3 x "));
  assert_non_null(strstr(text, test_device_name()));
  assert_null(gpuarr_team_nccl(team, 0));
  assert_int_equal(gpuarr_team_mpi_f(team), -1);
  gpuarr_stream *stream = NULL, *current = NULL;
  assert_ok(gpuarr_team_stream(&stream, team, 1));
  assert_ok(gpuarr_stream_current(&current, open_test_device()));
  assert_ptr_equal(gpuarr_stream_native(stream), gpuarr_stream_native(current));
  gpuarr_stream_release(current);
  gpuarr_stream_release(stream);
  assert_status(gpuarr_team_stream(&stream, team, 3), GPUARR_ERR_ARGUMENT);
  assert_message_has("place is 3, but the places of this process are 0 to 2");
  assert_ok(gpuarr_team_synchronize(team));
  assert_ptr_equal(gpuarr_team_retain(team), team);
  gpuarr_team_release(team);
  gpuarr_team_release(team);
}

static void places_of_all_processes(void** state) {
  (void)state;
  if (!in_world()) skip();
  gpuarr_team* team = team_of(0);
  const char* text = NULL;
  char begin[100];
  const int32_t size = gpuarr_team_size(team), first = gpuarr_team_first(team);
  assert_true(first >= 0 && first < size);
  assert_int_equal(gpuarr_team_local_count(team), 1);
  assert_non_null(gpuarr_team_device(team, first));
  assert_null(gpuarr_team_device(team, (first + 1) % size == first ? -1 : (first + 1) % size));
  assert_ok(gpuarr_team_describe(&text, team));
  snprintf(begin, sizeof begin, "%d places in %d processes: ", (int)size, (int)size);
  if (size > 1) assert_ptr_equal(strstr(text, begin), text);
  assert_ok(gpuarr_team_synchronize(team));
  gpuarr_team_release(team);
}

static void default_devices(void** state) {
  (void)state;
  gpuarr_team* team = NULL;
  assert_ok(gpuarr_team_local(&team, NULL, 0));
  assert_true(gpuarr_team_size(team) >= 1);
  gpuarr_team_release(team);
  assert_ok(gpuarr_team_local(&team, NULL, 1000)); /* more than there are GPUs */
  assert_int_equal(gpuarr_team_size(team), 1000);
  gpuarr_team_release(team);
}

static void process_that_was_started_alone(void** state) {
  (void)state;
  if (in_world()) skip();
  gpuarr_team* team = NULL;
  assert_ok(gpuarr_team_world(&team, open_test_device()));
  assert_int_equal(gpuarr_team_size(team), 1);
  assert_ptr_equal(gpuarr_team_device(team, 0), open_test_device());
  gpuarr_team_release(team);
}

static void null_teams(void** state) {
  (void)state;
  assert_int_equal(gpuarr_team_size(NULL), 0);
  assert_int_equal(gpuarr_team_first(NULL), -1);
  assert_int_equal(gpuarr_team_local_count(NULL), 0);
  assert_int_equal(gpuarr_team_mpi_f(NULL), -1);
  assert_null(gpuarr_team_device(NULL, 0));
  assert_null(gpuarr_team_nccl(NULL, 0));
  assert_null(gpuarr_team_retain(NULL));
  gpuarr_team_release(NULL);
}

static void refused(void** state) {
  (void)state;
  gpuarr_team* team = NULL;
  assert_status(gpuarr_team_local(&team, NULL, -1), GPUARR_ERR_ARGUMENT);
  assert_message_has("count is -1; give a number of places from 1 to 65536");
  gpuarr_device* devices[] = {open_test_device(), NULL};
  assert_status(gpuarr_team_local(&team, devices, 2), GPUARR_ERR_ARGUMENT);
  assert_message_has("devices[1] is NULL");
  assert_status(gpuarr_team_local(NULL, devices, 1), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_team_from_transport(&team, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("transport is NULL");
  assert_ok(gpuarr_team_local(&team, devices, 1));
  assert_status(gpuarr_team_set_timeout(team, -1, GPUARR_TIMEOUT_ABORT), GPUARR_ERR_ARGUMENT);
  assert_message_has("seconds is -1");
  assert_status(gpuarr_team_set_timeout(team, NAN, GPUARR_TIMEOUT_ABORT), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_team_set_timeout(team, 10, 3), GPUARR_ERR_ARGUMENT);
  assert_message_has("action is 3");
  assert_ok(gpuarr_team_set_timeout(team, 10, GPUARR_TIMEOUT_RETURN));
  assert_status(gpuarr_team_set_progress(team, NULL, NULL, -1), GPUARR_ERR_ARGUMENT);
  gpuarr_team_release(team);
}

struct heard {
  int calls;
  int64_t done, total;
  char operation[64];
};

static void hear(const char* operation, int64_t done, int64_t total, void* user) {
  struct heard* heard = user;
  ++heard->calls;
  heard->done = done;
  heard->total = total;
  strncpy(heard->operation, operation, sizeof heard->operation - 1);
}

static void progress(void** state) {
  (void)state;
  gpuarr_team* team = team_of(2);
  gpuarr_blocked* x = NULL;
  struct heard heard = {0};
  const int64_t shape[] = {12}, chunk[] = {1};
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_I32, 1, shape, chunk, NULL));
  assert_ok(gpuarr_team_set_progress(team, hear, &heard, 0));
  assert_ok(gpuarr_blocked_fill(x, gpuarr_arg_i32(1)));
  const int64_t mine = gpuarr_blocked_local_count(x);
  assert_int_equal(heard.calls, mine + 1);
  assert_int_equal(heard.done, mine);
  assert_int_equal(heard.total, mine);
  assert_string_equal(heard.operation, "gpuarr_blocked_fill");
  assert_ok(gpuarr_team_set_progress(team, hear, &heard, 3600));
  assert_ok(gpuarr_blocked_fill(x, gpuarr_arg_i32(1)));
  assert_true(heard.calls <= mine + 3);
  const int before = heard.calls;
  assert_ok(gpuarr_team_set_progress(team, NULL, NULL, 0));
  assert_ok(gpuarr_blocked_fill(x, gpuarr_arg_i32(1)));
  assert_int_equal(heard.calls, before);
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

/* Of kernels that have no outputs, too: each block's partial results. */
static void profile_by_place(void** state) {
  (void)state;
  gpuarr_team* team = team_of(2);
  gpuarr_blocked *x = NULL, *sum = NULL;
  const char* text = NULL;
  const int64_t shape[] = {12};
  assert_ok(gpuarr_profile_start());
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_F32, 1, shape, NULL, NULL));
  assert_ok(gpuarr_blocked_arange(x, gpuarr_arg_i32(1), gpuarr_arg_i32(1)));
  assert_ok(gpuarr_blocked_reduce(&sum, "var", x, NULL, 0, 0, 0, 0));
  assert_ok(gpuarr_team_profile(&text, team));
  assert_ok(gpuarr_profile_stop());
  assert_non_null(strstr(text, "blocked_arange"));
  assert_non_null(strstr(text, "float32 x"));
  gpuarr_blocked_release(sum);
  if (in_world() && gpuarr_team_size(team) > 1) assert_non_null(strstr(text, "place 1:"));
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_of_one_process),
      cmocka_unit_test(places_of_all_processes),
      cmocka_unit_test(default_devices),
      cmocka_unit_test(process_that_was_started_alone),
      cmocka_unit_test(null_teams),
      cmocka_unit_test(refused),
      cmocka_unit_test(progress),
      cmocka_unit_test(profile_by_place),
  };
  return run_team_suite(tests);
}
