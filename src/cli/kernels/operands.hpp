// The arrays and scalars that a kernel of the command runs over.
#pragma once

#include <vector>

#include "cli/base/progress.hpp"
#include "cli/kernels/job.hpp"
#include "cli/kernels/kernel.hpp"

namespace cli {

class Operands {
 public:
  /// Loads the arguments of a job onto a device.
  Operands(const Job& job, gpuarr_device* device, gpuarr_stream* stream, Progress& progress);

  const std::vector<gpuarr_arg>& inputs() const { return inputs_; }

  /// For each output its array; null where there is none yet.
  std::vector<gpuarr_array*> outputs() const;

  /// Runs the kernel once; the outputs that were missing are there afterwards.
  void call(const Kernel& kernel, gpuarr_stream* stream);

  /// Arrays that a kernel changes which it also reads.
  std::vector<gpuarr_array*> in_place() const;

  /// Bytes of all inputs and outputs, one that is both counted twice.
  int64_t bytes() const;

 private:
  std::vector<Array> arrays_;  // one for each argument; empty for a scalar
  std::vector<gpuarr_arg> inputs_;
  std::vector<Array> outputs_;
};

}  // namespace cli
