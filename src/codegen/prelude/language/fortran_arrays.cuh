// Arrays as Fortran has them: with lower bounds, sections, and an order of memory whose first index
// is the fastest; and what is folded over them.

namespace gpuarr_fortran {

struct Range {
  long long first, last, step;
};

// How many elements or passes there are from first to last.
__device__ constexpr long long extent(long long first, long long last) {
  return last < first ? 0 : last - first + 1;
}
__device__ constexpr long long extent(long long first, long long last, long long step) {
  const long long count = (last - first + step) / step;
  return count < 0 ? 0 : count;
}

#ifdef GPUARR_CHECK_MEMORY
// An index that knows where it is written.
struct Index {
  long long at;
  gpuarr_check::Place place;
  __device__ Index(long long i, gpuarr_check::Place where = gpuarr_check::here())
      : at(i), place(where) {}
  __device__ operator long long() const { return at; }
};

__device__ inline void check_index(const char* name, int dim, Index i, long long lower,
                                   long long extent) {
  if (i.at < lower || i.at >= lower + extent)
    gpuarr_check::bad_index(name, dim + 1, i.at, lower, lower + extent - 1, i.place);
}
#endif

// An array of N dims somewhere in memory. If Unit, neighbours along the first dim are neighbours.
template <class T, int N, bool Unit = false>
struct array {
  T* data_;
  long long strides_[N], lower_[N], extent_[N];
  const char* name_;

  array() = default;
  template <class View, class... Lower>
  __device__ array(const View& view, const char* name, Lower... lower)
      : data_(view.data()), lower_{(long long)lower...}, name_(name) {
    for (int d = 0; d < N; ++d) {
      strides_[d] = view.strides()[d];
      extent_[d] = view.shape()[d];
    }
  }

  __device__ long long lower(int d) const { return lower_[d]; }
  __device__ long long extent(int d) const { return extent_[d]; }
  __device__ long long upper(int d) const { return lower_[d] + extent_[d] - 1; }
  __device__ long long stride(int d) const { return Unit && d == 0 ? 1 : strides_[d]; }
  __device__ T* data() const { return data_; }
  __device__ const char* name() const { return name_; }

#ifdef GPUARR_CHECK_MEMORY
  __device__ T& operator()(Index i) const { return at(i); }
  __device__ T& operator()(Index i, Index j) const { return at(i, j); }
  __device__ T& operator()(Index i, Index j, Index k) const { return at(i, j, k); }
  __device__ T& operator()(Index i, Index j, Index k, Index l) const { return at(i, j, k, l); }
  __device__ T& operator()(Index i, Index j, Index k, Index l, Index m) const {
    return at(i, j, k, l, m);
  }
  template <class... I>
  __device__ T& at(I... index) const {
    const Index indices[N] = {index...};
    for (int d = 0; d < N; ++d) check_index(name_, d, indices[d], lower_[d], extent_[d]);
    return plain(index.at...);
  }
#else
  template <class... I>
  __device__ T& operator()(I... index) const {
    return plain(index...);
  }
#endif

  template <class... I>
  __device__ T& plain(I... index) const {
    static_assert(sizeof...(I) == N, "give one subscript for each dim of the array");
    const long long indices[N] = {(long long)index...};
    long long offset = (indices[0] - lower_[0]) * stride(0);
    for (int d = 1; d < N; ++d) offset += (indices[d] - lower_[d]) * strides_[d];
    return data_[offset];
  }
};

// A thread's own array, of a fixed size: for each dim its lower bound and extent.
template <class T, long long... Bounds>
struct local {
  static constexpr int rank = sizeof...(Bounds) / 2;
  static constexpr long long size() {
    const long long bounds[] = {Bounds...};
    long long product = 1;
    for (int d = 0; d < rank; ++d) product *= bounds[2 * d + 1];
    return product > 0 ? product : 1;
  }
  T data_[size()];

  __device__ static constexpr long long lower(int d) {
    const long long bounds[] = {Bounds...};
    return bounds[2 * d];
  }
  __device__ static constexpr long long extent(int d) {
    const long long bounds[] = {Bounds...};
    return bounds[2 * d + 1];
  }
  __device__ static constexpr long long upper(int d) { return lower(d) + extent(d) - 1; }
  __device__ static constexpr long long stride(int d) {
    long long product = 1;
    for (int k = 0; k < d; ++k) product *= extent(k);
    return product;
  }
  __device__ T* data() { return data_; }
  __device__ const T* data() const { return data_; }
  __device__ const char* name() const { return "a thread's own array"; }

