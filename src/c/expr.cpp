// gpuarr/expr.h: check, convert, call.
#include "gpuarr/expr.h"

#include "c/call_arguments.hpp"
#include "c/expr_handles.hpp"
#include "c/guard.hpp"
#include "c/kernel_handles.hpp"
#include "c/operation_arguments.hpp"
#include "c/reducer_names.hpp"
#include "expr/build.hpp"
#include "expr/evaluate.hpp"
#include "expr/kernel_nodes.hpp"
#include "expr/view.hpp"

using namespace gpuarr;
using expr::Expr;

namespace gpuarr {
namespace {

constexpr int32_t most_exprs = 65536;

void check_count(int32_t count, const void* list, const char* argument) {
  if (count < 1 || count > most_exprs)
    fail(GPUARR_ERR_ARGUMENT, "count is {}; give 1 to {}", count, most_exprs);
  if (list == nullptr) fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give {} of them", argument, count);
}

}  // namespace

expr::BorrowedExprs exprs_of(const gpuarr_expr* const* list, int32_t count, const char* argument,
                             bool may_lack) {
  check_count(count, list, argument);
  expr::BorrowedExprs out(static_cast<size_t>(count));
  for (int32_t k = 0; k < count; ++k) {
    static const Expr none;
    const bool lacks = may_lack && list[k] == nullptr;
    out.add(lacks ? none : static_cast<const Expr&>(deref_item(list[k], argument, k)));
  }
  return out;
}

std::vector<const Array*> given_outputs(gpuarr_array* const* outputs, size_t count) {
  if (outputs == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "outputs is NULL; give the address of {} variables", count);
  std::vector<const Array*> given;
  given.reserve(count);
  for (size_t k = 0; k < count; ++k)
    given.push_back(outputs[k] != nullptr
                        ? &deref_item(outputs[k], "outputs", static_cast<int64_t>(k))
                        : nullptr);
  return given;
}

void hand_out_made(gpuarr_array** outputs, std::vector<std::optional<Array>> made) {
  std::vector<MadeResult> results;
  for (size_t k = 0; k < made.size(); ++k)
    if (made[k]) results.emplace_back(outputs + k, std::move(*made[k]));
  hand_out(results);
}

}  // namespace gpuarr

namespace {

// An expression made by `make`, for the caller.
template <class Make>
[[gnu::always_inline]] inline gpuarr_status guard_node(const char* function, gpuarr_expr** out,
                                                       Make&& make) noexcept {
  return guard_output(function, out, [&] { return gpuarr_expr::make(make()); });
}

Op function_named(const char* name) {
  const auto function = find_function(checked_text(name, "name"));
  if (!function)
    fail(GPUARR_ERR_ARGUMENT, "there is no function \"{}\"; gpuarr_apply_describe lists them",
         name);
  return *function;
}

// Of a user's kernel.
void clear_outputs(gpuarr_expr** outputs, int32_t count, size_t expected) {
  if (count < 0 || static_cast<size_t>(count) != expected)
    fail(GPUARR_ERR_ARGUMENT, "output_count is {}, but the kernel has {} outputs", count, expected);
  if (outputs == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "outputs is NULL; give the address of {} variables", count);
  std::fill_n(outputs, count, nullptr);
}

void hand_out_nodes(gpuarr_expr** outputs, std::vector<Expr> nodes) {
  std::vector<std::unique_ptr<gpuarr_expr>> made;
  made.reserve(nodes.size());
  for (Expr& node : nodes) made.emplace_back(gpuarr_expr::make(std::move(node)));
  for (auto& one : made) *outputs++ = one.release();
}

void check_operand_count(Op function, int32_t count) {
  const FunctionRow& row = row_of(function);
  if (count < 0 || static_cast<size_t>(count) != input_count(row))
    fail(GPUARR_ERR_ARGUMENT, "operand_count is {}, but {} takes {}: {}", count, row.name,
         input_count(row), row.inputs);
}

void apply_to(gpuarr_expr** outputs, int32_t output_count, const char* name,
              std::span<const Expr> operands, Op function) {
  const FunctionRow& row = row_of(function);
  if (output_count < 0 || static_cast<size_t>(output_count) != gpuarr::output_count(row))
    fail(GPUARR_ERR_ARGUMENT, "output_count is {}, but {} gives {}: {}", output_count, name,
         gpuarr::output_count(row), row.outputs);
  auto made = expr::function_nodes(function, operands);
  std::unique_ptr<gpuarr_expr> second;
  if (output_count > 1) second.reset(gpuarr_expr::make(std::move(made[1])));
  outputs[0] = gpuarr_expr::make(std::move(made[0]));
  if (output_count > 1) outputs[1] = second.release();
}

void clear(gpuarr_expr** outputs, int32_t count) {
  if (count < 1 || count > 2)
    fail(GPUARR_ERR_ARGUMENT, "output_count is {}; a function has one output or two", count);
  if (outputs == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "outputs is NULL; give the address of {} variables", count);
  for (int32_t k = 0; k < count; ++k) outputs[k] = nullptr;
}

Dims shape_of(int32_t ndim, const int64_t* shape) { return checked_shape(ndim, shape, 1); }

std::span<const int64_t> extents_of(int32_t ndim, const int64_t* shape) {
  if (ndim < 0 || ndim > max_ndim)
    fail(GPUARR_ERR_SHAPE, "ndim is {}; give 0 to {}", ndim, max_ndim);
  if (ndim > 0 && shape == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "shape is NULL, but ndim is {}; give its extents", ndim);
  return {shape, static_cast<size_t>(ndim)};
}

void check_ddof(double ddof) {
  if (ddof - ddof != 0) fail(GPUARR_ERR_ARGUMENT, "ddof is {}; give a finite number", ddof);
}

}  // namespace

