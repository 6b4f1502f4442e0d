// A plan with its kernels: what is kept for all expressions of a kind.
#pragma once

#include <memory>
#include <vector>

#include "expr/text.hpp"
#include "kernel/elementwise.hpp"
#include "kernel/reduction.hpp"
#include "kernel/row.hpp"
#include "kernel/scan.hpp"

namespace gpuarr::expr {

/// One launch.
struct Step {
  Elementwise* loop = nullptr;  // one of these
  Reduction* reduction = nullptr;
  Row* row = nullptr;
  Scan* scan = nullptr;
  int users = -1;  // an item, whose node has the kernel, or is a product of matrices
  std::vector<Input> inputs;
  std::vector<int> outputs;  // -1 for one of a user's kernel that nobody wants
  bool makes_shape = false;  // the loop has the shape of its outputs, and of no input
  int ndim = 0;              // of the loop
  ScanRequest scans;
  Layout rows;  // of a row kernel: as what it makes and reads of the loop's shape lies
  std::vector<int32_t> axes;  // that are reduced
  std::vector<int> last;      // stored nodes that nobody reads after it

  /// How a row kernel wants what is stored for it, and what it makes.
  Layout layout_of(const Dims& shape) const {
    return shape == rows.shape ? rows : Layout{shape, dense_strides(shape, Order::c)};
  }

  /// Of the step's inputs and outputs, in their order.
  struct Operands {
    std::span<const Argument> inputs;
    std::span<const Array* const> outputs;
  };
  /// Where the launch can be repeated, `repeat` gets it.
  MadeOutputs run(const Numbered& numbered, const Operands& operands, Stream& stream,
                  std::optional<Repeat>* repeat = nullptr) const;
  PreparedCall prepare(const Numbered& numbered, const Operands& operands, Device& device) const;
};

struct Program {
  std::vector<Step> steps;

  /// One loop, and rows, may write where they read; several launches may not.
  bool works_in_place() const {
    return steps.size() == 1 && (steps[0].loop != nullptr || steps[0].row != nullptr);
  }
};

Step step_of(const Numbered& numbered, const Plan& plan, const Group& group);

/// Whether the device has a row kernel for the group that is worth it.
bool row_fits(const Numbered& numbered, const Plan& plan, const Group& group, const Device& device);

/// The program for these nodes, which are on the device: known, or planned. Any thread, without
/// waiting for others that evaluate.
std::shared_ptr<const Program> program_for(const Numbered& numbered, const Device& device);

}  // namespace gpuarr::expr
