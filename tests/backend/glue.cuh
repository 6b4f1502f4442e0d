// How a raw module shows its kernels to the serial device, which includes this too.

namespace gpuarr_serial {

struct Triple {
  unsigned x, y, z;
};

struct Launch {
  Triple grid, block;
  const unsigned char* arguments;
};

struct Parameter {
  long long offset, bytes;  // ends with one of 0 bytes
};

struct Kernel {
  const char* name;  // null for the one behind the last
  const Parameter* parameters;
  void (*run)(const Launch& launch);
};

}  // namespace gpuarr_serial

#ifdef GPUARR_HOST  // in a module, behind the prelude

struct gpuarr_triple : gpuarr_serial::Triple {
  operator uint3() const { return {x, y, z}; }
};
inline dim3::dim3(const gpuarr_triple& v) : x(v.x), y(v.y), z(v.z) {}

static thread_local gpuarr_triple threadIdx, blockIdx, blockDim, gridDim;
constexpr int warpSize = 32;

namespace gpuarr_serial {

template <int... I>
struct sequence {};
template <int N>
using numbers = sequence<__integer_pack(N)...>;

template <auto K>
struct entry;

template <class... P, void (*K)(P...)>
struct entry<K> {
  // Parameters lie behind each other, each aligned as its type is.
  static constexpr long long offset(int index) {
    const long long bytes[] = {(long long)sizeof(P)..., 0};
    const long long alignment[] = {(long long)alignof(P)..., 1};
    long long at = 0;
    for (int i = 0;; at += bytes[i++]) {
      at = (at + alignment[i] - 1) / alignment[i] * alignment[i];
      if (i == index) return at;
    }
  }

  template <int... I>
  static constexpr const Parameter* table_of(sequence<I...>) {
    return table<I...>;
  }
  template <int... I>
  static constexpr Parameter table[] = {{offset(I), (long long)sizeof(P)}..., {0, 0}};
  static constexpr const Parameter* parameters = table_of(numbers<sizeof...(P)>());

  template <int... I>
  static void call(const unsigned char* arguments, sequence<I...>) {
    K(*(const P*)(arguments + offset(I))...);
  }

  template <class F>
  static void each(gpuarr_triple& at, const Triple& extents, F&& f) {
    for (at.z = 0; at.z < extents.z; ++at.z)
      for (at.y = 0; at.y < extents.y; ++at.y)
        for (at.x = 0; at.x < extents.x; ++at.x) f();
  }

  static void run(const Launch& launch) {
    static_cast<Triple&>(gridDim) = launch.grid;
    static_cast<Triple&>(blockDim) = launch.block;
    each(blockIdx, launch.grid, [&] {
      each(threadIdx, launch.block, [&] { call(launch.arguments, numbers<sizeof...(P)>()); });
    });
  }
};

}  // namespace gpuarr_serial

#endif
