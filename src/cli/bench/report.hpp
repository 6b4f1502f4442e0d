// What gpuarr bench found out: as a table, as JSON, as a page of charts.
#pragma once

#include <string>
#include <vector>

#include "cli/bench/cases.hpp"

namespace cli {

std::string bench_table(const std::vector<BenchResult>& results);
std::string bench_json(const std::vector<BenchResult>& results, const BenchPlan& plan);
std::string bench_svg(const std::vector<BenchResult>& results, const BenchPlan& plan);

}  // namespace cli
