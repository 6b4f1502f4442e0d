#include "expr/node.hpp"

#include <algorithm>
#include <new>

#include "core/references.hpp"
#include "core/spare_blocks.hpp"

namespace gpuarr::expr {
namespace {

static_assert(sizeof(Node) % alignof(Expr) == 0 && alignof(Node) >= alignof(Expr));

constexpr size_t few_bytes = Node::few_operands * sizeof(Expr);

void* node_memory(size_t operands) {
  if (operands <= Node::few_operands) return SpareBlocks<Node>::take(few_bytes);
  return ::operator new(sizeof(Node) + operands * sizeof(Expr));
}

void free_node(Node* node) noexcept {
  const bool is_usual = as_index(node->count) <= Node::few_operands;
  std::destroy_at(node);
  if (is_usual)
    SpareBlocks<Node>::give_back(node);
  else
    ::operator delete(node);
}

}  // namespace

Node& make_node(Expr& out, NodeKind kind, DType dtype, size_t operands) {
  Node* const node = new (node_memory(operands)) Node;
  node->kind = kind;
  node->dtype = dtype;
  node->count = static_cast<int64_t>(operands);
  std::uninitialized_default_construct_n(reinterpret_cast<Expr*>(node + 1), operands);
  out = Expr(node);
  return *node;
}

Expr::Expr(const Expr& other) noexcept : node_(other.node_) {
  if (node_ != nullptr) node_->references.fetch_add(1, std::memory_order_relaxed);
}

// Nodes that nobody refers to any more wait in a chain.
void release_all(Node* first) noexcept {
  Node* waiting = nullptr;
  const auto drop = [&](Node* node) {
    if (node == nullptr || !drop_reference(node->references)) return;
    node->next = waiting;
    waiting = node;
  };
  drop(first);
  while (waiting != nullptr) {
    Node* const node = std::exchange(waiting, waiting->next);
    for (Expr& operand : node->operands()) drop(std::exchange(operand.node_, nullptr));
    free_node(node);
  }
}

bool runs_alone(const Node& node) {
  if (node.kind == NodeKind::matmul) return true;
  if (node.kind == NodeKind::kernel) return !node.kernel().is_inlined;
  return node.kind == NodeKind::reduction && node.reduction().user != nullptr &&
         !node.reduction().user->is_inlined;
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
      return node.reduction().user != nullptr
                 ? node.reduction().user->kernel->generated().name.c_str()
                 : name_of(node.reduction().reducer);
    case NodeKind::kernel:
      return node.kernel().kernel->generated().name.c_str();
    case NodeKind::scan:
      return name_of(node.scan().scanner);
    case NodeKind::matmul:
      return "matmul";
    case NodeKind::indices:
      return "indices";
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
