// Six generated sources, as tests/sources shows them to whoever reads a change: what is of a call
// in full, kernel files by their names. `unit_sources --write` renews the files.
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

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// Without the prelude, and with the names of kernel files instead of their texts, which have to be
// those of the files.
std::string shown(const std::string& source) {
  const std::string mark = "#line 1 \"", file = mark + "gpuarr/";
  std::string out = "// The prelude stands here.\n";
  size_t at = source.find(file + "layout/");
  while (source.compare(at, file.size(), file) == 0) {
    const size_t name = at + file.size(), text = source.find('\n', name) + 1;
    const std::string path = source.substr(name, source.find('"', name) - name);
    at = source.find("\n" + mark, text) + 1;
    const std::string own = text_of(std::filesystem::path(GPUARR_SOURCES) / "codegen" / path);
    if (own.empty() || source.substr(text, at - text) != own + "\n")
      check::report(__FILE__, __LINE__) << path << " is another text in a generated source\n";
    out += "// " + path + " stands here.\n";
  }
  return out + "\n" + source.substr(at);
}

void compare(const char* name, const std::string& source, bool renew) {
  const std::filesystem::path path = std::filesystem::path(GPUARR_TEST_SOURCES) / name;
  const std::string own = shown(source);
  if (renew) std::ofstream(path) << own;
  if (text_of(path) != own)
    check::report(__FILE__, __LINE__)
        << path << " is not what is generated; see the difference after unit_sources --write\n";
}

}  // namespace

int main(int count, char** arguments) {
  const bool renew = count > 1 && arguments[1] == std::string("--write");
  compare("elementwise.cu", elementwise(cuda_target), renew);
  compare("elementwise_cpu.cu", elementwise(host_target), renew);
  compare("reduction.cu", reduction(), renew);
  compare("row.cu", row(cuda_target), renew);
  compare("row_cpu.cu", row(host_target), renew);
  compare("scan.cu", scan(), renew);
  return check::result();
}
