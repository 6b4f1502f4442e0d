// CUDA's class of a 16-bit float and that of two, on the host: included by cuda_fp16.h and by
// cuda_bf16.h, which say GPUARR_H, GPUARR_H2, GPUARR_RAW and GPUARR_FORMAT. Unlike float16, the sum
// of two is one again, rounded.

struct GPUARR_RAW {
  unsigned short x;
};

struct GPUARR_H {
  unsigned short __x;

  GPUARR_H() = default;
  GPUARR_H(GPUARR_RAW raw) : __x(raw.x) {}
#define GPUARR_FROM(T) \
  GPUARR_H(T x) : __x(GPUARR_FORMAT::round(gpuarr_prelude::gpuarr_detail::to_odd(x))) {}
  GPUARR_FROM(float)
  GPUARR_FROM(double)
  GPUARR_FROM(int)
  GPUARR_FROM(unsigned)
  GPUARR_FROM(long)
  GPUARR_FROM(unsigned long)
  GPUARR_FROM(long long)
  GPUARR_FROM(unsigned long long)
#undef GPUARR_FROM
  operator float() const { return GPUARR_FORMAT::widen(__x); }
  operator GPUARR_RAW() const { return {__x}; }
};

struct alignas(4) GPUARR_H2 {
  GPUARR_H x, y;
  GPUARR_H2() = default;
  GPUARR_H2(GPUARR_H x, GPUARR_H y) : x(x), y(y) {}
};

// One operation in float or double rounds as the operation itself would: they have digits enough.
#define GPUARR_OPERATION(sign, name)                                                       \
  inline GPUARR_H operator sign(GPUARR_H a, GPUARR_H b) { return (float)a sign(float) b; } \
  inline GPUARR_H& operator sign##=(GPUARR_H& a, GPUARR_H b) { return a = a sign b; }      \
  inline GPUARR_H2 operator sign(GPUARR_H2 a, GPUARR_H2 b) {                               \
    return {a.x sign b.x, a.y sign b.y};                                                   \
  }                                                                                        \
  inline GPUARR_H2& operator sign##=(GPUARR_H2& a, GPUARR_H2 b) { return a = a sign b; }   \
  inline GPUARR_H name(GPUARR_H a, GPUARR_H b) { return a sign b; }                        \
  inline GPUARR_H name##_rn(GPUARR_H a, GPUARR_H b) { return a sign b; }                   \
  inline GPUARR_H2 name##2(GPUARR_H2 a, GPUARR_H2 b) { return a sign b; }                  \
  inline GPUARR_H2 name##2_rn(GPUARR_H2 a, GPUARR_H2 b) { return a sign b; }
GPUARR_OPERATION(+, __hadd)
GPUARR_OPERATION(-, __hsub)
GPUARR_OPERATION(*, __hmul)
#undef GPUARR_OPERATION
inline GPUARR_H operator/(GPUARR_H a, GPUARR_H b) { return (float)a / (float)b; }
inline GPUARR_H& operator/=(GPUARR_H& a, GPUARR_H b) { return a = a / b; }
inline GPUARR_H2 operator/(GPUARR_H2 a, GPUARR_H2 b) { return {a.x / b.x, a.y / b.y}; }
inline GPUARR_H2& operator/=(GPUARR_H2& a, GPUARR_H2 b) { return a = a / b; }
inline GPUARR_H __hdiv(GPUARR_H a, GPUARR_H b) { return a / b; }
inline GPUARR_H2 __h2div(GPUARR_H2 a, GPUARR_H2 b) { return a / b; }

inline GPUARR_H __hneg(GPUARR_H a) {
  a.__x ^= 0x8000;
  return a;
}
inline GPUARR_H __habs(GPUARR_H a) {
  a.__x &= 0x7fff;
  return a;
}
inline GPUARR_H operator-(GPUARR_H a) { return __hneg(a); }
inline GPUARR_H operator+(GPUARR_H a) { return a; }
inline GPUARR_H& operator++(GPUARR_H& a) { return a = (float)a + 1; }
inline GPUARR_H& operator--(GPUARR_H& a) { return a = (float)a - 1; }
inline GPUARR_H operator++(GPUARR_H& a, int) {
  const GPUARR_H old = a;
  ++a;
  return old;
}
inline GPUARR_H operator--(GPUARR_H& a, int) {
  const GPUARR_H old = a;
  --a;
  return old;
}
inline GPUARR_H2 __hneg2(GPUARR_H2 a) { return {__hneg(a.x), __hneg(a.y)}; }
inline GPUARR_H2 __habs2(GPUARR_H2 a) { return {__habs(a.x), __habs(a.y)}; }
inline GPUARR_H2 operator-(GPUARR_H2 a) { return __hneg2(a); }
inline GPUARR_H2 operator+(GPUARR_H2 a) { return a; }

inline GPUARR_H __hfma(GPUARR_H a, GPUARR_H b, GPUARR_H c) {
  return gpuarr_prelude::gpuarr_detail::sum_to_odd((double)(float)a * (float)b, (float)c);
}
inline GPUARR_H2 __hfma2(GPUARR_H2 a, GPUARR_H2 b, GPUARR_H2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}

