/* gpuarr_array_astype between every pair of dtypes, against C's conversions of one value. A long
 * double stands in for all real types: it holds their values exactly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { COUNT = 600 };

typedef long double number;

static gpuarr_device* device;

static int is_complex(gpuarr_dtype d) { return d == GPUARR_C64 || d == GPUARR_C128; }
static int is_float(gpuarr_dtype d) { return d >= GPUARR_F16; }
static int is_signed(gpuarr_dtype d) { return is_float(d) || (d >= GPUARR_I8 && d <= GPUARR_I64); }

static gpuarr_dtype part_of(gpuarr_dtype d) {
  if (d == GPUARR_C64) return GPUARR_F32;
  return d == GPUARR_C128 ? GPUARR_F64 : d;
}

static number decode16(uint16_t bits, int fraction_bits, int bias) {
  int exponent = (bits & 0x7fff) >> fraction_bits;
  int fraction = bits & ((1 << fraction_bits) - 1);
  number value = 0;
  if ((bits & 0x7fff) >> fraction_bits == 2 * bias + 1)
    value = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    value = ldexpl(fraction, 1 - bias - fraction_bits);
  else
    value = ldexpl(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return bits & 0x8000 ? -value : value;
}

static number decode_float(gpuarr_dtype d, const void* from) {
  uint16_t bits = 0;
  float f = 0;
  double g = 0;
  memcpy(&bits, from, 2);
  if (d == GPUARR_F16) return decode16(bits, 10, 15);
  if (d == GPUARR_BF16) return decode16(bits, 7, 127);
  if (d == GPUARR_F32) return memcpy(&f, from, 4), (number)f;
  return memcpy(&g, from, 8), (number)g;
}

static number decode(gpuarr_dtype d, const void* from) {
  if (is_float(d)) return decode_float(d, from);
  uint64_t bits = 0;
  int64_t size = gpuarr_dtype_size(d);
  memcpy(&bits, from, (size_t)size);
  if (!is_signed(d)) return (number)bits;
  int shift = (int)(64 - 8 * size);
  return (number)((int64_t)(bits << shift) >> shift);
}

/* The nearest 16-bit float, an even one of two. */
static uint16_t encode16(number value, int fraction_bits, int bias) {
  uint16_t sign = signbit(value) ? 0x8000 : 0;
  uint16_t infinity = (uint16_t)((2 * bias + 1) << fraction_bits);
  number magnitude = fabsl(value);
  uint16_t low = 0;
  uint16_t high = infinity;
  if (isinf(value)) return sign | infinity;
  while (high - low > 1) {
    uint16_t middle = (uint16_t)((low + high) / 2);
    if (decode16(middle, fraction_bits, bias) <= magnitude)
      low = middle;
    else
      high = middle;
  }
  number below = decode16(low, fraction_bits, bias);
  number step = below - decode16((uint16_t)(low == 0 ? 0 : low - 1), fraction_bits, bias);
  number above = high == infinity ? below + step : decode16(high, fraction_bits, bias);
  number down = magnitude - below;
  number up = above - magnitude;
  return sign | (down < up || (down == up && low % 2 == 0) ? low : high);
}

static void encode(gpuarr_dtype d, number value, void* to) {
  uint16_t half = 0;
  float f = (float)value;
  double g = (double)value;
  switch (d) {
    case GPUARR_BOOL:
      *(unsigned char*)to = value != 0;
      return;
    case GPUARR_F16:
    case GPUARR_BF16:
      half = d == GPUARR_F16 ? encode16(value, 10, 15) : encode16(value, 7, 127);
      memcpy(to, &half, 2);
      return;
    case GPUARR_F32:
      memcpy(to, &f, 4);
      return;
    case GPUARR_F64:
      memcpy(to, &g, 8);
      return;
    default: {
      /* Modulo 2^n, as C converts integers; floats are in range here. */
      int64_t negative = value < 0 ? (int64_t)value : 0;
      uint64_t bits = value < 0 ? (uint64_t)negative : (uint64_t)value;
      memcpy(to, &bits, (size_t)gpuarr_dtype_size(d));
    }
  }
}

/* A value of type `from` that C can convert to `to`. */
static void random_value(gpuarr_dtype from, gpuarr_dtype to, void* out) {
  static const double special[] = {
      0.0,     -0.0,    INFINITY,  -INFINITY,      65504,  65519.99,        65520,
      0x1p-24, 0x1p-25, 0x1.8p-25, 0x1.000001p-25, 1e-320, 3.4028235e38,    3.4028236e38,
      1e300,   2049,    2051,      0x1p-134,       1.5,    0x1.fffffffffp15};
  gpuarr_dtype part = part_of(from);
  if (from == GPUARR_BOOL) {
    *(unsigned char*)out = (unsigned char)random_between(0, 1);
  } else if (!is_float(from)) {
    uint64_t bits = random_between(0, 1) ? random_bits() : (uint64_t)random_between(-300, 300);
    memcpy(out, &bits, (size_t)gpuarr_dtype_size(from));
  } else {
    number value = 0;
    if (is_float(to) || to == GPUARR_BOOL) {
      value = random_between(0, 2) == 0
                  ? special[random_between(0, 19)]
                  : ldexp(random_unit() * 2 - 1, (int)random_between(-30, 20));
    } else {
      value = random_unit() * 127;
      if (is_signed(to) && random_between(0, 1)) value = -value;
    }
    encode(part, value, out);
  }
}

