#include "linalg/factors/matrix_result.hpp"

#include "core/error.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/copy.hpp"

namespace gpuarr {

void check_given(const MatrixResult& result, DType dtype, const Dims& shape, const Device& device) {
  if (!result.wanted || result.given == nullptr) return;
  const Array& given = *result.given;
  if (&given.device() != &device)
    fail(GPUARR_ERR_DEVICE, "{} is on {}, but the matrices are on {}", result.name,
         given.device().facts().name, device.facts().name);
  if (given.dtype != dtype)
    fail(GPUARR_ERR_DTYPE, "{} is {}, but the result is {}; give such an array", result.name,
         name(given.dtype), name(dtype));
  if (!(given.layout.shape == shape))
    fail(GPUARR_ERR_SHAPE, "{} has shape {}, but the result has {}; give such an array",
         result.name, to_string(given.layout.shape), to_string(shape));
  check_writable(given, result.name);
}

void check_apart(std::initializer_list<const MatrixResult*> results) {
  for (const MatrixResult* const* a = results.begin(); a != results.end(); ++a)
    for (const MatrixResult* const* b = results.begin(); b != a; ++b)
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

Array place(MatrixResult& result, DType dtype, const Dims& shape, const Layout& like,
            Stream& stream) {
  if (result.given != nullptr) return *result.given;
  result.made = Array::with_strides(stream, dtype, shape, strides_as(like, shape));
  return *result.made;
}

void deliver(MatrixResult& result, const Array& value, const Layout& like, Stream& stream) {
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
