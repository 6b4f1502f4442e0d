#include "linalg/factors/solve.hpp"

#include "array/views.hpp"
#include "core/error.hpp"
#include "device/device.hpp"
#include "device/reports.hpp"
#include "linalg/factors/equations.hpp"
#include "linalg/factors/factors.hpp"
#include "linalg/factors/kernels.hpp"
#include "ops/base/result.hpp"

namespace gpuarr {
namespace {

// One matrix for a stack of right sides is seen without its own stack.
Array left_of(const Array& a, const Equations& equations) {
  if (!equations.left.empty()) return broadcast_stack(a, equations.left);
  const int last = a.ndim() - 1;
  return a.view(
      {Dims{rows_of(a), columns_of(a)}, Dims{a.layout.strides[last - 1], a.layout.strides[last]}});
}

// What is only read may stay where it is, if it lies there in a way that a solver can read.
struct Left {
  Array array;  // keeps the memory
  Matrices matrices;
  bool is_turned = false;
};

Left readable(const Array& a, DType dtype, bool may_be_turned, Stream& stream) {
  Left left;
  if (a.dtype == dtype) {
    const auto found = matrices_in_place(a, left.is_turned);
    if (found && (may_be_turned || !left.is_turned)) {
      a.buffer->used_in(stream);
      left.array = a;
      left.matrices = *found;
      return left;
    }
  }
  left.is_turned = false;
  left.array = column_major(a, dtype, stack_of(a), stream);
  left.matrices = matrices_of(left.array);
  return left;
}

bool is_real(DType dtype) { return dtype == real_dtype(dtype); }

}  // namespace

void solve(const Array& a, const Array& b, Wanted& out, Wanted& info, Stream* given) {
  check_square(a, "a");
  const Equations equations(a, b, "a");
  Stream& stream = working_stream(a, given);
  check_given(out, equations.dtype, equations.shape, a.device());
  check_apart({&out, &info});
  Codes codes(info, equations.stack, equations.left, stream);
  const Array left = left_of(a, equations);
  // Of a matrix that lies row by row the transposed one is factorised, which is copied as it lies.
  const bool by_row = lies_by_row(left);
  const MatrixOp op = by_row ? MatrixOp::transpose : MatrixOp::none;
  const LuFactors factors = lu_factors(by_row ? turned(left) : left, equations.dtype,
                                       equations.left, codes.data(), stream);
  const Array work = column_major(equations.right, equations.dtype, equations.stack, stream);
  if (work.size() > 0)
    stream.device().solver().solve_lu(matrices_of(factors.lu), factors.pivots.data, op,
                                      equations.joined(work), stream);
  codes.report("a", fail_singular);
  deliver(out, equations.result(work), b.layout, stream);
}

void inv(const Array& a, Wanted& out, Wanted& info, Stream* given) {
  check_square(a, "a");
  const DType dtype = factor_dtype(a, "a");
  Stream& stream = working_stream(a, given);
  check_given(out, dtype, a.layout.shape, a.device());
  check_apart({&out, &info});
  Codes codes(info, stack_of(a), stream);
  // The inverse of the transposed matrix is the transposed inverse.
  const bool by_row = lies_by_row(a);
  const LuFactors factors =
      lu_factors(by_row ? turned(a) : a, dtype, stack_of(a), codes.data(), stream);
  const Array work = column_major(stream, dtype, stack_of(a), rows_of(a), rows_of(a));
  if (work.size() > 0) {
    fill_identity(work, stream);
    stream.device().solver().solve_lu(matrices_of(factors.lu), factors.pivots.data, MatrixOp::none,
                                      matrices_of(work), stream);
  }
  codes.report("a", fail_singular);
  deliver(out, by_row ? turned(work) : work, a.layout, stream);
}

namespace {

// Of a matrix and of the transposed one the determinants are equal: so it is read as it lies.
LuFactors factors_of(const Array& a, DType dtype, Stream& stream) {
  const Array info = Array::empty(stream, DType::i32, stack_of(a));
  return lu_factors(lies_by_row(a) ? turned(a) : a, dtype, stack_of(a),
                    static_cast<int32_t*>(info.data), stream);
}

}  // namespace

void det(const Array& a, Wanted& out, Stream* given) {
  check_square(a, "a");
  const DType dtype = factor_dtype(a, "a");
  Stream& stream = working_stream(a, given);
  check_given(out, dtype, stack_of(a), a.device());
  const LuFactors factors = factors_of(a, dtype, stream);
  determinant_of(main_diagonals(factors.lu), factors.pivots, out, stream);
}

void slogdet(const Array& a, Wanted& sign, Wanted& log, Stream* given) {
  check_square(a, "a");
  const DType dtype = factor_dtype(a, "a");
  Stream& stream = working_stream(a, given);
  check_given(sign, dtype, stack_of(a), a.device());
  check_given(log, real_dtype(dtype), stack_of(a), a.device());
  check_apart({&sign, &log});
  const LuFactors factors = factors_of(a, dtype, stream);
  log_determinant_of(main_diagonals(factors.lu), factors.pivots, sign, log, stream);
}

void solve_triangular(const Array& a, const Array& b, const TriangularForm& form, Wanted& out,
                      Wanted& info, Stream* given) {
  check_square(a, "a");
  const Equations equations(a, b, "a", form.op != MatrixOp::none);
  const DType dtype = equations.dtype;
  Stream& stream = working_stream(a, given);
  check_given(out, dtype, equations.shape, a.device());
  check_apart({&out, &info});
  Codes codes(info, equations.stack, equations.left, stream);
  const bool may_be_turned = is_real(dtype) || form.op != MatrixOp::conjugate_transpose;
  const Left left = readable(left_of(a, equations), dtype, may_be_turned, stream);
  const Array work = column_major(equations.right, dtype, equations.stack, stream);
  const Triangle triangle = left.is_turned ? other(form.triangle) : form.triangle;
  const MatrixOp op = !left.is_turned             ? form.op
                      : form.op == MatrixOp::none ? MatrixOp::transpose
                                                  : MatrixOp::none;
  if (!form.unit_diagonal) find_zero(codes.array(), main_diagonals(left.array), stream);
  if (work.size() > 0)
    stream.device().solver().solve_triangular(left.matrices, triangle, op, form.unit_diagonal,
                                              equations.joined(work), stream);
  codes.report("a", fail_zero_diagonal);
  deliver(out, equations.result(work), b.layout, stream);
}

void cholesky_solve(const Array& factor, const Array& b, Triangle triangle, Wanted& out,
                    Stream* given) {
  check_square(factor, "factor");
  const Equations equations(factor, b, "factor");
  const DType dtype = equations.dtype;
  Stream& stream = working_stream(factor, given);
  check_given(out, dtype, equations.shape, factor.device());
  const Left left = readable(left_of(factor, equations), dtype, is_real(dtype), stream);
  const Array work = column_major(equations.right, dtype, equations.stack, stream);
  if (work.size() > 0)
    stream.device().solver().solve_cholesky(
        left.matrices, left.is_turned ? other(triangle) : triangle, equations.joined(work), stream);
  deliver(out, equations.result(work), b.layout, stream);
}

namespace {

void check_pivots(const Array& lu, const Array& pivots) {
  if (pivots.dtype != DType::i32 && pivots.dtype != DType::i64)
    fail(GPUARR_ERR_DTYPE, "pivots is {}; give int32, as lu_factor makes them, or int64",
         name(pivots.dtype));
  const Dims expected = with(stack_of(lu), rows_of(lu));
  if (!(pivots.layout.shape == expected))
    fail(GPUARR_ERR_SHAPE, "pivots has shape {}, but lu has {}, so that it must have {}",
         to_string(pivots.layout.shape), to_string(lu.layout.shape), to_string(expected));
}

std::string pivot_words(const ReportValues& values) {
  return formatted(
      "pivots has {} in place {} of matrix {}, which is no row; give rows from 0 to {}", values[0],
      values[1], values[2], values[3] - 1);
}
constexpr ReportSource pivot_source = {ReportCode::lu_solve, "gpuarr_lu_solve", GPUARR_ERR_INDEX,
                                       pivot_words};

}  // namespace

void lu_solve(const Array& lu, const Array& pivots, const Array& b, MatrixOp op, Wanted& out,
              Stream* given) {
  check_square(lu, "lu");
  check_device(pivots, "pivots", lu.device());
  check_pivots(lu, pivots);
  const Equations equations(lu, b, "lu", op != MatrixOp::none);
  const DType dtype = equations.dtype;
  Stream& stream = working_stream(lu, given);
  check_given(out, dtype, equations.shape, lu.device());
  const Left left = readable(left_of(lu, equations), dtype, false, stream);
  const Array work = column_major(equations.right, dtype, equations.stack, stream);
  if (work.size() > 0) {
    Solver& solver = stream.device().solver();
    const Dims swaps = with(equations.left, rows_of(lu));
    const Array numbers = Array::empty(stream, solver.pivot_type(left.matrices), swaps);
    const Array each = equations.left.empty() ? reshape(pivots, swaps.size(), swaps.data())
                                              : broadcast(pivots, swaps);
    Reporting reporting(pivot_source, stream);
    pivots_from_one(numbers, each, pivot_source.code, reporting.address(), stream);
    reporting.finish();
    solver.solve_lu(left.matrices, numbers.data, op, equations.joined(work), stream);
  }
  deliver(out, equations.result(work), b.layout, stream);
}

}  // namespace gpuarr
