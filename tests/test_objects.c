/* Tests of gpuarr/objects.h: what lives and where it was made, objects that are released twice,
 * used afterwards, or are none. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support.h"

enum { MOST_TEXT = 20000 };

static gpuarr_array* array_of_six(void) {
  gpuarr_array* array = NULL;
  const int64_t shape[] = {2, 3};
  assert_ok(
      gpuarr_array_zeros(&array, open_test_device(), GPUARR_F32, 2, shape, GPUARR_ORDER_C, NULL));
  return array;
}

static const char* report(void) {
  static char text[MOST_TEXT];
  int64_t length = gpuarr_objects_report(NULL, 0);
  assert_true(length < MOST_TEXT);
  assert_int_equal(gpuarr_objects_report(text, MOST_TEXT), length);
  assert_int_equal(strlen(text), length);
  return text;
}

static void assert_has(const char* text, const char* part) {
  if (strstr(text, part) != NULL) return;
  print_error("expected a text with \"%s\", but got\n%s\n", part, text);
  fail();
}

static int count_lines(const char* text) {
  int lines = 0;
  for (; *text != '\0'; ++text) lines += *text == '\n';
  return lines;
}

/* What is written to stderr from now on. */
static int kept_stderr;
static FILE* caught;

static void catch_stderr(void) {
  fflush(NULL);
  caught = tmpfile();
  assert_non_null(caught);
  kept_stderr = dup(2);
  dup2(fileno(caught), 2);
}

static const char* what_was_written(void) {
  static char text[MOST_TEXT];
  dup2(kept_stderr, 2);
  close(kept_stderr);
  rewind(caught);
  text[fread(text, 1, sizeof text - 1, caught)] = '\0';
  fclose(caught);
  return text;
}

static void living_objects_are_listed(void** state) {
  (void)state;
  assert_string_equal(report(), "");
  gpuarr_array* array = array_of_six();
  gpuarr_stream* stream = NULL;
  gpuarr_kernel_options* options = NULL;
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ptr_equal(gpuarr_array_retain(array), array);

  char expected[200];
  snprintf(expected, sizeof expected, "array (float32, (2, 3), 24 bytes, %s) made by ",
           test_device_name());
  const char* text = report();
  assert_has(text, expected);
  assert_has(text, " made by gpuarr_array_zeros at test_objects+0x");
  assert_has(text, " < test_objects+0x"); /* who called array_of_six() */
  assert_has(text, ", refs 2\n");
  snprintf(expected, sizeof expected, "stream (%s) made by gpuarr_stream_create at ",
           test_device_name());
  assert_has(text, expected);
  assert_has(text, " kernel_options made by gpuarr_kernel_options_create at ");
  assert_int_equal(count_lines(text), 3);
  assert_true(text[0] == '#' && strstr(text, "array") < strstr(text, "stream"));

  char start[8];
  memset(start, '#', sizeof start);
  assert_int_equal(gpuarr_objects_report(start, 5), strlen(text));
  assert_int_equal(start[4], '\0');
  assert_int_equal(start[5], '#');

  gpuarr_array_release(array);
  gpuarr_stream_release(stream);
  gpuarr_kernel_options_release(options);
  assert_has(report(), ", refs 1\n");
  gpuarr_array_release(array);
  assert_string_equal(report(), "");
  assert_int_equal(gpuarr_live_objects(), 0);
}

static void a_second_release_is_found(void** state) {
  (void)state;
  gpuarr_array* array = array_of_six();
  gpuarr_array_release(array);
  catch_stderr();
  gpuarr_array_release(array);
  const char* line = what_was_written();
  assert_int_equal(count_lines(line), 1);
  assert_has(line, "gpuarr: gpuarr_array_release: array is #");
  assert_message_has("gpuarr_array_release: array is #");
  assert_message_has("array (float32, (2, 3), 24 bytes, ");
  assert_message_has(
      "which is released already: it was made by gpuarr_array_zeros at test_objects+");
  assert_message_has("released for the last time by gpuarr_array_release at test_objects+0x");
  assert_int_equal(gpuarr_live_objects(), 0);
}

