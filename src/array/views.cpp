// Views: the same memory through another layout.
#include "array/views.hpp"

#include <algorithm>
#include <bitset>
#include <functional>
#include <numeric>
#include <utility>

#include "core/error.hpp"

namespace gpuarr {
namespace {

// A bound of a slice, by Python's rules: from the end if negative, clipped to low ... high.
int64_t clipped(int64_t bound, int64_t extent, int64_t low, int64_t high) {
  if (bound < 0) bound += extent;
  return std::clamp(bound, low, high);
}

// 0-based axes, none twice.
std::array<int, max_ndim> distinct_axes(std::span<const int32_t> axes, int ndim) {
  if (static_cast<int>(axes.size()) > ndim)
    fail(GPUARR_ERR_AXIS, "count is {}, but the array has {} axes", axes.size(), ndim);
  std::array<int, max_ndim> out{};
  std::bitset<max_ndim> seen;
  for (size_t i = 0; i < axes.size(); ++i) {
    out[i] = checked_axis_of(axes, i, ndim);
    auto bit = static_cast<size_t>(out[i]);
    if (seen[bit]) fail(GPUARR_ERR_AXIS, "axes[{}] is {}, an axis given before", i, axes[i]);
    seen.set(bit);
  }
  return out;
}

// The extents that a reshape asks for, with -1 worked out.
Dims wanted_shape(const Array& array, int32_t ndim, const int64_t* shape) {
  std::array<int64_t, max_ndim> extents{};
  int unknown = -1;
  bool readable = shape != nullptr && ndim >= 0 && ndim <= max_ndim;
  for (int i = 0; readable && i < ndim; ++i) {
    auto at = static_cast<size_t>(i);
    extents[at] = shape[i];
    if (shape[i] != -1) continue;
    if (unknown >= 0)
      fail(GPUARR_ERR_SHAPE, "shape[{}] and shape[{}] are both -1; only one can be computed",
           unknown, i);
    unknown = i;
    extents[at] = 1;
  }
  Dims out = checked_shape(ndim, shape != nullptr ? extents.data() : nullptr, array.itemsize());
  int64_t known = size_of(out);
  if (unknown < 0) return out;
  if (known == 0 || array.size() % known != 0)
    fail(GPUARR_ERR_SHAPE, "shape[{}] is -1, but {} elements do not divide by the others' {}",
         unknown, array.size(), known);
  out[unknown] = array.size() / known;
  return out;
}

// Axes that lie one inside the other in memory, as one.
struct Run {
  int64_t size;
  int64_t stride;
};

// The longest runs of neighbouring axes, from the last axis to the first.
int runs_of(const Layout& layout, std::array<Run, max_ndim>& runs) {
  int count = 0;
  for (int i = layout.ndim() - 1; i >= 0; --i) {
    if (layout.shape[i] == 1) continue;
    Run* last = count > 0 ? &runs[static_cast<size_t>(count - 1)] : nullptr;
    if (last != nullptr && layout.strides[i] == last->stride * last->size)
      last->size *= layout.shape[i];
    else
      runs[static_cast<size_t>(count++)] = {layout.shape[i], layout.strides[i]};
  }
  return count;
}

// Cuts the runs into the new axes, which must end where runs end. False if they do not.
bool reshaped_strides(const Layout& from, const Dims& shape, Dims& strides) {
  std::array<Run, max_ndim> runs;
  int count = runs_of(from, runs);
  strides = Dims::filled(shape.size(), 1);
  int at = 0;
  for (int i = shape.size() - 1; i >= 0; --i) {
    if (shape[i] == 1) continue;
    if (runs[static_cast<size_t>(at)].size == 1 && at + 1 < count) ++at;
    Run& run = runs[static_cast<size_t>(at)];
    if (run.size % shape[i] != 0) return false;
    strides[i] = run.stride;
    run.stride *= shape[i];
    run.size /= shape[i];
  }
  return true;
}

}  // namespace

Array slice(const Array& array, int64_t axis, int64_t start, int64_t stop, int64_t step) {
  int at = checked_axis(axis, array.ndim());
  if (step == 0) fail(GPUARR_ERR_ARGUMENT, "step is 0; give another, as 1 for every index");
  bool up = step > 0;
  int64_t extent = array.layout.shape[at];
  int64_t low = up ? 0 : -1;
  int64_t high = up ? extent : extent - 1;
  int64_t first = start == left_out ? (up ? low : high) : clipped(start, extent, low, high);
  int64_t end = stop == left_out ? (up ? high : low) : clipped(stop, extent, low, high);
  int64_t count = 0;
  if (up && first < end) count = (end - first - 1) / step + 1;
  if (!up && first > end) count = (end - first + 1) / step + 1;
  Layout layout = array.layout;
  layout.shape[at] = count;
  if (count > 1) layout.strides[at] *= step;  // else the product might overflow, for nothing
  return array.view(layout, count > 0 ? first * array.layout.strides[at] : 0);
}

Array select(const Array& array, int64_t axis, int64_t index) {
  int at = checked_axis(axis, array.ndim());
  int64_t extent = array.layout.shape[at];
  if (index < -extent || index >= extent)
    fail(GPUARR_ERR_AXIS, "index is {}, but axis {} has extent {}", index, at, extent);
  if (index < 0) index += extent;
  Layout layout = array.layout;
  layout.erase_axis(at);
  return array.view(layout, index * array.layout.strides[at]);
}

Array reverse_axes(const Array& array) {
  Layout layout;
  for (int i = array.ndim() - 1; i >= 0; --i) layout.add_axis_of(array.layout, i);
  return array.view(layout);
}

Array transpose(const Array& array, std::span<const int32_t> axes) {
  auto order = distinct_axes(axes, array.ndim());
  if (static_cast<int>(axes.size()) < array.ndim())
    fail(GPUARR_ERR_AXIS, "count is {}, but the array has {} {}; name each once", axes.size(),
         array.ndim(), array.ndim() == 1 ? "axis" : "axes");
  Layout layout;
  for (size_t i = 0; i < axes.size(); ++i) layout.add_axis_of(array.layout, order[i]);
  return array.view(layout);
}

Array reshape(const Array& array, int32_t ndim, const int64_t* shape) {
  Layout layout{wanted_shape(array, ndim, shape), {}};
  if (size_of(layout.shape) != array.size())
    fail(GPUARR_ERR_SHAPE, "shape {} has {} elements, but the array's {} has {}",
         to_string(layout.shape), size_of(layout.shape), to_string(array.layout.shape),
         array.size());
  if (array.size() == 0)
    layout.strides = dense_strides(layout.shape, Order::c);
  else if (!reshaped_strides(array.layout, layout.shape, layout.strides))
    fail(GPUARR_ERR_SHAPE,
         "shape {} is not a view of an array of shape {} and strides {}; copy the array first",
         to_string(layout.shape), to_string(array.layout.shape), to_string(array.layout.strides));
  return array.view(layout);
}

Array broadcast(const Array& array, const Dims& shape) {
  return array.view(broadcast_to(array.layout, shape));
}

Array squeeze(const Array& array) {
  Layout layout;
  for (int i = 0; i < array.ndim(); ++i)
    if (array.layout.shape[i] != 1) layout.add_axis_of(array.layout, i);
  return array.view(layout);
}

Array squeeze(const Array& array, std::span<const int32_t> axes) {
  auto gone = distinct_axes(axes, array.ndim());
  std::sort(gone.begin(), gone.begin() + axes.size(), std::greater<>());
  Layout layout = array.layout;
  for (size_t i = 0; i < axes.size(); ++i) {
    if (layout.shape[gone[i]] != 1)
      fail(GPUARR_ERR_SHAPE, "axis {} has extent {}; only an axis of extent 1 can be removed",
           gone[i], layout.shape[gone[i]]);
    layout.erase_axis(gone[i]);
  }
  return array.view(layout);
}

Array expand(const Array& array, int64_t axis) {
  if (array.ndim() == max_ndim)
    fail(GPUARR_ERR_SHAPE, "the array has {} axes, which is the maximum", max_ndim);
  int ndim = array.ndim() + 1;
  if (axis < -ndim || axis >= ndim)
    fail(GPUARR_ERR_AXIS, "axis is {}; the view has {} axes, so it may be {} to {}", axis, ndim,
         -ndim, ndim - 1);
  int at = static_cast<int>(axis < 0 ? axis + ndim : axis);
  Layout layout = array.layout;
  layout.shape.insert(at, 1);
  layout.strides.insert(at, 1);
  return array.view(layout);
}

Array flip(const Array& array, std::span<const int32_t> axes) {
  auto turned = distinct_axes(axes, array.ndim());
  Layout layout = array.layout;
  int64_t start = 0;
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t extent = layout.shape[turned[i]];
    if (extent < 2) continue;
    start += (extent - 1) * layout.strides[turned[i]];
    layout.strides[turned[i]] *= -1;
  }
  return array.view(layout, start);
}

