#include "host/split.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"

namespace gpuarr::host {
namespace {

using Kind = Statement::Kind;
using Place = Variable::Kind;

constexpr int room = 1024 + 16;  // of an array; not a power of two, for the sake of caches

class Writer {
 public:
  Writer(const SplitPlan& plan, const Declaration& kernel)
      : plan_(plan), parsed_(plan.parsed), kernel_(kernel) {}

  std::string run() {
    write_head();
    out_ += " {\nGPUARR_SPLIT_BLOCK\n";
    if (plan_.has_state) out_ += "GPUARR_SPLIT_STATE\n";
    store_parameters();
    write_block(plan_.body);
    return out_ + "\n}\n";
  }

 private:
  // --- The function's head

  void write_head() {
    size_t at = kernel_.head.first;
    if (parsed_.is(at, "template")) {
      const size_t behind = skip_angles(parsed_.tokens, parsed_.match, at + 1, kernel_.name);
      if (behind == at + 1) refuse("a template");
      out_ += mark(at) + parsed_.written({at, behind}) + "\n";
      at = behind;
    }
    check_words(at);
    const size_t close = parsed_.match[kernel_.parameters];
    if (kernel_.name + 1 != kernel_.parameters || close + 1 != kernel_.head.last)
      refuse("a head that is not understood");
    out_ += mark(kernel_.name);
    out_ += text("static void {}(", split_name(parsed_.tokens[kernel_.name].text));
    for (size_t k = 0; k < plan_.parameters.size(); ++k) {
      const Variable& v = plan_.variables[plan_.parameters[k]];
      if (v.name.empty() && v.type == "void" && plan_.parameters.size() == 1) break;
      out_ += (k > 0 ? ", " : "") + v.type + ' ' + v.storage;
    }
    out_ += ")";
  }

  void check_words(size_t at) const {
    static constexpr auto known = std::to_array<std::string_view>(
        {"extern", "\"C\"", "static", "inline", "__global__", "void"});
    for (; at < kernel_.name; ++at) {
      if (parsed_.is(at, "__launch_bounds__") && parsed_.match[at + 1] > at + 1)
        at = parsed_.match[at + 1];
      else if (std::ranges::find(known, parsed_.tokens[at].text) == known.end())
        refuse("a head that is not understood");
    }
  }

  void store_parameters() {
    std::string text;
    for (const size_t p : plan_.parameters) {
      const Variable& v = plan_.variables[p];
      if (v.kind != Place::stored) continue;
      out_ += gpuarr::text("auto& gpuarr_a{} = {};\n", p, v.storage);
      add_storage(p, v.type);
      text += gpuarr::text("gpuarr_glue::keep({}[gpuarr_thread], gpuarr_a{});\n", array_of(p), p);
    }
    if (!text.empty()) out_ += "GPUARR_SPLIT_THREADS\n" + text + "GPUARR_SPLIT_END\n";
  }

  // --- Variables

  static std::string array_of(size_t v) { return text("gpuarr_s{}", v); }

  void add_storage(size_t v, const std::string& type) {
    const std::string name = array_of(v);
    const Variable& variable = plan_.variables[v];
    out_ += text("{} {}[{}]{};\n", type, name, room, variable.suffix);
    out_ += text("static_assert(gpuarr_glue::storable<decltype({})>);\n", name);
    const std::string bytes = text("gpuarr_bytes{}", bytes_.size());
    out_ += text("constexpr unsigned long {} = {} + sizeof {};\n", bytes, bytes_.back(), name);
    out_ += text("static_assert({} <= gpuarr_glue::most_stored);\n", bytes);
    bytes_.push_back(bytes);
  }

