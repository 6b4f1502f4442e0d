// The lesser and the greater of two. least and most take a NaN, the other two what is none; see
// reducers/extreme.cuh for the two forms.

#ifdef __CUDACC_RTC__
template <class T>
static inline T least(T a, T b) {
  return a < b || a != a ? a : b;
}
template <class T>
static inline T most(T a, T b) {
  return a > b || a != a ? a : b;
}
template <class T>
static inline T least_number(T a, T b) {
  return a < b || b != b ? a : b;
}
template <class T>
static inline T most_number(T a, T b) {
  return a > b || b != b ? a : b;
}
#else
template <class T>
static inline T least(T a, T b) {
  return a != a ? a : b != b ? b : a < b ? a : b;
}
template <class T>
static inline T most(T a, T b) {
  return a != a ? a : b != b ? b : a > b ? a : b;
}
template <class T>
static inline T least_number(T a, T b) {
  return b != b ? a : a != a ? b : a < b ? a : b;
}
template <class T>
static inline T most_number(T a, T b) {
  return b != b ? a : a != a ? b : a > b ? a : b;
}
#endif