  template <class... I>
  __device__ static constexpr long long offset(I... index) {
    static_assert(sizeof...(I) == rank, "give one subscript for each dim of the array");
    const long long indices[] = {(long long)index...};
    long long sum = 0;
    for (int d = 0; d < rank; ++d) sum += (indices[d] - lower(d)) * stride(d);
    return sum;
  }
  template <class... I>
  __device__ constexpr T& operator()(I... index) {
    return data_[offset(index...)];
  }
  template <class... I>
  __device__ constexpr const T& operator()(I... index) const {
    return data_[offset(index...)];
  }
};

// The same array with other lower bounds, as an argument has them.
template <class T, int N, bool Unit, class... Lower>
__device__ inline array<T, N, Unit> rebased(array<T, N, Unit> a, Lower... lower) {
  const long long bounds[N] = {(long long)lower...};
  for (int d = 0; d < N; ++d) a.lower_[d] = bounds[d];
  return a;
}
template <class T, long long... Bounds, class... Lower>
__device__ inline auto rebased(const local<T, Bounds...>& a, Lower... lower) {
  array<T, sizeof...(Lower), true> made;
  const long long bounds[] = {(long long)lower...};
  made.data_ = const_cast<T*>(a.data_);
  made.name_ = a.name();
  for (int d = 0; d < (int)sizeof...(Lower); ++d) {
    made.strides_[d] = a.stride(d);
    made.extent_[d] = a.extent(d);
    made.lower_[d] = bounds[d];
  }
  return made;
}

template <class T>
struct PointedAt;
template <class T>
struct PointedAt<T*> {
  typedef T type;
};
__device__ constexpr bool is_range(const Range&) { return true; }
__device__ constexpr bool is_range(long long) { return false; }
__device__ constexpr Range range_of(const Range& range) { return range; }
__device__ constexpr Range range_of(long long i) { return {i, i, 1}; }
template <class T>
struct RangeCount {
  static constexpr int value = 0;
};
template <>
struct RangeCount<Range> {
  static constexpr int value = 1;
};

// u(:, j): what ranges are left of an array; each has the lower bound 1.
template <class A, class... Subscript>
__device__ inline auto section(A& a, Subscript... subscript) {
  constexpr int count = (0 + ... + RangeCount<Subscript>::value);
  array<typename PointedAt<decltype(a.data())>::type, count> made;
  const Range ranges[] = {range_of(subscript)...};
  const bool kept[] = {is_range(subscript)...};
  long long offset = 0;
  int next = 0;
  for (int d = 0; d < (int)sizeof...(Subscript); ++d) {
    offset += (ranges[d].first - a.lower(d)) * a.stride(d);
    if (!kept[d]) continue;
    made.strides_[next] = ranges[d].step * a.stride(d);
    made.extent_[next] = gpuarr_fortran::extent(ranges[d].first, ranges[d].last, ranges[d].step);
    made.lower_[next++] = 1;
  }
  made.data_ = a.data() + offset;
  made.name_ = a.name();
  return made;
}

// A loop that folds is shared by the threads of a launch, each of which has partial results: on a
// GPU one, for points that lie a grid apart; on the CPU one for each lane of a vector. A block
// combines them.
#ifdef __CUDACC_RTC__
constexpr int lanes = 1;
constexpr int most_threads = 256;  // of a block
#else
constexpr int lanes = 64, few_lanes = 16;
#endif

// Where a thread is: which block of how many, which thread of how many.
struct Grid {
  unsigned block[3], blocks[3], thread[3], threads[3];
  __device__ unsigned block_number() const {
    return (block[2] * blocks[1] + block[1]) * blocks[0] + block[0];
  }
  __device__ unsigned thread_number() const { return thread[1] * threads[0] + thread[0]; }
  __device__ bool is_first() const { return block_number() == 0 && thread_number() == 0; }
};

// Calls `body` for the thread's points, with the partial results that it is to go on with.
#ifndef __CUDACC_RTC__
struct Share {
  long long first, last;
  Share(long long n, const Grid& grid, int axis)
      : first(n * grid.block[axis] / grid.blocks[axis]),
        last(n * (grid.block[axis] + 1) / grid.blocks[axis]) {}
};
template <class Folds, class Body>
inline void share(Folds (&partial)[lanes], const Grid& grid, long long nx, long long ny,
                  long long nz, const Body& body) {
  const Share at_x(nx, grid, 0), at_y(ny, grid, 1), at_z(nz, grid, 2);
  for (long long z = at_z.first; z < at_z.last; ++z)
    for (long long y = at_y.first; y < at_y.last; ++y) {
      long long x = at_x.first;
      for (; x + lanes <= at_x.last; x += lanes)
        for (int lane = 0; lane < lanes; ++lane) body(x + lane, y, z, partial[lane]);
      for (; x + few_lanes <= at_x.last; x += few_lanes)
        for (int lane = 0; lane < few_lanes; ++lane) body(x + lane, y, z, partial[lane]);
      for (; x < at_x.last; ++x) body(x, y, z, partial[0]);
    }
}
#else
template <class Folds, class Body>
__device__ inline void share(Folds (&partial)[lanes], const Grid& grid, long long nx, long long ny,
                             long long nz, const Body& body) {
  const unsigned first_x = grid.block[0] * grid.threads[0] + grid.thread[0];
  const unsigned first_y = grid.block[1] * grid.threads[1] + grid.thread[1];
  const unsigned step = grid.blocks[0] * grid.threads[0];
  // Counted, so that four passes become one, whose loads are under way at once.
  const unsigned passes = first_x < nx ? (unsigned)((nx - first_x - 1) / step + 1) : 0;
  for (long long z = grid.block[2]; z < nz; z += grid.blocks[2])
    for (long long y = first_y; y < ny; y += (long long)grid.blocks[1] * grid.threads[1])
#pragma unroll 4
      for (unsigned k = 0; k < passes; ++k) body(first_x + (long long)k * step, y, z, partial[0]);
}
#endif

// Combines one member of what the threads of a block have, halves into each other, and stores it
// as the block's.
template <class T, class Folds, class Combine>
__device__ inline void leave(T* of_blocks, const Folds (&partial)[lanes], T Folds::*member,
                             const Grid& grid, Combine combine) {
#ifndef __CUDACC_RTC__
  T all[lanes];
  for (int lane = 0; lane < lanes; ++lane) all[lane] = partial[lane].*member;
  for (int half = lanes / 2; half > 0; half /= 2)
    for (int lane = 0; lane < half; ++lane) all[lane] = combine(all[lane], all[lane + half]);
  of_blocks[grid.block_number()] = all[0];
#else
  __shared__ T all[most_threads];
  const unsigned thread = grid.thread_number();
  all[thread] = partial[0].*member;
  for (unsigned count = grid.threads[0] * grid.threads[1]; count > 1;) {
    const unsigned half = (count + 1) / 2;
    __syncthreads();
    if (thread + half < count) all[thread] = combine(all[thread], all[thread + half]);
    count = half;
  }
  if (thread == 0) of_blocks[grid.block_number()] = all[0];
#endif
}

// Folds of n elements, which `at` gives by their number from 0.
template <class T, class At>
__device__ inline T sum(long long n, At at) {
  T result = T(0);
  for (long long k = 0; k < n; ++k) result = (T)(result + at(k));
  return result;
}
template <class T, class At>
__device__ inline T product(long long n, At at) {
  T result = T(1);
  for (long long k = 0; k < n; ++k) result = (T)(result * at(k));
  return result;
}
template <class T, class At>
__device__ inline T maxval(long long n, At at) {
  T result = n > 0 ? (T)at(0) : (T)(IsInteger<T>::value ? least<T>() : -huge<T>());
  for (long long k = 1; k < n; ++k) result = max(result, (T)at(k));
  return result;
}
template <class T, class At>
__device__ inline T minval(long long n, At at) {
  T result = n > 0 ? (T)at(0) : huge<T>();
  for (long long k = 1; k < n; ++k) result = min(result, (T)at(k));
  return result;
}
// Which element is the greatest, or the least, from 1: the first one, and not a NaN where there are
// numbers. 0 of none.
template <class T, class IsBetter, class At>
__device__ inline int place_of_best(long long n, IsBetter is_better, At at) {
  long long found = 0;
  T best = T(0);
  for (long long k = 0; k < n; ++k) {
    const T value = at(k);
    if (k == 0 || is_better(value, best) || (best != best && value == value)) {
      best = value;
      found = k;
    }
  }
  return n > 0 ? (int)(found + 1) : 0;
}
template <class T, class At>
__device__ inline int maxloc(long long n, At at) {
  return place_of_best<T>(
      n, [](T x, T best) { return x > best; }, at);
}
template <class T, class At>
__device__ inline int minloc(long long n, At at) {
  return place_of_best<T>(
      n, [](T x, T best) { return x < best; }, at);
}
template <class At>
__device__ inline int count(long long n, At at) {
  int result = 0;
  for (long long k = 0; k < n; ++k) result += at(k);
  return result;
}
template <class At>
__device__ inline bool any(long long n, At at) {
  bool result = false;
  for (long long k = 0; k < n; ++k) result = result || at(k);
  return result;
}
template <class At>
__device__ inline bool all(long long n, At at) {
  bool result = true;
  for (long long k = 0; k < n; ++k) result = result && at(k);
  return result;
}

}  // namespace gpuarr_fortran