  // The declarations that a region's body, or another one's head, needs of variables from outside.
  std::string bind(const std::vector<TokenRange>& region) {
    std::map<size_t, bool> wanted;
    const auto inside = [&](size_t token) {
      return std::ranges::any_of(region,
                                 [&](TokenRange r) { return token >= r.first && token < r.last; });
    };
    const auto want = [&](auto& self, TokenRange range) -> void {
      for (size_t k = range.first; k < range.last; ++k) {
        const int meaning = plan_.meaning(k);
        if (meaning == SplitPlan::none) continue;
        const auto v = static_cast<size_t>(meaning);
        const Variable& variable = plan_.variables[v];
        const bool own = !variable.is_parameter && inside(variable.place);
        if (own || variable.kind == Place::local || !wanted.emplace(v, true).second) continue;
        if (variable.kind == Place::repeated) self(self, variable.init);
      }
    };
    for (const TokenRange range : region) want(want, range);
    std::string out;
    std::map<std::string_view, bool> names;
    for (const auto& [v, yes] : wanted) {
      if (!names.emplace(plan_.variables[v].name, yes).second) refuse("a name used twice");
      out += binding(v);
    }
    return out;
  }

  std::string binding(size_t v) const {
    const Variable& variable = plan_.variables[v];
    const std::string name(variable.name);
    switch (variable.kind) {
      case Place::uniform:
        if (variable.storage == name) return "";
        return (variable.is_scalar ? "const auto " : "const auto& ") + name + " = " +
               variable.storage + ";\n";
      case Place::repeated:
        return repeated(variable) + "\n";
      default:
        return reference(v) + "\n";
    }
  }

  std::string reference(size_t v) const {
    const Variable& variable = plan_.variables[v];
    return text("{}auto& {} = {}[gpuarr_thread];", variable.is_const ? "const " : "", variable.name,
                array_of(v));
  }

  std::string repeated(const Variable& v) const {
    const std::string type = v.is_pointer ? v.type + " const" : "const " + v.type;
    return type + ' ' + std::string(v.name) + ' ' + parsed_.written(v.init) + ';';
  }

  std::string as_written(const Variable& v, std::string_view name) {
    std::string type = v.type;
    if (v.is_const) type = v.is_pointer ? type + " const" : "const " + type;
    return type + ' ' + std::string(name) + v.suffix + ' ' + copy(v.init) + ';';
  }

  // Outside of the loops over threads, with names of what is kept there.
  std::string scalar(TokenRange range) const {
    std::string out;
    for (size_t k = range.first; k < range.last; ++k) {
      const int v = plan_.meaning(k);
      if (k > range.first && parsed_.begin(k) != parsed_.end(k - 1)) out += ' ';
      out += v == SplitPlan::none ? std::string(parsed_.tokens[k].text)
                                  : plan_.variables[static_cast<size_t>(v)].storage;
    }
    return out;
  }

  // --- Text of the user's

  std::string mark(size_t token) const { return line_mark(parsed_.place(token)); }

  // As it is written, with jumps out of the region turned into such that leave it.
  std::string copy(TokenRange range) const {
    if (range.empty()) return "";
    std::string out;
    size_t from = parsed_.begin(range.first);
    for (size_t k = range.first; k < range.last; ++k) {
      const auto jump = plan_.jumps.find(k);
      if (jump == plan_.jumps.end()) continue;
      out += parsed_.text.substr(from, parsed_.begin(k) - from);
      out += leave(jump->second.level);
      k = jump->second.last - 1;
      from = parsed_.end(k);
    }
    return out += parsed_.text.substr(from, parsed_.end(range.last - 1) - from);
  }

  std::string leave(int level) const {
    const std::string out = text("goto gpuarr_end{};", region_);
    return level == 0 ? out : text("{{ gpuarr_state[gpuarr_thread] = {}; {} }}", level, out);
  }

  // --- Statements

  void write_block(const Statement& block) {
    std::vector<const Statement*> region;
    for (const Statement& s : block.children) {
      const bool scalar = plan_.scalars.contains(s.range.first);
      if (!s.has_barrier && !scalar) {
        region.push_back(&s);
        continue;
      }
      write_region(region);
      region.clear();
      if (scalar)
        out_ += mark(s.range.first) + this->scalar(s.range) + '\n';
      else
        write(s);
    }
    write_region(region);
  }

  void write(const Statement& s) {
    if (s.kind == Kind::barrier) return;
    out_ += "{\n";
    const size_t bytes = bytes_.size();
    if (s.kind == Kind::block)
      write_block(s);
    else if (s.kind == Kind::branch)
      plan_.uniform.contains(&s) ? write_branch(s) : write_masked_branch(s);
    else
      plan_.uniform.contains(&s) ? write_loop(s) : write_masked_loop(s);
    bytes_.resize(bytes);
    out_ += "}\n";
  }

