/* gpuarr/npy.h: files that are refused, each with its own words. */
#include <errno.h>
#include <sys/resource.h>

#include "npy_file.h"

static gpuarr_device* device;
static gpuarr_array* array;

static gpuarr_status load(void) {
  array = (gpuarr_array*)(uintptr_t)8;
  return gpuarr_npy_load(&array, device, path, NULL);
}

#define refuse(status, message)              \
  do {                                       \
    assert_status(load(), (status));         \
    assert_null(array);                      \
    assert_message_has("gpuarr_npy_load: "); \
    assert_message_has(path);                \
    assert_message_has(message);             \
  } while (0)

#define refuse_dictionary(dictionary, status, message) \
  do {                                                 \
    write_npy((dictionary), 64);                       \
    refuse((status), (message));                       \
  } while (0)

static void every_truncation_is_refused(void** state) {
  (void)state;
  size_t all = 10 + strlen(header_of_6_shorts) + 12;
  write_npy(header_of_6_shorts, 12);
  for (size_t length = 0; length < all; ++length) {
    write_npy(header_of_6_shorts, 12);
    assert_int_equal(truncate(path, (off_t)length), 0);
    refuse(GPUARR_ERR_FORMAT, length < 8          ? "it is not a .npy file: it has only"
                              : length < 10       ? "it ends before its header"
                              : length < all - 12 ? "it ends in its header"
                                                  : "it ends in its data");
  }
}

static void other_formats_are_refused(void** state) {
  (void)state;
  write_file("PK\3\4 an archive of NumPy's", 24);
  refuse(GPUARR_ERR_FORMAT, "does not begin with");
  write_file("\x93NUMPY\x04\x00\x00\x00\x00\x00", 12);
  refuse(GPUARR_ERR_FORMAT, "its format version is 4.0");
  write_file("\x93NUMPY\x01\x01\x00\x00\x00\x00", 12);
  refuse(GPUARR_ERR_FORMAT, "its format version is 1.1");
  write_file("\x93NUMPY\x02\x00\xff\xff\xff\xff", 12);
  refuse(GPUARR_ERR_FORMAT, "0 of 4294967295 bytes are there");
  write_file("\x93NUMPY\x02\x00\x00\x00\x00\x80", 12);
  assert_int_equal(truncate(path, (off_t)1 << 32), 0); /* a sparse file: the header is there */
  refuse(GPUARR_ERR_FORMAT, "its header has 2147483648 bytes; 1048576 are the limit");
}

static void malformed_dictionaries_are_refused(void** state) {
  (void)state;
  refuse_dictionary("", GPUARR_ERR_FORMAT, "expected '{' at byte 0");
  refuse_dictionary("(1, 2)", GPUARR_ERR_FORMAT, "expected '{' at byte 0, found \"(1, 2)");
  refuse_dictionary("{'descr': '<i2', 'fortran_order': False}", GPUARR_ERR_FORMAT,
                    "lacks the key \"shape\"");
  refuse_dictionary("{'descr': '<i2', 'descr': '<i2'}", GPUARR_ERR_FORMAT,
                    "has the key \"descr\" twice");
  refuse_dictionary("{'descr': '<i2', 'color': 3}", GPUARR_ERR_FORMAT, "unknown key \"color\"");
  refuse_dictionary("{'\x1b[31m': 3}", GPUARR_ERR_FORMAT, "unknown key \"?[31m\"");
  refuse_dictionary("{descr: '<i2'}", GPUARR_ERR_FORMAT, "expected a string at byte 1");
  refuse_dictionary("{'descr' '<i2'}", GPUARR_ERR_FORMAT, "expected ':'");
  refuse_dictionary("{'descr': '<i2}", GPUARR_ERR_FORMAT, "a string that ends");
  refuse_dictionary("{'descr': '\\x3ci2'}", GPUARR_ERR_FORMAT, "a string without escapes");
  refuse_dictionary("{'descr': 2}", GPUARR_ERR_FORMAT, "expected a string at byte 10");
  refuse_dictionary("{'descr': '<i2' 'shape': ()}", GPUARR_ERR_FORMAT, "expected '}'");
  refuse_dictionary("{'fortran_order': 0}", GPUARR_ERR_FORMAT, "expected True or False");
  refuse_dictionary("{'fortran_order': 'False'}", GPUARR_ERR_FORMAT, "expected True or False");
  refuse_dictionary("{'shape': 3}", GPUARR_ERR_FORMAT, "expected '('");
  refuse_dictionary("{'shape': (3)}", GPUARR_ERR_FORMAT, "expected ','");
  refuse_dictionary("{'shape': (3 4)}", GPUARR_ERR_FORMAT, "expected ','");
  refuse_dictionary("{'shape': (3L, 4L)}", GPUARR_ERR_FORMAT, "expected ','");
  refuse_dictionary("{'shape': (,)}", GPUARR_ERR_FORMAT, "expected an integer");
  refuse_dictionary("{'shape': (3, x)}", GPUARR_ERR_FORMAT, "expected an integer");
  refuse_dictionary("{'shape': (3.0,)}", GPUARR_ERR_FORMAT, "expected ','");
  refuse_dictionary("{'descr': '<i2', 'fortran_order': False, 'shape': (1,)} x", GPUARR_ERR_FORMAT,
                    "expected nothing more");
  refuse_dictionary("{'descr': '<i2', 'fortran_order': False, 'shape': (1,)", GPUARR_ERR_FORMAT,
                    "expected '}'");
}

