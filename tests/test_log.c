/* Tests of gpuarr/log.h: topics, files, the receiver. What $GPUARR_LOG does is tried in processes
 * of their own: this program again, with the name of a scenario. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { PATH_BYTES = 4096, TEXT_BYTES = 1 << 16 };

static const char* root; /* a directory of this run */

/* Compiles a kernel that no other name is the same as, and finds it once more. */
static void build_kernel(const char* name) {
  gpuarr_device* device = open_test_device();
  gpuarr_kernel_options* options = NULL;
  gpuarr_array* out = NULL;
  gpuarr_arg in = gpuarr_arg_f32(2);
  int64_t shape = 4;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_name(options, name));
  assert_ok(gpuarr_array_empty(&out, device, GPUARR_F32, 1, &shape, 0, NULL));
  for (int i = 0; i < 2; ++i) {
    gpuarr_elementwise* kernel = NULL;
    assert_ok(
        gpuarr_elementwise_create(&kernel, "float32 x", "raw float32 y", "y[i] = x;", options));
    assert_ok(gpuarr_elementwise_call(kernel, &out, 1, &in, 1, 4, NULL));
    assert_ok(gpuarr_device_synchronize(device));
    gpuarr_elementwise_release(kernel);
  }
  gpuarr_array_release(out);
  gpuarr_kernel_options_release(options);
}

/* The beginning of a file; "" if there is none. */
static const char* text_of(const char* path) {
  static char text[TEXT_BYTES];
  FILE* file = fopen(path, "r");
  size_t bytes = file == NULL ? 0 : fread(text, 1, sizeof text - 1, file);
  text[bytes] = '\0';
  if (file != NULL) fclose(file);
  return text;
}

static int count(const char* text, const char* part) {
  int found = 0;
  for (const char* at = strstr(text, part); at != NULL; at = strstr(at + 1, part)) ++found;
  return found;
}

struct heard {
  int lines, topics;
  char text[TEXT_BYTES];
};

static void hear(void* user, int32_t topic, const char* line) {
  struct heard* heard = user;
  size_t used = strlen(heard->text);
  snprintf(heard->text + used, sizeof heard->text - used, "%s\n", line);
  heard->topics |= topic;
  ++heard->lines;
}

/* Scenarios. */

static void builds(void** state) {
  (void)state;
  build_kernel("logged");
}

static void mends(void** state) {
  (void)state;
  gpuarr_device* device = NULL;
  assert_status(gpuarr_device_open(&device, "host"), GPUARR_ERR_ARGUMENT);
  assert_message_has("$GPUARR_LOG is \"speed,cache\"; it is a list of library, compile, cache, ");
  setenv("GPUARR_LOG", "cache", 1);
  build_kernel("logged");
}

/* A cache that cannot be made is told, once for all kernels. */
static void cannot_keep(void** state) {
  (void)state;
  setenv("GPUARR_CACHE_DIR", "/proc/nowhere", 1);
  build_kernel("kept");
  build_kernel("kept_not");
}

/* Tests, each of which starts scenarios. */

/* What the scenario writes to standard error under the setting. */
static const char* errors_of(const char* scenario, const char* setting) {
  char path[PATH_BYTES];
  static int runs = 0;
  snprintf(path, sizeof path, "%s/errors%d", root, ++runs);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    setenv("GPUARR_LOG", setting, 1);
    if (freopen(path, "w", stderr) == NULL) _exit(4);
    execl("/proc/self/exe", "test_log", scenario, (char*)NULL);
    _exit(3);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) skip();
  assert_int_equal(WEXITSTATUS(status), 0);
  return text_of(path);
}

static void topics_are_chosen_by_the_environment(void** state) {
  (void)state;
  const char* errors = errors_of("builds", "compile,cache");
  assert_int_equal(count(errors, "gpuarr compile: logged: "), 1);
  assert_int_equal(count(errors, " ms by "), 1);
  assert_int_equal(count(errors, "gpuarr cache: logged: stored as "), 1);
  assert_int_equal(count(errors, "gpuarr cache: logged: found in memory"), 1);
  assert_int_equal(count(errors, "gpuarr library: "), 0);
  errors = errors_of("builds", "cache"); /* by now it is on disk */
  assert_int_equal(count(errors, "gpuarr cache: logged: found on disk as "), 1);
  assert_int_equal(count(errors, "gpuarr compile: "), 0);
  assert_int_equal(count(errors_of("builds", ""), "gpuarr "), 0);
}

