// Long rows: a count of all digits, its sums, and a sweep for each digit.

namespace cub {
namespace detail {
namespace radix_sort {}
}  // namespace detail
}  // namespace cub
namespace sort_agents {
using namespace cub;
using namespace cub::detail::radix_sort;
typedef AgentRadixSortHistogramPolicy<128, 16, 1, sort_key, 8> histogram_policy;
typedef AgentRadixSortHistogram<histogram_policy, false, sort_key, sort_index> histogram;
struct scaling {
  static constexpr int ITEMS_PER_THREAD = sort_items;
  static constexpr int BLOCK_THREADS = sort_threads;
};
typedef AgentRadixSortOnesweepPolicy<sort_threads, sort_items, sort_key, 1,
                                     RADIX_RANK_MATCH_EARLY_COUNTS_ANY, BLOCK_SCAN_RAKING_MEMOIZE,
                                     RADIX_SORT_STORE_DIRECT, 8, scaling>
    sweep_policy;
#if SORT_INDEXED
typedef sort_index value;
#else
typedef NullType value;
#endif
typedef AgentRadixSortOnesweep<sweep_policy, false, sort_key, value, sort_index, int> sweep;
}  // namespace sort_agents
extern "C" __global__ void __launch_bounds__(128) sort_count(const __grid_constant__ sort_args p) {
  typedef sort_agents::histogram agent_type;
  enum { tile = agent_type::TILE_ITEMS };
  __shared__ typename agent_type::TempStorage memory;
  const sort_long row = blockIdx.x / p.tiles, part = blockIdx.x % p.tiles;
  agent_type agent(memory, p.bins + row * p.passes * 256, p.in + row * p.n, (sort_index)p.n, 0,
                   sort_width);
  constexpr sort_long most = 1 << 30;  // what the counters in shared memory hold
  for (sort_long begin = 0; begin < p.n; begin += most) {
    const sort_long end = p.n - begin < most ? p.n : begin + most;
    agent.Init();
    for (sort_long at = begin + part * tile; at < end; at += p.tiles * tile) {
      sort_bits keys[agent_type::ITEMS_PER_THREAD];
      agent.LoadTileKeys((sort_index)at, keys);
      agent.AccumulateSharedHistograms((sort_index)at, keys);
    }
    __syncthreads();
    agent.AccumulateGlobalHistograms();
    __syncthreads();
  }
}
extern "C" __global__ void __launch_bounds__(256) sort_sums(const __grid_constant__ sort_args p) {
  typedef cub::BlockScan<sort_index, 256> scan;
  __shared__ typename scan::TempStorage memory;
  sort_index* const bin = p.bins + (sort_long)blockIdx.x * 256 + threadIdx.x;
  sort_index sum;
  scan(memory).ExclusiveSum(*bin, sum);
  *bin = sum;
}

// CUB's pass, all in line, so that arrays stay in registers; but for the indices: those of the
// first order need not be read, nor the elements be written with the last ones, which are widened.
struct sorter : sort_agents::sweep {
  typedef sort_agents::sweep base;
  enum { tile = base::TILE_ITEMS, items = base::ITEMS_PER_THREAD, bins = base::BINS_PER_THREAD };
  sort_long first;
  sort_long* wide_out;
  using base::base;

