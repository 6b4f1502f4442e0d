/* gpuarr/npy.h: what is loaded and saved, and what a failed save leaves. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "npy_file.h"

static gpuarr_device* device;
static gpuarr_array* array;

static int entries(const char* name) {
  DIR* directory = opendir(name);
  assert_non_null(directory);
  int count = 0;
  while (readdir(directory) != NULL) ++count;
  closedir(directory);
  return count - 2;
}

static gpuarr_status load(void) {
  array = (gpuarr_array*)(uintptr_t)8;
  return gpuarr_npy_load(&array, device, path, NULL);
}

static void check_six_shorts(void) {
  int16_t values[6] = {0};
  int16_t expected[] = {0x0100, 0x0302, 0x0504, 0x0706, 0x0908, 0x0b0a};
  assert_ok(load());
  assert_int_equal(gpuarr_array_dtype(array), GPUARR_I16);
  assert_int_equal(gpuarr_array_ndim(array), 2);
  assert_int_equal(gpuarr_array_shape(array)[0], 2);
  assert_int_equal(gpuarr_array_shape(array)[1], 3);
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, array, NULL));
  assert_memory_equal(values, expected, sizeof values);
  gpuarr_array_release(array);
}

static void headers_may_be_written_in_many_ways(void** state) {
  (void)state;
  const char* dictionaries[] = {
      header_of_6_shorts,
      "{'descr': '<i2', 'fortran_order': False, 'shape': (2, 3)}",
      "{'shape':(2,3),'fortran_order':False,'descr':'<i2'}",
      " \t{ \"shape\" : ( 2 , 3 , ) ,\n\"descr\":\"<i2\" , 'fortran_order' : False , } \n\n",
      "{'descr': '=i2', 'fortran_order': False, 'shape': (2, 3), }",
      "{'descr': 'i2', 'fortran_order': False, 'shape': (2, 3), }",
  };
  for (size_t i = 0; i < sizeof dictionaries / sizeof *dictionaries; ++i) {
    write_npy(dictionaries[i], 12);
    check_six_shorts();
  }
  write_npy(header_of_6_shorts, 500); /* NumPy reads no further than the data, too */
  check_six_shorts();
}

static void later_versions_have_longer_headers(void** state) {
  (void)state;
  for (unsigned char version = 2; version <= 3; ++version) {
    unsigned char bytes[256] = "\x93NUMPY";
    size_t length = strlen(header_of_6_shorts);
    bytes[6] = version;
    bytes[8] = (unsigned char)length;
    memcpy(bytes + 12, header_of_6_shorts, length);
    for (unsigned char i = 0; i < 12; ++i) bytes[12 + length + i] = i;
    write_file(bytes, 12 + length + 12);
    check_six_shorts();
  }
}

static void byte_orders_and_bools_become_ours(void** state) {
  (void)state;
  uint32_t values[2] = {0};
  write_npy("{'descr': '>u4', 'fortran_order': True, 'shape': (2,), }", 8);
  assert_ok(load());
  assert_ok(gpuarr_array_read(values, sizeof values, NULL, array, NULL));
  assert_true(values[0] == 0x00010203 && values[1] == 0x04050607);
  gpuarr_array_release(array);
  unsigned char truths[4] = {9, 9, 9, 9};
  write_npy("{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }", 4);
  assert_ok(load());
  assert_ok(gpuarr_array_read(truths, sizeof truths, NULL, array, NULL));
  assert_memory_equal(truths, ((unsigned char[]){0, 1, 1, 1}), 4);
  gpuarr_array_release(array);
}

static void round_trips_keep_everything(void** state) {
  (void)state;
  for (gpuarr_dtype dtype = GPUARR_BOOL; dtype <= GPUARR_C128; ++dtype)
    for (int32_t order = GPUARR_ORDER_C; order <= GPUARR_ORDER_F; ++order) {
      if (dtype == GPUARR_BF16) continue;
      int64_t shape[] = {random_between(0, 5), random_between(2, 5), random_between(2, 5)};
      int64_t size = shape[0] * shape[1] * shape[2] * gpuarr_dtype_size(dtype);
      unsigned char before[2000];
      unsigned char after[2000];
      gpuarr_array* saved = NULL;
      for (int64_t i = 0; i < size; ++i)
        before[i] = (unsigned char)(random_bits() & (dtype == GPUARR_BOOL ? 1 : 255));
      assert_ok(gpuarr_array_empty(&saved, device, dtype, 3, shape, order, NULL));
      assert_ok(gpuarr_array_write(saved, NULL, before, sizeof before, NULL));
      assert_ok(gpuarr_npy_save(path, saved, NULL));
      assert_ok(load());
      assert_int_equal(gpuarr_array_dtype(array), dtype);
      assert_int_equal(gpuarr_array_is_contiguous(array, order), 1);
      assert_memory_equal(gpuarr_array_shape(array), shape, sizeof shape);
      assert_ok(gpuarr_array_read(after, sizeof after, NULL, array, NULL));
      assert_memory_equal(after, before, (size_t)size);
      gpuarr_array_release(saved);
      gpuarr_array_release(array);
    }
}

