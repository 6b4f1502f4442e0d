/* Tests of gpuarr/cache.h: numbers, list, clear, and what is said of directories that cannot be
 * used. What the environment decides is tried in processes of their own: this program again, with
 * the name of a scenario. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support.h"

enum { PATH_BYTES = 4096 };

static const char* root; /* a directory of this run */

static int64_t number(int32_t statistic) {
  int64_t value = -1;
  assert_ok(gpuarr_cache_statistic(&value, statistic));
  return value;
}

/* Calls an elementwise kernel that no other body and name is the same as. */
static gpuarr_status call_kernel(const char* name, const char* body) {
  gpuarr_device* device = open_test_device();
  gpuarr_kernel_options* options = NULL;
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array* out = NULL;
  gpuarr_arg in = gpuarr_arg_f32(2);
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_name(options, name));
  assert_ok(gpuarr_elementwise_create(&kernel, "float32 x", "raw float32 y", body, options));
  int64_t shape = 4;
  assert_ok(gpuarr_array_empty(&out, device, GPUARR_F32, 1, &shape, 0, NULL));
  gpuarr_status status = gpuarr_elementwise_call(kernel, &out, 1, &in, 1, 4, NULL);
  if (status == GPUARR_OK) assert_ok(gpuarr_device_synchronize(device));
  gpuarr_array_release(out);
  gpuarr_elementwise_release(kernel);
  gpuarr_kernel_options_release(options);
  return status;
}

static int64_t answers(void) {
  return number(GPUARR_CACHE_MEMORY_HITS) + number(GPUARR_CACHE_DISK_HITS) +
         number(GPUARR_CACHE_COMPILES) + number(GPUARR_CACHE_WAITS);
}

/* Scenarios. */

static void compiles_two(void** state) {
  (void)state;
  assert_ok(call_kernel("first_kernel", "y[i] = x;"));
  assert_int_equal(number(GPUARR_CACHE_COMPILES), 1);
  assert_ok(call_kernel("second_kernel", "y[i] = x + 1;"));
  assert_ok(call_kernel("second_kernel", "y[i] = x + 1;"));
  assert_int_equal(number(GPUARR_CACHE_COMPILES), 2);
  assert_int_equal(number(GPUARR_CACHE_DISK_HITS), 0);
  assert_int_equal(number(GPUARR_CACHE_ENTRIES), 2);
  assert_true(number(GPUARR_CACHE_BYTES) > 0);
  assert_int_equal(number(GPUARR_CACHE_LIMIT), INT64_C(1) << 30);
  assert_string_equal(gpuarr_cache_problem(), "");
  assert_string_equal(gpuarr_cache_directory(), getenv("GPUARR_CACHE_DIR"));
}

static void finds_two(void** state) {
  (void)state;
  assert_ok(call_kernel("first_kernel", "y[i] = x;"));
  assert_ok(call_kernel("second_kernel", "y[i] = x + 1;"));
  assert_int_equal(number(GPUARR_CACHE_COMPILES), 0);
  assert_int_equal(number(GPUARR_CACHE_DISK_HITS), 2);
  assert_ok(call_kernel("second_kernel", "y[i] = x + 1;"));
  assert_int_equal(number(GPUARR_CACHE_MEMORY_HITS), 1);
}

struct seen {
  int count, stop_after;
  int64_t bytes, last_used;
  char keys[8][33], kernels[8][64], target[256];
};

static int32_t see(void* user, const char* key, const char* kernel, const char* target,
                   int64_t bytes, int64_t used) {
  struct seen* seen = user;
  snprintf(seen->keys[seen->count], sizeof seen->keys[0], "%s", key);
  snprintf(seen->kernels[seen->count], sizeof seen->kernels[0], "%s", kernel);
  snprintf(seen->target, sizeof seen->target, "%s", target);
  seen->bytes += bytes;
  seen->last_used = used;
  return ++seen->count == seen->stop_after;
}

