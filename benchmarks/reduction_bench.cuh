// What bench_reduction measures with: the ceiling of reading, the best hand-written mean squared
// error, and rows of its table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ceiling_reduction.cuh"
#include "cuda_bench.cuh"

/// Bytes for each us that the best of several hand-written sums reads: many blocks or few, one
/// behind the other or side by side, 2 to 8 packs in flight for each thread.
inline double read_only_rate(Bench& bench, const Array& floats) {
  const auto bytes = static_cast<double>(gpuarr_array_size(floats.get())) * sizeof(float);
  int64_t processors;
  check(gpuarr_device_attribute(&processors, bench.device(), GPUARR_DEVICE_PROCESSORS));
  const Array result(bench.random(GPUARR_F32, 1));
  double best = 1e30;
  auto time = [&](auto kernel) {
    for (unsigned threads : {256u, 512u})
      for (unsigned blocks : {1u, 2u, 4u, 8u, 32u}) {  // for each processor
        const double us = median_us(1, bench.stream(), [&](size_t) {
          kernel<<<static_cast<unsigned>(processors) * blocks, threads, 0, bench.stream()>>>(
              data<float4>(floats), static_cast<size_t>(bytes) / 16, data<float>(result));
        });
        best = std::min(best, us);
      }
  };
  time(ceiling::sum_kernel<2, false>);
  time(ceiling::sum_kernel<4, false>);
  time(ceiling::sum_kernel<8, false>);
  time(ceiling::sum_kernel<4, true>);
  time(ceiling::sum_kernel<8, true>);
  bench.report("read-only ceiling", "f32", gpuarr_array_size(floats.get()), best,
               bytes / best / 1e3, 1, 0);
  return bytes / best;
}

/// Two inputs of a call, of which there are several so that the cache does not hold the next one's.
struct Pair {
  Array x, y;
};

/// Best time of hand-written kernels for the mean of (x - y)^2, and what they found.
template <class T, class A>
double best_mean_squared_error(Bench& bench, const std::vector<Pair>& pairs, T& found) {
  const auto packs = static_cast<size_t>(gpuarr_array_size(pairs[0].x.get())) * sizeof(T) / 16;
  int64_t processors;
  check(gpuarr_device_attribute(&processors, bench.device(), GPUARR_DEVICE_PROCESSORS));
  const Array partials(bench.random(GPUARR_F64, processors * 64));
  const Array result(bench.random(GPUARR_F64, 2));
  const ceiling::Workspace work = {data<double>(partials), data<unsigned>(result) + 2};
  check(cudaMemsetAsync(work.blocks_done, 0, sizeof(unsigned), bench.stream()));
  double best = 1e30;
  auto time = [&](auto kernel) {
    for (unsigned threads : {256u, 512u})
      for (unsigned blocks : {1u, 2u, 4u, 8u, 16u}) {
        const auto wanted = (packs + threads - 1) / threads;
        const auto grid = std::min<size_t>(static_cast<size_t>(processors) * blocks, wanted);
        best =
            std::min(best, median_us(pairs.size(), bench.stream(), [&](size_t k) {
                       kernel<<<static_cast<unsigned>(grid), threads, 0, bench.stream()>>>(
                           data<T>(pairs[k].x), data<T>(pairs[k].y), packs, work, data<T>(result));
                     }));
      }
  };
  time(ceiling::mean_squared_error_kernel<T, A, 1>);
  time(ceiling::mean_squared_error_kernel<T, A, 2>);
  time(ceiling::mean_squared_error_kernel<T, A, 4>);
  ceiling::mean_squared_error_kernel<T, A, 2>
      <<<static_cast<unsigned>(processors), 256, 0, bench.stream()>>>(
          data<T>(pairs[0].x), data<T>(pairs[0].y), packs, work, data<T>(result));
  check(cudaMemcpyAsync(&found, data<T>(result), sizeof(T), cudaMemcpyDefault, bench.stream()));
  check(cudaStreamSynchronize(bench.stream()));
  return best;
}

/// Median time of one launch between two events, where the device waits for the CPU.
inline double alone_us(size_t sets, cudaStream_t stream,
                       const std::function<void(size_t)>& launch) {
  cudaEvent_t start, stop;
  check(cudaEventCreate(&start));
  check(cudaEventCreate(&stop));
  std::vector<double> times;
  for (size_t k = 0; k < 300; ++k) {
    check(cudaStreamSynchronize(stream));
    check(cudaEventRecord(start, stream));
    launch(k % sets);
    check(cudaEventRecord(stop, stream));
    check(cudaEventSynchronize(stop));
    float ms = 0;
    check(cudaEventElapsedTime(&ms, start, stop));
    times.push_back(static_cast<double>(ms) * 1e3);
  }
  std::sort(times.begin(), times.end());
  check(cudaEventDestroy(start));
  check(cudaEventDestroy(stop));
  return times[times.size() / 2];
}

inline double launches_us(Bench& bench, const std::vector<Call>& calls) {
  return median_us(calls.size(), bench.stream(), [&](size_t k) { launch(calls[k]); });
}
