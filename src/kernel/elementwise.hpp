// Elementwise kernels: parsed once, compiled for each combination of dtypes and layouts, launched.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codegen/elementwise/elementwise.hpp"
#include "codegen/elementwise/parameters.hpp"
#include "kernel/binding.hpp"
#include "kernel/call.hpp"
#include "kernel/options.hpp"
#include "kernel/signature.hpp"
#include "kernel/table.hpp"

namespace gpuarr {

class Elementwise {
 public:
  Elementwise(const std::string& in_params, const std::string& out_params, const std::string& body,
              const KernelOptions& options);

  using MadeOutputs = std::vector<std::pair<int, Array>>;  // by output

  /// `outputs` has null where an array is to be made; those are returned. A null stream is the
  /// current one of the arrays' device; without arrays there must be one.
  MadeOutputs call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                   int64_t size, Stream* stream);

  PreparedCall prepare(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                       int64_t size, Device& fallback);

  std::string source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                     int64_t size, Device& fallback);

  size_t input_count() const { return signature_.inputs.size(); }
  size_t output_count() const { return signature_.outputs.size(); }

 private:
  std::string generate(const Plan& plan, const Binding& binding) const;
  const std::shared_ptr<Function>& function_for(const Plan& plan, const Binding& binding,
                                                Device& device);
  std::shared_ptr<Function> compile(const Plan& plan, const Binding& binding, Device& device) const;
  void launch(const Binding& binding, Stream& stream);
  LaunchLabel label(const Binding& binding) const;
  std::string headline(const Binding& binding, const Device& device) const;

  Signature signature_;
  ElementwiseText text_;
  std::vector<std::string> compiler_options_;
  bool contract_;
  std::optional<double> time_limit_;
  BodyTraits traits_;
  std::vector<OperandName> names_;
  FunctionTable table_;
};

}  // namespace gpuarr
