// Rows that are not whole aligned packs, on a GPU.
namespace gpuarr_kernel {

// Elements of a row before the first pack that is aligned.
template <int pack, class Offset, class T>
static __device__ __forceinline__ Offset _before_packs(const T* row) {
  return (Offset)((pack - (unsigned long long)row / sizeof(T) % pack) % pack);
}

// Where number `number` of a row begins: of its whole packs, and behind them of its single
// elements, the `head` ones before the first pack and those after the last. `count` gets its size,
// 0 where there is none of that number. A pack that is cut out of granules is read with `margin`
// elements more, and must not reach past the row: the last may be its array's.
template <int pack, int margin, class Offset>
static __device__ __forceinline__ Offset _find_pack(Offset number, Offset head, Offset extent,
                                                    int& count) {
  const Offset packed = extent - head - margin;
  const Offset full = packed < 0 ? 0 : packed / pack;
  Offset begin = head + number * pack;
  count = pack;
  if (number >= full) {
    begin = number - full;
    if (begin >= head) begin += full * pack;
    count = begin < extent;
  }
  return begin;
}

}  // namespace gpuarr_kernel
