// What the text of a kernel that was cut at its barriers is made of (see split/README.md).

namespace gpuarr_glue {

// Along x, in what is done as one block: of a kernel that does not know its block, several may be.
static thread_local unsigned row_threads = 1;

// Of a block's threads: the elements lie in arrays on the worker's stack.
constexpr unsigned long most_stored = 320 << 10;

template <class T>
constexpr bool storable = __is_trivially_copyable(T) && __is_trivially_constructible(T);

template <class T>
inline __attribute__((always_inline)) T& keep(T& to, const T& from) {
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

inline bool any_active(const unsigned char* state, unsigned threads) {
  for (unsigned t = 0; t < threads; ++t)
    if (state[t] == 0) return true;
  return false;
}

inline void change_state(unsigned char* state, unsigned threads, unsigned char from,
                         unsigned char to) {
  for (unsigned t = 0; t < threads; ++t) state[t] = state[t] == from ? to : state[t];
}

// What counts the elements of a loop with a stride.
template <class T, unsigned long Bytes = sizeof(T)>
struct wide;
template <class T>
struct wide<T, 4> {
  typedef long type;
};
template <class T>
struct wide<T, 8> {
  typedef T type;
};

}  // namespace gpuarr_glue

// clang's pragma would hold for threadIdx too, which is stored by one thread after another.
#if defined(__clang__) || defined(GPUARR_LOCAL_MEMORY)
#define GPUARR_SPLIT_VECTORS
#else
#define GPUARR_SPLIT_VECTORS _Pragma("GCC ivdep")
#endif

#define GPUARR_SPLIT_BLOCK                                                     \
  const unsigned gpuarr_nx = gpuarr_glue::row_threads, gpuarr_ny = blockDim.y, \
                 gpuarr_nz = blockDim.z;                                       \
  if (gpuarr_nx - 1 > 1023 || blockIdx.x > gpuarr_most_split.x ||              \
      blockIdx.y > gpuarr_most_split.y || blockIdx.z > gpuarr_most_split.z)    \
    __builtin_unreachable();

// What stands in a thread's way: 0 nothing, 1 it has returned; else the number of the branch or the
// loop at whose end it goes on.
#define GPUARR_SPLIT_STATE          \
  unsigned char gpuarr_state[1024]; \
  __builtin_memset(gpuarr_state, 0, gpuarr_nx* gpuarr_ny* gpuarr_nz);
#define GPUARR_SPLIT_ANY gpuarr_glue::any_active(gpuarr_state, gpuarr_nx* gpuarr_ny* gpuarr_nz)
#define GPUARR_SPLIT_RELEASE(from, to) \
  gpuarr_glue::change_state(gpuarr_state, gpuarr_nx* gpuarr_ny* gpuarr_nz, from, to);

#define GPUARR_SPLIT_ROWS                                           \
  for (unsigned gpuarr_z = 0; gpuarr_z < gpuarr_nz; ++gpuarr_z)     \
    for (unsigned gpuarr_y = 0; gpuarr_y < gpuarr_ny; ++gpuarr_y) { \
      threadIdx.z = gpuarr_z;                                       \
      threadIdx.y = gpuarr_y;                                       \
      const unsigned long gpuarr_row = (gpuarr_z * gpuarr_ny + gpuarr_y) * gpuarr_nx;
#define GPUARR_SPLIT_THREADS                                      \
  GPUARR_SPLIT_ROWS                                               \
  GPUARR_SPLIT_VECTORS                                            \
  for (unsigned gpuarr_x = 0; gpuarr_x < gpuarr_nx; ++gpuarr_x) { \
    threadIdx.x = gpuarr_x;                                       \
    const unsigned long gpuarr_thread = gpuarr_row + gpuarr_x;
#define GPUARR_SPLIT_ACTIVE \
  GPUARR_SPLIT_THREADS      \
  if (gpuarr_state[gpuarr_thread] != 0) continue;
// A loop with a stride, until no thread wants another pass. GCC is told of blockDim here only: it
// does not vectorise other kernels that are told.
#define GPUARR_SPLIT_PASSES(pass, more)             \
  for (long pass = 0;; ++pass) {                    \
    if (blockDim.x > 1024) __builtin_unreachable(); \
    int more = 0;
#define GPUARR_SPLIT_COUNTER(written, first, by, pass)  \
  typedef gpuarr_glue::wide<written>::type gpuarr_wide; \
  const gpuarr_wide gpuarr_by = (gpuarr_wide)by;        \
  const gpuarr_wide gpuarr_at = (gpuarr_wide)(written)first + (gpuarr_wide)pass * gpuarr_by;
// Threads by their counters, which lie in a row: then GCC makes two loops of one with a limit, as
// for kernels without barriers.
#define GPUARR_SPLIT_ROW                                                                \
  const long gpuarr_first = gpuarr_at;                                                  \
  GPUARR_SPLIT_VECTORS                                                                  \
  for (long gpuarr_i = gpuarr_first; gpuarr_i < gpuarr_first + gpuarr_nx; ++gpuarr_i) { \
    threadIdx.x = (unsigned)(gpuarr_i - gpuarr_first);                                  \
    const unsigned long gpuarr_thread = gpuarr_row + (gpuarr_i - gpuarr_first);         \
    const gpuarr_wide gpuarr_at = gpuarr_i;
#define GPUARR_SPLIT_END \
  }                      \
  }

namespace gpuarr_glue {

// Of a function that does a whole block.
template <auto S, bool InRows>
struct split_launcher;

template <class... P, void (*S)(P...), bool InRows>
struct split_launcher<S, InRows> {
  static void blocks(const void* context, long long first, long long last) {
    const gpuarr_launch& launch = *(const gpuarr_launch*)context;
    begin_loop(launch, first);
    loop(launch, last - first, typename launcher<S>::all());
  }

  template <int... I>
  static void loop(const gpuarr_launch& launch, long long count, sequence<int, I...>) {
    const unsigned char* from = launch.arguments;
    const unsigned most = InRows ? 1024 / (launch.block.x * launch.block.y * launch.block.z) : 1;
    while (count > 0 && !__atomic_load_n(&launch.stop, __ATOMIC_RELAXED)) {
      const unsigned blocks = blocks_in_row(launch, blockIdx.x, count, most);
      row_threads = blocks * launch.block.x;
      S(argument<P>(from + layout<P...>::offset(I))...);
      count -= blocks;
      blockIdx.x = blockIdx.x + blocks - 1;
      next_block(launch);
    }
  }
};

constexpr gpuarr_kernel with_split(gpuarr_kernel kernel, decltype(gpuarr_kernel::split) split) {
  kernel.split = split;
  return kernel;
}

}  // namespace gpuarr_glue

// As GPUARR_KERNEL, with the function in parentheses.
#define GPUARR_SPLIT_KERNEL(name, threads, max_threads, function, ...)                            \
  gpuarr_glue::with_split(gpuarr_glue::launcher<&__VA_ARGS__>::entry(name, threads, max_threads), \
                          gpuarr_glue::split_launcher<&function, ((threads) < 0)>::blocks),
