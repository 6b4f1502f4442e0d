// Several operators that share a pass over the elements: their partial results side by side. A text
// writes them as {first, {second, {third}}}, and reads number k as _fold<k>(a).
namespace gpuarr_kernel {

template <class T, class... More>
struct _folds {
  T _first;
  _folds<More...> _rest;
};
template <class T>
struct _folds<T> {
  T _first;
};

template <int k, class T, class... More>
static __device__ __forceinline__ const auto& _fold(const _folds<T, More...>& all) {
  if constexpr (k == 0)
    return all._first;
  else
    return gpuarr_kernel::_fold<k - 1>(all._rest);
}

}  // namespace gpuarr_kernel
using gpuarr_kernel::_fold;  // for texts, which stand outside
