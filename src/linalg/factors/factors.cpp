#include "linalg/factors/factors.hpp"

#include <algorithm>

#include "device/device.hpp"
#include "linalg/factors/kernels.hpp"

namespace gpuarr {

LuFactors lu_factors(const Array& a, DType dtype, const Dims& stack, int32_t* info,
                     Stream& stream) {
  LuFactors factors{column_major(a, dtype, stack, stream), {}};
  const Dims pivots = with(stack, std::min(rows_of(a), columns_of(a)));
  if (factors.lu.size() == 0) {
    factors.pivots = Array::empty(stream, DType::i32, pivots);
    return factors;
  }
  Solver& solver = stream.device().solver();
  const Matrices matrices = matrices_of(factors.lu);
  factors.pivots = Array::empty(stream, solver.pivot_type(matrices), pivots);
  solver.lu(matrices, factors.pivots.data, info, stream);
  return factors;
}

namespace {

SvdFactors factors_of_nothing(const Array& a, DType dtype, Vectors vectors, Stream& stream) {
  const Dims stack = stack_of(a);
  const int64_t rows = rows_of(a), columns = columns_of(a), least = std::min(rows, columns);
  const bool full = vectors == Vectors::full;
  SvdFactors f{column_major(stream, dtype, stack, rows, full ? rows : least),
               Array::empty(stream, real_dtype(dtype), with(stack, least)),
               column_major(stream, dtype, stack, full ? columns : least, columns)};
  if (full) fill_identity(f.u, stream);
  if (full) fill_identity(f.vh, stream);
  return f;
}

}  // namespace

// Of a matrix with fewer rows than columns the transposed one is factorised, and of a square one
// that lies row by row: then so do the results.
SvdFactors svd_factors(const Array& a, DType dtype, Vectors vectors, const Codes& codes,
                       Stream& stream) {
  const Dims stack = stack_of(a);
  const int64_t most = std::max(rows_of(a), columns_of(a));
  const int64_t least = std::min(rows_of(a), columns_of(a));
  if (a.size() == 0) return factors_of_nothing(a, dtype, vectors, stream);
  const bool is_turned = rows_of(a) < most || (least == most && lies_by_row(a));
  const Array work = column_major(is_turned ? turned(a) : a, dtype, stack, stream);
  const bool any = vectors != Vectors::none;
  const Array u = column_major(stream, dtype, stack, most,
                               !any                       ? 0
                               : vectors == Vectors::full ? most
                                                          : least);
  const Array vh = column_major(stream, dtype, stack, any ? least : 0, least);
  const Array s = Array::empty(stream, real_dtype(dtype), with(stack, least));
  Solver& solver = stream.device().solver();
  const NotFinite not_finite(work, solver, stream);
  const Matrices left = matrices_of(u), right = matrices_of(vh);
  solver.svd(matrices_of(work), s.data, any ? &left : nullptr, any ? &right : nullptr, codes.data(),
             stream);
  not_finite.note(codes, stream);
  if (is_turned) return {turned(vh), s, turned(u)};
  return {u, s, vh};
}

NotFinite::NotFinite(const Array& work, Solver& solver, Stream& stream) {
  if (solver.looks_for_not_finite()) return;
  found_ = Array::empty(stream, DType::i32, stack_of(work));
  find_not_finite(*found_, work, stream);
  clear_not_finite(work, *found_, stream);
}

void NotFinite::note(const Codes& codes, Stream& stream) const {
  if (found_) merge_codes(codes.array(), *found_, stream);
}

}  // namespace gpuarr