static void a_word_is_understood_once_it_is_mended(void** state) {
  (void)state;
  const char* errors = errors_of("mends", "speed,cache");
  assert_int_equal(count(errors, "gpuarr cache: logged: found"), 2);
}

static void off_is_nothing_at_all(void** state) {
  (void)state;
  assert_int_equal(
      count(errors_of("cannot_keep", ""), "gpuarr warning: kernels cannot be written to /proc/"),
      1);
  assert_int_equal(count(errors_of("cannot_keep", "off"), "gpuarr "), 0);
  const char* errors = errors_of("cannot_keep", "library");
  assert_int_equal(count(errors, "gpuarr warning: "), 1);
}

static void a_file_gets_the_lines(void** state) {
  (void)state;
  char setting[PATH_BYTES];
  snprintf(setting, sizeof setting, "cache:%s/with:colon.log", root);
  assert_int_equal(count(errors_of("builds", setting), "gpuarr "), 0);
  assert_int_equal(count(errors_of("builds", setting), "gpuarr "), 0);
  assert_int_equal(count(text_of(strchr(setting, ':') + 1), "gpuarr cache: logged: found"), 4);
  const char* errors = errors_of("builds", "cache:/nowhere/at/all.log");
  assert_int_equal(
      count(errors, "gpuarr warning: $GPUARR_LOG: /nowhere/at/all.log cannot be opened"), 1);
  assert_int_equal(count(errors, "gpuarr cache: logged: found"), 2);
}

static void a_receiver_gets_the_lines(void** state) {
  (void)state;
  static struct heard heard;
  memset(&heard, 0, sizeof heard);
  assert_ok(gpuarr_log_set_receiver(hear, &heard));
  build_kernel("unheard");
  assert_int_equal(heard.lines, 0);
  assert_ok(gpuarr_log_set("compile,cache"));
  build_kernel("heard");
  assert_int_equal(count(heard.text, "gpuarr compile: heard: "), 1);
  assert_int_equal(count(heard.text, "gpuarr cache: heard: found in memory\n"), 1);
  assert_int_equal(heard.topics, GPUARR_LOG_COMPILE | GPUARR_LOG_CACHE);
  assert_ok(gpuarr_log_set(""));
  build_kernel("unheard_too");
  assert_ok(gpuarr_log_set_receiver(NULL, NULL));
  assert_int_equal(count(heard.text, "unheard"), 0);
}

static void what_does_not_compile_is_told(void** state) {
  (void)state;
  static struct heard heard;
  gpuarr_kernel_options* options = NULL;
  gpuarr_elementwise* kernel = NULL;
  gpuarr_arg in = gpuarr_arg_f32(2);
  gpuarr_array* out = NULL;
  int64_t shape = 4;
  memset(&heard, 0, sizeof heard);
  assert_ok(gpuarr_log_set_receiver(hear, &heard));
  assert_ok(gpuarr_log_set("all"));
  assert_ok(gpuarr_array_empty(&out, open_test_device(), GPUARR_F32, 1, &shape, 0, NULL));
  assert_ok(gpuarr_elementwise_create(&kernel, "float32 x", "raw float32 y", "y[i] = z;", options));
  assert_status(gpuarr_elementwise_call(kernel, &out, 1, &in, 1, 4, NULL), GPUARR_ERR_COMPILE);
  assert_int_equal(count(heard.text, "gpuarr compile: elementwise: failed after "), 1);
  assert_ok(gpuarr_log_set(""));
  assert_ok(gpuarr_log_set_receiver(NULL, NULL));
  gpuarr_elementwise_release(kernel);
  gpuarr_array_release(out);
}

