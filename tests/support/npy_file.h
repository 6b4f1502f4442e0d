/* A folder for .npy files, and files written by hand. Included by one source per program. */
#ifndef GPUARR_TEST_NPY_FILE_H
#define GPUARR_TEST_NPY_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support.h"

static char folder[64];
static char path[128]; /* the file under test */

static inline void write_file(const void* bytes, size_t count) {
  FILE* file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, count, file), count);
  assert_int_equal(fclose(file), 0);
}

/* A version 1.0 file with this dictionary and `data_bytes` bytes 0, 1, 2, ... of data. */
static inline void write_npy(const char* dictionary, size_t data_bytes) {
  unsigned char bytes[4096] = "\x93NUMPY\x01";
  size_t length = strlen(dictionary);
  bytes[8] = (unsigned char)(length & 0xff);
  bytes[9] = (unsigned char)(length >> 8);
  memcpy(bytes + 10, dictionary, length);
  for (size_t i = 0; i < data_bytes; ++i) bytes[10 + length + i] = (unsigned char)i;
  write_file(bytes, 10 + length + data_bytes);
}

static const char header_of_6_shorts[] =
    "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3), }";

static inline int make_folder(void** state) {
  (void)state;
  const char* parent = getenv("TMPDIR");
  if (parent == NULL || strlen(parent) > 30) parent = "/tmp";
  snprintf(folder, sizeof folder, "%s/gpuarr-test-XXXXXX", parent);
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.npy", folder);
  return 0;
}

static inline int remove_folder(void** state) {
  (void)state;
  unlink(path);
  assert_int_equal(rmdir(folder), 0); /* nothing else was left */
  return 0;
}

#define in_folder(name) cmocka_unit_test_setup_teardown(name, make_folder, remove_folder)

#endif
