/* Tests of gpuarr/memory.h where memory is short: limits, reclaim functions, and hooks. */
#include <math.h>
#include <stdint.h>

#include "support.h"

enum { MIB = 1 << 20 };

static gpuarr_device* device;

static int64_t number(int32_t statistic) {
  int64_t value = -1;
  assert_ok(gpuarr_memory_statistic(&value, device, statistic));
  return value;
}

static gpuarr_status make(gpuarr_array** out, int64_t bytes) {
  return gpuarr_array_empty(out, device, GPUARR_U8, 1, &bytes, 0, NULL);
}

static gpuarr_array* bytes_array(int64_t bytes) {
  gpuarr_array* array = NULL;
  assert_ok(make(&array, bytes));
  return array;
}

static int set_up(void** state) {
  (void)state;
  return gpuarr_memory_trim(device);
}

static int tear_down(void** state) {
  (void)state;
  return gpuarr_memory_set_limit(device, 0) + gpuarr_memory_trim(device);
}

static void a_limit_holds(void** state) {
  (void)state;
  assert_int_equal(number(GPUARR_MEMORY_LIMIT), 0);
  assert_ok(gpuarr_memory_set_limit(device, 100 * MIB));
  assert_int_equal(number(GPUARR_MEMORY_LIMIT), 100 * MIB);
  gpuarr_array* a = bytes_array(60 * MIB);
  gpuarr_array* b = NULL;
  assert_status(make(&b, 60 * MIB), GPUARR_ERR_OUT_OF_MEMORY);
  assert_null(b);
  assert_message_has("gpuarr_array_empty: not enough memory for 62914560 bytes on ");
  assert_message_has(": arrays use 62914560 bytes");
  assert_message_has("the limit is 104857600 bytes, of which ");
  assert_true(number(GPUARR_MEMORY_TOTAL) <= 100 * MIB);
  b = bytes_array(30 * MIB);

  /* What is cached makes room, and a higher limit does. */
  gpuarr_array_release(a);
  gpuarr_array_release(b);
  a = bytes_array(90 * MIB);
  assert_true(number(GPUARR_MEMORY_TOTAL) <= 100 * MIB);
  assert_ok(gpuarr_memory_set_limit(device, 200 * MIB));
  b = bytes_array(90 * MIB);

  /* One below what is held lets it stay, and gives no more. */
  gpuarr_array* c = NULL;
  assert_ok(gpuarr_memory_set_limit(device, 10 * MIB));
  assert_status(make(&c, 20 * MIB), GPUARR_ERR_OUT_OF_MEMORY);
  gpuarr_array_release(a);
  gpuarr_array_release(b);
  assert_status(make(&c, 20 * MIB), GPUARR_ERR_OUT_OF_MEMORY);
  c = bytes_array(5 * MIB);
  gpuarr_array_release(c);
}

static void a_limit_is_a_part_of_the_device(void** state) {
  (void)state;
  int64_t free_bytes, total;
  assert_ok(gpuarr_device_memory(&free_bytes, &total, device));
  assert_ok(gpuarr_memory_set_limit_fraction(device, 0.25));
  assert_int_equal(number(GPUARR_MEMORY_LIMIT), total / 4);
  const double wrong[] = {0, -1, 1.5, (double)NAN};
  for (int i = 0; i < 4; ++i) {
    assert_status(gpuarr_memory_set_limit_fraction(device, wrong[i]), GPUARR_ERR_ARGUMENT);
    assert_message_has("give a part of the device's memory, above 0 to 1");
  }
  assert_status(gpuarr_memory_set_limit(device, -1), GPUARR_ERR_ARGUMENT);
  assert_message_has("bytes is -1; give a size, or 0 for no limit");
  assert_status(gpuarr_memory_set_limit(NULL, 1), GPUARR_ERR_ARGUMENT);
  assert_message_has("device is NULL");
  assert_status(gpuarr_memory_set_limit_fraction(NULL, 0.5), GPUARR_ERR_ARGUMENT);
  assert_message_has("device is NULL");
}

/* What a program has that it can do without. */
struct spare {
  gpuarr_array* arrays[4];
  int calls;
  int64_t asked;
  int answer; /* where it has nothing left */
  int nested; /* asks for memory itself */
};

