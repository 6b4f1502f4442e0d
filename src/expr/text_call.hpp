// A text with its arguments: what a thread calls twice with arguments of a kind is kept as a frame,
// as a formula's is, so that no nodes are made.
#pragma once

#include "expr/eval.hpp"
#include "expr/frame.hpp"

namespace gpuarr::expr {

class TextCall {
 public:
  /// The variables, and what they stand for, are there until it has run.
  TextCall(std::string_view text, std::span<const Variable> variables);

  /// Their dtypes, shapes and devices are those of the results.
  std::span<const Expr> results() const { return frame_ != nullptr ? frame_->roots : nodes_; }

  /// As evaluate().
  std::vector<std::optional<Array>> run(std::span<const Array* const> outputs,
                                        Stream* stream) const;

 private:
  std::vector<Argument> arguments_;
  std::shared_ptr<const Frame> frame_;  // else there are nodes
  std::vector<Expr> nodes_;
};

}  // namespace gpuarr::expr
