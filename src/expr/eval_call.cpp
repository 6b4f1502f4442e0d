// Calls in an expression's text.
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "expr/eval_value.hpp"
#include "expr/kernel_nodes.hpp"
#include "expr/parse/fold.hpp"
#include "expr/view.hpp"

namespace gpuarr::expr {
namespace {

// The parameters of a call, taken as what they have to be.
class Arguments {
 public:
  Arguments(const Callable& callable, const CallValues& values)
      : callable_(callable), values_(values) {}

  const Value* given(size_t k) const {
    const Value* value = values_.by_parameter[k];
    return value != nullptr && value->is != Is::none ? value : nullptr;
  }
  const std::string& name(size_t k) const { return callable_.parameters[k]; }
  const Expr& node(size_t k) const { return node_of(*values_.by_parameter[k], name(k)); }

  bool flag(size_t k) const {
    const Value* value = given(k);
    if (value == nullptr) return false;
    if (value->is != Is::number || value->number.dtype != DType::boolean)
      fail(GPUARR_ERR_ARGUMENT, "{} is {}; give True or False", name(k), text_of(*value));
    return value->number.bytes[0] != 0;
  }

  double real(size_t k, double otherwise) const {
    const Value* value = given(k);
    if (value == nullptr) return otherwise;
    if (value->is != Is::number || is_complex(value->number.dtype))
      fail(GPUARR_ERR_ARGUMENT, "{} is {}; give a number", name(k), text_of(*value));
    return static_cast<double>(value->number.real());
  }

  // One number, or a tuple of them.
  std::vector<int64_t> integers(size_t k) const {
    const Value& value = *values_.by_parameter[k];
    if (value.is != Is::tuple) return {integer_of(value, name(k))};
    const auto numbers = values_.numbers.subspan(value.first, value.count);
    return {numbers.begin(), numbers.end()};
  }

  std::vector<int32_t> axes(size_t k) const {
    std::vector<int32_t> out;
    for (const int64_t axis : integers(k)) {
      if (axis != static_cast<int32_t>(axis))
        fail(GPUARR_ERR_AXIS, "{} is {}, which no array has", name(k), axis);
      out.push_back(static_cast<int32_t>(axis));
    }
    return out;
  }

