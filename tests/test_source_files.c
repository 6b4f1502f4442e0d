/* Tests of $GPUARR_SOURCE_DIR, each in a process of its own: this program again, with the name of a
 * scenario. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels.h"
#include "raws.h"

enum { PATH_BYTES = 4096, TEXT_BYTES = 1 << 20 };

static const char* root; /* a directory of this run */

/* Scenarios. */

static const char* const raw_text =
    "#define STEP 3\n"
    "extern \"C\" __global__ void add_steps(float* z, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) z[i] += STEP;\n"
    "}\n";

static void runs_kernels(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_kernel_options* options = NULL;
  gpuarr_elementwise* kernel = NULL;
  gpuarr_module* module = NULL;
  gpuarr_raw* raw = NULL;
  gpuarr_array* z = NULL;
  gpuarr_arg input = gpuarr_arg_f32(4), args[2];
  float out[8];
  int64_t shape = 8, grid[] = {1, 1, 1}, block[] = {32, 1, 1};
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_name(options, "shown"));
  assert_ok(gpuarr_kernel_options_set_preamble(options,
                                               "__device__ float half_of(float x) {\n"
                                               "  return x / 2;\n}"));
  assert_ok(gpuarr_kernel_options_add(options, test_device_is_host() ? "-g" : "-lineinfo"));
  assert_ok(gpuarr_array_empty(&z, device, GPUARR_F32, 1, &shape, 0, NULL));
  assert_ok(gpuarr_elementwise_create(&kernel, "float32 x", "float32 z",
                                      "float y = half_of(x);\nz = y + i;", options));
  assert_ok(gpuarr_elementwise_call(kernel, &z, 1, &input, 1, GPUARR_NO_SIZE, NULL));
  assert_ok(gpuarr_module_create(&module, raw_text, options));
  assert_ok(gpuarr_module_kernel(&raw, module, "add_steps", NULL));
  args[0] = gpuarr_arg_array(z);
  args[1] = gpuarr_arg_i32(8);
  assert_ok(gpuarr_raw_launch(raw, grid, block, 0, args, 2, NULL));
  assert_ok(gpuarr_array_read(out, sizeof out, NULL, z, NULL));
  for (int i = 0; i < 8; ++i) assert_true(out[i] == (float)i + 5);
  gpuarr_array_release(z);
  gpuarr_elementwise_release(kernel);
  gpuarr_raw_release(raw);
  gpuarr_module_release(module);
  gpuarr_kernel_options_release(options);
}

/* The messages show the user's own lines, whatever the file has. */
static void shows_faults(void** state) {
  (void)state;
  gpuarr_elementwise* kernel = make_elementwise("T x", "T z", "T y = x;\nz = y + nothing;");
  gpuarr_module* module = make_module("__global__ void k(float* x) {\n  x[0] = nothing;\n}\n");
  gpuarr_array *x = NULL, *z = NULL;
  int64_t shape = 8;
  assert_ok(gpuarr_array_zeros(&x, open_test_device(), GPUARR_F32, 1, &shape, 0, NULL));
  gpuarr_arg input = gpuarr_arg_array(x);
  assert_status(gpuarr_elementwise_call(kernel, &z, 1, &input, 1, GPUARR_NO_SIZE, NULL),
                GPUARR_ERR_COMPILE);
  assert_message_has("\nbody, line 2");
  assert_message_has("\n    2 | z = y + nothing;\n");
  assert_status(gpuarr_module_build(module, NULL), GPUARR_ERR_COMPILE);
  assert_message_has("\nsource, line 2");
  assert_message_has("\n    2 |   x[0] = nothing;\n");
  gpuarr_elementwise_release(kernel);
  gpuarr_module_release(module);
  gpuarr_array_release(x);
}

