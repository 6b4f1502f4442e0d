// How a module calls its kernels, and the table that it shows to the library. A __global__ function
// is an always_inline one here, and the module's text ends with:
//
//   static const gpuarr_kernel gpuarr_kernels[] = {
//       GPUARR_KERNEL("saxpy", -1, 256, saxpy)         // name, threads and max_threads as in
//       GPUARR_KERNEL("ns::scale<float, 4>", 1, 0,     // gpuarr_kernel, then the function; -1 is 0
//                     ns::scale<float, 4>)             // for one that does not know its block
//       {}};
//   static const gpuarr_global gpuarr_globals[] = {
//       GPUARR_GLOBAL("table", table)                  // name, variable
//       {}};
//   GPUARR_TABLE

namespace gpuarr_glue {

template <class T, T... I>
struct sequence {};
#ifdef __clang__
template <int N>
using numbers = __make_integer_seq<sequence, int, N>;
#else
template <int N>
using numbers = sequence<int, __integer_pack(N)...>;
#endif

template <class T>
constexpr const char* type_text() {
  return __PRETTY_FUNCTION__;
}

template <class T>
struct element {
  typedef T type;
};
template <class T, decltype(sizeof 0) N>
struct element<T[N]> : element<T> {};

template <class T>
constexpr bool is_value = true;
template <class T>
constexpr bool is_value<T&> = false;
template <class T>
constexpr bool is_value<T&&> = false;

// Parameters lie behind each other, each aligned as its type is, as CUDA has them.
template <class... P>
struct layout {
  static constexpr int count = sizeof...(P);
  static constexpr long long offset(int index) {
    const long long bytes[] = {(long long)sizeof(P)..., 0};
    const long long alignment[] = {(long long)alignof(P)..., 1};
    long long at = 0;
    for (int i = 0;; ++i) {
      at = (at + alignment[i] - 1) / alignment[i] * alignment[i];
      if (i == index) return at;
      at += bytes[i];
    }
  }
};

template <class P>
inline P argument(const unsigned char* from) {
  alignas(P) unsigned char copy[sizeof(P)];
  __builtin_memcpy(copy, from, sizeof copy);
  return *reinterpret_cast<P*>(copy);
}

// From the one at `x`, of `count` that are to be done.
inline unsigned blocks_in_row(const gpuarr_launch& launch, unsigned x, long long count,
                              unsigned most) {
  const unsigned blocks = launch.grid.x - x < most ? launch.grid.x - x : most;
  return count < blocks ? (unsigned)count : blocks;
}

inline void begin(const gpuarr_launch& launch) {
  services = launch.services;
  set_dimensions(launch);
}

// Where threads are loops.
inline void begin_loop(const gpuarr_launch& launch, long long block) {
  begin(launch);
  self = &none;
  dynamic_shared = launch.shared_bytes > 0 ? services->shared(&launch) : nullptr;
  set_block(launch, block);
}

template <auto K>
struct launcher;

template <class... P, void (*K)(P...)>
struct launcher<K> {
  typedef numbers<sizeof...(P)> all;

  template <int... I>
  static constexpr const gpuarr_parameter* parameters(sequence<int, I...>) {
    return table<I...>;
  }
  template <int... I>
  static constexpr gpuarr_parameter table[] = {
      {type_text<P>(), layout<P...>::offset(I), (long long)sizeof(P)}..., {nullptr, 0, 0}};

  static void as_fibers(const void* context, long long, long long) {
    const gpuarr_launch& launch = *(const gpuarr_launch*)context;
    begin(launch);
    services->run(&launch, [](gpuarr_fiber* fiber) {
      begin_thread(fiber);
      run_thread(fiber, all());
    });
  }

  template <bool InRows>
  static void as_loops(const void* context, long long first, long long last) {
    const gpuarr_launch& launch = *(const gpuarr_launch*)context;
    begin_loop(launch, first);
    unpack<InRows>(launch, last - first, all());
  }

  static __attribute__((always_inline)) void begin_thread(gpuarr_fiber* fiber) {
    const gpuarr_block& block = *fiber->block;
    go_on_as(fiber);
    blockIdx.x = block.index.x;
    blockIdx.y = block.index.y;
    blockIdx.z = block.index.z;
    dynamic_shared = block.shared;
  }

  // Not inlined, so that it is known which thread has no room for the kernel's variables.
  template <int... I>
  __attribute__((noinline)) static void run_thread(gpuarr_fiber* fiber, sequence<int, I...>) {
    const unsigned char* from = fiber->block->launch->arguments;
    for (;; end_thread(fiber)) {
      begin_thread(fiber);
      K(argument<P>(from + layout<P...>::offset(I))...);
    }
  }

