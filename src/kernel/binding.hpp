// A call's arguments checked against the parameters: types, shapes, devices. What is left over are
// operands that code can be generated for.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "array/array.hpp"
#include "array/scalar.hpp"
#include "codegen/gufunc/cores.hpp"
#include "codegen/reduction/plan.hpp"
#include "kernel/text/signature.hpp"

namespace gpuarr {

/// One argument: an array, or a scalar.
struct Argument {
  const Array* array;    // null for a scalar
  const Scalar* scalar;  // else null
};

constexpr int64_t no_size = -1;

/// Fails where a shape has more elements than can be counted; `whose` names it in the message.
void check_size(const Dims& shape, const char* whose = "the loop's");

using MadeOutputs = std::vector<std::pair<int, Array>>;  // by output

/// What was made of a kernel's only output; nothing where it was given.
inline std::optional<Array> only_of(MadeOutputs made) {
  if (made.empty()) return std::nullopt;
  return std::move(made[0].second);
}

/// Which axes a reduction is asked for.
struct AxisRequest {
  std::span<const int32_t> axes;  // if not all; may be negative
  bool all = true;
  bool keepdims = false;
};

/// Inputs first, then outputs: operand k is parameter k. Lives as long as one call; arrays that it
/// made are in `made`.
class Binding {
 public:
  /// `outputs` has null where an array is to be made.
  Binding(const Signature& signature, std::span<const Argument> inputs,
          std::span<const Array* const> outputs, int64_t size);

  /// A reduction: outputs have the inputs' shape without the reduced axes.
  Binding(const Signature& signature, std::span<const Argument> inputs,
          std::span<const Array* const> outputs, const AxisRequest& axes);

  /// Rows: the first `along` outputs have the loop's shape, the others that of a reduction's, with
  /// the reduced axes or without them.
  Binding(const Signature& signature, std::span<const Argument> inputs,
          std::span<const Array* const> outputs, const AxisRequest& axes, int along);

  /// A gufunc: the loop is over the axes that are no core's. Which are which goes to `axes`, which
  /// the operands' layouts are in.
  Binding(const Signature& signature, std::span<const Argument> inputs,
          std::span<const Array* const> outputs, const CoreSignature& cores, CoreAxes& axes);

  Device* device() const { return device_; }  // null if no argument is an array
  /// The stream to work in: the given one, checked, or the current one of the arrays' device.
  Stream& stream(Stream* given) const;
  const Dims& shape() const { return shape_; }
  bool empty() const { return size_of(shape_) == 0; }
  const Dims& out_shape() const { return out_shape_; }
  const ReducedAxes& axes() const { return axes_; }
  std::span<const Operand> operands() const { return {operands_.data(), count_}; }

  /// Makes the missing outputs, in the memory order of the inputs.
  void make_outputs(Stream& stream);
  MadeOutputs take_made();

  /// Copies the inputs that an output overlaps at another place; fails where outputs overlap.
  /// Returns whether there were any.
  bool separate(Stream& stream, bool may_copy = true);

  /// Whether an output without a core may lie on such an input: each place then reads it before it
  /// writes.
  void allow_in_place(bool allowed) { in_place_ = allowed; }

  /// Fails where an output shares memory with any other array that is not raw.
  void require_apart() const;

  /// Tells every array's memory that the stream uses it.
  void mark_used(Stream& stream) const;

  std::vector<Array> arrays() const;  // that were given or made

 private:
  Binding(const Signature& signature, std::span<const Argument> inputs,
          std::span<const Array* const> outputs);

  std::span<const std::pair<char, DType>> letters() const { return {letters_.data(), lettered_}; }
  void take_types(std::span<const Argument> inputs, std::span<const Array* const> outputs);
  void bind_letter(int k, DType dtype);
  DType type_of(const Parameter& parameter) const;
  std::string reason_for_type(const Parameter& parameter) const;  // for a message
  void take_devices();
  bool join_shapes(int count);  // of the first arrays; false where all are raw
  void take_shape(int64_t size);
  void take_input_shape();
  void take_axes(const AxisRequest& axes);
  Dims results_shape(bool keepdims) const;
  void take_layouts();
  bool is_along(int k) const { return k < inputs_ + along_; }  // an output of the loop's shape
  void check_shape(int k) const;
  void require_own_elements(int k) const;
  Dims strides_of_new(bool along) const;
  void copy_input(int k, Stream& stream);
  void take_array(int k, const Array& array);   // in the place of one, or of none
  bool may_share(int output, int other) const;  // their memory, as they lie

  // Of a gufunc (binding_cores.cpp).
  void take_missing();
  void split(int k);
  int core_axes(int k) const;  // that its array has
  void take_size(int k, int dim, int64_t extent);
  void take_core_shapes();
  void take_core_layouts();
  int64_t known_size(int k, int dim) const;
  Layout layout_of_new(int k) const;
  const Layout& loop_layout(int k) const {
    return core_axes_ != nullptr ? core_axes_->operands[as_index(k)].outer : array(k)->layout;
  }

  const Parameter& parameter(int k) const;
  const Array* array(int k) const { return arrays_[as_index(k)]; }
  std::string label(int k) const;  // "input 0 (\"x\")"
  bool is_output(int k) const { return k >= inputs_; }

  const Signature& signature_;
  int inputs_;
  size_t count_;
  bool reduces_ = false;
  bool rows_ = false;
  int along_ = 0;  // outputs that have the loop's shape where others have not
  const CoreSignature* cores_ = nullptr;  // of a gufunc
  CoreAxes* core_axes_ = nullptr;
  bool in_place_ = true;
  Device* device_ = nullptr;
  Dims shape_;      // of the loop
  Dims out_shape_;  // of the outputs
  ReducedAxes axes_;
  std::array<Operand, max_operands> operands_;
  std::array<const Array*, max_operands> arrays_;
  size_t lettered_ = 0;
  std::array<std::pair<char, DType>, max_operands> letters_;
  std::array<uint8_t, max_operands> bound_by_;  // for each letter the operand that bound it
  // Filled only where needed, so that an ordinary call allocates nothing.
  std::vector<std::pair<int, Array>> made_;  // by operand
  std::vector<Array> copies_;
  std::array<std::array<unsigned char, 16>, max_operands> values_;
};

}  // namespace gpuarr
