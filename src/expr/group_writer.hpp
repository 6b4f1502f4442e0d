// What the texts of all kinds of groups are written with.
#pragma once

#include "expr/values.hpp"

namespace gpuarr::expr {

struct GroupWriter {
  GroupWriter(const Numbered& numbered, const Plan& plan, const Group& group);

  const Node& node(int k) const { return numbered.node(k); }
  int operand(int k) const { return numbered.items[as_index(k)].operands[0]; }

  /// "y0 = v7;" for outputs from ... to.
  std::string store(size_t from, size_t to) const;

  GroupText take(std::variant<LoopText, FoldsText, RowsText> parts, std::string reduce_type = "");

  const Numbered& numbered;
  const Plan& plan;
  const Group& group;
  const Needs needs;
  Values values;

 private:
  std::string kernel_name() const;
};

/// A reduction as the texts have it.
struct FoldWriter {
  FoldWriter(GroupWriter& writer, int fold, bool identity_enters);

  /// "r0::value(a, n, ...)"
  std::string value(const std::string& partial) const;

  ReducerText text;
  std::string space;  // "r0"
  FoldType type;
  bool numbered;     // map reads _J
  std::string ddof;  // a scalar's name, or 0
};

RowsText rows_text(GroupWriter& writer);

}  // namespace gpuarr::expr
