// What the texts of all kinds of groups are written with.
#pragma once

#include "expr/values.hpp"

namespace gpuarr::expr {

struct GroupWriter {
  GroupWriter(const Numbered& numbered, const Plan& plan, const Group& group);

  const Node& node(int k) const { return numbered.node(k); }
  std::span<const int> operands(int k) const { return numbered.items[as_index(k)].all(); }

  /// "y0 = v7;" for outputs from ... to.
  std::string store(size_t from, size_t to) const;

  std::string users_scalar(int fold, int scalar);

  GroupText take(std::variant<LoopText, FoldsText, RowsText, KernelText> parts,
                 std::string reduce_type = "");

  const Numbered& numbered;
  const Plan& plan;
  const Group& group;
  const Needs needs;
  Values values;

 private:
  std::string kernel_name() const;
};

/// A reduction or a scan as the texts have it.
struct FoldWriter {
  FoldWriter(GroupWriter& writer, int fold, bool identity_enters);

  /// "r0::map(x, _J)" of the operands.
  std::string map(const std::string& operands) const;
  /// "r0::value(a, n, ...)"
  std::string value(const std::string& partial) const;

  std::string space;  // "r0"
  FoldType type;
  bool has_identity;
  std::string numbered = "0";  // what map gets as _J
  std::string rest;            // what value gets behind a

 private:
  void take_ready(GroupWriter& writer, int fold, bool identity_enters);
  void take_users(GroupWriter& writer, const UserReduction& user, bool identity_enters);
  void take_scan(GroupWriter& writer, int fold);
};

RowsText rows_text(GroupWriter& writer);

}  // namespace gpuarr::expr
