/* What a kernel that goes wrong leaves behind: statuses, and a process that lives. A fault makes a
 * GPU useless to its process, so there each case runs in a process of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "checks.h"
#include "raws.h"

static gpuarr_device* device;

static const char* const wild_text =
    "extern \"C\" __global__ void wild(int* x) { x[(1ll << 40) + threadIdx.x] = 1; }";
static const char* const doubting_text =
    "#include <assert.h>\n"
    "extern \"C\" __global__ void doubting(int* x) {\n"
    "  assert(threadIdx.x + 10 * blockIdx.x != 25);\n"
    "  if (threadIdx.x + blockIdx.x == 0) x[0] = 7;\n"
    "}\n";

/* Every kind of later call says what became of the device, and everything can be released. */
static void assert_lost(gpuarr_raw* kernel, gpuarr_array* x) {
  gpuarr_array* made = NULL;
  int32_t values[4];
  gpuarr_arg arg = gpuarr_arg_array(x);
  assert_status(gpuarr_device_synchronize(device), GPUARR_ERR_FAULT);
  assert_message_has(gpuarr_device_name(device));
  assert_status(gpuarr_array_read(values, sizeof values, NULL, x, NULL), GPUARR_ERR_FAULT);
  assert_status(try_launch(kernel, 1, 1, &arg, 1), GPUARR_ERR_FAULT);
  assert_status(gpuarr_array_copy(&made, x, GPUARR_ORDER_C, NULL), GPUARR_ERR_FAULT);
  assert_null(made);
  gpuarr_raw_release(kernel);
  gpuarr_array_release(x);
}

static void wild(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(wild_text, "wild");
  gpuarr_array* x = line(GPUARR_I32, 4);
  gpuarr_arg arg = gpuarr_arg_array(x);
  launch(kernel, 1, 32, &arg, 1);
  assert_status(gpuarr_device_synchronize(device), GPUARR_ERR_FAULT);
  assert_message_has("\"wild\"");
  assert_message_has("compute-sanitizer");
  assert_int_not_equal(gpuarr_last_native_error(), 0);
  assert_lost(kernel, x);
}

static void checked(void** state) {
  (void)state;
  gpuarr_raw* kernel = checked_raw(wild_text, "wild", GPUARR_CHECK_MEMORY);
  gpuarr_array* x = line(GPUARR_I32, 4);
  gpuarr_arg arg = gpuarr_arg_array(x);
  assert_status(try_launch(kernel, 1, 32, &arg, 1), GPUARR_ERR_FAULT);
  assert_message_has("\"wild\"");
  assert_lost(kernel, x);
}

static void below(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(
      "extern \"C\" __global__ void below(int* x) { x[-(1ll << 40) + threadIdx.x] = 1; }", "below");
  gpuarr_array* x = line(GPUARR_I32, 4);
  gpuarr_arg arg = gpuarr_arg_array(x);
  launch(kernel, 1, 32, &arg, 1);
  assert_status(gpuarr_device_synchronize(device), GPUARR_ERR_FAULT);
  assert_message_has("\"below\"");
  assert_lost(kernel, x);
}

/* What a GPU does not notice does no harm: behind an array there is memory of the pool, as there is
 * where an array was. */
