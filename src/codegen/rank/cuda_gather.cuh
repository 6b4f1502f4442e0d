// The elements before them, gathered.

extern "C" __global__ void __launch_bounds__(256, 4)
    rank_gather(const __grid_constant__ _params p) {
  enum { warps = 8, items = rank_gather_tile / 256 };
  __shared__ rank_sums sums[warps];
  const int warp = threadIdx.x / 32;
  const unsigned row = blockIdx.x / (unsigned)p._chunks, tile = blockIdx.x % (unsigned)p._chunks;
  const rank_row& s = p.state[row];
  const rank_long begin = tile * (rank_long)rank_gather_tile + warp * (items * 32);
  const rank_warp<items> own(p.in + row * p.n, p.n, begin, (sort_bits)s.key[0]);
  const rank_sums mine = own.sums();
  if (threadIdx.x % 32 == 0) sums[warp] = mine;
  __syncthreads();
  rank_sums total = {0, 0}, before = {0, 0};
#pragma unroll
  for (int w = 0; w < warps; ++w) {
    if (w == warp) before = total;
    total = _reduce(p, total, sums[w]);
  }
  const rank_sums tiles = gpuarr_kernel::_before_tile(p, row, tile, total);
  if (tile > 0) before = _reduce(p, before, tiles);
  own.write(p, row, s, mine, before);
}
