// gpuarr gufunc: a body, run for every place of the outer axes.
#include "cli/base/commands.hpp"
#include "cli/base/error.hpp"
#include "cli/base/numbers.hpp"
#include "cli/base/text.hpp"
#include "cli/kernels/run_kernel.hpp"

namespace cli {
namespace {

class GufuncKernel : public Kernel {
 public:
  GufuncKernel(const Job& job, int32_t group) {
    check(gpuarr_gufunc_create(kernel_.out(), job.signature.c_str(), job.in_params.c_str(),
                               job.out_params.c_str(), job.texts[0].c_str(), group, GPUARR_ORDER_C,
                               kernel_options(job).get()));
  }

  void call(std::span<gpuarr_array*> outputs, std::span<const gpuarr_arg> inputs,
            gpuarr_stream* stream) const override {
    check(gpuarr_gufunc_call(kernel_.get(), outputs.data(), count(outputs), inputs.data(),
                             count(inputs), stream));
  }

  Call prepare(std::span<gpuarr_array* const> outputs,
               std::span<const gpuarr_arg> inputs) const override {
    Call call;
    check(gpuarr_gufunc_prepare(call.out(), kernel_.get(), outputs.data(), count(outputs),
                                inputs.data(), count(inputs)));
    return call;
  }

  const char* source(std::span<gpuarr_array* const> outputs,
                     std::span<const gpuarr_arg> inputs) const override {
    const char* source = nullptr;
    check(gpuarr_gufunc_source(&source, kernel_.get(), outputs.data(), count(outputs),
                               inputs.data(), count(inputs)));
    return source;
  }

 private:
  Gufunc kernel_;
};

int32_t parse_group(const CommandLine& line) {
  const std::string word = line.value("--group").value_or("auto");
  if (word == "auto") return GPUARR_GROUP_AUTO;
  if (word == "thread") return GPUARR_GROUP_THREAD;
  if (word == "warp") return GPUARR_GROUP_WARP;
  if (word == "block") return GPUARR_GROUP_BLOCK;
  if (const auto threads = parse_number(word); threads && *threads >= 64 && *threads <= 1024)
    return static_cast<int32_t>(*threads);
  throw UsageError("--group is " + in_quotes(word) +
                   "; give auto, thread, warp, block or the threads of a block, 64 to 1024");
}

}  // namespace

void run_gufunc(std::span<const std::string> words) {
  CommandLine line(words, job_rules({{"--group", Takes::value}}));
  Job job = parse_job(line, {"gufunc", {"SIGNATURE", "IN_PARAMS", "OUT_PARAMS", "BODY"}});
  GufuncKernel kernel(job, parse_group(line));
  check_counts(job);
  run_kernel(job, kernel);
}

}  // namespace cli
