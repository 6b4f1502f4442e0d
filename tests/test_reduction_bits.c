/* The same reduction gives the same bits: each time, in any stream, from a prepared call, on the
 * CPU with any number of threads. And how near sums of floating-point numbers come. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "arrays.h"
#include "kernels.h"
#include "nested.h"
#include "reduced.h"

static gpuarr_device* device;

static const struct reduced shapes[] = {
    {1, {(1 << 21) + 3}, 1, 0}, {1, {5003}, 1, 0},         {2, {3, 300001}, 2, 0},
    {2, {7, 65536}, 2, 0},      {2, {100, 5001}, 2, 0},    {2, {5003, 33}, 2, 0},
    {2, {4103, 257}, 2, 0},     {2, {100000, 8}, 1, 0},    {2, {1000, 1001}, 1, 0},
    {2, {4096, 64}, 1, 0},      {3, {64, 33, 128}, 5, 0},  {3, {17, 1000, 33}, 2, 0},
    {3, {17, 100, 333}, 3, 0},  {3, {300001, 2, 3}, 5, 0},
};
enum { shape_count = sizeof shapes / sizeof *shapes, kernel_count = 2 };
enum { stride = sanitized ? 10 : 1 }; /* every so many shapes are tried */

static gpuarr_array* random_floats(const struct reduced* r) {
  int64_t count = count_of(r->ndim, r->shape);
  float* values = malloc((size_t)count * sizeof(float));
  for (int64_t k = 0; k < count; ++k) values[k] = (float)random_unit();
  gpuarr_array* array = from(GPUARR_F32, r->ndim, r->shape, values);
  free(values);
  return array;
}

/* Products summed up in any order, and in the order of the elements. */
static void make_kernels(gpuarr_reduction** kernels) {
  for (int k = 0; k < kernel_count; ++k)
    kernels[k] = make_reduction(&(struct reduction_texts){.in = "T x, T y",
                                                          .out = "T z",
                                                          .map = "x * y",
                                                          .reduce = "a + b",
                                                          .post = "z = a",
                                                          .identity = "0",
                                                          .ordered = k});
}

static void drop_kernels(gpuarr_reduction** kernels) {
  for (int k = 0; k < kernel_count; ++k) gpuarr_reduction_release(kernels[k]);
}

struct job {
  gpuarr_reduction* kernel;
  gpuarr_array *x, *y;
  gpuarr_arg inputs[2];
  int32_t axes[operand_axes], axis_count;
  int64_t bytes; /* of the results */
};

static struct job make_job(gpuarr_reduction* kernel, const struct reduced* r) {
  struct job j = {kernel, random_floats(r), random_floats(r), {{0}}, {0}, 0, 0};
  j.inputs[0] = gpuarr_arg_array(j.x);
  j.inputs[1] = gpuarr_arg_array(j.y);
  j.axis_count = name_axes(r, j.axes);
  j.bytes = result_count(r) * (int64_t)sizeof(float);
  return j;
}

static void drop_job(struct job* j) {
  gpuarr_array_release(j->x);
  gpuarr_array_release(j->y);
}

static gpuarr_array* run(struct job* j, gpuarr_stream* stream) {
  gpuarr_array* out = NULL;
  assert_ok(
      gpuarr_reduction_call(j->kernel, &out, 1, j->inputs, 2, j->axes, j->axis_count, 0, stream));
  return out;
}

static void* read_bits(const struct job* j, const gpuarr_array* array) {
  void* bits = malloc((size_t)j->bytes);
  assert_int_equal(gpuarr_array_size(array) * (int64_t)sizeof(float), j->bytes);
  assert_ok(gpuarr_array_read(bits, j->bytes, NULL, array, NULL));
  return bits;
}

static void assert_bits(const struct job* j, const gpuarr_array* array, const void* expected) {
  void* bits = read_bits(j, array);
  assert_memory_equal(bits, expected, (size_t)j->bytes);
  free(bits);
}

