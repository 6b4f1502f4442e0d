// What a name stands for, and what lies between two steps of a text's evaluation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expr/build.hpp"
#include "expr/parse/callable.hpp"

namespace gpuarr::expr {

enum class Is : uint8_t {
  unset,
  number,
  node,
  none,
  ellipsis,
  dtype,
  slice,
  tuple,
  pair,  // the two results of a function
};

struct Slice {
  int64_t start, stop, step;
};

struct Value {
  Is is = Is::unset;
  DType dtype{};
  Expr node, second;  // of a number what stands for it, if anything does
  Scalar number;
  int32_t variable = -1;  // which a number is
  Slice slice{};
  size_t first = 0, count = 0;  // of a tuple's numbers, which lie elsewhere

  static Value of(Is is) {
    Value out;
    out.is = is;
    return out;
  }
  static Value of(Expr node) {
    Value out = of(Is::node);
    out.node = std::move(node);
    return out;
  }
  static Value of(const Scalar& number, int32_t variable = -1) {
    Value out = of(Is::number);
    out.number = number;
    out.variable = variable;
    return out;
  }
};

/// pi, e, inf, nan, newaxis, and the names of dtypes; unset for other names.
Value constant_named(std::string_view name);
/// Their names, and others that are meant by a misspelt one.
std::vector<std::string_view> constant_names();

/// "a slice", "None", "3": what a message calls it.
std::string text_of(const Value& value);

/// An operand of a function; a number becomes a node. `what` names it in messages.
Expr operand_of(const Value& value, std::string_view what);

/// An array or an expression of one.
const Expr& node_of(const Value& value, std::string_view what);

/// A whole number of at most 64 bits with a sign.
int64_t integer_of(const Value& value, std::string_view what);

/// x[...]
Expr indexed(const Expr& x, std::span<const Value> indices);

/// The arguments of a call by parameter: null where one is not given. `numbers` has those of
/// tuples.
struct CallValues {
  std::span<const Value* const> by_parameter;
  std::span<const int64_t> numbers;
};
Value called(const Callable& callable, const CallValues& arguments);

/// A function of operands by position; of numbers alone their result, where there is one.
Value applied(Op function, std::span<const Value* const> operands);

}  // namespace gpuarr::expr
