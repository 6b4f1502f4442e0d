// Every form of generated CUDA source compiles for the GPUs of three generations, on a machine
// without one.
#include <iostream>
#include <random>

#include "check.hpp"
#include "codegen/elementwise/elementwise.hpp"
#include "codegen/elementwise/parameters.hpp"
#include "codegen/targets.hpp"
#include "cuda_text.hpp"

using namespace gpuarr;

namespace {

// A loop over made-up addresses: nothing is run.
struct Case {
  std::string name;
  ElementwiseText text;
  Dims shape;
  struct Arg {
    std::string name;
    Role role;
    DType dtype;
    Dims strides;  // in the loop; of a raw array of the loop's shape
    int64_t offset = 0;
    int starts_as = -1;
  };
  std::vector<Arg> args;
};

std::string source_of(const Case& c, Form* form = nullptr) {
  std::vector<Layout> layouts;
  for (const auto& a : c.args)
    layouts.push_back({a.role == Role::scalar ? Dims{} : c.shape, a.strides});
  std::vector<Operand> operands;
  std::vector<OperandName> names;
  static const unsigned char value[16] = {};
  for (size_t k = 0; k < c.args.size(); ++k) {
    const auto& a = c.args[k];
    auto* data = reinterpret_cast<char*>(0x7f0000000000 + (static_cast<intptr_t>(k) << 36)) +
                 a.offset * size_of(a.dtype);
    bool scalar = a.role == Role::scalar;
    operands.push_back({a.role, a.dtype, scalar ? nullptr : data, scalar ? nullptr : &layouts[k],
                        scalar ? value : nullptr});
    names.push_back({a.name, a.starts_as, false});
  }
  for (size_t k = 0; k < c.args.size(); ++k)
    if (c.args[k].starts_as >= 0) names[static_cast<size_t>(c.args[k].starts_as)].hidden = true;
  Plan plan;
  make_plan(plan, cuda_target, operands, c.shape, traits_of(c.text));
  if (form != nullptr) *form = plan.variant.form;
  return elementwise_source(c.text, cuda_target, plan.variant, names, {});
}

ElementwiseText body(const std::string& text) { return {"test", "", "", text, ""}; }

std::vector<Case> layouts_of(DType t) {
  const Role in = Role::input;
  const Role out = Role::output;
  const std::string sub =
      facts_of(t).kind == DTypeKind::boolean ? "z = x != y" : "z = (x - y) * (x - y)";
  auto three = [&](const char* name, Dims shape, Dims x, Dims y, Dims z, int64_t ox = 0,
                   int64_t oy = 0, int64_t oz = 0) {
    return Case{
        name, body(sub), shape, {{"x", in, t, x, ox}, {"y", in, t, y, oy}, {"z", out, t, z, oz}}};
  };
  return {
      three("contiguous", {1000}, {1}, {1}, {1}),
      three("one element off", {1000}, {1}, {1}, {1}, 1, 1, 1),
      three("one input off", {1000}, {1}, {1}, {1}, 1, 0, 0),
      three("output off", {1000}, {1}, {1}, {1}, 0, 0, 1),
      three("row broadcast", {100, 64}, {64, 1}, {0, 1}, {64, 1}),
      three("column broadcast", {100, 64}, {64, 1}, {1, 0}, {64, 1}),
      three("slices", {100, 63}, {64, 1}, {64, 1}, {63, 1}),
      three("scalar array", {100, 64}, {64, 1}, {0, 0}, {64, 1}),
      three("strided", {100, 64}, {128, 2}, {64, 1}, {64, 1}),
      three("transposed", {64, 64}, {64, 1}, {1, 64}, {64, 1}),
      three("batched transposed", {5, 64, 64}, {4096, 64, 1}, {4096, 1, 64}, {4096, 64, 1}),
      three("one element", {1}, {1}, {1}, {1}),
      three("no axis", {}, {}, {}, {}),
      three("negative", {1000}, {-1}, {1}, {1}),
      three("five axes", {3, 4, 5, 6, 7}, {8000, 1700, 330, 50, 7}, {1, 3, 12, 60, 360},
            {840, 210, 42, 7, 1}),
      three("wide", {int64_t{1} << 20, int64_t{1} << 14}, {int64_t{1} << 14, 1}, {1, 0},
            {int64_t{1} << 14, 1}),
      three("wide strided", {int64_t{1} << 20, int64_t{1} << 14}, {int64_t{1} << 15, 2}, {0, 1},
            {int64_t{1} << 14, 1}),
  };
}

std::vector<Case> features() {
  const Role in = Role::input;
  const Role out = Role::output;
  ElementwiseText prep = body("z = x * scale; total += x");
  prep.preamble = "__device__ float twice(float v) { return 2 * v; }";
  prep.loop_prep = "const float scale = twice(1.5f); float total = 0";
  prep.after_loop = "if (total < 0) z_raw[0] = total";
  return {
      {"index",
       body("z = x + i + n + _ind.size()"),
       {10, 20},
       {{"x", in, DType::f64, {20, 1}}, {"z", out, DType::f64, {20, 1}}}},
      {"index of F order",
       body("z = x + i"),
       {10, 20},
       {{"x", in, DType::f64, {1, 10}}, {"z", out, DType::f64, {1, 10}}}},
      {"index along axes",
       body("z = x + _ind.get()[1]"),
       {10, 20},
       {{"x", in, DType::i64, {20, 1}}, {"z", out, DType::i64, {20, 1}}}},
      {"raw",
       body("z = x[n - 1 - i] + y(0, 1) + x.size() + x.shape()[0] + x.strides()[1]"),
       {10, 20},
       {{"x", Role::raw_input, DType::f32, {20, 1}},
        {"y", Role::raw_input, DType::f32, {1, 10}},
        {"z", out, DType::f32, {20, 1}}}},
      {"loop_prep and after_loop",
       prep,
       {1000},
       {{"x", in, DType::f32, {1}},
        {"z", out, DType::f32, {1}},
        {"z_raw", Role::raw_output, DType::f32, {1}}}},
      {"scalars",
       body("z = a * x + b"),
       {1000},
       {{"x", in, DType::c128, {1}},
        {"a", Role::scalar, DType::c128, {}},
        {"b", Role::scalar, DType::f32, {}},
        {"z", out, DType::c128, {1}}}},
      {"in place, mixed widths",
       body("x += y"),
       {1000},
       {{"x", in, DType::f64, {1}}, {"y", in, DType::i8, {1}}, {"x", out, DType::f64, {1}, 0, 0}}},
      {"continue",
       body("if (x < 0) continue;\nz = x"),
       {1000},
       {{"x", in, DType::f32, {1}}, {"z", out, DType::f32, {1}}}},
      {"return",
       body("if (x < 0) return;\nz = x + i + _ind.get()[0]"),
       {1000},
       {{"x", in, DType::f32, {1}}, {"z", out, DType::f32, {1}}}},
      {"a loop",
       body("for (int k = 0; k < 3; ++k) z += x"),
       {1000},
       {{"x", in, DType::f32, {1}}, {"z", out, DType::f32, {1}}}},
      {"no output",
       body("atomicAdd(&x[i % 3], 1.0f)"),
       {1000},
       {{"x", Role::raw_output, DType::f32, {1}}}},
  };
}

void compile_all(const std::vector<Case>& cases, cuda::Compiler& compiler) {
  for (const Case& c : cases) {
    std::string source = source_of(c);
    try {
      CHECK(compiles(compiler, "test", source));
    } catch (const Error& e) {
      check::report(__FILE__, __LINE__) << c.name << ": " << e.what() << "\n" << source;
      return;
    }
  }
}

void forms_are_what_they_should_be() {
  auto cases = layouts_of(DType::f32);
  for (auto [name, expected] : {std::pair{"contiguous", Form::rows},
                                {"slices", Form::rows},
                                {"strided", Form::strided},
                                {"transposed", Form::tiled},
                                {"batched transposed", Form::tiled},
                                {"no axis", Form::rows},
                                {"negative", Form::strided}}) {
    Form form = Form::rows;
    for (const Case& c : cases)
      if (c.name == name) source_of(c, &form);
    if (form != expected) check::report(__FILE__, __LINE__) << name << " has another form\n";
  }
}

}  // namespace

int main() {
  cuda::Compiler hopper(90, 13);
  try {
    hopper.description();
  } catch (const Error& e) {
    std::cout << "skipped: " << e.what() << "\n";
    return 77;
  }
  forms_are_what_they_should_be();
  for (const DTypeFacts& r : dtype_table()) compile_all(layouts_of(r.dtype), hopper);
  compile_all(features(), hopper);
  for (int capability : {80, 100}) {
    cuda::Compiler compiler(capability, 13);
    compile_all(layouts_of(DType::f32), compiler);
    compile_all(layouts_of(DType::i8), compiler);
    compile_all(features(), compiler);
  }
  return check::result();
}
