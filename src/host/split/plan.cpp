#include "host/split/plan.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "core/text.hpp"
#include "host/split/expression.hpp"
#include "host/split/strides.hpp"

namespace gpuarr::host {
namespace {

using Kind = Statement::Kind;

constexpr int deepest = 200;  // levels have to fit a byte

Statement read_body(const Parsed& parsed, const Declaration& kernel, const SplitNames& outer,
                    bool strides) {
  Statement out = read_statements(parsed, kernel.body, outer.waits);
  if (strides) find_strides(parsed, out);
  if (!out.has_barrier) refuse("no barrier");
  return out;
}

class Planner {
 public:
  explicit Planner(SplitPlan& plan) : plan_(plan), parsed_(plan.parsed), names_(plan.names) {}

  void run() {
    find_jumps(plan_.body, {});
    plan_.uniform = find_uniform(names_, plan_.body, !returns_.empty() || !plan_.jumps.empty());
    number_regions();
    finish_returns();
    settle_kinds();
    name_constants();
    plan_.has_state |= has_masks(plan_.body);
    check_strides(plan_.body);
  }

 private:
  struct Loops {
    Statement* breaks = nullptr;  // what `break` leaves; null: something inside of a region
    Statement* continues = nullptr;
    bool in_loop = false;  // in one with a barrier
    int level = 2;
  };

  struct Return {
    TokenRange range;
    bool in_loop;
  };

  // --- Jumps

  void find_jumps(Statement& s, Loops loops) {
    if (s.kind == Kind::jump) add_jump(s, loops);
    if (s.has_barrier && (s.kind == Kind::loop || s.kind == Kind::branch)) {
      if (loops.level > deepest) refuse("statements in statements in statements");
      plan_.levels.emplace(&s, loops.level);
      loops.level += 2;
    }
    if (s.kind == Kind::loop) loops.breaks = loops.continues = s.has_barrier ? &s : nullptr;
    if (s.kind == Kind::choice) loops.breaks = nullptr;
    if (s.has_barrier && s.kind == Kind::loop) loops.in_loop = true;
    for (Statement& child : s.children) find_jumps(child, loops);
  }

  void add_jump(const Statement& s, const Loops& loops) {
    const std::string_view word = parsed_.tokens[s.range.first].text;
    if (word == "return") {
      returns_.push_back({s.range, loops.in_loop});
      return;
    }
    Statement* loop = word == "break" ? loops.breaks : loops.continues;
    if (loop == nullptr) return;
    if (loop->stride) {  // `continue`: the region is all of the body
      plan_.jumps.emplace(s.range.first, SplitPlan::Jump{s.range.last, 0});
      return;
    }
    (word == "break" ? loop->breaks : loop->continues) = true;
    const int level = plan_.levels.at(loop) + (word == "break" ? 0 : 1);
    plan_.jumps.emplace(s.range.first, SplitPlan::Jump{s.range.last, level});
    plan_.has_state = true;
  }

  // Behind the last region nobody asks any more who has returned.
  void finish_returns() {
    const int last = *std::ranges::max_element(regions_);
    for (const Return& r : returns_) {
      const bool late = !r.in_loop && region(r.range.first) == last;
      plan_.jumps.emplace(r.range.first, SplitPlan::Jump{r.range.last, late ? 0 : 1});
      plan_.has_state |= !late;
    }
  }

  bool has_masks(const Statement& s) const {
    if (!s.has_barrier) return false;
    if (plan_.levels.contains(&s) && !plan_.uniform.statements.contains(&s) && !s.stride)
      return true;
    return std::ranges::any_of(s.children, [&](const Statement& c) { return has_masks(c); });
  }

  // --- Regions

  int region(size_t token) const { return regions_[token - names_.body.first]; }

  void number_regions() {
    regions_.assign(names_.meanings.size(), 0);
    number(plan_.body);
  }

  void number(TokenRange range, int region) {
    for (size_t k = range.first; k < range.last; ++k) regions_[k - names_.body.first] = region;
  }

  void number(const Statement& s) {
    number(s.init, ++last_region_);
    number(s.condition, ++last_region_);
    number(s.step, ++last_region_);
    ++last_region_;
    for (const Statement& child : s.children) {
      const auto* declared = names_.declared_at(child.range.first);
      if (child.has_barrier) {
        number(child);
        ++last_region_;
      } else if (plan_.uniform.updates.contains(child.range.first)) {
        number(child.range, ++last_region_);
        ++last_region_;
      } else if (child.kind == Kind::simple && declared != nullptr && declared->is_fixed) {
        number(child.range, -1);
      } else {
        number(child.range, last_region_);
      }
    }
  }

  // --- Kinds of variables

  void settle_kinds() {
    std::vector<bool> crosses = find_crossing();
    const std::vector<bool> repeated = find_repeated();
    // Backwards, since what a variable is made of was declared before it, and crosses as it does.
    for (size_t v = names_.variables.size(); v-- > 0;) {
      Variable& variable = names_.variables[v];
      if (variable.storage.empty()) variable.storage = formatted("gpuarr_v{}_{}", v, variable.name);
      if (!crosses[v]) continue;
      variable.kind = plan_.uniform.variables[v] ? Variable::Kind::uniform
                      : repeated[v]              ? Variable::Kind::repeated
                                                 : Variable::Kind::stored;
      if (variable.kind == Variable::Kind::stored) {
        check_stored(variable);
        continue;
      }
      for (size_t k = variable.init.first; k < variable.init.last; ++k)
        if (const auto used = names_.meaning(k)) crosses[*used] = true;
    }
  }

