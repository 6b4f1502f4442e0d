// cuComplex.h on the host.
#pragma once

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// A quotient is scaled by the divisor's size, as a modulus is: no square overflows.
#define GPUARR_COMPLEX_FUNCTIONS(T, Z, s, make)                                           \
  inline T cuCreal##s(Z z) { return z.x; }                                                \
  inline T cuCimag##s(Z z) { return z.y; }                                                \
  inline Z make(T re, T im) { return {re, im}; }                                          \
  inline Z cuConj##s(Z z) { return {z.x, -z.y}; }                                         \
  inline Z cuCadd##s(Z a, Z b) { return {a.x + b.x, a.y + b.y}; }                         \
  inline Z cuCsub##s(Z a, Z b) { return {a.x - b.x, a.y - b.y}; }                         \
  inline Z cuCmul##s(Z a, Z b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
  inline Z cuCdiv##s(Z a, Z b) {                                                          \
    const T scale = 1 / (fabs(b.x) + fabs(b.y));                                          \
    const Z p = {a.x * scale, a.y * scale}, q = {b.x * scale, b.y * scale};               \
    const T inverse = 1 / (q.x * q.x + q.y * q.y);                                        \
    return {(p.x * q.x + p.y * q.y) * inverse, (p.y * q.x - p.x * q.y) * inverse};        \
  }                                                                                       \
  inline T cuCabs##s(Z z) { return hypot(z.x, z.y); }                                     \
  inline Z cuCfma##s(Z a, Z b, Z c) {                                                     \
    return {a.x * b.x - a.y * b.y + c.x, a.x * b.y + a.y * b.x + c.y};                    \
  }
GPUARR_COMPLEX_FUNCTIONS(float, cuFloatComplex, f, make_cuFloatComplex)
GPUARR_COMPLEX_FUNCTIONS(double, cuDoubleComplex, , make_cuDoubleComplex)
#undef GPUARR_COMPLEX_FUNCTIONS

inline cuComplex make_cuComplex(float re, float im) { return {re, im}; }
inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return {(float)z.x, (float)z.y}; }