gpuarr_status gpuarr_expr_array(gpuarr_expr** out, const gpuarr_array* array) {
  return guard_node(__func__, out, [&] { return expr::array_node(deref(array, "array")); });
}

gpuarr_status gpuarr_expr_scalar(gpuarr_expr** out, gpuarr_arg value) {
  return guard_node(__func__, out, [&] { return expr::scalar_node(Scalar::from(value, "value")); });
}

gpuarr_status gpuarr_expr_apply(gpuarr_expr** outputs, int32_t output_count, const char* name,
                                const gpuarr_expr* const* operands, int32_t operand_count) {
  return guard(__func__, [&] {
    clear(outputs, output_count);
    const Op function = function_named(name);
    check_operand_count(function, operand_count);
    apply_to(outputs, output_count, name, exprs_of(operands, operand_count, "operands", true).all(),
             function);
  });
}

gpuarr_status gpuarr_expr_astype(gpuarr_expr** out, const gpuarr_expr* x, gpuarr_dtype dtype) {
  return guard_node(__func__, out,
                    [&] { return expr::convert_node(deref(x, "x"), dtype_of(dtype)); });
}

gpuarr_status gpuarr_expr_reduce(gpuarr_expr** out, const char* name, const gpuarr_expr* x,
                                 const int32_t* axes, int32_t axis_count, int32_t keepdims,
                                 double ddof) {
  return guard_node(__func__, out, [&] {
    check_ddof(ddof);
    return expr::reduction_node(reducer_named(name), deref(x, "x"),
                                axis_request(axes, axis_count, keepdims), ddof);
  });
}

gpuarr_status gpuarr_expr_scan(gpuarr_expr** out, const char* name, const gpuarr_expr* x,
                               int32_t axis, int32_t exclusive) {
  return guard_node(__func__, out, [&] {
    if (exclusive != 0 && exclusive != 1)
      fail(GPUARR_ERR_ARGUMENT, "exclusive is {}; give 0 or 1", exclusive);
    return expr::scan_node(scanner_named(name), deref(x, "x"), axis, exclusive != 0);
  });
}

gpuarr_status gpuarr_expr_matmul(gpuarr_expr** out, const gpuarr_expr* x, const gpuarr_expr* y) {
  return guard_node(__func__, out, [&] { return expr::matmul_node(deref(x, "x"), deref(y, "y")); });
}

gpuarr_status gpuarr_expr_indices(gpuarr_expr** out, const gpuarr_expr* x, int32_t axis) {
  return guard_node(__func__, out, [&] { return expr::indices_node(deref(x, "x"), axis); });
}

gpuarr_status gpuarr_expr_elementwise(gpuarr_expr** outputs, int32_t output_count,
                                      gpuarr_elementwise* kernel,
                                      const gpuarr_expr* const* operands, int32_t operand_count) {
  return guard(__func__, [&] {
    const auto& own = deref(kernel, "kernel");
    clear_outputs(outputs, output_count, own->output_count());
    hand_out_nodes(outputs,
                   expr::kernel_nodes(own, exprs_of(operands, operand_count, "operands").all()));
  });
}