  template <class V>
  __forceinline__ __device__ void load_values(V (&values)[items]) {
#if SORT_INDEXED
    const int at = this->block_idx * tile;
    if (this->d_values_in) return this->LoadValues(at, values);
    const int own = (threadIdx.x & ~31) * items + (threadIdx.x & 31);
#pragma unroll
    for (int k = 0; k < items; ++k) values[k] = (sort_index)(first + at + own + 32 * k);
#endif
  }
  template <class V>
  __forceinline__ __device__ void give(sort_index to, V value) {
#if SORT_INDEXED
    if (wide_out)
      wide_out[to] = (sort_long)value;
    else
      this->d_values_out[to] = value;
#endif
  }
  // All of the tile has one digit: it is copied. Ends the thread.
  __forceinline__ __device__ void copy(sort_bits (&keys)[items], int (&counts)[bins]) {
    const unsigned digit = this->Digit(keys[0]);
    int offsets[bins];
#pragma unroll
    for (int u = 0; u < bins; ++u) offsets[u] = this->ThreadBin(u) > (int)digit ? tile : 0;
    this->LoadBinsToOffsetsGlobal(offsets);
    this->LookbackGlobal(counts);
    this->UpdateBinsGlobal(counts, offsets);
    __syncthreads();
    const int left = this->num_items - this->block_idx * tile, have = left < tile ? left : tile;
    const sort_index to = this->s.global_offsets[digit];
    const int own = (threadIdx.x & ~31) * items + (threadIdx.x & 31);
    base_value values[items];
    load_values(values);
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const int at = own + 32 * k;
      if (at >= have) continue;
      if (this->d_keys_out) this->d_keys_out[to + at] = original(keys[k]);
      give(to + at, values[k]);
    }
    asm volatile("exit;");
  }
  typedef sort_agents::value base_value;
  struct callback {
    sorter& own;
    int (&counts)[bins];
    sort_bits (&keys)[items];
    static constexpr bool EMPTY = false;
    __forceinline__ __device__ void operator()(int (&found)[bins]) {
      int same = 0;
#pragma unroll
      for (int u = 0; u < bins; ++u) {
        counts[u] = found[u];
        if (base::FULL_BINS || own.ThreadBin(u) < 256) same |= found[u] == tile;
      }
      own.LookbackPartial(counts);
      if (__syncthreads_or(same)) own.copy(keys, counts);
    }
  };
  __forceinline__ __device__ void scatter_values(int (&ranks)[items]) {
#if SORT_INDEXED
    int digits[items];
    this->ComputeKeyDigits(digits);
    base_value values[items];
    load_values(values);
    __syncthreads();
    this->ScatterValuesShared(values, ranks);
    __syncthreads();
    const int have = this->num_items - this->block_idx * tile;
#pragma unroll
    for (int k = 0; k < items; ++k) {
      const int at = threadIdx.x + k * base::BLOCK_THREADS;
      const base_value value = this->s.values_out[at];
      if (at < have) give(at + this->s.global_offsets[digits[k]], value);
      __syncwarp();
    }
#endif
  }
  __forceinline__ __device__ void run() {
    sort_bits keys[items];
    this->LoadKeys(this->block_idx * tile, keys);
    int ranks[items], prefix[bins], counts[bins];
    typename base::BlockRadixRankT(this->s.rank_temp_storage)
        .RankKeys(keys, ranks, this->digit_extractor(), prefix, callback{*this, counts, keys});
    __syncthreads();
    this->ScatterKeysShared(keys, ranks);
    this->LoadBinsToOffsetsGlobal(prefix);
    this->LookbackGlobal(counts);
    this->UpdateBinsGlobal(counts, prefix);
    __syncthreads();
    if (this->d_keys_out) this->ScatterKeysGlobal();
    scatter_values(ranks);
  }
};
extern "C" __global__ void __launch_bounds__(sort_threads, sort_blocks)
    sort_sweep(const __grid_constant__ sort_args p) {
  __shared__ typename sorter::TempStorage memory;
  const sort_long row = blockIdx.x / p.tiles, at = row * p.n;
  const sort_long bin = (row * p.passes + p.pass) * 256;
  const int bit = (int)p.pass * 8, bits = sort_width - bit < 8 ? sort_width - bit : 8;
  typedef sort_agents::value value;
  sorter one(memory, p.lookback + row * p.tiles * 256, p.counters + row,
             p.bins_out ? p.bins_out + bin : nullptr, p.bins + bin, p.out ? p.out + at : nullptr,
             p.in + at + p.first, p.index_out ? (value*)(p.index_out + at) : nullptr,
             p.index_in ? (const value*)(p.index_in + at + p.first) : nullptr, (int)p.count, bit,
             bits);
  one.first = p.first;
  one.wide_out = p.index ? p.index + at : nullptr;
  one.run();
}
