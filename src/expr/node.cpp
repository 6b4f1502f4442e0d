#include "expr/node.hpp"

#include <algorithm>
#include <new>

#include "core/per_thread.hpp"

namespace gpuarr::expr {
namespace {

static_assert(sizeof(Node) % alignof(Expr) == 0 && alignof(Node) >= alignof(Expr));

// Memory of nodes that are gone, of the calling thread. Expressions are built and let go by the
// dozen, each time that a line of a program runs, and nodes are too large for malloc to be quick.
// A sanitizer could not tell one that is used too late.
class SpareNodes {
 public:
  SpareNodes() = default;
  SpareNodes(const SpareNodes&) = delete;
  SpareNodes& operator=(const SpareNodes&) = delete;
  ~SpareNodes() {
    while (count_ > 0) ::operator delete(blocks_[--count_]);
  }

  void* take() { return count_ > 0 ? blocks_[--count_] : nullptr; }
  bool keep(void* block) {
    if (count_ == most) return false;
    blocks_[count_++] = block;
    return true;
  }

 private:
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  static constexpr size_t most = 0;
#else
  static constexpr size_t most = 64;
#endif
  size_t count_ = 0;
  std::array<void*, most> blocks_;
};

void* node_memory(size_t operands) {
  if (operands <= Node::few_operands)
    if (void* const spare = PerThread<SpareNodes>::get().take()) return spare;
  return ::operator new(sizeof(Node) + std::max(operands, Node::few_operands) * sizeof(Expr));
}

void free_node(Node* node) noexcept {
  const bool may_keep = as_index(node->count) <= Node::few_operands;
  std::destroy_at(node);
  if (!may_keep || !PerThread<SpareNodes>::get().keep(node)) ::operator delete(node);
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
    if (node == nullptr || node->references.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
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