  // The variables that are named in another region than the one that declares them.
  std::vector<bool> find_crossing() const {
    std::vector<bool> out(names_.variables.size());
    for (size_t k = names_.body.first; k < names_.body.last; ++k) {
      const auto v = names_.meaning(k);
      if (!v) continue;
      const Variable& variable = names_.variables[*v];
      if (variable.is_parameter || region(variable.place) != region(k)) out[*v] = true;
    }
    return out;
  }

  std::vector<bool> find_repeated() const {
    const std::vector<bool>& uniform = plan_.uniform.variables;
    const std::unordered_set<size_t> counters = find_counters();
    std::vector<bool> out(names_.variables.size());
    const PureWords words = repeatable(
        [&](size_t v) { return !names_.variables[v].is_changed && (uniform[v] || out[v]); });
    for (size_t v = 0; v < out.size(); ++v) {
      const Variable& variable = names_.variables[v];
      const TokenRange value = value_of(parsed_, variable.init);
      out[v] = !uniform[v] && !variable.is_parameter && variable.is_integer && !variable.is_odd &&
               (!variable.is_changed || counters.contains(v)) && !value.empty() &&
               is_pure(parsed_, value, words);
    }
    return out;
  }

  // Of integers, some variables among them.
  PureWords repeatable(std::function<bool(size_t)> variable) const {
    PureWords words;
    words.threads = words.integers = true;
    words.variable = [this, variable = std::move(variable)](size_t at) {
      if (const auto v = names_.meaning(at)) return names_.variables[*v].is_integer && variable(*v);
      const auto constant = names_.constants.find(parsed_.tokens[at].text);
      return constant != names_.constants.end() && constant->second;
    };
    words.function = [this](std::string_view name) {
      return !names_.outer.functions.contains(name);
    };
    return words;
  }

  // --- Loops with a stride

  // Variables that change in the step of such a loop, and nowhere else: they can be computed from
  // the number of the pass.
  std::unordered_set<size_t> find_counters() const {
    std::unordered_map<size_t, int> changes;
    for (const size_t k : names_.changes) ++changes[*names_.meaning(k)];
    std::unordered_set<size_t> out;
    find_counters(plan_.body, out);
    std::erase_if(out, [&](size_t v) { return changes[v] != 1; });
    return out;
  }

  void find_counters(const Statement& s, std::unordered_set<size_t>& out) const {
    if (s.stride)
      if (const auto v = names_.meaning(s.stride->counter)) out.insert(*v);
    for (const Statement& child : s.children) find_counters(child, out);
  }

  void check_strides(const Statement& s) const {
    if (s.stride && !plan_.uniform.statements.contains(&s)) check_stride(s);
    for (const Statement& child : s.children) check_strides(child);
  }

  void check_stride(const Statement& s) const {
    if (plan_.has_state) refuse("threads that leave, and loops with a stride");
    const auto counter = names_.meaning(s.stride->counter);
    const PureWords words = repeatable([&](size_t v) {
      return plan_.uniform.variables[v] || names_.variables[v].kind == Variable::Kind::repeated;
    });
    if (!counter || names_.variables[*counter].kind != Variable::Kind::repeated ||
        names_.variables[*counter].is_auto || names_.variables[*counter].is_pointer ||
        !is_pure(parsed_, s.stride->by, words) || !is_pure(parsed_, s.condition, words))
      refuse("a loop with a stride that is not understood");
  }

  void check_stored(const Variable& v) const {
    if (v.is_auto) refuse("an auto variable that lives across a barrier");
    if (v.is_odd) refuse("a reference or the like that lives across a barrier");
    for (size_t k = v.init.first; k < v.init.last; ++k)
      if (parsed_.is(k, v.name)) refuse("a variable made of itself");
  }

  // Such constants may be wanted where arrays are declared, so they keep their names.
  void name_constants() {
    std::unordered_map<std::string_view, int> named;
    for (const Variable& v : names_.variables) ++named[v.name];
    for (Variable& v : names_.variables)
      if (v.kind == Variable::Kind::uniform && v.is_const && !v.is_parameter && !v.init.empty() &&
          names_.is_new_word(v) && named[v.name] == 1)
        v.storage = v.name;
  }

  SplitPlan& plan_;
  const Parsed& parsed_;
  KernelNames& names_;
  std::vector<Return> returns_;
  std::vector<int> regions_;  // of the body's tokens; -1 for what is moved to before its region
  int last_region_ = 0;
};

}  // namespace

SplitPlan::SplitPlan(const Parsed& text, const Declaration& kernel, const SplitNames& outer,
                     bool strides)
    : parsed(text),
      body(read_body(text, kernel, outer, strides)),
      names(text, kernel, body, outer) {
  Planner(*this).run();
}

}  // namespace gpuarr::host
