// What a parser has begun and not ended.
#pragma once

#include <cstdint>
#include <optional>

#include "expr/parse/lexer.hpp"
#include "expr/parse/operators.hpp"
#include "expr/parse/writer.hpp"

namespace gpuarr::expr {

enum class Holds : uint8_t { unary, binary, group, call, index };

/// An operator that waits for its right operand, or a bracket.
struct Open {
  Holds holds;
  int32_t place;                    // in the text; of a call, its name's
  int binding = 0;                  // of an operator
  std::optional<Op> function = {};  // likewise
  int32_t what = 0;                 // the call's number
  int32_t count = 0;                // of a bracket: values before the last comma
  int32_t colons = 0;               // of a slice
  int keyword = no_keyword;
  bool keywords = false;  // an argument had one

  bool is_bracket() const { return holds >= Holds::group; }
  const char* closing() const { return holds == Holds::index ? "]" : ")"; }
};

}  // namespace gpuarr::expr
