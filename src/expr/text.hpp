// The texts of a group: those of a kernel that a user could have written.
#pragma once

#include <string>
#include <vector>

#include "expr/plan.hpp"
#include "kernel/map_reduce.hpp"

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

struct GroupText {
  std::vector<Input> inputs;
  std::string in_params;
  std::string out_params;
  std::string body;                     // elementwise
  std::string map, reduce, post;        // a reduction
  std::optional<std::string> identity;  // which enters by post, where there are several folds
  std::vector<FoldType> folds;
  KernelOptions options;
};

GroupText text_of(const Numbered& numbered, const Plan& plan, const Group& group);

}  // namespace gpuarr::expr
