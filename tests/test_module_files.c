/* Modules of files: what they include, and how they are named. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arrays.h"
#include "raws.h"

static gpuarr_device* device;

static void a_file_includes_what_lies_beside_it(void** state) {
  (void)state;
  char* header = write_text("beside.h", "#define FACTOR 3\n__device__ int triple(int x);\n");
  const char* base = strrchr(header, '/') + 1;
  char text[512];
  snprintf(text, sizeof text,
           "#include \"%s\"\n"
           "#include <stdint.h>\n"
           "__global__ void k(int32_t* x) { x[threadIdx.x] *= FACTOR * MORE; }\n",
           base);
  char* path = write_text("file.cu", text);
  gpuarr_kernel_options* options = NULL;
  gpuarr_module* module = NULL;
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_add(options, "-DMORE=2"));
  assert_ok(gpuarr_module_open(&module, path, options));
  gpuarr_raw* k = kernel_of(module, "k");
  gpuarr_array* x = ramp(GPUARR_I32, 3);
  gpuarr_arg arg = gpuarr_arg_array(x);
  launch(k, 1, 3, &arg, 1);
  assert_values(x, 3, (double[]){0, 6, 12});
  gpuarr_array_release(x);
  gpuarr_raw_release(k);
  gpuarr_module_release(module);
  gpuarr_kernel_options_release(options);
  unlink(header);
  unlink(path);
  free(header);
  free(path);
}

/* However they are named, what was compiled before their change is not found again. */
static void a_changed_header_is_seen(void** state) {
  (void)state;
  const char* const spellings[] = {"%%:include \"%s\"\n", "#inc\\\nlude \"%s\"\n",
                                   "#define A \"%s\"\n#include A\n"};
  for (int k = 0; k < 6; ++k) {
    char* header = write_text("changed.h", k % 2 == 0 ? "#define X 1\n" : "#define X 2\n");
    char text[512];
    const int used = snprintf(text, sizeof text, spellings[k / 2], header);
    snprintf(text + used, sizeof text - (size_t)used, "__global__ void k(int* x) { *x = X; }\n");
    gpuarr_module* module = make_module(text);
    gpuarr_raw* kernel = kernel_of(module, "k");
    gpuarr_array* x = ramp(GPUARR_I32, 1);
    gpuarr_arg arg = gpuarr_arg_array(x);
    launch(kernel, 1, 1, &arg, 1);
    assert_values(x, 1, (double[]){k % 2 + 1});
    gpuarr_array_release(x);
    gpuarr_raw_release(kernel);
    gpuarr_module_release(module);
    unlink(header);
    free(header);
  }
}

/* The assembler brings it in, of which the compiler knows nothing. */
static void a_changed_binary_is_seen(void** state) {
  (void)state;
  if (!test_device_is_host()) skip();
  for (int k = 0; k < 2; ++k) {
    char* file = write_text("blob.txt", k == 0 ? "a" : "b");
    char preamble[512];
    snprintf(preamble, sizeof preamble,
             "asm(\".pushsection .rodata; blob: .inc\" \"bin \\\"%s\\\"; .popsection\");\n"
             "extern \"C\" __attribute__((visibility(\"hidden\"))) const char blob[];\n",
             file);
    gpuarr_kernel_options* options = NULL;
    gpuarr_elementwise* kernel = NULL;
    gpuarr_array* z = ramp(GPUARR_I32, 1);
    assert_ok(gpuarr_kernel_options_create(&options));
    assert_ok(gpuarr_kernel_options_set_preamble(options, preamble));
    assert_ok(gpuarr_elementwise_create(&kernel, "", "int32 z", "z = blob[0]", options));
    assert_ok(gpuarr_elementwise_call(kernel, &z, 1, NULL, 0, -1, NULL));
    assert_values(z, 1, (double[]){k == 0 ? 'a' : 'b'});
    gpuarr_array_release(z);
    gpuarr_elementwise_release(kernel);
    gpuarr_kernel_options_release(options);
    unlink(file);
    free(file);
  }
}

static void a_files_name_may_have_quotes(void** state) {
  (void)state;
  gpuarr_kernel_options* options = NULL;
  gpuarr_module* module = NULL;
  char* path = write_text("a \"b\".cu", "__global__ void k(int* x) {\n  *x = ONE + missing;\n}\n");
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_preamble(options, "#define ONE 1"));
  assert_ok(gpuarr_module_open(&module, path, options));
  assert_status(gpuarr_module_build(module, device), GPUARR_ERR_COMPILE);
  assert_message_has("missing");
  if (test_device_is_host()) assert_message_has("a \"b\".cu, line 2: ");
  gpuarr_module_release(module);
  gpuarr_kernel_options_release(options);
  unlink(path);
  free(path);
}

static void files_that_are_none(void** state) {
  (void)state;
  gpuarr_module* module = NULL;
  assert_status(gpuarr_module_open(&module, "/nowhere/kernel.cu", NULL), GPUARR_ERR_IO);
  assert_message_has("/nowhere/kernel.cu");
  assert_status(gpuarr_module_open(&module, "/", NULL), GPUARR_ERR_IO);
  assert_status(gpuarr_module_open(&module, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_module_load(&module, NULL, 4), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_module_load(&module, "ptx", 0), GPUARR_ERR_ARGUMENT);
  assert_status(gpuarr_module_load(&module,
                                   "\x7f"
                                   "ELF\2\1\1",
                                   7),
                GPUARR_ERR_FORMAT);
  assert_status(gpuarr_module_load(&module, "nonsense", 8), GPUARR_ERR_FORMAT);
  char* path = write_text("cut.cubin",
                          "\x7f"
                          "ELF\2\1\1");
  assert_status(gpuarr_module_open(&module, path, NULL), GPUARR_ERR_FORMAT);
  assert_message_has("cut.cubin: the cubin of 7 bytes is cut short; give it whole");
  unlink(path);
  free(path);
  gpuarr_kernel_options* options = NULL;
  path = write_text("bare.ptx", ".version 8.0\n.target sm_80\n.address_size 64\n");
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_add(options, "-DN=4"));
  assert_status(gpuarr_module_open(&module, path, options), GPUARR_ERR_ARGUMENT);
  assert_message_has("is compiled already");
  assert_null(module);
  gpuarr_kernel_options_release(options);
  unlink(path);
  free(path);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_includes_what_lies_beside_it),
      cmocka_unit_test(a_changed_header_is_seen),
      cmocka_unit_test(a_changed_binary_is_seen),
      cmocka_unit_test(a_files_name_may_have_quotes),
      cmocka_unit_test(files_that_are_none),
  };
  return run_suite(tests);
}
