#include "host/split_plan.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "core/text.hpp"
#include "host/split_expression.hpp"

namespace gpuarr::host {
namespace {

using Kind = Statement::Kind;

constexpr int deepest = 200;  // levels have to fit a byte

bool within(size_t at, TokenRange range) { return at >= range.first && at < range.last; }

// What the brackets or the = of an initialiser hold.
TokenRange value_of(const Parsed& parsed, TokenRange init) {
  if (init.empty()) return init;
  if (parsed.is(init.first, "=")) ++init.first;
  const bool opens = !init.empty() && (parsed.is(init.first, "(") || parsed.is(init.first, "{"));
  if (opens && parsed.match[init.first] == init.last - 1) return {init.first + 1, init.last - 1};
  return init;
}

}  // namespace

class SplitPlanner {
 public:
  SplitPlanner(SplitPlan& plan, const Declaration& kernel, const SplitNames& names)
      : plan_(plan), parsed_(plan.parsed), kernel_(kernel), names_(names) {}

  void run() {
    declare_parameters();
    read_template();
    declare(plan_.body);
    find_meanings();
    find_changes();
    find_jumps(plan_.body, {});
    settle_uniform();
    settle_kinds();
  }

 private:
  struct Loops {
    Statement* breaks = nullptr;  // what `break` leaves; null: something inside of a region
    Statement* continues = nullptr;
    bool in_loop = false;  // in one with a barrier
    int level = 2;
  };

  // --- Names

  void declare_parameters() {
    size_t at = kernel_.parameters + 1;
    const size_t close = parsed_.match[kernel_.parameters];
    while (at < close) {
      size_t last = at;
      for (; last < close && !parsed_.is(last, ","); ++last) {
        if (parsed_.is(last, "<"))
          last = std::max(skip_angles(parsed_.tokens, parsed_.match, last, close), last + 1) - 1;
        else
          last = std::max(parsed_.match[last], last);
      }
      Variable v = read_parameter(parsed_, {at, last});
      v.visible = plan_.body.range;
      v.storage = text("gpuarr_p{}_{}", plan_.parameters.size(), v.name);
      plan_.parameters.push_back(plan_.variables.size());
      plan_.variables.push_back(std::move(v));
      at = last + 1;
    }
  }

  // The values among the template's parameters, which are constants.
  void read_template() {
    for (size_t k = kernel_.head.first; k < kernel_.name; ++k)
      if (parsed_.is_word(k) && is_integer_type(parsed_.tokens[k].text) && parsed_.is_word(k + 1) &&
          !is_type_word(parsed_.tokens[k + 1].text) && k + 1 < kernel_.name)
        constants_.emplace(parsed_.tokens[k + 1].text, true);
  }

  void declare(Statement& s) {
    if (!s.has_barrier || s.kind == Kind::barrier) return;
    check_condition(s.condition);
    if (s.kind == Kind::loop) declare_in({s.init.first, s.init.last}, s.init, s.range.last);
    for (Statement& child : s.children) {
      if (child.kind == Kind::simple && s.kind == Kind::block)
        declare_in({child.range.first, child.range.last - 1}, child.range, s.range.last);
      declare(child);
    }
  }

  void check_condition(TokenRange range) const {
    if (range.empty()) return;
    if (parsed_.has(range, ";") ||
        read_declaration(parsed_, range, [&](size_t at) { return is_variable(at); }).is_declaration)
      refuse("a declaration in a condition");
  }

  bool is_variable(size_t at) const { return find(at).has_value(); }

  void declare_in(TokenRange range, TokenRange statement, size_t end) {
    auto found = read_declaration(parsed_, range, [&](size_t at) { return is_variable(at); });
    if (!found.is_declaration) return;
    SplitPlan::Declared declared{found.is_fixed, {}};
    for (Variable& v : found.variables) {
      if (found.is_fixed) {
        if (!fixed_.insert(v.name).second) refuse("a name used twice");
        check_first(v);
        if (found.is_constant) constants_.emplace(v.name, v.is_integer);
        continue;
      }
      v.visible = {v.place + 1, end};
      declared.variables.push_back(plan_.variables.size());
      plan_.variables.push_back(std::move(v));
    }
    plan_.declared.emplace(statement.first, std::move(declared));
  }

