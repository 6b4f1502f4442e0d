#include "expr/text.hpp"

#include <algorithm>
#include <map>

#include "core/error.hpp"
#include "expr/kernels_text.hpp"

namespace gpuarr::expr {
namespace {

const char* cxx(DType dtype) { return facts_of(dtype).cxx; }

std::string type_name(std::string_view type, std::string_view called) {
  return formatted("typedef {} {};\n", type, called);
}

std::string function(std::string_view type, std::string_view called, std::string_view parameters,
                     std::string_view value) {
  return formatted("static inline {} {}({}) {{ return {}; }}\n", type, called, parameters, value);
}

// What goes before the kernels: each function once for the dtypes that it is computed in, in a
// namespace of its own, since the catalogue's texts all name the same things.
class Functions {
 public:
  // "f0::value", of operands of these dtypes.
  std::string of_function(const FunctionNode& node, std::span<const DType> operands) {
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
    body += function(cxx(result_dtype(gives, node.computed)), "value", parameters,
                     text.values[as_index(node.output)]);
    return space("f", body) + "::value";
  }

  std::string of_convert(DType to, DType from) {
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
    return space("f", body + function("T", "value", "const S x", value)) + "::value";
  }

  // "r0", which has the types P and O, map, reduce, identity and value. Where the identity does not
  // enter by the kernel, value lets it in.
  std::string of_reducer(const ReducerText& text, DType element, DType result, bool enters) {
    std::string body = type_name(cxx(element), "T") + type_name(cxx(result), "O");
    body += text.options.preamble.text();
    body += type_name(text.options.reduce_type, "P");
    body += function("P", "map", "const T& x, const long long _J", text.spec.map);
    body += function("P", "reduce", "const P& a, const P& b", text.spec.reduce);
    enters = enters && text.spec.identity;
    if (text.spec.identity) body += function("P", "identity", "", *text.spec.identity);
    body += formatted("static inline O value({}) {{\n{}  O out;\n{};\n  return out;\n}}\n",
                      "P a, long long n, gpuarr_results _out_ind, double ddof",
                      enters ? "  a = reduce(identity(), a);\n" : "", text.spec.post.text());
    has_reducers_ = true;
    return space("r", body);
  }

  std::string take() {
    std::string out(has_reducers_ ? kernel_parts::results : "");
    for (const auto& [name, body] : spaces_)
      out += formatted("namespace {} {{\n{}}}\n", name, body);
    return out;
  }

 private:
  std::string space(const char* letter, const std::string& body) {
    const auto known = names_.find(body);
    if (known != names_.end()) return known->second;
    const std::string name = formatted("{}{}", letter, spaces_.size());
    spaces_.emplace_back(name, body);
    names_.emplace(body, name);
    return name;
  }

  std::vector<std::pair<std::string, std::string>> spaces_;
  std::map<std::string, std::string> names_;
  bool has_reducers_ = false;
};

class GroupWriter {
 public:
  GroupWriter(const Numbered& numbered, const Plan& plan, const Group& group)
      : numbered_(numbered),
        plan_(plan),
        group_(group),
        needs_(needs_of(numbered, plan, group)),
        names_(numbered.items.size()) {}

  GroupText write() {
    for (int k : needs_.read) {
      names_[as_index(k)] = formatted("x{}", text_.inputs.size());
      add_input({Input::array, k, node(k).dtype}, names_[as_index(k)]);
    }
    for (size_t k = 0; k < group_.outputs.size(); ++k)
      text_.out_params +=
          formatted("{}{} y{}", k > 0 ? ", " : "", name(node(group_.outputs[k]).dtype), k);
    if (group_.kind == GroupKind::elementwise)
      write_loop();
    else
      write_reduction();
    text_.options.preamble = functions_.take() + map_function_;
    text_.options.name = kernel_name();
    return std::move(text_);
  }

 private:
  const Node& node(int k) const { return numbered_.node(k); }

  void add_input(const Input& input, const std::string& name) {
    text_.in_params +=
        formatted("{}{} {}", text_.inputs.empty() ? "" : ", ", gpuarr::name(input.dtype), name);
    text_.inputs.push_back(input);
  }

  // A scalar, as the operation that takes it wants it.
  std::string scalar(int k, DType dtype, Input::Kind kind = Input::scalar) {
    for (size_t at = 0; at < text_.inputs.size(); ++at) {
      const Input& input = text_.inputs[at];
      if (input.kind == kind && input.item == k && input.dtype == dtype)
        return formatted("s{}", at);
    }
    const std::string name = formatted("s{}", text_.inputs.size());
    add_input({kind, k, dtype}, name);
    return name;
  }

  // "f0::value(x0, v1)"
  std::string value_of(int k) {
    const Node& own = node(k);
    const auto& operands = numbered_.items[as_index(k)].operands;
    if (own.kind == NodeKind::convert)
      return formatted("{}({})", functions_.of_convert(own.dtype, node(operands[0]).dtype),
                       names_[as_index(operands[0])]);
    const FunctionNode& function = own.function();
    const FunctionRow& row = row_of(function.op);
    std::array<DType, Node::most_operands> dtypes;
    std::string list;
    for (size_t at = 0; at < as_index(own.count); ++at) {
      const Node& operand = node(operands[at]);
      dtypes[at] = operand.dtype;
      std::string value = names_[as_index(operands[at])];
      if (operand.kind == NodeKind::scalar) {
        const bool promoted = is_promoted(row, at) && function.computed != mixed_integers;
        if (promoted) dtypes[at] = function.computed;
        value = scalar(operands[at], dtypes[at]);
      }
      list += (at > 0 ? ", " : "") + value;
    }
    return formatted("{}({})",
                     functions_.of_function(function, {dtypes.data(), as_index(own.count)}), list);
  }

