// The lesser and the greater of two. least and most take a NaN, the other two what is none. Expects
// A.
//
// Where a comparison can be told from the one before, as of a chosen number with itself, or of one
// element by two operators of a pass, g++ makes branches and no vectors: on the CPU there is
// nothing to branch at.

#ifdef __CUDACC_RTC__
static inline A least(const A& a, const A& b) { return a < b || a != a ? a : b; }
static inline A most(const A& a, const A& b) { return a > b || a != a ? a : b; }
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