  // It is moved to before its region, where the name must not mean something else.
  void check_first(const Variable& v) const {
    for (size_t k = plan_.body.range.first; k < v.place; ++k)
      if (parsed_.is(k, v.name)) refuse("a name used twice");
  }

  // The variable that a name at a token means: the last one declared that can be seen.
  std::optional<size_t> find(size_t at) const {
    const std::string_view name = parsed_.tokens[at].text;
    std::optional<size_t> out;
    for (size_t v = 0; v < plan_.variables.size(); ++v)
      if (plan_.variables[v].name == name &&
          (within(at, plan_.variables[v].visible) || at == plan_.variables[v].place))
        out = v;
    return out;
  }

  void find_meanings() {
    const TokenRange body = plan_.body.range;
    plan_.first_ = body.first;
    plan_.meaning_.assign(body.last - body.first, SplitPlan::none);
    for (const Variable& v : plan_.variables)
      if (fixed_.contains(v.name)) refuse("a name used twice");
    for (size_t k = body.first; k < body.last; ++k) {
      if (!parsed_.is_word(k) || parsed_.is(k - 1, ".") || parsed_.is(k - 1, "->") ||
          parsed_.is(k - 1, "::") || parsed_.is(k + 1, "::"))
        continue;
      if (const auto v = find(k)) plan_.meaning_[k - body.first] = static_cast<int>(*v);
    }
  }

  Variable* meant(size_t at) {
    const int v = plan_.meaning(at);
    return v == SplitPlan::none ? nullptr : &plan_.variables[static_cast<size_t>(v)];
  }

  void find_changes() {
    const TokenRange body = plan_.body.range;
    size_t changing = 0;  // until here, arguments of a function that takes references
    for (size_t k = body.first; k < body.last; ++k) {
      if (parsed_.is_word(k) && names_.changing.contains(parsed_.tokens[k].text))
        changing = std::max(changing, end_of_call(k));
      Variable* v = meant(k);
      if (v == nullptr || k == v->place) continue;
      if (k < changing || changes_there(parsed_, k, *v)) {
        v->is_changed = true;
        changes_.push_back(k);
      }
    }
  }

  size_t end_of_call(size_t at) const {
    ++at;
    if (parsed_.is(at, "<")) at = skip_angles(parsed_.tokens, parsed_.match, at, at + 100);
    return parsed_.is(at, "(") ? parsed_.match[at] : at;
  }

  // --- Jumps

  void find_jumps(Statement& s, Loops loops) {
    if (s.kind == Kind::jump) jump(s, loops);
    if (s.has_barrier && (s.kind == Kind::loop || s.kind == Kind::branch)) {
      plan_.levels.emplace(&s, loops.level);
      if (loops.level > deepest) refuse("statements in statements in statements");
    }
    if (s.kind == Kind::loop) loops.breaks = loops.continues = s.has_barrier ? &s : nullptr;
    if (s.kind == Kind::choice) loops.breaks = nullptr;
    if (s.has_barrier && s.kind == Kind::loop) loops.in_loop = true;
    if (plan_.levels.contains(&s)) loops.level += 2;
    for (Statement& child : s.children) find_jumps(child, loops);
  }

  void jump(const Statement& s, Loops& loops) {
    const std::string_view word = parsed_.tokens[s.range.first].text;
    if (word == "return") {
      returns_.push_back({s.range, loops.in_loop});
      return;
    }
    Statement* loop = word == "break" ? loops.breaks : loops.continues;
    if (loop == nullptr) return;
    (word == "break" ? loop->breaks : loop->continues) = true;
    const int level = plan_.levels.at(loop) + (word == "break" ? 0 : 1);
    plan_.jumps.emplace(s.range.first, SplitPlan::Jump{s.range.last, level});
    plan_.has_state = true;
  }

