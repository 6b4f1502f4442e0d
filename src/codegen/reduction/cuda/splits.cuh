// Blocks that share a result of a reduction, or a group of results.
namespace gpuarr_kernel {

// Whether this is the last block of its group to come here; it sees what the others wrote before.
// The counter is then 0 again.
template <class P>
static __device__ __forceinline__ bool is_last_block(const P& p, unsigned group) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    const unsigned others = (unsigned)p._splits - 1;
    unsigned before;
    asm volatile("atom.acq_rel.gpu.global.inc.u32 %0, [%1], %2;"
                 : "=r"(before)
                 : "l"(p._counters + group), "r"(others)
                 : "memory");
    last = before == others;
  }
  __syncthreads();
  return last;
}

// The items of one of the blocks that share a result, or a group of them.
template <class P>
struct Split {
  Index<P> first, end;
  __device__ __forceinline__ Split(const P& p, unsigned number)
      : first((Index<P>)number * (Index<P>)p._split_items),
        end((int)number == (int)p._splits - 1 ? (Index<P>)p._items
                                              : first + (Index<P>)p._split_items) {}
};

}  // namespace gpuarr_kernel
