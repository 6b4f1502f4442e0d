// Stages of a reduction that have partial results of neighbouring pieces, or none: each result for
// itself. _partial(p, set, number) is one of them.
namespace gpuarr_kernel {

template <class P, class Result>
static __device__ __forceinline__ void _gather_result(const P& p, Result result) {
  if constexpr (P::_is_empty) {
    _finish(p, result, _identity(p));
  } else {
    const long long number = _number(p, result);
    typename P::_partial sum = _partial(p, 0, number);
    for (long long set = 1; set < p._sets; ++set) sum = _reduce(p, sum, _partial(p, set, number));
    _finish(p, result, sum);
  }
}

}  // namespace gpuarr_kernel