  // Behind the last region nobody asks any more who has returned.
  void finish_returns() {
    const int last = *std::ranges::max_element(places_);
    for (const Return& r : returns_) {
      const bool late = !r.in_loop && place(r.range.first) == last;
      plan_.jumps.emplace(r.range.first, SplitPlan::Jump{r.range.last, late ? 0 : 1});
      plan_.has_state |= !late;
    }
  }

  // --- What is one for all threads

  void settle_uniform() {
    for (Variable& v : plan_.variables)
      uniform_.push_back(v.is_parameter ? v.is_scalar || !v.is_changed : v.is_scalar && !v.is_odd);
    for (size_t left = uniform_.size() + 1; left > 0; --left) {
      dropped_ = false;
      kept_.clear();
      plan_.scalars.clear();
      plan_.uniform.clear();
      walk(plan_.body, false, false);
      for (const size_t k : changes_)
        if (!kept_.contains(k)) drop(k);
      if (!dropped_) break;
    }
  }

  // Whether a scalar may be computed though no thread is left that wants it.
  bool leaves() const { return !returns_.empty() || !plan_.jumps.empty(); }

  void drop(size_t token) { drop_variable(static_cast<size_t>(plan_.meaning(token))); }
  void drop_variable(size_t v) {
    dropped_ |= uniform_[v];
    uniform_[v] = false;
  }

  bool is_uniform(TokenRange range) const {
    PureWords words;
    words.divisions = !leaves();
    words.variable = [&](size_t at) {
      const int v = plan_.meaning(at);
      return v == SplitPlan::none ? constant(at) != nullptr : uniform_[static_cast<size_t>(v)];
    };
    words.function = [&](std::string_view name) { return !names_.functions.contains(name); };
    return is_pure(parsed_, range, words);
  }

  // Null if the token names none.
  const bool* constant(size_t at) const {
    const std::string_view name = parsed_.tokens[at].text;
    if (std::ranges::find(plan_.variables, name, &Variable::name) != plan_.variables.end())
      return nullptr;
    auto found = constants_.find(name);
    if (found != constants_.end()) return &found->second;
    if (fixed_.contains(name)) return nullptr;
    found = names_.constants.find(name);
    return found == names_.constants.end() ? nullptr : &found->second;
  }

  void walk(Statement& s, bool masked, bool leaves) {
    if (s.kind == Kind::block) {
      for (Statement& child : s.children) {
        if (child.kind == Kind::simple) walk_simple(child, masked || leaves);
        if (child.has_barrier) walk(child, masked, leaves);
      }
      return;
    }
    if (s.kind != Kind::branch && s.kind != Kind::loop) return;
    const bool alike = s.kind == Kind::branch ? s.is_constexpr || is_uniform(s.condition)
                                              : walk_head(s, masked || leaves);
    if (alike) plan_.uniform.insert(&s);
    for (Statement& child : s.children)
      if (child.has_barrier) walk(child, masked || !alike, leaves || s.breaks || s.continues);
  }

  // Declarations and updates in a block.
  void walk_simple(const Statement& s, bool masked) {
    const TokenRange range = {s.range.first, s.range.last - 1};
    const auto declared = plan_.declared.find(s.range.first);
    if (declared != plan_.declared.end()) {
      walk_declaration(declared->second);
    } else if (const auto update = read_update(parsed_, range); update && walk_update(*update)) {
      if (masked)
        drop(update->name);
      else
        plan_.scalars.insert(s.range.first);
    }
  }

