// A plan with its kernels: what is kept for all expressions of a kind.
#pragma once

#include <memory>
#include <vector>

#include "expr/text.hpp"
#include "kernel/elementwise.hpp"
#include "kernel/reduction.hpp"
#include "kernel/row.hpp"

namespace gpuarr::expr {

/// One launch.
struct Step {
  Elementwise* loop = nullptr;  // one of these
  Reduction* reduction = nullptr;
  Row* row = nullptr;
  std::vector<Input> inputs;
  std::vector<int> outputs;
  int ndim = 0;               // of the loop
  std::vector<int32_t> axes;  // that are reduced
  std::vector<int> last;      // stored nodes that nobody reads after it

  MadeOutputs run(std::span<const Argument> arguments, std::span<const Array* const> results,
                  Stream& stream) const;
  PreparedCall prepare(std::span<const Argument> arguments, std::span<const Array* const> results,
                       Device& device) const;
};

struct Program {
  std::vector<Step> steps;

  /// One loop, and rows, may write where they read; several launches may not.
  bool works_in_place() const { return steps.size() == 1 && steps[0].reduction == nullptr; }
};

Step step_of(const Numbered& numbered, const Plan& plan, const Group& group);

/// Whether the device has a row kernel for the group that is worth it.
bool row_fits(const Numbered& numbered, const Plan& plan, const Group& group, const Device& device);

/// The program for these nodes, which are on the device: known, or planned. Any thread, without
/// waiting for others that evaluate.
std::shared_ptr<const Program> program_for(const Numbered& numbered, const Device& device);

}  // namespace gpuarr::expr
