// The texts of a group: those of a kernel that a user could have written, or of a row kernel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "expr/plan.hpp"
#include "kernel/map_reduce.hpp"
#include "kernel/row.hpp"

namespace gpuarr::expr {

/// What a parameter of the kernel is.
struct Input {
  enum Kind : uint8_t {
    array,
    scalar,  // as the dtype that the operation computes in
    ddof,    // of a reduction
  };
  Kind kind;
  int item;
  DType dtype;
};

struct LoopText {
  std::string body;
};

/// Of a reduction or a scan.
struct FoldsText {
  std::string map, reduce, post;
  std::optional<std::string> identity;  // which enters by post, where there are several folds
  std::vector<FoldType> folds;          // if there are several
};

struct RowsText {
  std::vector<KeptValue> kept;
  std::vector<RowPass> passes;
  std::string body, finish;
  size_t along = 0;  // outputs that have the loop's shape, the first ones
};

/// A user's kernel has its own.
struct KernelText {};

struct GroupText {
  std::vector<Input> inputs;
  std::string in_params;
  std::vector<std::string> out_params;
  std::variant<LoopText, FoldsText, RowsText, KernelText> parts;
  KernelOptions options;

  /// Of outputs from ... to.
  std::string outputs(size_t from, size_t to) const;
  /// All of it, by which kernels are found again.
  std::string key() const;
};

GroupText text_of(const Numbered& numbered, const Plan& plan, const Group& group);

}  // namespace gpuarr::expr
