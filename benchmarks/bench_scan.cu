// Scans on the GPU beside a copy, and selection beside CUB's own, which nvcc compiled into this
// program; what their kernels cost to compile.
#include <chrono>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <functional>

#include "cuda_bench.cuh"
#include "measure.hpp"

namespace {

constexpr int64_t n = 100000000;

/// Memory of the device for as long as a test takes.
class Block {
 public:
  explicit Block(size_t bytes) { check(cudaMalloc(&data_, bytes)); }
  ~Block() { cudaFree(data_); }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;
  void* get() const { return data_; }

 private:
  void* data_ = nullptr;
};

Array made(const Bench& bench, gpuarr_dtype dtype, std::vector<int64_t> shape) {
  Array out;
  check(gpuarr_array_zeros(out.out(), bench.device(), dtype, static_cast<int32_t>(shape.size()),
                           shape.data(), GPUARR_ORDER_C, nullptr));
  return out;
}

/// Median times of two that take turns.
std::pair<double, double> in_turn(const Bench& bench, const std::function<void()>& ours,
                                  const std::function<void()>& theirs) {
  std::vector<double> a, b;
  for (int turn = 0; turn < 3; ++turn) {
    a.push_back(median_us(1, bench.stream(), [&](size_t) { ours(); }));
    b.push_back(median_us(1, bench.stream(), [&](size_t) { theirs(); }));
  }
  return {median(a), median(b)};
}

void report(Bench& bench, const char* what, const char* dtype, double bytes,
            std::pair<double, double> us, double demand) {
  bench.report(what, dtype, n, us.first, bytes / us.first / 1e3, us.second / us.first, demand);
}

// The copy moves as many bytes as the scan reads and writes.
void scan_of(Bench& bench, const char* name, gpuarr_dtype from, gpuarr_dtype to,
             std::vector<int64_t> shape, int32_t axis, double demand) {
  const Array flat(bench.random(from, n));
  const Array x(reshape(flat.get(), static_cast<int32_t>(shape.size()), shape.data()));
  Array out = made(bench, to, shape);
  const size_t bytes =
      static_cast<size_t>(n) * (gpuarr_dtype_size(from) + gpuarr_dtype_size(to)) / 2;
  const Array source(bench.random(GPUARR_U8, static_cast<int64_t>(bytes)));
  const Block target(bytes);
  const auto us = in_turn(
      bench, [&] { check(gpuarr_cumsum(out.out(), x.get(), axis, 0, nullptr)); },
      [&] {
        check(cudaMemcpyAsync(target.get(), gpuarr_array_data(source.get()), bytes,
                              cudaMemcpyDeviceToDevice, bench.stream()));
      });
  std::string what = "cumsum";
  if (shape.size() > 1)
    what += " (" + std::to_string(shape[0]) + ", " + std::to_string(shape[1]) + ") along " +
            std::to_string(axis);
  report(bench, what.c_str(), name, 2.0 * static_cast<double>(bytes), us, demand);
}

void cub_scan(Bench& bench) {
  const Array x(bench.random(GPUARR_F32, n));
  Array out = made(bench, GPUARR_F32, {n});
  size_t room = 0;
  const int count = static_cast<int>(n);
  auto call = [&](void* memory) {
    check(cub::DeviceScan::InclusiveSum(memory, room, data<float>(x), data<float>(out), count,
                                        bench.stream()));
  };
  call(nullptr);
  const Block memory(room);
  const auto us = in_turn(
      bench, [&] { check(gpuarr_cumsum(out.out(), x.get(), 0, 0, nullptr)); },
      [&] { call(memory.get()); });
  report(bench, "cumsum, beside CUB's", "f32", 8.0 * n, us, 0);
}

template <class T>
void selection(Bench& bench, const char* name, gpuarr_dtype dtype, double chance, double demand) {
  const Array x(bench.random(dtype, n)), noise(bench.random(GPUARR_U32, n));
  Array mask, out = made(bench, dtype, {n}), count = made(bench, GPUARR_I64, {});
  check(gpuarr_less(mask.out(), gpuarr_arg_array(noise.get()),
                    gpuarr_arg_f64(chance * 4294967296.0), nullptr));
  const Block theirs(static_cast<size_t>(n) * sizeof(T)), number(8);
  size_t room = 0;
  auto call = [&](void* memory) {
    check(cub::DeviceSelect::Flagged(memory, room, data<T>(x), data<uint8_t>(mask),
                                     static_cast<T*>(theirs.get()), static_cast<int*>(number.get()),
                                     static_cast<int>(n), bench.stream()));
  };
  call(nullptr);
  const Block memory(room);
  const auto us = in_turn(
      bench,
      [&] { check(gpuarr_select_into(out.get(), count.out(), x.get(), mask.get(), nullptr)); },
      [&] { call(memory.get()); });
  const std::string what =
      "select " + std::to_string(static_cast<int>(chance * 100)) + " % beside CUB's";
  report(bench, what.c_str(), name, static_cast<double>(n) * (1 + sizeof(T) * (1 + chance)), us,
         demand);
}

// From the call to its end, where nothing was compiled before.
void first_call(const Bench& bench, const char* what, const std::function<void()>& call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  check(cudaStreamSynchronize(bench.stream()));
  const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  std::printf("first %s: %.0f ms\n", what, time.count());
}

}  // namespace

int main() {
  const TemporaryCache cache;
  Bench bench("scan");
  const Array x = made(bench, GPUARR_F32, {1 << 20}), mask = made(bench, GPUARR_BOOL, {1 << 20});
  Array sums, chosen;
  first_call(bench, "cumsum", [&] { check(gpuarr_cumsum(sums.out(), x.get(), 0, 0, nullptr)); });
  first_call(bench, "select",
             [&] { check(gpuarr_select(chosen.out(), x.get(), mask.get(), nullptr)); });
  scan_of(bench, "f32", GPUARR_F32, GPUARR_F32, {n}, 0, 0.85);
  scan_of(bench, "f64", GPUARR_F64, GPUARR_F64, {n}, 0, 0);
  scan_of(bench, "f16", GPUARR_F16, GPUARR_F16, {n}, 0, 0);
  scan_of(bench, "i32 -> i64", GPUARR_I32, GPUARR_I64, {n}, 0, 0);
  scan_of(bench, "u8 -> u64", GPUARR_U8, GPUARR_U64, {n}, 0, 0);
  for (const int32_t axis : {0, 1}) {
    scan_of(bench, "f32", GPUARR_F32, GPUARR_F32, {10000, 10000}, axis, 0);
    scan_of(bench, "f32", GPUARR_F32, GPUARR_F32, {n / 100, 100}, axis, 0);
  }
  cub_scan(bench);
  for (const double chance : {0.02, 0.5, 0.98})
    selection<float>(bench, "f32", GPUARR_F32, chance, 0.9);
  selection<uint8_t>(bench, "u8", GPUARR_U8, 0.5, 0.9);
  selection<double>(bench, "f64", GPUARR_F64, 0.5, 0.9);
  return 0;
}
