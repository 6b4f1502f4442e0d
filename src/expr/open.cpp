#include "expr/open.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "core/error.hpp"

namespace gpuarr::expr {
namespace {

bool is_open(const Expr& x) { return x.get() != nullptr && x->is_open(); }

// Calls `visit` for each open node, operands first.
template <class Visit>
void walk(std::span<const Expr> roots, const Visit& visit) {
  std::unordered_set<const Node*> seen;
  struct Step {
    const Node* node;
    int next = 0;
  };
  std::vector<Step> steps;
  const auto enter = [&](const Expr& x) {
    if (is_open(x) && seen.insert(x.get()).second) steps.push_back({x.get()});
  };
  for (const Expr& root : roots) {
    enter(root);
    while (!steps.empty()) {
      Step& step = steps.back();
      if (step.next < step.node->count) {
        enter(step.node->operands()[as_index(step.next++)]);
        continue;
      }
      const Node& node = *step.node;
      steps.pop_back();
      visit(node);
    }
  }
}

}  // namespace

Expr input_node(int32_t number) {
  Expr out;
  make_node(out, NodeKind::input, {}).input = number;
  return out;
}

bool is_any_open(std::span<const Expr> operands) { return std::ranges::any_of(operands, is_open); }

Expr open_node(std::span<const Expr> operands, OpenNode part) {
  Expr out;
  Node& node = make_node(out, NodeKind::open, {}, operands.size());
  std::ranges::copy(operands, node.operands().begin());
  node.part = std::move(part);
  return out;
}

size_t count_inputs(std::span<const Expr> roots) {
  int32_t most = -1;
  walk(roots, [&](const Node& node) { most = std::max(most, node.input); });
  return as_index(most + 1);
}

std::vector<char> inputs_read(std::span<const Expr> roots, size_t count) {
  std::vector<char> read(count);
  walk(roots, [&](const Node& node) {
    if (node.kind != NodeKind::open || !node.open().reads_scalars) return;
    for (const Expr& operand : node.operands())
      if (operand.get() != nullptr && operand->kind == NodeKind::input)
        read[as_index(operand->input)] = 1;
  });
  return read;
}

std::vector<Expr> closed(std::span<const Expr> roots, std::span<const Expr> inputs) {
  std::unordered_map<const Node*, Expr> made;
  const auto value = [&](const Expr& x) { return is_open(x) ? made.at(x.get()) : x; };
  walk(roots, [&](const Node& node) {
    if (node.kind == NodeKind::input) {
      made.emplace(&node, inputs[as_index(node.input)]);
      return;
    }
    std::vector<Expr> operands;
    std::ranges::transform(node.operands(), std::back_inserter(operands), value);
    made.emplace(&node, node.open().make(operands));
  });
  std::vector<Expr> out;
  std::ranges::transform(roots, std::back_inserter(out), value);
  return out;
}

}  // namespace gpuarr::expr
