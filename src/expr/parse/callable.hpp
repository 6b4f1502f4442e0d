// What an expression can call: functions by name, and their parameters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/functions/op.hpp"
#include "ops/reduce/reduce.hpp"
#include "ops/reduce/scan.hpp"

namespace gpuarr::expr {

enum class Calls : uint8_t {
  function,
  reduction,
  norm,
  scan,
  indices,
  matmul,
  astype,
  transpose,
  reshape,
  flip
};

struct Callable {
  std::string name;
  Calls calls;
  std::vector<std::string> parameters;
  size_t required;    // the first of them, which must be given
  size_t positional;  // the first of them, which need no name
  Op function{};      // of a function of elements
  Reducer reducer{};  // of a reduction
  Scanner scanner{};  // of a scan

  bool has_two_results() const;
};

/// "sqrt", "asin", "norm". Null if there is none.
const Callable* find_callable(std::string_view name);

/// "; did you mean X?"
std::string callable_meant(std::string_view name);

}  // namespace gpuarr::expr
