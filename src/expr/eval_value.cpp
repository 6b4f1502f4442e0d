#include "expr/eval_value.hpp"

#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.hpp"
#include "expr/view.hpp"

namespace gpuarr::expr {
namespace {

struct Constant {
  std::string_view name;
  double value;
};
constexpr Constant constants[] = {{"pi", std::numbers::pi},
                                  {"e", std::numbers::e},
                                  {"inf", std::numeric_limits<double>::infinity()},
                                  {"nan", std::numeric_limits<double>::quiet_NaN()}};

bool is_whole(const Value& value) {
  return value.is == Is::number && is_integer(value.number.dtype);
}

// An array's views are made without a node for each step.
Array sliced(const Array& x, int axis, const Slice& s) {
  return slice(x, axis, s.start, s.stop, s.step);
}
Expr sliced(const Expr& x, int axis, const Slice& s) {
  return slice_node(x, axis, s.start, s.stop, s.step);
}
Array picked(const Array& x, int axis, int64_t index) { return select(x, axis, index); }
Expr picked(const Expr& x, int axis, int64_t index) { return index_node(x, axis, index); }
Array expanded(const Array& x, int axis) { return expand(x, axis); }
Expr expanded(const Expr& x, int axis) { return expand_node(x, axis); }

bool takes_axis(const Value& index) { return index.is == Is::slice || is_whole(index); }

void check_index(const Value& index) {
  if (takes_axis(index) || index.is == Is::none || index.is == Is::ellipsis) return;
  if (index.is == Is::node)
    fail(GPUARR_ERR_ARGUMENT,
         "an index is an array; give numbers and slices, or call gpuarr_take for elements by their "
         "indices");
  fail(GPUARR_ERR_ARGUMENT, "an index is {}; give integers, slices, ... and None", text_of(index));
}

template <class T>
T walked(T x, std::span<const Value> indices, int skipped) {
  int axis = 0;
  for (const Value& index : indices) {
    if (index.is == Is::ellipsis)
      axis += skipped;
    else if (index.is == Is::none)
      x = expanded(x, axis++);
    else if (index.is == Is::slice)
      x = sliced(x, axis++, index.slice);
    else
      x = picked(x, axis, integer_of(index, "an index"));
  }
  return x;
}

}  // namespace

Value constant_named(std::string_view name) {
  for (const Constant& known : constants)
    if (known.name == name) return Value::of(Scalar::of(known.value));
  if (name == "newaxis") return Value::of(Is::none);
  Value out;
  for (const DTypeFacts& facts : dtype_table())
    if (facts.name == name) {
      out = Value::of(Is::dtype);
      out.dtype = facts.dtype;
    }
  return out;
}

std::vector<std::string_view> constant_names() {
  std::vector<std::string_view> out = {"newaxis", "True", "False", "None"};
  for (const Constant& known : constants) out.push_back(known.name);
  for (const DTypeFacts& facts : dtype_table()) out.emplace_back(facts.name);
  return out;
}

std::string text_of(const Value& value) {
  switch (value.is) {
    case Is::number:
      return value.number.to_text();
    case Is::node:
      return describe(*value.node);
    case Is::none:
      return "None";
    case Is::ellipsis:
      return "...";
    case Is::dtype:
      return name(value.dtype);
    case Is::slice:
      return "a slice";
    case Is::tuple:
      return "a tuple";
    case Is::pair:
      return "the two results of a function";
    case Is::unset:
      break;
  }
  return "nothing";
}

const Expr& node_of(const Value& value, std::string_view what) {
  if (value.is == Is::node) return value.node;
  if (value.is == Is::pair)
    fail(GPUARR_ERR_ARGUMENT, "{} is two results of a function; take one by [0] or [1]", what);
  fail(GPUARR_ERR_ARGUMENT, "{} is {}; give an array or an expression of one", what,
       text_of(value));
}

Expr operand_of(const Value& value, std::string_view what) {
  if (value.is != Is::number) return node_of(value, what);
  return value.node.get() != nullptr ? value.node : scalar_node(value.number);
}

int64_t integer_of(const Value& value, std::string_view what) {
  if (!is_whole(value))
    fail(GPUARR_ERR_ARGUMENT, "{} is {}; give an integer", what, text_of(value));
  int64_t out = 0;
  value.number.convert_to(DType::i64, &out, std::string(what).c_str());
  return out;
}

Expr indexed(const Expr& x, std::span<const Value> indices) {
  int taken = 0, dots = 0;
  for (const Value& index : indices) {
    check_index(index);
    taken += takes_axis(index) ? 1 : 0;
    dots += index.is == Is::ellipsis ? 1 : 0;
  }
  const int ndim = x->shape.size();
  if (dots > 1) fail(GPUARR_ERR_ARGUMENT, "... stands twice among the indices");
  if (taken > ndim)
    fail(GPUARR_ERR_AXIS, "{} axes are indexed, but {} has {}", taken, describe(*x), ndim);
  if (x->kind == NodeKind::array)
    return array_node(walked(x->array(), indices, ndim - taken), *x->device, x->input);
  return walked(x, indices, ndim - taken);
}

}  // namespace gpuarr::expr