  // A statement that is a body of its own.
  void write_body(const Statement& s) {
    if (s.has_barrier)
      write(s);
    else
      write_region({&s});
  }

  void write_branch(const Statement& s) {
    out_ += mark(s.range.first);
    out_ += s.is_constexpr ? "if constexpr (" : "if (";
    out_ += scalar(s.condition) + ") {\n";
    write_body(s.children[0]);
    out_ += "}\n";
    if (s.children.size() == 1) return;
    out_ += "else {\n";
    write_body(s.children[1]);
    out_ += "}\n";
  }

  void write_loop(const Statement& s) {
    const auto declared = plan_.declared.find(s.init.first);
    if (!s.init.empty()) {
      out_ += mark(s.init.first);
      if (declared != plan_.declared.end())
        for (const size_t v : declared->second.variables) declare_scalar(v);
      else
        out_ += scalar(s.init) + ";\n";
    }
    out_ += mark(s.range.first);
    if (s.loop == Statement::Loop::do_loop)
      out_ += "do {\n";
    else
      out_ += "for (; " + scalar(s.condition) + "; " + scalar(s.step) + ") {\n";
    if (plan_.has_state) out_ += "if (!GPUARR_SPLIT_ANY) break;\n";
    write_body(s.children[0]);
    const int level = plan_.levels.at(&s);
    if (s.continues) out_ += release(level + 1);
    if (s.breaks) out_ += "if (!GPUARR_SPLIT_ANY) break;\n";
    out_ += "}\n";
    if (s.loop == Statement::Loop::do_loop) out_ += "while (" + scalar(s.condition) + ");\n";
    if (s.breaks) out_ += release(level);
  }

  static std::string release(int level) { return text("GPUARR_SPLIT_RELEASE({}, 0)\n", level); }

  void write_condition(TokenRange condition, int level) {
    if (condition.empty()) return;
    begin_region({condition});
    out_ += text("gpuarr_state[gpuarr_thread] = (\n{}{}\n) ? 0 : {};\n", mark(condition.first),
                 copy(condition), level);
    end_region();
  }

  void write_masked_branch(const Statement& s) {
    const int level = plan_.levels.at(&s);
    write_condition(s.condition, level);
    out_ += "if (GPUARR_SPLIT_ANY) {\n";
    write_body(s.children[0]);
    out_ += "}\n";
    if (s.children.size() > 1) {
      // Those that are done wait until the others are.
      out_ += text("GPUARR_SPLIT_RELEASE(0, {})\n", level + 1) + release(level);
      out_ += "if (GPUARR_SPLIT_ANY) {\n";
      write_body(s.children[1]);
      out_ += "}\n";
    }
    out_ += release(s.children.size() > 1 ? level + 1 : level);
  }

  void write_masked_loop(const Statement& s) {
    const int level = plan_.levels.at(&s);
    const bool last = s.loop == Statement::Loop::do_loop;
    const auto declared = plan_.declared.find(s.init.first);
    if (!s.init.empty()) {
      const bool declares = declared != plan_.declared.end();
      begin_region({s.init}, declares ? &declared->second : nullptr);
      out_ += mark(s.init.first);
      if (declares)
        write_declaration(declared->second);
      else
        out_ += copy(s.init) + ";\n";
      end_region();
    }
    out_ += "for (;;) {\n";
    if (!last) write_condition(s.condition, level);
    out_ += "if (!GPUARR_SPLIT_ANY) break;\n";
    write_body(s.children[0]);
    if (s.continues) out_ += release(level + 1);
    if (!s.step.empty()) {
      begin_region({s.step});
      out_ += mark(s.step.first) + copy(s.step) + ";\n";
      end_region();
    }
    if (last) write_condition(s.condition, level);
    out_ += "}\n" + release(level);
  }

  // --- Regions

  void write_region(const std::vector<const Statement*>& statements) {
    std::vector<TokenRange> ranges;
    bool works = false;
    for (const Statement* s : statements) {
      const auto declared = plan_.declared.find(s->range.first);
      if (declared != plan_.declared.end() && declared->second.is_fixed) {
        out_ += mark(s->range.first) + copy(s->range) + '\n';
        continue;
      }
      if (declared != plan_.declared.end()) declare(declared->second);
      works |= does_work(*s);
      ranges.push_back(s->range);
    }
    if (!works) return;
    begin_region(ranges);
    for (const Statement* s : statements) write_in_region(*s);
    end_region();
  }

