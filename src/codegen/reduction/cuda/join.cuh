// Reductions on a GPU: what partial results of neighbouring lanes, and of blocks, come together by.
//
// Of a call these templates know its _params, which have the types _partial, _place (where an
// element of each input is), _index and _result (numbers of elements and of results) and the plan's
// constants. _reduce(p, a, b), _take(p, places, values, _width_tag<n>) and what else is generated
// for it stands behind the user's text, and is found by the type of p.
namespace gpuarr_kernel {

template <class P>
using Partial = typename P::_partial;
template <class P>
using Place = typename P::_place;
template <class P>
using Index = typename P::_index;
template <class P>
using Result = typename P::_result;

template <class T>
static __device__ __forceinline__ T of_lane_above(const T& own, int by) {
  unsigned words[(sizeof(T) + 3) / 4] = {};
  memcpy(words, &own, sizeof(T));
#pragma unroll
  for (int k = 0; k < (sizeof(T) + 3) / 4; ++k) words[k] = __shfl_down_sync(~0u, words[k], by);
  T other;
  memcpy((void*)&other, words, sizeof(T));
  return other;
}

// A lane's neighbour is the next group of elements, so that joining keeps their order: results of
// lanes 0 to 2d-1 are those of 0 to d-1 and of d to 2d-1. The first `active` lanes have something,
// or if there are gaps those whose `has` says so. `count` of them are joined side by side.
template <int size, class P, int count>
static __device__ __forceinline__ void join_lanes(const P& p, Partial<P> (&values)[count], int lane,
                                                  int active, bool (&has)[count]) {
  unsigned lanes_with[count];
  if (P::_gaps)
#pragma unroll
    for (int q = 0; q < count; ++q) lanes_with[q] = __ballot_sync(~0u, has[q]);
#pragma unroll 1
  for (int distance = 1; distance < size; distance *= 2)
#pragma unroll
    for (int q = 0; q < count; ++q) {
      const Partial<P> other = gpuarr_kernel::of_lane_above(values[q], distance);
      if (!P::_gaps) {
        if (lane + distance < active) values[q] = _reduce(p, values[q], other);
        continue;
      }
      const unsigned of_warp = threadIdx.x % 32;
      if (lanes_with[q] >> of_warp >> distance & 1) {
        values[q] = has[q] ? _reduce(p, values[q], other) : other;
        has[q] = true;
      }
      lanes_with[q] |= lanes_with[q] >> distance;
    }
}

// A kernel has the one that it calls: rows.cuh, ordered.cuh.
template <class P>
static __device__ bool fold(const P& p, const Place<P>& base, Index<P> item, const Index<P> end,
                            Partial<P>& sum);
template <class P>
static __device__ void fold_in_order(const P& p, const Place<P>& base, Index<P> item,
                                     const Index<P> end, int lane, Partial<P>& sum);

}  // namespace gpuarr_kernel
