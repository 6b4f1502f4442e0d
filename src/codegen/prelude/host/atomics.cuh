// CUDA's atomic operations on the host: relaxed, as on CUDA, each returning the old value. All are
// templates, to which a function of the user's own is preferred: many define what old GPUs lack.

namespace gpuarr_prelude {

namespace gpuarr_detail {
template <class T>
struct same {
  typedef T type;
};
template <class T>
using value_of = typename same<T>::type;  // not deduced: any number will do for the second argument

template <class T>
constexpr bool counts = false;
template <>
constexpr bool counts<int> = true;
template <>
constexpr bool counts<unsigned> = true;
template <>
constexpr bool counts<long> = true;
template <>
constexpr bool counts<unsigned long> = true;
template <>
constexpr bool counts<long long> = true;
template <>
constexpr bool counts<unsigned long long> = true;

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
}  // namespace gpuarr_detail

template <class T>
inline T atomicAdd(T* p, gpuarr_detail::value_of<T> value) {
  if constexpr (gpuarr_detail::counts<T>)
    return __atomic_fetch_add(p, value, __ATOMIC_RELAXED);
  else
    return gpuarr_detail::atomic_change(p, [=](T old) -> T { return old + value; });
}
template <class T>
inline T atomicSub(T* p, gpuarr_detail::value_of<T> value) {
  return gpuarr_detail::atomic_change(p, [=](T old) -> T { return old - value; });
}
template <class T>
inline T atomicMin(T* p, gpuarr_detail::value_of<T> value) {
  return gpuarr_detail::atomic_change(p, [=](T old) -> T { return min(old, value); });
}
template <class T>
inline T atomicMax(T* p, gpuarr_detail::value_of<T> value) {
  return gpuarr_detail::atomic_change(p, [=](T old) -> T { return max(old, value); });
}
template <class T>
inline T atomicAnd(T* p, gpuarr_detail::value_of<T> value) {
  return __atomic_fetch_and(p, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomicOr(T* p, gpuarr_detail::value_of<T> value) {
  return __atomic_fetch_or(p, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomicXor(T* p, gpuarr_detail::value_of<T> value) {
  return __atomic_fetch_xor(p, value, __ATOMIC_RELAXED);
}
template <class T>
inline T atomicInc(T* p, gpuarr_detail::value_of<T> last) {
  return gpuarr_detail::atomic_change(p, [=](T old) -> T { return old >= last ? 0 : old + 1; });
}
template <class T>
inline T atomicDec(T* p, gpuarr_detail::value_of<T> last) {
  return gpuarr_detail::atomic_change(
      p, [=](T old) -> T { return old == 0 || old > last ? last : old - 1; });
}
template <class T>
inline T atomicCAS(T* p, gpuarr_detail::value_of<T> expected, gpuarr_detail::value_of<T> value) {
  if constexpr (sizeof(T) <= 8) {
    __atomic_compare_exchange(p, &expected, &value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    return expected;
  } else {  // the compiler would call libatomic
    __extension__ typedef unsigned __int128 Word;
    return __builtin_bit_cast(
        T, __sync_val_compare_and_swap((Word*)p, __builtin_bit_cast(Word, expected),
                                       __builtin_bit_cast(Word, value)));
  }
}
template <class T>
inline T atomicExch(T* p, gpuarr_detail::value_of<T> value) {
  if constexpr (sizeof(T) <= 8) {
    T old;
    __atomic_exchange(p, &value, &old, __ATOMIC_RELAXED);
    return old;
  } else {
    T seen = *p, expected;
    do {
      expected = seen;
      seen = atomicCAS(p, expected, value);
    } while (__builtin_memcmp(&seen, &expected, sizeof seen) != 0);
    return seen;
  }
}
template <int = 0>
inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

}  // namespace gpuarr_prelude
