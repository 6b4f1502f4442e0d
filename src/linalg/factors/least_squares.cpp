// What is done by singular values: least squares, pseudoinverses, ranks.
#include <algorithm>
#include <cmath>
#include <limits>

#include "array/views.hpp"
#include "core/error.hpp"
#include "device/device.hpp"
#include "linalg/factors/equations.hpp"
#include "linalg/factors/factors.hpp"
#include "linalg/factors/kernels.hpp"
#include "linalg/factors/solve.hpp"
#include "ops/base/copy.hpp"

namespace gpuarr {
namespace {

double precision(DType dtype) {
  return real_dtype(dtype) == DType::f32 ? std::numeric_limits<float>::epsilon()
                                         : std::numeric_limits<double>::epsilon();
}

double threshold(double rcond, const Array& a, DType dtype) {
  if (std::isnan(rcond)) fail(GPUARR_ERR_ARGUMENT, "rcond is NaN; give a number");
  if (rcond >= 0) return rcond;
  return static_cast<double>(std::max(rows_of(a), columns_of(a))) * precision(dtype);
}

// Matrices column by column, as products read them.
struct Factor {
  Array array;
  MatrixOp op;
};

Array by_column(const Array& a, Stream& stream) {
  return lies_by_row(a) ? column_major(a, a.dtype, stack_of(a), stream) : a;
}

// c = alpha op(a) op(b) + beta c.
void product_into(const Array& c, double alpha, const Factor& a, const Factor& b, double beta,
                  Stream& stream) {
  const Matrices target = matrices_of(c), left = matrices_of(a.array), right = matrices_of(b.array);
  const int64_t inner = a.op == MatrixOp::none ? left.columns : left.rows;
  if (c.size() == 0) return;
  if (inner == 0) return fill(c, Scalar::of(int64_t{0}), stream);
  stream.device().blas().gemm({.dtype = c.dtype,
                               .m = target.rows,
                               .n = target.columns,
                               .k = inner,
                               .batch = target.count,
                               .a = {left.data, a.op, left.leading, left.step},
                               .b = {right.data, b.op, right.leading, right.step},
                               .c = {target.data, target.leading, target.step},
                               .alpha = alpha,
                               .beta = beta},
                              stream);
}

// The values that count, inverted; the others 0.
Array inverted(const Array& values, double rcond, Stream& stream) {
  Array out = Array::empty(stream, values.dtype, values.layout.shape);
  if (out.size() > 0) invert_values(out, values, rcond, stream);
  return out;
}

void count_into(Wanted& rank, const Array& values, double rcond, double tol, Stream& stream) {
  const Dims stack = stack_of(with_axis(values, 0));
  const Array counts = place(rank, DType::i64, stack, {stack, stack}, stream);
  if (values.size() == 0) return fill(counts, Scalar::of(int64_t{0}), stream);
  count_values(counts, values, rcond, tol, stream);
}

// The squares of the norms of b - a x, for each column.
void measure_rest(Wanted& residuals, const Array& a, const Array& x, const Equations& equations,
                  Stream& stream) {
  const Array left = column_major(a, equations.dtype, equations.stack, stream);
  const Array rest = column_major(equations.right, equations.dtype, equations.stack, stream);
  product_into(rest, -1, {left, MatrixOp::none}, {x, MatrixOp::none}, 1, stream);
  const Dims shape = with(equations.stack, columns_of(rest));
  const Array sums = Array::empty(stream, real_dtype(equations.dtype), shape);
  square_sums(sums, rest, stream);
  deliver(residuals, equations.vector ? select(sums, sums.ndim() - 1, 0) : sums, sums.layout,
          stream);
}

void check_all(const LeastSquares& results, const Array& a, const Equations& equations) {
  const DType real = real_dtype(equations.dtype);
  const int64_t least = std::min(rows_of(a), columns_of(a));
  const Dims sums =
      equations.vector ? equations.stack : with(equations.stack, columns_of(equations.right));
  check_given(results.x, equations.dtype, equations.shape, a.device());
  check_given(results.residuals, real, sums, a.device());
  check_given(results.rank, DType::i64, stack_of(a), a.device());
  check_given(results.s, real, with(stack_of(a), least), a.device());
  check_apart({&results.x, &results.residuals, &results.rank, &results.s, &results.info});
}

// A stack of factors for each of the stacks of right sides.
Array spread(const Array& factors, const Dims& stack, Stream& stream) {
  if (stack_of(factors) == stack) return by_column(factors, stream);
  return column_major(factors, factors.dtype, stack, stream);
}

}  // namespace

void lstsq(const Array& a, const Array& b, double rcond, const LeastSquares& results,
           Stream* given) {
  check_matrix(a, "a");
  const Equations equations(a, b, "a");
  const DType dtype = equations.dtype;
  const double least = threshold(rcond, a, dtype);
  Stream& stream = working_stream(a, given);
  check_all(results, a, equations);
  Codes codes(results.info, equations.stack, stack_of(a), stream);
  const SvdFactors f = svd_factors(a, dtype, Vectors::thin, codes, stream);
  const Array u = spread(f.u, equations.stack, stream), vh = spread(f.vh, equations.stack, stream);
  const Array right = column_major(equations.right, dtype, equations.stack, stream);
  const int64_t sides = columns_of(right);
  const Array c = column_major(stream, dtype, equations.stack, columns_of(u), sides);
  const Array x = column_major(stream, dtype, equations.stack, columns_of(a), sides);
  product_into(c, 1, {u, MatrixOp::conjugate_transpose}, {right, MatrixOp::none}, 0, stream);
  if (c.size() > 0) scale_rows(c, c, inverted(f.s, least, stream), stream);
  product_into(x, 1, {vh, MatrixOp::conjugate_transpose}, {c, MatrixOp::none}, 0, stream);
  codes.report("a", fail_no_convergence);
  if (results.residuals.wanted) measure_rest(results.residuals, a, x, equations, stream);
  if (results.rank.wanted) count_into(results.rank, f.s, least, -1, stream);
  deliver(results.s, f.s, stream);
  deliver(results.x, equations.result(x), b.layout, stream);
}

void pinv(const Array& a, double rcond, Wanted& out, Wanted& info, Stream* given) {
  check_matrix(a, "a");
  const DType dtype = factor_dtype(a, "a");
  const double least = threshold(rcond, a, dtype);
  Stream& stream = working_stream(a, given);
  const Dims stack = stack_of(a), shape = with(stack, columns_of(a), rows_of(a));
  check_given(out, dtype, shape, a.device());
  check_apart({&out, &info});
  Codes codes(info, stack, stream);
  const SvdFactors f = svd_factors(a, dtype, Vectors::thin, codes, stream);
  const Array u = by_column(f.u, stream), vh = by_column(f.vh, stream);
  if (vh.size() > 0) scale_rows(vh, vh, inverted(f.s, least, stream), stream);
  const Array made = column_major(stream, dtype, stack, columns_of(a), rows_of(a));
  product_into(made, 1, {vh, MatrixOp::conjugate_transpose}, {u, MatrixOp::conjugate_transpose}, 0,
               stream);
  codes.report("a", fail_no_convergence);
  deliver(out, made, a.layout, stream);
}

void matrix_rank(const Array& a, double tol, Wanted& out, Wanted& info, Stream* given) {
  check_matrix(a, "a");
  if (std::isnan(tol)) fail(GPUARR_ERR_ARGUMENT, "tol is NaN; give a number");
  const DType dtype = factor_dtype(a, "a");
  Stream& stream = working_stream(a, given);
  check_given(out, DType::i64, stack_of(a), a.device());
  check_apart({&out, &info});
  Codes codes(info, stack_of(a), stream);
  const SvdFactors f = svd_factors(a, dtype, Vectors::none, codes, stream);
  codes.report("a", fail_no_convergence);
  count_into(out, f.s, threshold(-1, a, dtype), tol, stream);
}

}  // namespace gpuarr
