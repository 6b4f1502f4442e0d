// The text of kernels that find runs of equal elements in order; for both devices.
#pragma once

#include <string>

#include "codegen/layout/target.hpp"
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
std::string run_text(const Target& target, DType dtype);

}  // namespace gpuarr