gpuarr_status gpuarr_expr_reduction(gpuarr_expr** outputs, int32_t output_count,
                                    gpuarr_reduction* kernel, const gpuarr_expr* const* operands,
                                    int32_t operand_count, const int32_t* axes, int32_t axis_count,
                                    int32_t keepdims) {
  return guard(__func__, [&] {
    const auto& own = deref(kernel, "kernel");
    clear_outputs(outputs, output_count, own->output_count());
    hand_out_nodes(outputs, expr::user_reduction_nodes(
                                own, exprs_of(operands, operand_count, "operands").all(),
                                axis_request(axes, axis_count, keepdims)));
  });
}

gpuarr_status gpuarr_expr_slice(gpuarr_expr** out, const gpuarr_expr* x, int32_t axis,
                                int64_t start, int64_t stop, int64_t step) {
  return guard_node(__func__, out,
                    [&] { return expr::slice_node(deref(x, "x"), axis, start, stop, step); });
}

gpuarr_status gpuarr_expr_index(gpuarr_expr** out, const gpuarr_expr* x, int32_t axis,
                                int64_t index) {
  return guard_node(__func__, out, [&] { return expr::index_node(deref(x, "x"), axis, index); });
}

gpuarr_status gpuarr_expr_expand(gpuarr_expr** out, const gpuarr_expr* x, int32_t axis) {
  return guard_node(__func__, out, [&] { return expr::expand_node(deref(x, "x"), axis); });
}

gpuarr_status gpuarr_expr_transpose(gpuarr_expr** out, const gpuarr_expr* x, int32_t count,
                                    const int32_t* axes) {
  return guard_node(__func__, out,
                    [&] { return expr::transpose_node(deref(x, "x"), checked_axes(count, axes)); });
}

gpuarr_status gpuarr_expr_flip(gpuarr_expr** out, const gpuarr_expr* x, int32_t count,
                               const int32_t* axes) {
  return guard_node(__func__, out,
                    [&] { return expr::flip_node(deref(x, "x"), checked_axes(count, axes)); });
}

gpuarr_status gpuarr_expr_broadcast(gpuarr_expr** out, const gpuarr_expr* x, int32_t ndim,
                                    const int64_t* shape) {
  return guard_node(__func__, out,
                    [&] { return expr::broadcast_node(deref(x, "x"), shape_of(ndim, shape)); });
}

gpuarr_status gpuarr_expr_reshape(gpuarr_expr** out, const gpuarr_expr* x, int32_t ndim,
                                  const int64_t* shape) {
  return guard_node(__func__, out,
                    [&] { return expr::reshape_node(deref(x, "x"), extents_of(ndim, shape)); });
}

gpuarr_expr* gpuarr_expr_retain(gpuarr_expr* expr) { return retain(expr); }
void gpuarr_expr_release(gpuarr_expr* expr) { release(expr); }

int32_t gpuarr_expr_ndim(const gpuarr_expr* expr) {
  return is_live(expr) ? expr->impl->shape.size() : 0;
}

const int64_t* gpuarr_expr_shape(const gpuarr_expr* expr) {
  return is_live(expr) ? expr->impl->shape.data() : nullptr;
}

gpuarr_dtype gpuarr_expr_dtype(const gpuarr_expr* expr) {
  return is_live(expr) ? static_cast<gpuarr_dtype>(expr->impl->dtype) : 0;
}

gpuarr_status gpuarr_evaluate(gpuarr_array** outputs, const gpuarr_expr* const* exprs,
                              int32_t count, gpuarr_stream* stream) {
  return guard(__func__, [&] {
    const auto list = exprs_of(exprs, count, "exprs");
    const auto given = given_outputs(outputs, static_cast<size_t>(count));
    hand_out_made(outputs, expr::evaluate(list.all(), given, stream_or_null(stream)));
  });
}

gpuarr_status gpuarr_expr_explain(const char** out, const gpuarr_expr* const* exprs,
                                  int32_t count) {
  return guard_output(__func__, out, [&] {
    return keep_text<struct Explanation>(expr::explain(exprs_of(exprs, count, "exprs").all()));
  });
}
