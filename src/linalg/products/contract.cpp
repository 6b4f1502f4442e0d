#include "linalg/products/contract.hpp"

#include <algorithm>
#include <vector>

#include "linalg/products/matmul.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/own_kernel.hpp"
#include "ops/base/result.hpp"
#include "ops/reduce/reduce.hpp"

namespace gpuarr {
namespace {

bool has_label(const Dims& labels, int64_t label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

int axis_of(const Dims& labels, int64_t label) {
  return static_cast<int>(std::find(labels.begin(), labels.end(), label) - labels.begin());
}

void drop_axis(Labelled& x, int axis) {
  Layout layout = x.array.layout;
  layout.erase_axis(axis);
  x.array = x.array.view(layout);
  x.labels.erase(axis);
}

// An axis of extent 1 repeats along whatever has its label.
void drop_ones(Labelled& x) {
  for (int axis = x.array.ndim() - 1; axis >= 0; --axis)
    if (x.array.layout.shape[axis] == 1) drop_axis(x, axis);
}

// "ii" is a diagonal.
void take_diagonals(Labelled& x) {
  for (int axis = 0; axis < x.labels.size(); ++axis)
    for (int other = x.labels.size() - 1; other > axis; --other)
      if (x.labels[other] == x.labels[axis]) {
        Layout layout = x.array.layout;
        layout.strides[axis] += layout.strides[other];
        x.array = x.array.view(layout);
        drop_axis(x, other);
      }
}

Array sum_of(const Array& x, std::span<const int32_t> axes, DType dtype, Stream& stream) {
  const Reducer reducer = dtype == DType::boolean ? Reducer::any : Reducer::sum;
  return *reduce(reducer, x, nullptr, {axes, false, false}, &stream);
}

// Labels that only this operand has, and that are not wanted.
void sum_alone(Labelled& x, const Dims* other, const Dims& wanted, DType dtype, Stream& stream) {
  std::vector<int32_t> axes;
  for (int axis = x.labels.size() - 1; axis >= 0; --axis) {
    const int64_t label = x.labels[axis];
    if (has_label(wanted, label) || (other != nullptr && has_label(*other, label))) continue;
    axes.push_back(axis);
    x.labels.erase(axis);
  }
  if (!axes.empty()) x.array = sum_of(x.array, axes, dtype, stream);
}

// The array with its axes in the order of these labels, and stride 0 for those that it lacks.
Array arranged(const Labelled& x, const Dims& labels, const Dims& shape) {
  Layout layout{shape, Dims::filled(shape.size(), 0)};
  for (int axis = 0; axis < labels.size(); ++axis)
    if (has_label(x.labels, labels[axis]))
      layout.strides[axis] = x.array.layout.strides[axis_of(x.labels, labels[axis])];
  return x.array.view(layout);
}

// Labels sorted by how far apart their elements lie, as in memory.
Dims in_memory_order(const Dims& labels, const Labelled& x) {
  std::vector<int64_t> sorted(labels.begin(), labels.end());
  const auto stride = [&](int64_t label) {
    return std::abs(x.array.layout.strides[axis_of(x.labels, label)]);
  };
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](int64_t a, int64_t b) { return stride(a) > stride(b); });
  return Dims(std::span<const int64_t>(sorted));
}

// Axes that lie as one: its extent and stride.
struct Merged {
  int64_t extent = 1, stride = 1;
};

std::optional<Merged> merged(const Array& x, int first, int last) {
  Merged result;
  if (x.size() == 0) {
    for (int axis = first; axis < last; ++axis) result.extent *= x.layout.shape[axis];
    return result;
  }
  for (int axis = last - 1; axis >= first; --axis) {
    const int64_t extent = x.layout.shape[axis];
    const int64_t stride = x.layout.strides[axis];
    if (extent == 1) continue;
    if (result.extent != 1 && stride != result.stride * result.extent) return std::nullopt;
    if (result.extent == 1) result.stride = stride;
    result.extent *= extent;
  }
  return result;
}

Dims joined(const Dims& a, const Dims& b) {
  Dims all = a;
  for (int64_t label : b) all.push_back(label);
  return all;
}

// A product of stacks of matrices: labels of the stacks, of rows, columns, and what is added up.
struct Groups {
  Dims stack, rows, columns, inner;