  bool walk_declaration(const SplitPlan::Declared& declared) {
    bool out = !declared.is_fixed;
    for (const size_t v : declared.variables) {
      const TokenRange value = value_of(parsed_, plan_.variables[v].init);
      const bool known = value.empty() ? !plan_.variables[v].is_auto : is_uniform(value);
      if (!known) drop_variable(v);
      out &= uniform_[v];
    }
    return out;
  }

  // Whether it keeps its variable the same for all threads.
  bool walk_update(const Update& update) {
    const int v = plan_.meaning(update.name);
    if (v == SplitPlan::none || !uniform_[static_cast<size_t>(v)]) return false;
    if (plan_.variables[static_cast<size_t>(v)].is_const) return false;
    const TokenRange tail = {update.name + 1, update.all.last};
    const bool divides = parsed_.is(tail.first, "/") || parsed_.is(tail.first, "%");
    const TokenRange value = divides ? TokenRange{tail.first - 1, tail.last} : update.value;
    if (!is_uniform(update.value) || (divides && !divides_safely(value))) return false;
    kept_.insert(update.name);
    return true;
  }

  // n /= 2, where it does not matter who is left; n /= m is as bad as in an expression.
  bool divides_safely(TokenRange range) const {
    if (!leaves()) return true;
    return parsed_.tokens[range.first + 3].kind == Token::Kind::number &&
           range.last == range.first + 4 && !parsed_.is(range.first + 3, "0");
  }

