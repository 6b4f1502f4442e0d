#include "ops/index/join.hpp"

#include "array/views.hpp"
#include "core/error.hpp"
#include "ops/base/memory_order.hpp"
#include "ops/base/result.hpp"
#include "ops/functions/promotion.hpp"
#include "ops/index/runs.hpp"

namespace gpuarr {
namespace {

DType common_dtype(std::span<const Array* const> arrays) {
  Joining all;
  for (const Array* array : arrays) all.add_array(array->dtype);
  return all.dtype(Promotes::same);
}

const Array& first_of(std::span<const Array* const> arrays) {
  if (arrays.empty()) fail(GPUARR_ERR_ARGUMENT, "count is 0; give at least one array");
  for (size_t k = 1; k < arrays.size(); ++k)
    if (&arrays[k]->device() != &arrays[0]->device())
      fail(GPUARR_ERR_DEVICE,
           "arrays[{}] is on {}, but arrays[0] is on {}; copy one to the other's device", k,
           arrays[k]->device().facts().name, arrays[0]->device().facts().name);
  return *arrays[0];
}

// The shape of all of them one behind the other.
Dims joined_shape(std::span<const Array* const> arrays, int axis, int itemsize) {
  Dims shape = arrays[0]->layout.shape;
  for (size_t k = 1; k < arrays.size(); ++k) {
    Dims own = arrays[k]->layout.shape;
    if (own.size() != shape.size())
      fail(GPUARR_ERR_SHAPE, "arrays[{}] has {} axes, but arrays[0] has {}; give as many", k,
           own.size(), shape.size());
    const int64_t extent = own[axis];
    own[axis] = shape[axis];
    if (!(own == shape))
      fail(GPUARR_ERR_SHAPE,
           "arrays[{}] has shape {}, but arrays[0] has {}; they may differ only along axis {}", k,
           to_string(arrays[k]->layout.shape), to_string(arrays[0]->layout.shape), axis);
    if (__builtin_add_overflow(shape[axis], extent, &shape[axis]))
      fail(GPUARR_ERR_SHAPE, "the arrays together have more than 2^63 - 1 indices along axis {}",
           axis);
  }
  return checked_shape(shape.size(), shape.data(), itemsize);
}

int checked_new_axis(int64_t axis, int ndim) {
  if (ndim > max_ndim)
    fail(GPUARR_ERR_SHAPE, "the arrays have {} axes, which is the maximum", max_ndim);
  return checked_axis(axis, ndim);
}

}  // namespace

std::optional<Array> concatenate(const Array* out, std::span<const Array* const> arrays,
                                 int32_t axis_, Stream* given) {
  const Array& first = first_of(arrays);
  if (first.ndim() == 0)
    fail(GPUARR_ERR_SHAPE, "arrays[0] has no axes, so there is none to join along; stack them");
  const int axis = checked_axis(axis_, first.ndim());
  const DType dtype = common_dtype(arrays);
  const Dims shape = joined_shape(arrays, axis, size_of(dtype));
  Stream& stream = stream_for(given, first.device());
  Result result(out, {dtype, shape, strides_following(first.layout, shape)}, stream);
  result.fill(arrays, stream, [&](const Array& to) {
    int64_t start = 0;
    Pieces pieces(stream);
    for (const Array* array : arrays) {
      const int64_t end = start + array->layout.shape[axis];
      pieces.copy(slice(to, axis, start, end, 1), *array);
      start = end;
    }
    pieces.finish();
  });
  return result.take();
}

std::optional<Array> stack_arrays(const Array* out, std::span<const Array* const> arrays,
                                  int32_t axis_, Stream* given) {
  const Array& first = first_of(arrays);
  const int axis = checked_new_axis(axis_, first.ndim() + 1);
  const DType dtype = common_dtype(arrays);
  for (size_t k = 1; k < arrays.size(); ++k)
    if (!(arrays[k]->layout.shape == first.layout.shape))
      fail(GPUARR_ERR_SHAPE, "arrays[{}] has shape {}, but arrays[0] has {}; give arrays of one", k,
           to_string(arrays[k]->layout.shape), to_string(first.layout.shape));
  Dims shape = first.layout.shape;
  shape.insert(axis, static_cast<int64_t>(arrays.size()));
  shape = checked_shape(shape.size(), shape.data(), size_of(dtype));
  std::vector<int> axes;
  axes.reserve(static_cast<size_t>(shape.size()));
  for (int k = 0; k < shape.size(); ++k) axes.push_back(k == axis ? -1 : k < axis ? k : k - 1);
  Stream& stream = stream_for(given, first.device());
  Result result(out, {dtype, shape, strides_following(first.layout, shape, axes)}, stream);
  result.fill(arrays, stream, [&](const Array& to) {
    Pieces pieces(stream);
    for (size_t k = 0; k < arrays.size(); ++k)
      pieces.copy(select(to, axis, static_cast<int64_t>(k)), *arrays[k]);
    pieces.finish();
  });
  return result.take();
}

std::vector<Array> split(const Array& array, int32_t sections, int32_t axis_) {
  const int axis = checked_axis(axis_, array.ndim());
  const int64_t extent = array.layout.shape[axis];
  if (sections < 1) fail(GPUARR_ERR_ARGUMENT, "sections is {}; give 1 or more", sections);
  if (extent % sections != 0)
    fail(GPUARR_ERR_SHAPE,
         "axis {} has extent {}, which does not divide into {} equal sections; give indices to "
         "gpuarr_split_at",
         axis, extent, sections);
  std::vector<Array> out;
  out.reserve(static_cast<size_t>(sections));
  const int64_t length = extent / sections;
  for (int64_t k = 0; k < sections; ++k)
    out.push_back(slice(array, axis, k * length, (k + 1) * length, 1));
  return out;
}

std::vector<Array> split_at(const Array& array, std::span<const int64_t> indices, int32_t axis) {
  std::vector<Array> out;
  out.reserve(indices.size() + 1);
  for (size_t k = 0; k <= indices.size(); ++k)
    out.push_back(slice(array, axis, k == 0 ? 0 : indices[k - 1],
                        k == indices.size() ? left_out : indices[k], 1));
  return out;
}

std::vector<Array> broadcast_arrays(std::span<const Array* const> arrays) {
  Dims shape;
  for (size_t k = 0; k < arrays.size(); ++k)
    if (!broadcast_into(shape, arrays[k]->layout.shape))
      fail(GPUARR_ERR_BROADCAST,
           "arrays[{}] has shape {}, which does not broadcast with {}, that of those before", k,
           to_string(arrays[k]->layout.shape), to_string(shape));
  std::vector<Array> out;
  out.reserve(arrays.size());
  for (const Array* array : arrays)
    out.push_back(broadcast(*array, checked_shape(shape.size(), shape.data(), array->itemsize())));
  return out;
}

std::vector<Array> meshgrid(std::span<const Array* const> arrays, bool swaps) {
  const auto count = static_cast<int>(arrays.size());
  auto axis_of = [&](int k) { return swaps && count > 1 && k < 2 ? 1 - k : k; };
  Dims shape = Dims::filled(count, 1);
  for (int k = 0; k < count; ++k) {
    const Array& array = *arrays[static_cast<size_t>(k)];
    if (array.ndim() > 1)
      fail(GPUARR_ERR_SHAPE, "arrays[{}] has {} axes; give arrays of one axis", k, array.ndim());
    shape[axis_of(k)] = array.size();
  }
  std::vector<Array> out;
  out.reserve(arrays.size());
  for (int k = 0; k < count; ++k) {
    const Array& array = *arrays[static_cast<size_t>(k)];
    Layout layout{checked_shape(count, shape.data(), array.itemsize()), Dims::filled(count, 0)};
    if (array.ndim() == 1) layout.strides[axis_of(k)] = array.layout.strides[0];
    out.push_back(array.view(layout));
  }
  return out;
}

}  // namespace gpuarr