Array flip(const Array& array) {
  std::array<int32_t, max_ndim> all;
  std::iota(all.begin(), all.end(), 0);
  return flip(array, {all.data(), static_cast<size_t>(array.ndim())});
}

Array rotate(const Array& array, int64_t turns, int64_t axis1, int64_t axis2) {
  const int32_t from = checked_axis(axis1, array.ndim(), "axis1");
  const int32_t to = checked_axis(axis2, array.ndim(), "axis2");
  if (from == to)
    fail(GPUARR_ERR_AXIS, "axis1 and axis2 are both axis {}; a rotation needs two axes", from);
  const int64_t quarter = (turns % 4 + 4) % 4;
  const int32_t both[] = {from, to};
  if (quarter == 0) return array;
  if (quarter == 2) return flip(array, both);
  // After one turn the second axis, walked from its end, is the first one.
  Array out = flip(array, {quarter == 1 ? &to : &from, 1});
  std::swap(out.layout.shape[from], out.layout.shape[to]);
  std::swap(out.layout.strides[from], out.layout.strides[to]);
  return out;
}

Array diagonal(const Array& array, int64_t offset, int64_t axis1, int64_t axis2) {
  int row = checked_axis(axis1, array.ndim(), "axis1");
  int column = checked_axis(axis2, array.ndim(), "axis2");
  if (row == column)
    fail(GPUARR_ERR_AXIS, "axis1 and axis2 are both axis {}; a diagonal needs two axes", row);
  const auto& [shape, strides] = array.layout;
  int64_t extent = 0;
  int64_t start = 0;
  if (offset > -shape[row] && offset < shape[column]) {
    int64_t down = offset < 0 ? -offset : 0;
    int64_t right = offset > 0 ? offset : 0;
    extent = std::min(shape[row] - down, shape[column] - right);
    start = down * strides[row] + right * strides[column];
  }
  Layout layout = array.layout;
  for (int axis : {std::max(row, column), std::min(row, column)}) {
    layout.erase_axis(axis);
  }
  layout.add_axis(extent, extent > 1 ? strides[row] + strides[column] : 1);
  return array.view(layout, start);
}

std::span<const int32_t> checked_axes(int32_t count, const int32_t* axes) {
  if (count < 0) fail(GPUARR_ERR_ARGUMENT, "count is {}; it must be 0 or more", count);
  if (count > 0 && axes == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "axes is NULL, but count is {}; give {} axes, or count 0", count,
         count);
  return {axes, static_cast<size_t>(count)};
}

}  // namespace gpuarr