// To [0, 1]; a NaN to 0.
#define GPUARR_SATURATED(name, parameters, arguments, parameters2, arguments2)  \
  inline GPUARR_H name##_sat parameters { return __saturatef(name arguments); } \
  inline GPUARR_H2 name##2_sat parameters2 {                                    \
    const GPUARR_H2 r = name##2 arguments2;                                     \
    return {__saturatef(r.x), __saturatef(r.y)};                                \
  }
GPUARR_SATURATED(__hadd, (GPUARR_H a, GPUARR_H b), (a, b), (GPUARR_H2 a, GPUARR_H2 b), (a, b))
GPUARR_SATURATED(__hsub, (GPUARR_H a, GPUARR_H b), (a, b), (GPUARR_H2 a, GPUARR_H2 b), (a, b))
GPUARR_SATURATED(__hmul, (GPUARR_H a, GPUARR_H b), (a, b), (GPUARR_H2 a, GPUARR_H2 b), (a, b))
GPUARR_SATURATED(__hfma, (GPUARR_H a, GPUARR_H b, GPUARR_H c), (a, b, c),
                 (GPUARR_H2 a, GPUARR_H2 b, GPUARR_H2 c), (a, b, c))
#undef GPUARR_SATURATED
inline GPUARR_H __hfma_relu(GPUARR_H a, GPUARR_H b, GPUARR_H c) {
  const float r = __hfma(a, b, c);
  return r > 0 ? r : r != r ? r : 0;
}
inline GPUARR_H2 __hfma2_relu(GPUARR_H2 a, GPUARR_H2 b, GPUARR_H2 c) {
  return {__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)};
}

// Comparisons: false where a NaN is, but those with a u at the end true.
#define GPUARR_COMPARISON(name, ordered, unordered)                                               \
  inline bool name(GPUARR_H a, GPUARR_H b) {                                                      \
    const float x = a, y = b;                                                                     \
    return ordered;                                                                               \
  }                                                                                               \
  inline bool name##u(GPUARR_H a, GPUARR_H b) {                                                   \
    const float x = a, y = b;                                                                     \
    return unordered;                                                                             \
  }                                                                                               \
  inline GPUARR_H2 name##2(GPUARR_H2 a, GPUARR_H2 b) { return {name(a.x, b.x), name(a.y, b.y)}; } \
  inline GPUARR_H2 name##u2(GPUARR_H2 a, GPUARR_H2 b) {                                           \
    return {name##u(a.x, b.x), name##u(a.y, b.y)};                                                \
  }                                                                                               \
  inline unsigned name##2_mask(GPUARR_H2 a, GPUARR_H2 b) {                                        \
    return (name(a.x, b.x) ? 0xffff : 0u) | (name(a.y, b.y) ? 0xffff0000 : 0u);                   \
  }                                                                                               \
  inline unsigned name##u2_mask(GPUARR_H2 a, GPUARR_H2 b) {                                       \
    return (name##u(a.x, b.x) ? 0xffff : 0u) | (name##u(a.y, b.y) ? 0xffff0000 : 0u);             \
  }
GPUARR_COMPARISON(__heq, x == y, !(x < y || x > y))
GPUARR_COMPARISON(__hne, x<y || x> y, x != y)
GPUARR_COMPARISON(__hlt, x < y, !(x >= y))
GPUARR_COMPARISON(__hle, x <= y, !(x > y))
GPUARR_COMPARISON(__hgt, x > y, !(x <= y))
GPUARR_COMPARISON(__hge, x >= y, !(x < y))
#undef GPUARR_COMPARISON
#define GPUARR_COMPARISON(sign, both, both_unordered, name, name_of_sign)                 \
  inline bool operator sign(GPUARR_H a, GPUARR_H b) { return name_of_sign(a, b); }        \
  inline bool operator sign(GPUARR_H2 a, GPUARR_H2 b) {                                   \
    return name_of_sign(a.x, b.x) && name_of_sign(a.y, b.y);                              \
  }                                                                                       \
  inline bool both(GPUARR_H2 a, GPUARR_H2 b) { return name(a.x, b.x) && name(a.y, b.y); } \
  inline bool both_unordered(GPUARR_H2 a, GPUARR_H2 b) {                                  \
    return name##u(a.x, b.x) && name##u(a.y, b.y);                                        \
  }
GPUARR_COMPARISON(==, __hbeq2, __hbequ2, __heq, __heq)
GPUARR_COMPARISON(!=, __hbne2, __hbneu2, __hne, __hneu)
GPUARR_COMPARISON(<, __hblt2, __hbltu2, __hlt, __hlt)
GPUARR_COMPARISON(<=, __hble2, __hbleu2, __hle, __hle)
GPUARR_COMPARISON(>, __hbgt2, __hbgtu2, __hgt, __hgt)
GPUARR_COMPARISON(>=, __hbge2, __hbgeu2, __hge, __hge)
#undef GPUARR_COMPARISON