  Groups(const Dims& x, const Dims& y, const Dims& wanted) {
    for (int64_t label : x)
      (has_label(y, label) ? has_label(wanted, label) ? stack : inner : rows).push_back(label);
    for (int64_t label : y)
      if (!has_label(x, label)) columns.push_back(label);
  }
};

// The array as stacks of matrices: the axes of both groups become one each, in a copy if need be.
Array as_matrices(const Array& x, int stack, int rows, Stream& stream, bool may_copy = true) {
  const auto first = merged(x, stack, stack + rows);
  const auto second = merged(x, stack + rows, x.ndim());
  if (!first || !second) {
    if (!may_copy) return Array();
    return as_matrices(copy(x, x.dtype, Order::c, stream), stack, rows, stream);
  }
  Layout layout;
  for (int axis = 0; axis < stack; ++axis) {
    layout.add_axis_of(x.layout, axis);
  }
  for (const Merged& part : {*first, *second}) {
    layout.add_axis(part.extent, part.stride);
  }
  return x.view(layout);
}

Dims shape_of(const Labelled& x, const Dims& labels) {
  Dims shape;
  for (int64_t label : labels) shape.push_back(x.array.layout.shape[axis_of(x.labels, label)]);
  return shape;
}

Array in_order(const Labelled& x, const Dims& labels) {
  return arranged(x, labels, shape_of(x, labels));
}

bool merges(const Labelled& x, const Dims& labels) {
  const Array view = in_order(x, labels);
  return merged(view, 0, view.ndim()).has_value();
}

// out = x y as matrices; a matrix that cannot be seen in `out` is made apart.
void multiply_groups(const Array& out, const Labelled& x, const Labelled& y, const Dims& labels,
                     const ProductOptions& options, Stream& stream) {
  Groups g(x.labels, y.labels, labels);
  g.rows = in_memory_order(g.rows, x);
  g.columns = in_memory_order(g.columns, y);
  const Dims as_in_x = in_memory_order(g.inner, x);
  const Dims as_in_y = in_memory_order(g.inner, y);
  g.inner = merges(y, as_in_x) || !merges(x, as_in_y) ? as_in_x : as_in_y;
  const int stack = g.stack.size();
  const Array left = as_matrices(in_order(x, joined(joined(g.stack, g.rows), g.inner)), stack,
                                 g.rows.size(), stream);
  const Array right = as_matrices(in_order(y, joined(joined(g.stack, g.inner), g.columns)), stack,
                                  g.inner.size(), stream);
  const Labelled target{out, labels};
  const Array whole = in_order(target, joined(joined(g.stack, g.rows), g.columns));
  const Array seen = as_matrices(whole, stack, g.rows.size(), stream, false);
  if (seen.buffer) return multiply(seen, left, right, options, stream);
  const Array own = Array::empty(stream, out.dtype, whole.layout.shape);
  multiply(as_matrices(own, stack, g.rows.size(), stream), left, right, options, stream);
  assign(whole, own, stream);
}

// Strides of a result whose memory has the order in which matrices come out of a product.
Dims strides_of_product(const Labelled& x, const Labelled* y, const Dims& labels,
                        const Dims& shape) {
  const Groups g(x.labels, y != nullptr ? y->labels : Dims(), labels);
  Dims order = joined(in_memory_order(g.stack, x), in_memory_order(g.rows, x));
  if (y != nullptr) order = joined(order, in_memory_order(g.columns, *y));
  Dims strides = Dims::filled(shape.size(), 1);
  int64_t step = 1;
  for (int k = order.size() - 1; k >= 0; --k) {
    const int axis = axis_of(labels, order[k]);
    strides[axis] = step;
    step *= std::max<int64_t>(shape[axis], 1);
  }
  return strides;
}

// What is to be computed, into an array that is there. Labels of extent 1 are gone.
void compute(const Array& out, const Labelled& x, const Labelled* y, const Dims& labels,
             const ProductOptions& options, Stream& stream) {
  const Dims& shape = out.layout.shape;
  if (y == nullptr) return assign(out, arranged(x, labels, shape), stream);
  const bool adds_up = std::any_of(x.labels.begin(), x.labels.end(), [&](int64_t label) {
    return has_label(y->labels, label) && !has_label(labels, label);
  });
  if (!adds_up)
    return multiply_elements(out, arranged(x, labels, shape), arranged(*y, labels, shape), stream);
  const DType dtype = out.dtype;
  multiply_groups(out, {converted(x.array, dtype, stream), x.labels},
                  {converted(y->array, dtype, stream), y->labels}, labels, options, stream);
}

Dims result_shape(const Labelled& x, const Labelled* y, const Dims& labels) {
  Dims shape = Dims::filled(labels.size(), 1);
  for (const Labelled* operand : {&x, y})
    for (int axis = 0; operand != nullptr && axis < labels.size(); ++axis)
      if (has_label(operand->labels, labels[axis]))
        shape[axis] = operand->array.layout.shape[axis_of(operand->labels, labels[axis])];
  return shape;
}

}  // namespace

void multiply_elements(const Array& out, const Array& x, const Array& y, Stream& stream) {
  static Elementwise* const kernel =
      own_kernel("product", "T x, U y", "Z out", "out = (Z)x * (Z)y;");
  run_own(*kernel, {x, y}, {&out}, stream);
}

std::optional<Array> contract(const Array* out, Labelled x, const Labelled* second,
                              const Dims& labels, DType dtype, const ProductOptions& options,
                              Stream& stream) {
  std::optional<Labelled> y;
  if (second != nullptr) y = *second;
  for (Labelled* operand : {&x, y ? &*y : nullptr}) {
    if (operand == nullptr) continue;
    take_diagonals(*operand);
    drop_ones(*operand);
  }
  sum_alone(x, y ? &y->labels : nullptr, labels, dtype, stream);
  if (y) sum_alone(*y, &x.labels, labels, dtype, stream);
  const Labelled* other = y ? &*y : nullptr;
  const Dims shape = result_shape(x, other, labels);
  checked_shape(shape.size(), shape.data(), size_of(dtype));
  const Dims strides = strides_of_product(x, other, labels, shape);
  Result result(out, {dtype, shape, strides}, stream);
  Labelled target{result.array(), labels};
  drop_ones(target);
  compute(target.array, x, other, target.labels, options, stream);
  return result.take();
}

}  // namespace gpuarr
