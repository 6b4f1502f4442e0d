#include "expr/build.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "expr/open.hpp"

namespace gpuarr::expr {
namespace {

Typed type_of(const Expr& operand) {
  if (operand.get() == nullptr) return {};
  return {operand->dtype, operand->kind == NodeKind::scalar ? &operand->scalar() : nullptr};
}

// "in add(float32 (3,), float32 (4,))"
std::string place(const FunctionRow& row, std::span<const Expr> operands) {
  std::string out = formatted("in {}(", row.name);
  for (size_t k = 0; k < operands.size(); ++k) {
    out += k > 0 ? ", " : "";
    out += operands[k].get() == nullptr ? "nothing" : describe(*operands[k]);
  }
  return out + ")";
}

void join_shape(Node& node, const FunctionRow& row, size_t k, const Node& operand) {
  if (operand.kind == NodeKind::scalar) return;
  if (node.device == nullptr) {
    node.device = operand.device;
    node.shape = operand.shape;
    return;
  }
  if (operand.device != node.device)
    fail(GPUARR_ERR_DEVICE,
         "{} is on {}, but an operand before it is on {}; copy one to the other's device",
         input_name(row, k), operand.device->facts().name, node.device->facts().name);
  if (!broadcast_into(node.shape, operand.shape))
    fail(GPUARR_ERR_BROADCAST, "{} has shape {}, which does not broadcast with {}",
         input_name(row, k), to_string(operand.shape), to_string(node.shape));
}

// What a scalar becomes is the eager functions' business too, but it may fail now.
void check_scalar(const Resolved& by, const FunctionRow& row, size_t k, const Scalar& value) {
  if (by.dtype == mixed_integers || !is_promoted(row, k)) return;
  std::array<unsigned char, 16> converted;
  value.convert_to(by.dtype, converted.data(), input_name(row, k).c_str(),
                   row.gives == Gives::truth);
}

std::array<Expr, 2> make_functions(Op function, std::span<const Expr> operands) {
  std::array<Typed, most_function_inputs> types;
  std::ranges::transform(operands, types.begin(), type_of);
  const Resolved by = resolve(function, {types.data(), operands.size()});
  const FunctionRow& row = row_of(by.function);
  check_function(by.function, by.dtype);
  std::array<Expr, 2> out;
  Node& node = make_node(out[0], NodeKind::function, result_dtype(row.gives, by.dtype), by.count);
  node.part = FunctionNode{by.function, by.dtype, 0};
  for (size_t k = 0; k < by.count; ++k) {
    Expr& operand = node.operands()[k];
    operand = by.inputs[k] == Resolved::made ? scalar_node(by.scalar) : operands[by.inputs[k]];
    if (operand.get() == nullptr)
      fail(GPUARR_ERR_ARGUMENT, "{} is left out; give it", input_name(row, k));
    join_shape(node, row, k, *operand);
    if (operand->kind == NodeKind::scalar) check_scalar(by, row, k, operand->scalar());
  }
  if (node.device == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "no operand is an array or an expression of one; give one");
  if (output_count(row) > 1) {
    Node& second =
        make_node(out[1], NodeKind::function, result_dtype(row.gives_second, by.dtype), by.count);
    second.part = FunctionNode{by.function, by.dtype, 1};
    std::ranges::copy(node.operands(), second.operands().begin());
    second.shape = node.shape;
    second.device = node.device;
  }
  return out;
}

std::array<Expr, 2> open_functions(Op function, std::span<const Expr> operands) {
  const FunctionRow& row = row_of(function);
  std::array<Expr, 2> out;
  for (size_t k = 0; k < output_count(row); ++k)
    out[k] = open_node(operands, {row.name,
                                  [function, k](std::span<const Expr> known) {
                                    return function_nodes(function, known)[k];
                                  },
                                  reads_scalars(function)});
  return out;
}

Expr open_reduction(Reducer reducer, const Expr& x, const AxisRequest& request, double ddof) {
  const std::vector<int32_t> axes(request.axes.begin(), request.axes.end());
  const bool all = request.all;
  const bool keepdims = request.keepdims;
  return open_node({&x, 1},
                   {name_of(reducer), [=](std::span<const Expr> known) {
                      return reduction_node(reducer, known[0], {axes, all, keepdims}, ddof);
                    }});
}

}  // namespace

bool reads_scalars(Op function) {
  constexpr Op those[] = {Op::power, Op::round, Op::ldexp, Op::isclose};
  return std::ranges::find(those, function) != std::end(those);
}

uint32_t axis_bits(const AxisRequest& request, int ndim) {
  if (request.all) return ndim == 32 ? ~uint32_t{0} : (uint32_t{1} << ndim) - 1;
  if (request.axes.size() > static_cast<size_t>(ndim))
    fail(GPUARR_ERR_AXIS, "axis_count is {}, but there are {} axes", request.axes.size(), ndim);
  uint32_t axes = 0;
  for (size_t k = 0; k < request.axes.size(); ++k) {
    const int axis = checked_axis_of(request.axes, k, ndim);
    if (axes >> axis & 1)
      fail(GPUARR_ERR_AXIS, "axes[{}] is {}, which is given twice; name each axis once", k,
           request.axes[k]);
    axes |= uint32_t{1} << axis;
  }
  return axes;
}

Expr array_node(const Array& array) { return array_node(array, array.device(), -1); }

Expr array_node(const Array& array, Device& device, int32_t input) {
  Expr out;
  Node& node = make_node(out, NodeKind::array, array.dtype);
  node.shape = array.layout.shape;
  node.device = &device;
  node.input = input;
  node.part = ArrayNode(array);
  return out;
}

Expr scalar_node(const Scalar& value, int32_t input) {
  Expr out;
  Node& node = make_node(out, NodeKind::scalar, value.dtype);
  node.input = input;
  node.part = value;
  return out;
}

std::array<Expr, 2> function_nodes(Op function, std::span<const Expr> operands) {
  const FunctionRow& row = row_of(function);
  if (operands.size() != input_count(row))
    fail(GPUARR_ERR_ARGUMENT, "there are {} operands, but {} takes {}: {}", operands.size(),
         row.name, input_count(row), row.inputs);
  if (is_any_open(operands)) return open_functions(function, operands);
  try {
    return make_functions(function, operands);
  } catch (const Error& error) {
    throw Error(error.status(), formatted("{}; {}", error.message(), place(row, operands)));
  }
}

Expr convert_node(const Expr& x, DType dtype) {
  if (x->kind == NodeKind::scalar)
    fail(GPUARR_ERR_ARGUMENT, "x is a scalar; give an array or an expression of one");
  if (x->is_open())
    return open_node({&x, 1}, {"astype", [dtype](std::span<const Expr> known) {
                                 return convert_node(known[0], dtype);
                               }});
  return x->dtype == dtype ? x : copy_node(x, dtype);
}

Expr copy_node(const Expr& x, DType dtype) {
  Expr out;
  Node& node = make_node(out, NodeKind::convert, dtype, 1);
  node.operands()[0] = x;
  node.shape = x->shape;
  node.device = x->device;
  return out;
}

Expr reduction_node(Reducer reducer, const Expr& x, const AxisRequest& request, double ddof) {
  const char* const called = name_of(reducer);
  if (x->kind == NodeKind::scalar)
    fail(GPUARR_ERR_ARGUMENT, "x is a scalar; give an array or an expression of one; in {}({})",
         called, describe(*x));
  if (x->is_open()) return open_reduction(reducer, x, request, ddof);
  const int ndim = x->shape.size();
  try {
    check_reducer(reducer, x->dtype);
    Expr out;
    Node& node = make_node(out, NodeKind::reduction, result_dtype(reducer, x->dtype), 1);
    node.part = ReductionNode{reducer, request.keepdims, axis_bits(request, ndim), ddof};
    node.operands()[0] = x;
    node.device = x->device;
    for (int axis = 0; axis < ndim; ++axis)
      if ((node.reduction().axes >> axis & 1) == 0)
        node.shape.push_back(x->shape[axis]);
      else if (request.keepdims)
        node.shape.push_back(1);
    if (size_of(x->shape) == 0 && size_of(node.shape) > 0 && !has_identity(reducer))
      fail(GPUARR_ERR_EMPTY,
           "zero-size array to reduction operation {} which has no identity (inputs of shape {}); "
           "give it elements",
           called, to_string(x->shape));
    return out;
  } catch (const Error& error) {
    throw Error(error.status(), formatted("{}; in {}({})", error.message(), called, describe(*x)));
  }
}

}  // namespace gpuarr::expr
