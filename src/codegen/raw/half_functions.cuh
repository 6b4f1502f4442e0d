// CUDA's functions of a 16-bit float on the host: included by cuda_fp16.h and by cuda_bf16.h after
// half_class.cuh; GPUARR_NAME(before, after) puts the type's name between two parts of another.

// Conversions. One that goes down, up or toward zero is a step from the nearest, at most.
#define GPUARR_TOWARD(name, From, to_double, direction)                                 \
  inline GPUARR_H name(From x) {                                                        \
    return GPUARR_RAW{                                                                  \
        gpuarr_prelude::gpuarr_detail::toward<GPUARR_FORMAT>(to_double(x), direction)}; \
  }
#define GPUARR_FROM(type, From, rz, ru, rd)                           \
  inline GPUARR_H GPUARR_NAME(__##type##2, _rn)(From x) { return x; } \
  GPUARR_TOWARD(GPUARR_NAME(__##type##2, _rz), From, rz, 0)           \
  GPUARR_TOWARD(GPUARR_NAME(__##type##2, _ru), From, ru, 1)           \
  GPUARR_TOWARD(GPUARR_NAME(__##type##2, _rd), From, rd, -1)
GPUARR_FROM(float, float, , , )
GPUARR_FROM(short, short, , , )
GPUARR_FROM(ushort, unsigned short, , , )
GPUARR_FROM(int, int, , , )
GPUARR_FROM(uint, unsigned, , , )
GPUARR_FROM(ll, long long, __ll2double_rz, __ll2double_ru, __ll2double_rd)
GPUARR_FROM(ull, unsigned long long, __ull2double_rz, __ull2double_ru, __ull2double_rd)
#undef GPUARR_FROM
#undef GPUARR_TOWARD
inline GPUARR_H GPUARR_NAME(__float2, )(float x) { return x; }
inline GPUARR_H GPUARR_NAME(__double2, )(double x) { return x; }
inline float GPUARR_NAME(__, 2float)(GPUARR_H a) { return a; }
inline short GPUARR_NAME(__, _as_short)(GPUARR_H a) { return (short)a.__x; }
inline unsigned short GPUARR_NAME(__, _as_ushort)(GPUARR_H a) { return a.__x; }
inline GPUARR_H GPUARR_NAME(__short_as_, )(short bits) { return GPUARR_RAW{(unsigned short)bits}; }
inline GPUARR_H GPUARR_NAME(__ushort_as_, )(unsigned short bits) { return GPUARR_RAW{bits}; }

#define GPUARR_INTEGER(type, To)                                               \
  inline To GPUARR_NAME(__, 2##type##_rn)(GPUARR_H a) {                        \
    return gpuarr_prelude::gpuarr_detail::integer_of<To>(__builtin_rintf(a));  \
  }                                                                            \
  inline To GPUARR_NAME(__, 2##type##_rz)(GPUARR_H a) {                        \
    return gpuarr_prelude::gpuarr_detail::integer_of<To>(__builtin_truncf(a)); \
  }                                                                            \
  inline To GPUARR_NAME(__, 2##type##_ru)(GPUARR_H a) {                        \
    return gpuarr_prelude::gpuarr_detail::integer_of<To>(__builtin_ceilf(a));  \
  }                                                                            \
  inline To GPUARR_NAME(__, 2##type##_rd)(GPUARR_H a) {                        \
    return gpuarr_prelude::gpuarr_detail::integer_of<To>(__builtin_floorf(a)); \
  }
GPUARR_INTEGER(short, short)
GPUARR_INTEGER(ushort, unsigned short)
GPUARR_INTEGER(int, int)
GPUARR_INTEGER(uint, unsigned)
GPUARR_INTEGER(ll, long long)
GPUARR_INTEGER(ull, unsigned long long)
#undef GPUARR_INTEGER

// Two at a time.
inline GPUARR_H2 GPUARR_NAME(make_, 2)(GPUARR_H a, GPUARR_H b) { return {a, b}; }
inline GPUARR_H2 GPUARR_NAME(__halves2, 2)(GPUARR_H a, GPUARR_H b) { return {a, b}; }
inline GPUARR_H2 GPUARR_NAME(__float2, 2_rn)(float x) { return {x, x}; }
inline GPUARR_H2 GPUARR_NAME(__floats2, 2_rn)(float x, float y) { return {x, y}; }
inline GPUARR_H2 GPUARR_NAME(__float22, 2_rn)(float2 v) { return {v.x, v.y}; }
inline float2 GPUARR_NAME(__, 22float2)(GPUARR_H2 a) { return {a.x, a.y}; }
inline float __low2float(GPUARR_H2 a) { return a.x; }
inline float __high2float(GPUARR_H2 a) { return a.y; }
inline GPUARR_H GPUARR_NAME(__low2, )(GPUARR_H2 a) { return a.x; }
inline GPUARR_H GPUARR_NAME(__high2, )(GPUARR_H2 a) { return a.y; }
inline GPUARR_H2 GPUARR_NAME(__low2, 2)(GPUARR_H2 a) { return {a.x, a.x}; }
inline GPUARR_H2 GPUARR_NAME(__high2, 2)(GPUARR_H2 a) { return {a.y, a.y}; }
inline GPUARR_H2 GPUARR_NAME(__lows2, 2)(GPUARR_H2 a, GPUARR_H2 b) { return {a.x, b.x}; }
inline GPUARR_H2 GPUARR_NAME(__highs2, 2)(GPUARR_H2 a, GPUARR_H2 b) { return {a.y, b.y}; }
inline GPUARR_H2 __lowhigh2highlow(GPUARR_H2 a) { return {a.y, a.x}; }

inline bool __hisnan(GPUARR_H a) { return (float)a != (float)a; }
inline int __hisinf(GPUARR_H a) { return __builtin_isinf((float)a) ? ((float)a > 0 ? 1 : -1) : 0; }
inline GPUARR_H2 __hisnan2(GPUARR_H2 a) { return {__hisnan(a.x), __hisnan(a.y)}; }
#define GPUARR_CHOICE(name, expression)                               \
  inline GPUARR_H name(GPUARR_H a, GPUARR_H b) { return expression; } \
  inline GPUARR_H2 name##2(GPUARR_H2 a, GPUARR_H2 b) { return {name(a.x, b.x), name(a.y, b.y)}; }
GPUARR_CHOICE(__hmax, fmaxf(a, b))  // of a number and a NaN, the number
GPUARR_CHOICE(__hmin, fminf(a, b))
#undef GPUARR_CHOICE
inline GPUARR_H __hmax_nan(GPUARR_H a, GPUARR_H b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b);
}
inline GPUARR_H __hmin_nan(GPUARR_H a, GPUARR_H b) {
  return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b);
}
inline GPUARR_H2 __hmax2_nan(GPUARR_H2 a, GPUARR_H2 b) {
  return {__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)};
}
inline GPUARR_H2 __hmin2_nan(GPUARR_H2 a, GPUARR_H2 b) {
  return {__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)};
}
// A product of complex numbers, added to a third.
inline GPUARR_H2 __hcmadd(GPUARR_H2 a, GPUARR_H2 b, GPUARR_H2 c) {
  return {__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))};
}

#define GPUARR_FUNCTION(name, function)                              \
  inline GPUARR_H h##name(GPUARR_H a) { return function((float)a); } \
  inline GPUARR_H2 h2##name(GPUARR_H2 a) { return {h##name(a.x), h##name(a.y)}; }
GPUARR_FUNCTION(sqrt, sqrtf)
GPUARR_FUNCTION(rsqrt, rsqrtf)
GPUARR_FUNCTION(rcp, 1 /)
GPUARR_FUNCTION(exp, expf)
GPUARR_FUNCTION(exp2, exp2f)
GPUARR_FUNCTION(exp10, exp10f)
GPUARR_FUNCTION(log, logf)
GPUARR_FUNCTION(log2, log2f)
GPUARR_FUNCTION(log10, log10f)
GPUARR_FUNCTION(sin, sinf)
GPUARR_FUNCTION(cos, cosf)
GPUARR_FUNCTION(tanh, tanhf)
GPUARR_FUNCTION(tanh_approx, tanhf)
GPUARR_FUNCTION(ceil, ceilf)
GPUARR_FUNCTION(floor, floorf)
GPUARR_FUNCTION(trunc, truncf)
GPUARR_FUNCTION(rint, rintf)
#undef GPUARR_FUNCTION
