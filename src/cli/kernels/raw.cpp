// gpuarr raw: a kernel of a CUDA C++ file, launched as it is.
#include <cstdio>

#include "cli/base/commands.hpp"
#include "cli/base/device.hpp"
#include "cli/base/error.hpp"
#include "cli/base/interrupt.hpp"
#include "cli/base/results.hpp"
#include "cli/base/text.hpp"
#include "cli/base/timing.hpp"
#include "cli/kernels/raw_job.hpp"

namespace cli {
namespace {

Module open_module(const RawJob& job) {
  Options options;
  check(gpuarr_kernel_options_create(options.out()));
  for (const std::string& option : job.options)
    check(gpuarr_kernel_options_add(options.get(), option.c_str()));
  check(gpuarr_kernel_options_set_check(options.get(), job.checks));
  Module module;
  check(gpuarr_module_open(module.out(), job.file.c_str(), options.get()));
  return module;
}

// Ctrl-C stops the compiler as well; a moment is enough to clear its files away.
void compile(gpuarr_module* module, gpuarr_device* device) {
  HoldSignals for_a_moment(1);
  check(gpuarr_module_build(module, device));
}

void print_kernels(gpuarr_module* module, gpuarr_device* device) {
  int32_t count = 0;
  check(gpuarr_module_kernel_count(&count, module, device));
  for (int32_t k = 0; k < count; ++k) {
    const char* name = nullptr;
    check(gpuarr_module_kernel_name(&name, module, k, device));
    std::puts(name);
  }
}

std::string signature_of(gpuarr_raw* kernel, gpuarr_device* device) {
  const char* text = nullptr;
  check(gpuarr_raw_signature(&text, kernel, device));
  return text;
}

void show(Show what, gpuarr_module* module, gpuarr_raw* kernel, gpuarr_device* device) {
  if (what == Show::kernels) return print_kernels(module, device);
  if (what == Show::signature) {
    std::puts(signature_of(kernel, device).c_str());
    return;
  }
  const char* text = nullptr;
  check(gpuarr_module_listing(
      &text, module, what == Show::ptx ? GPUARR_LISTING_PTX : GPUARR_LISTING_ASSEMBLY, device));
  std::puts(text);
}

void launch(const RawJob& job, gpuarr_raw* kernel, const std::vector<gpuarr_arg>& args,
            gpuarr_stream* stream) {
  auto count = static_cast<int32_t>(args.size());
  if (job.elements)
    check(gpuarr_raw_launch_1d(kernel, *job.elements, args.data(), count, stream));
  else
    check(gpuarr_raw_launch(kernel, job.grid.data(), job.block.data(), job.shared, args.data(),
                            count, stream));
}

void warn_of_lost(const std::vector<std::string>& paths) {
  for (const std::string& path : paths)
    std::fprintf(stderr,
                 "gpuarr: warning: the kernel changed %s, which is an input, so that the change is "
                 "lost; give inout:%s:FILE to save it\n",
                 in_quotes(path).c_str(), path.c_str());
}

// A kernel that prints has the terminal for itself, so no progress is shown while it runs.
void run(const RawJob& job, gpuarr_raw* kernel, gpuarr_device* device, Progress& progress) {
  Stream stream;
  check(gpuarr_stream_current(stream.out(), device));
  RawOperands operands(job.arguments, device, stream.get(), progress);
  std::vector<Array> originals;
  if (job.time) originals = copies(operands.changed(), stream.get());
  progress.clear();
  auto launch_once = [&] { launch(job, kernel, operands.args(), stream.get()); };
  launch_once();
  check(gpuarr_stream_synchronize(stream.get()));
  warn_of_lost(operands.lost(signature_of(kernel, device), stream.get()));
  operands.save(stream.get(), progress);
  progress.clear();
  if (!job.time) return;
  Timing timing = time_launches(launch_once, operands.changed(), originals, stream.get());
  std::printf("%s: %s; arrays of %s, %s if each is gone over once\n", gpuarr_device_name(device),
              timing_text(timing).c_str(), bytes_text(operands.bytes()).c_str(),
              rate_text(timing, operands.bytes()).c_str());
}

}  // namespace

void run_raw(std::span<const std::string> words) {
  RawJob job = parse_raw(words);
  if (job.show == Show::nothing)
    for (const RawArgument& argument : job.arguments)
      if (!argument.save.empty()) check_can_save(argument.save);
  Module module = open_module(job);
  Raw kernel;
  if (!job.kernel.empty())
    check(gpuarr_module_kernel(kernel.out(), module.get(), job.kernel.c_str(), nullptr));
  gpuarr_device* device = open_device(job.device);
  Progress progress;
  progress.show("compiling");
  compile(module.get(), device);
  if (job.show == Show::nothing) return run(job, kernel.get(), device, progress);
  progress.clear();
  show(job.show, module.get(), kernel.get(), device);
}

}  // namespace cli
