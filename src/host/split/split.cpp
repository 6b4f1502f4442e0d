#include "host/split/split.hpp"

#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "host/split/regions.hpp"

namespace gpuarr::host {
namespace {

using Kind = Statement::Kind;

// The function around the regions: its head, and branches and loops that have barriers.
class Writer {
 public:
  Writer(const SplitPlan& plan, const Declaration& kernel)
      : plan_(plan), parsed_(plan.parsed), kernel_(kernel) {}

  std::string run() {
    write_head();
    out_ += " {\nGPUARR_SPLIT_BLOCK\n";
    if (plan_.has_state) out_ += "GPUARR_SPLIT_STATE\n";
    regions_.write_parameters();
    write_block(plan_.body);
    return out_ + "\n}\n";
  }

 private:
  // --- The function's head

  void write_head() {
    size_t at = kernel_.head.first;
    if (parsed_.is(at, "template")) {
      const size_t behind = parsed_.skip_angles(at + 1, kernel_.name);
      if (behind == at + 1) refuse("a template");
      out_ += regions_.mark(at) + parsed_.written({at, behind}) + "\n";
      at = behind;
    }
    check_words(at);
    const size_t close = parsed_.match[kernel_.parameters];
    if (kernel_.name + 1 != kernel_.parameters || close + 1 != kernel_.head.last)
      refuse("a head that is not understood");
    out_ += regions_.mark(kernel_.name);
    out_ += formatted("static void {}(", split_name(parsed_.tokens[kernel_.name].text));
    const std::vector<size_t>& parameters = plan_.names.parameters;
    for (size_t k = 0; k < parameters.size(); ++k) {
      const Variable& v = plan_.names.variables[parameters[k]];
      if (v.name.empty() && v.type == "void" && parameters.size() == 1) break;
      out_ += (k > 0 ? ", " : "") + v.type + ' ' + v.storage;
    }
    out_ += ")";
  }

  void check_words(size_t at) const {
    static constexpr std::string_view known[] = {"extern", "\"C\"",      "static",
                                                 "inline", "__global__", "void"};
    for (; at < kernel_.name; ++at) {
      if (parsed_.is(at, "__launch_bounds__") && parsed_.match[at + 1] > at + 1)
        at = parsed_.match[at + 1];
      else if (!is_one_of(parsed_.tokens[at].text, known))
        refuse("a head that is not understood");
    }
  }

  // --- Statements

  void write_block(const Statement& block) {
    std::vector<const Statement*> region;
    for (const Statement& s : block.children) {
      const bool updates = plan_.uniform.updates.contains(s.range.first);
      if (!s.has_barrier && !updates) {
        region.push_back(&s);
        continue;
      }
      regions_.write(region);
      region.clear();
      if (updates)
        out_ += regions_.mark(s.range.first) + regions_.scalar(s.range) + '\n';
      else
        write(s);
    }
    regions_.write(region);
  }

  void write(const Statement& s) {
    if (s.kind == Kind::barrier) return;
    const size_t opened = regions_.open_block();
    const bool alike = plan_.uniform.statements.contains(&s);
    if (s.kind == Kind::block)
      write_block(s);
    else if (s.kind == Kind::branch)
      alike ? write_branch(s) : write_masked_branch(s);
    else if (alike)
      write_loop(s);
    else
      s.stride ? regions_.write_strides(s) : write_masked_loop(s);
    regions_.close_block(opened);
  }

  // A statement that is a body of its own.
  void write_body(const Statement& s) {
    if (s.has_barrier)
      write(s);
    else
      regions_.write({&s});
  }

  // --- Branches and loops that all threads take alike

  void write_branch(const Statement& s) {
    out_ += regions_.mark(s.range.first);
    out_ += s.is_constexpr ? "if constexpr (" : "if (";
    out_ += regions_.scalar(s.condition) + ") {\n";
    write_body(s.children[0]);
    out_ += "}\n";
    if (s.children.size() == 1) return;
    out_ += "else {\n";
    write_body(s.children[1]);
    out_ += "}\n";
  }

  void write_loop(const Statement& s) {
    const bool is_do = s.loop == Statement::Loop::do_loop;
    const std::string condition = regions_.scalar(s.condition);
    write_scalar_init(s.init);
    out_ += regions_.mark(s.range.first);
    out_ += is_do ? "do {\n" : "for (; " + condition + "; " + regions_.scalar(s.step) + ") {\n";
    if (plan_.has_state) out_ += "if (!GPUARR_SPLIT_ANY) break;\n";
    write_body(s.children[0]);
    const int level = plan_.levels.at(&s);
    if (s.continues) out_ += release(level + 1);
    if (s.breaks) out_ += "if (!GPUARR_SPLIT_ANY) break;\n";
    out_ += "}\n";
    if (is_do) out_ += "while (" + condition + ");\n";
    if (s.breaks) out_ += release(level);
  }

  void write_scalar_init(TokenRange init) {
    if (init.empty()) return;
    out_ += regions_.mark(init.first);
    if (const auto* declared = plan_.names.declared_at(init.first))
      for (const size_t v : declared->variables) regions_.declare_scalar(v);
    else
      out_ += regions_.scalar(init) + ";\n";
  }

  // --- Those that each thread takes its own way

  static std::string release(int level) {
    return formatted("GPUARR_SPLIT_RELEASE({}, 0)\n", level);
  }

  void write_masked_branch(const Statement& s) {
    const int level = plan_.levels.at(&s);
    regions_.write_condition(s.condition, level);
    out_ += "if (GPUARR_SPLIT_ANY) {\n";
    write_body(s.children[0]);
    out_ += "}\n";
    if (s.children.size() > 1) {
      // Those that are done wait until the others are.
      out_ += formatted("GPUARR_SPLIT_RELEASE(0, {})\n", level + 1) + release(level);
      out_ += "if (GPUARR_SPLIT_ANY) {\n";
      write_body(s.children[1]);
      out_ += "}\n";
    }
    out_ += release(s.children.size() > 1 ? level + 1 : level);
  }

  void write_masked_loop(const Statement& s) {
    const int level = plan_.levels.at(&s);
    const bool is_do = s.loop == Statement::Loop::do_loop;
    regions_.write_init(s.init);
    out_ += "for (;;) {\n";
    if (!is_do) regions_.write_condition(s.condition, level);
    out_ += "if (!GPUARR_SPLIT_ANY) break;\n";
    write_body(s.children[0]);
    if (s.continues) out_ += release(level + 1);
    regions_.write_expression(s.step);
    if (is_do) regions_.write_condition(s.condition, level);
    out_ += "}\n" + release(level);
  }

  const SplitPlan& plan_;
  const Parsed& parsed_;
  const Declaration& kernel_;
  std::string out_;
  RegionWriter regions_{plan_, out_};
};

}  // namespace

std::string split_name(std::string_view kernel) { return formatted("gpuarr_split_{}", kernel); }

std::string split_kernel(const Parsed& parsed, const Declaration& kernel, const SplitNames& names) {
  for (const bool strides : {true, false}) {
    try {
      const SplitPlan plan(parsed, kernel, names, strides);
      return Writer(plan, kernel).run();
    } catch (const Error&) {  // of refuse()
    }
  }
  return "";
}

}  // namespace gpuarr::host