static void convert_value(gpuarr_dtype from, const unsigned char* source, gpuarr_dtype to,
                          unsigned char* target) {
  int64_t from_part = gpuarr_dtype_size(part_of(from));
  number real = decode(part_of(from), source);
  number imaginary = is_complex(from) ? decode(part_of(from), source + from_part) : 0;
  if (to == GPUARR_BOOL) {
    *target = real != 0 || imaginary != 0;
    return;
  }
  encode(part_of(to), real, target);
  if (is_complex(to)) encode(part_of(to), imaginary, target + gpuarr_dtype_size(part_of(to)));
}

static void check_pair(gpuarr_dtype from, gpuarr_dtype to, int strided) {
  static unsigned char source[COUNT * 16];
  static unsigned char expected[COUNT * 16];
  static unsigned char actual[COUNT * 16];
  int64_t from_size = gpuarr_dtype_size(from);
  int64_t to_size = gpuarr_dtype_size(to);
  int64_t step = strided ? 2 : 1;
  for (int64_t i = 0; i < COUNT; ++i) {
    random_value(from, to, source + i * from_size);
    if (is_complex(from))
      random_value(from, to, source + i * from_size + gpuarr_dtype_size(part_of(from)));
  }
  for (int64_t i = 0; i < COUNT / step; ++i)
    convert_value(from, source + i * step * from_size, to, expected + i * to_size);
  int64_t shape[] = {COUNT};
  gpuarr_array* array = NULL;
  gpuarr_array* view = NULL;
  gpuarr_array* converted = NULL;
  assert_ok(
      gpuarr_array_from_host(&array, device, from, 1, shape, NULL, source, sizeof source, NULL));
  assert_ok(gpuarr_array_slice(&view, array, 0, 0, GPUARR_NONE, step));
  assert_ok(gpuarr_array_astype(&converted, view, to, NULL));
  assert_int_equal(gpuarr_array_dtype(converted), to);
  assert_ok(gpuarr_array_read(actual, sizeof actual, NULL, converted, NULL));
  for (int64_t i = 0; i < COUNT / step; ++i)
    if (memcmp(actual + i * to_size, expected + i * to_size, (size_t)to_size) != 0)
      fail_msg("%s -> %s: element %d was %.20Lg, became %.20Lg, expected %.20Lg",
               gpuarr_dtype_name(from), gpuarr_dtype_name(to), (int)i,
               decode(part_of(from), source + i * step * from_size),
               decode(part_of(to), actual + i * to_size),
               decode(part_of(to), expected + i * to_size));
  gpuarr_array_release(converted);
  gpuarr_array_release(view);
  gpuarr_array_release(array);
}

static void every_pair_converts_as_in_c(void** state) {
  (void)state;
  for (gpuarr_dtype from = GPUARR_BOOL; from <= GPUARR_C128; ++from)
    for (gpuarr_dtype to = GPUARR_BOOL; to <= GPUARR_C128; ++to)
      for (int strided = 0; strided < 2; ++strided) check_pair(from, to, strided);
}

static void nan_stays_nan(void** state) {
  (void)state;
  double values[] = {NAN, 1};
  int64_t shape[] = {2};
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_from_host(&array, device, GPUARR_F64, 1, shape, NULL, values,
                                   sizeof values, NULL));
  for (gpuarr_dtype to = GPUARR_F16; to <= GPUARR_C128; ++to) {
    unsigned char bytes[32];
    gpuarr_array* converted = NULL;
    assert_ok(gpuarr_array_astype(&converted, array, to, NULL));
    assert_ok(gpuarr_array_read(bytes, sizeof bytes, NULL, converted, NULL));
    assert_true(isnan(decode(part_of(to), bytes)));
    gpuarr_array_release(converted);
  }
  gpuarr_array* truths = NULL;
  unsigned char bools[2] = {0};
  assert_ok(gpuarr_array_astype(&truths, array, GPUARR_BOOL, NULL));
  assert_ok(gpuarr_array_read(bools, sizeof bools, NULL, truths, NULL));
  assert_true(bools[0] == 1 && bools[1] == 1);
  gpuarr_array_release(truths);
  gpuarr_array_release(array);
}

static void a_wrong_dtype_is_refused(void** state) {
  (void)state;
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_zeros(&array, device, GPUARR_F32, 0, NULL, GPUARR_ORDER_C, NULL));
  gpuarr_array* converted = array;
  assert_status(gpuarr_array_astype(&converted, array, 77, NULL), GPUARR_ERR_DTYPE);
  assert_message_has("gpuarr_array_astype: dtype is 77");
  assert_null(converted);
  gpuarr_array_release(array);
}

int main(void) {
  device = open_test_device();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_pair_converts_as_in_c),
      cmocka_unit_test(nan_stays_nan),
      cmocka_unit_test(a_wrong_dtype_is_refused),
  };
  return run_suite(tests);
}
