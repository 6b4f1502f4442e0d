#include "linalg/norms.hpp"

#include "array/views.hpp"
#include "core/error.hpp"
#include "gpuarr/linalg.h"
#include "linalg/factors/decompose.hpp"
#include "linalg/factors/matrices.hpp"
#include "linalg/products/matmul.hpp"
#include "ops/base/result.hpp"
#include "ops/reduce/reduce.hpp"

namespace gpuarr {
namespace {

// One reduction along an axis, or two.
struct NormRow {
  int32_t ord;
  Reducer first;
  int32_t first_axis;
  std::optional<Reducer> second;  // along the other axis; none: `first` is along both
};

constexpr NormRow norm_rows[] = {
    {GPUARR_NORM_FRO, Reducer::norm_2, 0, std::nullopt},
    {GPUARR_NORM_1, Reducer::norm_1, -2, Reducer::max},
    {GPUARR_NORM_MINUS_1, Reducer::norm_1, -2, Reducer::min},
    {GPUARR_NORM_INF, Reducer::norm_1, -1, Reducer::max},
    {GPUARR_NORM_MINUS_INF, Reducer::norm_1, -1, Reducer::min},
};

// Of the singular values the greatest, the least, or their sum.
struct SpectralRow {
  int32_t ord;
  Reducer reducer;
};

constexpr SpectralRow spectral_rows[] = {
    {GPUARR_NORM_2, Reducer::max},
    {GPUARR_NORM_MINUS_2, Reducer::min},
    {GPUARR_NORM_NUC, Reducer::sum},
};

const NormRow& norm_row(int32_t ord) {
  for (const NormRow& row : norm_rows)
    if (row.ord == ord) return row;
  fail(GPUARR_ERR_ARGUMENT,
       "ord is {}; give GPUARR_NORM_FRO, GPUARR_NORM_NUC, GPUARR_NORM_1, GPUARR_NORM_2, "
       "GPUARR_NORM_INF, or one of the last three's negatives",
       ord);
}

std::optional<Array> spectral_norm(const SpectralRow& row, const Array& x, const Array* out,
                                   bool keep, Stream& stream) {
  Wanted none{"", false}, info{"info", false}, values{"values"};
  svd(x, false, none, values, none, info, &stream);
  const int32_t both[] = {-2, -1};
  return reduce(row.reducer, with_axis(*values.made, 0), out, {both, false, keep}, &stream);
}

}  // namespace

std::optional<Array> trace(const Array* out, const Array& x, int64_t offset, int32_t axis1,
                           int32_t axis2, Stream* given) {
  Stream& stream = stream_for(given, x.device());
  const int32_t last[] = {-1};
  return reduce(Reducer::sum, diagonal(x, offset, axis1, axis2), out, {last, false, false},
                &stream);
}

std::optional<Array> matrix_norm(const Array* out, const Array& x, int32_t ord, int32_t keepdims,
                                 Stream* given) {
  Stream& stream = stream_for(given, x.device());
  if (keepdims != 0 && keepdims != 1)
    fail(GPUARR_ERR_ARGUMENT, "keepdims is {}; give 0 or 1", keepdims);
  if (x.ndim() < 2)
    fail(GPUARR_ERR_SHAPE, "x has shape {}; a matrix has two axes", to_string(x.layout.shape));
  const bool keep = keepdims == 1;
  for (const SpectralRow& spectral : spectral_rows)
    if (spectral.ord == ord) return spectral_norm(spectral, x, out, keep, stream);
  const NormRow& row = norm_row(ord);
  const int32_t both[] = {-2, -1};
  if (!row.second) return reduce(row.first, x, out, {both, false, keep}, &stream);
  const int32_t first[] = {row.first_axis};
  const Array sums = *reduce(row.first, x, nullptr, {first, false, true}, &stream);
  return reduce(*row.second, sums, out, {both, false, keep}, &stream);
}

}  // namespace gpuarr
