// Expressions as text: a postfix program with values for its names becomes nodes.
#pragma once

#include <string_view>

#include "expr/node.hpp"
#include "expr/parse/parsed.hpp"

namespace gpuarr::expr {

/// What a name stands for: an array, or a number.
struct Variable {
  std::string_view name;
  const Array* array = nullptr;
  Scalar scalar = {};
};

/// A node for each result of a text, and which numbers decided by what they are worth what was
/// made: as an exponent, as an axis, or with other numbers alone.
struct TextNodes {
  std::vector<Expr> results;
  std::vector<char> reads;  // by variable
};

/// What fails when a node is made keeps its status, and gets the place in the text. Where some are
/// `given`, they stand for the variables.
TextNodes nodes_of(const Parsed& parsed, std::span<const Variable> variables,
                   std::span<const Expr> given = {});

std::vector<Expr> expressions_of(std::string_view text, std::span<const Variable> variables);

/// How many results a text has.
size_t count_results(std::string_view text);

}  // namespace gpuarr::expr
