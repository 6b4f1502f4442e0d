// The operations that `gpuarr op` knows besides the elementwise functions, which the library lists.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/base/axes.hpp"
#include "gpuarr.h"

namespace cli {

struct Op;

/// Which random numbers are wanted.
struct Draw {
  std::vector<int64_t> shape;
  gpuarr_dtype dtype = 0;  // 0: the operation's own
  uint64_t seed = 0;
};

/// One operation as it was asked for. Arrays and scalars are checked as they are taken.
struct OpCall {
  const Op* op = nullptr;
  std::vector<std::string> words;  // the arguments as they were given
  std::vector<gpuarr_arg> inputs;
  std::vector<gpuarr_array*> outputs;  // null, and made by the operation
  Axes axes;                           // all of them unless given
  bool keepdims = false;
  Draw draw;
  gpuarr_device* device = nullptr;
  gpuarr_stream* stream = nullptr;

  const gpuarr_array* array(size_t k) const;
  int64_t whole(size_t k) const;
  int64_t whole_or(size_t k, int64_t otherwise) const;
  double real(size_t k) const;
  int32_t axis(int32_t otherwise) const;  // the one of --axis
};

struct Op {
  const char* name;
  const char* arguments;  // "X [K]": what is in brackets may be left out; TEXT is taken as it is
  int outputs;
  const char* does;  // one line
  void (*run)(OpCall& call);
  bool draws = false;  // random numbers of a shape
};

// A table for each kind, in a file of its own; the first one is the library's.
std::span<const Op> function_ops();
std::span<const Op> reduction_ops();
std::span<const Op> moving_ops();
std::span<const Op> array_ops();
std::span<const Op> matrix_ops();
std::span<const Op> solver_ops();
std::span<const Op> random_ops();

/// All tables.
std::vector<std::span<const Op>> all_ops();

}  // namespace cli