static void dtypes_that_we_lack_are_refused(void** state) {
  (void)state;
#define OF_DTYPE(descr) "{'fortran_order': False, 'shape': (1,), 'descr': " descr "}"
  refuse_dictionary(OF_DTYPE("'|O'"), GPUARR_ERR_DTYPE, "its dtype is object");
  refuse_dictionary(OF_DTYPE("'O8'"), GPUARR_ERR_DTYPE, "its dtype is object");
  refuse_dictionary(OF_DTYPE("[('a', '<i4'), ('b', '<f8')]"), GPUARR_ERR_DTYPE, "structured");
  refuse_dictionary(OF_DTYPE("('<i4', (2,))"), GPUARR_ERR_DTYPE, "structured");
  refuse_dictionary(OF_DTYPE("'<U7'"), GPUARR_ERR_DTYPE, "its dtype is \"<U7\"");
  refuse_dictionary(OF_DTYPE("'|S3'"), GPUARR_ERR_DTYPE, "\"|S3\", which libgpuarr lacks");
  refuse_dictionary(OF_DTYPE("'<M8[ns]'"), GPUARR_ERR_DTYPE, "M8[ns]");
  refuse_dictionary(OF_DTYPE("'<V2'"), GPUARR_ERR_DTYPE, "<V2");
  refuse_dictionary(OF_DTYPE("'<f16'"), GPUARR_ERR_DTYPE, "<f16");
  refuse_dictionary(OF_DTYPE("'<c32'"), GPUARR_ERR_DTYPE, "<c32");
  refuse_dictionary(OF_DTYPE("'<i3'"), GPUARR_ERR_DTYPE, "<i3");
  refuse_dictionary(OF_DTYPE("'<i'"), GPUARR_ERR_DTYPE, "<i");
  refuse_dictionary(OF_DTYPE("''"), GPUARR_ERR_DTYPE, "\"\"");
  refuse_dictionary(OF_DTYPE("'<'"), GPUARR_ERR_DTYPE, "\"<\"");
  refuse_dictionary(OF_DTYPE("'<<i2'"), GPUARR_ERR_DTYPE, "<<i2");
}

static void shapes_that_cannot_be_are_refused(void** state) {
  (void)state;
#define OF_SHAPE(shape) "{'fortran_order': False, 'descr': '<f8', 'shape': " shape "}"
  refuse_dictionary(OF_SHAPE("(-1,)"), GPUARR_ERR_SHAPE, "shape[0] is -1");
  refuse_dictionary(OF_SHAPE("(4294967296, 4294967296)"), GPUARR_ERR_SHAPE, "2^63 - 1 bytes");
  refuse_dictionary(OF_SHAPE("(0, 9223372036854775807)"), GPUARR_ERR_SHAPE, "2^63 - 1 bytes");
  refuse_dictionary(OF_SHAPE("(9223372036854775808,)"), GPUARR_ERR_SHAPE, "beyond 2^63 - 1");
  refuse_dictionary(OF_SHAPE("(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"),
                    GPUARR_ERR_SHAPE, "more than 32 axes");
  refuse_dictionary(OF_SHAPE("(1000000000000,)"), GPUARR_ERR_FORMAT,
                    "it ends in its data: 64 of 8000000000000 bytes are there");
}

static void only_regular_files_are_read(void** state) {
  (void)state;
  char place[128];
  memcpy(place, path, sizeof place);
  snprintf(path, sizeof path, "%s/missing.npy", folder);
  refuse(GPUARR_ERR_IO, "it cannot be opened: No such file or directory");
  assert_int_equal(gpuarr_last_native_error(), ENOENT);
  snprintf(path, sizeof path, "%s", folder);
  refuse(GPUARR_ERR_IO, "it is a directory");
  snprintf(path, sizeof path, "%s/pipe", folder);
  assert_int_equal(mkfifo(path, 0600), 0);
  refuse(GPUARR_ERR_IO, "it is a pipe, socket or device");
  unlink(path);
  snprintf(path, sizeof path, "/dev/zero");
  refuse(GPUARR_ERR_IO, "it is a pipe, socket or device");
  snprintf(path, sizeof path, "%s/unreadable", folder);
  write_file("", 0);
  assert_int_equal(chmod(path, 0), 0);
  if (geteuid() != 0) refuse(GPUARR_ERR_IO, "it cannot be opened: Permission denied");
  unlink(path);
  memcpy(path, place, sizeof place);
}

/* It ended the process by a signal, and left its temporary file. */
static void files_beyond_the_limit_are_not_written(void** state) {
  (void)state;
  const int64_t size = 100000;
  assert_ok(gpuarr_array_zeros(&array, device, GPUARR_F32, 1, &size, GPUARR_ORDER_C, NULL));
  struct rlimit before;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  const struct rlimit small = {4096, before.rlim_max};
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
  const gpuarr_status status = gpuarr_npy_save(path, array, NULL);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_status(status, GPUARR_ERR_IO);
  assert_message_has(path);
  assert_message_has("it cannot be written: File too large");
  assert_int_equal(gpuarr_last_native_error(), EFBIG);
  assert_int_equal(access(path, F_OK), -1);
  gpuarr_array_release(array);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      in_folder(every_truncation_is_refused),
      in_folder(other_formats_are_refused),
      in_folder(malformed_dictionaries_are_refused),
      in_folder(dtypes_that_we_lack_are_refused),
      in_folder(shapes_that_cannot_be_are_refused),
      in_folder(only_regular_files_are_read),
      in_folder(files_beyond_the_limit_are_not_written),
  };
  return run_suite(tests);
}
