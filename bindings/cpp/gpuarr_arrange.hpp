/** @file gpuarr_arrange.hpp  libgpuarr for C++17: creating, joining, splitting and rotating arrays;
 *  elements by index or mask.
 *
 *  Names and rules are those of the C functions in array.h, view.h, join.h, rearrange.h, index.h
 *  and select.h. Axes count from 0, or from the last as -1.
 */
#ifndef GPUARR_ARRANGE_HPP
#define GPUARR_ARRANGE_HPP

#include "gpuarr_made.hpp"

namespace gpuarr {
inline namespace wrapper {

/// @name New arrays: ranges from start to before stop; evenly spaced values; matrices with ones on
/// a diagonal, and on and below it. Without a number of columns they are square.
///@{
inline Array arange(gpuarr_dtype t, Arg start, Arg stop, Arg step = 1, Device d = {}) {
  return get<Array>(gpuarr_array_arange, d, t, start, stop, step, nullptr);
}
inline Array linspace(gpuarr_dtype t, double start, double stop, int64_t count, bool end = true,
                      Device d = {}) {
  return get<Array>(gpuarr_array_linspace, d, t, start, stop, count, end, nullptr);
}
inline Array eye(gpuarr_dtype t, int64_t rows, int64_t columns = -1, int64_t k = 0, Device d = {}) {
  const int64_t wide = columns == -1 ? rows : columns;
  return get<Array>(gpuarr_array_eye, d, t, rows, wide, k, GPUARR_ORDER_C, nullptr);
}
inline Array tri(gpuarr_dtype t, int64_t rows, int64_t columns = -1, int64_t k = 0, Device d = {}) {
  const int64_t wide = columns == -1 ? rows : columns;
  return get<Array>(gpuarr_tri, d, t, rows, wide, k, GPUARR_ORDER_C, nullptr);
}
///@}

/// @name Views: without axes of extent 1, all or some; with one more; a diagonal; reversed along
/// axes, all or some; rotated by 90 degrees; equal sections, or those that begin at indices;
/// broadcast to a common shape; coordinates of a grid's points; the index of each element along an
/// axis, which is an Expr.
///@{
inline Array squeeze(const Array& x, const Axes& axes = {}) {
  return get<Array>(gpuarr_array_squeeze, x, len(axes), axes.empty() ? nullptr : axes.data());
}
inline Array expand(const Array& x, int axis) { return get<Array>(gpuarr_array_expand, x, axis); }
inline Expr expand(const Expr& x, int axis) { return get<Expr>(gpuarr_expr_expand, x, axis); }
inline Array diagonal(const Array& x, int64_t offset = 0, int axis1 = 0, int axis2 = 1) {
  return get<Array>(gpuarr_array_diagonal, x, offset, axis1, axis2);
}
inline Array flip(const Array& x, const Axes& axes = {}) {
  return get<Array>(gpuarr_flip, x, len(axes), axes.empty() ? nullptr : axes.data());
}
inline Expr flip(const Expr& x, const Axes& axes = {}) {
  return get<Expr>(gpuarr_expr_flip, x, len(axes), axes.data());
}
inline Array rot90(const Array& x, int turns = 1, int axis1 = 0, int axis2 = 1) {
  return get<Array>(gpuarr_rot90, x, turns, axis1, axis2);
}
inline Arrays split(const Array& x, int sections, int axis = 0) {
  return made_list(sections, gpuarr_split, sections, x, axis);
}
inline Arrays split_at(const Array& x, const Shape& indices, int axis = 0) {
  return made_list(len(indices) + 1, gpuarr_split_at, len(indices), indices.data(), x, axis);
}
inline Arrays broadcast_arrays(const Arrays& list) {
  return made_list(len(list), gpuarr_broadcast_arrays, pointers(list).data(), len(list));
}
inline Arrays meshgrid(const Arrays& list, int indexing = GPUARR_INDEXING_XY) {
  return made_list(len(list), gpuarr_meshgrid, pointers(list).data(), len(list), indexing);
}
inline Expr indices(const Expr& x, int axis = 0) { return get<Expr>(gpuarr_expr_indices, x, axis); }
///@}

/// @name Copies: concatenated along an axis, or stacked along a new one; tiled; each index of an
/// axis repeated by a number, or by an array of counts; rolled; padded; upper or lower triangles;
/// with elements on a diagonal.
///@{
inline Array concatenate(const Arrays& list, int axis = 0) {
  return made(gpuarr_concatenate, pointers(list).data(), len(list), axis);
}
inline Array stack(const Arrays& list, int axis = 0) {
  return made(gpuarr_stack, pointers(list).data(), len(list), axis);
}
inline Array tile(const Array& x, const Shape& times) {
  return made(gpuarr_tile, x, len(times), times.data());
}
inline Array repeat(const Array& x, int64_t count, int axis = 0) {
  return made(gpuarr_repeat, x, count, axis);
}
inline Array repeat_each(const Array& x, const Array& counts, int axis = 0) {
  return made(gpuarr_repeat_each, x, counts, axis);
}
inline Array roll(const Array& x, const Shape& shifts, const Axes& axes) {
  return made(gpuarr_roll, x, len(shifts), shifts.data(), counted(axes, len(shifts), "roll: axes"));
}
inline Array roll(const Array& x, int64_t shift, int axis = 0) {
  return roll(x, Shape{shift}, Axes{axis});
}
inline Array pad(const Array& x, const Shape& before, const Shape& after,
                 int mode = GPUARR_PAD_CONSTANT, Arg value = 0) {
  const int64_t axes = gpuarr_array_ndim(x);
  return made(gpuarr_pad, x, counted(before, axes, "pad: before"),
              counted(after, axes, "pad: after"), mode, value);
}
inline Array triu(const Array& x, int64_t k = 0) { return made(gpuarr_triu, x, k); }
inline Array tril(const Array& x, int64_t k = 0) { return made(gpuarr_tril, x, k); }
inline Array diag(const Array& x, int64_t k = 0) { return made(gpuarr_diag, x, k); }
///@}

/// @name Elements by indices along an axis, from 0 or from the end as -1: take, put, add; with an
/// index for each element, or for each slice.
///@{
inline Array take(const Array& x, const Array& indices, int axis = 0) {
  return made(gpuarr_take, x, indices, axis);
}
inline Array take_along_axis(const Array& x, const Array& indices, int axis = -1) {
  return made(gpuarr_take_along_axis, x, indices, axis);
}
inline void put(const Array& x, const Array& indices, Arg values, int axis = 0) {
  check(gpuarr_put(x, indices, values, axis, nullptr));
}
inline void put_add(const Array& x, const Array& indices, Arg values, int axis = 0) {
  check(gpuarr_put_add(x, indices, values, axis, nullptr));
}
inline void put_along_axis(const Array& x, const Array& indices, Arg values, int axis = -1) {
  check(gpuarr_put_along_axis(x, indices, values, axis, nullptr));
}
///@}

/// @name Elements by a mask of bools: select, which waits for their number; select into the front
/// of an array, without waiting; write to them. Indices of elements that are not 0: in C order, or
/// an array of indices for each axis; both wait.
///@{
inline Array select(const Array& x, const Array& mask) { return made(gpuarr_select, x, mask); }
/// Returns how many there are, as an array.
inline Array select_into(const Array& out, const Array& x, const Array& mask) {
  Array count;
  check(gpuarr_select_into(out, count.out(), x, mask, nullptr));
  return count;
}
inline void place(const Array& x, const Array& mask, Arg values) {
  check(gpuarr_place(x, mask, values, nullptr));
}
inline Array flatnonzero(const Array& x) { return made(gpuarr_flatnonzero, x); }
inline Arrays nonzero(const Array& x) {
  const int32_t axes = gpuarr_array_ndim(x);
  return made_list(axes, gpuarr_nonzero, axes, x, nullptr);
}
///@}

}  // namespace wrapper
}  // namespace gpuarr
#endif
