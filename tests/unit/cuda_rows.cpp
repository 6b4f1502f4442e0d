// Sources of row kernels for GPUs, in every form: NVRTC takes them for every architecture. With a
// folder as argument it writes them there, for who wants to look at registers.
#include <cstdint>
#include <filesystem>
#include <fstream>

#include "check.hpp"
#include "codegen/targets.hpp"
#include "cuda_text.hpp"
#include "row_texts.hpp"

using namespace gpuarr;
using row_texts::Lies;
using row_texts::RowCase;

namespace {

struct Form {
  const char* name;
  int64_t rows, length;
  int offset;  // elements by which arrays are misaligned
  RowForm form;
  int lanes;
  int blocks = 1;
};

constexpr Form forms[] = {
    {"one element", 100, 1, 0, RowForm::registers, 1},
    {"lanes", 10000, 64, 0, RowForm::registers, 0},
    {"lanes, any length", 10000, 37, 1, RowForm::registers, 0},
    {"warp", 65536, 1024, 0, RowForm::registers, 32},
    {"warp, any length", 65536, 1000, 0, RowForm::registers, 32},
    {"block", 65536, 4096, 0, RowForm::registers, 0},
    {"block, any length", 65536, 4000, 0, RowForm::registers, 0},
    {"block, 16384", 4096, 16384, 0, RowForm::registers, 512},
    {"staged, two to a processor", 3355, 20000, 0, RowForm::staged, 512},
    {"block, 30000", 2236, 30000, 0, RowForm::registers, 1024},
    {"block, odd", 300, 2001, 0, RowForm::registers, 0},
    {"staged, odd", 2000, 20001, 1, RowForm::staged, 512},
    {"two blocks", 2000, 50000, 0, RowForm::staged, 512, 2},
    {"two blocks, odd", 2000, 40001, 1, RowForm::staged, 512, 2},
    {"eight blocks", 300, 400000, 0, RowForm::staged, 1024, 8},
    {"one staged row", 1, 49999, 0, RowForm::staged, 256, 8},
    {"many rows", int64_t{1} << 32, 256, 0, RowForm::registers, 0},
};

struct Planned {
  RowPlan plan;
  std::string source;
  bool fits = false;  // row_fits
};

Planned source_of(const RowCase& c, const Form& form, int cluster) {
  const Dims shape{form.rows, form.length};
  const Layout whole{shape, {form.length, 1}}, row{{1, form.length}, {form.length, 1}},
      column{{form.rows, 1}, {1, 1}}, results{{form.rows}, {1}};
  const double eps = 0.5;
  const Signature signature = row_texts::signature_of(c);
  const auto along = static_cast<size_t>(row_texts::outputs_along(c));
  std::vector<Operand> operands;
  std::vector<OperandName> names;
  const auto add = [&](const Parameter& p, Role role, const Layout* layout) {
    const auto at = static_cast<int64_t>(operands.size() + 1) << 42;
    void* data = reinterpret_cast<void*>(at + form.offset * size_of(*p.dtype));
    const bool scalar = role == Role::scalar;
    operands.push_back({role, *p.dtype, scalar ? nullptr : data, scalar ? nullptr : layout,
                        scalar ? &eps : nullptr});
    names.push_back({p.name});
  };
  for (size_t k = 0; k < signature.inputs.size(); ++k)
    add(signature.inputs[k], c.lies[k] == Lies::scalar ? Role::scalar : Role::input,
        c.lies[k] == Lies::whole ? &whole
        : c.lies[k] == Lies::row ? &row
                                 : &column);
  for (size_t k = 0; k < signature.outputs.size(); ++k)
    add(signature.outputs[k], Role::output, k < along ? &whole : &results);
  ReducedAxes axes;
  axes.reduced[1] = true;
  const RowText text = row_texts::text_of(c);
  RowTraits traits = traits_of(text, names);
  traits.outputs_along = static_cast<int>(along);
  Planned out;
  const RowDevice device{228 << 10, 132, cluster};
  const char* reason = make_row_plan(out.plan, cuda_target, device, operands, shape, axes, traits);
  out.fits = row_fits(cuda_target, device, operands, shape, axes, traits);
  if (reason == nullptr) out.source = row_source(text, cuda_target, out.plan.variant, names, {});
  return out;
}

void check_plan(row_texts::Make* make, DType dtype, const Form& form, const RowVariant& v) {
  if (dtype == DType::f16 && make == row_texts::softmax && form.length == 20000) {
    CHECK_EQ(v.form, RowForm::registers);  // so many as leave room for a second block
    CHECK_EQ(int{v.lanes}, 512);
    CHECK_EQ(int{v.packs}, 5);
  }
  if (dtype != DType::f32) return;
  if (make == row_texts::softmax) {
    CHECK_EQ(v.form, form.form);
    CHECK_EQ(int{v.blocks}, form.blocks);
    CHECK_EQ(int{v.held}, 1);
    CHECK_EQ(v.shifted(), form.form == RowForm::staged && form.length % 4 != 0);
    if (form.lanes > 0) CHECK_EQ(int{v.lanes}, form.lanes);
  } else if (make == row_texts::layer_norm && form.length == 50000) {
    CHECK_EQ(int{v.blocks}, 8);  // weights are read for two rows at once
    CHECK_EQ(int{v.held}, 2);
  } else if (make == row_texts::layer_norm && form.length == 1024) {
    CHECK_EQ(int{v.lanes}, 64);  // of which each waits for four packs of weights, not eight
  }
}

void compile_all(row_texts::Make* make, DType dtype, cuda::Compiler& compiler, int cluster,
                 const std::string& folder) {
  const RowCase c = make(dtype);
  for (const Form& form : forms) {
    const Planned planned = source_of(c, form, cluster);
    if (planned.source.empty()) {
      CHECK(form.length > 20000);  // two arrays of long rows fit no processor
      continue;
    }
    if (cluster == 1)
      CHECK_EQ(int{planned.plan.variant.blocks}, 1);
    else
      check_plan(make, dtype, form, planned.plan.variant);
    if (!folder.empty()) {
      const RowVariant& v = planned.plan.variant;
      std::string file =
          formatted("{}/{}_{}_{}x{}_{}_{}p{}{}.cu", folder, c.name, name(dtype), form.rows,
                    form.length, v.form == RowForm::staged ? "staged" : "registers", v.lanes,
                    v.packs, v.ends == RowEnds::whole ? "" : "r");
      std::ofstream(file) << planned.source;
      continue;
    }
    try {
      CHECK(compiles(compiler, c.name, planned.source));
    } catch (const Error& e) {
      check::report(__FILE__, __LINE__)
          << c.name << " of " << name(dtype) << ", " << form.name << ": " << e.what() << "\n";
      return;
    }
  }
}

// Whether it is faster than kernels for each pass.
void check_fits() {
  const auto fits = [](int64_t rows, int64_t length, int cluster) {
    const Form form{"", rows, length, 0, RowForm::staged, 0};
    return source_of(row_texts::softmax(DType::f32), form, cluster).fits;
  };
  CHECK(fits(2000, 50000, 1));
  CHECK(!fits(2000, 100000, 1));  // no room
  CHECK(fits(2000, 100000, 8));
  CHECK(fits(2, 100000, 8));
  CHECK(fits(300, 400000, 8));
  CHECK(!fits(4, 400000, 8));  // most processors would be idle
  CHECK(!fits(300, 500000, 8));
}

}  // namespace

int main(int count, char** arguments) {
  check_fits();
  const std::string folder = count > 1 ? arguments[1] : "";
  cuda::Compiler hopper(90, 13);
  try {
    hopper.description();
  } catch (const Error& e) {
    std::cout << "skipped: " << e.what() << "\n";
    return 77;
  }
  for (row_texts::Make* make : row_texts::of_floats)
    for (DType dtype : {DType::f32, DType::f16}) compile_all(make, dtype, hopper, 8, folder);
  for (DType dtype : {DType::f64, DType::bf16})
    compile_all(row_texts::layer_norm, dtype, hopper, 8, folder);
  for (DType dtype : {DType::i8, DType::boolean, DType::i64})
    compile_all(row_texts::above_mean, dtype, hopper, 8, folder);
  if (!folder.empty()) return 0;
  for (int capability : {80, 100}) {
    cuda::Compiler compiler(capability, 13);
    for (row_texts::Make* make : {row_texts::softmax, row_texts::layer_norm})
      compile_all(make, DType::f32, compiler, capability >= 90 ? 8 : 1, folder);
  }
  return check::result();
}
