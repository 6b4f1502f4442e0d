/* gpuarr/arg.h: arguments by value. */
#include <math.h>
#include <string.h>

#include "support.h"

static void check_arg(gpuarr_arg arg, gpuarr_dtype dtype, const void* value) {
  unsigned char expected[16] = {0};
  memcpy(expected, value, (size_t)gpuarr_dtype_size(dtype));
  assert_null(arg.array);
  assert_int_equal(arg.dtype, dtype);
  assert_int_equal(arg.flags, 0);
  assert_memory_equal(arg.value, expected, 16);
}

static void check_bits(gpuarr_arg arg, gpuarr_dtype dtype, uint16_t bits) {
  check_arg(arg, dtype, &bits);
}

static void layout_is_frozen(void** state) {
  (void)state;
  assert_int_equal(sizeof(gpuarr_arg), 32);
  assert_int_equal(offsetof(gpuarr_arg, array), 0);
  assert_int_equal(offsetof(gpuarr_arg, dtype), 8);
  assert_int_equal(offsetof(gpuarr_arg, flags), 12);
  assert_int_equal(offsetof(gpuarr_arg, value), 16);
}

static void integers_keep_their_value(void** state) {
  (void)state;
  int8_t i8 = INT8_MIN;
  int16_t i16 = INT16_MIN;
  int32_t i32 = INT32_MIN;
  int64_t i64 = INT64_MIN;
  uint8_t u8 = UINT8_MAX;
  uint16_t u16 = UINT16_MAX;
  uint32_t u32 = UINT32_MAX;
  uint64_t u64 = UINT64_MAX;
  check_arg(gpuarr_arg_i8(i8), GPUARR_I8, &i8);
  check_arg(gpuarr_arg_i16(i16), GPUARR_I16, &i16);
  check_arg(gpuarr_arg_i32(i32), GPUARR_I32, &i32);
  check_arg(gpuarr_arg_i64(i64), GPUARR_I64, &i64);
  check_arg(gpuarr_arg_u8(u8), GPUARR_U8, &u8);
  check_arg(gpuarr_arg_u16(u16), GPUARR_U16, &u16);
  check_arg(gpuarr_arg_u32(u32), GPUARR_U32, &u32);
  check_arg(gpuarr_arg_u64(u64), GPUARR_U64, &u64);
}

static void bools_are_0_or_1(void** state) {
  (void)state;
  uint8_t no = 0;
  uint8_t yes = 1;
  check_arg(gpuarr_arg_bool(0), GPUARR_BOOL, &no);
  check_arg(gpuarr_arg_bool(1), GPUARR_BOOL, &yes);
  check_arg(gpuarr_arg_bool(-256), GPUARR_BOOL, &yes);
}

static void floats_keep_their_value(void** state) {
  (void)state;
  float f32 = 0.1F;
  double f64 = -0.1;
  float c64[] = {1.5F, -2.5F};
  double c128[] = {0.1, -0.0};
  check_arg(gpuarr_arg_f32(f32), GPUARR_F32, &f32);
  check_arg(gpuarr_arg_f64(f64), GPUARR_F64, &f64);
  check_arg(gpuarr_arg_c64(c64[0], c64[1]), GPUARR_C64, c64);
  check_arg(gpuarr_arg_c128(c128[0], c128[1]), GPUARR_C128, c128);
}

static void float16_rounds_to_nearest_even(void** state) {
  (void)state;
  const struct {
    float value;
    uint16_t bits;
  } cases[] = {
      {0.0F, 0x0000},         {-0.0F, 0x8000},        {1.0F, 0x3c00},     {-2.0F, 0xc000},
      {65504.0F, 0x7bff},     {65519.0F, 0x7bff},     {65520.0F, 0x7c00}, {-1e30F, 0xfc00},
      {INFINITY, 0x7c00},     {2049.0F, 0x6800},      {2051.0F, 0x6802},  {1.0F / 3, 0x3555},
      {0x1p-14F, 0x0400},     {0x1p-24F, 0x0001},     {0x1p-25F, 0x0000}, {0x1.8p-25F, 0x0001},
      {0x1.ff8p-15F, 0x03ff}, {0x1.ffcp-15F, 0x0400},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    check_bits(gpuarr_arg_f16(cases[i].value), GPUARR_F16, cases[i].bits);
  uint16_t nan = 0;
  gpuarr_arg arg = gpuarr_arg_f16(NAN);
  memcpy(&nan, arg.value, 2);
  assert_true((nan & 0x7fff) > 0x7c00);
}

static void bfloat16_rounds_to_nearest_even(void** state) {
  (void)state;
  const struct {
    float value;
    uint16_t bits;
  } cases[] = {
      {0.0F, 0x0000},      {-0.0F, 0x8000},     {1.0F, 0x3f80},          {-2.0F, 0xc000},
      {257.0F, 0x4380},    {259.0F, 0x4382},    {3.4028235e38F, 0x7f80}, {0x1.fep127F, 0x7f7f},
      {INFINITY, 0x7f80},  {0x1p-133F, 0x0001}, {0x1p-134F, 0x0000},     {0x1.8p-134F, 0x0001},
      {0x1p-126F, 0x0080}, {1.0F / 3, 0x3eab},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    check_bits(gpuarr_arg_bf16(cases[i].value), GPUARR_BF16, cases[i].bits);
  uint16_t nan = 0;
  gpuarr_arg arg = gpuarr_arg_bf16(NAN);
  memcpy(&nan, arg.value, 2);
  assert_true((nan & 0x7fff) > 0x7f80);
}

static void an_array_is_borrowed(void** state) {
  (void)state;
  gpuarr_device* device = open_test_device();
  gpuarr_array* array = NULL;
  assert_ok(gpuarr_array_empty(&array, device, GPUARR_F32, 0, NULL, GPUARR_ORDER_C, NULL));
  gpuarr_arg arg = gpuarr_arg_array(array);
  unsigned char zeros[16] = {0};
  assert_ptr_equal(arg.array, array);
  assert_int_equal(arg.dtype, 0);
  assert_memory_equal(arg.value, zeros, 16);
  gpuarr_array_release(array);
  assert_null(gpuarr_arg_array(NULL).array);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layout_is_frozen),
      cmocka_unit_test(integers_keep_their_value),
      cmocka_unit_test(bools_are_0_or_1),
      cmocka_unit_test(floats_keep_their_value),
      cmocka_unit_test(float16_rounds_to_nearest_even),
      cmocka_unit_test(bfloat16_rounds_to_nearest_even),
      cmocka_unit_test(an_array_is_borrowed),
  };
  return run_suite(tests);
}
