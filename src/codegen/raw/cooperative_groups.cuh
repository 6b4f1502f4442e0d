// cooperative_groups.h on the host: groups of a warp at most know the mask of their lanes; the
// glue's barriers and warp operations do the work.
#pragma once

namespace cooperative_groups {

namespace detail {

inline unsigned rank_in_block() {
  return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
inline unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }
inline unsigned rank_of_block() {
  return (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
}
inline unsigned blocks_of_grid() { return gridDim.x * gridDim.y * gridDim.z; }
inline dim3 dim(const uint3& v) { return dim3(v.x, v.y, v.z); }

// The lanes of a tile of n threads that there are: the last warp of a block may not be full.
inline unsigned lanes_of_tile(unsigned n) {
  const unsigned rank = rank_in_block(), first = rank & ~(n - 1);
  const unsigned left = threads_of_block() - first, count = left < n ? left : n;
  return (count < 32 ? (1u << count) - 1 : ~0u) << (first & 31);
}
inline unsigned place(unsigned mask) {  // of the calling lane among those
  return (unsigned)__popc(mask & ((1u << (rank_in_block() & 31)) - 1));
}
inline unsigned lane_at(unsigned mask, unsigned place) {
  return mask == ~0u ? place : __fns(mask, 0, (int)place + 1);
}
inline unsigned packed(unsigned bits,
                       unsigned mask) {  // the bits of the mask's lanes, side by side
  unsigned result = 0;
  for (int to = 0; mask != 0; mask &= mask - 1, ++to)
    result |= (bits >> (__ffs((int)mask) - 1) & 1) << to;
  return result;
}

}  // namespace detail

// The lanes of a mask, and what they do together.
class coalesced_group {
 public:
  explicit coalesced_group(unsigned mask) : mask_(mask) {}
  unsigned lanes() const { return mask_; }
  unsigned size() const { return (unsigned)__popc(mask_); }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const { return detail::place(mask_); }
  unsigned meta_group_size() const { return 1; }
  unsigned meta_group_rank() const { return 0; }
  void sync() const { __syncwarp(mask_); }

  template <class T>
  T shfl(T value, int rank) const {
    return __shfl_sync(mask_, value, (int)detail::lane_at(mask_, (unsigned)rank % size()));
  }
  template <class T>
  T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank(), from = rank < delta ? rank : rank - delta;
    return __shfl_sync(mask_, value, (int)detail::lane_at(mask_, from));
  }
  template <class T>
  T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank(), from = rank + delta < size() ? rank + delta : rank;
    return __shfl_sync(mask_, value, (int)detail::lane_at(mask_, from));
  }
  int any(int predicate) const { return __any_sync(mask_, predicate); }
  int all(int predicate) const { return __all_sync(mask_, predicate); }
  unsigned ballot(int predicate) const {
    return detail::packed(__ballot_sync(mask_, predicate), mask_);
  }
  template <class T>
  unsigned match_any(T value) const {
    return detail::packed(__match_any_sync(mask_, value), mask_);
  }
  template <class T>
  unsigned match_all(T value, int& all) const {
    return detail::packed(__match_all_sync(mask_, value, &all), mask_);
  }

 private:
  unsigned mask_;
};

class thread_block {
 public:
  static void sync() { __syncthreads(); }
  static void barrier_arrive() {}
  static void barrier_wait() { __syncthreads(); }
  static unsigned thread_rank() { return detail::rank_in_block(); }
  static unsigned size() { return detail::threads_of_block(); }
  static unsigned num_threads() { return size(); }
  static dim3 group_index() { return detail::dim(blockIdx); }
  static dim3 thread_index() { return detail::dim(threadIdx); }
  static dim3 dim_threads() { return blockDim; }
  static dim3 group_dim() { return blockDim; }
};

class grid_group {
 public:
  static void sync() { gpuarr_grid_barrier(); }
  static bool is_valid() { return true; }
  static unsigned long long thread_rank() {
    return (unsigned long long)detail::rank_of_block() * detail::threads_of_block() +
           detail::rank_in_block();
  }
  static unsigned long long size() {
    return (unsigned long long)detail::blocks_of_grid() * detail::threads_of_block();
  }
  static unsigned long long num_threads() { return size(); }
  static unsigned long long num_blocks() { return detail::blocks_of_grid(); }
  static unsigned long long block_rank() { return detail::rank_of_block(); }
  static dim3 dim_blocks() { return gridDim; }
  static dim3 group_dim() { return gridDim; }
  static dim3 block_index() { return detail::dim(blockIdx); }
};