static void plans_are_told_once(void** state) {
  (void)state;
  static struct heard heard;
  const int64_t shape[] = {3, 5};
  gpuarr_array* x = NULL;
  memset(&heard, 0, sizeof heard);
  assert_ok(gpuarr_log_set_receiver(hear, &heard));
  assert_ok(gpuarr_log_set("fuse"));
  assert_ok(gpuarr_array_zeros(&x, open_test_device(), GPUARR_F32, 2, shape, 0, NULL));
  for (int k = 0; k < 2; ++k) {
    gpuarr_array* out = NULL;
    const gpuarr_arg arg = gpuarr_arg_array(x);
    const char* const name = "logged";
    assert_ok(gpuarr_eval(&out, "sum(logged * logged + 1)", &name, &arg, 1, NULL));
    gpuarr_array_release(out);
  }
  assert_int_equal(count(heard.text, "gpuarr fuse: a new expression on "), 1);
  assert_int_equal(count(heard.text, "gpuarr fuse: kernel 1: reduction of (3, 5)"), 1);
  assert_int_equal(count(heard.text, "gpuarr fuse: 1 kernels move"), 1);
  assert_int_equal(heard.topics, GPUARR_LOG_FUSE);
  assert_ok(gpuarr_log_set(""));
  assert_ok(gpuarr_log_set_receiver(NULL, NULL));
  gpuarr_array_release(x);
}

static void a_bad_setting_changes_nothing(void** state) {
  (void)state;
  static struct heard heard;
  memset(&heard, 0, sizeof heard);
  assert_ok(gpuarr_log_set_receiver(hear, &heard));
  assert_ok(gpuarr_log_set("cache"));
  assert_status(gpuarr_log_set("compile,loud"), GPUARR_ERR_ARGUMENT);
  assert_message_has("setting is \"compile,loud\": \"loud\" is no topic; they are library, ");
  assert_status(gpuarr_log_set("compile:/nowhere/at/all.log"), GPUARR_ERR_IO);
  assert_message_has("/nowhere/at/all.log cannot be opened: No such file or directory");
  assert_status(gpuarr_log_set(NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("setting is NULL");
  build_kernel("steady");
  assert_int_equal(heard.topics, GPUARR_LOG_CACHE);
  assert_ok(gpuarr_log_set(""));
  assert_ok(gpuarr_log_set_receiver(NULL, NULL));
}

enum { THREADS = 4, ROUNDS = 20 };

static void ignore(void* user, int32_t topic, const char* line) {
  (void)user;
  (void)topic;
  assert_non_null(line);
}

static void* change_settings(void* user) {
  for (int i = 0; i < ROUNDS; ++i) {
    gpuarr_log_set(i % 2 == 0 ? "all" : "cache,memory");
    gpuarr_log_set_receiver(ignore, NULL);
    build_kernel(user);
  }
  return NULL;
}

static void threads_may_log_and_choose_at_once(void** state) {
  (void)state;
  pthread_t threads[THREADS];
  assert_ok(gpuarr_log_set_receiver(ignore, NULL));
  for (int i = 0; i < THREADS; ++i)
    assert_int_equal(pthread_create(&threads[i], NULL, change_settings, "shared"), 0);
  for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
  assert_ok(gpuarr_log_set(""));
  assert_ok(gpuarr_log_set_receiver(NULL, NULL));
}

int main(int argc, char** argv) {
  if (argc > 1) {
    const struct CMUnitTest scenario[] = {cmocka_unit_test(builds), cmocka_unit_test(mends),
                                          cmocka_unit_test(cannot_keep)};
    cmocka_set_test_filter(argv[1]);
    return run_suite(scenario);
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(topics_are_chosen_by_the_environment),
      cmocka_unit_test(a_word_is_understood_once_it_is_mended),
      cmocka_unit_test(off_is_nothing_at_all),
      cmocka_unit_test(a_file_gets_the_lines),
      cmocka_unit_test(a_receiver_gets_the_lines),
      cmocka_unit_test(what_does_not_compile_is_told),
      cmocka_unit_test(plans_are_told_once),
      cmocka_unit_test(a_bad_setting_changes_nothing),
      cmocka_unit_test(threads_may_log_and_choose_at_once),
  };
  char pattern[] = "/tmp/gpuarr-test-XXXXXX";
  root = mkdtemp(pattern);
  if (root == NULL || setenv("GPUARR_CACHE_DIR", root, 1) != 0) return 1;
  int failed = run_suite(tests);
  char command[PATH_BYTES];
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  return system(command) == 0 ? failed : 1;
}
