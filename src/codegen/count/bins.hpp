// The text of kernels that count elements in bins; for both devices.
#pragma once

#include <string>

#include "codegen/layout/target.hpp"
#include "core/dtype.hpp"

namespace gpuarr {

enum class Bins : uint8_t {
  even,   // between two numbers, of one width
  edges,  // between edges of any distance
  self,   // an element is the number of its bin
};

/// What the function of bin_text takes.
struct BinCount {
  const void* x;        // n elements
  const double* edges;  // bins + 1 of them; null if Bins::self
  const void* weights;  // n float64; null: each counts 1
  uint64_t* counts;     // bins of them, or bin_parts for each if weighted; 0
  const double* most;   // of weights: the largest magnitude of those that are finite
  double* sums;         // of weights, by function bin_finish
  int64_t n, bins;
  int64_t blocks;
};
constexpr int bin_threads = 256;
constexpr int bin_parts = 3;

/// What the text depends on.
struct BinVariant {
  DType dtype;
  Bins bins;
  bool weighted;
};

/// Functions bin_count (any number of blocks) and, if weighted, bin_finish (blocks: bins /
/// bin_threads, rounded up).
std::string bin_text(const Target& target, const BinVariant& variant);

}  // namespace gpuarr
