// Whether a row kernel can be made of a group: asked with operands as they will be.
#include <algorithm>
#include <array>

#include "backends.hpp"
#include "expr/program.hpp"

namespace gpuarr::expr {
namespace {

// On the CPU a row is a loop of its own, whose last elements are no vector: exp and such take as
// long for one as for a vector, so that loops over all rows are faster. So are reductions alone,
// which fold several rows side by side.
bool are_too_short(const Numbered& numbered, const Plan& plan, const Group& group) {
  constexpr int64_t enough = 32;
  constexpr int dear = 8;
  int64_t length = 1;
  for (int axis = 0; axis < group.space.size(); ++axis)
    if (group.axes >> axis & 1) length *= group.space[axis];
  if (length >= enough) return false;
  const auto lies_along = [&](int k) { return numbered.node(k).shape == group.space; };
  return std::ranges::none_of(group.outputs, lies_along) ||
         std::ranges::any_of(needs_of(numbered, plan, group).computed,
                             [&](int k) { return weight_of(numbered.node(k)) >= dear; });
}

}  // namespace

bool row_fits(const Numbered& numbered, const Plan& plan, const Group& group,
              const Device& device) {
  if (size_of(group.space) == 0) return false;
  if (device.has_host_memory() && are_too_short(numbered, plan, group)) return false;
  const Step step = step_of(numbered, plan, group);
  std::vector<Operand> operands;
  std::vector<Layout> layouts;
  layouts.reserve(step.inputs.size() + step.outputs.size());  // operands point into it
  const auto add = [&](Role role, DType dtype, const Layout& layout) {
    layouts.push_back(layout);
    operands.push_back({role, dtype, nullptr, &layouts.back(), nullptr});
  };
  const auto dense = [&](const Dims& shape) { return step.layout_of(shape); };
  for (const Input& input : step.inputs) {
    const Node& node = numbered.node(input.item);
    if (input.kind != Input::array)
      operands.push_back({Role::scalar, input.dtype, nullptr, nullptr, nullptr});
    else
      add(Role::input, node.dtype,
          node.kind == NodeKind::array ? node.array().layout : dense(node.shape));
  }
  ReducedAxes axes;
  axes.keepdims = true;
  Dims one = group.space;
  for (int axis : step.axes) {
    axes.reduced[as_index(axis)] = true;
    one[axis] = 1;
  }
  const RowTraits& traits = step.row->traits();
  for (size_t k = 0; k < step.outputs.size(); ++k)
    add(Role::output, numbered.node(step.outputs[k]).dtype,
        dense(k < as_index(traits.outputs_along) ? group.space : one));
  return gpuarr::row_fits(target_of(device), row_device(device), operands, group.space, axes,
                          traits);
}

}  // namespace gpuarr::expr
