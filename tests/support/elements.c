/* See elements.h. */
#include "elements.h"

#include <math.h>
#include <string.h>

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Between normal numbers that both types have, the exponents differ by 127 - 15. */
static uint16_t half_of(float value) {
  if (value == 0) return 0;
  uint32_t bits = bits_of(value);
  return (uint16_t)((bits >> 16 & 0x8000) | (((bits & 0x7fffffff) >> 13) - (112 << 10)));
}

static float float_of_half(uint16_t half) {
  if ((half & 0x7fff) == 0) return 0;
  if ((half & 0x7fff) == 0x7c00) return half & 0x8000 ? -INFINITY : INFINITY;
  return float_of((half & 0x8000U) << 16 | (((half & 0x7fffU) + (112 << 10)) << 13));
}

void put_element(void* data, gpuarr_dtype dtype, int64_t k, double value) {
  int64_t whole = (int64_t)value;
  switch (dtype) {
    case GPUARR_F16:
      ((uint16_t*)data)[k] = half_of((float)value);
      return;
    case GPUARR_BF16:
      ((uint16_t*)data)[k] = (uint16_t)(bits_of((float)value) >> 16);
      return;
    case GPUARR_F32:
      ((float*)data)[k] = (float)value;
      return;
    case GPUARR_F64:
      ((double*)data)[k] = value;
      return;
    case GPUARR_C64:
      ((float*)data)[2 * k] = (float)value;
      ((float*)data)[2 * k + 1] = (float)(2 * value);
      return;
    case GPUARR_C128:
      ((double*)data)[2 * k] = value;
      ((double*)data)[2 * k + 1] = 2 * value;
      return;
    case GPUARR_BOOL:
      ((uint8_t*)data)[k] = whole != 0;
      return;
    default: /* the low bytes of a little-endian integer */
      memcpy((char*)data + k * gpuarr_dtype_size(dtype), &whole, (size_t)gpuarr_dtype_size(dtype));
  }
}

static double get_integer(const void* data, gpuarr_dtype dtype, int64_t k) {
  switch (dtype) {
    case GPUARR_I8:
      return ((const int8_t*)data)[k];
    case GPUARR_I16:
      return ((const int16_t*)data)[k];
    case GPUARR_I32:
      return ((const int32_t*)data)[k];
    case GPUARR_I64:
      return (double)((const int64_t*)data)[k];
    case GPUARR_U16:
      return ((const uint16_t*)data)[k];
    case GPUARR_U32:
      return ((const uint32_t*)data)[k];
    case GPUARR_U64:
      return (double)((const uint64_t*)data)[k];
    default: /* also bool */
      return ((const uint8_t*)data)[k];
  }
}

double get_element(const void* data, gpuarr_dtype dtype, int64_t k) {
  const float* f = data;
  const double* d = data;
  switch (dtype) {
    case GPUARR_F16:
      return float_of_half(((const uint16_t*)data)[k]);
    case GPUARR_BF16:
      return float_of((uint32_t)((const uint16_t*)data)[k] << 16);
    case GPUARR_F32:
      return f[k];
    case GPUARR_F64:
      return d[k];
    case GPUARR_C64:
      return f[2 * k + 1] == 2 * f[2 * k] ? (double)f[2 * k] : NAN;
    case GPUARR_C128:
      return d[2 * k + 1] == 2 * d[2 * k] ? d[2 * k] : NAN;
    default:
      return get_integer(data, dtype, k);
  }
}

/* To the nearest number that has so many digits, an even one between two. */
static double rounded(double value, int digits) {
  int exponent;
  frexp(value, &exponent);
  double unit = ldexp(1, exponent - digits);
  return nearbyint(value / unit) * unit;
}

double wrapped(gpuarr_dtype dtype, double value) {
  const double largest_half = 65504;
  if (dtype == GPUARR_BF16) return rounded(value, 8);
  if (dtype == GPUARR_F16) value = rounded(value, 11);
  if (dtype == GPUARR_F16 && fabs(value) > largest_half) return copysign(INFINITY, value);
  if (dtype >= GPUARR_F16) return value;
  uint64_t bytes = 0;
  put_element(&bytes, dtype, 0, value);
  return get_element(&bytes, dtype, 0);
}
