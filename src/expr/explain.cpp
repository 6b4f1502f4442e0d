// What kernels an expression becomes, in words.
#include "core/error.hpp"
#include "expr/evaluate.hpp"
#include "expr/plan.hpp"

namespace gpuarr::expr {
namespace {

std::string axes_text(uint32_t axes) {
  std::string out;
  for (int axis = 0; axes >> axis != 0; ++axis)
    if (axes >> axis & 1) out += formatted("{}{}", out.empty() ? "" : ", ", axis);
  return out;
}

struct Explaining {
  const Numbered& numbered;
  const Plan& plan;
  int64_t moved = 0;

  std::string line(const Group& group, size_t at) {
    const Needs needs = needs_of(numbered, plan, group);
    int64_t read = 0;
    int64_t written = 0;
    for (const auto* list : {&needs.read, &needs.beside})
      for (int k : *list) read += bytes_of(numbered.node(k));
    for (int k : group.outputs) written += bytes_of(numbered.node(k));
    moved += read + written;
    std::string out = formatted("kernel {}: {} of {}", at + 1, kind(group), to_string(group.space));
    if (!group.passes.empty()) out += formatted(" over axes ({}):", axes_text(group.axes));
    for (size_t p = 0; p < group.passes.size(); ++p)
      for (int fold : group.passes[p])
        out += formatted("{} {}", p > 0 ? ", then" : "", name_of(numbered.node(fold)));
    out += formatted("; {} operations; reads {} arrays, {} bytes; writes {}, {} bytes\n",
                     needs.computed.size() + needs.posts.size(),
                     needs.read.size() + needs.beside.size(), read, group.outputs.size(), written);
    for (int k : group.outputs) {
      const Reason why = plan.facts[as_index(k)].stored;
      out += formatted("  stores {}: {}\n", describe(numbered.node(k)), text_of(why));
    }
    if (group.apart != Apart::none)
      out +=
          formatted("  apart from what uses it along the same rows ({})\n", text_of(group.apart));
    return out;
  }

  const char* kind(const Group& group) const {
    if (group.kind == GroupKind::kernel && numbered.node(group.outputs[0]).kind == NodeKind::matmul)
      return "matrix product";
    constexpr const char* names[] = {"elementwise", "reduction", "rows", "scan", "a user's kernel"};
    return names[static_cast<size_t>(group.kind)];
  }

  // Of one call after another.
  int64_t eager_bytes() const {
    int64_t bytes = 0;
    for (const Item& item : numbered.items) {
      if (is_leaf(*item.node) || item.node->kind == NodeKind::view) continue;
      bytes += bytes_of(*item.node);
      for (int o : item.all())
        if (numbered.node(o).kind != NodeKind::scalar) bytes += bytes_of(numbered.node(o));
    }
    return bytes;
  }
};

}  // namespace

std::string explain(std::span<const Expr> roots) {
  check_roots(roots);
  const Numbered numbered = number(roots);
  return explain(numbered, make_plan(numbered, limits_of(*roots[0]->device)));
}

std::string explain(const Numbered& numbered, const Plan& plan) {
  Explaining explaining{numbered, plan};
  std::string out;
  for (size_t at = 0; at < plan.groups.size(); ++at) out += explaining.line(plan.groups[at], at);
  out += formatted("{} kernels move {} bytes; one call after another would move {}\n",
                   plan.groups.size(), explaining.moved, explaining.eager_bytes());
  return out;
}

}  // namespace gpuarr::expr
