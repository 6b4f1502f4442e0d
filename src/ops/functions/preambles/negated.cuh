// An integer's negative, which wraps around. NVRTC 13.0 takes that of the least 16-bit integer for
// 32768 where it is widened in a register, unless it does not see that it is one. Expects U.

template <class T>
static inline T negated(T x) {
#ifdef __CUDACC_RTC__
  if constexpr (sizeof(T) == 2) {
    int result;
    asm("sub.s32 %0, 0, %1;" : "=r"(result) : "r"((int)x));
    return T(result);
  }
#endif
  return T(0 - U(x));
}
