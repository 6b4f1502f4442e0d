// The nodes of some expressions, each once: numbered so that operands come before what uses them.
#pragma once

#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "expr/node.hpp"

namespace gpuarr::expr {

struct Item {
  const Node* node;
  const int* operands;  // their numbers

  std::span<const int> all() const { return {operands, as_index(node->count)}; }
};

/// Room for lists of numbers, which stay where they are.
class Numbers {
 public:
  explicit Numbers(std::pmr::memory_resource* memory) : blocks_(memory) {}
  Numbers(Numbers&&) = default;

  int* take(size_t count);

 private:
  std::pmr::vector<std::pmr::vector<int>> blocks_;
};

/// Equal expressions have one number. Arrays that are the same view of the same memory are equal,
/// scalars only where they are one node: what they are worth shall not choose the kernel. Where
/// there are many, equal ones are joined all the same, since a kernel takes few.
struct Numbered {
  std::pmr::vector<Item> items;
  Numbers operands;  // of the items
  std::pmr::vector<int> roots;
  bool joins_scalars = false;  // those that are worth the same

  const Node& node(int k) const { return *items[as_index(k)].node; }
  /// What a view is of; the node itself if it is none.
  int behind(int k) const {
    return node(k).kind == NodeKind::view ? items[as_index(k)].operands[0] : k;
  }
};

/// Fails unless all are values of arrays on one device.
void check_roots(std::span<const Expr> roots);

/// What it needs is taken from `memory`, which has to outlive it.
Numbered number(std::span<const Expr> roots,
                std::pmr::memory_resource* memory = std::pmr::get_default_resource());

/// All that a plan depends on, as bytes: operations, dtypes, shapes, how arrays lie; not where, nor
/// what scalars are worth.
std::string plan_key(const Numbered& numbered, const Device& device);

}  // namespace gpuarr::expr
