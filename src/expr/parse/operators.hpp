// Python's operators: what they compute, and how tightly they bind.
#pragma once

#include <optional>
#include <string_view>

#include "ops/functions/op.hpp"

namespace gpuarr::expr {

struct Operator {
  std::string_view sign;
  std::optional<Op> function;  // none is a call of matmul
  int binding;
};

constexpr int comparison_binding = 1, unary_binding = 7, power_binding = 8;

constexpr Operator binary_operators[] = {{"<", Op::less, comparison_binding},
                                         {"<=", Op::less_equal, comparison_binding},
                                         {">", Op::greater, comparison_binding},
                                         {">=", Op::greater_equal, comparison_binding},
                                         {"==", Op::equal, comparison_binding},
                                         {"!=", Op::not_equal, comparison_binding},
                                         {"|", Op::bitwise_or, 2},
                                         {"&", Op::bitwise_and, 3},
                                         {"<<", Op::left_shift, 4},
                                         {">>", Op::right_shift, 4},
                                         {"+", Op::add, 5},
                                         {"-", Op::subtract, 5},
                                         {"*", Op::multiply, 6},
                                         {"/", Op::divide, 6},
                                         {"//", Op::floor_divide, 6},
                                         {"%", Op::remainder, 6},
                                         {"@", std::nullopt, 6},
                                         {"**", Op::power, power_binding}};

constexpr Operator unary_operators[] = {{"+", Op::positive, unary_binding},
                                        {"-", Op::negative, unary_binding},
                                        {"~", Op::invert, unary_binding}};

/// What to write in place of a sign or a word of Python's that this language has not; "" if it has
/// no such word either.
constexpr std::string_view hint_for(std::string_view word) {
  struct Hint {
    std::string_view word, hint;
  };
  constexpr Hint hints[] = {
      {"^", "a power is x ** y; for exclusive or call bitwise_xor(x, y) or logical_xor(x, y)"},
      {"not", "write ~ for bools and integers, or call logical_not(x)"},
      {"and", "write &, with comparisons in parentheses: (x > 0) & (y > 0)"},
      {"or", "write |, with comparisons in parentheses: (x < 0) | (y < 0)"},
      {"&&", "write &, with comparisons in parentheses: (x > 0) & (y > 0)"},
      {"||", "write |, with comparisons in parentheses: (x < 0) | (y < 0)"},
      {"!", "write ~ for bools and integers, or call logical_not(x)"},
      {"if", "a choice between elements is where(condition, x, y)"},
      {"else", "a choice between elements is where(condition, x, y)"},
      {"?", "a choice between elements is where(condition, x, y)"},
      {"is", "compare by =="},
      {":=", "a name is given by a statement of its own: d = x - y; sum(d*d)"},
      {"lambda", "functions are not defined here"},
      {"def", "functions are not defined here"}};
  for (const Hint& known : hints)
    if (known.word == word) return known.hint;
  return "";
}

}  // namespace gpuarr::expr
