// Rows of a reduction on a GPU, a block or several to a result.
namespace gpuarr_kernel {

// Packs of 16 bytes that nobody reads again leave the first cache to others.
template <class Pack>
static __device__ __forceinline__ Pack _load_once(const Pack* from) {
  if constexpr (sizeof(Pack) != 16) {
    return *from;
  } else {
    unsigned words[4];
    asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
        : "l"(from));
    Pack pack;
    memcpy((void*)&pack, words, 16);
    return pack;
  }
}

// The first thread gets what the first lanes of the first `active` warps have.
template <class P>
static __device__ __forceinline__ void join_warps(const P& p, Partial<P> (&values)[1], int active,
                                                  bool (&has)[1]) {
  __shared__ alignas(Partial<P>) alignas(16) unsigned char memory[8 * sizeof(Partial<P>)];
  __shared__ bool warp_has[8];
  Partial<P>* const of_warp = (Partial<P>*)memory;
  __syncthreads();
  if (threadIdx.x % 32 == 0) {
    of_warp[threadIdx.x / 32] = values[0];
    if (P::_gaps) warp_has[threadIdx.x / 32] = has[0];
  }
  __syncthreads();
  if (threadIdx.x >= 32) return;
  if (P::_gaps) has[0] = threadIdx.x < 8 && warp_has[threadIdx.x % 8];
  values[0] = of_warp[threadIdx.x % 8];
  gpuarr_kernel::join_lanes<8>(p, values, threadIdx.x, active, has);
}

// A thread takes in neighbouring ones of the partial results that blocks have left.
template <class P>
static __device__ __forceinline__ void fold_splits(const P& p, const Partial<P>* parts, int from,
                                                   int to, Partial<P>& sum) {
  enum { ahead = P::_is_record ? 1 : 4 };  // of them on their way
#pragma unroll 1
  for (int k = from; k < to; k += ahead) {
    Partial<P> values[ahead];
#pragma unroll
    for (int q = 0; q < ahead; ++q) values[q] = parts[k + q < to ? k + q : k];
    sum = k == from ? values[0] : _reduce(p, sum, values[0]);
#pragma unroll
    for (int q = 1; q < ahead; ++q)
      if (k + q < to) sum = _reduce(p, sum, values[q]);
  }
}

// A block has a result, or shares in it: then the last of them joins what all have left.
template <class P>
static __device__ __forceinline__ void _reduce_blocks(const P& p) {
  const unsigned number = blockIdx.x / p._tiles, result = blockIdx.x - number * p._tiles;
  const int splits = (int)p._splits;
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const Place<P> base = _at_result(p, result);
  const Split<P> split(p, number);
  const Index<P> count = split.end - split.first;
  Partial<P> sum[1];
  bool has[1] = {true};
  int active, warps;
  if constexpr (P::_ordered) {
    const Index<P> each = (count + 255) / 256 * 32;
    const Index<P> begin = split.first + warp * each;
    if (begin < split.end)
      gpuarr_kernel::fold_in_order(
          p, base, begin, begin + each < split.end ? begin + each : split.end, lane, sum[0]);
    active = 1, warps = (int)((count + each - 1) / each);
  } else {
    has[0] = gpuarr_kernel::fold(p, base, split.first + threadIdx.x, split.end, sum[0]);
    const int threads = count < 256 ? (int)count : 256;
    active = threads - warp * 32, warps = (threads + 31) / 32;
  }
#pragma unroll 1
  for (bool shared = splits > 1;; shared = false) {
    gpuarr_kernel::join_lanes<32>(p, sum, lane, active, has);
    gpuarr_kernel::join_warps(p, sum, warps, has);
    if (!shared) break;
    Partial<P>* const parts = p._partials + (long long)result * splits;
    if (threadIdx.x == 0) parts[number] = sum[0];
    if (!gpuarr_kernel::is_last_block(p, result)) return;
    const int each = (splits + 255) / 256, from = (int)threadIdx.x * each;
    const int to = from + each < splits ? from + each : splits;
    has[0] = from < to;
    gpuarr_kernel::fold_splits(p, parts, from, to, sum[0]);
    const int threads = (splits + each - 1) / each;
    active = threads - warp * 32;
    warps = (threads + 31) / 32;
  }
  if (threadIdx.x == 0) _finish(p, result, sum[0]);
}

}  // namespace gpuarr_kernel
