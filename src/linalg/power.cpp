// Powers of matrices.
#include "array/views.hpp"
#include "core/error.hpp"
#include "linalg/factors/solve.hpp"
#include "linalg/products/matmul.hpp"
#include "linalg/products/products.hpp"
#include "ops/base/copy.hpp"
#include "ops/base/result.hpp"

namespace gpuarr {
namespace {

void check_square(const Array& x) {
  const int ndim = x.ndim();
  if (ndim < 2 || x.layout.shape[ndim - 1] != x.layout.shape[ndim - 2])
    fail(GPUARR_ERR_SHAPE, "x has shape {}; its last two axes must be equal",
         to_string(x.layout.shape));
}

void set_identity(const Array& out, Stream& stream) {
  fill(out, Scalar::of(int64_t{0}), stream);
  fill(diagonal(out, 0, -2, -1), Scalar::of(int64_t{1}), stream);
}

Array product(const Array& x, const Array& y, const ProductOptions& options, Stream& stream) {
  Array out = Array::with_strides(stream, x.dtype, x.layout.shape, strides_like(x.layout));
  multiply(out, x, y, options, stream);
  return out;
}

// By squaring: the powers x, x^2, x^4 ... whose bits n has, multiplied.
void raise(const Array& out, const Array& x, int64_t n, const ProductOptions& options,
           Stream& stream) {
  std::optional<Array> so_far;
  Array square = x;
  for (; n > 1; n /= 2) {
    if (n % 2 == 1) so_far = so_far ? product(*so_far, square, options, stream) : square;
    square = product(square, square, options, stream);
  }
  if (so_far)
    multiply(out, *so_far, square, options, stream);
  else
    assign(out, square, stream);
}

}  // namespace

std::optional<Array> matrix_power(const Array* out, const Array& x, int64_t n, int32_t flags,
                                  Stream* given) {
  const ProductOptions options = checked_flags(flags);
  Stream& stream = stream_for(given, x.device());
  check_square(x);
  if (n == INT64_MIN) fail(GPUARR_ERR_ARGUMENT, "n is {}; it must be above that", n);
  if (n < 0) {
    Wanted inverse{"inverse"}, info{"info", false};
    inv(x, inverse, info, &stream);
    return matrix_power(out, *inverse.made, -n, flags, &stream);
  }
  Result result(out, {x.dtype, x.layout.shape, strides_like(x.layout)}, stream);
  if (n == 0)
    set_identity(result.array(), stream);
  else
    raise(result.array(), x, n, options, stream);
  return result.take();
}

}  // namespace gpuarr
