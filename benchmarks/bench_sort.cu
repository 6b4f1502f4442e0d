// Sorting on the GPU beside CUB's own sorts, which nvcc compiled into this program.
#include <cub/device/device_radix_sort.cuh>

#include <functional>

#include "cuda_bench.cuh"
#include "measure.hpp"

namespace {

bool all_right = true;

/// Memory of the device for as long as a test takes.
class Memory {
 public:
  explicit Memory(size_t bytes) : bytes_(bytes) { check(cudaMalloc(&data_, bytes)); }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }
  size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  size_t bytes_;
};

/// A call of CUB's, which says how much memory it needs when it is given none.
using CubCall = std::function<cudaError_t(void* memory, size_t& bytes)>;

size_t memory_for(const CubCall& call) {
  size_t bytes = 0;
  check(call(nullptr, bytes));
  return bytes;
}

template <class T>
__global__ void iota_kernel(T* values, int64_t n) {
  const int64_t i = blockIdx.x * int64_t{256} + threadIdx.x;
  if (i < n) values[i] = static_cast<T>(i);
}

template <class A, class B>
__global__ void differences_kernel(const A* a, const B* b, int64_t n, unsigned long long* count) {
  const int64_t i = blockIdx.x * int64_t{256} + threadIdx.x;
  if (i < n && static_cast<B>(a[i]) != b[i]) atomicAdd(count, 1ull);
}

unsigned blocks_for(int64_t n) { return static_cast<unsigned>((n + 255) / 256); }

