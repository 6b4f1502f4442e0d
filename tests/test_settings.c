/* Tests of gpuarr/settings.h: every variable of the environment, understood and not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { MOST_VALUES = 10 };

/* What each setting takes and refuses; one that takes any text refuses none. */
static const struct row {
  const char *name, *good[MOST_VALUES], *bad[MOST_VALUES];
} rows[] = {
    {"GPUARR_DEVICE", {"host"}, {NULL}}, /* a name of none is GPUARR_ERR_NO_DEVICE: test_device.c */
    {"GPUARR_CXX", {"g++"}, {NULL}},     /* looked for when a kernel is compiled */
    {"GPUARR_COMPILE_TIMEOUT",
     {"0", "60", "0.5", "1e3"},
     {"soon", "-1", "5s", "nan", "inf", "1e9"}},
    {"GPUARR_NUM_THREADS",
     {"1", "2", "1024"},
     {"many", "-3", "2x", "0", "1000000", "1025", "2.5", " 2", "99999999999999999999"}},
    {"GPUARR_CONTRACT", {"0", "1"}, {"off", "2", "fast"}},
    {"GPUARR_HOST_ASYNC", {"0", "1"}, {"yes", "2", "on"}},
    {"GPUARR_CACHE_DIR", {"somewhere"}, {NULL}},
    {"GPUARR_CACHE_READ_ONLY_DIR", {"somewhere"}, {NULL}},
    {"GPUARR_CACHE_SIZE",
     {"0", "1000", "512MiB", "1TiB"},
     {"lots", "-1", "1 GiB", "1GB", "1.5GiB", "9999999TiB", "50%"}},
    {"GPUARR_CACHE", {"on", "off"}, {"no", "ON", "0"}},
    {"GPUARR_MEMORY_LIMIT",
     {"0", "8GiB", "50%", "62.5%", "100%"},
     {"lots", "-1", "0%", "101%", "nan%", "%", "half"}},
    {"GPUARR_ALLOCATOR", {"pool", "direct"}, {"Pool", "fast", "pool,direct"}},
    {"GPUARR_CHECK",
     {"memory", "memory,race,sync"},
     {"rays", "memory,rays", "all", "memory;race", "memory,"}},
    {"GPUARR_LOG", {"off", "off:ignored"}, {"loud", "compile,loud", "loud:file"}},
    {"GPUARR_OBJECTS", {"track"}, {"yes", "track:", "tracks", "1"}},
    {"GPUARR_PROFILE", {"0"}, {NULL}},
    {"GPUARR_SOURCE_DIR", {"somewhere"}, {NULL}},
    {"GPUARR_TEXT", {"open", "closed"}, {"shut", "Closed", "1"}},
    {"GPUARR_TIMEOUT", {"0", "60", "0.5"}, {"soon", "-1", "5s", "inf"}},
    {"GPUARR_TEAM_TRANSPORT", {"nccl", "staged"}, {"mpi", "NCCL", "1"}},
    {"GPUARR_LIBCUDA", {"none.so"}, {NULL}},
    {"GPUARR_NVRTC", {"none.so"}, {NULL}},
    {"GPUARR_CUBLAS", {"none.so"}, {NULL}},
    {"GPUARR_CUSOLVER", {"none.so"}, {NULL}},
    {"GPUARR_NCCL", {"none.so"}, {NULL}},
    {"GPUARR_MPI_LIB", {"none.so"}, {NULL}},
    {"GPUARR_MPI_ABI", {"openmpi", "mpich", "standard"}, {"OpenMPI", "abi", "intel"}},
    {"GPUARR_RUN_RANK", {"0", "17"}, {"-1", "two", "1/4", "99999"}},
    {"GPUARR_RUN_SIZE", {"1", "64"}, {"-1", "two", "4 "}},
    {"GPUARR_RUN_FDS", {"-,5/1234"}, {NULL}}, /* read when a team is made */
    {"GPUARR_BLAS", {"none.so"}, {NULL}},
    {"GPUARR_LAPACK", {"none.so"}, {NULL}},
};
enum { ROWS = sizeof rows / sizeof *rows };

struct heard {
  const char* wanted;
  char value[256], problem[256];
  int is_set, count, unknown;
};

