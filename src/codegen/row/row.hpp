// The source of a row kernel for one variant: a kernel that reads each row once, folds it in passes
// that build on each other, and writes it once.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "codegen/elementwise/elementwise.hpp"
#include "codegen/row/plan.hpp"

namespace gpuarr {

/// A number of each element that lives from pass to pass. It depends on inputs, scalars and results
/// alone, so that a form that has no room for it computes it again.
struct KeptValue {
  std::string name;
  DType dtype;
};

/// One operator of a pass, which is commutative, and the result that it leaves.
struct RowFold {
  std::string name;  // of the result
  DType dtype;
  UserText type;  // of a partial result, as C++ spells it
  int bytes;      // of one
  UserText map;
  UserText reduce;
  std::optional<UserText> identity;
  UserText post;  // an expression
};

/// A number of each row that is computed once, of what is known of the row by then.
struct RowValue {
  std::string name;
  DType dtype;
  UserText value;  // an expression
};

struct RowPass {
  UserText keep;  // statements for each element that set kept values
  std::vector<RowFold> folds;
  std::vector<RowValue> values = {};  // behind the folds, each of which may use those before it
};

/// What a pass leaves of a row: of its folds, then its values.
struct RowResult {
  std::string_view name;
  DType dtype;
};
std::vector<RowResult> results_of(const RowPass& pass);

/// What a kernel computes. The texts see the inputs and the kept values by name, what earlier
/// passes leave, scalars, `n`, the elements of a row, `i` and `_J`. Posts, values and `finish` have
/// no element: of the inputs they see those that have one for a row.
struct RowText {
  std::string name;  // of the kernel; its symbol is this and _kernel
  UserText preamble;
  std::vector<KeptValue> kept;
  std::vector<RowPass> passes;
  UserText body;    // statements for each element that set outputs along rows
  UserText finish;  // statements for each row that set outputs of one element for it
  UserText defines = {};

  std::vector<const UserText*> all() const;
  bool has_folds() const;  // a pass with several
};

/// `names` are the operands'.
RowTraits traits_of(const RowText& text, std::span<const OperandName> names);

/// The whole source. `letters` are the placeholders.
std::string row_source(const RowText& text, const Target& target, const RowVariant& variant,
                       std::span<const OperandName> names, std::span<const Letter> letters);

}  // namespace gpuarr
