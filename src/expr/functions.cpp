#include "expr/functions.hpp"

#include "core/text.hpp"
#include "expr/kernels_text.hpp"

namespace gpuarr::expr {
namespace {

std::string type_name(std::string_view type, std::string_view called) {
  return formatted("typedef {} {};\n", type, called);
}

std::string inline_function(std::string_view type, std::string_view called,
                            std::string_view parameters, std::string_view value) {
  return formatted("static inline {} {}({}) {{ return {}; }}\n", type, called, parameters, value);
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
  body += formatted("static inline O value({}) {{\n{}  O out;\n{};\n  return out;\n}}\n",
                    "P a, long long n, gpuarr_results _out_ind, double ddof",
                    enters ? "  a = reduce(identity(), a);\n" : "", text.spec.post.text());
  has_reducers_ = true;
  return space("r", body);
}

std::string Functions::take() {
  std::string out(has_reducers_ ? kernel_parts::results : "");
  for (const auto& [name, body] : spaces_) out += formatted("namespace {} {{\n{}}}\n", name, body);
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
