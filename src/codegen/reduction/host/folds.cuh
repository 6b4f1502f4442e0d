// Several operators of a reduction on the CPU: the lanes of each lie apart, or the compiler would
// make no vectors of them. How elements are grouped follows from the first operator's type, so the
// others are of its size.
namespace gpuarr_kernel {

template <class T>
struct Plain<_folds<T>> : Plain<T> {};
template <class T, class... More>
struct Plain<_folds<T, More...>> {
  enum { value = Plain<T>::value && Plain<_folds<More...>>::value };
};

template <class T, int count>
struct Lanes<_folds<T>, count> {
  enum { vector = Lanes<T, count>::vector };
  Lanes<T, count> first;
  __forceinline__ _folds<T> get(long long k) const { return {first.get(k)}; }
  __forceinline__ void put(long long k, const _folds<T>& value) { first.put(k, value._first); }
};
template <class T, class... More, int count>
struct Lanes<_folds<T, More...>, count> {
  enum { vector = Lanes<T, count>::vector };
  Lanes<T, count> first;
  Lanes<_folds<More...>, count> rest;
  __forceinline__ _folds<T, More...> get(long long k) const { return {first.get(k), rest.get(k)}; }
  __forceinline__ void put(long long k, const _folds<T, More...>& value) {
    first.put(k, value._first);
    rest.put(k, value._rest);
  }
};

}  // namespace gpuarr_kernel
