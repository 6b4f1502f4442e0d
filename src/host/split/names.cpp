#include "host/split/names.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/text.hpp"
#include "host/split/expression.hpp"

namespace gpuarr::host {
namespace {

using Kind = Statement::Kind;

constexpr size_t longest_template = 100;  // of template arguments, in tokens

class NameReader {
 public:
  NameReader(KernelNames& out, const Declaration& kernel)
      : out_(out), parsed_(out.parsed), kernel_(kernel) {}

  void run(const Statement& body) {
    declare_parameters();
    read_template();
    declare(body);
    find_meanings();
    find_constants();
    find_changes();
  }

 private:
  void declare_parameters() {
    size_t at = kernel_.parameters + 1;
    const size_t close = parsed_.match[kernel_.parameters];
    while (at < close) {
      const size_t last = parsed_.comma(at, close);
      Variable v = read_parameter(parsed_, {at, last});
      v.visible = out_.body;
      v.storage = formatted("gpuarr_p{}_{}", out_.parameters.size(), v.name);
      out_.parameters.push_back(out_.variables.size());
      add(std::move(v));
      at = last + 1;
    }
  }

  void add(Variable v) {
    by_name_[v.name].push_back(out_.variables.size());
    out_.variables.push_back(std::move(v));
  }

  // The values among the template's parameters, which are constants.
  void read_template() {
    for (size_t k = kernel_.head.first; k + 1 < kernel_.name; ++k)
      if (parsed_.is_word(k) && is_integer_type(parsed_.tokens[k].text) && parsed_.is_word(k + 1) &&
          !is_type_word(parsed_.tokens[k + 1].text))
        out_.constants.emplace(parsed_.tokens[k + 1].text, true);
  }

  void declare(const Statement& s) {
    if (!s.has_barrier || s.kind == Kind::barrier) return;
    check_condition(s.condition);
    if (s.kind == Kind::loop) declare_in(s.init, s.range.last);
    for (const Statement& child : s.children) {
      if (child.kind == Kind::simple && s.kind == Kind::block)
        declare_in({child.range.first, child.range.last - 1}, s.range.last);
      declare(child);
    }
  }

  DeclarationStatement read(TokenRange range) const {
    return read_declaration(parsed_, range, [&](size_t at) { return find(at).has_value(); });
  }

  void check_condition(TokenRange range) const {
    if (range.empty()) return;
    if (parsed_.has(range, ";") || read(range).is_declaration)
      refuse("a declaration in a condition");
  }

  // `range` has no semicolon. What it declares is seen until `end`.
  void declare_in(TokenRange range, size_t end) {
    DeclarationStatement found = read(range);
    if (!found.is_declaration) return;
    KernelNames::Declared declared{found.is_fixed, {}};
    for (Variable& v : found.variables) {
      if (found.is_fixed) {
        declare_fixed(v, found.is_constant);
        continue;
      }
      v.visible = {v.place + 1, end};
      declared.variables.push_back(out_.variables.size());
      add(std::move(v));
    }
    out_.declared.emplace(range.first, std::move(declared));
  }

  // It is moved to before its region, where the name must not mean something else.
  void declare_fixed(const Variable& v, bool is_constant) {
    if (!fixed_.insert(v.name).second || !out_.is_new_word(v)) refuse("a name used twice");
    if (is_constant) out_.constants.emplace(v.name, v.is_integer);
  }

  // The variable that a name at a token means: the last one declared that can be seen.
  std::optional<size_t> find(size_t at) const {
    const auto named = by_name_.find(parsed_.tokens[at].text);
    if (named == by_name_.end()) return std::nullopt;
    for (size_t k = named->second.size(); k-- > 0;) {
      const Variable& variable = out_.variables[named->second[k]];
      if (variable.visible.contains(at) || at == variable.place) return named->second[k];
    }
    return std::nullopt;
  }

  void find_meanings() {
    for (const Variable& v : out_.variables)
      if (fixed_.contains(v.name)) refuse("a name used twice");
    for (size_t k = out_.body.first; k < out_.body.last; ++k) {
      const bool is_name = parsed_.is_word(k) && !parsed_.is_member(k) && !parsed_.is(k + 1, "::");
      out_.meanings.push_back(is_name ? find(k) : std::nullopt);
    }
  }

  void find_constants() {
    for (const auto& [name, is_integer] : out_.outer.constants)
      if (!fixed_.contains(name)) out_.constants.emplace(name, is_integer);
    for (const Variable& v : out_.variables) out_.constants.erase(v.name);
  }

  void find_changes() {
    size_t changing = 0;  // until here, arguments of a function that takes references
    for (size_t k = out_.body.first; k < out_.body.last; ++k) {
      if (parsed_.is_word(k) && out_.outer.changing.contains(parsed_.tokens[k].text))
        changing = std::max(changing, end_of_call(k));
      const auto meaning = out_.meaning(k);
      if (!meaning) continue;
      Variable& v = out_.variables[*meaning];
      if (k != v.place && (k < changing || changes_there(parsed_, k, v))) {
        v.is_changed = true;
        out_.changes.push_back(k);
      }
    }
  }

  size_t end_of_call(size_t at) const {
    ++at;
    if (parsed_.is(at, "<")) at = parsed_.skip_angles(at, at + longest_template);
    return parsed_.is(at, "(") ? parsed_.match[at] : at;
  }

  KernelNames& out_;
  const Parsed& parsed_;
  const Declaration& kernel_;
  std::unordered_set<std::string_view> fixed_;
  std::unordered_map<std::string_view, std::vector<size_t>> by_name_;  // of the variables
};

}  // namespace

KernelNames::KernelNames(const Parsed& text, const Declaration& kernel, const Statement& block,
                         const SplitNames& outside)
    : parsed(text), outer(outside), body(block.range) {
  for (size_t k = body.first; k < body.last; ++k)
    if (parsed.is_word(k)) first_words.emplace(parsed.tokens[k].text, k);
  NameReader(*this, kernel).run(block);
}

const KernelNames::Declared* KernelNames::declared_at(size_t token) const {
  const auto found = declared.find(token);
  return found == declared.end() ? nullptr : &found->second;
}

bool KernelNames::is_new_word(const Variable& variable) const {
  const auto first = first_words.find(variable.name);
  return first == first_words.end() || first->second >= variable.place;
}

}  // namespace gpuarr::host
