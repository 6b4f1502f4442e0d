#include "expr/evaluate.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "expr/program.hpp"
#include "expr/view.hpp"
#include "kernel/copy.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/result.hpp"

namespace gpuarr::expr {
namespace {

bool suits(const Array& array, const Node& node) {
  return !array.read_only && &array.device() == node.device && array.layout.shape == node.shape &&
         (array.dtype == node.dtype || may_become(node.dtype, array.dtype)) &&
         !overlaps_itself(array.layout);
}

[[noreturn]] void fail_unsuited(const Array& array, const Node& node, const std::string& label) {
  check_given(array, label.c_str(), array.dtype, node.shape, *node.device);
  if (overlaps_itself(array.layout))
    fail(
        GPUARR_ERR_OVERLAP,
        "{} has elements that share memory (shape {}, strides {}); give an array whose elements do "
        "not",
        label, to_string(array.layout.shape), to_string(array.layout.strides));
  fail(GPUARR_ERR_DTYPE, "{} is {}, to which the result's {} is not converted; give {}", label,
       name(array.dtype), name(node.dtype), name(node.dtype));
}

// What is stored on the way, and the arrays that were given for results.
class Evaluation {
 public:
  Evaluation(const Numbered& numbered, const Program& program, std::span<const Array* const> given,
             Stream& stream)
      : numbered_(numbered),
        in_place_(program.is_loop()),
        given_(given),
        stream_(stream),
        stored_(numbered.items.size()),
        targets_(numbered.items.size()) {
    for (size_t r = 0; r < given.size(); ++r)
      if (given[r] != nullptr) take_target(r);
    for (int k : numbered.roots) keep_source(k);
  }

  void run(const Step& step) {
    std::vector<Argument> inputs;
    std::vector<Scalar> scalars;
    scalars.reserve(step.inputs.size());  // arguments point into it
    for (const Input& input : step.inputs) inputs.push_back(argument(input, scalars));
    std::vector<const Array*> outputs;
    std::vector<Array> views;
    views.reserve(step.outputs.size());
    for (int k : step.outputs) outputs.push_back(target(step, k, views));
    MadeOutputs made = launch(step, inputs, outputs);
    for (auto& [at, array] : made) {
      const int k = step.outputs[as_index(at)];
      stored_[as_index(k)] = std::make_unique<Array>(as_node(step, k, std::move(array)));
    }
    for (int k : step.last) stored_[as_index(k)].reset();
  }

  MadeOutputs launch(const Step& step, std::span<const Argument> inputs,
                     std::span<const Array* const> outputs) {
    if (step.loop != nullptr) return step.loop->call(inputs, outputs, no_size, &stream_);
    const AxisRequest axes{step.axes, false, true};
    return step.row != nullptr ? step.row->call(inputs, outputs, axes, &stream_)
                               : step.reduction->call(inputs, outputs, axes, &stream_);
  }

  // The results that were to be made.
  std::vector<std::optional<Array>> take() {
    std::vector<std::optional<Array>> out(numbered_.roots.size());
    std::vector<char> taken(numbered_.items.size());
    for (size_t r = 0; r < out.size(); ++r) {
      const int k = numbered_.roots[r];
      const Array& value = *array_of(k);
      const bool is_own =
          numbered_.node(k).kind != NodeKind::view && stored_[as_index(k)] && !taken[as_index(k)];
      if (given_[r] != nullptr) {
        if (given_[r] != targets_[as_index(k)]) convert(*given_[r], value, stream_);
      } else if (is_own) {
        out[r] = value;
        taken[as_index(k)] = 1;
      } else {
        out[r] = Array::with_strides(stream_, value.dtype, value.layout.shape,
                                     strides_like(value.layout));
        convert(*out[r], value, stream_);
      }
    }
    return out;
  }

 private:
  const Array* array_of(int k) {
    const Node& node = numbered_.node(k);
    if (is_leaf(node) && !stored_[as_index(k)]) return &node.array();
    if (node.kind == NodeKind::view && !stored_[as_index(k)])
      stored_[as_index(k)] = std::make_unique<Array>(
          viewed(*array_of(numbered_.items[as_index(k)].operands[0]), node.view(), stream_));
    const auto& stored = stored_[as_index(k)];
    return stored != nullptr ? stored.get() : targets_[as_index(k)];
  }

  Argument argument(const Input& input, std::vector<Scalar>& scalars) {
    const Node& node = numbered_.node(input.item);
    if (input.kind == Input::array) return {array_of(input.item), nullptr};
    if (input.kind == Input::ddof)
      scalars.push_back(Scalar::of(node.reduction().ddof));
    else if (node.dtype == input.dtype)
      scalars.push_back(node.scalar());
    else {
      Scalar& scalar = scalars.emplace_back(Scalar{input.dtype});
      node.scalar().convert_to(input.dtype, scalar.bytes, "scalar", true);
    }
    return {nullptr, &scalars.back()};
  }

