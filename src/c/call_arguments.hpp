// A kernel call's arguments, from the C ABI's form into the kernels'.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "c/kernel_handles.hpp"

namespace gpuarr {

struct ParameterCounts {
  size_t inputs;
  size_t outputs;
};

class CallArguments {
 public:
  /// Checks counts and pointers.
  template <class Kernel>
  CallArguments(const Kernel& kernel, gpuarr_array* const* outputs, int32_t output_count,
                const gpuarr_arg* inputs, int32_t input_count)
      : CallArguments(ParameterCounts{kernel.input_count(), kernel.output_count()}, outputs,
                      output_count, inputs, input_count) {}
  CallArguments(ParameterCounts expected, gpuarr_array* const* outputs, int32_t output_count,
                const gpuarr_arg* inputs, int32_t input_count);
  CallArguments(const CallArguments&) = delete;
  CallArguments& operator=(const CallArguments&) = delete;

  std::span<const Argument> inputs() const { return {inputs_.data(), input_count_}; }
  std::span<const Array* const> outputs() const { return {outputs_.data(), output_count_}; }
  bool has_array() const;
  Device& device_or_default() const;
  void require_outputs() const;

  /// Gives the arrays that a call made to the caller.
  static void hand_out(gpuarr_array** outputs, MadeOutputs&& made);

 private:
  size_t input_count_;
  size_t output_count_;
  std::array<Argument, max_operands> inputs_;
  // inputs_ points to Scalars in it: a call has no time to ask for memory, nor to clear so much.
  alignas(Scalar) std::array<std::byte, max_operands * sizeof(Scalar)> scalars_;
  std::array<const Array*, max_operands> outputs_;
};

/// The axes of a reduction.
AxisRequest axis_request(const int32_t* axes, int32_t axis_count, int32_t keepdims);

}  // namespace gpuarr