static void a_use_after_the_release_is_found(void** state) {
  (void)state;
  gpuarr_array *array = array_of_six(), *live = array_of_six(), *copy = live;
  gpuarr_array_release(array);
  assert_status(gpuarr_array_copy(&copy, array, GPUARR_ORDER_C, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_array_copy: array is #");
  assert_message_has("which is released already");
  assert_null(copy);
  assert_status(gpuarr_array_fill(live, gpuarr_arg_array(array), NULL), GPUARR_ERR_ARGUMENT);
  gpuarr_array* sum = array;
  assert_status(gpuarr_sum(&sum, live, NULL, GPUARR_ALL_AXES, 0, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_sum: *out is #");

  catch_stderr();
  assert_null(gpuarr_array_retain(array));
  assert_null(gpuarr_array_data(array));
  assert_null(gpuarr_array_shape(array));
  assert_null(gpuarr_array_device(array));
  assert_int_equal(gpuarr_array_ndim(array), 0);
  assert_int_equal(gpuarr_array_is_contiguous(array, GPUARR_ORDER_C), 0);
  const char* text = what_was_written();
  assert_int_equal(count_lines(text), 6);
  assert_has(text, "gpuarr: gpuarr_array_retain: array is #");
  assert_has(text, "gpuarr: gpuarr_array_is_contiguous: array is #");
  gpuarr_array_release(live);
}

static void kernels_are_given_live_arrays_only(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = NULL;
  gpuarr_array *array = array_of_six(), *out = NULL;
  assert_ok(gpuarr_elementwise_create(&kernel, "T x", "T y", "y = x;", NULL));
  gpuarr_array_release(array);
  gpuarr_arg input = gpuarr_arg_array(array);
  assert_status(gpuarr_elementwise_call(kernel, &out, 1, &input, 1, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_elementwise_call: inputs[0] is #");
  input = gpuarr_arg_i32(1);
  out = array;
  assert_status(gpuarr_elementwise_call(kernel, &out, 1, &input, 1, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("outputs[0] is #");
  gpuarr_elementwise_release(kernel);
  catch_stderr();
  gpuarr_elementwise_release(kernel);
  assert_has(what_was_written(), "gpuarr_elementwise_release: elementwise is #");
}

static void what_is_no_object_is_found(void** state) {
  (void)state;
  int64_t words[100] = {0};
  gpuarr_array* none = (gpuarr_array*)(void*)words;
  assert_status(gpuarr_array_fill(none, gpuarr_arg_i32(0), NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("gpuarr_array_fill: array is 0x");
  assert_message_has("which is not an object of this library; give a gpuarr_array that a call");
  catch_stderr();
  gpuarr_array_release(none);
  assert_int_equal(gpuarr_array_ndim(none), 0);
  assert_string_equal(gpuarr_device_name((gpuarr_device*)(void*)words), "");
  assert_int_equal(count_lines(what_was_written()), 3);
  gpuarr_stream* stream = NULL;
  assert_status(gpuarr_stream_create(&stream, (gpuarr_device*)(void*)words, 0, 0),
                GPUARR_ERR_ARGUMENT);
  assert_message_has("which is not a device; give one from gpuarr_device_open");
}

static void an_object_of_another_type_is_found(void** state) {
  (void)state;
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_create(&stream, open_test_device(), 0, 0));
  gpuarr_array* cast = (gpuarr_array*)(void*)stream;
  assert_status(gpuarr_array_fill(cast, gpuarr_arg_i32(0), NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("array is #");
  assert_message_has(" stream (");
  assert_message_has("made by gpuarr_stream_create at ");
  assert_message_has("; give a gpuarr_array");
  catch_stderr();
  gpuarr_array_release(cast);
  assert_has(what_was_written(), "gpuarr_array_release: array is #");
  gpuarr_stream_release(stream);
}

/* An object that the program had before is not known, and works as ever. */
static void tracking_starts_and_stops(void** state) {
  (void)state;
  assert_status(gpuarr_objects_track(2), GPUARR_ERR_ARGUMENT);
  assert_message_has("on is 2; give 1 to start, 0 to stop");
  gpuarr_array* known = array_of_six();
  assert_ok(gpuarr_objects_track(0));
  gpuarr_array *unknown = array_of_six(), *gone = array_of_six();
  assert_ok(gpuarr_objects_track(1));
  assert_has(report(), "\n2 more, made while objects were not tracked\n");
  assert_ptr_equal(gpuarr_array_retain(unknown), unknown);
  assert_int_equal(gpuarr_array_ndim(unknown), 2);
  gpuarr_array_release(unknown);
  gpuarr_array_release(gone);
  gpuarr_array_release(unknown);
  assert_int_equal(count_lines(report()), 1);
  assert_ok(gpuarr_objects_track(0));
  gpuarr_array_release(known); /* leaves the registry */
  assert_ok(gpuarr_objects_track(1));
  assert_string_equal(report(), "");
}

enum { MAKERS = 4, MADE_BY_EACH = 3000 };

static void* make_and_release(void* device) {
  const int64_t shape[] = {2, 3};
  intptr_t failures = 0;
  for (int k = 0; k < MADE_BY_EACH; ++k) {
    gpuarr_array *array = NULL, *view = NULL;
    failures += gpuarr_array_empty(&array, device, GPUARR_F32, 2, shape, 0, NULL) != GPUARR_OK;
    failures += gpuarr_array_transpose(&view, array, 0, NULL) != GPUARR_OK;
    gpuarr_array_release(gpuarr_array_retain(array));
    gpuarr_array_release(array);
    gpuarr_array_release(view);
  }
  return (void*)failures;
}

static void tracking_starts_and_stops_while_threads_work(void** state) {
  (void)state;
  pthread_t threads[MAKERS];
  const int64_t before = gpuarr_live_objects();
  gpuarr_device* device = open_test_device();
  for (int k = 0; k < MAKERS; ++k)
    assert_int_equal(pthread_create(&threads[k], NULL, make_and_release, device), 0);
  for (int k = 0; k < 500; ++k) {
    assert_ok(gpuarr_objects_track(k % 2));
    if (k % 16 == 1) gpuarr_objects_report(NULL, 0);
  }
  for (int k = 0; k < MAKERS; ++k) {
    void* failures = NULL;
    assert_int_equal(pthread_join(threads[k], &failures), 0);
    assert_null(failures);
  }
  assert_true(gpuarr_live_objects() == before);
  assert_ok(gpuarr_objects_track(1));
  assert_string_equal(report(), "");
}

static int end_of(pid_t child) {
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Of a GPU a child can make nothing; options are of no device. */
static void what_is_left_is_listed_at_the_end(void** state) {
  (void)state;
  gpuarr_array* parents = array_of_six();
  catch_stderr();
  pid_t child = fork();
  if (child == 0) {
    gpuarr_kernel_options *options = NULL, *second = NULL;
    gpuarr_kernel_options_create(&options);
    gpuarr_kernel_options_create(&second);
    gpuarr_kernel_options_release(second);
    exit(7);
  }
  int status = end_of(child);
  const char* text = what_was_written();
  assert_int_equal(status, 7);
  assert_has(text, "ended with 1 object that was not released:\n#");
  assert_has(text, " kernel_options made by gpuarr_kernel_options_create at test_objects+0x");
  assert_int_equal(count_lines(text), 2);
  gpuarr_array_release(parents);
}

static void nothing_left_is_nothing_to_say(void** state) {
  (void)state;
  gpuarr_array* parents = array_of_six();
  catch_stderr();
  pid_t child = fork();
  if (child == 0) exit(0);
  int status = end_of(child);
  assert_string_equal(what_was_written(), "");
  assert_int_equal(status, 0);
  gpuarr_array_release(parents);
}

static void run_again(const char* self, const char* setting, char* text, size_t most) {
  fflush(NULL);
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    setenv("GPUARR_OBJECTS", setting, 1);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    execl(self, self, "leak", (char*)NULL);
    _exit(127);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t got = 1; got > 0 && length < most - 1; length += (size_t)(got > 0 ? got : 0))
    got = read(ends[0], text + length, most - 1 - length);
  text[length] = '\0';
  close(ends[0]);
  assert_int_equal(end_of(child), 0);
}

static void a_file_may_be_named(void** state) {
  (void)state;
  char file[] = "/tmp/gpuarr_objects_XXXXXX", setting[100], text[MOST_TEXT];
  int descriptor = mkstemp(file);
  assert_true(descriptor >= 0);
  snprintf(setting, sizeof setting, "track:%s", file);
  run_again("/proc/self/exe", setting, text, sizeof text);
  assert_string_equal(text, "");
  run_again("/proc/self/exe", setting, text, sizeof text);
  ssize_t length = read(descriptor, text, sizeof text - 1);
  assert_true(length > 0);
  text[length] = '\0';
  assert_int_equal(count_lines(text), 4);
  assert_has(text, "gpuarr: process ");
  assert_has(text, "#1 kernel_options made by gpuarr_kernel_options_create at ");
  close(descriptor);
  unlink(file);
}

static void other_settings_are_refused(void** state) {
  (void)state;
  char text[MOST_TEXT];
  run_again("/proc/self/exe", "yes", text, sizeof text);
  assert_string_equal(
      text, "gpuarr warning: $GPUARR_OBJECTS is \"yes\"; it is \"track\" or \"track:FILE\"\n");
  run_again("/proc/self/exe", "", text, sizeof text);
  assert_string_equal(text, "");
}

/* A program that releases nothing. */
static int leak(void) {
  static gpuarr_kernel_options* options; /* seen by LeakSanitizer */
  return gpuarr_kernel_options_create(&options) != GPUARR_OK;
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "leak") == 0) return leak();
  setenv("GPUARR_OBJECTS", "track", 1);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(living_objects_are_listed),
      cmocka_unit_test(a_second_release_is_found),
      cmocka_unit_test(a_use_after_the_release_is_found),
      cmocka_unit_test(kernels_are_given_live_arrays_only),
      cmocka_unit_test(what_is_no_object_is_found),
      cmocka_unit_test(an_object_of_another_type_is_found),
      cmocka_unit_test(tracking_starts_and_stops),
      cmocka_unit_test(tracking_starts_and_stops_while_threads_work),
      cmocka_unit_test(what_is_left_is_listed_at_the_end),
      cmocka_unit_test(nothing_left_is_nothing_to_say),
      cmocka_unit_test(a_file_may_be_named),
      cmocka_unit_test(other_settings_are_refused),
  };
  return run_suite(tests);
}