static int32_t release_one(gpuarr_device* whose, int64_t bytes, void* user) {
  struct spare* spare = user;
  spare->calls++;
  spare->asked = bytes;
  assert_ptr_equal(whose, device);
  if (spare->nested) {
    gpuarr_array* array = NULL;
    assert_status(make(&array, 80 * MIB), GPUARR_ERR_OUT_OF_MEMORY);
  }
  for (int i = 0; i < 4; ++i)
    if (spare->arrays[i] != NULL) {
      gpuarr_array_release(spare->arrays[i]);
      spare->arrays[i] = NULL;
      return 1;
    }
  return spare->answer;
}

static void a_program_makes_room(void** state) {
  (void)state;
  struct spare spare = {{NULL}, 0, 0, 0, 0};
  int64_t key = 0;
  assert_ok(gpuarr_memory_set_limit(device, 100 * MIB));
  assert_ok(gpuarr_memory_add_reclaim(&key, release_one, &spare));
  assert_true(key != 0);
  for (int i = 0; i < 4; ++i) spare.arrays[i] = bytes_array(20 * MIB);
  assert_int_equal(spare.calls, 0);
  gpuarr_array* large = bytes_array(70 * MIB);
  assert_int_equal(spare.calls, 3);
  assert_int_equal(spare.asked, 70 * MIB);

  /* It is asked until it says that there is nothing. */
  gpuarr_array* none = NULL;
  spare.nested = 1;
  assert_status(make(&none, 90 * MIB), GPUARR_ERR_OUT_OF_MEMORY);
  assert_int_equal(spare.calls, 5);
  spare.nested = 0;

  /* One who says that there is something and frees nothing is not asked for ever. */
  spare.answer = 1;
  spare.calls = 0;
  assert_status(make(&none, 90 * MIB), GPUARR_ERR_OUT_OF_MEMORY);
  assert_int_equal(spare.calls, 1);
  assert_ok(gpuarr_memory_remove_reclaim(key));
  assert_status(make(&none, 90 * MIB), GPUARR_ERR_OUT_OF_MEMORY);
  assert_int_equal(spare.calls, 1);
  assert_status(gpuarr_memory_remove_reclaim(key), GPUARR_ERR_ARGUMENT);
  assert_message_has("but no reclaim function has that number");
  assert_status(gpuarr_memory_add_reclaim(NULL, release_one, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  key = 7;
  assert_status(gpuarr_memory_add_reclaim(&key, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("fn is NULL; give a function");
  assert_int_equal(key, 0);
  gpuarr_array_release(large);
}

/* Memory that a call needs for itself: the call fails, and all is as before. */
static void out_of_memory_in_the_middle_of_a_reduction(void** state) {
  (void)state;
  int64_t n = 8 * MIB, used = 0;
  gpuarr_array* x = NULL;
  assert_ok(gpuarr_array_ones(&x, device, GPUARR_F32, 1, &n, 0, NULL));
  gpuarr_reduction* sum = NULL;
  assert_ok(gpuarr_reduction_create(&sum, "T x", "T y", "x", "a + b", "y = a", "0", NULL));
  gpuarr_array* out = NULL;
  gpuarr_arg in = gpuarr_arg_array(x);
  assert_ok(gpuarr_reduction_call(sum, &out, 1, &in, 1, NULL, GPUARR_ALL_AXES, 0, NULL));
  gpuarr_array_release(out);
  assert_ok(gpuarr_memory_trim(device));
  used = number(GPUARR_MEMORY_USED);
  int64_t total = number(GPUARR_MEMORY_TOTAL);
  /* Fill the holes of what is held, so that nothing is left under the limit. */
  assert_ok(gpuarr_memory_set_limit(device, total));
  gpuarr_array* fill[64] = {NULL};
  int count = 0;
  for (int64_t bytes = MIB; bytes >= 512 && count < 64;)
    if (make(&fill[count], bytes) == GPUARR_OK)
      ++count;
    else
      bytes /= 2;
  out = NULL;
  gpuarr_status status =
      gpuarr_reduction_call(sum, &out, 1, &in, 1, NULL, GPUARR_ALL_AXES, 0, NULL);
  assert_status(status, GPUARR_ERR_OUT_OF_MEMORY);
  assert_null(out);
  assert_message_has("gpuarr_reduction_call: not enough memory for ");
  for (int i = 0; i < count; ++i) gpuarr_array_release(fill[i]);
  assert_int_equal(number(GPUARR_MEMORY_USED), used);
  assert_ok(gpuarr_memory_set_limit(device, 0));
  assert_ok(gpuarr_reduction_call(sum, &out, 1, &in, 1, NULL, GPUARR_ALL_AXES, 0, NULL));
  float result = 0;
  assert_ok(gpuarr_array_read(&result, sizeof result, NULL, out, NULL));
  assert_true(result == (float)n);
  gpuarr_array_release(out);
  gpuarr_array_release(x);
  gpuarr_reduction_release(sum);
}

struct seen {
  int64_t counts[7], bytes[7];
  int refuse;
  gpuarr_stream* stream; /* that every call must name */
};

static gpuarr_status watch(int32_t event, void* data, int64_t bytes, gpuarr_device* whose,
                           gpuarr_stream* stream, void* user) {
  struct seen* seen = user;
  assert_true(event >= 1 && event <= 6);
  seen->counts[event]++;
  seen->bytes[event] += bytes;
  assert_ptr_equal(whose, device);
  assert_true((data == NULL) == (event == GPUARR_MEMORY_ALLOCATING));
  if (event <= GPUARR_MEMORY_FREED)
    assert_ptr_equal(gpuarr_stream_native(stream), gpuarr_stream_native(seen->stream));
  else
    assert_null(stream);
  return seen->refuse ? GPUARR_ERR_UNSUPPORTED : GPUARR_OK;
}

static void hooks_see_everything(void** state) {
  (void)state;
  struct seen seen = {{0}, {0}, 0, NULL};
  assert_ok(gpuarr_stream_current(&seen.stream, device));
  int64_t key = 0, second = 0;
  assert_ok(gpuarr_memory_add_hook(&key, watch, &seen));
  assert_ok(gpuarr_memory_add_hook(&second, watch, &seen));
  assert_ok(gpuarr_memory_remove_hook(second));
  gpuarr_array* a = bytes_array(1000);
  gpuarr_array* b = bytes_array(40 * MIB);
  gpuarr_array_release(a);
  gpuarr_array_release(b);
  assert_ok(gpuarr_memory_trim(device));
  assert_int_equal(seen.counts[GPUARR_MEMORY_ALLOCATING], 2);
  assert_int_equal(seen.counts[GPUARR_MEMORY_ALLOCATED], 2);
  assert_int_equal(seen.counts[GPUARR_MEMORY_FREEING], 2);
  assert_int_equal(seen.counts[GPUARR_MEMORY_FREED], 2);
  for (int event = 1; event <= 4; ++event) assert_int_equal(seen.bytes[event], 1000 + 40 * MIB);
  assert_true(seen.counts[GPUARR_MEMORY_DEVICE_ALLOCATED] >= 1);
  assert_int_equal(seen.bytes[GPUARR_MEMORY_DEVICE_ALLOCATED],
                   seen.bytes[GPUARR_MEMORY_DEVICE_FREED]);

  /* A hook can refuse; what it says of the rest is not heard. */
  a = bytes_array(1000);
  seen.refuse = 1;
  assert_status(make(&b, 1000), GPUARR_ERR_UNSUPPORTED);
  assert_message_has(
      "gpuarr_array_empty: a memory hook answered GPUARR_ERR_UNSUPPORTED (501) to "
      "the request for 1000 bytes on ");
  gpuarr_array_release(a);
  assert_ok(gpuarr_memory_remove_hook(key));
  a = bytes_array(1000);
  gpuarr_array_release(a);
  assert_int_equal(seen.counts[GPUARR_MEMORY_FREED], 3);
  assert_status(gpuarr_memory_remove_hook(key), GPUARR_ERR_ARGUMENT);
  assert_message_has("but no hook has that number");
  assert_status(gpuarr_memory_add_hook(NULL, watch, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  key = 7;
  assert_status(gpuarr_memory_add_hook(&key, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("fn is NULL; give a function");
  assert_int_equal(key, 0);
  gpuarr_stream_release(seen.stream);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_limit_holds, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_limit_is_a_part_of_the_device, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_program_makes_room, set_up, tear_down),
      cmocka_unit_test_setup_teardown(out_of_memory_in_the_middle_of_a_reduction, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(hooks_see_everything, set_up, tear_down),
  };
  return run_suite(tests);
}
