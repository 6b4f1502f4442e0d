// What expressions become compiles for GPUs, on a machine without one: users' kernels among others,
// scans of what is computed on the way.
#include <iostream>

#include "check.hpp"
#include "codegen/elementwise/parameters.hpp"
#include "codegen/scan/parameters.hpp"
#include "codegen/scan/scan.hpp"
#include "codegen/targets.hpp"
#include "cuda_text.hpp"
#include "expr/kernel_nodes.hpp"
#include "expr/text.hpp"
#include "expr_build.hpp"
#include "kernel/text/signature.hpp"

using namespace gpuarr;
using namespace building;
using expr::FoldsText;
using expr::GroupKind;
using expr::GroupText;

namespace {

const Dims shape{1000, 64};

// Operands of a group at made-up addresses: nothing is run.
struct Operands {
  Operands(const expr::Numbered& numbered, const expr::Group& group, const GroupText& text) {
    layouts.reserve(text.inputs.size() + group.outputs.size());
    for (const expr::Input& input : text.inputs)
      add(input.kind == expr::Input::array ? Role::input : Role::scalar, input.dtype,
          numbered.node(input.item).shape);
    for (int k : group.outputs) add(Role::output, numbered.node(k).dtype, numbered.node(k).shape);
    const Signature signature =
        parse_signature(text.in_params, text.outputs(0, text.out_params.size()));
    for (const auto* list : {&signature.inputs, &signature.outputs})
      for (const Parameter& p : *list) names.push_back({p.name});
  }

  void add(Role role, DType dtype, const Dims& own) {
    static const unsigned char value[16] = {};
    layouts.push_back({own, dense_strides(own, Order::c)});
    const auto at = static_cast<intptr_t>(layouts.size()) << 40;
    const bool scalar = role == Role::scalar;
    all.push_back({role, dtype, scalar ? nullptr : reinterpret_cast<void*>(at),
                   scalar ? nullptr : &layouts.back(), scalar ? value : nullptr});
  }

  std::vector<Layout> layouts;
  std::vector<Operand> all;
  std::vector<OperandName> names;
};

std::string loop_source(const GroupText& text, const Operands& operands, const Dims& space) {
  const ElementwiseText loop{
      text.options.name, text.options.preamble, {}, std::get<expr::LoopText>(text.parts).body, {}};
  Plan plan;
  make_plan(plan, cuda_target, operands.all, space, traits_of(loop));
  return elementwise_source(loop, cuda_target, plan.variant, operands.names, {});
}

ReductionText text_of_folds(const GroupText& text) {
  const auto& folds = std::get<FoldsText>(text.parts);
  ReductionText out{text.options.name,
                    text.options.preamble,
                    text.options.reduce_type,
                    folds.map,
                    folds.reduce,
                    folds.post,
                    {},
                    {},
                    folds.folds};
  if (folds.identity) out.identity = *folds.identity;
  return out;
}

std::string reduction_source(const GroupText& text, const Operands& operands,
                             const expr::Group& group) {
  const ReductionText folds = text_of_folds(text);
  ReducedAxes reduced;
  for (int axis = 0; axis < group.space.size(); ++axis)
    reduced.reduced[as_index(axis)] = (group.axes >> axis & 1) != 0;
  ReductionPlan plan;
  make_reduction_plan(plan, cuda_target, operands.all, group.space, reduced, traits_of(folds));
  return reduction_source(folds, cuda_target, plan.variant, operands.names, {});
}

std::string scan_source(const GroupText& text, const Operands& operands) {
  ScanPlan plan;
  make_scan_plan(plan, cuda_target, operands.all, shape, 1, {false, 4, 164 << 10});
  cut_scan(plan, 4, {132, 50 << 20});
  return scan_source(text_of_folds(text), cuda_target, plan.variant, operands.names, {});
}

// All groups of the expressions; `kinds` are theirs.
void check_compiles(const std::vector<Expr>& roots, const std::vector<GroupKind>& kinds,
                    cuda::Compiler& compiler) {
  const expr::Numbered numbered = expr::number(roots);
  const expr::Plan plan = expr::make_plan(numbered, {});
  CHECK_EQ(plan.groups.size(), kinds.size());
  for (size_t g = 0; g < plan.groups.size(); ++g) {
    const expr::Group& group = plan.groups[g];
    CHECK(group.kind == kinds[g]);
    const GroupText text = expr::text_of(numbered, plan, group);
    const Operands operands(numbered, group, text);
    std::string source;
    if (group.kind == GroupKind::elementwise) source = loop_source(text, operands, group.space);
    if (group.kind == GroupKind::reduction) source = reduction_source(text, operands, group);
    if (group.kind == GroupKind::scan) source = scan_source(text, operands);
    try {
      CHECK(compiles(compiler, text.options.name, source));
    } catch (const Error& e) {
      check::report(__FILE__, __LINE__) << text.options.name << ": " << e.what() << "\n";
    }
  }
}

std::shared_ptr<Elementwise> clipped() {
  KernelOptions options;
  options.preamble = "__device__ inline float half_of(float x) { return x / 2; }";
  return std::make_shared<Elementwise>(
      "T x, float64 bound", "T z, bool above",
      "above = x > bound; for (int k = 0; k < 2; ++k) { z = x; if (k > 0) continue; }\n"
      "if (above) { z = (T)half_of(x); return; }",
      options);
}

std::shared_ptr<Reduction> span() {
  KernelOptions options;
  options.preamble = "struct Span { T low, high; };";
  options.reduce_type = "Span";
  MapReduceSpec spec{"T x, T weight",
                     "T out",
                     "Span{x * weight, x * weight}",
                     "Span{a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high}",
                     "out = a.high - a.low + (T)n",
                     {}};
  return std::make_shared<Reduction>(spec, options);
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
  const Expr x = f32(shape), y = f32(shape);
  const Expr operands[] = {x - y, number(3)};
  const auto both = expr::kernel_nodes(clipped(), operands);
  check_compiles({exp(both[0]), both[1]}, {GroupKind::elementwise}, hopper);
  check_compiles({sqrt(over(Reducer::sum, both[0], 1))}, {GroupKind::reduction}, hopper);
  const Expr weighted[] = {both[0], y};
  const auto spans = expr::user_reduction_nodes(span(), weighted, {});
  check_compiles({2.0 * spans[0]}, {GroupKind::reduction}, hopper);
  for (Scanner scanner : {Scanner::cumsum, Scanner::cummax})
    check_compiles({expr::scan_node(scanner, both[0] * x, 1, false)}, {GroupKind::scan}, hopper);
  check_compiles({expr::scan_node(Scanner::cumprod, x, 1, false) + y},
                 {GroupKind::scan, GroupKind::elementwise}, hopper);
  const Expr v = f32(Dims{64000}), places = expr::indices_node(v, 0);
  check_compiles({v * places}, {GroupKind::elementwise}, hopper);
  check_compiles({3.0 * places}, {GroupKind::elementwise}, hopper);
  check_compiles({sum(v * places)}, {GroupKind::reduction}, hopper);
  return check::result();
}
