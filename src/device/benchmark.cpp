#include "device/benchmark.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "core/json.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

using Clock = std::chrono::steady_clock;

double microseconds(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

// "    CPU:   44.407 us   +/- 2.428 (min:   42.516 / max:   53.098) us"
std::string part(const std::string& clock, const std::vector<double>& samples) {
  const Statistics s = statistics_of(samples);
  std::string out = formatted("    {}: {:9.03f} us", clock, s.mean);
  if (samples.size() > 1)
    out += formatted("   +/- {:6.03f} (min: {:9.03f} / max: {:9.03f}) us", s.deviation, s.least,
                     s.most);
  return out;
}

std::string json_part(const std::vector<double>& samples) {
  const Statistics s = statistics_of(samples);
  std::string out = formatted(
      R"({{"mean": {}, "deviation": {}, "min": {}, "median": {}, "max": {}, "samples": [)", s.mean,
      s.deviation, s.least, s.median, s.most);
  const char* separator = "";
  for (double sample : samples) {
    out += formatted("{}{}", separator, sample);
    separator = ", ";
  }
  return out + "]}";
}

}  // namespace

Statistics statistics_of(std::vector<double> samples) {
  std::ranges::sort(samples);
  const size_t n = samples.size();
  Statistics s;
  s.mean = std::accumulate(samples.begin(), samples.end(), 0.0) / static_cast<double>(n);
  double squares = 0;
  for (double x : samples) squares += (x - s.mean) * (x - s.mean);
  s.deviation = std::sqrt(squares / static_cast<double>(n));
  s.least = samples.front();
  s.median = (samples[(n - 1) / 2] + samples[n / 2]) / 2;
  s.most = samples.back();
  return s;
}

Benchmark run_benchmark(const std::string& name, const BenchmarkPlan& plan,
                        const std::function<void(int64_t)>& work, Stream& stream) {
  const DeviceFacts& facts = stream.device().facts();
  Benchmark result;
  result.name = name;
  result.device = facts.name;
  result.clock = facts.clock;
  for (int64_t k = -plan.warmups; k < 0; ++k) work(k);
  stream.synchronize();
  const auto start = stream.device().create_event();
  const auto end = stream.device().create_event();
  const auto began = Clock::now();
  for (int64_t k = 0; k < plan.repeats; ++k) {
    stream.record(*start);
    const auto before = Clock::now();
    work(k);
    const auto after = Clock::now();
    stream.record(*end);
    end->synchronize();
    result.cpu.push_back(microseconds(after - before));
    result.on_device.push_back(end->microseconds_since(*start));
    if (microseconds(Clock::now() - began) > plan.seconds * 1e6) break;
  }
  return result;
}

std::string to_text(const Benchmark& b) {
  return formatted("{:<20s}:{} {}", b.name, part("CPU", b.cpu), part(b.clock, b.on_device));
}

std::string to_json(const Benchmark& b) {
  return formatted(
      R"({{"name": {}, "device": {}, "unit": "us", "repeats": {}, "cpu": {}, "gpu": {}}})",
      json_quoted(b.name), json_quoted(b.device), b.cpu.size(), json_part(b.cpu),
      json_part(b.on_device));
}

}  // namespace gpuarr
