// What elementwise kernels, reductions and scans have in common: parameters, options, and the
// functions that were compiled so far, one for each variant.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernel/binding.hpp"
#include "kernel/launch/call.hpp"
#include "kernel/launch/table.hpp"
#include "kernel/text/diagnose.hpp"
#include "kernel/text/options.hpp"

namespace gpuarr {

/// What a call without outputs would give.
struct CallFacts {
  std::vector<DType> dtypes;  // of inputs, then of outputs
  Dims shape;                 // of the outputs
};

struct Generated {
  /// `kind` is the name of kernels that have none.
  Generated(const std::string& in_params, const std::string& out_params,
            const KernelOptions& options, const char* kind);

  /// Compiles a source, or finds it compiled. `pieces` are what the user may be told about.
  std::shared_ptr<Function> compile(const Binding& binding, Device& device,
                                    const std::string& source, const std::string& symbol,
                                    std::span<const UserPiece> pieces) const;
  /// The same of a raw kernel's source.
  std::shared_ptr<RawFunction> compile_raw(const Binding& binding, Device& device,
                                           const std::string& source, const std::string& symbol,
                                           std::span<const UserPiece> pieces) const;
  std::string types(const Binding& binding) const;  // "float32 x -> float32 y", for messages
  /// Bytes are those of the elements that the loop reads and writes, each counted once; of arrays
  /// that the body indexes itself nobody knows.
  LaunchLabel label(const Binding& binding) const;
  CallFacts facts_of(const Binding& binding) const;

  const uint64_t id;  // of this kernel among all of the process
  Signature signature;
  std::vector<OperandName> names;  // inputs, then outputs
  std::vector<Letter> letters;
  std::string name;
  std::string defines;               // that were among the compiler's options
  std::vector<std::string> options;  // the others
  std::vector<UserPart> parts;       // that are in the preamble
  bool contract;
  int checks;  // of a raw kernel
  std::optional<double> time_limit;
  FunctionTable table;

 private:
  [[noreturn]] void fail_compile(const CompileError& error, const Binding& binding,
                                 const Device& device, std::span<const UserPiece> pieces) const;
};

/// Those of an array that is seen through axes with stride 0, each once.
int64_t distinct_elements(const Layout& layout);

/// The bytes of a call's parameters, which must fit a launch.
size_t checked_parameter_bytes(size_t bytes);

}  // namespace gpuarr
