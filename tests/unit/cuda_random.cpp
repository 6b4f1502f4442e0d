// Every kernel that draws random numbers compiles for GPUs, on a machine without one.
#include <iostream>

#include "check.hpp"
#include "codegen/elementwise/elementwise.hpp"
#include "codegen/targets.hpp"
#include "cuda_text.hpp"
#include "kernel/text/signature.hpp"
#include "ops/random/texts.hpp"

using namespace gpuarr;

namespace {

// The elementwise kernel for an array in Fortran's order, of scalars.
std::string elementwise_text(Distribution distribution, DType dtype) {
  const RandomKernelText made =
      random_kernel_text(distribution, distribution != Distribution::gamma);
  const Signature signature = parse_signature(made.in_params, formatted("{} out", name(dtype)));
  const Dims shape = {1000, 64};
  const Layout out{shape, {1, 1000}};
  static const unsigned char value[16] = {};
  std::vector<Operand> operands;
  std::vector<OperandName> names;
  std::vector<Letter> letters;
  for (const Parameter& p : signature.inputs) {
    operands.push_back({Role::scalar, p.dtype.value_or(DType::f64), nullptr, nullptr, value});
    names.push_back({p.name});
    if (p.letter != 0) letters.push_back({p.letter, static_cast<int>(operands.size()) - 1});
  }
  operands.push_back({Role::output, dtype, reinterpret_cast<char*>(0x7f0000000000), &out, nullptr});
  names.push_back({"out"});
  const ElementwiseText pieces{facts_of(distribution).name,
                               random_preamble(random_text(distribution, dtype), dtype),
                               made.loop_prep, made.body, ""};
  Plan plan;
  make_plan(plan, cuda_target, operands, shape, traits_of(pieces));
  return elementwise_source(pieces, cuda_target, plan.variant, names, letters);
}

void compile(cuda::Compiler& compiler, Distribution distribution, DType dtype, bool elementwise) {
  const RandomText made = random_text(distribution, dtype);
  const std::string source = elementwise ? elementwise_text(distribution, dtype)
                                         : random_fill_source(cuda_target, made, dtype);
  try {
    CHECK(compiles(compiler, made.name, source));
  } catch (const Error& e) {
    check::report(__FILE__, __LINE__)
        << made.name << " of " << name(dtype) << ": " << e.what() << "\n";
  }
}

bool makes(Distribution distribution, DType dtype) {
  try {
    check_dtype(distribution, dtype);
    return true;
  } catch (const Error&) {
    return false;
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
  for (int k = 0; k < distribution_count; ++k) {
    const auto distribution = static_cast<Distribution>(k);
    const bool by_steps = facts_of(distribution).body != nullptr;
    const bool single = distribution == Distribution::standard_normal;
    for (DType dtype : {DType::boolean, DType::i8, DType::i64, DType::f16, DType::f32, DType::f64})
      if (makes(distribution, dtype) && !(single && dtype == DType::f64))
        compile(hopper, distribution, dtype, by_steps);
  }
  compile(hopper, Distribution::normal, DType::f32, true);
  compile(hopper, Distribution::integers_64, DType::u64, true);
  return check::result();
}
