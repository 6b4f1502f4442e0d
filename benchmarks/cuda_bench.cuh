// What the GPU benchmarks share: memory, views, timing with events, and the table.
#pragma once

#include <cuda_runtime.h>
#include <gpuarr.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "ceiling.cuh"
#include "objects.hpp"

inline void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

struct Set {  // the arrays of one call
  gpuarr_array* x;
  gpuarr_array* y;
  gpuarr_array* z;
};

inline void release(const Set& s) {
  for (gpuarr_array* a : {s.x, s.y, s.z}) gpuarr_array_release(a);
}

inline void release(const std::vector<Set>& sets) {
  for (const Set& s : sets) release(s);
}

inline gpuarr_array* slice(gpuarr_array* a, int64_t start, int64_t count) {
  gpuarr_array* out;
  check(gpuarr_array_slice(&out, a, 0, start, start + count, 1));
  return out;
}
inline gpuarr_array* columns(gpuarr_array* a, int64_t start, int64_t stop) {
  gpuarr_array* out;
  check(gpuarr_array_slice(&out, a, 1, start, stop, 1));
  return out;
}
inline gpuarr_array* select(gpuarr_array* a, int64_t row) {
  gpuarr_array* out;
  check(gpuarr_array_select(&out, a, 0, row));
  return out;
}
inline gpuarr_array* transpose(gpuarr_array* a) {
  gpuarr_array* out;
  check(gpuarr_array_transpose(&out, a, 0, nullptr));
  return out;
}
inline gpuarr_array* reshape(gpuarr_array* a, int32_t ndim, const int64_t* shape) {
  gpuarr_array* out;
  check(gpuarr_array_reshape(&out, a, ndim, shape));
  return out;
}
inline gpuarr_array* every_second(gpuarr_array* a) {
  gpuarr_array *rows, *out;
  check(gpuarr_array_slice(&rows, a, 0, 0, GPUARR_NONE, 2));
  check(gpuarr_array_slice(&out, rows, 1, 0, GPUARR_NONE, 2));
  gpuarr_array_release(rows);
  return out;
}

/// Median time of launch(k), k going round `sets` sets of arrays so that the cache holds none of
/// the next one's. Launches are timed in batches of about a millisecond, which queue up while
/// another kernel holds the device, so that what a launch costs the CPU does not count.
template <class Launch>
double median_us(size_t sets, cudaStream_t stream, Launch&& launch) {
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  size_t next = 0;
  auto time = [&](int batch) {
    ceiling::hold_kernel<<<1, 1, 0, stream>>>(10000LL * batch);  // about 5 us for each launch
    check(cudaEventRecord(start, stream));
    for (int b = 0; b < batch; ++b) launch(next++ % sets);
    check(cudaEventRecord(stop, stream));
    check(cudaEventSynchronize(stop));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, stop));
    return static_cast<double>(ms) * 1e3 / batch;
  };
  const bool slow = time(1) > 20000 || time(1) > 20000;
  const int batch = slow ? 1 : static_cast<int>(std::clamp(1000 / time(5), 4.0, 100.0));
  // A GPU that has idled while a kernel was compiled takes a while to run at full speed.
  for (double warm = 0; warm < 30000 && !slow;) warm += batch * time(batch);
  std::vector<double> times;
  for (int k = 0; k < (slow ? 3 : 15); ++k) times.push_back(time(batch));
  std::sort(times.begin(), times.end());
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  return times[times.size() / 2];
}

class Bench {
 public:
  explicit Bench(const char* topic) : topic_(topic) {
    check(gpuarr_device_open(&device_, "cuda:0"));
    check(gpuarr_stream_current(&current_, device_));
    stream_ = static_cast<cudaStream_t>(gpuarr_stream_native(current_));
    check(gpuarr_elementwise_create(&kernel_, "T x, T y", "T z", "z = (x - y) * (x - y)", nullptr));
  }
  ~Bench() {
    gpuarr_elementwise_release(kernel_);
    gpuarr_stream_release(current_);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  cudaStream_t stream() const { return stream_; }
  gpuarr_device* device() const { return device_; }
  gpuarr_elementwise* kernel() const { return kernel_; }

  /// Enough sets that they do not fit the L2 cache together, each of three arrays of n elements.
  std::vector<Set> make_sets(gpuarr_dtype dtype, int64_t n) {
    int64_t bytes = 3 * n * gpuarr_dtype_size(dtype);
    auto count = static_cast<size_t>(std::clamp<int64_t>((int64_t{256} << 20) / bytes, 2, 64));
    std::vector<Set> sets;
    for (size_t k = 0; k < count; ++k)
      sets.push_back({random(dtype, n), random(dtype, n), random(dtype, n)});
    return sets;
  }

  /// An array of random bits; see scramble_kernel.
  gpuarr_array* random(gpuarr_dtype dtype, int64_t n) {
    gpuarr_array* out;
    check(gpuarr_array_empty(&out, device_, dtype, 1, &n, GPUARR_ORDER_C, nullptr));
    size_t words = static_cast<size_t>(n * gpuarr_dtype_size(dtype)) / 4;
    ceiling::scramble_kernel<<<static_cast<unsigned>((words + 255) / 256), 256, 0, stream_>>>(
        static_cast<uint32_t*>(gpuarr_array_data(out)), words, seed_ += 77777);
    return out;
  }

  gpuarr_call* prepare(const Set& s) {
    gpuarr_call* call;
    gpuarr_arg inputs[] = {gpuarr_arg_array(s.x), gpuarr_arg_array(s.y)};
    check(gpuarr_elementwise_prepare(&call, kernel_, &s.z, 1, inputs, 2, GPUARR_NO_SIZE));
    return call;
  }

  void report(const char* what, const char* dtype, int64_t n, double us, double gbs, double ratio,
              double demand) {
    if (!std::exchange(begun_, true))
      std::printf("%s on %s\n%-26s %-5s %10s %10s %8s %7s %7s\n", topic_,
                  gpuarr_device_description(device_), "what", "dtype", "n", "us", "GB/s", "ratio",
                  "demand");
    std::printf("%-26s %-5s %10lld %10.2f %8.0f %7.3f %7.2f%s\n", what, dtype,
                static_cast<long long>(n), us, gbs, ratio, demand,
                demand > 0 && ratio < demand ? "  <--" : "");
    if (FILE* json = std::fopen((std::string(topic_) + ".jsonl").c_str(), "a")) {
      std::fprintf(
          json,
          "{\"what\": \"%s\", \"dtype\": \"%s\", \"n\": %lld, \"us\": %.3f, \"gbs\": %.1f, "
          "\"ratio\": %.4f, \"demand\": %.3g}\n",
          what, dtype, static_cast<long long>(n), us, gbs, ratio, demand);
      std::fclose(json);
    }
  }

 private:
  const char* topic_;
  bool begun_ = false;
  gpuarr_device* device_ = nullptr;
  gpuarr_stream* current_ = nullptr;
  cudaStream_t stream_ = nullptr;
  gpuarr_elementwise* kernel_ = nullptr;
  uint32_t seed_ = 1;
};
