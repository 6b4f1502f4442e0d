/* Messages that come after the call that waited for them has failed: the program's memory is its
 * own again by then. The other process of this transport says what this one says, but sends no
 * elements in time. */
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { tags_of_team = 8, data_tag = 2, most = 64 };

struct message {
  const void* sent;
  void* received;
  int64_t bytes;
  int32_t tag;
  int is_late;
};

static struct message messages[most];
static int count;

static struct message* add(void** out, int64_t bytes, int32_t tag) {
  assert_true(count < most);
  struct message* m = &messages[count++];
  *m = (struct message){.bytes = bytes, .tag = tag % tags_of_team};
  *out = m;
  return m;
}

static int32_t begin_send(void** out, const void* data, int64_t bytes, int32_t to, int32_t tag,
                          void* user) {
  (void)to, (void)user;
  struct message* m = add(out, bytes, tag);
  m->sent = data;
  return 0;
}

static int32_t begin_receive(void** out, void* data, int64_t bytes, int32_t from, int32_t tag,
                             void* user) {
  (void)from, (void)user;
  struct message* m = add(out, bytes, tag);
  m->received = data;
  return 0;
}

/* What is received is what was sent last, but for elements, which wait for be_late. */
static int32_t is_over(int32_t* out, void* request, void* user) {
  (void)user;
  struct message* m = request;
  *out = m->tag != data_tag || m->is_late;
  if (*out == 0 || m->received == NULL || m->tag == data_tag) return 0;
  for (const struct message* sent = messages + count - 1; sent >= messages; --sent)
    if (sent->sent != NULL && sent->tag == m->tag && sent->bytes == m->bytes) {
      if (m->bytes > 0) memcpy(m->received, sent->sent, (size_t)m->bytes);
      break;
    }
  return 0;
}

/* Elements come, or go, now. Returns how many messages of them there were. */
static int be_late(const int64_t* memory, size_t size) {
  int found = 0;
  for (struct message* m = messages; m < messages + count; ++m) {
    if (m->tag != data_tag) continue;
    const char* const at = m->sent != NULL ? m->sent : m->received;
    assert_true(at + m->bytes <= (const char*)memory || at >= (const char*)(memory + size));
    char bytes[64];
    assert_true((size_t)m->bytes <= sizeof bytes);
    if (m->sent != NULL) memcpy(bytes, m->sent, (size_t)m->bytes);
    if (m->received != NULL) memset(m->received, 0xff, (size_t)m->bytes);
    m->is_late = 1;
    ++found;
  }
  return found;
}

static gpuarr_team* team_of(gpuarr_transport* transport) {
  gpuarr_team* team = NULL;
  gpuarr_device* device = open_test_device();
  assert_ok(gpuarr_team_from_transport(&team, transport, device));
  assert_ok(gpuarr_team_set_timeout(team, 0.05, GPUARR_TIMEOUT_RETURN));
  return team;
}

static void check_slab(int writes) {
  enum { size = 4 };
  gpuarr_transport* transport = NULL;
  gpuarr_blocked* x = NULL;
  const int64_t shape[] = {size};
  int64_t memory[size] = {7, 7, 7, 7};
  count = 0;
  assert_ok(gpuarr_transport_create(&transport, 0, 2, begin_send, begin_receive, is_over, NULL));
  gpuarr_team* team = team_of(transport);
  assert_ok(gpuarr_blocked_empty(&x, team, GPUARR_I64, 1, shape, NULL, NULL));
  assert_status(writes ? gpuarr_blocked_write(x, NULL, NULL, 0, memory, sizeof memory, NULL)
                       : gpuarr_blocked_read(memory, sizeof memory, NULL, x, NULL, NULL, 0),
                GPUARR_ERR_TIMEOUT);
  assert_int_equal(be_late(memory, size), 1);
  assert_int_equal(memory[size - 1], 7); /* the other place's */
  gpuarr_blocked_release(x);
  gpuarr_team_release(team);
  gpuarr_team_release(team_of(transport)); /* which lets go of what has come */
  gpuarr_transport_release(transport);
}

static void a_read_that_failed(void** state) {
  (void)state;
  check_slab(0);
}

static void a_write_that_failed(void** state) {
  (void)state;
  check_slab(1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_read_that_failed),
      cmocka_unit_test(a_write_that_failed),
  };
  return run_suite(tests);
}