  template <bool InRows, int... I>
  static void unpack(const gpuarr_launch& launch, long long count, sequence<int, I...>) {
    const unsigned char* from = launch.arguments;
    if ((unsigned long long)launch.grid.x * launch.block.x <= near)
      loop<InRows>(launch, count, argument<P>(from + layout<P...>::offset(I))...);
    else
      far_loop(launch, count, argument<P>(from + layout<P...>::offset(I))...);
  }

  // No thread depends on what another one writes, so they may run in vectors. For
  // `int i = blockIdx.x * blockDim.x + threadIdx.x` that takes knowing that i grows with the
  // thread, as it does where the sums stay below 2^31: GCC cannot look at that itself. If what is
  // counted is i itself, it makes two loops of one with `if (i < n)`, and has no masks.
  static constexpr unsigned near = 0x7fffe000, most_in_row = 4096;

  // Not inlined, or GCC would run out of registers. Words that were just written are read as they
  // were written, one by one: otherwise the processor waits until all before them have left for
  // memory.
  __attribute__((noinline)) static void row(unsigned block_x, unsigned block_y, unsigned block_z,
                                            unsigned y, unsigned z, unsigned count, P... values) {
    blockIdx.x = block_x;
    blockIdx.y = block_y;
    blockIdx.z = block_z;
    threadIdx.y = y;
    threadIdx.z = z;
    const unsigned first = block_x * blockDim.x;
    if (first > near || count - 1 > most_in_row - 1) __builtin_unreachable();
    const int end = (int)(first + count);
// clang's pragma would also hold for threadIdx itself, this one does for local arrays.
#if !defined(__clang__) && !defined(GPUARR_LOCAL_MEMORY)
#pragma GCC ivdep
#endif
    for (int i = (int)first; i < end; ++i) {
      threadIdx.x = (unsigned)i - first;
      K(values...);
    }
  }

  // A kernel that does not know its block has several in a row, as if they were one.
  template <bool InRows>
  static void loop(const gpuarr_launch& launch, long long count, P... values) {
    const unsigned most = InRows ? most_in_row / launch.block.x : 1;
    gpuarr_dim at = {blockIdx.x, blockIdx.y, blockIdx.z};
    while (count > 0 && !__atomic_load_n(&launch.stop, __ATOMIC_RELAXED)) {
      const unsigned blocks = blocks_in_row(launch, at.x, count, most);
      for (unsigned z = 0; z < launch.block.z; ++z)
        for (unsigned y = 0; y < launch.block.y; ++y)
          row(at.x, at.y, at.z, y, z, blocks * launch.block.x, values...);
      count -= blocks;
      at.x += blocks;
      if (at.x < launch.grid.x) continue;
      at.x = 0;
      if (++at.y < launch.grid.y) continue;
      at.y = 0;
      ++at.z;
    }
  }

  __attribute__((noinline)) static void thread(P... values) { K(values...); }

  __attribute__((noinline)) static void far_loop(const gpuarr_launch& launch, long long count,
                                                 P... values) {
    for (; count > 0 && !__atomic_load_n(&launch.stop, __ATOMIC_RELAXED); --count) {
      for (unsigned z = 0; z < launch.block.z; ++z)
        for (unsigned y = 0; y < launch.block.y; ++y)
          for (unsigned x = 0; x < launch.block.x; ++x) {
            threadIdx.x = x;
            threadIdx.y = y;
            threadIdx.z = z;
            thread(values...);
          }
      next_block(launch);
    }
  }

  static constexpr gpuarr_kernel entry(const char* name, int threads, int max_threads) {
    static_assert((... && is_value<P>), "a kernel's parameters are values, not references");
    return {name,
            threads > 0    ? as_fibers
            : threads == 0 ? as_loops<false>
                           : as_loops<true>,
            threads > 0 ? threads : 0,
            sizeof...(P),
            parameters(all()),
            layout<P...>::offset(sizeof...(P)),
            max_threads,
            nullptr};
  }
};

}  // namespace gpuarr_glue

#define GPUARR_KERNEL(name, threads, max_threads, ...) \
  gpuarr_glue::launcher<&__VA_ARGS__>::entry(name, threads, max_threads),
#define GPUARR_GLOBAL(name, ...)                              \
  {name, (void*)&__VA_ARGS__, (long long)sizeof(__VA_ARGS__), \
   gpuarr_glue::type_text<gpuarr_glue::element<decltype(__VA_ARGS__)>::type>()},
#define GPUARR_TABLE                                                                           \
  extern "C" __attribute__((visibility("default"))) const gpuarr_table gpuarr_module_table = { \
      gpuarr_abi_version, sizeof gpuarr_kernels / sizeof *gpuarr_kernels - 1,                  \
      sizeof gpuarr_globals / sizeof *gpuarr_globals - 1, gpuarr_kernels, gpuarr_globals};