  std::string statements(std::span<const int> items) {
    std::string out;
    for (int k : items) {
      names_[as_index(k)] = formatted("v{}", values_++);
      const std::string value = value_of(k);
      out += formatted("const {} {} = {};\n", cxx(node(k).dtype), names_[as_index(k)], value);
    }
    return out;
  }

  std::string store_outputs() const {
    std::string out;
    for (size_t k = 0; k < group_.outputs.size(); ++k)
      out += formatted("y{} = {};\n", k, names_[as_index(group_.outputs[k])]);
    return out;
  }

  void write_loop() {
    text_.body = statements(needs_.computed);
    text_.body += store_outputs();
  }

  bool has_long_counts() const {
    int64_t length = 1;
    for (int axis = 0; axis < group_.space.size(); ++axis)
      if (group_.axes >> axis & 1) length *= group_.space[axis];
    return length > int64_t{1} << 32;
  }

  void write_reduction() {
    const bool several = group_.folds.size() > 1;
    const std::string before = statements(needs_.computed);
    std::string mapped, reduced, close, post;
    for (size_t k = 0; k < group_.folds.size(); ++k) {
      const int fold = group_.folds[k];
      const int operand = numbered_.items[as_index(fold)].operands[0];
      const ReductionNode& own = node(fold).reduction();
      const DType element = node(operand).dtype;
      const ReducerText text = reducer_text(own.reducer, element, has_long_counts());
      const std::string space = functions_.of_reducer(text, element, node(fold).dtype, several);
      FoldType type = partial_of(own.reducer, element, has_long_counts());
      if (type.is_struct) type.cxx = space + "::P";
      text_.folds.push_back(type);
      const std::string open = k > 0 ? ", {" : "{";
      const auto part = [&](const char* of) { return formatted("_fold<{}>({})", k, of); };
      mapped += formatted("{}{}::map({}, _J)", open, space, names_[as_index(operand)]);
      reduced += formatted("{}{}::reduce({}, {})", open, space, part("a"), part("b"));
      close += "}";
      if (!several) {
        mapped = formatted("{}::map({}, _J)", space, names_[as_index(operand)]);
        reduced = formatted("{}::reduce(a, b)", space);
        if (text.spec.identity) text_.identity = formatted("{}::identity()", space);
      }
      names_[as_index(fold)] = formatted("v{}", values_++);
      const bool has_ddof = own.reducer == Reducer::var || own.reducer == Reducer::std;
      post +=
          formatted("const {} {} = {}::value({}, n, gpuarr_results{{_out_ind.size()}}, {});\n",
                    cxx(node(fold).dtype), names_[as_index(fold)], space, several ? part("a") : "a",
                    has_ddof ? scalar(fold, DType::f64, Input::ddof) : "0");
    }
    std::string type = text_.folds[0].cxx;
    if (several) {
      type = folds_type(text_.folds);
      mapped += close;
      reduced = "_type_reduce" + reduced + close;
    } else {
      text_.options.reduce_type = type;
      text_.folds.clear();
    }
    text_.reduce = reduced;
    write_map(type, before, mapped);
    const std::vector<int> posts = posts_of(numbered_, plan_, group_);
    text_.post = post + statements(posts);
    text_.post += store_outputs();
  }

  // A function, since map is an expression.
  void write_map(const std::string& type, const std::string& before, const std::string& value) {
    std::string parameters, arguments;
    const bool numbered = numbers_elements();
    for (size_t k = 0; k < text_.inputs.size(); ++k) {
      const Input& input = text_.inputs[k];
      if (input.kind == Input::ddof) continue;
      const std::string name = formatted("{}{}", input.kind == Input::array ? "x" : "s", k);
      parameters += formatted("const {}& {}, ", cxx(input.dtype), name);
      arguments += name + ", ";
    }
    map_function_ =
        formatted("static inline {} gpuarr_map({}const long long _J) {{\n{}return {};\n}}\n", type,
                  parameters, before, value);
    text_.map = formatted("gpuarr_map({}{})", arguments, numbered ? "_J" : "0");
  }

  bool numbers_elements() const {
    return std::ranges::any_of(group_.folds, [&](int fold) {
      const Reducer r = node(fold).reduction().reducer;
      return r == Reducer::argmin || r == Reducer::argmax;
    });
  }

  // Names up to four operations, so that a profile reads well.
  std::string kernel_name() const {
    std::string out = "expr";
    int count = 0;
    const auto add = [&](int k) {
      if (++count <= 4) out += formatted("_{}", name_of(node(k)));
    };
    std::ranges::for_each(needs_.computed, add);
    std::ranges::for_each(group_.folds, add);
    return out;
  }

  const Numbered& numbered_;
  const Plan& plan_;
  const Group& group_;
  const Needs needs_;
  std::vector<std::string> names_;  // of the nodes' values
  int values_ = 0;
  Functions functions_;
  std::string map_function_;
  GroupText text_;
};

}  // namespace

GroupText text_of(const Numbered& numbered, const Plan& plan, const Group& group) {
  return GroupWriter(numbered, plan, group).write();
}

}  // namespace gpuarr::expr
