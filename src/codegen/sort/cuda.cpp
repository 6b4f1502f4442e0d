#include "codegen/sort/cuda.hpp"

#include <algorithm>

#include "codegen/sort/cub.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

// CUB sorts by what traits_t says of a key.
constexpr const char* cub_key_text = R"(
typedef long long sort_long;
enum { sort_passes = (sort_width + 7) / 8 };
struct sort_key { sort_bits bits; };
// Where elements are not written, there is no need to keep the bits of equals apart.
#if SORT_ORDER_ONLY
static inline sort_bits key_of(sort_bits x) { return compared(ordered(x)); }
static inline sort_bits sorted_by(sort_bits k) { return k; }
#else
static inline sort_bits key_of(sort_bits x) { return ordered(x); }
static inline sort_bits sorted_by(sort_bits k) { return compared(k); }
#endif
struct sort_digits {
  unsigned first, mask;
  __device__ unsigned Digit(sort_bits k) const { return (unsigned)(sorted_by(k) >> first) & mask; }
};
struct sort_conversion {
  template <class D>
  static __device__ sort_bits to_bit_ordered(D, sort_bits x) { return key_of(x); }
  template <class D>
  static __device__ sort_bits from_bit_ordered(D, sort_bits k) { return original(k); }
};
struct sort_inversion {
  template <class D>
  static __device__ sort_bits inverse(D, sort_bits k) { return (sort_bits)~k; }
};
template <>
struct cub::detail::radix::traits_t<sort_key, false> {
  typedef sort_bits bit_ordered_type;
  typedef sort_conversion bit_ordered_conversion_policy;
  typedef sort_inversion bit_ordered_inversion_policy;
  template <class F, class D>
  using digit_extractor_t = sort_digits;
  template <class D>
  static __device__ sort_bits min_raw_binary_key(D) { return original(0); }
  template <class D>
  static __device__ sort_bits max_raw_binary_key(D) { return original((sort_bits)~(sort_bits)0); }
  template <class D>
  static __device__ int default_end_bit(D) { return sort_width; }
  template <class F, class D>
  static __device__ sort_digits digit_extractor(int first, int bits, D) {
    return {(unsigned)first, (1u << bits) - 1};
  }
};
struct sort_args {
  const sort_key* in;
  sort_key* out;
  const sort_index* index_in;
  sort_index* index_out;
  sort_long* index;
  sort_index *bins, *bins_out;
  int *lookback, *counters;
  sort_long rows, n, first, count, tiles, passes, pass;
};
)";

// What fills up a tile comes last: it is in no order before an element.
constexpr const char* block_row_text = R"(
#if SORT_INDEXED
typedef unsigned sort_place;
#else
typedef cub::NullType sort_place;
#endif
typedef cub::BlockLoad<sort_key, sort_threads, sort_items, cub::BLOCK_LOAD_WARP_TRANSPOSE> loader;
typedef cub::BlockRadixSort<sort_key, sort_threads, sort_items, sort_place, sort_step> sorter;
extern "C" __global__ void __launch_bounds__(sort_threads)
sort_rows(const __grid_constant__ sort_args p) {
  __shared__ union {
    typename loader::TempStorage load;
    typename sorter::TempStorage sort;
  } memory;
  const int n = (int)p.n;
  for (sort_long row = blockIdx.x; row < p.rows; row += gridDim.x) {
    sort_key keys[sort_items];
    const sort_key last = {original((sort_bits)~(sort_bits)0)};
    loader(memory.load).Load(p.in + row * n, keys, n, last);
    __syncthreads();
#if SORT_INDEXED
    unsigned places[sort_items];
    for (int k = 0; k < sort_items; ++k) places[k] = threadIdx.x * sort_items + k;
    sorter(memory.sort).SortBlockedToStriped(keys, places, 0, sort_width);
#else
    sorter(memory.sort).SortBlockedToStriped(keys, 0, sort_width);
#endif
    for (int k = 0; k < sort_items; ++k) {
      const int at = threadIdx.x + k * sort_threads;
      if (at >= n) continue;
      if (p.out) p.out[row * n + at] = keys[k];
#if SORT_INDEXED
      if (p.index) p.index[row * n + at] = places[k];
#endif
    }
    __syncthreads();
  }
}
)";