 private:
  const Callable& callable_;
  const CallValues& values_;
};

Expr reduced(const Arguments& arguments, Reducer reducer, size_t axis, double ddof) {
  const bool all = arguments.given(axis) == nullptr;
  std::vector<int32_t> axes;
  if (!all) axes = arguments.axes(axis);
  return reduction_node(reducer, arguments.node(0), {axes, all, arguments.flag(axis + 1)}, ddof);
}

Expr reduction(const Callable& callable, const Arguments& arguments) {
  double ddof = 0;
  if (callable.parameters.size() > 3) ddof = arguments.real(3, 0);
  if (!std::isfinite(ddof)) fail(GPUARR_ERR_ARGUMENT, "ddof is {}; give a finite number", ddof);
  return reduced(arguments, callable.reducer, 1, ddof);
}

// The second argument, which may be left out where x has one axis.
int64_t axis_of(const Arguments& arguments) {
  if (arguments.given(1) != nullptr) return integer_of(*arguments.given(1), "axis");
  const int ndim = arguments.node(0)->shape.size();
  if (ndim != 1) fail(GPUARR_ERR_AXIS, "axis is left out, but x has {} axes; name one", ndim);
  return 0;
}

Expr scanned(const Callable& callable, const Arguments& arguments) {
  const Expr& x = arguments.node(0);
  const int64_t axis = axis_of(arguments);
  return scan_node(callable.scanner, x, axis, arguments.flag(2));
}

Expr multiplied(const Arguments& arguments) {
  const Expr& x = arguments.node(0);
  return matmul_node(x, arguments.node(1));
}

DType dtype_of(const Value& value) {
  if (value.is == Is::dtype) return value.dtype;
  fail(GPUARR_ERR_ARGUMENT, "dtype is {}; give one such as float32", text_of(value));
}

Expr flipped(const Arguments& arguments) {
  if (arguments.given(1) == nullptr) return flip_node(arguments.node(0), {});
  const std::vector<int32_t> axes = arguments.axes(1);
  return axes.empty() ? arguments.node(0) : flip_node(arguments.node(0), axes);
}

Expr transposed(const Arguments& arguments) {
  const Expr& x = arguments.node(0);
  if (arguments.given(1) == nullptr) return transpose_node(x, {});
  const std::vector<int32_t> axes = arguments.axes(1);
  if (axes.empty() && !x->shape.empty())
    fail(GPUARR_ERR_AXIS, "axes is (), but x has {} axes; name each once", x->shape.size());
  return transpose_node(x, axes);
}

// What is left out of the inputs of a function of elements.
Value default_of(Op function, size_t k) {
  if (function == Op::round) return Value::of(Scalar::of(int64_t{0}));
  if (function != Op::isclose) return Value::of(Is::none);
  if (k < 4) return Value::of(Scalar::of(k == 2 ? 1e-5 : 1e-8));
  return Value::of(Scalar{DType::boolean});
}

Value of_elements(const Callable& callable, const CallValues& arguments) {
  const size_t count = arguments.by_parameter.size();
  std::array<Value, most_function_inputs> defaults;
  std::array<const Value*, most_function_inputs> operands{};
  for (size_t k = 0; k < count; ++k) {
    operands[k] = arguments.by_parameter[k];
    if (operands[k] == nullptr) operands[k] = &(defaults[k] = default_of(callable.function, k));
  }
  return applied(callable.function, {operands.data(), count});
}

// Of numbers alone; an array is needed where that is not known.
Value folded(Op function, std::span<const Value* const> operands) {
  std::array<Scalar, most_function_inputs> numbers;
  for (size_t k = 0; k < operands.size(); ++k) numbers[k] = operands[k]->number;
  if (const auto value = fold(function, {numbers.data(), operands.size()}))
    return Value::of(*value);
  fail(GPUARR_ERR_ARGUMENT, "{} is not computed of numbers alone; an operand must be an array",
       row_of(function).name);
}

}  // namespace

Value applied(Op function, std::span<const Value* const> operands) {
  const auto is_number = [](const Value* value) { return value->is == Is::number; };
  if (std::ranges::all_of(operands, is_number)) return folded(function, operands);
  const FunctionRow& row = row_of(function);
  std::array<Expr, most_function_inputs> nodes;
  for (size_t k = 0; k < operands.size(); ++k) {
    const Value& value = *operands[k];
    const bool is_bound = function == Op::clip && k > 0;
    if (value.is == Is::node)
      nodes[k] = value.node;
    else if (!is_bound || value.is != Is::none)
      nodes[k] = operand_of(value, input_name(row, k));
  }
  auto made = function_nodes(function, {nodes.data(), operands.size()});
  Value out = Value::of(std::move(made[0]));
  if (made[1].get() != nullptr) {
    out.is = Is::pair;
    out.second = std::move(made[1]);
  }
  return out;
}

Value called(const Callable& callable, const CallValues& values) {
  const Arguments arguments(callable, values);
  switch (callable.calls) {
    case Calls::function:
      return of_elements(callable, values);
    case Calls::reduction:
      return Value::of(reduction(callable, arguments));
    case Calls::norm:
      return Value::of(reduced(arguments, norm_of(arguments.real(1, 2)), 2, 0));
    case Calls::scan:
      return Value::of(scanned(callable, arguments));
    case Calls::indices:
      return Value::of(indices_node(arguments.node(0), axis_of(arguments)));
    case Calls::matmul:
      return Value::of(multiplied(arguments));
    case Calls::astype:
      return Value::of(convert_node(arguments.node(0), dtype_of(*values.by_parameter[1])));
    case Calls::transpose:
      return Value::of(transposed(arguments));
    case Calls::reshape:
      return Value::of(reshape_node(arguments.node(0), arguments.integers(1)));
    case Calls::flip:
      return Value::of(flipped(arguments));
  }
  return {};
}

}  // namespace gpuarr::expr
