#include "ops/reduce/reduce.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <string_view>

#include "core/error.hpp"
#include "core/once.hpp"
#include "ops/reducers_text.hpp"

namespace gpuarr {
namespace {

// A dtype that follows from the elements'.
enum class Follows {
  element,   // the same
  wide_sum,  // int64 or uint64 for whole numbers
  modulo,    // uint64 for whole numbers, whose sums then wrap around
  exact,     // what sums of whole numbers are exact in, or else float64
  floating,  // float64 for whole numbers
  real,      // as floating, and a complex number's real type
  index,     // int64
  count,     // uint64
  truth,     // bool
  flag,      // int32
};

// The texts see T, the elements' type; F, that as a floating type that is computed in; R, the real
// type of F; A, the type that `partial` says, but float32 for 16-bit floats; N, what counts the
// elements of a result: 32 bits, unless they are more than 2^32.
struct Row {
  const char* name;
  bool takes_complex;
  Follows result;
  Follows partial;
  const char* structure;  // what a partial result is, if not an A
  const char* in_params;
  const char* map;
  const char* reduce;
  const char* post;
  const char* identity;                           // null for none
  std::array<std::string_view, 2> preamble = {};  // of reducers/
};

using enum Follows;

constexpr const char* moments_of_x = "{(A)x, A(-R(0)), -R(0), -R(0), 1, 16}";

// clang-format off
constexpr Row reducer_rows[] = {
  {"sum", true, wide_sum, modulo, nullptr, "T x", "x", "a + b", "out = a", "0"},
  {"prod", true, wide_sum, modulo, nullptr, "T x", "x", "a * b", "out = a", "1"},
  {"min", true, element, element, nullptr, "T x",
   "x", "least(a, b)", "out = a", nullptr, {reducer_parts::extreme}},
  {"max", true, element, element, nullptr, "T x",
   "x", "most(a, b)", "out = a", nullptr, {reducer_parts::extreme}},
  {"argmin", true, index, element, "found", "T x",
   "{(A)x, (N)_J}", "first_of(a, b, a.value < b.value)", "out = a.place", nullptr,
   {reducer_parts::found}},
  {"argmax", true, index, element, "found", "T x",
   "{(A)x, (N)_J}", "first_of(a, b, a.value > b.value)", "out = a.place", nullptr,
   {reducer_parts::found}},
  {"any", true, truth, flag, nullptr, "T x", "x != 0", "a | b", "out = a", "0"},
  {"all", true, truth, flag, nullptr, "T x", "x != 0", "a & b", "out = a", "1"},
  {"count_nonzero", true, index, count, nullptr, "T x", "x != 0", "a + b", "out = a", "0"},
  {"mean", true, floating, exact, nullptr, "T x",
   "x", "a + b", "out = (F)a / (n / _out_ind.size())", "0"},
  {"var", true, real, floating, "moments", "T x, float64 ddof",
   moments_of_x, "joined(a, b)",
   "const long long count = n / _out_ind.size();\n"
   "out = spread(a, count) / max(count - ddof, 0.0)", "{}",
   {reducer_parts::inner, reducer_parts::moments}},
  {"std", true, real, floating, "moments", "T x, float64 ddof",
   moments_of_x, "joined(a, b)",
   "const long long count = n / _out_ind.size();\n"
   "out = sqrt(spread(a, count) / max(count - ddof, 0.0))", "{}",
   {reducer_parts::inner, reducer_parts::moments}},
  {"norm_1", true, real, real, nullptr, "T x", "abs((F)x)", "a + b", "out = a", "0"},
  {"norm_2", true, real, real, nullptr, "T x",
   "inner((F)x, (F)x)", "a + b", "out = sqrt(a)", "0", {reducer_parts::inner}},
  {"norm_inf", true, real, real, nullptr, "T x",
   "abs((F)x)", "most(a, b)", "out = a", "0", {reducer_parts::extreme}},
  {"dot", true, wide_sum, modulo, nullptr, "T x, T y", "(A)x * (A)y", "a + b", "out = a", "0"},
  {"nansum", true, wide_sum, modulo, nullptr, "T x",
   "x == x ? (A)x : (A)0", "a + b", "out = a", "0"},
  {"nanmin", true, element, element, nullptr, "T x",
   "x", "least_number(a, b)", "out = a", nullptr, {reducer_parts::extreme}},
  {"nanmax", true, element, element, nullptr, "T x",
   "x", "most_number(a, b)", "out = a", nullptr, {reducer_parts::extreme}},
  {"logsumexp", false, real, real, "scaled", "T x",
   "{(A)x, 1}", "joined(a, b)", "out = a.re + log(a.im)", "{-INFINITY, 0}",
   {reducer_parts::scaled}},
};
// clang-format on
static_assert(std::size(reducer_rows) == reducer_count);

const Row& row_of(Reducer reducer) { return reducer_rows[static_cast<size_t>(reducer)]; }

DType following(Follows rule, DType dtype) {
  const bool whole = !is_inexact(dtype);
  const DType sum = facts_of(dtype).kind == DTypeKind::natural ? DType::u64 : DType::i64;
  switch (rule) {
    case element:
      return dtype;
    case wide_sum:
      return whole ? sum : dtype;
    case modulo:
      return whole ? DType::u64 : dtype;
    case exact:
      return !whole ? dtype : size_of(dtype) < 8 ? sum : DType::f64;
    case floating:
      return whole ? DType::f64 : dtype;
    case real:
      if (dtype == DType::c64) return DType::f32;
      return whole || dtype == DType::c128 ? DType::f64 : dtype;
    case index:
      return DType::i64;
    case count:
      return DType::u64;
    case truth:
      return DType::boolean;
    case flag:
      return DType::i32;
  }
  return dtype;
}

std::unique_ptr<Reduction> make_kernel(Reducer reducer, DType dtype, bool long_counts) {
  ReducerText made = reducer_text(reducer, dtype, long_counts);
  return std::make_unique<Reduction>(made.spec, made.options);
}

Reduction& kernel_for(Reducer reducer, DType dtype, bool long_counts) {
  static std::atomic<Reduction*> kernels[2][reducer_count][GPUARR_C128 + 1];
  std::atomic<Reduction*>& slot =
      kernels[long_counts ? 1 : 0][static_cast<size_t>(reducer)][static_cast<size_t>(dtype)];
  return made_once(slot, [&] { return make_kernel(reducer, dtype, long_counts); });
}

// Whether results have more than 2^32 elements. What the axes are is not checked yet.
bool has_long_counts(const Dims& shape, const AxisRequest& axes) {
  constexpr int64_t most = int64_t{1} << 32;
  const int64_t size = size_of(shape);
  if (axes.all || size <= most) return size > most;
  const int ndim = shape.size();
  int64_t length = 1;
  for (int32_t axis : axes.axes)
    if (axis >= -ndim && axis < ndim &&
        __builtin_mul_overflow(length, shape[axis < 0 ? axis + ndim : axis], &length))
      return true;
  return length > most;
}

// That a struct has at most: its members' bytes, up to a multiple of the largest of them.
int struct_bytes(Reducer reducer, DType dtype, bool long_counts) {
  const int largest = std::max(size_of(computed_in(following(row_of(reducer).partial, dtype))),
                               long_counts ? 8 : 4);
  return static_cast<int>(ceil_div(partial_of(reducer, dtype, long_counts).bytes, largest)) *
         largest;
}

}  // namespace

const char* name_of(Reducer reducer) { return row_of(reducer).name; }

bool has_identity(Reducer reducer) { return row_of(reducer).identity != nullptr; }

// moments, found and scaled, by the sizes of their members.
FoldType partial_of(Reducer reducer, DType dtype, bool long_counts) {
  const Row& r = row_of(reducer);
  const DType partial = computed_in(following(r.partial, dtype));
  const int size = size_of(partial);
  if (r.structure == nullptr) return {name(partial), size, false};
  const int counter = long_counts ? 8 : 4;
  const int real_size = size_of(computed_in(following(real, dtype)));
  const std::string_view structure = r.structure;
  return {r.structure,
          structure == "moments" ? 2 * (size + real_size + counter)
          : structure == "found" ? size + std::max(size, counter)
                                 : 2 * size,
          true};
}

std::optional<Reducer> find_reducer(std::string_view name) {
  for (int r = 0; r < reducer_count; ++r)
    if (reducer_rows[r].name == name && Reducer{r} != Reducer::dot) return Reducer{r};
  return std::nullopt;
}

void check_reducer(Reducer reducer, DType dtype) {
  const Row& r = row_of(reducer);
  if (is_complex(dtype) && !r.takes_complex)
    fail(GPUARR_ERR_DTYPE, "x is {}, of which there is no {}; give real numbers", name(dtype),
         r.name);
}

ReducerText reducer_text(Reducer reducer, DType dtype, bool long_counts) {
  const Row& r = row_of(reducer);
  check_reducer(reducer, dtype);
  const DType partial = computed_in(following(r.partial, dtype));
  ReducerText made;
  made.spec = {r.in_params, formatted("{} out", name(result_dtype(reducer, dtype))),
               r.map,       r.reduce,
               r.post,      {}};
  if (r.identity != nullptr) made.spec.identity = r.identity;
  if (r.structure != nullptr) made.spec.struct_bytes = struct_bytes(reducer, dtype, long_counts);
  made.options.name = r.name;
  made.options.reduce_type = r.structure != nullptr ? r.structure : name(partial);
  made.options.preamble = formatted(
      "typedef {} A;\ntypedef {} F;\ntypedef {} R;\ntypedef unsigned {} N;\n{}{}", name(partial),
      name(computed_in(following(floating, dtype))), name(computed_in(following(real, dtype))),
      long_counts ? "long long" : "int", r.preamble[0], r.preamble[1]);
  return made;
}

DType result_dtype(Reducer reducer, DType dtype) {
  return following(row_of(reducer).result, dtype);
}

std::optional<Array> reduce(Reducer reducer, std::span<const Argument> inputs, const Array* out,
                            const AxisRequest& axes, Stream* stream) {
  const DType dtype = inputs[0].array->dtype;
  Reduction& kernel =
      kernel_for(reducer, dtype, has_long_counts(inputs[0].array->layout.shape, axes));
  if (out != nullptr && out->dtype != result_dtype(reducer, dtype))
    fail(GPUARR_ERR_DTYPE, "out is {}, but of {} elements the result is {}; give such an array",
         name(out->dtype), name(dtype), name(result_dtype(reducer, dtype)));
  return only_of(kernel.call(inputs, {&out, 1}, axes, stream));
}

StagedReducer::StagedReducer(Reducer reducer, DType dtype, const Dims& whole,
                             const AxisRequest& axes, double ddof)
    : reducer_(reducer),
      dtype_(dtype),
      ddof_(Scalar::of(ddof)),
      kernel_(kernel_for(reducer, dtype, has_long_counts(whole, axes))) {}

StagedReducer::Inputs StagedReducer::inputs(std::span<const Array> arrays) const {
  if (arrays.size() != array_count())
    fail(GPUARR_ERR_ARGUMENT, "{} arrays are given, but {} takes {}", arrays.size(),
         name_of(reducer_), array_count());
  Inputs out;
  for (const Array& array : arrays) {
    if (array.dtype != dtype_)
      fail(GPUARR_ERR_DTYPE, "a block is {}, but the whole is {}", name(array.dtype), name(dtype_));
    out.all[out.count++] = {&array, nullptr};
  }
  if (kernel_.input_count() > out.count) out.all[out.count++] = {nullptr, &ddof_};
  return out;
}

Reducer norm_of(double ord) {
  if (ord == 1) return Reducer::norm_1;
  if (ord == 2) return Reducer::norm_2;
  if (ord == INFINITY) return Reducer::norm_inf;
  fail(GPUARR_ERR_ARGUMENT, "ord is {}; give 1, 2 or INFINITY", ord);
}

void check_alike(const Array& x, const Array& y) {
  if (!(x.layout.shape == y.layout.shape))
    fail(GPUARR_ERR_SHAPE, "y has shape {}, but x has {}; give arrays of one shape",
         to_string(y.layout.shape), to_string(x.layout.shape));
  if (x.dtype != y.dtype)
    fail(GPUARR_ERR_DTYPE, "y is {}, but x is {}; give arrays of one dtype", name(y.dtype),
         name(x.dtype));
}

}  // namespace gpuarr
