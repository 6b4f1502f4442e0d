// Row kernels: each row is read once, folded in passes, and written once. They are made of
// expressions, so the texts are ours and not a user's.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "codegen/row/parameters.hpp"
#include "codegen/row/row.hpp"
#include "kernel/generated.hpp"
#include "kernel/repeat.hpp"

namespace gpuarr {

/// The parameters and the texts. Outputs along rows have the loop's shape, those of rows one
/// element for each; names are as in other parameter lists.
struct RowSpec {
  std::string in_params;
  std::string along_params;
  std::string row_params;
  std::vector<KeptValue> kept;
  std::vector<RowPass> passes;
  UserText body;
  UserText finish;
};

class Row {
 public:
  Row(const RowSpec& spec, const KernelOptions& options);

  /// `outputs`, those along rows first, has null where an array is to be made; those are returned.
  /// An output may lie on an input of the same shape. A null stream is the current one of the
  /// arrays' device.
  MadeOutputs call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                   const AxisRequest& axes, Stream* stream,
                   std::optional<Repeat>* repeat = nullptr);

  PreparedCall prepare(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                       const AxisRequest& axes);

  std::string source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                     const AxisRequest& axes);

  size_t input_count() const { return generated_.signature.inputs.size(); }
  size_t output_count() const { return generated_.signature.outputs.size(); }
  const RowTraits& traits() const { return traits_; }

 private:
  struct Job;

  void check_length(const Binding& binding) const;
  void launch(const Binding& binding, Stream& stream, std::optional<Repeat>* repeat);
  const std::shared_ptr<Function>& function_for(const Job& job);

  Generated generated_;
  RowText text_;
  RowTraits traits_;
};

/// What a device has for rows.
RowDevice row_device(const Device& device);

}  // namespace gpuarr
