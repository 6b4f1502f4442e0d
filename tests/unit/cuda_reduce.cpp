// Every ready-made reduction compiles for GPUs, on a machine without one.
#include <iostream>

#include "check.hpp"
#include "codegen/reduction/plan.hpp"
#include "codegen/reduction/reduction.hpp"
#include "codegen/targets.hpp"
#include "core/text.hpp"
#include "cuda_text.hpp"
#include "kernel/text/signature.hpp"
#include "ops/reduce/reduce.hpp"

using namespace gpuarr;

namespace {

// What is known of a struct's size.
std::string preamble_of(const ReducerText& made) {
  std::string out(made.options.preamble.text());
  if (made.spec.struct_bytes > 0)
    out += formatted("\nstatic_assert(sizeof({}) <= {}, \"\");\n", made.options.reduce_type,
                     made.spec.struct_bytes);
  return out;
}

// The source for arrays of 1000 by 64 elements at made-up addresses, in stages the last of two such
// blocks.
std::string source_of(const ReducerText& made, DType dtype, DType result, int axis, Stage stage) {
  Signature signature = parse_signature(made.spec.in_params, made.spec.out_params);
  const Dims shape = {1000, 64};
  const Layout in{shape, {64, 1}};
  const Layout out{{shape[1 - axis]}, {1}};
  static const unsigned char value[16] = {};
  std::vector<Operand> operands;
  std::vector<OperandName> names;
  auto* data = reinterpret_cast<char*>(0x7f0000000000);
  for (const Parameter& p : signature.inputs) {
    if (p.dtype)
      operands.push_back({Role::scalar, *p.dtype, nullptr, nullptr, value});
    else
      operands.push_back({Role::input, dtype, data, &in, nullptr});
    names.push_back({p.name});
  }
  operands.push_back({Role::output, result, data, &out, nullptr});
  names.push_back({signature.outputs[0].name});
  const ReductionText pieces{
      made.options.name, preamble_of(made), made.options.reduce_type, made.spec.map,
      made.spec.reduce,  made.spec.post,    made.spec.identity,       {}};
  ReductionTraits traits = traits_of(pieces);
  ReducedAxes axes;
  axes.reduced[static_cast<size_t>(axis)] = true;
  ReductionPlan plan;
  plan.variant.stage = stage;
  const Piece last = stage == Stage::whole ? everything() : Piece{shape, {2000, 128}};
  make_reduction_plan(plan, cuda_target, operands, shape, axes, traits, last);
  const Letter letters[] = {{'T', 0}};
  return reduction_source(pieces, cuda_target, plan.variant, names, letters);
}

void compile(Reducer reducer, DType dtype, int axis, cuda::Compiler& compiler,
             bool long_counts = false, Stage stage = Stage::whole) {
  const ReducerText made = reducer_text(reducer, dtype, long_counts);
  const std::string source = source_of(made, dtype, result_dtype(reducer, dtype), axis, stage);
  try {
    CHECK(compiles(compiler, made.options.name, source));
  } catch (const Error& e) {
    check::report(__FILE__, __LINE__)
        << made.options.name << " of " << name(dtype) << ": " << e.what() << "\n";
  }
}

bool takes(Reducer reducer, DType dtype) {
  try {
    reducer_text(reducer, dtype);
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
  for (int k = 0; k < reducer_count; ++k) {
    const auto reducer = static_cast<Reducer>(k);
    for (DType dtype : {DType::i8, DType::u64, DType::f16, DType::f32, DType::c64})
      if (takes(reducer, dtype)) compile(reducer, dtype, 1, hopper);
  }
  for (Reducer reducer : {Reducer::sum, Reducer::argmax, Reducer::var, Reducer::logsumexp})
    compile(reducer, DType::f64, 0, hopper);
  for (Reducer reducer : {Reducer::argmin, Reducer::std})
    compile(reducer, DType::f32, 1, hopper, true);
  for (Reducer reducer : {Reducer::mean, Reducer::argmax, Reducer::var, Reducer::logsumexp})
    for (Stage stage : {Stage::partial, Stage::combine, Stage::finish})
      compile(reducer, DType::f64, 0, hopper, reducer == Reducer::argmax, stage);
  compile(Reducer::dot, DType::c128, 1, hopper, false, Stage::partial);
  compile(Reducer::std, DType::c128, 1, hopper, true, Stage::finish);
  return check::result();
}
