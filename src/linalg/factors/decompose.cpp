#include "linalg/factors/decompose.hpp"

#include <algorithm>

#include "device/device.hpp"
#include "kernel/copy.hpp"
#include "kernel/overlap.hpp"
#include "linalg/factors/factors.hpp"
#include "linalg/factors/kernels.hpp"

namespace gpuarr {
namespace {

// The lower factor of a matrix that lies row by row is the upper one of the transposed matrix,
// which is the conjugate one: so nothing has to be copied back, unless the solver is slow for one
// of them.
bool factorised_turned(const Array& a, Triangle triangle) {
  if (a.size() == 0) return false;  // and there may be no solver
  return a.device().solver().wants_lower() ? triangle == Triangle::upper : lies_by_row(a);
}

// Whether a given output lies as the solver works, and nothing is lost with what it holds.
bool can_be_worked_in(const Wanted& out, const Array& a, bool is_turned) {
  if (out.given == nullptr || may_overlap(*out.given, a)) return false;
  return is_contiguous(is_turned ? out.given->layout : turned(*out.given).layout, Order::c);
}

}  // namespace

void cholesky(const Array& a, Triangle triangle, Wanted& out, Wanted& info, Stream* given) {
  check_square(a, "a");
  const DType dtype = factor_dtype(a, "a");
  Stream& stream = working_stream(a, given);
  check_given(out, dtype, a.layout.shape, a.device());
  check_apart({&out, &info});
  Codes codes(info, stack_of(a), stream);
  const bool is_turned = factorised_turned(a, triangle);
  const bool in_out = info.wanted && can_be_worked_in(out, a, is_turned);
  const Array work = !in_out     ? column_major(stream, dtype, stack_of(a), rows_of(a), rows_of(a))
                     : is_turned ? turned(*out.given)
                                 : *out.given;
  if (work.size() > 0) {
    const Triangle part = is_turned ? other(triangle) : triangle;
    Solver& solver = stream.device().solver();
    take_triangle(work, is_turned ? turned(a) : a, part, false, stream);
    solver.cholesky(matrices_of(work), part, codes.data(), stream);
    if (!solver.looks_for_not_finite()) {
      const Array found = Array::empty(stream, DType::i32, stack_of(a));
      find_not_positive(found, main_diagonals(work), stream);
      merge_codes(codes.array(), found, stream);
    }
  }
  codes.report("a", fail_not_positive);
  if (!in_out) deliver(out, is_turned ? turned(work) : work, a.layout, stream);
}

void lu(const Array& a, Wanted& p, Wanted& l, Wanted& u, Stream* given) {
  check_matrix(a, "a");
  const DType dtype = factor_dtype(a, "a");
  Stream& stream = working_stream(a, given);
  const Dims stack = stack_of(a);
  const int64_t rows = rows_of(a), columns = columns_of(a), least = std::min(rows, columns);
  check_given(p, DType::i64, with(stack, rows), a.device());
  check_given(l, dtype, with(stack, rows, least), a.device());
  check_given(u, dtype, with(stack, least, columns), a.device());
  check_apart({&p, &l, &u});
  const Array info = Array::empty(stream, DType::i32, stack);
  const LuFactors factors = lu_factors(a, dtype, stack, static_cast<int32_t*>(info.data), stream);
  const Array lower = place(l, dtype, with(stack, rows, least), a.layout, stream);
  const Array upper = place(u, dtype, with(stack, least, columns), a.layout, stream);
  take_triangle(lower, first_columns(factors.lu, least), Triangle::lower, true, stream);
  take_triangle(upper, first_rows(factors.lu, least), Triangle::upper, false, stream);
  const Array order = Array::empty(stream, DType::i64, with(stack, rows));
  permutation_of(order, factors.pivots, stream);
  deliver(p, order, stream);
}

void lu_factor(const Array& a, Wanted& lu, Wanted& pivots, Wanted& info, Stream* given) {
  check_matrix(a, "a");
  const DType dtype = factor_dtype(a, "a");
  Stream& stream = working_stream(a, given);
  const Dims stack = stack_of(a);
  const Dims swaps = with(stack, std::min(rows_of(a), columns_of(a)));
  check_given(lu, dtype, a.layout.shape, a.device());
  check_given(pivots, DType::i32, swaps, a.device());
  check_apart({&lu, &pivots, &info});
  Codes codes(info, stack, stream);
  const LuFactors factors = lu_factors(a, dtype, stack, codes.data(), stream);
  codes.report("a", fail_singular);
  deliver(lu, factors.lu, a.layout, stream);
  const Array target = place(pivots, DType::i32, swaps, {swaps, swaps}, stream);
  pivots_from_zero(target, factors.pivots, stream);
}

namespace {

// Q, of which the factorised matrix has the reflectors, with so many columns.
Array q_of(const Array& factors, const Array& tau, int64_t columns, Stream& stream) {
  const int64_t rows = rows_of(factors), reflectors = tau.layout.shape[tau.ndim() - 1];
  Array q = columns <= columns_of(factors)
                ? first_columns(factors, columns)
                : column_major(stream, factors.dtype, stack_of(factors), rows, columns);
  if (q.size() == 0) return q;
  if (reflectors == 0) {
    fill_identity(q, stream);
    return q;
  }
  if (columns > columns_of(factors))
    convert(first_columns(q, columns_of(factors)), factors, stream);
  stream.device().solver().form_q(matrices_of(q), reflectors, tau.data, stream);
  return q;
}

}  // namespace

void qr(const Array& a, bool complete, Wanted& q, Wanted& r, Stream* given) {
  check_matrix(a, "a");
  const DType dtype = factor_dtype(a, "a");
  Stream& stream = working_stream(a, given);
  const Dims stack = stack_of(a);
  const int64_t rows = rows_of(a), columns = columns_of(a), least = std::min(rows, columns);
  const int64_t inner = complete ? rows : least;
  check_given(q, dtype, with(stack, rows, inner), a.device());
  check_given(r, dtype, with(stack, inner, columns), a.device());
  check_apart({&q, &r});
  const Array work = column_major(a, dtype, stack, stream);
  const Array tau = Array::empty(stream, dtype, with(stack, least));
  if (work.size() > 0) stream.device().solver().qr(matrices_of(work), tau.data, stream);
  if (r.wanted) {
    const Array upper = place(r, dtype, with(stack, inner, columns), a.layout, stream);
    take_triangle(upper, first_rows(work, inner), Triangle::upper, false, stream);
  }
  if (q.wanted) deliver(q, q_of(work, tau, inner, stream), a.layout, stream);
}

void svd(const Array& a, bool full_matrices, Wanted& u, Wanted& s, Wanted& vh, Wanted& info,
         Stream* given) {
  check_matrix(a, "a");
  const DType dtype = factor_dtype(a, "a");
  Stream& stream = working_stream(a, given);
  const Dims stack = stack_of(a);
  const int64_t rows = rows_of(a), columns = columns_of(a), least = std::min(rows, columns);
  check_given(u, dtype, with(stack, rows, full_matrices ? rows : least), a.device());
  check_given(s, real_dtype(dtype), with(stack, least), a.device());
  check_given(vh, dtype, with(stack, full_matrices ? columns : least, columns), a.device());
  check_apart({&u, &s, &vh, &info});
  Codes codes(info, stack, stream);
  const Vectors vectors = !u.wanted && !vh.wanted ? Vectors::none
                          : full_matrices         ? Vectors::full
                                                  : Vectors::thin;
  const SvdFactors factors = svd_factors(a, dtype, vectors, codes, stream);
  codes.report("a", fail_no_convergence);
  deliver(u, factors.u, a.layout, stream);
  deliver(s, factors.s, stream);
  deliver(vh, factors.vh, a.layout, stream);
}

void eigh(const Array& a, Triangle triangle, Wanted& w, Wanted& v, Wanted& info, Stream* given) {
  check_square(a, "a");
  const DType dtype = factor_dtype(a, "a");
  Stream& stream = working_stream(a, given);
  const Dims stack = stack_of(a), row = with(stack, rows_of(a));
  check_given(w, real_dtype(dtype), row, a.device());
  check_given(v, dtype, a.layout.shape, a.device());
  check_apart({&w, &v, &info});
  Codes codes(info, stack, stream);
  const Array work = column_major(a, dtype, stack, stream);
  const Array values = Array::empty(stream, real_dtype(dtype), row);
  if (work.size() > 0) {
    Solver& solver = stream.device().solver();
    if (!solver.looks_for_not_finite()) take_triangle(work, work, triangle, false, stream);
    const NotFinite not_finite(work, solver, stream);
    solver.eigh(matrices_of(work), triangle, v.wanted, values.data, codes.data(), stream);
    not_finite.note(codes, stream);
  }
  codes.report("a", fail_no_convergence);
  deliver(w, values, stream);
  deliver(v, work, a.layout, stream);
}

void eig(const Array& a, Wanted& w, Wanted& v, Wanted& info, Stream* given) {
  check_square(a, "a");
  const DType dtype = factor_dtype(a, "a"), complex = complex_dtype(dtype);
  Stream& stream = working_stream(a, given);
  const Dims stack = stack_of(a), row = with(stack, rows_of(a));
  check_given(w, complex, row, a.device());
  check_given(v, complex, a.layout.shape, a.device());
  check_apart({&w, &v, &info});
  Codes codes(info, stack, stream);
  const Array work = column_major(a, dtype, stack, stream);
  const Array values = Array::empty(stream, complex, row);
  const int64_t n = v.wanted ? rows_of(a) : 0;
  const Array vectors = column_major(stream, dtype, stack, n, n);
  if (work.size() > 0) {
    Solver& solver = stream.device().solver();
    const NotFinite not_finite(work, solver, stream);
    const Matrices right = matrices_of(vectors);
    solver.eig(matrices_of(work), values.data, v.wanted ? &right : nullptr, codes.data(), stream);
    not_finite.note(codes, stream);
  }
  codes.report("a", fail_no_convergence);
  deliver(w, values, stream);
  if (!v.wanted || dtype == complex) return deliver(v, vectors, a.layout, stream);
  const Array target = place(v, complex, a.layout.shape, a.layout, stream);
  unpack_vectors(target, vectors, values, stream);
}

}  // namespace gpuarr
