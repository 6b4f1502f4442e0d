// What the benchmarks of calls share: the CPU's time of one, the driver's own launch, and the first
// call of a new process.
#pragma once

#include <cuda.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "cuda_bench.cuh"
#include "measure.hpp"

/// CPU time of one call, while the queue has room.
inline double cpu_us(cudaStream_t stream, const std::function<void()>& call, int count = 500) {
  std::vector<double> times;
  for (int rep = 0; rep < 21; ++rep) {
    check(cudaStreamSynchronize(stream));
    double begin = now_us();
    for (int k = 0; k < count; ++k) call();
    times.push_back((now_us() - begin) / count);
  }
  check(cudaStreamSynchronize(stream));
  return median(times);
}

/// CPU times of calls, which take turns, so that a drift of the clock hits all alike.
inline std::vector<double> cpu_us_in_turns(cudaStream_t stream,
                                           const std::vector<std::function<void()>>& calls,
                                           int count = 500) {
  std::vector<std::vector<double>> times(calls.size());
  for (int turn = 0; turn < 5; ++turn)
    for (size_t k = 0; k < calls.size(); ++k) times[k].push_back(cpu_us(stream, calls[k], count));
  std::vector<double> medians;
  for (const auto& t : times) medians.push_back(median(t));
  return medians;
}

/// The driver's launch of a tiny kernel, its arguments ready.
class DriverLaunch {
 public:
  explicit DriverLaunch(Bench& bench)
      : stream_(bench.stream()), memory_(bench.random(GPUARR_F32, 3 * n_)) {
    cudaFunction_t function;
    check(cudaGetFuncBySymbol(&function, reinterpret_cast<void*>(ceiling::tiny_kernel)));
    function_ = reinterpret_cast<CUfunction>(function);
    x_ = data<float>(memory_);
    y_ = x_ + n_;
    z_ = y_ + n_;
  }
  DriverLaunch(const DriverLaunch&) = delete;
  DriverLaunch& operator=(const DriverLaunch&) = delete;
  void operator()() { cuLaunchKernel(function_, 4, 1, 1, 256, 1, 1, 0, stream_, args_, nullptr); }

 private:
  cudaStream_t stream_;
  int n_ = 1024;
  Array memory_;
  CUfunction function_ = nullptr;
  float *x_, *y_, *z_;
  void* args_[4] = {&x_, &y_, &z_, &n_};
};

/// Median time of the first call in a process of its own: `program` prints it for --first-call.
inline double first_call_us(const char* program) {
  std::vector<double> us;
  for (int k = 0; k < 9; ++k) {
    FILE* child = popen((std::string("'") + program + "' --first-call").c_str(), "r");
    char line[256];
    while (child != nullptr && std::fgets(line, sizeof line, child) != nullptr)
      if (std::strncmp(line, "first ", 6) == 0) us.push_back(std::atof(line + 6));
    if (child != nullptr) pclose(child);
  }
  return median(us);
}

inline bool is_first_call(int argc, char** argv) {
  return argc > 1 && std::strcmp(argv[1], "--first-call") == 0;
}
