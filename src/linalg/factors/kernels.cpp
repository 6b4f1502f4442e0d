#include "linalg/factors/kernels.hpp"

#include <atomic>
#include <string>
#include <string_view>

#include "core/once.hpp"
#include "kernel/reduction.hpp"
#include "linalg/factors/matrices.hpp"
#include "linalg/factors_text.hpp"
#include "ops/base/own_kernel.hpp"

namespace gpuarr {
namespace {

enum class Loop {
  triangle,
  identity,
  permutation,
  from_zero,
  from_one,
  clear,
  merge,
  unpack,
  invert,
  scale
};

// Matrices come with their last two axes exchanged, so that i runs down the columns.
constexpr OwnKernelRow loop_rows[] = {
    {"triangle", "S x, int64 rows, int64 columns, int32 upper, int32 unit", "T y",
     factors_parts::triangle},
    {"identity", "int64 rows, int64 columns", "T y",
     "y = T(i % rows == i / rows % columns ? 1 : 0);"},
    {"permutation", "raw P pivots, int64 rows, int64 swaps", "raw int64 at",
     factors_parts::permutation},
    {"pivots_from_zero", "S x", "T y", "y = (T)(x - 1);"},
    {"pivots_from_one", "S x, int64 rows, uint64 reports, uint32 code", "T y",
     "const bool is_row = x >= 0 && x < rows;\n"
     "if (!is_row) _report(reports, code, (long long)x, i % rows, i / rows, rows);\n"
     "y = (T)((is_row ? x : i % rows) + 1);"},
    {"clear_not_finite", "int32 code", "T y", "if (code != 0) y = T(0);"},
    {"merge_codes", "int32 found", "int32 code", "if (code == 0) code = found;"},
    {"unpack_vectors", "C w, raw R packed, int64 rows", "C v",
     "v = w.im == 0  ? C(packed[i], 0)\n"
     "    : w.im > 0 ? C(packed[i], packed[i + rows])\n"
     "               : C(packed[i - rows], -packed[i]);"},
    {"invert_values", "R x, R first, float64 rcond", "R y",
     "y = x > first * rcond ? R(1) / x : R(0);"},
    {"scale_rows", "T x, R factor", "T y", "y = x * factor;"},
};

enum class Fold { determinant, log_determinant, zero, not_positive, not_finite, count, squares };

// D is the elements' type, R its real one.
struct FoldRow {
  const char* name;
  const char* in_params;
  const char* out_params;
  const char* map;
  const char* reduce;
  const char* post;
  const char* identity;
  const char* reduce_type;
  std::string_view preamble = {};
};

constexpr FoldRow fold_rows[] = {
    {"determinant", "D d, P p", "D det", "normal(p == _J + 1 ? d : -d, 0)",
     "normal(a.value * b.value, a.exponent + b.exponent)", "det = scaled(a.value, a.exponent)",
     "{D(1), 0}", "factor", factors_parts::factor},
    {"log_determinant", "D d, P p", "D sign, R log_size", "normal(p == _J + 1 ? d : -d, 0)",
     "normal(a.value * b.value, a.exponent + b.exponent)",
     "const R size = abs(a.value);\n"
     "sign = size == 0 ? D(0) : a.value / size;\n"
     "log_size = log(size) + a.exponent * R(0.6931471805599453)",
     "{D(1), 0}", "factor", factors_parts::factor},
    {"find_zero", "D d", "int32 code", "d == D(0) ? (int)_J + 1 : 2147483647", "min(a, b)",
     "code = a == 2147483647 ? 0 : a", "2147483647", "int32"},
    {"find_not_positive", "D d", "int32 code", "real_of_it(d) > 0 ? 2147483647 : (int)_J + 1",
     "min(a, b)", "code = a == 2147483647 ? 0 : a", "2147483647", "int32",
     factors_parts::real_of_it},
    {"find_not_finite", "D x", "int32 code", "x - x == D(0) ? 0 : -1", "a | b", "code = a", "0",
     "int32"},
    {"count_values", "D x, D first, float64 rcond, float64 tol", "int64 count",
     "x > (tol >= 0 ? tol : first * rcond) ? 1 : 0", "a + b", "count = a", "0", "int64"},
    {"square_sums", "D x", "R sum", "inner(x)", "a + b", "sum = a", "0", "R", factors_parts::inner},
};

std::string typed(std::string params, DType dtype) {
  for (size_t at = 0; at + 1 < params.size(); ++at) {
    const bool starts = at == 0 || params[at - 1] == ' ';
    if (!starts || params[at + 1] != ' ' || (params[at] != 'D' && params[at] != 'R')) continue;
    params.replace(at, 1, name(params[at] == 'D' ? dtype : real_dtype(dtype)));
  }
  return params;
}

Reduction& kernel_for(Fold fold, DType dtype) {
  static std::atomic<Reduction*> kernels[std::size(fold_rows)][GPUARR_C128 + 1];
  const auto place = static_cast<size_t>(fold);
  return made_once(kernels[place][static_cast<size_t>(dtype)], [&] {
    const FoldRow& r = fold_rows[place];
    KernelOptions options;
    options.name = r.name;
    options.reduce_type = r.reduce_type;
    options.preamble = formatted("typedef {} D;\ntypedef {} R;\n{}", name(dtype),
                                 name(real_dtype(dtype)), r.preamble);
    const MapReduceSpec spec{
        typed(r.in_params, dtype), typed(r.out_params, dtype), r.map, r.reduce, r.post, r.identity};
    return std::make_unique<Reduction>(spec, options);
  });
}

void run(Loop loop, std::initializer_list<OwnInput> inputs, const Array& target, Stream& stream,
         int64_t size = no_size) {
  run_own(own_kernel<loop_rows>(static_cast<size_t>(loop)), inputs, {&target}, stream, size);
}

// Along these axes of the first input.
MadeOutputs run(Fold fold, std::initializer_list<Argument> inputs,
                std::initializer_list<const Array*> outputs, std::span<const int32_t> axes,
                Stream& stream) {
  return kernel_for(fold, inputs.begin()->array->dtype)
      .call({inputs.begin(), inputs.size()}, {outputs.begin(), outputs.size()},
            AxisRequest{axes, false, false}, &stream);
}

constexpr int32_t last_axis[] = {-1};
constexpr int32_t down_columns[] = {-2};
constexpr int32_t last_axes[] = {-2, -1};

Argument in(const Array& array) { return {&array, nullptr}; }
Argument in(const Scalar& scalar) { return {nullptr, &scalar}; }

Array first_of_each(const Array& values) { return first_columns(values, 1); }

}  // namespace

void take_triangle(const Array& target, const Array& source, Triangle triangle, bool unit,
                   Stream& stream) {
  run(Loop::triangle,
      {turned(source), rows_of(target), columns_of(target), triangle == Triangle::upper, unit},
      turned(target), stream);
}

void fill_identity(const Array& target, Stream& stream) {
  run(Loop::identity, {rows_of(target), columns_of(target)}, turned(target), stream);
}

void permutation_of(const Array& rows, const Array& pivots, Stream& stream) {
  const int64_t count = rows.layout.shape[rows.ndim() - 1];
  const int64_t swaps = pivots.layout.shape[pivots.ndim() - 1];
  if (rows.size() == 0) return;
  run(Loop::permutation, {pivots, count, swaps}, rows, stream, rows.size() / count);
}

void pivots_from_zero(const Array& target, const Array& source, Stream& stream) {
  run(Loop::from_zero, {source}, target, stream);
}

void pivots_from_one(const Array& target, const Array& source, ReportCode code, uint64_t reports,
                     Stream& stream) {
  const int64_t rows = target.layout.shape[target.ndim() - 1];
  run(Loop::from_one, {source, rows, reports, static_cast<uint64_t>(code)}, target, stream);
}

void determinant_of(const Array& diagonals, const Array& pivots, Wanted& det, Stream& stream) {
  det.made =
      only_of(run(Fold::determinant, {in(diagonals), in(pivots)}, {det.given}, last_axis, stream));
}

void log_determinant_of(const Array& diagonals, const Array& pivots, Wanted& sign, Wanted& log,
                        Stream& stream) {
  for (auto& [k, made] : run(Fold::log_determinant, {in(diagonals), in(pivots)},
                             {sign.given, log.given}, last_axis, stream))
    (k == 0 ? sign : log).made = std::move(made);
}

void find_zero(const Array& codes, const Array& diagonals, Stream& stream) {
  run(Fold::zero, {in(diagonals)}, {&codes}, last_axis, stream);
}

void find_not_positive(const Array& codes, const Array& diagonals, Stream& stream) {
  run(Fold::not_positive, {in(diagonals)}, {&codes}, last_axis, stream);
}

void find_not_finite(const Array& codes, const Array& matrices, Stream& stream) {
  run(Fold::not_finite, {in(matrices)}, {&codes}, last_axes, stream);
}

void clear_not_finite(const Array& matrices, const Array& codes, Stream& stream) {
  run(Loop::clear, {with_axis(with_axis(codes, 0), 0)}, matrices, stream);
}

void merge_codes(const Array& codes, const Array& found, Stream& stream) {
  run(Loop::merge, {found}, codes, stream);
}

void unpack_vectors(const Array& target, const Array& packed, const Array& values, Stream& stream) {
  run(Loop::unpack, {with_axis(values, 0), turned(packed), rows_of(target)}, turned(target),
      stream);
}

void invert_values(const Array& target, const Array& values, double rcond, Stream& stream) {
  run(Loop::invert, {values, first_of_each(values), rcond}, target, stream);
}

void count_values(const Array& counts, const Array& values, double rcond, double tol,
                  Stream& stream) {
  const Array first = first_of_each(values);
  const Scalar relative = Scalar::of(rcond), absolute = Scalar::of(tol);
  run(Fold::count, {in(values), in(first), in(relative), in(absolute)}, {&counts}, last_axis,
      stream);
}

void scale_rows(const Array& target, const Array& source, const Array& factors, Stream& stream) {
  run(Loop::scale, {source, with_axis(factors, 0)}, target, stream);
}

void square_sums(const Array& sums, const Array& x, Stream& stream) {
  run(Fold::squares, {in(x)}, {&sums}, down_columns, stream);
}

}  // namespace gpuarr
