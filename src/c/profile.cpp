#include "gpuarr/profile.h"

#include <algorithm>
#include <cmath>

#include "backends.hpp"
#include "c/guard.hpp"
#include "c/kernel_handles.hpp"
#include "device/benchmark.hpp"
#include "kernel/launch/profile.hpp"

using namespace gpuarr;

struct gpuarr_benchmark : gpuarr::Handle<gpuarr_benchmark, gpuarr::Benchmark> {};

namespace {

BenchmarkPlan checked_plan(int64_t warmups, int64_t repeats, double seconds) {
  if (warmups < 0) fail(GPUARR_ERR_ARGUMENT, "warmups is {}; give 0 or more", warmups);
  if (repeats < 1) fail(GPUARR_ERR_ARGUMENT, "repeats is {}; give 1 or more", repeats);
  if (!(seconds > 0))
    fail(GPUARR_ERR_ARGUMENT, "seconds is {}; give a positive number, or INFINITY", seconds);
  return {warmups, repeats, seconds};
}

// The function's failure as ours. What it left as the last error is its message, unless that was
// there before.
void call_once(int64_t call, gpuarr_benchmark_function function, void* user,
               const std::string& earlier) {
  const gpuarr_status status = function(user);
  if (status == GPUARR_OK) return;
  const std::string which = call < 0 ? formatted("a warm-up") : formatted("repeat {}", call);
  const std::string message = gpuarr_last_error();
  throw Error(
      status,
      formatted("{} failed: {}", which,
                message != earlier ? message : formatted("it returned {}", status_name(status))),
      gpuarr_last_native_error());
}

const std::vector<double>& samples_of(const gpuarr_benchmark* benchmark, int32_t clock) {
  const Benchmark& b = deref(benchmark, "benchmark");
  if (clock != GPUARR_CLOCK_CPU && clock != GPUARR_CLOCK_DEVICE)
    fail(GPUARR_ERR_ARGUMENT, "clock is {}; give GPUARR_CLOCK_CPU or GPUARR_CLOCK_DEVICE", clock);
  return clock == GPUARR_CLOCK_CPU ? b.cpu : b.on_device;
}

double one_of(const Statistics& s, int32_t statistic) {
  const double numbers[] = {s.mean, s.deviation, s.least, s.median, s.most};
  return statistic_of<double>(numbers, statistic, "GPUARR_SAMPLES_");
}

bool is_json(int32_t format) {
  if (format != GPUARR_REPORT_TEXT && format != GPUARR_REPORT_JSON)
    fail(GPUARR_ERR_ARGUMENT, "format is {}; give GPUARR_REPORT_TEXT or GPUARR_REPORT_JSON",
         format);
  return format == GPUARR_REPORT_JSON;
}

}  // namespace

gpuarr_status gpuarr_benchmark_run(gpuarr_benchmark** out, const char* name,
                                   gpuarr_benchmark_function function, void* user, int64_t warmups,
                                   int64_t repeats, double seconds, gpuarr_device* device,
                                   gpuarr_stream* stream) {
  return guard_output(__func__, out, [&] {
    if (function == nullptr)
      fail(GPUARR_ERR_ARGUMENT, "function is NULL; give the function to benchmark");
    const std::string earlier = gpuarr_last_error();
    auto work = [&](int64_t call) { call_once(call, function, user, earlier); };
    return gpuarr_benchmark::make(run_benchmark(checked_text(name, "name"),
                                                checked_plan(warmups, repeats, seconds), work,
                                                stream_of(stream, deref(device, "device"))));
  });
}

gpuarr_benchmark* gpuarr_benchmark_retain(gpuarr_benchmark* benchmark) { return retain(benchmark); }

void gpuarr_benchmark_release(gpuarr_benchmark* benchmark) { release(benchmark); }

gpuarr_status gpuarr_benchmark_statistic(double* out, const gpuarr_benchmark* benchmark,
                                         int32_t clock, int32_t statistic) {
  return guard_output(__func__, out, [&] {
    return one_of(statistics_of(samples_of(benchmark, clock)), statistic);
  });
}

gpuarr_status gpuarr_benchmark_samples(int64_t* out_count, double* samples, int64_t capacity,
                                       const gpuarr_benchmark* benchmark, int32_t clock) {
  return guard(__func__, [&] {
    int64_t& count = output(out_count, "out_count");
    const std::vector<double>& all = samples_of(benchmark, clock);
    count = static_cast<int64_t>(all.size());
    if (samples != nullptr)
      std::copy_n(all.data(), std::clamp<int64_t>(capacity, 0, count), samples);
  });
}

gpuarr_status gpuarr_benchmark_report(const char** out, const gpuarr_benchmark* benchmark,
                                      int32_t format) {
  return guard_output(__func__, out, [&] {
    const Benchmark& b = deref(benchmark, "benchmark");
    return keep_text<struct BenchmarkReport>(is_json(format) ? to_json(b) : to_text(b));
  });
}

gpuarr_status gpuarr_profile_start(void) {
  return guard(__func__, [&] {
    find_range_tool();
    start_profile();
  });
}

gpuarr_status gpuarr_profile_stop(void) {
  return guard(__func__, [&] {
    find_range_tool();
    stop_profile();
  });
}

gpuarr_status gpuarr_profile_reset(void) {
  return guard(__func__, [&] { reset_profile(); });
}

gpuarr_status gpuarr_profile_report(const char** out, int32_t format) {
  return guard_output(__func__, out, [&] {
    const bool json = is_json(format);
    const auto rows = profile_rows();
    return keep_text<struct ProfileReport>(json ? profile_json(rows) : profile_text(rows));
  });
}

gpuarr_status gpuarr_profile_push(const char* name) {
  return guard(__func__, [&] {
    checked_text(name, "name");
    find_range_tool();
    if (const RangeTool* tool = range_tool) tool->push(name);
  });
}

gpuarr_status gpuarr_profile_pop(void) {
  return guard(__func__, [&] {
    if (const RangeTool* tool = range_tool) tool->pop();
  });
}