static void one_after_the_other(struct job* j, const void* expected) {
  for (int k = 0; k < 10; ++k) {
    gpuarr_array* out = run(j, NULL);
    assert_bits(j, out, expected);
    gpuarr_array_release(out);
  }
}

/* Under way in several streams at the same time. */
static void at_once(struct job* j, gpuarr_stream* const* streams, const void* expected) {
  gpuarr_array* out[12];
  assert_ok(gpuarr_device_synchronize(device));
  for (int k = 0; k < 12; ++k) out[k] = run(j, streams[k % 3]);
  assert_ok(gpuarr_device_synchronize(device));
  for (int k = 0; k < 12; ++k) {
    assert_bits(j, out[k], expected);
    gpuarr_array_release(out[k]);
  }
}

static void prepared(struct job* j, gpuarr_stream* const* streams, const void* expected) {
  gpuarr_call* call = NULL;
  gpuarr_array* out = run(j, NULL);
  assert_ok(
      gpuarr_reduction_prepare(&call, j->kernel, &out, 1, j->inputs, 2, j->axes, j->axis_count, 0));
  for (int k = 0; k < 6; ++k) {
    assert_ok(gpuarr_array_fill(out, gpuarr_arg_f32(-1), NULL));
    assert_ok(gpuarr_device_synchronize(device));
    assert_ok(gpuarr_call_launch(call, streams[k % 3]));
    assert_ok(gpuarr_call_launch(call, streams[k % 3])); /* whatever the first one left behind */
    assert_ok(gpuarr_device_synchronize(device));
    assert_bits(j, out, expected);
  }
  gpuarr_call_release(call);
  gpuarr_array_release(out);
}

static void every_time(void** state) {
  (void)state;
  gpuarr_reduction* kernels[kernel_count];
  gpuarr_stream* streams[3] = {NULL}; /* the first is the current one */
  make_kernels(kernels);
  for (int k = 1; k < 3; ++k) assert_ok(gpuarr_stream_create(&streams[k], device, 0, 0));
  for (int k = 0; k < kernel_count * shape_count; k += stride) {
    struct job j = make_job(kernels[k % kernel_count], &shapes[k / kernel_count]);
    gpuarr_array* first = run(&j, NULL);
    void* expected = read_bits(&j, first);
    one_after_the_other(&j, expected);
    at_once(&j, streams, expected);
    prepared(&j, streams, expected);
    free(expected);
    gpuarr_array_release(first);
    drop_job(&j);
  }
  for (int k = 1; k < 3; ++k) gpuarr_stream_release(streams[k]);
  drop_kernels(kernels);
}

/* Numbers of threads. */

enum { hash_count = (kernel_count * shape_count + stride - 1) / stride };

/* What a child does: writes a hash of each result's bits. */
static int write_hashes(int to) {
  gpuarr_reduction* kernels[kernel_count];
  make_kernels(kernels);
  for (int k = 0; k < kernel_count * shape_count; k += stride) {
    struct job j = make_job(kernels[k % kernel_count], &shapes[k / kernel_count]);
    gpuarr_array* out = run(&j, NULL);
    unsigned char* bits = read_bits(&j, out);
    uint64_t hash = 14695981039346656037U; /* FNV-1a */
    for (int64_t b = 0; b < j.bytes; ++b) hash = (hash ^ bits[b]) * 1099511628211U;
    if (write(to, &hash, sizeof hash) != sizeof hash) return 4;
    free(bits);
    gpuarr_array_release(out);
    drop_job(&j);
  }
  drop_kernels(kernels);
  return finish_tests(0);
}

static void hashes_with(const char* threads, uint64_t* hashes) {
  int ends[2];
  char to[16];
  assert_int_equal(pipe(ends), 0);
  (void)snprintf(to, sizeof to, "%d", ends[1]);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    close(ends[0]);
    setenv("GPUARR_NUM_THREADS", threads, 1);
    execl("/proc/self/exe", "test_reduction_bits", to, (char*)NULL);
    _exit(3);
  }
  close(ends[1]);
  char* next = (char*)hashes;
  size_t left = hash_count * sizeof *hashes;
  for (ssize_t got; left > 0 && (got = read(ends[0], next, left)) > 0; next += got)
    left -= (size_t)got;
  close(ends[0]);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
  assert_int_equal(left, 0);
}

