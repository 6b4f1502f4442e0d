// The lesser and the greater of two. least and most take a NaN, the other two what is none. Expects
// A.
//
// Where a comparison can be told from the one before, as of a chosen number with itself, or of one
// element by two operators of a pass, g++ makes branches and no vectors: on the CPU there is
// nothing to branch at.

#ifdef __CUDACC_RTC__
template <class T>
static inline T least(const T a, const T b) {
  return a < b || a != a ? a : b;
}
template <class T>
static inline T most(const T a, const T b) {
  return a > b || a != a ? a : b;
}
#if __CUDA_ARCH__ >= 800
static inline float least(const float a, const float b) {
  float c;
  asm("min.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  return c;
}
static inline float most(const float a, const float b) {
  float c;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(c) : "f"(a), "f"(b));
  return c;
}
#endif
#ifdef GPUARR_COMPLEX
static inline A least_number(const A& a, const A& b) { return a < b || b != b ? a : b; }
static inline A most_number(const A& a, const A& b) { return a > b || b != b ? a : b; }
#else
static inline A least_number(const A& a, const A& b) { return min(a, b); }
static inline A most_number(const A& a, const A& b) { return max(a, b); }
#endif
#else
static inline A least(const A& a, const A& b) { return ((a < b) | (int)(a != a)) ? a : b; }
static inline A most(const A& a, const A& b) { return ((a > b) | (int)(a != a)) ? a : b; }
static inline A least_number(const A& a, const A& b) { return ((a < b) | (int)(b != b)) ? a : b; }
static inline A most_number(const A& a, const A& b) { return ((a > b) | (int)(b != b)) ? a : b; }
#endif
