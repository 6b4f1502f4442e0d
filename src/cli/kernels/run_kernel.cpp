// Loads what a kernel of the command runs over, runs it, saves what it made.
#include "cli/kernels/run_kernel.hpp"

#include <cstdio>

#include "cli/base/device.hpp"
#include "cli/base/error.hpp"
#include "cli/base/interrupt.hpp"
#include "cli/base/progress.hpp"
#include "cli/base/results.hpp"
#include "cli/base/text.hpp"
#include "cli/base/timing.hpp"
#include "cli/kernels/operands.hpp"

namespace cli {
namespace {

// Ctrl-C stops the compiler as well; a moment is enough to clear its files away. A kernel that runs
// for longer is not waited for.
void compile_and_run(Operands& operands, const Kernel& kernel, gpuarr_stream* stream) {
  HoldSignals for_a_moment(1);
  operands.call(kernel, stream);
  check(gpuarr_stream_synchronize(stream));
}

void save_outputs(const Job& job, const Operands& operands, gpuarr_stream* stream,
                  Progress& progress) {
  std::vector<gpuarr_array*> outputs = operands.outputs();
  for (size_t i = 0; i < job.outputs.size(); ++i)
    save(job.outputs[i], outputs[i], stream, progress);
}

Timing time_kernel(const Kernel& kernel, const Operands& operands,
                   const std::vector<Array>& originals, gpuarr_stream* stream) {
  Call call = kernel.prepare(operands.outputs(), operands.inputs());
  return time_launches([&] { check(gpuarr_call_launch(call.get(), stream)); }, operands.in_place(),
                       originals, stream);
}

void run(const Job& job, const Kernel& kernel, gpuarr_device* device) {
  Progress progress;
  Stream stream;
  check(gpuarr_stream_current(stream.out(), device));
  Operands operands(job, device, stream.get(), progress);
  if (job.show_source) {
    progress.clear();
    std::fputs(kernel.source(operands.outputs(), operands.inputs()), stdout);
    return;
  }
  std::vector<Array> originals;
  if (job.time) originals = copies(operands.in_place(), stream.get());
  progress.show("compiling and running");
  compile_and_run(operands, kernel, stream.get());
  save_outputs(job, operands, stream.get(), progress);
  if (!job.time) return;
  progress.show("timing");
  Timing timing = time_kernel(kernel, operands, originals, stream.get());
  progress.clear();
  std::printf("%s: %s; %s moved, %s\n", gpuarr_device_name(device), timing_text(timing).c_str(),
              bytes_text(operands.bytes()).c_str(), rate_text(timing, operands.bytes()).c_str());
}

}  // namespace

void run_kernel(const Job& job, const Kernel& kernel) {
  if (!job.show_source)
    for (const std::string& path : job.outputs) check_can_save(path);
  run(job, kernel, open_device(job.device));
}

}  // namespace cli
