// A launch as it was, to be done again with other arrays that lie as those did: nothing is checked,
// laid out or looked for but what depends on where they are.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "codegen/layout/fields.hpp"
#include "kernel/binding.hpp"

namespace gpuarr {

class Repeat {
 public:
  /// `offsets` are those of operands, inputs first, in the parameters.
  Repeat(std::shared_ptr<Function> function, const LaunchShape& shape,
         std::span<const std::byte> parameters, std::span<const Operand> operands,
         const FieldOffsets& offsets);

  /// Whether the same launch does it for these, which have the dtypes and layouts of those: arrays
  /// that are aligned as they were, and outputs that meet what they met.
  bool suits(std::span<const Argument> inputs, std::span<const Array* const> outputs) const;

  /// Launches it for what it suits. Scalars are converted to the parameters' dtypes; one that is
  /// null is what it was.
  void launch(std::span<const Argument> inputs, std::span<const Array* const> outputs,
              Stream& stream) const;

  /// Where the output was.
  const char* data_of(size_t output) const { return slots_[inputs_ + output].data; }

 private:
  struct Slot {
    DType dtype;
    int offset;         // in the parameters
    const char* data;   // of the array as it was; null for a scalar
    int64_t shift = 0;  // from its first element to where the kernel begins
    int64_t low = 0;    // bytes from its first element to the lowest, and behind the highest
    int64_t high = 0;
  };

  static bool meet(const Slot& a, const char* data_a, const Slot& b, const char* data_b);
  bool meets_as_before(size_t output, const char* data, size_t other, const char* of_other) const;

  std::shared_ptr<Function> function_;
  LaunchShape shape_;
  std::vector<std::byte> parameters_;
  std::vector<Slot> slots_;  // inputs, then outputs
  size_t inputs_ = 0;
};

}  // namespace gpuarr
