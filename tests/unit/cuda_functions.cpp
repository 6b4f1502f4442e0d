// Every elementwise function compiles for GPUs, on a machine without one: those that compute in one
// dtype in one program, since most of the time goes into starting.
#include <iostream>
#include <sstream>

#include "check.hpp"
#include "codegen/prelude/prelude.hpp"
#include "cuda_text.hpp"
#include "ops/functions/functions.hpp"

using namespace gpuarr;

namespace {

bool takes(Op function, DType dtype) {
  if (dtype == mixed_integers) return row_of(function).compares;
  try {
    function_text(function, {dtype});
    return true;
  } catch (const Error&) {
    return false;
  }
}

// "X x, Y y": the last words of the items.
std::vector<std::string> names_in(const std::string& params) {
  std::vector<std::string> names;
  std::istringstream items(params);
  for (std::string type, name; items >> type >> name;)
    names.push_back(name.substr(0, name.find(',')));
  return names;
}

// What an elementwise kernel does with its texts, for one element of each array.
std::string kernel_of(Op function, const FunctionVariant& variant, DType input) {
  const FunctionText made = function_text(function, variant);
  std::string out =
      formatted("namespace {}_{} {{\n", row_of(function).name, static_cast<int>(function));
  // Inputs that are not promoted are conditions, or numbers of places and the like.
  out += formatted("typedef {} X;\ntypedef int64 Y, Z, W, S;\n", name(input));
  out += formatted("typedef float64 O;\ntypedef float64 Q;\n{}", made.options.preamble.text());
  out += "__global__ void kernel(const char* in, char* result) {\n";
  const std::vector<std::string> inputs = names_in(made.in_params);
  for (size_t k = 0; k < inputs.size(); ++k) {
    const bool is_data = k == 0 || is_promoted(row_of(function), k);
    out += formatted("  const {0} {1} = *({0} const*)in; in += 16;\n",
                     inputs[k] == "where" ? "bool"
                     : is_data            ? name(input)
                                          : "int64",
                     inputs[k]);
  }
  const std::vector<std::string> outputs = names_in(made.out_params);
  std::istringstream types(made.out_params);
  for (const std::string& output : outputs) {
    std::string type;
    std::string name;
    types >> type >> name;
    out += formatted("  {0} {1} = *({0}*)result;\n", type, output);
  }
  out += made.body;
  for (const std::string& output : outputs)
    out += formatted("  *(decltype({0})*)result = {0}; result += 16;\n", output);
  return out + "}\n}\n";
}

void compile_all(cuda::Compiler& compiler, DType dtype, DType input, bool converts) {
  std::string kernels;
  int count = 0;
  for (int f = 0; f < all_function_count; ++f) {
    const auto function = static_cast<Op>(f);
    if (!takes(function, dtype)) continue;
    FunctionVariant variant{dtype};
    if (converts && function != Op::complex) variant = {dtype, {true, true}, true};
    kernels += kernel_of(function, variant, input);
    ++count;
  }
  const DType dtypes[] = {dtype == mixed_integers ? input : dtype, input};
  const UserText text = kernels;
  const UserText* const texts[] = {&text};
  try {
    CHECK(compiles(compiler, "functions", cuda_prelude(needs_of(dtypes, texts)) + kernels));
  } catch (const Error& e) {
    check::report(__FILE__, __LINE__) << name(input) << ": " << e.what() << "\n";
  }
  std::cout << count << " functions of " << name(input) << "\n";
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
  compile_all(hopper, DType::f32, DType::f16, true);
  compile_all(hopper, DType::f64, DType::i64, false);
  compile_all(hopper, DType::i8, DType::boolean, true);
  compile_all(hopper, DType::c64, DType::c64, false);
  compile_all(hopper, DType::f16, DType::f16, false);
  compile_all(hopper, DType::boolean, DType::boolean, false);
  compile_all(hopper, mixed_integers, DType::u64, false);
  return check::result();
}
