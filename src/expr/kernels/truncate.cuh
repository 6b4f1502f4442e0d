// A float as an integer. What is out of range is moved into it first, as where arrays are converted
// on the CPU: C++ leaves it open. A GPU's own conversion does so.

template <class T, class S>
static inline T truncated(const S& x) {
#ifdef __CUDACC_RTC__
  return (T)x;
#else
  const S half = (S)(T)((unsigned long long)1 << (8 * sizeof(T) - (((T)-1 < (T)0) ? 2 : 1)));
  const S end = 2 * half, first = ((T)-1 < (T)0) ? -end : 0;
  const S last = end - end * (sizeof(S) == 4 ? 0x1p-24f : 0x1p-53);
  const S above = x > first ? x : first;
  return (T)(above < last ? above : last);
#endif
}
