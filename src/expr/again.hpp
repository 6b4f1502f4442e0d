// Evaluations that are one launch, done again for leaves and results that lie as they did: that
// costs what a prepared call does.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "expr/program.hpp"
#include "kernel/repeat.hpp"

namespace gpuarr::expr {

class Again {
 public:
  /// Of what was launched for these nodes, and where the results are. Null where that was not all
  /// that was done.
  static std::unique_ptr<const Again> of(const Numbered& numbered,
                                         std::shared_ptr<const Program> program,
                                         std::optional<Repeat> repeat,
                                         std::span<const Array* const> given,
                                         std::span<const std::optional<Array>> made);

  /// As evaluate(), for nodes of the same plan; `leaf` gives what item k is. Nothing is done, and
  /// nothing returned, where a result or a leaf is not as it was.
  template <class Leaf>
  std::optional<std::vector<std::optional<Array>>> run(const Leaf& leaf,
                                                       std::span<const Array* const> given,
                                                       Stream& stream) const {
    const std::vector<Input>& wanted = program_->steps[0].inputs;
    std::array<Argument, max_operands> inputs;
    for (size_t k = 0; k < wanted.size(); ++k)
      inputs[k] = wanted[k].kind == Input::ddof ? Argument{} : leaf(wanted[k].item);
    return run({inputs.data(), wanted.size()}, given, stream);
  }

 private:
  struct Result {
    size_t output;  // of the kernel
    DType dtype;
    Layout layout;
  };

  Again(std::shared_ptr<const Program> program, Repeat repeat)
      : program_(std::move(program)), repeat_(std::move(repeat)) {}
  static bool suits(const Result& result, const Array& given, const Device& device);
  std::optional<std::vector<std::optional<Array>>> run(std::span<const Argument> inputs,
                                                       std::span<const Array* const> given,
                                                       Stream& stream) const;

  std::shared_ptr<const Program> program_;
  Repeat repeat_;
  std::vector<Result> results_;  // by root
};

}  // namespace gpuarr::expr
