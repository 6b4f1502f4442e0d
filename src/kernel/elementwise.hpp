// Elementwise kernels: parsed once, compiled for each combination of dtypes and layouts, launched.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "codegen/elementwise/elementwise.hpp"
#include "codegen/elementwise/parameters.hpp"
#include "kernel/generated.hpp"
#include "kernel/repeat.hpp"

namespace gpuarr {

class Elementwise {
 public:
  Elementwise(const std::string& in_params, const std::string& out_params, const UserText& body,
              const KernelOptions& options);

  /// `outputs` has null where an array is to be made; those are returned. A null stream is the
  /// current one of the arrays' device; without arrays there must be one.
  MadeOutputs call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                   int64_t size, Stream* stream, std::optional<Repeat>* repeat = nullptr);

  PreparedCall prepare(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                       int64_t size, Device& fallback);

  std::string source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                     int64_t size, Device& fallback);

  /// Of arrays that need no memory. Fails as a call does.
  CallFacts facts_of(std::span<const Argument> inputs) const;
  const Generated& generated() const { return generated_; }
  const ElementwiseText& text() const { return text_; }

  size_t input_count() const { return generated_.signature.inputs.size(); }
  size_t output_count() const { return generated_.signature.outputs.size(); }

 private:
  std::string generate(const Plan& plan, const Target& target) const;
  const std::shared_ptr<Function>& function_for(const Plan& plan, const Binding& binding,
                                                Device& device);
  void launch(const Binding& binding, Stream& stream, std::optional<Repeat>* repeat);

  Generated generated_;
  ElementwiseText text_;
  BodyTraits traits_;
};

}  // namespace gpuarr
