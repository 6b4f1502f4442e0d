// The built-in benchmarks: copies, kernels, reductions and allocations of float32 of many sizes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/base/objects.hpp"
#include "cli/base/progress.hpp"

namespace cli {

struct BenchPlan {
  gpuarr_device* device = nullptr;
  std::vector<int64_t> sizes;  // elements, ascending
  int64_t repeats = 100;       // at most; fewer where they take longer than
  double seconds = 0.2;
};

/// Of repeats, in microseconds.
struct Samples {
  double mean = 0, deviation = 0, least = 0, median = 0, most = 0;
};

struct BenchResult {
  std::string name;  // "copy", "saxpy", ...
  int64_t elements = 0;
  int64_t bytes = 0;      // read and written; 0 where that is not the point
  int block[2] = {0, 0};  // of a raw kernel: threads along x and y
  bool by_block = false;  // one of those that differ in their blocks alone
  int64_t repeats = 0;
  Samples cpu = {}, device = {};
  std::vector<int64_t> shape = {};  // of the array that it computes

  double microseconds() const { return bytes > 0 ? device.median : cpu.median; }
  double gigabytes_per_second() const {
    return bytes > 0 && device.median > 0 ? static_cast<double>(bytes) / device.median / 1e3 : 0;
  }
};

std::string block_text(const BenchResult& result);  // "32 x 8"; "" without a block
std::string size_text(int64_t elements);            // "1 Ki", "16 Mi"; "1000" for no power of two

std::vector<BenchResult> run_benchmarks(const BenchPlan& plan, Progress& progress);

}  // namespace cli
