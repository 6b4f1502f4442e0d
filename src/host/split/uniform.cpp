#include "host/split/uniform.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "host/split/expression.hpp"

namespace gpuarr::host {
namespace {

using Kind = Statement::Kind;

// Takes all variables to be uniform that might be, and drops those that are given a value which is
// not, until none is.
class UniformFinder {
 public:
  UniformFinder(const KernelNames& names, bool threads_leave)
      : names_(names), parsed_(names.parsed), threads_leave_(threads_leave) {}

  Uniform run(const Statement& body) {
    for (const Variable& v : names_.variables)
      out_.variables.push_back(v.is_parameter ? v.is_scalar || !v.is_changed
                                              : v.is_scalar && !v.is_odd);
    do {
      dropped_ = false;
      kept_.clear();
      out_.updates.clear();
      out_.statements.clear();
      walk(body, false);
      for (const size_t k : names_.changes)
        if (!kept_.contains(k)) drop(*names_.meaning(k));
    } while (dropped_);
    return std::move(out_);
  }

 private:
  void drop(size_t v) {
    dropped_ |= out_.variables[v];
    out_.variables[v] = false;
  }

  bool is_uniform(TokenRange range) const {
    PureWords words;
    words.divisions = !threads_leave_;
    words.variable = [&](size_t at) {
      const auto v = names_.meaning(at);
      return v ? out_.variables[*v] : names_.constants.contains(parsed_.tokens[at].text);
    };
    words.function = [&](std::string_view name) { return !names_.outer.functions.contains(name); };
    return is_pure(parsed_, range, words);
  }

  // `masked` where some threads may take no part.
  void walk(const Statement& s, bool masked) {
    if (s.kind == Kind::block) {
      for (const Statement& child : s.children) {
        if (child.kind == Kind::simple) walk_simple(child, masked);
        if (child.has_barrier) walk(child, masked);
      }
      return;
    }
    if (s.kind != Kind::branch && s.kind != Kind::loop) return;
    const bool alike =
        s.kind == Kind::branch ? s.is_constexpr || is_uniform(s.condition) : walk_head(s, masked);
    if (alike) out_.statements.insert(&s);
    for (const Statement& child : s.children)
      if (child.has_barrier) walk(child, masked || !alike || s.breaks || s.continues);
  }

  // Declarations and updates in a block.
  void walk_simple(const Statement& s, bool masked) {
    if (const auto* declared = names_.declared_at(s.range.first)) {
      walk_declaration(*declared);
      return;
    }
    const auto update = read_update(parsed_, {s.range.first, s.range.last - 1});
    if (!update || !walk_update(*update)) return;
    if (masked)
      drop(*names_.meaning(update->name));
    else
      out_.updates.insert(s.range.first);
  }

  bool walk_declaration(const KernelNames::Declared& declared) {
    bool out = !declared.is_fixed;
    for (const size_t v : declared.variables) {
      const TokenRange value = value_of(parsed_, names_.variables[v].init);
      const bool known = value.empty() ? !names_.variables[v].is_auto : is_uniform(value);
      if (!known) drop(v);
      out &= out_.variables[v];
    }
    return out;
  }

  // Whether it keeps its variable the same for all threads.
  bool walk_update(const Update& update) {
    const auto v = names_.meaning(update.name);
    if (!v || !out_.variables[*v] || names_.variables[*v].is_const) return false;
    if (!is_uniform(update.value) || !divides_safely(update)) return false;
    kept_.insert(update.name);
    return true;
  }

  // It is evaluated though no thread may be left that wants it, so n /= 2 is safe, but not n /= m.
  bool divides_safely(const Update& update) const {
    const size_t sign = update.name + 1, divisor = update.value.first;
    const bool divides = parsed_.is_any(sign, "/", "%");
    if (!divides || !threads_leave_) return true;
    return parsed_.tokens[divisor].kind == Token::Kind::number &&
           update.value.last == divisor + 1 && !parsed_.is(divisor, "0");
  }

  // Whether all threads go through a loop alike.
  bool walk_head(const Statement& s, bool masked) {
    if (!is_uniform(s.condition)) return false;
    const auto* declared = s.init.empty() ? nullptr : names_.declared_at(s.init.first);
    if (declared != nullptr && !walk_declaration(*declared)) return false;
    std::vector<TokenRange> parts = split_list(s.step);
    if (declared == nullptr) std::ranges::copy(split_list(s.init), std::back_inserter(parts));
    std::vector<Update> updates;
    for (const TokenRange part : parts) {
      const auto update = read_update(parsed_, part);
      if (!update) return false;
      updates.push_back(*update);
    }
    for (const Update& update : updates) {
      const auto v = names_.meaning(update.name);
      const bool own = declared != nullptr && v && std::ranges::count(declared->variables, *v) > 0;
      if ((masked && !own) || !walk_update(update)) {
        for (const Update& other : updates) kept_.erase(other.name);
        return false;
      }
    }
    return true;
  }

  std::vector<TokenRange> split_list(TokenRange range) const {
    std::vector<TokenRange> out;
    while (!range.empty()) {
      size_t k = range.first;
      for (; k < range.last && !parsed_.is(k, ","); ++k) k = std::max(parsed_.match[k], k);
      out.push_back({range.first, k});
      range.first = k + 1;
    }
    return out;
  }

  const KernelNames& names_;
  const Parsed& parsed_;
  const bool threads_leave_;
  Uniform out_;
  std::unordered_set<size_t> kept_;  // changes that all threads make alike
  bool dropped_ = false;
};

}  // namespace

Uniform find_uniform(const KernelNames& names, const Statement& body, bool threads_leave) {
  return UniformFinder(names, threads_leave).run(body);
}

}  // namespace gpuarr::host
