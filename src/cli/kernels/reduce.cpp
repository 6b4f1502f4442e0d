// gpuarr reduce: map, reduce and post, along axes.
#include "cli/base/axes.hpp"
#include "cli/base/commands.hpp"
#include "cli/base/error.hpp"
#include "cli/kernels/run_kernel.hpp"

namespace cli {
namespace {

class ReductionKernel : public Kernel {
 public:
  ReductionKernel(const Job& job, const CommandLine& line)
      : axes_(parse_axes(line)), keepdims_(line.has("--keepdims") ? 1 : 0) {
    const auto type = line.value("--reduce-type"), identity = line.value("--identity");
    Options options = kernel_options(job);
    if (type) check(gpuarr_kernel_options_set_reduce_type(options.get(), type->c_str()));
    check(gpuarr_kernel_options_set_commutative(options.get(), line.has("--ordered") ? 0 : 1));
    check(gpuarr_reduction_create(kernel_.out(), job.in_params.c_str(), job.out_params.c_str(),
                                  job.texts[0].c_str(), job.texts[1].c_str(), job.texts[2].c_str(),
                                  identity ? identity->c_str() : nullptr, options.get()));
  }

  void call(std::span<gpuarr_array*> outputs, std::span<const gpuarr_arg> inputs,
            gpuarr_stream* stream) const override {
    check(gpuarr_reduction_call(kernel_.get(), outputs.data(), count(outputs), inputs.data(),
                                count(inputs), axes_.data(), axes_.count(), keepdims_, stream));
  }

  Call prepare(std::span<gpuarr_array* const> outputs,
               std::span<const gpuarr_arg> inputs) const override {
    Call call;
    check(gpuarr_reduction_prepare(call.out(), kernel_.get(), outputs.data(), count(outputs),
                                   inputs.data(), count(inputs), axes_.data(), axes_.count(),
                                   keepdims_));
    return call;
  }

  const char* source(std::span<gpuarr_array* const> outputs,
                     std::span<const gpuarr_arg> inputs) const override {
    const char* source = nullptr;
    check(gpuarr_reduction_source(&source, kernel_.get(), outputs.data(), count(outputs),
                                  inputs.data(), count(inputs), axes_.data(), axes_.count(),
                                  keepdims_));
    return source;
  }

 private:
  Reduction kernel_;
  Axes axes_;
  int32_t keepdims_;
};

}  // namespace

void run_reduce(std::span<const std::string> words) {
  CommandLine line(words, job_rules({{"--identity", Takes::value},
                                     {"--reduce-type", Takes::value},
                                     {"--axis", Takes::value},
                                     {"--keepdims"},
                                     {"--ordered"}}));
  Job job = parse_job(line, {"reduce", {"IN_PARAMS", "OUT_PARAMS", "MAP", "REDUCE", "POST"}});
  ReductionKernel kernel(job, line);  // as for elementwise: the lists are good
  check_counts(job);
  if (!has_plain_array(job))
    throw UsageError("there is nothing to reduce: no argument is an array that is not raw");
  run_kernel(job, kernel);
}

}  // namespace cli
