// Every form of a scan's and of a selection's CUDA source compiles, on a machine without a GPU.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

#include "check.hpp"
#include "codegen/scan/parameters.hpp"
#include "codegen/scan/scan.hpp"
#include "codegen/select/select.hpp"
#include "codegen/targets.hpp"
#include "cuda_text.hpp"
#include "ops/reduce/scan.hpp"

using namespace gpuarr;

namespace {

// A scan of x into out over made-up addresses: nothing is run.
struct Case {
  const char* name;
  Dims shape;
  int axis;
  Dims strides;
  bool exclusive = false;
  int lanes = 0;        // that the plan should have
  bool staged = false;  // that there is room for that, and elements of 4 bytes should be
};

std::vector<Case> cases() {
  return {
      {"long row", {1 << 20}, 0, {1}, false, 256},
      {"long row, exclusive", {1 << 20}, 0, {1}, true, 256},
      {"long rows, every second", {3, 1 << 20}, 1, {1 << 21, 2}, false, 256},
      {"a block for a row", {1000, 900}, 1, {900, 1}, false, 256},
      {"some lanes for a row", {1000, 100}, 1, {101, 1}, false, 0},
      {"a thread for a row", {1000, 3}, 1, {3, 1}, true, 1},
      {"columns", {1000, 100000}, 0, {100000, 1}},
      {"few columns", {100000, 40}, 0, {40, 1}, true},
      {"planes", {10, 1000, 50}, 1, {50000, 50, 1}},
      {"long row, staged", {1 << 20}, 0, {1}, false, 256, true},
      {"long rows, staged, exclusive", {3, 1 << 20}, 1, {1 << 20, 1}, true, 256, true},
  };
}

struct Written {
  ScanPlan plan;
  std::string source;
};

Written write(const Case& c, Scanner scanner, DType dtype, const char* preamble = "") {
  ScannerText made = scanner_text(scanner, dtype);
  made.options.preamble = std::string(made.options.preamble.text()) + preamble;
  const DType out = *find_dtype(made.spec.out_params.substr(0, made.spec.out_params.find(' ')));
  const Layout layout{c.shape, c.strides};
  const Operand operands[] = {
      {Role::input, dtype, reinterpret_cast<void*>(0x7f0000000000), &layout, nullptr},
      {Role::output, out, reinterpret_cast<void*>(0x7f8000000000), &layout, nullptr}};
  const OperandName names[] = {{"x"}, {"out"}};
  const DType scanned = *find_dtype(made.options.reduce_type);
  Written w;
  make_scan_plan(w.plan, cuda_target, operands, c.shape, c.axis,
                 {c.exclusive, size_of(scanned), c.staged ? 228 << 10 : 164 << 10});
  cut_scan(w.plan, size_of(scanned), {132, 50 << 20});
  const ReductionText text{made.options.name, made.options.preamble, facts_of(scanned).cxx,
                           made.spec.map,     made.spec.reduce,      made.spec.post,
                           made.spec.identity};
  w.source = scan_source(text, cuda_target, w.plan.variant, names, {});
  return w;
}

void compile(cuda::Compiler& compiler, const Case& c, Scanner scanner, DType dtype) {
  const Written w = write(c, scanner, dtype);
  if (c.lanes != 0) CHECK_EQ(int{w.plan.variant.lanes}, c.lanes);
  if (dtype == DType::f32) CHECK_EQ(w.plan.variant.staged, c.staged);
  const auto start = std::chrono::steady_clock::now();
  try {
    CHECK(compiles(compiler, c.name, w.source));
  } catch (const Error& error) {
    std::cerr << c.name << " " << name(dtype) << ": " << error.what() << "\n";
    CHECK(false);
  }
  if (std::getenv("GPUARR_TEST_MORE") != nullptr)
    std::cout << c.name << " " << name(dtype) << ": "
              << std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                     .count()
              << " ms\n";
}

// Nothing is read, so there is nothing to ask for ahead or to keep.
void compile_scalars(cuda::Compiler& compiler) {
  const Dims shape{1 << 20};
  const Layout layout{shape, {1}};
  const float three = 3;
  const Operand operands[] = {
      {Role::scalar, DType::f32, nullptr, nullptr, &three},
      {Role::output, DType::f32, reinterpret_cast<void*>(0x7f0000000000), &layout, nullptr},
      {Role::output, DType::f32, reinterpret_cast<void*>(0x7f8000000000), &layout, nullptr}};
  const OperandName names[] = {{"c"}, {"y"}, {"z"}};
  ScanPlan plan;
  make_scan_plan(plan, cuda_target, operands, shape, 0, {false, 4, 228 << 10});
  CHECK(plan.variant.chunked && !plan.variant.staged);
  CHECK_EQ(cut_scan(plan, 4, {132, 50 << 20}).ahead, 0);
  const ReductionText text{"scan", "", "float", "c", "a + b", "y = a; z = -a", std::nullopt};
  CHECK(compiles(compiler, "scalars", scan_source(text, cuda_target, plan.variant, names, {})));
}

// Names of the algorithms that the user has for something else.
void compile_names(cuda::Compiler& compiler) {
  const char* const names =
      "#define lane )\n#define row (\n#define rows 3\n#define place\n#define tile -\n"
      "template <class... A> void scan_lanes(A&&...);\ntemplate <class... A> void finish(A&&...);\n"
      "template <class... A> void scan_strip(A&&...);\ntemplate <class... A> void "
      "result(A&&...);\n";
  for (size_t k : {0, 3, 4, 6, 9})
    CHECK(
        compiles(compiler, "names", write(cases()[k], Scanner::cumsum, DType::f32, names).source));
}

void compile_selection(cuda::Compiler& compiler, Selection selection, DType mask, int bytes) {
  for (int pack : {1, widest_pack(selection, mask, bytes)}) {
    SelectVariant form;
    form.selection = selection;
    form.mask = mask_alike(mask);
    form.bytes = bytes;
    form.pack = pack;
    CHECK(compiles(compiler, "select", select_source(cuda_target, form)));
  }
}

}  // namespace

int main() {
  cuda::Compiler hopper(90, 13);
  try {
    hopper.description();
  } catch (const Error& e) {
    std::cout << "skipped: " << e.what() << "\n";
    return check::result() == 0 ? 77 : check::result();
  }
  const bool more = std::getenv("GPUARR_TEST_MORE") != nullptr;
  for (const Case& c : cases()) compile(hopper, c, Scanner::cumsum, DType::f32);
  compile_scalars(hopper);
  compile(hopper, cases()[0], Scanner::cumsum, DType::i8);
  compile(hopper, cases()[1], Scanner::cummax, DType::f16);
  compile(hopper, cases()[7], Scanner::cumprod, DType::c128);
  compile_selection(hopper, Selection::gather, DType::boolean, 4);
  compile_selection(hopper, Selection::gather, DType::boolean, 16);
  compile_selection(hopper, Selection::indices, DType::c128, 8);
  compile_selection(hopper, Selection::spread, DType::boolean, 1);
  cuda::Compiler ampere(80, 13);
  compile(ampere, cases()[0], Scanner::cumsum, DType::f64);
  for (int s = 0; more && s < scanner_count; ++s)
    for (const DTypeFacts& dtype : dtype_table())
      if (s < 2 || dtype.kind != DTypeKind::complex)
        for (const Case& c : cases()) compile(hopper, c, static_cast<Scanner>(s), dtype.dtype);
  compile_names(hopper);
  return check::result();
}
