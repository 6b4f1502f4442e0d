// Expressions of inputs of which all is known but where they are: numbered and planned, for arrays
// and numbers to be put in place of their leaves.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/once.hpp"
#include "expr/again.hpp"
#include "expr/evaluation.hpp"

namespace gpuarr::expr {

/// Nodes of inputs as they count for a plan: without their memory, which must not be kept.
std::vector<Expr> stand_ins(std::span<const Argument> inputs);

/// Inputs with equal keys give equal frames. `reads` has those numbers whose worth counts.
std::string frame_key(std::span<const Argument> inputs, std::span<const char> reads);

struct Frame {
  struct Source {  // of an array or a number that is an input, or a view of one
    int input = -1;
    bool is_view = false;
    int64_t offset = 0;  // in bytes
  };

  /// `given` are the inputs' stand-ins, of which the roots are made.
  Frame(std::vector<Expr> all, std::span<const Expr> given);

  /// The leaves of a call; `kept` has those that are views of inputs.
  Leaves leaves(std::span<const Argument> inputs, std::pmr::vector<Array>& kept) const;

  /// As evaluate(), with `inputs`, which are as the stand-ins were. Any thread.
  std::vector<std::optional<Array>> run(std::span<const Argument> inputs,
                                        std::span<const Array* const> outputs,
                                        Stream* stream) const;

  Device& device() const { return *roots[0]->device; }

  const std::vector<Expr> roots;
  const Numbered numbered;
  std::vector<Source> sources;  // by item
  ptrdiff_t views = 0;          // of inputs
  std::shared_ptr<const Program> program;
  // The first evaluation; has null if that cannot be done again.
  mutable Once<std::unique_ptr<const Again>> first;
};

}  // namespace gpuarr::expr
