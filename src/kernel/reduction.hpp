// Reduction kernels: parsed once, compiled for each combination of dtypes and layouts, launched.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codegen/reduction.hpp"
#include "codegen/reduction_parameters.hpp"
#include "kernel/binding.hpp"
#include "kernel/call.hpp"
#include "kernel/options.hpp"
#include "kernel/signature.hpp"
#include "kernel/table.hpp"

namespace gpuarr {

/// The user's texts, as given.
struct ReductionSpec {
  std::string in_params;
  std::string out_params;
  std::string map;
  std::string reduce;
  std::string post;
  std::optional<std::string> identity;
};

class Reduction {
 public:
  Reduction(const ReductionSpec& spec, const KernelOptions& options);

  using MadeOutputs = std::vector<std::pair<int, Array>>;  // by output

  /// `outputs` has null where an array is to be made; those are returned. A null stream is the
  /// current one of the arrays' device.
  MadeOutputs call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                   const AxisRequest& axes, Stream* stream);

  PreparedCall prepare(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                       const AxisRequest& axes);

  std::string source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                     const AxisRequest& axes);

  size_t input_count() const { return signature_.inputs.size(); }
  size_t output_count() const { return signature_.outputs.size(); }

 private:
  struct Job;

  Stage checked_stage(const Binding& binding) const;
  std::optional<DType> reduce_dtype(const Binding& binding) const;
  ReductionText text_for(const Binding& binding) const;
  const std::shared_ptr<Function>& function_for(const Job& job);
  std::shared_ptr<Function> compile(const Job& job) const;
  std::string headline(const Binding& binding, const Device& device) const;

  Signature signature_;
  ReductionText text_;
  std::vector<std::string> compiler_options_;
  ReductionTraits traits_;
  std::vector<OperandName> names_;
  FunctionTable table_;
};

}  // namespace gpuarr