static int32_t hear(void* user, const char* name, const char* value, int32_t is_set,
                    const char* meaning, const char* problem) {
  struct heard* heard = user;
  int known = 0;
  for (int k = 0; k < ROWS; ++k) known += strcmp(rows[k].name, name) == 0;
  heard->unknown += known != 1;
  ++heard->count;
  assert_true(*meaning != '\0' && *value != '\0');
  if (heard->wanted == NULL || strcmp(heard->wanted, name) != 0) return 0;
  snprintf(heard->value, sizeof heard->value, "%s", value);
  snprintf(heard->problem, sizeof heard->problem, "%s", problem);
  heard->is_set = is_set;
  return 1;
}

static struct heard listed(const char* name) {
  struct heard heard = {.wanted = name};
  assert_ok(gpuarr_settings_list(hear, &heard));
  return heard;
}

static gpuarr_status open_host(void) {
  gpuarr_device* device = NULL;
  gpuarr_status status = gpuarr_device_open(&device, "host");
  assert_true((status == GPUARR_OK) == (device != NULL));
  return status;
}

static void the_table_is_whole(void** state) {
  (void)state;
  struct heard heard = listed(NULL);
  assert_int_equal(heard.unknown, 0);
  assert_int_equal(heard.count, ROWS);
  assert_status(gpuarr_settings_list(NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_settings_list: visitor is NULL; give a function");
}

static void a_value_that_is_none_is_an_error_until_it_is_mended(void** state) {
  (void)state;
  for (const struct row* row = rows; row < rows + ROWS; ++row) {
    char before[256] = "", named[256];
    if (getenv(row->name) != NULL) snprintf(before, sizeof before, "%s", getenv(row->name));
    for (const char* const* bad = row->bad; *bad != NULL; ++bad) {
      setenv(row->name, *bad, 1);
      snprintf(named, sizeof named, "gpuarr_device_open: $%s is \"%s\"; ", row->name, *bad);
      assert_status(open_host(), GPUARR_ERR_ARGUMENT);
      assert_message_has(named);
      struct heard heard = listed(row->name);
      assert_string_equal(heard.value, *bad);
      assert_non_null(strstr(heard.problem, row->name));
    }
    for (const char* const* good = row->good; *good != NULL; ++good) {
      setenv(row->name, *good, 1);
      assert_ok(open_host());
      struct heard heard = listed(row->name);
      assert_true(heard.is_set);
      assert_string_equal(heard.value, *good);
      assert_string_equal(heard.problem, "");
    }
    setenv(row->name, "", 1); /* as good as unset */
    assert_ok(open_host());
    assert_false(listed(row->name).is_set);
    if (*before != '\0') setenv(row->name, before, 1);
  }
}

/* Nobody latched what was wrong: the calls that need a setting ask again. */
static void other_calls_fail_for_what_they_need(void** state) {
  (void)state;
  int64_t limit = 0;
  setenv("GPUARR_CACHE_SIZE", "lots", 1);
  assert_status(gpuarr_cache_statistic(&limit, GPUARR_CACHE_LIMIT), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_cache_statistic: $GPUARR_CACHE_SIZE is \"lots\"; say \"512MiB\" or");
  assert_non_null(strstr(gpuarr_cache_problem(), "$GPUARR_CACHE_SIZE is \"lots\""));
  setenv("GPUARR_CACHE_SIZE", "7MiB", 1);
  assert_ok(gpuarr_cache_statistic(&limit, GPUARR_CACHE_LIMIT));
  assert_int_equal(limit, 7 << 20);
}

static void threads_are_as_many_as_are_set(void** state) {
  (void)state;
  gpuarr_device* device = NULL;
  int64_t threads = 0;
  setenv("GPUARR_NUM_THREADS", "2x", 1);
  assert_status(gpuarr_device_open(&device, "host"), GPUARR_ERR_ARGUMENT);
  assert_message_has("give a whole number from 1 to 1024");
  setenv("GPUARR_NUM_THREADS", "3", 1);
  assert_ok(gpuarr_device_open(&device, "host"));
  assert_ok(gpuarr_device_attribute(&threads, device, GPUARR_DEVICE_PROCESSORS));
  assert_int_equal(threads, 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_are_as_many_as_are_set), /* of which the first call decides */
      cmocka_unit_test(other_calls_fail_for_what_they_need),
      cmocka_unit_test(the_table_is_whole),
      cmocka_unit_test(a_value_that_is_none_is_an_error_until_it_is_mended),
  };
  return run_suite(tests);
}
