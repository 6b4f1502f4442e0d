// Arrays as rows along an axis, which lie one behind the other.
#pragma once

#include <cstdint>
#include <vector>

#include "array/array.hpp"

namespace gpuarr {

/// The axes so that `axis` is the last, and the others in the order of memory: transposed so, an
/// array whose rows along the axis lie dense is in C order.
std::vector<int32_t> axes_with_last(const Layout& layout, int axis);

/// Where rows that become an array's elements are put: the array itself, or memory of its own.
class RowTarget {
 public:
  /// `target` may be null: none is wanted. `apart_from` is what is read meanwhile, which a target
  /// of the same layout may be if `in_place`.
  RowTarget(const Array* target, const std::vector<int32_t>& order, const Array& apart_from,
            bool in_place, Stream& stream);

  void* data() const { return target_ != nullptr ? rows_.data : nullptr; }
  const Array& rows() const { return rows_; }
  void finish(Stream& stream) const;  // the rows become the array's

 private:
  const Array* target_;
  Array seen_;  // the target, transposed
  Array rows_;
};

}  // namespace gpuarr
