// Loads what a kernel of the command runs over, runs it, saves what it made.
#include "run_kernel.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "error.hpp"
#include "interrupt.hpp"
#include "operands.hpp"
#include "progress.hpp"
#include "text.hpp"
#include "timing.hpp"

namespace cli {
namespace {

// Why the wanted device cannot be had, and who wanted it.
std::string device_problem(const Job& job) {
  const char* setting = std::getenv("GPUARR_DEVICE");
  std::string wanted = job.device ? *job.device : setting != nullptr ? setting : "";
  std::string message = last_message();
  if (wanted.empty() || message.find(wanted) != std::string::npos) return message;
  return (job.device ? "--device is " : "$GPUARR_DEVICE is ") + quoted(wanted) + ", but " + message;
}

gpuarr_device* open_device(const Job& job) {
  gpuarr_device* device = nullptr;
  gpuarr_status status = gpuarr_device_open(&device, job.device ? job.device->c_str() : nullptr);
  if (status != GPUARR_OK) throw Failure(device_problem(job));
  // A kernel without any array runs on the default device.
  if (job.device) setenv("GPUARR_DEVICE", gpuarr_device_name(device), 1);
  return device;
}

// Found out before the work, not after it.
void check_can_save(const std::string& path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    throw Failure("cannot save to " + quoted(path) + ": it is no file but a " +
                  (S_ISDIR(status.st_mode) ? "directory" : "device, pipe or socket"));
  size_t slash = path.rfind('/');
  std::string directory = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    throw Failure("cannot save to " + quoted(path) + ": " + std::strerror(errno));
}

// Ctrl-C stops the compiler as well; a moment is enough to clear its files away. A kernel that runs
// for longer is not waited for.
void compile_and_run(Operands& operands, const Kernel& kernel, gpuarr_stream* stream) {
  HoldSignals for_a_moment(1);
  operands.call(kernel, stream);
  check(gpuarr_stream_synchronize(stream));
}

void save(const Job& job, const Operands& operands, gpuarr_stream* stream, Progress& progress) {
  std::vector<gpuarr_array*> outputs = operands.outputs();
  for (size_t i = 0; i < job.outputs.size(); ++i) {
    progress.show("saving " + job.outputs[i]);
    HoldSignals until_saved;
    check(gpuarr_npy_save(job.outputs[i].c_str(), outputs[i], stream));
  }
}

std::vector<Array> copies(const std::vector<gpuarr_array*>& arrays, gpuarr_stream* stream) {
  std::vector<Array> made;
  for (gpuarr_array* array : arrays) {
    Array copy;
    check(gpuarr_array_copy(copy.out(), array, GPUARR_ORDER_K, stream));
    made.push_back(std::move(copy));
  }
  return made;
}

void print_timing(const Timing& timing, int64_t bytes, const char* device) {
  double rate = timing.median > 0 ? static_cast<double>(bytes) / (timing.median * 1e6) : 0;
  std::printf("%s: median %s, best %s of %zu runs; %s moved, %s GB/s\n", device,
              time_text(timing.median).c_str(), time_text(timing.best).c_str(), timing.runs,
              bytes_text(bytes).c_str(), rounded(rate).c_str());
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
  save(job, operands, stream.get(), progress);
  if (!job.time) return;
  progress.show("timing");
  Timing timing = time_kernel(kernel, operands, originals, stream.get());
  progress.clear();
  print_timing(timing, operands.bytes(), gpuarr_device_name(device));
}

}  // namespace

void run_kernel(const Job& job, const Kernel& kernel) {
  if (!job.show_source)
    for (const std::string& path : job.outputs) check_can_save(path);
  run(job, kernel, open_device(job));
}

}  // namespace cli