static void unnoticed(void** state) {
  (void)state;
  static const char* const text =
      "extern \"C\" __global__ void put(int* x, int at) { x[at] = 1; }\n"
      "extern \"C\" __global__ void race(int* x) { x[0] = threadIdx.x; }\n"
      "extern \"C\" __global__ void missed(int* x) {\n"
      "  if (threadIdx.x < 32) __syncthreads();\n"
      "  x[1] = 5;\n"
      "}\n";
  gpuarr_kernel_options* options = NULL;
  gpuarr_module* module = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_check(
      options, GPUARR_CHECK_MEMORY | GPUARR_CHECK_RACE | GPUARR_CHECK_SYNC));
  assert_ok(gpuarr_module_create(&module, text, options));
  gpuarr_kernel_options_release(options);
  gpuarr_raw *put = kernel_of(module, "put"), *race = kernel_of(module, "race"),
             *missed = kernel_of(module, "missed");
  gpuarr_array *x = line(GPUARR_I32, 4), *released = line(GPUARR_I32, 4);
  gpuarr_arg arg = gpuarr_arg_array(x);
  gpuarr_arg one_too_far[] = {arg, gpuarr_arg_i32(4)};
  gpuarr_arg not_there[] = {gpuarr_arg_pointer(gpuarr_array_data(released)), gpuarr_arg_i32(0)};
  gpuarr_array_release(released);
  launch(put, 1, 1, one_too_far, 2);
  launch(put, 1, 1, not_there, 2);
  launch(race, 1, 64, &arg, 1);
  launch(missed, 1, 64, &arg, 1);
  int32_t values[4];
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, x, NULL));
  assert_true(values[0] >= 0 && values[0] < 64);
  assert_int_equal(values[1], 5);
  gpuarr_raw_release(put);
  gpuarr_raw_release(race);
  gpuarr_raw_release(missed);
  gpuarr_module_release(module);
  gpuarr_array_release(x);
}

static void doubting(void** state) {
  (void)state;
  gpuarr_raw* kernel = make_raw(doubting_text, "doubting");
  gpuarr_array* x = line(GPUARR_I32, 4);
  gpuarr_arg arg = gpuarr_arg_array(x);
  launch(kernel, 4, 10, &arg, 1);
  assert_status(gpuarr_device_synchronize(device), GPUARR_ERR_ASSERT);
  assert_message_has("\"doubting\"");
  assert_lost(kernel, x);
}

/* On the CPU an assertion is the status of its launch, and nothing else is lost. */
static void an_assertion_on_the_cpu(void** state) {
  (void)state;
  if (!test_device_is_host()) skip();
  gpuarr_raw* kernel = make_raw(doubting_text, "doubting");
  gpuarr_array* x = line(GPUARR_I32, 4);
  gpuarr_arg arg = gpuarr_arg_array(x);
  for (int round = 0; round < 3; ++round) {
    assert_status(try_launch(kernel, 4, 10, &arg, 1), GPUARR_ERR_ASSERT);
    assert_message_has("kernel \"doubting\"");
    assert_message_has("threadIdx.x + 10 * blockIdx.x != 25");
    assert_message_has("source:3");
    launch(kernel, 1, 10, &arg, 1);
  }
  assert_values(x, 4, (double[]){7, 0, 0, 0});
  gpuarr_raw_release(kernel);
  gpuarr_array_release(x);
}

static void a_gpus_fault_in_a_process_of_its_own(void** state) {
  (void)state;
  if (test_device_is_host()) skip();
  static const char* const names[] = {"wild", "below", "checked", "doubting", "unnoticed"};
  for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
    char program[512] = "", command[600];
    assert_true(readlink("/proc/self/exe", program, sizeof program - 1) > 0);
    snprintf(command, sizeof command, "'%s' --child %s 2>&1", program, names[k]);
    FILE* child = popen(command, "r");
    assert_non_null(child);
    char line[1024];
    while (fgets(line, sizeof line, child) != NULL) print_message("  %s", line);
    assert_int_equal(pclose(child), 0);
  }
}

static int run_child(const char* name) {
  const struct CMUnitTest all[] = {cmocka_unit_test(wild), cmocka_unit_test(below),
                                   cmocka_unit_test(checked), cmocka_unit_test(doubting),
                                   cmocka_unit_test(unnoticed)};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
    if (strcmp(all[k].name, name) == 0) {
      const struct CMUnitTest one[] = {all[k]};
      return run_suite(one);
    }
  return 1;
}

int main(int argc, char** argv) {
  if (argc == 3 && strcmp(argv[1], "--child") == 0) {
    device = open_test_device();
    return run_child(argv[2]);
  }
  if (test_device_is_host()) device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_assertion_on_the_cpu),
      cmocka_unit_test(a_gpus_fault_in_a_process_of_its_own),
  };
  return run_suite(tests);
}
