// Expressions as text: a postfix program with values for its names becomes nodes.
#pragma once

#include <string_view>

#include "expr/node.hpp"

namespace gpuarr::expr {

/// What a name stands for: an array, or a number.
struct Variable {
  std::string_view name;
  const Array* array = nullptr;
  Scalar scalar = {};
};

/// A node for each result of the text. What fails when a node is made keeps its status, and gets
/// the place in the text.
std::vector<Expr> expressions_of(std::string_view text, std::span<const Variable> variables);

/// How many results a text has.
size_t count_results(std::string_view text);

}  // namespace gpuarr::expr