constexpr const char* sweep_count_text = R"(
namespace cub { namespace detail { namespace radix_sort {} } }
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
}
extern "C" __global__ void __launch_bounds__(128)
sort_count(const __grid_constant__ sort_args p) {
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
)";

// CUB's pass, all in line, so that arrays stay in registers; but for the indices: those of the
// first order need not be read, nor the elements be written with the last ones, which are widened.
constexpr const char* sweep_text = R"(
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
)";

// By CUB's tuning for sm_90: threads, and elements of 4 bytes that a thread has.
SortTile nominal_sweep(const SortForm& form) {
  const int key = size_of(form.dtype);
  const int value = !form.indexed ? 0 : form.wide ? 8 : 4;
  if (key < 4) {
    if (value == 0) return {512, 19};
    if (value == 4) return {512, 17};
    return key == 1 ? SortTile{384, 18} : SortTile{512, 23};
  }
  if (key == 8) return {384, value == 8 ? 24 : 30};
  if (value == 0) return {384, 20 - (form.wide ? 1 : 0) - (form.dtype == DType::f32 ? 1 : 0)};
  return {384, value == 4 ? 23 : 29};
}

// Blocks side by side on a processor, for which the compiler keeps registers free: as many as CUB's
// own kernels come to.
int blocks_of_sweep(const SortForm& form, const SortTile& tile) {
  if (tile.threads > 384) return 1;
  return form.dtype == DType::f32 && !form.indexed ? 3 : 2;
}

std::string cub_form_text(const SortForm& form, const SortTile& tile) {
  std::string out = sort_key_text(form.dtype, form.descending);
  out += text("typedef unsigned {} sort_index;\n", form.wide ? "long long" : "int");
  out += text("#define SORT_INDEXED {}\n", form.indexed ? 1 : 0);
  out += text("#define SORT_ORDER_ONLY {}\n", form.order_only ? 1 : 0);
  out += text("enum {{ sort_threads = {}, sort_items = {}, sort_blocks = {} }};\n", tile.threads,
              tile.items, blocks_of_sweep(form, tile));
  return out;
}

}  // namespace

SortTile tile_of_row(const SortForm& form, int64_t n) {
  constexpr SortTile tiles[] = {{32, 4}, {128, 4}, {256, 8}, {256, 16}, {512, 16}};
  for (const SortTile& tile : tiles)
    if (n <= tile.size() && tile.size() * size_of(form.dtype) <= 32768) return tile;
  return {0, 0};
}

SortTile tile_of_sweep(const SortForm& form) {
  SortTile tile = nominal_sweep(form);
  const int widest = std::max({4, size_of(form.dtype), form.indexed && form.wide ? 8 : 4});
  tile.items = std::max(1, tile.items * 4 / widest);
  const int fitting = 49152 / (widest * tile.items);
  tile.threads = std::min(tile.threads, (fitting + 31) / 32 * 32);
  return tile;
}

std::string cuda_sort_row_text(const SortForm& form, const SortTile& tile) {
  std::string out = cub_prelude() + "#include <cub/block/block_radix_sort.cuh>\n";
  out += "#include <cub/block/block_load.cuh>\n" + cub_form_text(form, tile);
  out +=
      text("enum {{ sort_step = {} }};\n", tile.threads > 256 || size_of(form.dtype) == 1 ? 5 : 6);
  return out + cub_key_text + block_row_text;
}

std::string cuda_sort_sweep_text(const SortForm& form) {
  std::string out = cub_prelude() + "#include <cub/agent/agent_radix_sort_histogram.cuh>\n";
  out += "#include <cub/agent/agent_radix_sort_onesweep.cuh>\n";
  out += "#include <cub/block/block_scan.cuh>\n" + cub_form_text(form, tile_of_sweep(form));
  return out + cub_key_text + sweep_count_text + sweep_text;
}

}  // namespace gpuarr
