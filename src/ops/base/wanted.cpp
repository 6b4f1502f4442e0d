#include "ops/base/wanted.hpp"

#include "core/error.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/result.hpp"

namespace gpuarr {

void check_given(const Wanted& result, DType dtype, const Dims& shape, const Device& device) {
  if (result.wanted && result.given != nullptr)
    check_given(*result.given, result.name, dtype, shape, device);
}

void check_apart(std::initializer_list<const Wanted*> results) {
  for (const Wanted* const* a = results.begin(); a != results.end(); ++a)
    for (const Wanted* const* b = results.begin(); b != a; ++b)
      if ((*a)->given != nullptr && (*b)->given != nullptr &&
          may_overlap(*(*a)->given, *(*b)->given))
        fail(GPUARR_ERR_OVERLAP, "{} and {} share memory; give arrays that do not", (*b)->name,
             (*a)->name);
}

Dims strides_as(const Layout& like, const Dims& shape) {
  if (like.ndim() != shape.size()) return dense_strides(shape, Order::c);
  const bool f_order = is_contiguous(like, Order::f) && !is_contiguous(like, Order::c);
  return f_order ? dense_strides(shape, Order::f) : strides_like({shape, like.strides});
}

const Array& place(Wanted& result, DType dtype, const Dims& shape, const Dims& strides,
                   Stream& stream) {
  if (result.given != nullptr) return *result.given;
  return result.made.emplace(Array::with_strides(stream, dtype, shape, strides));
}

void deliver(Wanted& result, const Array& value, const Layout& like, Stream& stream) {
  if (!result.wanted) return;
  if (result.given != nullptr) return assign(*result.given, value, stream);
  const Dims strides = strides_as(like, value.layout.shape);
  if (has_strides(value.layout, strides)) {
    result.made = value;
    return;
  }
  result.made = Array::with_strides(stream, value.dtype, value.layout.shape, strides);
  assign(*result.made, value, stream);
}

}  // namespace gpuarr