static void make_older(const char* key, int seconds) {
  char path[PATH_BYTES];
  struct timespec times[2];
  snprintf(path, sizeof path, "%s/%s", getenv("GPUARR_CACHE_DIR"), key);
  times[0].tv_sec = times[1].tv_sec = time(NULL) - seconds;
  times[0].tv_nsec = times[1].tv_nsec = 0;
  assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static int32_t stop_warming(void* user, const char* what, int32_t done, int32_t all) {
  assert_int_equal(done, 0);
  assert_true(all > 20);
  *(int*)user += strcmp(what, "cumsum of int32") == 0;
  return 1;
}

/* That it fills the cache, the command's tests see. */
static void warming_stops(void) {
  int heard = 0;
  assert_ok(gpuarr_cache_warm(open_test_device(), stop_warming, &heard));
  assert_int_equal(heard, 1);
  assert_status(gpuarr_cache_warm(NULL, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_cache_warm: device is NULL");
}

static void lists_and_clears(void** state) {
  (void)state;
  struct seen all = {.stop_after = -1}, one = {.stop_after = 1}, again = {.stop_after = -1};
  assert_ok(gpuarr_cache_list(see, &all));
  assert_int_equal(all.count, 2);
  assert_int_equal(all.bytes, number(GPUARR_CACHE_BYTES));
  assert_int_equal(strlen(all.keys[0]), 32);
  assert_int_equal(strspn(all.keys[0], "0123456789abcdef"), 32);
  assert_true(strlen(all.target) > 0);
  assert_true(llabs(all.last_used - (int64_t)time(NULL)) < 600);

  make_older(all.keys[0], 100);
  make_older(all.keys[1], 50);
  assert_ok(gpuarr_cache_list(see, &one));
  assert_int_equal(one.count, 1);
  assert_string_equal(one.keys[0], all.keys[1]);
  assert_ok(gpuarr_cache_list(see, &again));
  assert_string_equal(again.keys[1], all.keys[0]);
  assert_true(strstr(again.kernels[0], "_kernel") != NULL);
  assert_true(again.last_used <= time(NULL) - 100);

  assert_status(gpuarr_cache_list(NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("visitor is NULL");
  warming_stops();

  assert_ok(call_kernel("first_kernel", "y[i] = x;"));
  assert_ok(gpuarr_cache_clear());
  assert_int_equal(number(GPUARR_CACHE_ENTRIES), 0);
  assert_int_equal(number(GPUARR_CACHE_BYTES), 0);
  struct seen none = {.stop_after = -1};
  assert_ok(gpuarr_cache_list(see, &none));
  assert_int_equal(none.count, 0);
  assert_ok(call_kernel("first_kernel", "y[i] = x;")); /* stays in memory */
  assert_int_equal(number(GPUARR_CACHE_MEMORY_HITS), 1);
  assert_int_equal(number(GPUARR_CACHE_COMPILES), 0);
}

static void keeps_under_its_limit(void** state) {
  (void)state;
  char body[64];
  int64_t limit = number(GPUARR_CACHE_LIMIT);
  for (int i = 0; i < 12 && number(GPUARR_CACHE_EVICTIONS) == 0; ++i) {
    snprintf(body, sizeof body, "y[i] = x + %d;", i);
    assert_ok(call_kernel("numbered", body));
    assert_true(number(GPUARR_CACHE_BYTES) <= limit);
  }
  assert_true(number(GPUARR_CACHE_EVICTIONS) > 0);
  assert_true(number(GPUARR_CACHE_ENTRIES) > 0);
}

static void stays_in_memory(void** state) {
  (void)state;
  assert_ok(call_kernel("unsaved", "y[i] = x;"));
  assert_ok(call_kernel("unsaved", "y[i] = x;"));
  assert_int_equal(number(GPUARR_CACHE_COMPILES), 1);
  assert_int_equal(number(GPUARR_CACHE_ENTRIES), 0);
  assert_int_equal(answers(), 2);
}

static void is_off(void** state) {
  stays_in_memory(state);
  assert_string_equal(gpuarr_cache_directory(), "");
  assert_string_equal(gpuarr_cache_problem(), "");
  assert_ok(gpuarr_cache_list(see, NULL));
  assert_ok(gpuarr_cache_clear());
}

static void is_refused(void** state) {
  stays_in_memory(state);
  assert_string_equal(gpuarr_cache_directory(), "");
  assert_non_null(strstr(gpuarr_cache_problem(), getenv("GPUARR_CACHE_DIR")));
  assert_non_null(strstr(gpuarr_cache_problem(), getenv("EXPECTED_PROBLEM")));
  assert_non_null(strstr(gpuarr_cache_problem(), "set GPUARR_CACHE_DIR"));
  assert_status(gpuarr_cache_list(see, NULL), GPUARR_ERR_IO);
  assert_message_has(getenv("EXPECTED_PROBLEM"));
  assert_status(gpuarr_cache_clear(), GPUARR_ERR_IO);
  assert_message_has("gpuarr_cache_clear: ");
}

static void passes_over_damage(void** state) {
  (void)state;
  assert_ok(call_kernel("first_kernel", "y[i] = x;"));
  assert_int_equal(number(GPUARR_CACHE_REJECTED), 1);
  assert_int_equal(number(GPUARR_CACHE_COMPILES), 1);
}

static const struct CMUnitTest scenarios[] = {
    cmocka_unit_test(compiles_two),     cmocka_unit_test(finds_two),
    cmocka_unit_test(lists_and_clears), cmocka_unit_test(keeps_under_its_limit),
    cmocka_unit_test(stays_in_memory),  cmocka_unit_test(is_off),
    cmocka_unit_test(is_refused),       cmocka_unit_test(passes_over_damage),
};

static int run_scenario(const char* name) {
  for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; ++i)
    if (strcmp(scenarios[i].name, name) == 0) {
      const struct CMUnitTest tests[] = {scenarios[i]};
      return run_suite(tests);
    }
  return 2;
}

/* Tests, each of which starts scenarios. */

/* `settings` are "NAME=value", and NULL at the end. */
static void expect_scenario(const char* name, const char* const* settings) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    for (; *settings != NULL; ++settings) {
      char setting[PATH_BYTES];
      snprintf(setting, sizeof setting, "%s", *settings);
      char* value = strchr(setting, '=');
      *value++ = '\0';
      setenv(setting, value, 1);
    }
    execl("/proc/self/exe", "test_cache", name, (char*)NULL);
    _exit(3);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) skip();
  assert_int_equal(WEXITSTATUS(status), 0);
}

struct place {
  char path[PATH_BYTES], setting[PATH_BYTES + 32];
};

static struct place place(const char* name) {
  struct place place;
  snprintf(place.path, sizeof place.path, "%s/%s", root, name);
  snprintf(place.setting, sizeof place.setting, "GPUARR_CACHE_DIR=%s", place.path);
  return place;
}

static void kernels_outlive_the_process(void** state) {
  (void)state;
  struct place cache = place("kept/cache");
  const char* settings[] = {cache.setting, NULL};
  expect_scenario("compiles_two", settings);
  expect_scenario("finds_two", settings);
  expect_scenario("lists_and_clears", settings);
}

static long long bytes_below(const char* path) {
  long long bytes = 0;
  DIR* directory = opendir(path);
  assert_non_null(directory);
  for (struct dirent* item = readdir(directory); item != NULL; item = readdir(directory)) {
    struct stat facts;
    assert_int_equal(fstatat(dirfd(directory), item->d_name, &facts, 0), 0);
    if (S_ISREG(facts.st_mode)) bytes += facts.st_size;
  }
  closedir(directory);
  return bytes;
}

static void the_limit_is_kept(void** state) {
  (void)state;
  char limit[64];
  struct place cache = place("limited");
  const char* settings[] = {cache.setting, NULL, NULL};
  expect_scenario("compiles_two", settings);
  snprintf(limit, sizeof limit, "GPUARR_CACHE_SIZE=%lld", bytes_below(cache.path) * 2);
  settings[1] = limit; /* about four kernels */
  expect_scenario("keeps_under_its_limit", settings);
}

static void it_can_be_switched_off(void** state) {
  (void)state;
  struct place cache = place("off");
  const char* settings[] = {cache.setting, "GPUARR_CACHE=off", NULL};
  expect_scenario("is_off", settings);
  assert_int_not_equal(access(cache.path, F_OK), 0);
}

static void bad_directories_are_refused(void** state) {
  (void)state;
  struct place open = place("open"), file = place("file"), link_ = place("link");
  const char* settings[] = {open.setting, "EXPECTED_PROBLEM=can be written by others", NULL};
  assert_int_equal(mkdir(open.path, 0700), 0);
  assert_int_equal(chmod(open.path, 0777), 0);
  expect_scenario("is_refused", settings);

  FILE* made = fopen(file.path, "w");
  assert_non_null(made);
  fclose(made);
  settings[0] = file.setting;
  settings[1] = "EXPECTED_PROBLEM=is not a directory";
  expect_scenario("is_refused", settings);

  assert_int_equal(symlink("/nowhere/at/all", link_.path), 0);
  settings[0] = link_.setting;
  settings[1] = "EXPECTED_PROBLEM=is a symbolic link to nothing";
  expect_scenario("is_refused", settings);
}

static void damaged_entries_are_compiled_again(void** state) {
  (void)state;
  struct place cache = place("damaged");
  const char* settings[] = {cache.setting, NULL};
  expect_scenario("compiles_two", settings);
  char command[PATH_BYTES + 64];
  snprintf(command, sizeof command, "for f in '%s'/*; do truncate -s -1 \"$f\"; done", cache.path);
  assert_int_equal(system(command), 0);
  expect_scenario("passes_over_damage", settings);
}

static void bad_arguments_are_named(void** state) {
  (void)state;
  const int32_t unknown[] = {0, 10, -1};
  assert_status(gpuarr_cache_statistic(NULL, GPUARR_CACHE_LIMIT), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  for (int i = 0; i < 3; ++i) {
    int64_t value = 7;
    assert_status(gpuarr_cache_statistic(&value, unknown[i]), GPUARR_ERR_ARGUMENT);
    assert_message_has("GPUARR_CACHE_... numbers, 1 to 9");
    assert_int_equal(value, 0);
  }
}

int main(int argc, char** argv) {
  if (argc > 1) return run_scenario(argv[1]);
  char pattern[] = "/tmp/gpuarr-test-XXXXXX";
  root = mkdtemp(pattern);
  if (root == NULL) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kernels_outlive_the_process),
      cmocka_unit_test(the_limit_is_kept),
      cmocka_unit_test(it_can_be_switched_off),
      cmocka_unit_test(bad_directories_are_refused),
      cmocka_unit_test(damaged_entries_are_compiled_again),
      cmocka_unit_test(bad_arguments_are_named),
  };
  int result = run_suite(tests);
  char command[64];
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  return system(command) == 0 ? result : 1;
}
