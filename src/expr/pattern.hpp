// Expressions that are built anew each time that a line of a program runs are told by comparing
// them with what was there before, which takes a third of numbering them and looking for their
// plan.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "expr/again.hpp"

namespace gpuarr::expr {

/// What some expressions are but for which arrays and scalars are their leaves, and their program.
class Pattern {
 public:
  /// Null where they have parts that are too much to compare.
  static std::shared_ptr<const Pattern> of(const Numbered& numbered,
                                           std::shared_ptr<const Program> program,
                                           std::unique_ptr<const Again> again);

  /// The expressions, numbered, if they are these; what they need is taken from `memory`. The
  /// pattern has to outlive them.
  std::optional<Numbered> match(std::span<const Expr> roots,
                                std::pmr::memory_resource* memory) const;

  const Program& program() const { return *program_; }
  const Again* again() const { return again_.get(); }  // null where it cannot be

 private:
  struct Part {
    NodeKind kind;
    DType dtype;
    Small count;
    std::variant<std::monostate, FunctionNode, ReductionNode, Layout> what;
    std::vector<int> operands;
  };

  class Comparison;

  Pattern() = default;
  static bool is_same(const Part& part, const Node& node);

  const Device* device_ = nullptr;
  std::vector<Part> parts_;  // as the nodes are numbered
  std::vector<int> roots_;
  std::shared_ptr<const Program> program_;
  std::unique_ptr<const Again> again_;
};

/// The patterns that the calling thread used last, by what is on top of their expressions.
class RecentPatterns {
 public:
  std::shared_ptr<const Pattern>& at(std::span<const Expr> roots);

 private:
  std::array<std::shared_ptr<const Pattern>, 64> slots_;
};

}  // namespace gpuarr::expr
