#include "expr/functions.hpp"

#include <algorithm>

#include "expr/kernels_text.hpp"
#include "expr/statements.hpp"

namespace gpuarr::expr {
namespace {

std::string type_name(std::string_view type, std::string_view called) {
  return statement(formatted("typedef {} {}", type, called));
}

std::string inline_function(std::string_view type, std::string_view called,
                            std::string_view parameters, std::string_view value) {
  return function_of(type, called, parameters, returning(value));
}

// Where the identity does not enter by the kernel.
std::string entered(bool enters) { return enters ? set_to("a", "reduce(identity(), a)") : ""; }

// "typedef float T;" of each placeholder.
std::string letter_types(const Generated& kernel, std::span<const DType> dtypes) {
  std::string out;
  for (const auto& [letter, operand] : kernel.letters)
    out += type_name(cxx(dtypes[as_index(operand)]), std::string(1, letter));
  return out;
}

// "const float x, const float y"
std::string parameters_of(const std::vector<Parameter>& inputs, std::span<const DType> dtypes) {
  std::string out;
  for (size_t k = 0; k < inputs.size(); ++k)
    out += formatted("{}const {} {}", k > 0 ? ", " : "", cxx(dtypes[k]), inputs[k].name);
  return out;
}

std::string names_of(const std::vector<Parameter>& parameters) {
  std::string out;
  for (const Parameter& p : parameters) out += (out.empty() ? "" : ", ") + p.name;
  return out;
}

std::string listed(const std::string& a, const std::string& b) {
  return a + (a.empty() || b.empty() ? "" : ", ") + b;
}

}  // namespace

std::string Functions::of_function(const FunctionNode& node, std::span<const DType> operands) {
  const FunctionText text = function_text(node.op, {node.computed});
  const FunctionRow& row = row_of(node.op);
  constexpr const char* letters[] = {"X", "Y", "Z", "W", "S"};
  std::string body, parameters;
  for (size_t k = 0; k < operands.size(); ++k) {
    body += type_name(cxx(operands[k]), letters[k]);
    parameters += formatted("{}const {} {}", k > 0 ? ", " : "", letters[k], input_name(row, k));
  }
  const Gives gives = node.output == 0 ? row.gives : row.gives_second;
  body += text.options.preamble.text();
  body += inline_function(cxx(result_dtype(gives, node.computed)), "value", parameters,
                          text.values[as_index(node.output)]);
  return space("f", body) + "::value";
}

std::string Functions::of_convert(DType to, DType from) {
  std::string body, value = "(T)x";
  if (to == DType::boolean) {
    value = "x != S(0)";
  } else if (is_complex(from) && !is_complex(to)) {
    value = "(T)x.real()";
  } else if (is_integer(to) && is_inexact(from)) {
    body = kernel_parts::truncate;
    value = size_of(from) == 2 ? "truncated<T>((float)x)" : "truncated<T>(x)";
  }
  body += type_name(cxx(to), "T") + type_name(cxx(from), "S");
  return space("f", body + inline_function("T", "value", "const S x", value)) + "::value";
}

std::string Functions::of_reducer(const ReducerText& text, DType element, DType result,
                                  bool enters) {
  std::string body = type_name(cxx(element), "T") + type_name(cxx(result), "O");
  body += text.options.preamble.text();
  body += type_name(text.options.reduce_type, "P");
  body += inline_function("P", "map", "const T& x, const long long _J", text.spec.map);
  body += inline_function("P", "reduce", "const P& a, const P& b", text.spec.reduce);
  enters = enters && text.spec.identity;
  if (text.spec.identity) body += inline_function("P", "identity", "", *text.spec.identity);
  body += function_of(
      "O", "value", "P a, long long n, gpuarr_results _out_ind, double ddof",
      entered(enters) + statement("O out") + statement(text.spec.post.text()) + returning("out"));
  has_reducers_ = true;
  return space("r", body);
}

std::string Functions::part(const Generated& kernel, const char* piece, const UserText& text) {
  if (text.empty()) return "";
  std::string name = formatted("{} of {}", piece, kernel.name);
  const auto is_other = [&](const UserPart& p) {
    return p.name == name && p.text.text() != text.text();
  };
  for (int k = 2; std::ranges::any_of(parts, is_other); ++k)
    name = formatted("{} of {} ({})", piece, kernel.name, k);
  if (std::ranges::find(parts, name, &UserPart::name) == parts.end()) parts.push_back({name, text});
  return user_piece(name.c_str(), text);
}

// Names of ours begin with an underscore: the user's parameters may have any other.
std::string Functions::of_kernel(const KernelNode& node) {
  const Generated& kernel = node.kernel->generated();
  const auto& [inputs, outputs, starts_as] = kernel.signature;
  const std::span<const DType> dtypes(node.dtypes);
  const std::string taken = parameters_of(inputs, dtypes);
  std::string given, made;
  for (size_t k = 0; k < outputs.size(); ++k) {
    const char* const type = cxx(dtypes[inputs.size() + k]);
    given = listed(given, formatted("{}& {}", type, outputs[k].name));
    made += statement(formatted("{} {}{{}}", type, outputs[k].name));
  }
  std::string body = letter_types(kernel, dtypes);
  body += part(kernel, "preamble", node.kernel->text().preamble);
  body += function_of("void", "_run", listed(taken, given),
                      block("do", statement(part(kernel, "body", node.kernel->text().body))) +
                          statement("while (false)"));
  const std::string arguments = listed(names_of(inputs), names_of(outputs));
  for (size_t k = 0; k < outputs.size(); ++k)
    body += function_of(
        cxx(dtypes[inputs.size() + k]), formatted("_value{}", k), taken,
        made + statement(formatted("_run({})", arguments)) + returning(outputs[k].name));
  return formatted("{}::_value{}", space("u", body), static_cast<int>(node.output));
}

std::string Functions::of_reducer(const UserReduction& user, bool enters) {
  const Generated& kernel = user.kernel->generated();
  const auto& [inputs, outputs, starts_as] = kernel.signature;
  const std::span<const DType> dtypes(user.dtypes);
  const ReductionText& text = user.text;
  enters = enters && text.identity;
  std::string body = letter_types(kernel, dtypes);
  body += part(kernel, "preamble", text.preamble);
  body += type_name(text.reduce_type.text(), "P");
  const auto function = [&](const char* called, const std::string& taken, const UserText& value) {
    body += inline_function("P", called, taken, formatted("(\n{})", part(kernel, called, value)));
  };
  function("map", listed(parameters_of(inputs, dtypes), "long long"), text.map);
  function("reduce", "const P& a, const P& b", text.reduce);
  if (text.identity) function("identity", "", *text.identity);
  const std::string& out = outputs[0].name;
  const char* const type = cxx(dtypes[inputs.size()]);
  body += function_of(type, "value", "P a, long long n",
                      entered(enters) + statement(formatted("{} {}{{}}", type, out)) +
                          statement(part(kernel, "post", text.post)) + returning(out));
  return space("r", body);
}

std::string Functions::take() {
  std::string out(has_reducers_ ? kernel_parts::results : "");
  for (const auto& [name, body] : spaces_) out += block("namespace " + name, body);
  return out;
}

std::string Functions::space(const char* letter, const std::string& body) {
  const auto known = names_.find(body);
  if (known != names_.end()) return known->second;
  std::string name = formatted("{}{}", letter, spaces_.size());
  spaces_.emplace_back(name, body);
  names_.emplace(body, name);
  return name;
}

}  // namespace gpuarr::expr
