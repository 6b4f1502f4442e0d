// Timing of work, on the CPU's clock and by the device's events.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device/device.hpp"

namespace gpuarr {

/// Of samples in microseconds.
struct Statistics {
  double mean = 0;
  double deviation = 0;  // standard, of the population
  double least = 0;
  double median = 0;
  double most = 0;
};

Statistics statistics_of(std::vector<double> samples);  // at least one

struct Benchmark {
  std::string name;
  std::string device;             // "cuda:0"
  std::string clock;              // what its time is called: "GPU-0", "host"
  std::vector<double> cpu;        // of each repeat: until the function had returned
  std::vector<double> on_device;  // until its work was done
};

struct BenchmarkPlan {
  int64_t warmups = 10;
  int64_t repeats = 10000;
  double seconds = 0;  // no repeat begins after that; infinity for no such limit
};

/// Calls `work`, which throws to end the run; it is told which call it is: warm-ups count from -n
/// to -1, repeats from 0. Each repeat is waited for.
Benchmark run_benchmark(const std::string& name, const BenchmarkPlan& plan,
                        const std::function<void(int64_t)>& work, Stream& stream);

/// As CuPy's profiler writes it, in one line.
std::string to_text(const Benchmark& benchmark);
std::string to_json(const Benchmark& benchmark);

}  // namespace gpuarr
