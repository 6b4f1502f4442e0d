// Scans: parsed once, compiled for each combination of dtypes and layouts, launched.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "codegen/scan/scan.hpp"
#include "kernel/map_reduce.hpp"

namespace gpuarr {

/// Along which axis, and whether results leave out their own element.
struct ScanRequest {
  int axis = 0;
  bool exclusive = false;
};

class Scan {
 public:
  Scan(const MapReduceSpec& spec, const KernelOptions& options);

  /// `outputs` has null where an array is to be made; those are returned. A null stream is the
  /// current one of the arrays' device.
  MadeOutputs call(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                   const ScanRequest& request, Stream* stream);

  std::string source(std::span<const Argument> inputs, std::span<const Array* const> outputs,
                     const ScanRequest& request);

  size_t input_count() const { return generated_.signature.inputs.size(); }
  size_t output_count() const { return generated_.signature.outputs.size(); }

 private:
  struct Job;

  void run(const Job& job, Stream& stream);
  std::string generate(const ReductionText& typed, const Job& job) const;
  const std::shared_ptr<Function>& function_for(const Job& job, ScanStage stage);
  LaunchLabel label(const Job& job, ScanStage stage) const;

  Generated generated_;
  ReductionText text_;
};

/// Memory for one call, out of the stream's pool; on a GPU of 0 bytes where `clear` says so. Fails
/// in a stream that only the driver knows to be captured, whose graph could not keep it.
Array scratch(int64_t bytes, bool clear, Stream& stream);

}  // namespace gpuarr
