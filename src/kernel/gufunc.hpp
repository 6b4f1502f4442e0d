// Gufuncs: a body for each place of the outer dimensions, which sees the cores of the arrays there.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>

#include "codegen/gufunc/gufunc.hpp"
#include "codegen/gufunc/parameters.hpp"
#include "kernel/generated.hpp"

namespace gpuarr {

/// What a caller asks for, not checked yet.
struct GufuncSpec {
  std::string signature;
  std::string in_params;
  std::string out_params;
  UserText body;
  int32_t group = 0;  // GPUARR_GROUP_..., or threads of a block
  Order order = Order::c;
};

class Gufunc {
 public:
  Gufunc(const GufuncSpec& spec, const KernelOptions& options);

  /// `outputs` has null where an array is to be made; those are returned. A null stream is the
  /// current one of the arrays' device; without arrays there must be one.
  MadeOutputs call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                   Stream* stream);

  PreparedCall prepare(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                       Device& fallback);

  std::string source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                     Device& fallback);

  size_t input_count() const { return generated_.signature.inputs.size(); }
  size_t output_count() const { return generated_.signature.outputs.size(); }

 private:
  struct Job;

  void lay_out(Job& job, Device& device) const;
  Group group_of(const Job& job, const Device& device) const;
  size_t write(const Job& job, std::span<std::byte> to, FieldOffsets* offsets) const;
  void launch(const Job& job, Stream& stream);
  std::string generate(const GufuncPlan& plan, const Target& target) const;
  std::array<UserPiece, 3> pieces() const;
  PreparedFunction function_for(const Job& job, Device& device);
  PreparedRaw raw_for(const Job& job, Device& device);
  LaunchLabel label(const Job& job) const;

  Generated generated_;
  GufuncText text_;
  Group group_ = Group::thread;  // asked for, unless chosen for each call
  bool chooses_ = false;
  int threads_ = 0;  // asked for, of a block
  Touched touched_;  // as far as the texts tell
  Table<RawFunction> raw_table_;
};

}  // namespace gpuarr
