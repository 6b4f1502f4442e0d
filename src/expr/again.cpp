#include "expr/again.hpp"

#include <algorithm>

#include "kernel/overlap.hpp"

namespace gpuarr::expr {
namespace {

// Where it stands in the list; put there if it did not, where that is allowed.
int place_in(std::vector<int>& list, int item, bool adds) {
  const auto found = std::ranges::find(list, item);
  if (found == list.end() && !adds) return -1;
  if (found == list.end()) return list.push_back(item), static_cast<int>(list.size()) - 1;
  return static_cast<int>(found - list.begin());
}

}  // namespace

void Again::add(const Numbered& numbered, const Step& step, Repeat repeat,
                std::span<const Layout> made) {
  Launch launch{std::move(repeat), {}, values_.size(), step.outputs.size(), {}};
  for (const Input& input : step.inputs) {
    Source source;
    if (input.kind != Input::ddof) source.value = place_in(items_, input.item, false);
    if (input.kind != Input::ddof && source.value == none)
      source.leaf = place_in(leaves_, input.item, true);
    launch.inputs.push_back(source);
  }
  for (size_t o = 0; o < step.outputs.size(); ++o) {
    items_.push_back(step.outputs[o]);
    values_.push_back({numbered.node(step.outputs[o]).dtype, made[o]});
  }
  for (int k : step.last)
    if (const int value = place_in(items_, k, false); value != none) launch.last.push_back(value);
  launches_.push_back(std::move(launch));
}

std::unique_ptr<const Again> Again::of(const Numbered& numbered, const Program& program,
                                       Launches launches, std::span<const Array* const> given,
                                       std::span<const std::optional<Array>> made) {
  if (!launches.all) return nullptr;
  std::unique_ptr<Again> out(new Again);
  for (size_t s = 0; s < program.steps.size(); ++s) {
    const Step& step = program.steps[s];
    const std::span<const Layout> rest(launches.made);
    out->add(numbered, step, std::move(launches.repeats[s]),
             rest.subspan(out->values_.size(), step.outputs.size()));
  }
  if (out->leaves_.size() > most_leaves || out->values_.size() > most_values) return nullptr;
  for (size_t r = 0; r < given.size(); ++r) {
    const int value = place_in(out->items_, numbered.roots[r], false);
    if (value == none ||
        std::exchange(out->values_[as_index(value)].root, static_cast<int>(r)) != none)
      return nullptr;
    const Array& result = given[r] != nullptr ? *given[r] : *made[r];
    for (const Launch& launch : out->launches_)
      if (const size_t o = as_index(value) - launch.first;
          o < launch.count && launch.repeat.data_of(o) != result.data)
        return nullptr;
    out->results_.push_back(as_index(value));
  }
  return out;
}

// Each launch looks at what it has itself. A result that an earlier one writes must be apart from
// what a later one reads, too.
bool Again::suits(std::span<const Argument> leaves, std::span<const Array* const> given,
                  const Device& device) const {
  if (profiling()) return false;  // a launch is noted by a label of its arrays
  for (size_t r = 0; r < given.size(); ++r) {
    if (given[r] == nullptr) continue;
    const Array& array = *given[r];
    const Value& value = values_[results_[r]];
    if (array.dtype != value.dtype || !(array.layout == value.layout) || array.read_only ||
        &array.device() != &device)
      return false;
    if (launches_.size() == 1) continue;
    const auto meets = [&](const Array* other) {
      return other != nullptr && may_overlap(array, *other);
    };
    if (std::ranges::any_of(leaves, meets, &Argument::array) ||
        std::ranges::any_of(given.first(r), meets))
      return false;
  }
  return true;
}

bool Again::launched(const Launch& launch, std::span<const Argument> leaves,
                     std::span<const Array* const> values, Stream& stream) {
  std::array<Argument, max_operands> inputs;
  for (size_t k = 0; k < launch.inputs.size(); ++k) {
    const auto& [leaf, value] = launch.inputs[k];
    inputs[k] = leaf != none    ? leaves[as_index(leaf)]
                : value != none ? Argument{values[as_index(value)], nullptr}
                                : Argument{};
  }
  const std::span<const Argument> all(inputs.data(), launch.inputs.size());
  const std::span<const Array* const> outputs = values.subspan(launch.first, launch.count);
  if (!launch.repeat.suits(all, outputs)) return false;
  launch.repeat.launch(all, outputs, stream);
  return true;
}

// What is given up half way has written to nothing that is read.
std::optional<Again::Results> Again::run(std::span<const Argument> leaves,
                                         std::span<const Array* const> given,
                                         Stream& stream) const {
  if (!suits(leaves, given, stream.device())) return std::nullopt;
  Results made(results_.size());
  std::vector<std::optional<Array>> stored(launches_.size() > 1 ? values_.size() : 0);
  std::array<const Array*, most_values> values;
  for (const Launch& launch : launches_) {
    for (size_t v = launch.first; v < launch.first + launch.count; ++v) {
      const auto& [dtype, layout, root] = values_[v];
      std::optional<Array>& own = root != none ? made[as_index(root)] : stored[v];
      if (root == none || given[as_index(root)] == nullptr)
        own = Array::with_strides(stream, dtype, layout.shape, layout.strides);
      values[v] = own ? &*own : given[as_index(root)];
    }
    if (!launched(launch, leaves, {values.data(), values_.size()}, stream)) return std::nullopt;
    for (int v : launch.last) stored[as_index(v)].reset();
  }
  return made;
}

}  // namespace gpuarr::expr
