// Indices along axes, taken out of the number of an element.
namespace gpuarr_kernel {

// The index along an axis of this extent, the last one of those that `rest` counts; `rest` is then
// the number along the others.
template <class Index, class Extent>
static __device__ __forceinline__ Index _take_index(Index& rest, const Extent& extent) {
  const Index number = rest;
  rest = number / extent;
  return number - rest * (Index)extent;
}

}  // namespace gpuarr_kernel