  // A result goes right where it is wanted if nothing else is there.
  void take_target(size_t r) {
    const Array& array = *given_[r];
    const int k = numbered_.roots[r];
    const Node& node = numbered_.node(k);
    if (!suits(array, node)) fail_unsuited(array, node, formatted("outputs[{}]", r));
    for (size_t other = 0; other < r; ++other)
      if (given_[other] != nullptr && may_overlap(array, *given_[other]))
        fail(GPUARR_ERR_OVERLAP, "outputs[{}] and outputs[{}] share memory; give each its own", r,
             other);
    const auto clashes = [&](const Item& item) {
      return !in_place_ && item.node->kind == NodeKind::array &&
             may_overlap(array, item.node->array());
    };
    if (array.dtype == node.dtype && !is_leaf(node) && node.kind != NodeKind::view &&
        targets_[as_index(k)] == nullptr && std::ranges::none_of(numbered_.items, clashes))
      targets_[as_index(k)] = &array;
  }

  // A result that is an array is copied after all kernels: now, if one of them may write into it.
  void keep_source(int k) {
    const Node& node = numbered_.node(k);
    if (node.kind != NodeKind::array || stored_[as_index(k)]) return;
    const Array& source = node.array();
    const auto is_written = [&](const Array* array) {
      return array != nullptr && may_overlap(*array, source);
    };
    if (std::ranges::none_of(given_, is_written)) return;
    stored_[as_index(k)] = std::make_unique<Array>(Array::with_strides(
        stream_, source.dtype, source.layout.shape, strides_like(source.layout)));
    convert(*stored_[as_index(k)], source, stream_);
  }

  // Reductions run with all axes kept; whether the node has those that were reduced.
  bool keeps_axes(const Step& step, int k) const {
    return numbered_.node(k).shape.size() == step.ndim;
  }

  const Array* target(const Step& step, int k, std::vector<Array>& views) const {
    const Array* array = targets_[as_index(k)];
    if (array == nullptr || keeps_axes(step, k)) return array;
    Layout layout = array->layout;
    for (int axis : step.axes) {
      layout.shape.insert(axis, 1);
      layout.strides.insert(axis, 1);
    }
    return &views.emplace_back(array->view(layout));
  }

  Array as_node(const Step& step, int k, Array made) const {
    if (keeps_axes(step, k)) return made;
    Layout layout = made.layout;
    for (size_t at = step.axes.size(); at > 0; --at) layout.erase_axis(step.axes[at - 1]);
    return made.view(layout);
  }

  const Numbered& numbered_;
  const bool in_place_;
  std::span<const Array* const> given_;
  Stream& stream_;
  std::vector<std::unique_ptr<Array>> stored_;
  std::vector<const Array*> targets_;  // by node: where it is to go
};

// A function of arrays is a kernel of its own, which needs no plan.
bool is_single(const Node& root) {
  if (root.kind != NodeKind::function || output_count(gpuarr::row_of(root.function().op)) != 1)
    return false;
  for (int k = 0; k < root.count; ++k)
    if (!is_leaf(*root.operands[as_index(k)])) return false;
  return true;
}

std::optional<Array> run_single(const Node& root, const Array* given, Stream* stream) {
  if (given != nullptr && !suits(*given, root)) fail_unsuited(*given, root, "outputs[0]");
  std::array<Argument, Node::most_operands> inputs;
  for (size_t k = 0; k < as_index(root.count); ++k) {
    const Node& operand = *root.operands[k];
    const bool is_array = operand.kind == NodeKind::array;
    inputs[k] = {is_array ? &operand.array() : nullptr, is_array ? nullptr : &operand.scalar()};
  }
  const FunctionNode& function = root.function();
  return only_of(run_function(function.op, function.computed, {inputs.data(), as_index(root.count)},
                              {&given, 1}, nullptr, stream));
}

}  // namespace

std::vector<std::optional<Array>> evaluate(std::span<const Expr> roots,
                                           std::span<const Array* const> outputs, Stream* given) {
  check_roots(roots);
  if (roots.size() == 1 && is_single(*roots[0])) {
    std::vector<std::optional<Array>> made(1);
    made[0] = run_single(*roots[0], outputs[0], given);
    return made;
  }
  const Numbered numbered = number(roots);
  Stream& stream = stream_for(given, *roots[0]->device);
  const auto program = program_for(numbered, stream.device());
  Evaluation evaluation(numbered, *program, outputs, stream);
  for (const Step& step : program->steps) evaluation.run(step);
  return evaluation.take();
}

}  // namespace gpuarr::expr
