// The arrays and scalars that a kernel of the command runs over.
#pragma once

#include <string>
#include <vector>

#include "job.hpp"
#include "objects.hpp"
#include "progress.hpp"

namespace cli {

class Operands {
 public:
  /// Loads the arguments of a job onto a device.
  Operands(const Job& job, gpuarr_device* device, gpuarr_stream* stream, Progress& progress);

  const std::vector<gpuarr_arg>& inputs() const { return inputs_; }
  int32_t input_count() const { return static_cast<int32_t>(inputs_.size()); }
  int32_t output_count() const { return static_cast<int32_t>(outputs_.size()); }

  /// For each output its array; null where there is none yet.
  std::vector<gpuarr_array*> outputs() const;

  /// Runs the kernel once; the outputs that were missing are there afterwards.
  void call(gpuarr_elementwise* kernel, gpuarr_stream* stream);

  /// Number of elements that a call asks for: none once there are arrays that say it.
  int64_t size() const { return size_; }

  /// Arrays that a kernel changes which it also reads.
  std::vector<gpuarr_array*> in_place() const;

  /// Bytes of all inputs and outputs, one that is both counted twice.
  int64_t bytes() const;

 private:
  std::vector<Array> arrays_;  // one for each argument; empty for a scalar
  std::vector<gpuarr_arg> inputs_;
  std::vector<Array> outputs_;
  bool outputs_give_size_ = false;
  int64_t size_;
};

}  // namespace cli