/// What is wrong is no figure: the program goes on, but fails at the end.
template <class A, class B>
void expect_same(const char* what, const A* ours, const B* theirs, int64_t n, cudaStream_t stream) {
  const Memory count(8);
  check(cudaMemsetAsync(count.as<void>(), 0, 8, stream));
  differences_kernel<<<blocks_for(n), 256, 0, stream>>>(ours, theirs, n,
                                                        count.as<unsigned long long>());
  unsigned long long differ = 0;
  check(cudaMemcpyAsync(&differ, count.as<void>(), 8, cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  if (differ == 0) return;
  std::fprintf(stderr, "%s: %llu elements differ from CUB's\n", what, differ);
  all_right = false;
}

template <class Ours>
void compare(Bench& bench, const char* what, const char* dtype, int64_t n, double bytes,
             double demand, Ours&& ours, const CubCall& theirs) {
  const Memory memory(memory_for(theirs));
  auto run_theirs = [&](size_t) {
    size_t room = memory.bytes();
    check(theirs(memory.as<void>(), room));
  };
  std::vector<double> us, cub;
  for (int turn = 0; turn < 3; ++turn) {
    us.push_back(median_us(1, bench.stream(), ours));
    cub.push_back(median_us(1, bench.stream(), run_theirs));
  }
  const double mine = median(us), its = median(cub);
  bench.report(what, dtype, n, mine, bytes / mine / 1e3, its / mine, demand);
  bench.report("  CUB", dtype, n, its, bytes / its / 1e3, 1, 0);
}

Array empty_like(const Array& x, gpuarr_dtype dtype) {
  Array out;
  check(gpuarr_array_empty(out.out(), gpuarr_array_device(x.get()), dtype,
                           gpuarr_array_ndim(x.get()), gpuarr_array_shape(x.get()), 0, nullptr));
  return out;
}

template <class T>
void one_row(Bench& bench, const char* name, gpuarr_dtype dtype, int64_t n, double demand) {
  const Array x(bench.random(dtype, n));
  Array out = empty_like(x, dtype), index = empty_like(x, GPUARR_I64);
  const Memory keys(static_cast<size_t>(n) * sizeof(T)), first(static_cast<size_t>(n) * 4),
      last(static_cast<size_t>(n) * 4);
  const int count = static_cast<int>(n), bits = sizeof(T) * 8;
  const double bytes = 2.0 * static_cast<double>(n) * sizeof(T);
  const CubCall sort = [&](void* memory, size_t& room) {
    return cub::DeviceRadixSort::SortKeys(memory, room, data<T>(x), keys.as<T>(), count, 0, bits,
                                          bench.stream());
  };
  compare(bench, "sort", name, n, bytes, demand,
          [&](size_t) { check(gpuarr_sort(out.out(), x.get(), 0, 0, nullptr)); }, sort);
  expect_same("sort", data<T>(out), keys.as<T>(), n, bench.stream());
  iota_kernel<<<blocks_for(n), 256, 0, bench.stream()>>>(first.as<uint32_t>(), n);
  const CubCall pairs = [&](void* memory, size_t& room) {
    return cub::DeviceRadixSort::SortPairs(memory, room, data<T>(x), keys.as<T>(),
                                           first.as<uint32_t>(), last.as<uint32_t>(), count, 0,
                                           bits, bench.stream());
  };
  compare(bench, "argsort", name, n, bytes, demand,
          [&](size_t) { check(gpuarr_argsort(index.out(), x.get(), 0, 0, nullptr)); }, pairs);
  expect_same("argsort", data<int64_t>(index), last.as<uint32_t>(), n, bench.stream());
}

/// Beside CUB's sort of all elements as one row.
void many_rows(Bench& bench, int64_t rows, int64_t n) {
  const Array flat(bench.random(GPUARR_F32, rows * n)), x = reshape(flat, rows, n);
  Array out = empty_like(x, GPUARR_F32);
  const Memory keys(static_cast<size_t>(rows * n) * 4);
  const CubCall sort = [&](void* memory, size_t& room) {
    return cub::DeviceRadixSort::SortKeys(memory, room, data<float>(flat), keys.as<float>(),
                                          static_cast<int>(rows * n), 0, 32, bench.stream());
  };
  const std::string what = "sort rows of " + std::to_string(n);
  compare(bench, what.c_str(), "f32", rows * n, 8.0 * static_cast<double>(rows * n), 0,
          [&](size_t) { check(gpuarr_sort(out.out(), x.get(), 1, 0, nullptr)); }, sort);
}

/// What is found of rows without sorting them, beside a copy of all elements and our sort.
void ranks(Bench& bench, int64_t rows, int64_t n) {
  const Array flat(bench.random(GPUARR_F32, rows * n)), x = reshape(flat, rows, n);
  Array out = empty_like(x, GPUARR_F32), middle;
  const double bytes = 8.0 * static_cast<double>(rows * n);
  double copy = 0;
  auto measure = [&](const std::string& what, const std::function<void(size_t)>& work) {
    const double us = median_us(1, bench.stream(), work);
    if (copy == 0) copy = us;
    const std::string label = what + " (" + std::to_string(rows) + ", " + std::to_string(n) + ")";
    bench.report(label.c_str(), "f32", rows * n, us, bytes / us / 1e3, copy / us, 0);
  };
  measure("copy", [&](size_t) {
    check(cudaMemcpyAsync(data<float>(out), data<float>(flat), static_cast<size_t>(rows * n) * 4,
                          cudaMemcpyDeviceToDevice, bench.stream()));
  });
  measure("sort", [&](size_t) { check(gpuarr_sort(out.out(), x.get(), 1, 0, nullptr)); });
  measure("partition",
          [&](size_t) { check(gpuarr_partition(out.out(), x.get(), n / 2, 1, nullptr)); });
  measure("median", [&](size_t) { check(gpuarr_median(middle.out(), x.get(), 1, nullptr)); });
  for (const int64_t k : {10, 1000}) {
    Array values, indices;
    measure("topk " + std::to_string(k), [&](size_t) {
      check(gpuarr_topk(values.out(), indices.out(), x.get(), k, 1, 1, nullptr));
    });
  }
}

}  // namespace

int main() {
  const TemporaryCache cache;
  Bench bench("sort");
  constexpr int64_t n = 100000000;
  one_row<uint32_t>(bench, "u32", GPUARR_U32, n, 0.9);
  one_row<float>(bench, "f32", GPUARR_F32, n, 0.9);
  one_row<int64_t>(bench, "i64", GPUARR_I64, n, 0.9);
  for (const int64_t small : {1000, 30000, 1000000})
    one_row<float>(bench, "f32", GPUARR_F32, small, 0);
  for (const int64_t length : {10, 100, 1000, 5000, 20000, 1000000})
    many_rows(bench, 50000000 / length, length);
  ranks(bench, 1, n);
  ranks(bench, 1000, n / 1000);
  return all_right ? 0 : 1;
}
