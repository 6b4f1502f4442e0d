// A call made ready in advance: nothing is left to do but launch.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "array/array.hpp"
#include "array/scalar.hpp"
#include "codegen/elementwise/elementwise.hpp"
#include "codegen/layout/fields.hpp"
#include "kernel/launch/profile.hpp"

namespace gpuarr {

/// What a generated kernel is launched with.
struct PreparedFunction {
  std::shared_ptr<Function> function;  // null for a loop of size 0
  LaunchShape shape;
};

/// What a raw one is.
struct PreparedRaw {
  std::shared_ptr<RawFunction> function;  // null for an empty grid
  RawLaunch launch;
  std::vector<ArraySpan> spans;
};

class PreparedCall {
 public:
  struct ScalarSlot {  // of an input that was given as a scalar
    int input;
    int offset;  // in the parameters
    DType dtype;
    size_t launch = 0;
  };

  PreparedCall(Device& device, std::variant<PreparedFunction, PreparedRaw> target,
               std::vector<std::byte> parameters, std::vector<Array> arrays,
               std::vector<ScalarSlot> scalars, LaunchLabel label);

  /// Several, one after another. `input_of` tells which input of the whole an input of part k is,
  /// or -1.
  PreparedCall(Device& device, std::vector<PreparedCall> parts,
               const std::function<int(size_t part, int input)>& input_of);

  Device& device() const { return device_; }
  void launch(Stream& stream);
  void set_scalar(int input, const Scalar& value);

 private:
  struct Launch {
    std::variant<PreparedFunction, PreparedRaw> target;
    std::vector<std::byte> parameters;
    LaunchLabel label;

    void run(std::span<const Array> arrays, Stream& stream);
  };

  Device& device_;
  std::vector<Launch> launches_;
  std::vector<Array> arrays_;
  std::vector<ScalarSlot> scalars_;
};

/// Where a call's scalars went in its parameters.
std::vector<PreparedCall::ScalarSlot> scalar_slots(std::span<const Operand> operands,
                                                   const FieldOffsets& offsets);

}  // namespace gpuarr
