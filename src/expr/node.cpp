#include "expr/node.hpp"

namespace gpuarr::expr {

Expr::Expr(const Expr& other) noexcept : node_(other.node_) {
  if (node_ != nullptr) node_->references.fetch_add(1, std::memory_order_relaxed);
}

// Nodes that nobody refers to any more wait in a chain.
void release_all(Node* first) noexcept {
  Node* waiting = nullptr;
  const auto drop = [&](Node* node) {
    if (node == nullptr || node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    node->next = waiting;
    waiting = node;
  };
  drop(first);
  while (waiting != nullptr) {
    Node* const node = std::exchange(waiting, waiting->next);
    for (Expr& operand : node->operands) drop(std::exchange(operand.node_, nullptr));
    delete node;
  }
}

const char* name_of(const Node& node) {
  switch (node.kind) {
    case NodeKind::array:
      return "array";
    case NodeKind::scalar:
      return "scalar";
    case NodeKind::function:
      return row_of(node.function().op).name;
    case NodeKind::convert:
      return "astype";
    case NodeKind::reduction:
      return name_of(node.reduction().reducer);
    case NodeKind::view:
      return "view";
    case NodeKind::input:
      return "input";
    case NodeKind::open:
      return node.open().name;
  }
  return "";
}

std::string describe(const Node& node) {
  if (node.kind == NodeKind::scalar) return node.scalar().to_text();
  if (node.kind == NodeKind::input) return formatted("input {}", node.input);
  if (node.kind == NodeKind::open) return formatted("{}(...)", name_of(node));
  const std::string type = formatted("{} {}", name(node.dtype), to_string(node.shape));
  return node.kind == NodeKind::array ? type : formatted("{}(...): {}", name_of(node), type);
}

Expr::~Expr() {
  if (node_ != nullptr) release_all(node_);
}

}  // namespace gpuarr::expr