// A cluster of one block.
class cluster_group {
 public:
  static void sync() { __syncthreads(); }
  static void barrier_arrive() {}
  static void barrier_wait() { __syncthreads(); }
  static unsigned thread_rank() { return detail::rank_in_block(); }
  static unsigned size() { return detail::threads_of_block(); }
  static unsigned num_threads() { return size(); }
  static unsigned num_blocks() { return 1; }
  static unsigned block_rank() { return 0; }
  static dim3 block_index() { return dim3(0, 0, 0); }
  static dim3 dim_blocks() { return dim3(1, 1, 1); }
  static dim3 thread_index() { return detail::dim(threadIdx); }
  static dim3 dim_threads() { return blockDim; }
  template <class T>
  static T* map_shared_rank(T* address, int) {
    return address;
  }
  static unsigned query_shared_rank(const void*) { return 0; }
};

template <unsigned N, class Parent = void>
class thread_block_tile;

namespace detail {
template <class Group>
constexpr unsigned size_of_tile = 1024;  // of what is no tile: the whole block
template <unsigned N, class Parent>
constexpr unsigned size_of_tile<thread_block_tile<N, Parent>> = N;
}  // namespace detail

// N threads of a warp that are neighbours.
template <unsigned N, class Parent>
class thread_block_tile {
  static_assert(N <= 32 && (N & (N - 1)) == 0,
                "on the CPU, a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  thread_block_tile() = default;
  template <class Other>
  thread_block_tile(const thread_block_tile<N, Other>&) {}
  static unsigned lanes() { return detail::lanes_of_tile(N); }
  static constexpr unsigned size() { return N; }
  static constexpr unsigned num_threads() { return N; }
  static unsigned thread_rank() { return detail::rank_in_block() & (N - 1); }
  static unsigned meta_group_rank() {
    return detail::rank_in_block() % detail::size_of_tile<Parent> / N;
  }
  static unsigned meta_group_size() {
    const unsigned whole = detail::size_of_tile<Parent>, block = detail::threads_of_block();
    return ((whole < block ? whole : block) + N - 1) / N;
  }
  static void sync() { __syncwarp(lanes()); }

  template <class T>
  static T shfl(T value, int rank) {
    return __shfl_sync(lanes(), value, rank, N);
  }
  template <class T>
  static T shfl_up(T value, unsigned delta) {
    return __shfl_up_sync(lanes(), value, delta, N);
  }
  template <class T>
  static T shfl_down(T value, unsigned delta) {
    return __shfl_down_sync(lanes(), value, delta, N);
  }
  template <class T>
  static T shfl_xor(T value, unsigned mask) {
    return __shfl_xor_sync(lanes(), value, (int)mask, N);
  }
  static int any(int predicate) { return __any_sync(lanes(), predicate); }
  static int all(int predicate) { return __all_sync(lanes(), predicate); }
  static unsigned ballot(int predicate) {
    return detail::packed(__ballot_sync(lanes(), predicate), lanes());
  }
  template <class T>
  static unsigned match_any(T value) {
    return detail::packed(__match_any_sync(lanes(), value), lanes());
  }
  template <class T>
  static unsigned match_all(T value, int& all) {
    return detail::packed(__match_all_sync(lanes(), value, &all), lanes());
  }
};

// Any of a block's groups.
class thread_group {
 public:
  thread_group(const thread_block&) : mask_(0) {}
  thread_group(const coalesced_group& group) : mask_(group.lanes()) {}
  template <unsigned N, class Parent>
  thread_group(const thread_block_tile<N, Parent>& tile) : mask_(tile.lanes()) {}
  void sync() const {
    if (mask_ != 0)
      __syncwarp(mask_);
    else
      __syncthreads();
  }
  unsigned size() const {
    return mask_ != 0 ? (unsigned)__popc(mask_) : detail::threads_of_block();
  }
  unsigned num_threads() const { return size(); }
  unsigned thread_rank() const {
    return mask_ != 0 ? detail::place(mask_) : detail::rank_in_block();
  }
  unsigned lanes() const { return mask_; }

 private:
  unsigned mask_;  // 0: the whole block
};

inline thread_block this_thread_block() { return {}; }
inline grid_group this_grid() { return {}; }
inline cluster_group this_cluster() { return {}; }
inline coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
inline void sync(const thread_group& group) { group.sync(); }
inline void sync(const grid_group& group) { group.sync(); }

template <unsigned N, class Group>
inline thread_block_tile<N, Group> tiled_partition(const Group&) {
  return {};
}
inline thread_group tiled_partition(const thread_group&, unsigned threads) {
  return coalesced_group(detail::lanes_of_tile(threads));
}
template <class Group>
inline coalesced_group binary_partition(const Group& group, bool predicate) {
  const unsigned mask = group.lanes(), yes = __ballot_sync(mask, predicate);
  return coalesced_group(predicate ? yes : mask & ~yes);
}
template <class Group, class Label>
inline coalesced_group labeled_partition(const Group& group, Label label) {
  return coalesced_group(__match_any_sync(group.lanes(), label));
}

}  // namespace cooperative_groups