/* More than one piece on its way to or from a GPU, and a view that must be copied first. */
static void large_views_are_saved_in_c_order(void** state) {
  (void)state;
  enum { ROWS = 1500, COLUMNS = 2000 };
  int64_t shape[] = {ROWS, COLUMNS};
  int64_t half[] = {ROWS, COLUMNS / 2};
  gpuarr_array* whole = NULL;
  gpuarr_array* view = NULL;
  double* values = malloc(sizeof *values * ROWS * COLUMNS);
  for (int64_t i = 0; i < ROWS * COLUMNS; ++i) values[i] = (double)i;
  assert_ok(gpuarr_array_from_host(&whole, device, GPUARR_F64, 2, shape, NULL, values,
                                   sizeof *values * ROWS * COLUMNS, NULL));
  assert_ok(gpuarr_array_slice(&view, whole, 1, GPUARR_NONE, GPUARR_NONE, -2));
  assert_ok(gpuarr_npy_save(path, view, NULL));
  assert_ok(load());
  assert_memory_equal(gpuarr_array_shape(array), half, sizeof half);
  assert_int_equal(gpuarr_array_is_contiguous(array, GPUARR_ORDER_C), 1);
  assert_ok(gpuarr_array_read(values, sizeof *values * ROWS * COLUMNS, NULL, array, NULL));
  for (int64_t i = 0; i < ROWS; ++i)
    for (int64_t j = 0; j < COLUMNS / 2; ++j)
      assert_true(values[i * COLUMNS / 2 + j] == (double)(i * COLUMNS + COLUMNS - 1 - 2 * j));
  free(values);
  gpuarr_array_release(array);
  gpuarr_array_release(view);
  gpuarr_array_release(whole);
}

/* ---- saving ---- */

static gpuarr_array* ones(gpuarr_dtype dtype, int64_t size) {
  gpuarr_array* out = NULL;
  assert_ok(gpuarr_array_ones(&out, device, dtype, 1, &size, GPUARR_ORDER_C, NULL));
  return out;
}

static void check_size(int64_t size) {
  assert_ok(load());
  assert_int_equal(gpuarr_array_size(array), size);
  gpuarr_array_release(array);
}

static void a_failed_save_leaves_the_old_file(void** state) {
  (void)state;
  gpuarr_array* small = ones(GPUARR_F32, 5);
  gpuarr_array* large = ones(GPUARR_F32, 1 << 20);
  assert_ok(gpuarr_npy_save(path, small, NULL));
  struct rlimit old;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
  struct rlimit tight = {1 << 16, old.rlim_max};
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &tight), 0);
  gpuarr_status status = gpuarr_npy_save(path, large, NULL);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
  assert_status(status, GPUARR_ERR_IO);
  assert_message_has("gpuarr_npy_save: ");
  assert_message_has("it cannot be written: File too large");
  assert_int_equal(gpuarr_last_native_error(), EFBIG);
  assert_int_equal(entries(folder), 1);
  check_size(5);
  assert_ok(gpuarr_npy_save(path, large, NULL));
  check_size(1 << 20);
  assert_int_equal(entries(folder), 1);
  gpuarr_array_release(small);
  gpuarr_array_release(large);
}

static void saving_keeps_modes_and_links(void** state) {
  (void)state;
  gpuarr_array* five = ones(GPUARR_I8, 5);
  char link_name[160];
  struct stat status;
  mode_t mask = umask(027);
  assert_ok(gpuarr_npy_save(path, five, NULL));
  umask(mask);
  assert_int_equal(stat(path, &status), 0);
  assert_int_equal(status.st_mode & 0777, 0640);
  assert_int_equal(chmod(path, 0600), 0);
  snprintf(link_name, sizeof link_name, "%s/link", folder);
  assert_int_equal(symlink(path, link_name), 0);
  assert_ok(gpuarr_npy_save(link_name, five, NULL));
  assert_int_equal(lstat(link_name, &status), 0);
  assert_true(S_ISLNK(status.st_mode));
  assert_int_equal(stat(path, &status), 0);
  assert_int_equal(status.st_mode & 0777, 0600);
  unlink(link_name);
  gpuarr_array_release(five);
}

static void places_that_are_no_files_are_refused(void** state) {
  (void)state;
  gpuarr_array* five = ones(GPUARR_I8, 5);
  assert_status(gpuarr_npy_save(folder, five, NULL), GPUARR_ERR_IO);
  assert_message_has("it is a directory");
  assert_status(gpuarr_npy_save("/dev/null", five, NULL), GPUARR_ERR_IO);
  assert_message_has("/dev/null: it is a pipe, socket or device");
  assert_status(gpuarr_npy_save("/nonexistent/folder/x.npy", five, NULL), GPUARR_ERR_IO);
  assert_message_has("no file can be made in its directory: No such file or directory");
  assert_status(gpuarr_npy_save("", five, NULL), GPUARR_ERR_IO);
  gpuarr_array_release(five);
}

static void arguments_are_checked(void** state) {
  (void)state;
  gpuarr_array* halves = ones(GPUARR_BF16, 5);
  assert_status(gpuarr_npy_save(path, halves, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("NumPy has no bfloat16");
  assert_int_equal(entries(folder), 0);
  assert_status(gpuarr_npy_save(NULL, halves, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("path is NULL");
  assert_status(gpuarr_npy_save(path, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("array is NULL");
  assert_status(gpuarr_npy_load(NULL, device, path, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("out is NULL");
  assert_status(gpuarr_npy_load(&array, NULL, path, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("device is NULL");
  assert_status(gpuarr_npy_load(&array, device, NULL, NULL), GPUARR_ERR_ARGUMENT);
  assert_message_has("path is NULL");
  gpuarr_array_release(halves);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      in_folder(headers_may_be_written_in_many_ways),
      in_folder(later_versions_have_longer_headers),
      in_folder(byte_orders_and_bools_become_ours),
      in_folder(round_trips_keep_everything),
      in_folder(large_views_are_saved_in_c_order),
      in_folder(a_failed_save_leaves_the_old_file),
      in_folder(saving_keeps_modes_and_links),
      in_folder(places_that_are_no_files_are_refused),
      in_folder(arguments_are_checked),
  };
  return run_suite(tests);
}
