#include "host/split/module.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "host/read/barriers.hpp"
#include "host/read/definitions.hpp"
#include "host/read/edits.hpp"
#include "host/split/split.hpp"

namespace gpuarr::host {
namespace {

/// Names at namespace scope.
class Names {
 public:
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;
  Names(const Parsed& parsed, const BarrierUse& barriers) : parsed_(parsed) {
    out_.waits = [this, &barriers](size_t k) {
      return barriers.of(TokenRange{k, k + 1}) > 0 && !is_kernel_name(k);
    };
    for (const Declaration& d : parsed.outline.declarations) {
      if (d.kind == Declaration::Kind::function)
        add_function(d);
      else if (d.in_class.empty())
        add_variables(d);
    }
    for (const ClassHead& c : parsed.outline.classes) others_.insert(c.name);
    for (const std::string_view name : others_) out_.constants.erase(name);
  }

  const SplitNames& names() const { return out_; }

 private:
  // Nobody calls a kernel, so a variable is meant.
  bool is_kernel_name(size_t token) const {
    const std::string_view name = parsed_.tokens[token].text;
    return kernels_.contains(name) && !others_.contains(name) && !parsed_.is_member(token);
  }

  void add_function(const Declaration& d) {
    const std::string_view name = parsed_.tokens[d.name].text;
    if (is_kernel(parsed_, d)) {
      kernels_.insert(name);
      return;
    }
    out_.functions.insert(name);
    others_.insert(name);
    if (parsed_.has({d.parameters, parsed_.match[d.parameters]}, "&")) out_.changing.insert(name);
  }

  void add_variables(const Declaration& d) {
    const Declarators all = read_declarators(parsed_, d.head);
    for (const Declarator& one : all.list) {
      const std::string_view name = parsed_.tokens[one.name].text;
      if (is_constant(d, one))
        out_.constants.emplace(name, has_integers(all.type));
      else
        others_.insert(name);
    }
  }

  bool is_constant(const Declaration& d, const Declarator& one) const {
    const TokenRange before = {d.head.first, one.name};
    if (!one.pointers.empty() || !one.suffix.empty() || d.is_template) return false;
    if (parsed_.has_any(before, "volatile", "mutable")) return false;
    return parsed_.has_any(before, "const", "constexpr", "__constant__");
  }

  bool has_integers(TokenRange type) const {
    bool out = false;
    for (size_t k = type.first; k < type.last; ++k) {
      if (parsed_.is_any(k, "float", "double")) return false;
      out |= is_integer_type(parsed_.tokens[k].text);
    }
    return out;
  }

  const Parsed& parsed_;
  SplitNames out_;
  std::unordered_set<std::string_view> others_;  // that are something else somewhere
  std::unordered_set<std::string_view> kernels_;
};

}  // namespace

SplitModule split_module(const std::string& translated) {
  const Parsed parsed(translated);
  const BarrierUse barriers(parsed);
  const Names names(parsed, barriers);
  std::unordered_map<std::string_view, int> definitions;
  for (const Declaration& d : parsed.outline.declarations)
    if (is_kernel(parsed, d) && d.has_body) ++definitions[parsed.tokens[d.name].text];
  SplitModule out;
  Edits edits(translated);
  for (const Declaration& d : parsed.outline.declarations) {
    // Which of several a call means, only the compiler knows.
    if (!is_kernel(parsed, d) || !d.has_body || definitions[parsed.tokens[d.name].text] > 1)
      continue;
    const TokenRange before = {d.head.first, d.name}, behind = {d.parameters, d.head.last};
    if (barriers.of(d.body) > 1 || barriers.of(before) + barriers.of(behind) > 0) continue;
    const std::string split = split_kernel(parsed, d, names.names());
    if (split.empty()) continue;
    edits.insert(parsed.end(d.body.last), split + line_mark(parsed.place(d.body.last)));
    out.kernels.insert(d.scope + std::string(parsed.tokens[d.name].text));
  }
  out.text = edits.apply();
  return out;
}

std::string split_expression(std::string_view instance) {
  const std::string_view name = instance.substr(0, instance.find('<'));
  const size_t colons = name.rfind("::");
  const size_t at = colons == std::string_view::npos ? 0 : colons + 2;
  const size_t begin = std::min(name.find_first_not_of(' ', at), name.size());
  return std::string(instance.substr(0, begin)) + split_name(instance.substr(begin));
}

}  // namespace gpuarr::host
