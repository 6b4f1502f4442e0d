// Rows that lie in the blocks of a cluster, joined. Stands behind join.cuh.
namespace gpuarr_kernel {

// All threads of a cluster's blocks; what they wrote before, the others see behind.
static __device__ __forceinline__ void meet_in_cluster() {
  asm volatile("barrier.cluster.arrive.release;\n\tbarrier.cluster.wait.acquire;" ::: "memory");
}

// Writes a word to where another block of the cluster has what this one has at `own`.
static __device__ __forceinline__ void store_in_block(unsigned* own, unsigned block,
                                                      unsigned word) {
  asm volatile(
      "{\n\t.reg .u32 there;\n\tmapa.shared::cluster.u32 there, %0, %1;\n\t"
      "st.shared::cluster.u32 [there], %2;\n\t}" ::"r"((unsigned)__cvta_generic_to_shared(own)),
      "r"(block), "r"(word)
      : "memory");
}

// What the rows that a cluster has at once come to, in each of them. Each warp tells all blocks
// what it has, and all join that in one order. Places are used by turns, as in join_row.
template <class Pass, class P>
static __device__ __forceinline__ void join_cluster(const P& p,
                                                    typename Pass::_partial (&sum)[P::_held],
                                                    unsigned turn) {
  typedef typename Pass::_partial Partial;
  enum { own = P::_lanes / 32, warps = own * P::_blocks, words = (sizeof(Partial) + 3) / 4 };
  __shared__ unsigned memory[P::_turns][P::_held][warps][words];
  const unsigned lane = threadIdx.x % 32;
#pragma unroll
  for (int r = 0; r < P::_held; ++r) {
    gpuarr_kernel::join_neighbours<Pass, 32>(p, sum[r]);
    sum[r] = gpuarr_kernel::of_first_lane<32>(sum[r]);
    if (lane >= P::_blocks) continue;
    unsigned word[words] = {};
    memcpy(word, &sum[r], sizeof(Partial));
    unsigned* const to = memory[turn][r][blockIdx.x % P::_blocks * own + threadIdx.x / 32];
#pragma unroll
    for (int k = 0; k < words; ++k) gpuarr_kernel::store_in_block(to + k, lane, word[k]);
  }
  gpuarr_kernel::meet_in_cluster();
#pragma unroll
  for (int r = 0; r < P::_held; ++r) {
    memcpy((void*)&sum[r], memory[turn][r][lane % warps], sizeof(Partial));
#pragma unroll
    for (int k = 32; k < warps; k += 32) {
      Partial more;
      memcpy((void*)&more, memory[turn][r][lane + k], sizeof(Partial));
      sum[r] = Pass::_reduce(p, sum[r], more);
    }
    gpuarr_kernel::join_neighbours<Pass, (warps < 32 ? warps : 32)>(p, sum[r]);
    sum[r] = gpuarr_kernel::of_first_lane<32>(sum[r]);
  }
}

}  // namespace gpuarr_kernel