static void any_number_of_threads(void** state) {
  (void)state;
  if (!test_device_is_host()) skip();
  const char* const threads[] = {"1", "2", "5"};
  uint64_t first[hash_count], hashes[hash_count];
  hashes_with(threads[0], first);
  for (int t = 1; t < 3; ++t) {
    hashes_with(threads[t], hashes);
    for (int k = 0; k < hash_count; ++k)
      if (hashes[k] != first[k])
        fail_msg("shape %d, kernel %d: other bits with %s threads than with 1",
                 k * stride / kernel_count, k * stride % kernel_count, threads[t]);
  }
}

/* How near sums come. */

static void sum_up(void* results, const struct element* e) {
  double* sum = (double*)results + e->result;
  *sum = (e->j == 0 ? 0 : *sum) + e->x[0];
}

/* Numbers of [0, 1) as the dtype has them, summed up in it and as double. */
static void check_sums(gpuarr_reduction* kernel, gpuarr_dtype dtype, const struct reduced* r) {
  const double tolerance = 2e-6;
  int64_t count = count_of(r->ndim, r->shape);
  gpuarr_array *fine = random_floats(r), *x = NULL, *y = NULL;
  assert_ok(gpuarr_array_astype(&x, fine, dtype, NULL));
  struct operand exact = {NULL, x, count, 0, doubles_of(x)};
  double* sums = malloc((size_t)result_count(r) * sizeof(double));
  each_element(r, &exact, 1, sum_up, sums);
  gpuarr_arg input = gpuarr_arg_array(x);
  int32_t axes[operand_axes], axis_count = name_axes(r, axes);
  assert_ok(gpuarr_reduction_call(kernel, &y, 1, &input, 1, axes, axis_count, 0, NULL));
  double* actual = doubles_of(y);
  for (int64_t k = 0; k < result_count(r); ++k)
    if (!(fabs(actual[k] - sums[k]) <= tolerance * sums[k]))
      fail_msg("%s, axes %x of %lld elements: sum %lld is %.9g, expected %.9g",
               gpuarr_dtype_name(dtype), r->reduced, (long long)count, (long long)k, actual[k],
               sums[k]);
  free(sums);
  free(actual);
  free(exact.values);
  gpuarr_array_release(fine);
  gpuarr_array_release(x);
  gpuarr_array_release(y);
}

static void accuracy(void** state) {
  (void)state;
  gpuarr_reduction* kernel = make_reduction(&(struct reduction_texts){
      .in = "T x", .out = "float32 y", .map = "x", .reduce = "a + b", .post = "y = a"});
  const struct reduced sums[] = {
      {1, {(1 << 22) + 5}, 1, 0},    {2, {4, 1 << 20}, 2, 0}, {2, {1 << 20, 4}, 1, 0},
      {2, {1001, 1003}, 1, 0},       {2, {1001, 1003}, 3, 0}, {3, {1000, 3, 1000}, 5, 0},
      {2, {(1 << 20) + 1, 1}, 1, 0},
  };
  check_sums(kernel, GPUARR_F32, &sums[0]);
  for (int k = 1; k < 7; k += stride) {
    check_sums(kernel, GPUARR_F32, &sums[k]);
    check_sums(kernel, k % 2 ? GPUARR_F16 : GPUARR_BF16, &sums[k]);
  }
  gpuarr_reduction_release(kernel);
}

int main(int argc, char** argv) {
  device = open_test_device();
  if (argc > 1) return write_hashes(atoi(argv[1]));
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_time),
      cmocka_unit_test(any_number_of_threads),
      cmocka_unit_test(accuracy),
  };
  return run_suite(tests);
}
