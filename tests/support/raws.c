#include "raws.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

gpuarr_module* make_module(const char* source) {
  gpuarr_module* module = NULL;
  assert_ok(gpuarr_module_create(&module, source, NULL));
  return module;
}

gpuarr_raw* kernel_of(gpuarr_module* module, const char* name) {
  gpuarr_raw* kernel = NULL;
  assert_ok(gpuarr_module_kernel(&kernel, module, name, NULL));
  return kernel;
}

gpuarr_raw* make_raw(const char* source, const char* name) {
  gpuarr_raw* kernel = NULL;
  assert_ok(gpuarr_raw_create(&kernel, source, name, NULL, NULL));
  return kernel;
}

/* The stream is given, since a launch without arrays would be on the default device. */
gpuarr_status try_launch(gpuarr_raw* kernel, int64_t blocks, int64_t threads,
                         const gpuarr_arg* args, int32_t count) {
  gpuarr_stream* stream = NULL;
  assert_ok(gpuarr_stream_current(&stream, open_test_device()));
  const int64_t grid[3] = {blocks, 1, 1}, block[3] = {threads, 1, 1};
  gpuarr_status status = gpuarr_raw_launch(kernel, grid, block, 0, args, count, stream);
  gpuarr_stream_release(stream);
  return status;
}

void launch(gpuarr_raw* kernel, int64_t blocks, int64_t threads, const gpuarr_arg* args,
            int32_t count) {
  assert_ok(try_launch(kernel, blocks, threads, args, count));
}

char* write_text(const char* name, const char* text) {
  const char* folder = getenv("TMPDIR");
  if (folder == NULL) folder = "/tmp";
  size_t size = strlen(folder) + strlen(name) + 32;
  char* path = malloc(size);
  assert_non_null(path);
  snprintf(path, size, "%s/gpuarr-test-%d-%s", folder, (int)getpid(), name);
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
  assert_int_equal(fclose(file), 0);
  return path;
}