  // Nothing is left to do of what was declared outside, or is computed where it is needed.
  bool does_work(const Statement& s) const {
    if (s.range.last == s.range.first + 1) return false;
    const auto declared = plan_.declared.find(s.range.first);
    if (declared == plan_.declared.end()) return true;
    return std::ranges::any_of(declared->second.variables, [&](size_t v) {
      const Variable& variable = plan_.variables[v];
      return variable.kind == Place::stored ? !variable.init.empty()
                                            : variable.kind == Place::local;
    });
  }

  // What is outside of a region of what is declared in it.
  void declare(const SplitPlan::Declared& declared) {
    for (const size_t v : declared.variables) {
      if (plan_.variables[v].kind == Place::uniform) declare_scalar(v);
      if (plan_.variables[v].kind == Place::stored) add_storage(v, plan_.variables[v].type);
    }
  }

  void declare_scalar(size_t v) {
    const Variable& variable = plan_.variables[v];
    out_ += mark(variable.place) +
            (variable.is_const && variable.storage == variable.name ? "const " : "");
    out_ += variable.type + ' ' + variable.storage + ' ' + scalar(variable.init) + ";\n";
  }

  void begin_region(const std::vector<TokenRange>& ranges,
                    const SplitPlan::Declared* declared = nullptr) {
    if (declared != nullptr) declare(*declared);
    ++region_;
    out_ += plan_.has_state ? "GPUARR_SPLIT_ACTIVE\n" : "GPUARR_SPLIT_THREADS\n";
    out_ += bind(ranges) + "{\n";
    begin_ = out_.size();
  }

  void end_region() {
    out_ += "\n}\n";
    if (out_.find(text("goto gpuarr_end{};", region_), begin_) != std::string::npos)
      out_ += text("gpuarr_end{}:;\n", region_);
    out_ += "GPUARR_SPLIT_END\n";
  }

  void write_in_region(const Statement& s) {
    const auto declared = plan_.declared.find(s.range.first);
    if (declared != plan_.declared.end() && declared->second.is_fixed) return;
    out_ += mark(s.range.first);
    if (declared != plan_.declared.end() && !is_local(declared->second))
      write_declaration(declared->second);
    else
      out_ += copy(s.range) + '\n';
  }

  bool is_local(const SplitPlan::Declared& declared) const {
    return std::ranges::all_of(declared.variables,
                               [&](size_t v) { return plan_.variables[v].kind == Place::local; });
  }

  void write_declaration(const SplitPlan::Declared& declared) {
    for (const size_t v : declared.variables) {
      const Variable& variable = plan_.variables[v];
      switch (variable.kind) {
        case Place::local:
          out_ += as_written(variable, variable.name);
          break;
        case Place::stored:
          write_stored(v);
          break;
        default:
          out_ += binding(v);
      }
    }
    out_ += '\n';
  }

  void write_stored(size_t v) {
    const Variable& variable = plan_.variables[v];
    if (variable.init.empty()) {
      out_ += reference(v);
      return;
    }
    const std::string made = text("gpuarr_i{}", v);
    out_ += as_written(variable, made);
    out_ += text(" {}auto& {} = gpuarr_glue::keep({}[gpuarr_thread], {});",
                 variable.is_const ? "const " : "", variable.name, array_of(v), made);
  }

  const SplitPlan& plan_;
  const Parsed& parsed_;
  const Declaration& kernel_;
  std::string out_;
  std::vector<std::string> bytes_ = {"0"};
  int region_ = 0;
  size_t begin_ = 0;  // of the region's text
};

}  // namespace

std::string split_name(std::string_view kernel) { return text("gpuarr_split_{}", kernel); }

Split split_kernel(const Parsed& parsed, const Declaration& kernel, const SplitNames& names) {
  Split out;
  try {
    const SplitPlan plan(parsed, kernel, names);
    out.text = Writer(plan, kernel).run();
  } catch (const Error& why) {
    out.reason = why.message();
  }
  return out;
}

}  // namespace gpuarr::host
