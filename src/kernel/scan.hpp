// Scans: parsed once, compiled for each combination of dtypes and layouts, launched.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "codegen/scan/scan.hpp"
#include "kernel/binding.hpp"
#include "kernel/call.hpp"
#include "kernel/map_reduce.hpp"
#include "kernel/options.hpp"
#include "kernel/signature.hpp"
#include "kernel/table.hpp"

namespace gpuarr {

/// Along which axis, and whether results leave out their own element.
struct ScanRequest {
  int axis = 0;
  bool exclusive = false;
};

class Scan {
 public:
  Scan(const MapReduceSpec& spec, const KernelOptions& options);

  using MadeOutputs = std::vector<std::pair<int, Array>>;  // by output

  /// `outputs` has null where an array is to be made; those are returned. A null stream is the
  /// current one of the arrays' device.
  MadeOutputs call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                   const ScanRequest& request, Stream* stream);

  std::string source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                     const ScanRequest& request);

  size_t input_count() const { return signature_.inputs.size(); }
  size_t output_count() const { return signature_.outputs.size(); }

 private:
  struct Job;

  void run(const Job& job, Stream& stream);
  std::optional<DType> type_of(const Binding& binding) const;  // if what is scanned is a dtype
  ReductionText text_for(const Binding& binding) const;
  const std::shared_ptr<Function>& function_for(const Job& job, ScanStage stage);
  std::shared_ptr<Function> compile(const Job& job, ScanStage stage) const;
  LaunchLabel label(const Job& job, ScanStage stage) const;
  std::string headline(const Job& job) const;

  Signature signature_;
  ReductionText text_;
  std::vector<std::string> compiler_options_;
  std::optional<double> time_limit_;
  std::vector<OperandName> names_;
  FunctionTable table_;
};

/// Memory for one call, out of the stream's pool; on a GPU of 0 bytes where `clear` says so. Fails
/// in a stream that only the driver knows to be captured, whose graph could not keep it.
Array scratch(int64_t bytes, bool clear, Stream& stream);

}  // namespace gpuarr
