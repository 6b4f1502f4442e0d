// The nodes of some expressions, each once: numbered so that operands come before what uses them.
#pragma once

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
  Numbers() = default;
  Numbers(Numbers&&) = default;
  Numbers& operator=(Numbers&&) = default;

  int* take(size_t count);

 private:
  std::vector<std::vector<int>> blocks_;
};

/// Equal expressions have one number. Arrays that are the same view of the same memory are equal,
/// scalars only where they are one node: what they are worth shall not choose the kernel. Where
/// there are many, equal ones are joined all the same, since a kernel takes few.
struct Numbered {
  std::vector<Item> items;
  std::vector<int> roots;
  Numbers operands;  // of the items

  const Node& node(int k) const { return *items[as_index(k)].node; }
};

/// Fails unless all are values of arrays on one device.
void check_roots(std::span<const Expr> roots);

Numbered number(std::span<const Expr> roots);

/// All that a plan depends on, as bytes: operations, dtypes, shapes, how arrays lie; not where, nor
/// what scalars are worth.
std::string plan_key(const Numbered& numbered, const Device& device);

}  // namespace gpuarr::expr
