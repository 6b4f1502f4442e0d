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

Elementwise* loop_of(const GroupText& text) {
  static Undying<Kernels<Elementwise>> kernels;
  const std::string key = formatted("{}\n{}\n{}\n{}", text.in_params, text.out_params,
                                    text.options.preamble.text(), text.body);
  return (*kernels).get(key, [&] {
    return std::make_unique<Elementwise>(text.in_params, text.out_params, text.body, text.options);
  });
}

Reduction* reduction_of(const GroupText& text) {
  static Undying<Kernels<Reduction>> kernels;
  const std::string key = formatted("{}\n{}\n{}\n{}\n{}", text.in_params, text.out_params,
                                    text.options.preamble.text(), text.map, text.post);
  return (*kernels).get(key, [&] {
    MapReduceSpec spec{text.in_params, text.out_params, text.map, text.reduce, text.post, {}};
    if (text.identity) spec.identity = *text.identity;
    spec.folds = text.folds;
    return std::make_unique<Reduction>(spec, text.options);
  });
}

Step step_of(const Numbered& numbered, const Plan& plan, const Group& group) {
  GroupText text = text_of(numbered, plan, group);
  Step step;
  if (group.kind == GroupKind::elementwise)
    step.loop = loop_of(text);
  else
    step.reduction = reduction_of(text);
  step.inputs = std::move(text.inputs);
  step.outputs = group.outputs;
  step.ndim = group.space.size();
  for (int axis = 0; axis < step.ndim; ++axis)
    if (group.axes >> axis & 1) step.axes.push_back(axis);
  return step;
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
