// Atomic operations of types that CUDA's own functions leave out: those of 2, 4 or 8 bytes, such as
// long long, float16 and complex64, and the least and greatest of floats.

namespace gpuarr_prelude {

namespace gpuarr_detail {

template <class T>
struct same {
  typedef T type;
};
template <class T>
using value_of = typename same<T>::type;  // not deduced: any number will do for the second argument

template <int bytes>
struct word {};
template <>
struct word<2> : same<unsigned short> {};
template <>
struct word<4> : same<unsigned> {};
template <>
struct word<8> : same<unsigned long long> {};

// Repeats until no other thread changed the value between reading and writing it.
template <class T, class Change>
inline T atomic_change(T* p, Change change) {
  typedef typename word<sizeof(T)>::type Word;
  Word seen = *(volatile Word*)p, expected;
  do {
    expected = seen;
    const T next = change(__builtin_bit_cast(T, expected));
    seen = ::atomicCAS((Word*)p, expected, __builtin_bit_cast(Word, next));
  } while (seen != expected);
  return __builtin_bit_cast(T, seen);
}

}  // namespace gpuarr_detail

inline long long atomicAdd(long long* p, long long value) {
  return (long long)::atomicAdd((unsigned long long*)p, (unsigned long long)value);
}
inline long long atomicSub(long long* p, long long value) { return atomicAdd(p, -value); }
template <class T>
inline T atomicAdd(T* p, gpuarr_detail::value_of<T> value) {
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
inline T atomicExch(T* p, gpuarr_detail::value_of<T> value) {
  return gpuarr_detail::atomic_change(p, [=](T) -> T { return value; });
}

}  // namespace gpuarr_prelude
