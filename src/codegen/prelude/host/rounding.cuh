// CUDA's arithmetic with a direction of rounding on the host.

extern "C" int fegetround() noexcept;
extern "C" int fesetround(int) noexcept;

namespace gpuarr_prelude {

namespace gpuarr_detail {

#ifdef __aarch64__
enum { round_up = 0x400000, round_down = 0x800000, round_to_zero = 0xc00000 };
#define GPUARR_IN_REGISTER "+w"
#else
enum { round_up = 0x800, round_down = 0x400, round_to_zero = 0xc00 };
#define GPUARR_IN_REGISTER "+x"
#endif

// Keeps a product and a sum apart, of which the compiler would make one fused operation.
template <class T>
inline T apart(T x) {
  __asm__("" : GPUARR_IN_REGISTER(x));
  return x;
}
#undef GPUARR_IN_REGISTER

// The compiler knows nothing of rounding modes. It computes while one is set if what it computes
// with comes out of a place that it cannot see into, and what comes of it goes into one.
struct rounding {
  int before;
  explicit rounding(int mode) : before(fegetround()) { fesetround(mode); }
  ~rounding() { fesetround(before); }
};
template <class T>
inline T through(T x) {
  __asm__ volatile("" : "+m"(x) : : "memory");
  return x;
}

}  // namespace gpuarr_detail

#define GPUARR_ROUNDED(T, name, parameters, expression)                 \
  inline T name##_rz parameters {                                       \
    const gpuarr_detail::rounding during(gpuarr_detail::round_to_zero); \
    return gpuarr_detail::through<T>(expression);                       \
  }                                                                     \
  inline T name##_ru parameters {                                       \
    const gpuarr_detail::rounding during(gpuarr_detail::round_up);      \
    return gpuarr_detail::through<T>(expression);                       \
  }                                                                     \
  inline T name##_rd parameters {                                       \
    const gpuarr_detail::rounding during(gpuarr_detail::round_down);    \
    return gpuarr_detail::through<T>(expression);                       \
  }
#define GPUARR_ARITHMETIC(T, prefix, fma, f)                                                      \
  GPUARR_ROUNDED(T, prefix##add, (T x, T y),                                                      \
                 gpuarr_detail::through(x) + gpuarr_detail::through(y))                           \
  GPUARR_ROUNDED(T, prefix##sub, (T x, T y),                                                      \
                 gpuarr_detail::through(x) - gpuarr_detail::through(y))                           \
  GPUARR_ROUNDED(T, prefix##mul, (T x, T y),                                                      \
                 gpuarr_detail::through(x) * gpuarr_detail::through(y))                           \
  GPUARR_ROUNDED(T, prefix##div, (T x, T y),                                                      \
                 gpuarr_detail::through(x) / gpuarr_detail::through(y))                           \
  GPUARR_ROUNDED(T, prefix##rcp, (T x), 1 / gpuarr_detail::through(x))                            \
  GPUARR_ROUNDED(T, prefix##sqrt, (T x), __builtin_sqrt##f(gpuarr_detail::through(x)))            \
  GPUARR_ROUNDED(T, fma, (T x, T y, T z),                                                         \
                 __builtin_fma##f(gpuarr_detail::through(x), gpuarr_detail::through(y),           \
                                  gpuarr_detail::through(z)))                                     \
  inline T prefix##add_rn(T x, T y) { return gpuarr_detail::apart(x) + gpuarr_detail::apart(y); } \
  inline T prefix##sub_rn(T x, T y) { return gpuarr_detail::apart(x) - gpuarr_detail::apart(y); } \
  inline T prefix##mul_rn(T x, T y) { return gpuarr_detail::apart(x * y); }
GPUARR_ARITHMETIC(float, __f, __fmaf, f)
GPUARR_ARITHMETIC(double, __d, __fma, )
#undef GPUARR_ARITHMETIC

#define GPUARR_CONVERTED(From, To, name) \
  GPUARR_ROUNDED(To, name, (From x), (To)gpuarr_detail::through(x))
GPUARR_CONVERTED(double, float, __double2float)
GPUARR_CONVERTED(int, float, __int2float)
GPUARR_CONVERTED(unsigned, float, __uint2float)
GPUARR_CONVERTED(long long, float, __ll2float)
GPUARR_CONVERTED(unsigned long long, float, __ull2float)
GPUARR_CONVERTED(long long, double, __ll2double)
GPUARR_CONVERTED(unsigned long long, double, __ull2double)
#undef GPUARR_CONVERTED
#undef GPUARR_ROUNDED

}  // namespace gpuarr_prelude