static const struct CMUnitTest scenarios[] = {
    cmocka_unit_test(runs_kernels),
    cmocka_unit_test(shows_faults),
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

static void expect_scenario(const char* name, const char* sources, const char* cache,
                            const char* log) {
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    setenv("GPUARR_SOURCE_DIR", sources, 1);
    setenv("GPUARR_CACHE_DIR", cache, 1);
    setenv("GPUARR_LOG", log, 1);
    execl("/proc/self/exe", "test_source_files", name, (char*)NULL);
    _exit(3);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  if (WEXITSTATUS(status) == 77) skip();
  assert_int_equal(WEXITSTATUS(status), 0);
}

static const char* text_of(const char* path, size_t* bytes) {
  static char text[TEXT_BYTES];
  FILE* file = fopen(path, "r");
  assert_non_null(file);
  *bytes = fread(text, 1, sizeof text - 1, file);
  text[*bytes] = '\0';
  fclose(file);
  return text;
}

/* The path of the directory's file whose name begins so; how many there are. */
static int find_file(char* path, const char* directory, const char* prefix) {
  int found = 0;
  DIR* open = opendir(directory);
  assert_non_null(open);
  for (struct dirent* item = readdir(open); item != NULL; item = readdir(open))
    if (item->d_name[0] != '.' && strncmp(item->d_name, prefix, strlen(prefix)) == 0) {
      snprintf(path, PATH_BYTES, "%s/%s", directory, item->d_name);
      ++found;
    }
  closedir(open);
  return found;
}

static const char* find(const char* bytes, size_t count, const char* text) {
  size_t length = strlen(text);
  for (; count >= length; ++bytes, --count)
    if (memcmp(bytes, text, length) == 0) return bytes;
  return NULL;
}

/* How many of the directory's compiled kernels have the text in them. */
static int count_images_with(const char* directory, const char* path) {
  int found = 0;
  DIR* open = opendir(directory);
  assert_non_null(open);
  for (struct dirent* item = readdir(open); item != NULL; item = readdir(open)) {
    char entry[PATH_BYTES];
    size_t bytes = 0;
    if (item->d_name[0] == '.') continue;
    snprintf(entry, sizeof entry, "%s/%s", directory, item->d_name);
    const char* text = text_of(entry, &bytes);
    /* The image, which is an ELF file, stands behind the key, which has the path too. */
    const char* image = find(text, bytes,
                             "\x7f"
                             "ELF");
    if (image != NULL) found += find(image, bytes - (size_t)(image - text), path) != NULL;
  }
  closedir(open);
  return found;
}

static void sources_have_files_of_their_own(void** state) {
  (void)state;
  char sources[PATH_BYTES / 2], cache[PATH_BYTES / 2], path[PATH_BYTES], again[PATH_BYTES];
  size_t bytes = 0;
  snprintf(sources, sizeof sources, "%s/made/sources", root);
  snprintf(cache, sizeof cache, "%s/cache", root);
  expect_scenario("runs_kernels", sources, cache, "");
  assert_int_equal(find_file(path, sources, "shown_"), 2);
  const char* ending = strrchr(path, '.');
  assert_string_equal(ending, test_device_is_host() ? ".cpp" : ".cu");
  assert_int_equal(strlen(strrchr(path, '/')), strlen("/shown_.") + 32 + strlen(ending) - 1);
  const char* text = text_of(path, &bytes);
  if (strstr(text, "add_steps") == NULL) {
    assert_non_null(strstr(text, "\n  return x / 2;\n"));
    assert_non_null(strstr(text, "\nfloat y = half_of(x);\nz = y + i;\n"));
    assert_null(strstr(text, "\n#line"));
  } else {
    assert_non_null(strstr(text, raw_text));
  }
  assert_int_equal(count_images_with(cache, sources), 2); /* debug information has the paths */
  expect_scenario("runs_kernels", sources, cache, "");
  assert_int_equal(find_file(again, sources, "shown_"), 2);
  expect_scenario("shows_faults", sources, cache, "");
}

static void a_bad_directory_is_only_told(void** state) {
  (void)state;
  char cache[PATH_BYTES / 2], log[PATH_BYTES];
  size_t bytes = 0;
  snprintf(cache, sizeof cache, "%s/other-cache", root);
  snprintf(log, sizeof log, "compile:%s/log", root);
  expect_scenario("runs_kernels", "/proc/nowhere", cache, log);
  const char* text = text_of(strchr(log, ':') + 1, &bytes);
  assert_non_null(strstr(text, "gpuarr compile: shown: its source is not in $GPUARR_SOURCE_DIR: "));
}

int main(int argc, char** argv) {
  if (argc > 1) return run_scenario(argv[1]);
  char pattern[] = "/tmp/gpuarr-test-XXXXXX";
  root = mkdtemp(pattern);
  if (root == NULL) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sources_have_files_of_their_own),
      cmocka_unit_test(a_bad_directory_is_only_told),
  };
  int result = run_suite(tests);
  char command[64];
  snprintf(command, sizeof command, "rm -rf '%s'", root);
  return system(command) == 0 ? result : 1;
}
