// gpuarr/eval.h: check, convert, call.
#include "gpuarr/eval.h"

#include <algorithm>

#include "c/expr_handles.hpp"
#include "c/guard.hpp"
#include "c/operation_arguments.hpp"
#include "c/text_arguments.hpp"
#include "expr/eval.hpp"
#include "expr/parse/lexer.hpp"
#include "expr/text_call.hpp"

using namespace gpuarr;
using expr::Expr;
using expr::TextCall;
using expr::Variable;

namespace {

constexpr int32_t most_arguments = 1024;

Variable variable(std::string_view name, const gpuarr_arg& arg, int32_t k) {
  if (arg.array != nullptr && arg.flags == 0) {
    const std::string label = tracking() ? formatted("args[{}]", k) : std::string();
    return {name, &deref(arg.array, label.c_str())};
  }
  const std::string label = formatted("args[{}]", k);
  if (arg.dtype == 0 && arg.flags == 0)
    fail(GPUARR_ERR_ARGUMENT, "{}, {}, is neither an array nor a scalar; an array must not be NULL",
         label, name);
  return {name, nullptr, Scalar::from(arg, label.c_str())};
}

std::vector<Variable> variables_of(const char* const* names, const gpuarr_arg* args,
                                   int32_t count) {
  if (count < 0 || count > most_arguments)
    fail(GPUARR_ERR_ARGUMENT, "count is {}; give 0 to {}", count, most_arguments);
  if (count > 0 && (names == nullptr || args == nullptr))
    fail(GPUARR_ERR_ARGUMENT, "{} is NULL, but count is {}; give as many",
         names == nullptr ? "names" : "args", count);
  std::vector<Variable> out;
  out.reserve(static_cast<size_t>(count));
  for (int32_t k = 0; k < count; ++k)
    out.push_back(variable(checked_name(names[k], k, out), args[k], k));
  return out;
}

void check_results(size_t results, int32_t output_count) {
  if (output_count < 0 || static_cast<size_t>(output_count) != results)
    fail(GPUARR_ERR_ARGUMENT, "output_count is {}, but text has {} {}", output_count, results,
         results == 1 ? "result" : "results");
}

void run_all(gpuarr_array** outputs, int32_t output_count, std::string_view text,
             std::span<const Variable> variables, gpuarr_stream* stream) {
  const TextCall call(text, variables);
  check_results(call.results().size(), output_count);
  const auto given = given_outputs(outputs, static_cast<size_t>(output_count));
  hand_out_made(outputs, call.run(given, stream_or_null(stream)));
}

std::optional<Array> run_one(const Array* given, std::string_view text,
                             std::span<const Variable> variables, gpuarr_stream* stream) {
  const TextCall call(text, variables);
  const auto results = call.results();
  if (results.size() != 1)
    fail(GPUARR_ERR_ARGUMENT, "text has {} results; call gpuarr_eval_all, or give it one",
         results.size());
  const expr::Node& result = *results[0];
  if (given != nullptr && result.device != nullptr && !expr::suits(*given, result))
    expr::fail_unsuited(*given, result, "out");
  return std::move(call.run({&given, 1}, stream_or_null(stream))[0]);
}

void make_all(gpuarr_expr** outputs, int32_t output_count, std::string_view text,
              std::span<const Variable> variables) {
  const std::vector<Expr> results = expr::expressions_of(text, variables);
  check_results(results.size(), output_count);
  std::vector<std::unique_ptr<gpuarr_expr>> made;
  made.reserve(results.size());
  for (const Expr& result : results) made.emplace_back(gpuarr_expr::make(result));
  for (auto& result : made) *outputs++ = result.release();
}

void set_to_null(gpuarr_expr** outputs, int32_t count) {
  if (outputs == nullptr)
    fail(GPUARR_ERR_ARGUMENT, "outputs is NULL; give the address of {} variables", count);
  if (count < 0 || static_cast<size_t>(count) > expr::most_expression_bytes)
    fail(GPUARR_ERR_ARGUMENT, "output_count is {}, which is no number of results", count);
  std::fill_n(outputs, count, nullptr);
}

}  // namespace

gpuarr_status gpuarr_eval(gpuarr_array** out, const char* text, const char* const* names,
                          const gpuarr_arg* args, int32_t count, gpuarr_stream* stream) {
  return guard_result(__func__, out, [&](const Array* given) {
    return run_one(given, checked_expression(text), variables_of(names, args, count), stream);
  });
}

gpuarr_status gpuarr_eval_all(gpuarr_array** outputs, int32_t output_count, const char* text,
                              const char* const* names, const gpuarr_arg* args, int32_t count,
                              gpuarr_stream* stream) {
  return guard(__func__, [&] {
    run_all(outputs, output_count, checked_expression(text), variables_of(names, args, count),
            stream);
  });
}

gpuarr_status gpuarr_eval_count(int32_t* out, const char* text) {
  return guard_output(__func__, out, [&] {
    return static_cast<int32_t>(expr::count_results(checked_expression(text)));
  });
}

gpuarr_status gpuarr_expr_parse(gpuarr_expr** outputs, int32_t output_count, const char* text,
                                const char* const* names, const gpuarr_arg* args, int32_t count) {
  return guard(__func__, [&] {
    set_to_null(outputs, output_count);
    make_all(outputs, output_count, checked_expression(text), variables_of(names, args, count));
  });
}
