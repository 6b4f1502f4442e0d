/* Sums, differences, products and quotients of float16 are those of float32, rounded: on a GPU of
 * all pairs of numbers, on the CPU of a part. Exponentials are, but for a few that lie between two
 * numbers. */
#include <stdio.h>

#include "support.h"

/* A row or a column of numbers by their bits. */
static gpuarr_array* patterns(int64_t count, int64_t first, int32_t axis) {
  static uint16_t bits[65536];
  for (int64_t k = 0; k < count; ++k) bits[k] = (uint16_t)(first + k);
  const int64_t shape[] = {axis == 0 ? count : 1, axis == 0 ? 1 : count};
  gpuarr_array* out;
  assert_ok(gpuarr_array_from_host(&out, open_test_device(), GPUARR_F16, 2, shape, NULL, bits,
                                   sizeof *bits * (size_t)count, NULL));
  return out;
}

/* What counts where z is not x OPERATOR y. */
static gpuarr_reduction* counting(char operator) {
  gpuarr_kernel_options* options;
  gpuarr_reduction* kernel;
  char preamble[400];
  snprintf(preamble, sizeof preamble,
           "template <class T> static inline long long differs(const T x, const T y, const T z) {\n"
           "  const float got = (float)z, wanted = (float)(T)((float)x %c (float)y);\n"
           "  const bool same = got == wanted && signbit(got) == signbit(wanted);\n"
           "  return !same && !(got != got && wanted != wanted);\n"
           "}\n",
           operator);
  assert_ok(gpuarr_kernel_options_create(&options));
  assert_ok(gpuarr_kernel_options_set_preamble(options, preamble));
  assert_ok(gpuarr_reduction_create(&kernel, "T x, T y, T z", "int64 count", "differs(x, y, z)",
                                    "a + b", "", "0", options));
  gpuarr_kernel_options_release(options);
  return kernel;
}

typedef gpuarr_status operation(gpuarr_array**, gpuarr_arg, gpuarr_arg, gpuarr_stream*);

static void compare(operation* computed, char operator) {
  gpuarr_reduction* kernel = counting(operator);
  const int64_t all = 65536, chunk = test_device_is_host() ? 64 : 2048,
                end = test_device_is_host() ? chunk : all;
  const int64_t start = test_device_is_host() ? random_between(0, all - chunk) : 0;
  gpuarr_array* x = patterns(all, 0, 1);
  for (int64_t first = start; first < start + end; first += chunk) {
    gpuarr_array *y = patterns(chunk, first, 0), *z = NULL, *count = NULL;
    assert_ok(computed(&z, gpuarr_arg_array(x), gpuarr_arg_array(y), NULL));
    assert_int_equal(gpuarr_array_dtype(z), GPUARR_F16);
    const gpuarr_arg inputs[] = {gpuarr_arg_array(x), gpuarr_arg_array(y), gpuarr_arg_array(z)};
    assert_ok(gpuarr_reduction_call(kernel, &count, 1, inputs, 3, NULL, GPUARR_ALL_AXES, 0, NULL));
    int64_t different;
    assert_ok(gpuarr_array_read(&different, sizeof different, NULL, count, NULL));
    assert_int_equal(different, 0);
    gpuarr_array_release(count);
    gpuarr_array_release(z);
    gpuarr_array_release(y);
  }
  gpuarr_array_release(x);
  gpuarr_reduction_release(kernel);
}

static void are_those_of_float32(void** state) {
  (void)state;
  compare(gpuarr_add, '+');
  compare(gpuarr_subtract, '-');
  compare(gpuarr_multiply, '*');
  compare(gpuarr_divide, '/');
}

static void read_bits(uint16_t bits[65536], const gpuarr_array* x) {
  assert_ok(gpuarr_array_read(bits, sizeof *bits * 65536, NULL, x, NULL));
}

static void exponentials_are_nearly(void** state) {
  (void)state;
  static uint16_t got[65536], wanted[65536];
  gpuarr_array *x = patterns(65536, 0, 0), *e = NULL, *wide = NULL, *exact = NULL, *rounded = NULL;
  assert_ok(gpuarr_exp(&e, x, NULL));
  assert_int_equal(gpuarr_array_dtype(e), GPUARR_F16);
  assert_ok(gpuarr_array_astype(&wide, x, GPUARR_F32, NULL));
  assert_ok(gpuarr_exp(&exact, wide, NULL));
  assert_ok(gpuarr_array_astype(&rounded, exact, GPUARR_F16, NULL));
  read_bits(got, e);
  read_bits(wanted, rounded);
  int different = 0;
  for (int k = 0; k < 65536; ++k) {
    const int is_nan = (wanted[k] & 0x7fff) > 0x7c00;
    if (is_nan) assert_true((got[k] & 0x7fff) > 0x7c00);
    if (is_nan || got[k] == wanted[k]) continue;
    assert_true(got[k] == wanted[k] + 1 || got[k] == wanted[k] - 1);
    ++different;
  }
  print_message("%d exponentials of 65536 are rounded the other way\n", different);
  assert_true(different < 100);
  gpuarr_array* const all[] = {x, e, wide, exact, rounded};
  for (size_t k = 0; k < sizeof all / sizeof *all; ++k) gpuarr_array_release(all[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(are_those_of_float32),
                                     cmocka_unit_test(exponentials_are_nearly)};
  return run_suite(tests);
}
