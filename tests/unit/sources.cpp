// Six generated sources in full, but for the prelude, as tests/sources shows them to whoever reads
// a change. `unit_sources --write` renews the files.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "check.hpp"
#include "codegen/elementwise/elementwise.hpp"
#include "codegen/reduction/reduction.hpp"
#include "codegen/row/row.hpp"
#include "codegen/scan/parameters.hpp"
#include "codegen/scan/scan.hpp"
#include "codegen/targets.hpp"

using namespace gpuarr;

namespace {

const float number = 2;
const Dims shape{100, 64};
const Layout rows{shape, {64, 1}};
const Layout repeated{shape, {0, 1}};
const Layout column{{100}, {1}};

Operand array(Role role, const Layout& layout) {
  return {role, DType::f32, reinterpret_cast<void*>(0x7f0000000000), &layout, nullptr};
}

std::string elementwise(const Target& target) {
  const Operand operands[] = {{Role::scalar, DType::f32, nullptr, nullptr, &number},
                              array(Role::input, rows),
                              array(Role::input, repeated),
                              array(Role::output, rows)};
  const OperandName names[] = {{"a"}, {"x"}, {"y"}, {"z"}};
  const ElementwiseText text{"saxpy", "", "", "z = a * x + y", ""};
  Plan plan;
  make_plan(plan, target, operands, shape, traits_of(text));
  return elementwise_source(text, target, plan.variant, names, {});
}

std::string reduction() {
  const Operand operands[] = {array(Role::input, rows), array(Role::output, column)};
  const OperandName names[] = {{"x"}, {"y"}};
  const ReductionText text{"norm", "", "float", "x * x", "a + b", "y = sqrt(a)", std::nullopt};
  ReducedAxes axes;
  axes.reduced[1] = true;
  ReductionPlan plan;
  make_reduction_plan(plan, cuda_target, operands, shape, axes, traits_of(text));
  return reduction_source(text, cuda_target, plan.variant, names, {});
}

// Softmax.
std::string row(const Target& target) {
  const Operand operands[] = {array(Role::input, rows), array(Role::output, rows)};
  const OperandName names[] = {{"x"}, {"y"}};
  const char* const most = "a > b || a != a ? a : b";
  const RowText text{"softmax",
                     "",
                     {{"e", DType::f32}},
                     {{"", {{"m", DType::f32, "float", 4, "x", most, std::nullopt, "a"}}},
                      {"e = exp(x - m)", {{"s", DType::f32, "float", 4, "e", "a + b", "0", "a"}}}},
                     "y = e / s",
                     ""};
  RowTraits traits = traits_of(text, names);
  traits.outputs_along = 1;
  ReducedAxes axes;
  axes.reduced[1] = true;
  RowPlan plan;
  make_row_plan(plan, target, {228 << 10}, operands, shape, axes, traits);
  return row_source(text, target, plan.variant, names, {});
}

std::string scan() {
  const Operand operands[] = {array(Role::input, rows), array(Role::output, rows)};
  const OperandName names[] = {{"x"}, {"y"}};
  const ReductionText text{"scan", "", "float", "x", "a + b", "y = a", std::nullopt};
  ScanPlan plan;
  make_scan_plan(plan, cuda_target, operands, shape, 1, {false, 4, 228 << 10});
  cut_scan(plan, 4, {132, 50 << 20});
  return scan_source(text, cuda_target, plan.variant, names, {});
}

void compare(const char* name, const std::string& source, bool renew) {
  const std::filesystem::path path = std::filesystem::path(GPUARR_TEST_SOURCES) / name;
  if (renew) std::ofstream(path) << source;
  std::ostringstream shown;
  shown << std::ifstream(path).rdbuf();
  if (shown.str() != source)
    check::report(__FILE__, __LINE__)
        << path << " is not what is generated; see the difference after unit_sources --write\n";
}

std::string behind_prelude(const std::string& source) {
  return "// The prelude stands here.\n\n" + source.substr(source.find("#line 1 \"gpuarr/layout/"));
}

// Long algorithms fill a file of their own, so that one sees at once what is of the call.
void compare_apart(const std::string& name, const std::string& whole, bool renew) {
  const std::string source = behind_prelude(whole);
  const size_t call = source.find("#line 1 \"generated\"");
  compare((name + "_algorithms.cu").c_str(), source.substr(0, call), renew);
  compare((name + ".cu").c_str(), source.substr(call), renew);
}

}  // namespace

int main(int count, char** arguments) {
  const bool renew = count > 1 && arguments[1] == std::string("--write");
  compare("elementwise.cu", behind_prelude(elementwise(cuda_target)), renew);
  compare("elementwise_cpu.cu", behind_prelude(elementwise(host_target)), renew);
  compare("reduction.cu", behind_prelude(reduction()), renew);
  compare("row.cu", behind_prelude(row(cuda_target)), renew);
  compare_apart("row_cpu", row(host_target), renew);
  compare_apart("scan", scan(), renew);
  return check::result();
}
