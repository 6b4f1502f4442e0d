// The text of kernels that count: runs of equal elements, and elements in bins; for both devices.
#pragma once

#include <string>

#include "codegen/prelude.hpp"
#include "core/dtype.hpp"

namespace gpuarr {

constexpr int64_t run_tile = 4096;  // elements of a block
constexpr int run_threads = 256;

/// What the functions of run_text take.
struct Runs {
  const void* x;         // n elements, in order
  const int64_t* index;  // where they were before; null: not known
  int64_t* counts;       // tiles: of runs that begin there, then of those that begin before it
  int64_t* total;        // runs in all
  void* values;          // the first element of each run; null: not wanted, as the next three
  int64_t* first;        // the index of that
  int64_t* begin;        // its place in x
  int64_t* inverse;      // for each index the number of its element's run
  int64_t n, tiles;
};

/// Functions run_count, run_write (blocks: tiles) and run_sum (one block).
std::string run_text(Target target, DType dtype);

enum class Bins {
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

/// Functions bin_count (any number of blocks) and, if weighted, bin_finish (blocks: bins /
/// bin_threads, rounded up).
std::string bin_text(Target target, DType dtype, Bins bins, bool weighted);

}  // namespace gpuarr
