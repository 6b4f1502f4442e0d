// What gpuarr bench found out: as a table, as JSON, as a page of charts.
#include "cli/bench/report.hpp"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "cli/base/text.hpp"
#include "cli/bench/svg.hpp"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

std::string padded(const std::string& text, int width) {
  const size_t room = static_cast<size_t>(std::abs(width));
  const std::string blanks(room > text.size() ? room - text.size() : 0, ' ');
  return width < 0 ? text + blanks : blanks + text;
}

std::string row(const std::string& name, const std::string& elements, const std::string& block,
                const std::string& cpu, const std::string& device, const std::string& rate) {
  return padded(name, -20) + padded(elements, 12) + padded(block, 11) + padded(cpu, 14) +
         padded(device, 14) + padded(rate, 14) + '\n';
}

std::string microseconds_text(double us) { return time_text(us / 1e3); }

std::string rate_or_dash(const BenchResult& r) {
  return r.bytes > 0 ? rounded(r.gigabytes_per_second()) + " GB/s" : "-";
}

Json json_of(const Samples& s) {
  return {{"mean", s.mean},
          {"deviation", s.deviation},
          {"min", s.least},
          {"median", s.median},
          {"max", s.most}};
}

Json json_of(const BenchResult& r) {
  return {{"benchmark", r.name},
          {"elements", r.elements},
          {"shape", r.shape},
          {"bytes", r.bytes > 0 ? Json(r.bytes) : Json(nullptr)},
          {"block", r.block[0] > 0 ? Json{r.block[0], r.block[1]} : Json(nullptr)},
          {"by_block", r.by_block},
          {"repeats", r.repeats},
          {"cpu_us", json_of(r.cpu)},
          {"device_us", json_of(r.device)},
          {"gigabytes_per_second", r.bytes > 0 ? Json(r.gigabytes_per_second()) : Json(nullptr)}};
}

std::string tick(double value) { return printed("%g", value); }

std::string time_tick(double us) {
  if (us == 0) return "0";
  if (us < 1) return tick(us * 1e3) + " ns";
  if (us < 1e3) return tick(us) + " \u00b5s";
  return us < 1e6 ? tick(us / 1e3) + " ms" : tick(us / 1e6) + " s";
}

std::string rate_tick(double gb) {
  if (gb == 0) return "0";
  if (gb < 1) return tick(gb * 1e3) + " MB/s";
  return gb < 1e3 ? tick(gb) + " GB/s" : tick(gb / 1e3) + " TB/s";
}

std::string size_tick(double elements) { return size_text(static_cast<int64_t>(elements)); }

using Measure = double (BenchResult::*)() const;
constexpr Measure time_of = &BenchResult::microseconds;
constexpr Measure rate_of = &BenchResult::gigabytes_per_second;

// One line for each benchmark over all sizes.
std::vector<Line> lines_of(const std::vector<BenchResult>& results, Measure value) {
  std::vector<Line> lines;
  for (const BenchResult& r : results) {
    if (r.by_block) continue;
    auto line = std::find_if(lines.begin(), lines.end(),
                             [&](const Line& known) { return known.name == r.name; });
    if (line == lines.end()) line = lines.insert(lines.end(), {r.name, {}});
    if (const double y = (r.*value)(); y > 0)
      line->points.emplace_back(static_cast<double>(r.elements), y);
  }
  std::erase_if(lines, [](const Line& line) { return line.points.empty(); });
  return lines;
}

BarChart bars_of(const std::vector<BenchResult>& results, Measure value, const std::string& what,
                 const char* y_title, TickText y_text) {
  BarChart chart{"", "threads of a block along x and y", y_title, y_text, {}};
  for (const BenchResult& r : results) {
    if (!r.by_block) continue;
    chart.bars.emplace_back(block_text(r), (r.*value)());
    chart.title = what + " of raw saxpy by block, " + size_text(r.elements) + " elements";
  }
  return chart;
}

}  // namespace

std::string bench_table(const std::vector<BenchResult>& results) {
  std::string out = row("benchmark", "elements", "block", "CPU", "device", "bandwidth");
  for (const BenchResult& r : results)
    out += row(r.name, size_text(r.elements), block_text(r), microseconds_text(r.cpu.median),
               r.bytes > 0 ? microseconds_text(r.device.median) : "-", rate_or_dash(r));
  return out;
}

std::string bench_json(const std::vector<BenchResult>& results, const BenchPlan& plan) {
  Json all = Json::array();
  for (const BenchResult& r : results) all.push_back(json_of(r));
  const Json value = {{"version", gpuarr_version()},
                      {"device", gpuarr_device_name(plan.device)},
                      {"description", gpuarr_device_description(plan.device)},
                      {"dtype", "float32"},
                      {"results", std::move(all)}};
  return value.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::string bench_svg(const std::vector<BenchResult>& results, const BenchPlan& plan) {
  ChartPage page;
  page.title = std::string("gpuarr bench: ") + gpuarr_device_name(plan.device) + ", " +
               gpuarr_device_description(plan.device);
  page.subtitle = std::string("gpuarr ") + gpuarr_version() + ", float32, medians of up to " +
                  std::to_string(plan.repeats) + " runs";
  page.lines = {
      {"Time", "elements", "time of one call", size_tick, time_tick, 2, lines_of(results, time_of)},
      {"Bandwidth", "elements", "read and written", size_tick, rate_tick, 2,
       lines_of(results, rate_of)}};
  page.bars = {bars_of(results, time_of, "Time", "time of one call", time_tick),
               bars_of(results, rate_of, "Bandwidth", "read and written", rate_tick)};
  return to_svg(page);
}

}  // namespace cli