  // Whether all threads go through a loop alike.
  bool walk_head(const Statement& s, bool masked) {
    if (!is_uniform(s.condition)) return false;
    const auto declared = plan_.declared.find(s.init.first);
    const bool declares = !s.init.empty() && declared != plan_.declared.end();
    if (declares && !walk_declaration(declared->second)) return false;
    std::vector<TokenRange> updates = split_list(s.step);
    if (!declares) std::ranges::copy(split_list(s.init), std::back_inserter(updates));
    std::vector<Update> read;
    for (const TokenRange range : updates) {
      const auto update = read_update(parsed_, range);
      if (!update) return false;
      read.push_back(*update);
    }
    for (const Update& update : read) {
      const int v = plan_.meaning(update.name);
      const bool own = declares && v != SplitPlan::none &&
                       std::ranges::count(declared->second.variables, static_cast<size_t>(v)) > 0;
      if ((masked && !own) || !walk_update(update)) {
        for (const Update& other : read) kept_.erase(other.name);
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

  // --- Kinds

  void settle_kinds() {
    places_.assign(plan_.meaning_.size(), 0);
    number(plan_.body);
    finish_returns();
    std::vector<bool> crosses(plan_.variables.size());
    for (size_t k = plan_.first_; k < plan_.body.range.last; ++k) {
      const int v = plan_.meaning(k);
      if (v == SplitPlan::none) continue;
      const Variable& variable = plan_.variables[static_cast<size_t>(v)];
      if (variable.is_parameter || place(variable.place) != place(k))
        crosses[static_cast<size_t>(v)] = true;
    }
    const std::vector<bool> repeated = find_repeated();
    for (size_t v = plan_.variables.size(); v-- > 0;) {
      Variable& variable = plan_.variables[v];
      if (variable.storage.empty()) variable.storage = text("gpuarr_v{}_{}", v, variable.name);
      if (!crosses[v]) continue;
      variable.kind = uniform_[v]   ? Variable::Kind::uniform
                      : repeated[v] ? Variable::Kind::repeated
                                    : Variable::Kind::stored;
      if (variable.kind == Variable::Kind::stored) check_stored(variable);
      if (variable.kind == Variable::Kind::stored) continue;
      for (size_t k = variable.init.first; k < variable.init.last; ++k)
        if (plan_.meaning(k) != SplitPlan::none)
          crosses[static_cast<size_t>(plan_.meaning(k))] = true;
    }
    name_constants();
    plan_.has_state |= has_masks(plan_.body);
  }

  bool has_masks(const Statement& s) const {
    if (!s.has_barrier) return false;
    if (plan_.levels.contains(&s) && !plan_.uniform.contains(&s)) return true;
    return std::ranges::any_of(s.children, [&](const Statement& c) { return has_masks(c); });
  }

  void check_stored(const Variable& v) const {
    if (v.is_auto) refuse("an auto variable that lives across a barrier");
    if (v.is_odd) refuse("a reference or the like that lives across a barrier");
    for (size_t k = v.init.first; k < v.init.last; ++k)
      if (parsed_.is(k, v.name)) refuse("a variable made of itself");
  }

  // Such constants may be wanted where arrays are declared, so they keep their names.
  void name_constants() {
    for (Variable& v : plan_.variables)
      if (v.kind == Variable::Kind::uniform && v.is_const && !v.is_parameter && !v.init.empty() &&
          is_first(v))
        v.storage = v.name;
  }

  bool is_first(const Variable& v) const {
    for (size_t k = plan_.first_; k < v.place; ++k)
      if (parsed_.is(k, v.name)) return false;
    return std::ranges::count(plan_.variables, v.name, &Variable::name) == 1;
  }

  int place(size_t token) const { return places_[token - plan_.first_]; }
  void number(TokenRange range, int place) {
    for (size_t k = range.first; k < range.last; ++k) places_[k - plan_.first_] = place;
  }

  void number(const Statement& s) {
    number(s.init, ++last_place_);
    number(s.condition, ++last_place_);
    number(s.step, ++last_place_);
    ++last_place_;
    for (const Statement& child : s.children) {
      const auto declared = plan_.declared.find(child.range.first);
      if (child.has_barrier) {
        number(child);
        ++last_place_;
      } else if (plan_.scalars.contains(child.range.first)) {
        number(child.range, ++last_place_);
        ++last_place_;
      } else if (child.kind == Kind::simple && declared != plan_.declared.end() &&
                 declared->second.is_fixed) {
        number(child.range, -1);
      } else {
        number(child.range, last_place_);
      }
    }
  }

  std::vector<bool> find_repeated() const {
    std::vector<bool> out(plan_.variables.size());
    PureWords words;
    words.threads = words.integers = true;
    words.variable = [&](size_t at) {
      const int v = plan_.meaning(at);
      if (v == SplitPlan::none) return constant(at) != nullptr && *constant(at);
      const Variable& variable = plan_.variables[static_cast<size_t>(v)];
      return variable.is_integer && !variable.is_changed &&
             (uniform_[static_cast<size_t>(v)] || out[static_cast<size_t>(v)]);
    };
    words.function = [&](std::string_view name) { return !names_.functions.contains(name); };
    for (size_t v = 0; v < out.size(); ++v) {
      const Variable& variable = plan_.variables[v];
      const TokenRange value = value_of(parsed_, variable.init);
      out[v] = !uniform_[v] && !variable.is_parameter && variable.is_integer && !variable.is_odd &&
               !variable.is_changed && !value.empty() && is_pure(parsed_, value, words);
    }
    return out;
  }

  struct Return {
    TokenRange range;
    bool in_loop;
  };

  SplitPlan& plan_;
  const Parsed& parsed_;
  const Declaration& kernel_;
  const SplitNames& names_;
  std::unordered_map<std::string_view, bool> constants_;  // and whether they are integers
  std::unordered_set<std::string_view> fixed_;
  std::vector<size_t> changes_;  // tokens that change their variables
  std::vector<Return> returns_;
  std::vector<bool> uniform_;
  std::unordered_set<size_t> kept_;  // changes that all threads make alike
  bool dropped_ = false;
  std::vector<int> places_;
  int last_place_ = 0;
};

SplitPlan::SplitPlan(const Parsed& text, const Declaration& kernel, const SplitNames& names)
    : parsed(text), body(read_statements(text, kernel.body, names.waits)), first_(0) {
  if (!body.has_barrier) refuse("no barrier");
  SplitPlanner(*this, kernel, names).run();
}

}  // namespace gpuarr::host
