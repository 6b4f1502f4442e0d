// The arrays and scalars that a kernel of the command runs over.
#include "cli/kernels/operands.hpp"

#include <algorithm>

#include "cli/base/error.hpp"

namespace cli {

Operands::Operands(const Job& job, gpuarr_device* device, gpuarr_stream* stream,
                   Progress& progress) {
  for (size_t i = 0; i < job.arguments.size(); ++i) {
    Array array;
    if (!job.scalars[i]) {
      progress.show("loading " + job.arguments[i]);
      check(gpuarr_npy_load(array.out(), device, job.arguments[i].c_str(), stream));
    }
    inputs_.push_back(job.scalars[i].value_or(gpuarr_arg_array(array.get())));
    arrays_.push_back(std::move(array));
  }
  std::vector<Parameter> inputs = parameters(job.in_params);
  for (const Parameter& output : parameters(job.out_params)) {
    auto input = std::find_if(inputs.begin(), inputs.end(),
                              [&](const Parameter& p) { return p.name == output.name; });
    gpuarr_array* in_place =
        input == inputs.end() ? nullptr : arrays_[input - inputs.begin()].get();
    outputs_.emplace_back(gpuarr_array_retain(in_place));
  }
}

std::vector<gpuarr_array*> Operands::outputs() const {
  std::vector<gpuarr_array*> all;
  for (const Array& output : outputs_) all.push_back(output.get());
  return all;
}

void Operands::call(const Kernel& kernel, gpuarr_stream* stream) {
  std::vector<gpuarr_array*> results = outputs();
  kernel.call(results, inputs_, stream);
  for (size_t i = 0; i < results.size(); ++i)
    if (outputs_[i].get() == nullptr) outputs_[i] = Array(results[i]);
}

std::vector<gpuarr_array*> Operands::in_place() const {
  std::vector<gpuarr_array*> found;
  for (const Array& output : outputs_)
    for (const Array& input : arrays_)
      if (output.get() != nullptr && output.get() == input.get()) found.push_back(output.get());
  return found;
}

int64_t Operands::bytes() const {
  int64_t total = 0;
  for (const Array& input : arrays_) total += bytes_of(input.get());
  for (const Array& output : outputs_) total += bytes_of(output.get());
  return total;
}

}  // namespace cli
