// A parsed expression: a postfix program over names, numbers and functions, which knows nothing of
// arrays.
#pragma once

#include <string>
#include <vector>

#include "array/scalar.hpp"
#include "expr/parse/call.hpp"

namespace gpuarr::expr {

/// What an instruction does with the stack of values.
enum class Code : uint8_t {
  constant,   // puts number `what` there
  name,       // the value of a name
  none,       // None, or a bound of a slice that is left out
  ellipsis,   // ...
  function,   // takes `count` operands of an Op
  call,       // takes `count` arguments of a call
  tuple,      // takes `count` values
  slice,      // takes start, stop, step
  index,      // takes `count` indices, and what they are of
  transpose,  // .T
  unpack,     // takes the two results of a function apart
  store,      // takes the value of a name
};

struct Instruction {
  Code code;
  int32_t what;   // the constant's, name's or call's number, or the Op
  int32_t count;  // of values that it takes
  int32_t place;  // in the text, in bytes
};

struct Parsed {
  std::string text;
  std::vector<std::string> names;
  std::vector<Scalar> constants;
  std::vector<Call> calls;
  std::vector<Instruction> code;
  std::vector<int32_t> results;  // where each result's expression begins in the text
  size_t depth = 0;              // of the stack of values, at most
};

}  // namespace gpuarr::expr
