/* Tests of gpuarr/transport.h: making a transport, what it refuses, when it is let go of. How teams
 * send through one is tested by tests/unit/team_table.cpp. */
#include <stdint.h>
#include <string.h>

#include "support.h"

static int32_t begin_send(void** out, const void* data, int64_t bytes, int32_t to, int32_t tag,
                          void* user) {
  (void)out, (void)data, (void)bytes, (void)to, (void)tag, (void)user;
  return 0;
}

static int32_t begin_receive(void** out, void* data, int64_t bytes, int32_t from, int32_t tag,
                             void* user) {
  (void)out, (void)data, (void)bytes, (void)from, (void)tag, (void)user;
  return 0;
}

static int32_t is_over(int32_t* out, void* request, void* user) {
  (void)request, (void)user;
  *out = 1;
  return 0;
}

static int32_t look(int32_t* out, int32_t tag, void* user) {
  (void)tag, (void)user;
  *out = -1;
  return 0;
}

static void end_all(int32_t code, void* user) { (void)code, (void)user; }

static void count(void* user) { ++*(int*)user; }

static void is_released_once(void** state) {
  (void)state;
  int released = 0;
  gpuarr_transport* transport = NULL;
  assert_ok(
      gpuarr_transport_create(&transport, 1, 3, begin_send, begin_receive, is_over, &released));
  assert_ok(gpuarr_transport_set_probe(transport, look));
  assert_ok(gpuarr_transport_set_abort(transport, end_all));
  assert_ok(gpuarr_transport_set_release(transport, count));
  assert_ok(gpuarr_transport_set_name(transport, "MPI of the moon"));
  assert_ptr_equal(gpuarr_transport_retain(transport), transport);
  gpuarr_transport_release(transport);
  assert_int_equal(released, 0);
  gpuarr_transport_release(transport);
  assert_int_equal(released, 1);
  gpuarr_transport_release(NULL);
  assert_null(gpuarr_transport_retain(NULL));
}

/* What a program sets to NULL again is not called. */
static void functions_are_taken_back(void** state) {
  (void)state;
  int released = 0;
  gpuarr_transport* transport = NULL;
  assert_ok(
      gpuarr_transport_create(&transport, 0, 1, begin_send, begin_receive, is_over, &released));
  assert_ok(gpuarr_transport_set_release(transport, count));
  assert_ok(gpuarr_transport_set_release(transport, NULL));
  assert_ok(gpuarr_transport_set_probe(transport, NULL));
  assert_ok(gpuarr_transport_set_abort(transport, NULL));
  gpuarr_transport_release(transport);
  assert_int_equal(released, 0);
}

static void assert_refused(gpuarr_status status, const char* message) {
  assert_status(status, GPUARR_ERR_ARGUMENT);
  assert_message_has(message);
}

static void is_refused(void** state) {
  (void)state;
  gpuarr_transport* t = (gpuarr_transport*)&state;
  assert_refused(gpuarr_transport_create(NULL, 0, 1, begin_send, begin_receive, is_over, NULL),
                 "gpuarr_transport_create: out is NULL; give the address of a variable");
  assert_refused(gpuarr_transport_create(&t, 0, 0, begin_send, begin_receive, is_over, NULL),
                 "gpuarr_transport_create: size is 0; give the number of processes");
  assert_null(t);
  assert_refused(gpuarr_transport_create(&t, 2, 2, begin_send, begin_receive, is_over, NULL),
                 "rank is 2; give a number from 0 to 1");
  assert_refused(gpuarr_transport_create(&t, -1, 2, begin_send, begin_receive, is_over, NULL),
                 "rank is -1; give a number from 0 to 1");
  assert_refused(gpuarr_transport_create(&t, 0, 2, NULL, begin_receive, is_over, NULL),
                 "send is NULL; give a function");
  assert_refused(gpuarr_transport_create(&t, 0, 2, begin_send, NULL, is_over, NULL),
                 "receive is NULL; give a function");
  assert_refused(gpuarr_transport_create(&t, 0, 2, begin_send, begin_receive, NULL, NULL),
                 "test is NULL; give a function");
  assert_refused(gpuarr_transport_set_probe(NULL, look), "transport is NULL; give a live object");
  assert_refused(gpuarr_transport_set_abort(NULL, end_all), "transport is NULL");
  assert_refused(gpuarr_transport_set_release(NULL, count), "transport is NULL");
  assert_refused(gpuarr_transport_set_name(NULL, "x"), "transport is NULL");
  assert_ok(gpuarr_transport_create(&t, 0, 1, begin_send, begin_receive, is_over, NULL));
  assert_refused(gpuarr_transport_set_name(t, NULL), "name is NULL; give text");
  gpuarr_transport_release(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(is_released_once),
      cmocka_unit_test(functions_are_taken_back),
      cmocka_unit_test(is_refused),
  };
  return run_suite(tests);
}
