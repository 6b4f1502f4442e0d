#include "expr/pattern.hpp"

#include <algorithm>

namespace gpuarr::expr {
namespace {

constexpr size_t most_parts = 64;

bool may_be_part(const Node& node) {
  return node.kind == NodeKind::array || node.kind == NodeKind::scalar ||
         node.kind == NodeKind::function || node.kind == NodeKind::convert ||
         (node.kind == NodeKind::reduction && node.reduction().user == nullptr);
}

bool is_same_array(const Array& a, const Array& b) {
  return a.data == b.data && a.buffer == b.buffer && a.layout == b.layout;
}

// What would have one number.
bool has_same_arrays(std::span<const Item> items) {
  for (size_t k = 0; k < items.size(); ++k)
    for (size_t other = 0; other < k; ++other)
      if (items[k].node->kind == NodeKind::array && items[other].node->kind == NodeKind::array &&
          is_same_array(items[k].node->array(), items[other].node->array()))
        return true;
  return false;
}

size_t mixed(size_t hash, size_t word) { return (hash ^ word) * 0x9e3779b97f4a7c15U; }

size_t top_of(const Node& node) {
  const size_t kind = mixed(static_cast<size_t>(node.kind), static_cast<size_t>(node.dtype));
  return node.kind == NodeKind::function ? mixed(kind, static_cast<size_t>(node.function().op))
                                         : kind;
}

}  // namespace

std::shared_ptr<const Pattern> Pattern::of(const Numbered& numbered,
                                           std::shared_ptr<const Program> program,
                                           std::unique_ptr<const Again> again) {
  if (numbered.items.size() > most_parts || numbered.joins_scalars) return nullptr;
  std::shared_ptr<Pattern> out(new Pattern);
  for (const Item& item : numbered.items) {
    const Node& node = *item.node;
    if (!may_be_part(node)) return nullptr;
    Part& part = out->parts_.emplace_back();
    part.kind = node.kind;
    part.dtype = node.dtype;
    part.count = node.count;
    part.operands.assign(item.all().begin(), item.all().end());
    if (node.kind == NodeKind::array) part.what = node.array().layout;
    if (node.kind == NodeKind::function) part.what = node.function();
    if (node.kind == NodeKind::reduction) part.what = node.reduction();
  }
  out->roots_.assign(numbered.roots.begin(), numbered.roots.end());
  out->device_ = numbered.node(numbered.roots[0]).device;
  out->program_ = std::move(program);
  out->again_ = std::move(again);
  return out;
}

bool Pattern::is_same(const Part& part, const Node& node) {
  if (node.kind != part.kind || node.dtype != part.dtype || node.count != part.count) return false;
  switch (node.kind) {
    case NodeKind::array:
      return node.input < 0 && node.array().layout == *std::get_if<Layout>(&part.what);
    case NodeKind::function: {
      const FunctionNode& a = node.function();
      const FunctionNode& b = *std::get_if<FunctionNode>(&part.what);
      return a.op == b.op && a.computed == b.computed && a.output == b.output;
    }
    case NodeKind::reduction: {
      const ReductionNode& a = node.reduction();
      const ReductionNode& b = *std::get_if<ReductionNode>(&part.what);
      return a.user == nullptr && a.reducer == b.reducer && a.axes == b.axes &&
             a.keepdims == b.keepdims && a.ddof == b.ddof;
    }
    default:
      return true;
  }
}

// Nodes that are compared with the parts. Equal nodes have one number, so several may be a part:
// those after the first are compared for themselves, of which there are at most `turns`.
class Pattern::Comparison {
 public:
  Comparison(const std::vector<Part>& parts, std::pmr::vector<Item>& items)
      : parts_(parts), items_(items) {}

  bool is_it(int k, const Node* node) {
    const Node*& known = items_[as_index(k)].node;
    if (known == nullptr) known = node;
    if (known == node) return true;
    if (known->kind == NodeKind::array)
      return node->kind == NodeKind::array && is_same_array(known->array(), node->array());
    return known->kind != NodeKind::scalar && turns_-- > 0 && agrees(k, *node);
  }

  bool agrees(int k, const Node& node) {
    const Part& part = parts_[as_index(k)];
    if (!is_same(part, node)) return false;
    const std::span<const Expr> operands = node.operands();
    for (size_t at = 0; at < operands.size(); ++at)
      if (!is_it(part.operands[at], operands[at].get())) return false;
    return true;
  }

 private:
  const std::vector<Part>& parts_;
  std::pmr::vector<Item>& items_;
  size_t turns_ = most_parts;
};

// From the roots on: what uses a node has a greater number than it.
std::optional<Numbered> Pattern::match(std::span<const Expr> roots,
                                       std::pmr::memory_resource* memory) const {
  if (roots.size() != roots_.size() || roots[0]->device != device_) return std::nullopt;
  Numbered out{std::pmr::vector<Item>(parts_.size(), Item{}, memory), Numbers(memory),
               std::pmr::vector<int>(roots_.begin(), roots_.end(), memory)};
  Comparison comparison(parts_, out.items);
  for (size_t r = 0; r < roots.size(); ++r)
    if (!comparison.is_it(roots_[r], roots[r].get())) return std::nullopt;
  for (size_t k = parts_.size(); k-- > 0;) {
    if (!comparison.agrees(static_cast<int>(k), *out.items[k].node)) return std::nullopt;
    out.items[k].operands = parts_[k].operands.data();
  }
  if (has_same_arrays(out.items)) return std::nullopt;
  return out;
}

std::shared_ptr<const Pattern>& RecentPatterns::at(std::span<const Expr> roots) {
  size_t hash = mixed(roots.size(), top_of(*roots[0]));
  for (const Expr& operand : roots[0]->operands()) {
    hash = mixed(hash, top_of(*operand));
    for (const Expr& below : operand->operands()) hash = mixed(hash, top_of(*below));
  }
  return slots_[(hash >> 32) % slots_.size()];
}

}  // namespace gpuarr::expr
