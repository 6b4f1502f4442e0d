#include "expr/program.hpp"

#include <algorithm>
#include <shared_mutex>
#include <unordered_map>

#include "core/once.hpp"

namespace gpuarr::expr {
namespace {

// Kernels by their texts. Never destroyed: expressions may be evaluated while the process ends.
template <class Kernel>
struct Kernels {
  std::mutex mutex;
  std::unordered_map<std::string, std::unique_ptr<Kernel>> all;

  template <class Make>
  Kernel* get(const std::string& text, const Make& make) {
    const std::lock_guard lock(mutex);
    auto& slot = all[text];
    if (slot == nullptr) slot = make();
    return slot.get();
  }
};

Elementwise* loop_of(const GroupText& text, const LoopText& loop) {
  static Undying<Kernels<Elementwise>> kernels;
  return (*kernels).get(text.key(), [&] {
    return std::make_unique<Elementwise>(text.in_params, text.outputs(0, text.out_params.size()),
                                         loop.body, text.options);
  });
}

Reduction* reduction_of(const GroupText& text, const FoldsText& folds) {
  static Undying<Kernels<Reduction>> kernels;
  return (*kernels).get(text.key(), [&] {
    MapReduceSpec spec{text.in_params, text.outputs(0, text.out_params.size()),
                       folds.map,      folds.reduce,
                       folds.post,     {}};
    if (folds.identity) spec.identity = *folds.identity;
    spec.folds = folds.folds;
    return std::make_unique<Reduction>(spec, text.options);
  });
}

Row* row_of(const GroupText& text, const RowsText& rows) {
  static Undying<Kernels<Row>> kernels;
  return (*kernels).get(text.key(), [&] {
    const size_t count = text.out_params.size();
    const RowSpec spec{text.in_params,
                       text.outputs(0, rows.along),
                       text.outputs(rows.along, count),
                       rows.kept,
                       rows.passes,
                       rows.body,
                       rows.finish};
    return std::make_unique<Row>(spec, text.options);
  });
}

// A stored node is let go behind the last step that reads it, unless it is a result.
void note_last_uses(const Numbered& numbered, Program& program) {
  std::vector<char> seen(numbered.items.size());
  const auto stored = [&](int k) {
    return numbered.node(k).kind == NodeKind::view ? numbered.items[as_index(k)].operands[0] : k;
  };
  for (int root : numbered.roots) seen[as_index(stored(root))] = 1;
  for (auto step = program.steps.rbegin(); step != program.steps.rend(); ++step)
    for (const Input& input : step->inputs)
      if (input.kind == Input::array && !is_leaf(numbered.node(input.item)) &&
          !std::exchange(seen[as_index(stored(input.item))], 1))
        step->last.push_back(stored(input.item));
}

std::shared_ptr<const Program> make_program(const Numbered& numbered, const Device& device) {
  const Plan plan = make_plan(numbered, limits_of(device));
  auto program = std::make_shared<Program>();
  for (const Group& group : plan.groups) program->steps.push_back(step_of(numbered, plan, group));
  note_last_uses(numbered, *program);
  return program;
}

struct Programs {
  static constexpr size_t most = 4096;  // then all are forgotten: their kernels stay
  std::shared_mutex mutex;
  std::unordered_map<std::string, std::shared_ptr<const Program>> all;
};

}  // namespace

MadeOutputs Step::run(std::span<const Argument> arguments, std::span<const Array* const> results,
                      Stream& stream) const {
  if (loop != nullptr) return loop->call(arguments, results, no_size, &stream);
  const AxisRequest request{axes, false, true};
  return row != nullptr ? row->call(arguments, results, request, &stream)
                        : reduction->call(arguments, results, request, &stream);
}

PreparedCall Step::prepare(std::span<const Argument> arguments,
                           std::span<const Array* const> results, Device& device) const {
  if (loop != nullptr) return loop->prepare(arguments, results, no_size, device);
  const AxisRequest request{axes, false, true};
  return row != nullptr ? row->prepare(arguments, results, request)
                        : reduction->prepare(arguments, results, request);
}

Step step_of(const Numbered& numbered, const Plan& plan, const Group& group) {
  GroupText text = text_of(numbered, plan, group);
  Step step;
  if (const auto* loop = std::get_if<LoopText>(&text.parts))
    step.loop = loop_of(text, *loop);
  else if (const auto* folds = std::get_if<FoldsText>(&text.parts))
    step.reduction = reduction_of(text, *folds);
  else
    step.row = row_of(text, std::get<RowsText>(text.parts));
  step.inputs = std::move(text.inputs);
  step.outputs = group.outputs;
  step.ndim = group.space.size();
  for (int axis = 0; axis < step.ndim; ++axis)
    if (group.axes >> axis & 1) step.axes.push_back(axis);
  return step;
}

std::shared_ptr<const Program> program_for(const Numbered& numbered, const Device& device) {
  static Undying<Programs> programs;
  const std::string key = plan_key(numbered, device);
  {
    const std::shared_lock lock((*programs).mutex);
    const auto known = (*programs).all.find(key);
    if (known != (*programs).all.end()) return known->second;
  }
  auto made = make_program(numbered, device);
  const std::unique_lock lock((*programs).mutex);
  if ((*programs).all.size() >= Programs::most) (*programs).all.clear();
  return (*programs).all.emplace(key, std::move(made)).first->second;
}

}  // namespace gpuarr::expr
