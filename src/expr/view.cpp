#include "expr/view.hpp"

#include <algorithm>
#include <unordered_map>

#include "core/error.hpp"
#include "expr/build.hpp"
#include "expr/open.hpp"
#include "kernel/copy.hpp"

namespace gpuarr::expr {
namespace {

std::vector<int32_t> axes_of(const ViewStep& step) {
  return {step.numbers.begin(), step.numbers.end()};
}

// Fails where a reshape is no view.
Array applied(const Array& x, const ViewStep& step) {
  const std::vector<int64_t>& n = step.numbers;
  switch (step.kind) {
    case ViewStep::broadcast:
      return broadcast(x, Dims(n));
    case ViewStep::slice:
      return slice(x, n[0], n[1], n[2], n[3]);
    case ViewStep::index:
      return select(x, n[0], n[1]);
    case ViewStep::expand:
      return expand(x, n[0]);
    case ViewStep::transpose:
      return n.empty() ? reverse_axes(x) : transpose(x, axes_of(step));
    case ViewStep::flip:
      return n.empty() ? flip(x) : flip(x, axes_of(step));
    case ViewStep::reshape:
      return reshape(x, static_cast<int32_t>(n.size()), n.data());
  }
  return x;
}

// An array of the node's shape without memory, which tells shapes and errors.
Array probe(const Node& node) {
  Array out;
  out.dtype = node.dtype;
  out.layout = {node.shape, dense_strides(node.shape, Order::c)};
  return out;
}

// Takes a step on what lies below an expression.
class Pushing {
 public:
  Pushing(const Dims& shape, const ViewStep& step)
      : spread_{ViewStep::broadcast, {shape.begin(), shape.end()}}, step_(step) {}

  // Null where some array below has no such view.
  Expr push(const Expr& top) {
    std::vector<const Expr*> waiting = {&top};
    while (!waiting.empty()) {
      const Expr& x = *waiting.back();
      bool ready = true;
      if (is_elementwise(*x) && !made_.contains(x.get()))
        for (int k = 0; k < x->count; ++k)
          if (const Expr& o = x->operands()[as_index(k)]; !made_.contains(o.get())) {
            waiting.push_back(&o);
            ready = false;
          }
      if (!ready) continue;
      waiting.pop_back();
      if (!made_.contains(x.get())) made_.emplace(x.get(), one(x));
    }
    return made_.at(top.get());
  }

  static bool is_elementwise(const Node& node) {
    return node.kind == NodeKind::function || node.kind == NodeKind::convert;
  }

 private:
  Expr one(const Expr& x) {
    if (x->kind == NodeKind::scalar) return x;
    if (x->kind == NodeKind::array)
      return array_like(applied(applied(x->array(), spread_), step_), *x);
    if (!is_elementwise(*x)) return stored_view(x);
    Expr out;
    Node& node = make_node(out, x->kind, x->dtype, as_index(x->count));
    node.device = x->device;
    node.part = x->part;
    for (size_t k = 0; k < node.operands().size(); ++k) {
      const Expr& operand = node.operands()[k] = made_.at(x->operands()[k].get());
      if (operand->kind != NodeKind::scalar) node.shape = operand->shape;
    }
    return out;
  }

  static Expr array_like(const Array& array, const Node& node) {
    return array_node(array, *node.device, node.input);
  }

 public:
  Expr stored_view(const Expr& x) const {
    Expr out;
    Node& node = make_node(out, NodeKind::view, x->dtype, 1);
    node.device = x->device;
    ViewNode steps;
    if (x->kind == NodeKind::view) {
      steps = x->view();
      node.operands()[0] = x->operands()[0];
    } else {
      node.operands()[0] = x;
    }
    steps.push_back(spread_);
    steps.push_back(step_);
    node.shape = applied(applied(probe(*x), spread_), step_).layout.shape;
    node.part = std::move(steps);
    return out;
  }

 private:
  const ViewStep spread_;
  const ViewStep step_;
  std::unordered_map<const Node*, Expr> made_;
};

Expr view_node(const Expr& x, const ViewStep& step) {
  if (x->kind == NodeKind::scalar)
    fail(GPUARR_ERR_ARGUMENT, "x is a scalar; give an array or an expression of one");
  if (x->is_open())
    return open_node({&x, 1}, {"view", [step](std::span<const Expr> known) {
                                 return view_node(known[0], step);
                               }});
  applied(probe(*x), step);  // fails for what is wrong with the step
  Pushing pushing(x->shape, step);
  try {
    return pushing.push(x);
  } catch (const Error& error) {
    if (step.kind != ViewStep::reshape || error.status() != GPUARR_ERR_SHAPE) throw;
    return pushing.stored_view(x);
  }
}

std::vector<int64_t> numbers(const Expr& x, std::span<const int32_t> axes) {
  const auto ndim = static_cast<size_t>(x->is_open() ? max_ndim : x->shape.size());
  if (axes.size() > ndim)
    fail(GPUARR_ERR_AXIS, "count is {}, but x has {} axes", axes.size(), ndim);
  return {axes.begin(), axes.end()};
}

}  // namespace

Expr slice_node(const Expr& x, int64_t axis, int64_t start, int64_t stop, int64_t step) {
  return view_node(x, {ViewStep::slice, {axis, start, stop, step}});
}
Expr index_node(const Expr& x, int64_t axis, int64_t index) {
  return view_node(x, {ViewStep::index, {axis, index}});
}
Expr expand_node(const Expr& x, int64_t axis) { return view_node(x, {ViewStep::expand, {axis}}); }
Expr transpose_node(const Expr& x, std::span<const int32_t> axes) {
  return view_node(x, {ViewStep::transpose, numbers(x, axes)});
}
Expr flip_node(const Expr& x, std::span<const int32_t> axes) {
  return view_node(x, {ViewStep::flip, numbers(x, axes)});
}
Expr broadcast_node(const Expr& x, const Dims& shape) {
  return view_node(x, {ViewStep::broadcast, {shape.begin(), shape.end()}});
}
Expr reshape_node(const Expr& x, std::span<const int64_t> shape) {
  return view_node(x, {ViewStep::reshape, {shape.begin(), shape.end()}});
}

Array viewed(const Array& array, std::span<const ViewStep> steps, Stream& stream) {
  Array out = array;
  for (const ViewStep& step : steps) {
    try {
      out = applied(out, step);
    } catch (const Error&) {
      if (step.kind != ViewStep::reshape) throw;
      const Array dense = Array::empty(stream, out.dtype, out.layout.shape);
      convert(dense, out, stream);
      out = applied(dense, step);
    }
  }
  return out;
}

}  // namespace gpuarr::expr
