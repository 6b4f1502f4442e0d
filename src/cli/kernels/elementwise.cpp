// gpuarr elementwise: a body, run for every element.
#include "cli/base/commands.hpp"
#include "cli/base/error.hpp"
#include "cli/base/numbers.hpp"
#include "cli/kernels/run_kernel.hpp"

namespace cli {
namespace {

class ElementwiseKernel : public Kernel {
 public:
  ElementwiseKernel(const Job& job, int64_t size)
      : outputs_(parameters(job.out_params)), size_(size) {
    check(gpuarr_elementwise_create(kernel_.out(), job.in_params.c_str(), job.out_params.c_str(),
                                    job.texts[0].c_str(), kernel_options(job).get()));
  }

  void call(std::span<gpuarr_array*> outputs, std::span<const gpuarr_arg> inputs,
            gpuarr_stream* stream) const override {
    check(gpuarr_elementwise_call(kernel_.get(), outputs.data(), count(outputs), inputs.data(),
                                  count(inputs), size_beside(outputs), stream));
  }

  Call prepare(std::span<gpuarr_array* const> outputs,
               std::span<const gpuarr_arg> inputs) const override {
    Call call;
    check(gpuarr_elementwise_prepare(call.out(), kernel_.get(), outputs.data(), count(outputs),
                                     inputs.data(), count(inputs), size_beside(outputs)));
    return call;
  }

  const char* source(std::span<gpuarr_array* const> outputs,
                     std::span<const gpuarr_arg> inputs) const override {
    const char* source = nullptr;
    check(gpuarr_elementwise_source(&source, kernel_.get(), outputs.data(), count(outputs),
                                    inputs.data(), count(inputs), size_beside(outputs)));
    return source;
  }

 private:
  // The first call needs a size where no input has one; the outputs that it makes have one then.
  int64_t size_beside(std::span<gpuarr_array* const> outputs) const {
    for (size_t i = 0; i < outputs.size(); ++i)
      if (outputs[i] != nullptr && !outputs_[i].raw) return GPUARR_NO_SIZE;
    return size_;
  }

  Elementwise kernel_;
  std::vector<Parameter> outputs_;
  int64_t size_;
};

void check_size(const Job& job, int64_t size) {
  bool from_arrays = has_plain_array(job);
  if (!from_arrays && size == GPUARR_NO_SIZE)
    throw UsageError("--size is needed, since no argument is an array that is not raw");
  if (from_arrays && size != GPUARR_NO_SIZE)
    throw UsageError("--size is " + std::to_string(size) +
                     ", but the arrays give the size; leave it out");
}

}  // namespace

void run_elementwise(std::span<const std::string> words) {
  CommandLine line(words, job_rules({{"--size", Takes::value}}));
  Job job = parse_job(line, {"elementwise", {"IN_PARAMS", "OUT_PARAMS", "BODY"}});
  const int64_t size = parse_count(line, "--size", "elements").value_or(GPUARR_NO_SIZE);
  ElementwiseKernel kernel(job, size);  // the lists are good if this passes, and can be counted
  check_counts(job);
  check_size(job, size);
  run_kernel(job, kernel);
}

}  // namespace cli
