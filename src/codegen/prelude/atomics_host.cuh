// CUDA's atomic operations on the host: relaxed, as on CUDA, each returning the old value.

namespace gpuarr_prelude {

namespace detail {
template <class T>
struct same {
  typedef T type;
};
template <class T>
using value_of = typename same<T>::type;  // not deduced: any number will do for the second argument

// Repeats until no other thread changed the value between reading and writing it.
template <class T, class Change>
inline T atomic_change(T* p, Change change) {
  T old;
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  for (;;) {
    T next = change(old);
    if (__atomic_compare_exchange(p, &old, &next, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return old;
  }
}
}  // namespace detail

template <class T>
inline T atomicAdd(T* p, detail::value_of<T> value) {
  return detail::atomic_change(p, [=](T old) -> T { return old + value; });
}
inline int atomicAdd(int* p, int value) { return __atomic_fetch_add(p, value, __ATOMIC_RELAXED); }
inline unsigned atomicAdd(unsigned* p, unsigned value) {
  return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
}
inline long long atomicAdd(long long* p, long long value) {
  return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
}
inline unsigned long long atomicAdd(unsigned long long* p, unsigned long long value) {
  return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomicSub(T* p, detail::value_of<T> value) {
  return detail::atomic_change(p, [=](T old) -> T { return old - value; });
}
template <class T>
inline T atomicExch(T* p, detail::value_of<T> value) {
  T old;
  __atomic_exchange(p, &value, &old, __ATOMIC_RELAXED);
  return old;
}
template <class T>
inline T atomicMin(T* p, detail::value_of<T> value) {
  return detail::atomic_change(p, [=](T old) -> T { return min(old, value); });
}
template <class T>
inline T atomicMax(T* p, detail::value_of<T> value) {
  return detail::atomic_change(p, [=](T old) -> T { return max(old, value); });
}
#ifdef GPUARR_COMPLEX
// The two parts are added one after the other.
inline complex128 atomicAdd(complex128* p, complex128 value) {
  return {atomicAdd(&p->re, value.re), atomicAdd(&p->im, value.im)};
}
#endif
template <class T>
inline T atomicAnd(T* p, detail::value_of<T> value) {
  return __atomic_fetch_and(p, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomicOr(T* p, detail::value_of<T> value) {
  return __atomic_fetch_or(p, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomicXor(T* p, detail::value_of<T> value) {
  return __atomic_fetch_xor(p, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomicCAS(T* p, detail::value_of<T> expected, detail::value_of<T> value) {
  __atomic_compare_exchange(p, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return expected;
}
inline unsigned atomicInc(unsigned* p, unsigned last) {
  return detail::atomic_change(p, [=](unsigned old) { return old >= last ? 0 : old + 1; });
}
inline unsigned atomicDec(unsigned* p, unsigned last) {
  return detail::atomic_change(
      p, [=](unsigned old) { return old == 0 || old > last ? last : old - 1; });
}
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

}  // namespace gpuarr_prelude
