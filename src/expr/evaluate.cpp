#include "expr/evaluate.hpp"

#include <algorithm>
#include <array>
#include <memory_resource>

#include "core/per_thread.hpp"
#include "expr/evaluation.hpp"
#include "expr/pattern.hpp"
#include "ops/base/result.hpp"

namespace gpuarr::expr {
namespace {

// A function or a reduction of arrays is a kernel of its own, which needs no plan.
bool is_single(const Node& root, const Array* given) {
  const bool computes = root.kind == NodeKind::function
                            ? output_count(gpuarr::row_of(root.function().op)) == 1
                            : root.kind == NodeKind::reduction &&
                                  root.reduction().user == nullptr &&
                                  (given == nullptr || given->dtype == root.dtype);
  return computes && std::ranges::all_of(root.operands(),
                                         [](const Expr& operand) { return is_leaf(*operand); });
}

std::optional<Array> run_reduction(const Node& root, const Argument& x, const Array* given,
                                   Stream* stream) {
  const ReductionNode& own = root.reduction();
  std::array<int32_t, max_ndim> axes;
  size_t count = 0;
  for (int axis = 0; axis < x.array->ndim(); ++axis)
    if (own.axes >> axis & 1) axes[count++] = axis;
  const Scalar ddof = Scalar::of(own.ddof);
  const Argument inputs[] = {x, {nullptr, &ddof}};
  const size_t taken = own.reducer == Reducer::var || own.reducer == Reducer::std ? 2 : 1;
  return reduce(own.reducer, {inputs, taken}, given, {{axes.data(), count}, false, own.keepdims},
                stream);
}

std::optional<Array> run_single(const Node& root, const Array* given, Stream* stream) {
  if (given != nullptr && !suits(*given, root)) fail_unsuited(*given, root, "outputs[0]");
  std::array<Argument, Node::few_operands> inputs;
  for (size_t k = 0; k < as_index(root.count); ++k) {
    const Node& operand = *root.operands()[k];
    const bool is_array = operand.kind == NodeKind::array;
    inputs[k] = {is_array ? &operand.array() : nullptr, is_array ? nullptr : &operand.scalar()};
  }
  if (root.kind == NodeKind::reduction) return run_reduction(root, inputs[0], given, stream);
  const FunctionNode& function = root.function();
  return only_of(run_function(function.op, function.computed, {inputs.data(), as_index(root.count)},
                              {&given, 1}, nullptr, stream));
}

// What item k is, where that is an array or a scalar.
auto leaves_in(const Numbered& numbered) {
  return [&numbered](int k) {
    const Node& node = numbered.node(k);
    return node.kind == NodeKind::array ? Argument{&node.array(), nullptr}
                                        : Argument{nullptr, &node.scalar()};
  };
}

}  // namespace

std::vector<std::optional<Array>> evaluate(std::span<const Expr> roots,
                                           std::span<const Array* const> outputs, Stream* given) {
  check_roots(roots);
  if (roots.size() == 1 && is_single(*roots[0], outputs[0])) {
    std::vector<std::optional<Array>> made(1);
    made[0] = run_single(*roots[0], outputs[0], given);
    return made;
  }
  std::array<std::byte, 6144> room;  // of an ordinary evaluation, which asks for no memory else
  std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
  Stream& stream = stream_for(given, *roots[0]->device);
  const auto run = [&](const Numbered& numbered, const Program& program, Launches* launches) {
    return Evaluation(numbered, program, leaves_of(numbered, &memory), outputs, stream)
        .run(launches);
  };
  auto& recent = PerThread<RecentPatterns>::get().at(roots);
  if (const auto pattern = recent; pattern != nullptr)
    if (const auto known = pattern->match(roots, &memory)) {
      if (const Again* const again = pattern->again(); again != nullptr)
        if (auto made = again->run(leaves_in(*known), outputs, stream)) return std::move(*made);
      return run(*known, pattern->program(), nullptr);
    }
  const Numbered numbered = number(roots, &memory);
  const auto program = program_for(numbered, stream.device());
  Launches launches;
  auto made = run(numbered, *program, &launches);
  recent = Pattern::of(numbered, program,
                       Again::of(numbered, *program, std::move(launches), outputs, made));
  return made;
}

}  // namespace gpuarr::expr
