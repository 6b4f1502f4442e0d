#include "expr/evaluation.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "expr/view.hpp"
#include "kernel/copy.hpp"
#include "kernel/overlap.hpp"
#include "ops/base/result.hpp"

namespace gpuarr::expr {
namespace {

// Whether all elements are as far from the first, where there are several.
bool lie_alike(const Layout& a, const Layout& b) {
  for (int axis = 0; axis < a.ndim(); ++axis)
    if (a.shape[axis] > 1 && a.strides[axis] != b.strides[axis]) return false;
  return true;
}

}  // namespace

Leaves leaves_of(const Numbered& numbered, std::pmr::memory_resource* memory) {
  Leaves out(memory);
  out.reserve(numbered.items.size());
  for (const Item& item : numbered.items) {
    const Node& node = *item.node;
    out.push_back({node.kind == NodeKind::array ? &node.array() : nullptr,
                   node.kind == NodeKind::scalar ? &node.scalar() : nullptr});
  }
  return out;
}

bool suits(const Array& array, const Node& node) {
  return !array.read_only && &array.device() == node.device && array.layout.shape == node.shape &&
         (array.dtype == node.dtype || may_become(node.dtype, array.dtype)) &&
         !overlaps_itself(array.layout);
}

void fail_unsuited(const Array& array, const Node& node, const std::string& label) {
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

struct Evaluation::Operands {
  explicit Operands(std::pmr::memory_resource* memory)
      : inputs(memory), outputs(memory), scalars(memory), views(memory), copies(memory) {}

  std::pmr::vector<Argument> inputs;
  std::pmr::vector<const Array*> outputs;
  std::pmr::vector<Scalar> scalars;  // that inputs point to
  std::pmr::vector<Array> views;     // that outputs point to
  std::pmr::vector<Array> copies;    // that inputs point to
};

Evaluation::Evaluation(const Numbered& numbered, const Program& program, Leaves leaves,
                       std::span<const Array* const> given, Stream& stream)
    : numbered_(numbered),
      program_(program),
      leaves_(std::move(leaves)),
      given_(given),
      stream_(stream),
      stored_(numbered.items.size(), leaves_.get_allocator()),
      targets_(numbered.items.size(), leaves_.get_allocator()) {
  for (size_t r = 0; r < given.size(); ++r)
    if (given[r] != nullptr) take_target(r);
  for (int k : numbered.roots) keep_source(k);
}

std::vector<std::optional<Array>> Evaluation::run(Launches* launches) {
  for (const Step& step : program_.steps) run(step, launches);
  return take();
}

Evaluation::Operands Evaluation::operands_of(const Step& step) {
  Operands out(leaves_.get_allocator().resource());
  out.inputs.reserve(step.inputs.size());
  out.scalars.reserve(step.inputs.size());
  for (const Input& input : step.inputs) out.inputs.push_back(argument(input, out.scalars));
  if (step.row != nullptr) {
    out.copies.reserve(step.inputs.size());
    for (size_t k = 0; k < step.inputs.size(); ++k)
      if (step.inputs[k].kind == Input::array && !is_leaf(node(step.inputs[k].item)))
        out.inputs[k].array = laid_out(out.inputs[k].array, step, out.copies);
  }
  out.outputs.reserve(step.outputs.size());
  if (step.reduction != nullptr || step.row != nullptr || step.users >= 0)
    out.views.reserve(step.outputs.size());
  for (int k : step.outputs) out.outputs.push_back(k < 0 ? nullptr : target(step, k, out.views));
  return out;
}

void Evaluation::refuse_copy() const {
  if (prepares_)
    fail(GPUARR_ERR_UNSUPPORTED,
         "a value that is stored on the way has to be copied into another layout, which no kernel "
         "does; call the function, or capture that");
}

// A row kernel was chosen for stored values that lie in a certain way.
const Array* Evaluation::laid_out(const Array* stored, const Step& step,
                                  std::pmr::vector<Array>& copies) {
  const Layout wanted = step.layout_of(stored->layout.shape);
  if (lie_alike(stored->layout, wanted)) return stored;
  refuse_copy();
  Array& copy = copies.emplace_back(
      Array::with_strides(stream_, stored->dtype, wanted.shape, wanted.strides));
  convert(copy, *stored, stream_);
  return &copy;
}

void Evaluation::run(const Step& step, Launches* launches) {
  if (step.row != nullptr || step.makes_shape) make_stored(step);
  const Operands operands = operands_of(step);
  std::optional<Repeat> repeat;
  MadeOutputs made = step.run(numbered_, {operands.inputs, operands.outputs}, stream_,
                              launches ? &repeat : nullptr);
  for (auto& [at, array] : made) {
    const int k = step.outputs[as_index(at)];
    if (k < 0) continue;
    stored_[as_index(k)] = std::make_unique<Array>(as_node(step, k, std::move(array)));
  }
  if (launches != nullptr) note(step, operands, std::move(repeat), *launches);
  for (int k : step.last) stored_[as_index(k)].reset();
}

// Not where something was copied, or is a view of what is stored.
void Evaluation::note(const Step& step, const Operands& operands, std::optional<Repeat> repeat,
                      Launches& launches) {
  const auto is_view = [&](const Input& input) {
    return input.kind == Input::array && node(input.item).kind == NodeKind::view;
  };
  const auto lacks = [](int k) { return k < 0; };
  launches.all = launches.all && repeat && operands.copies.empty() &&
                 std::ranges::none_of(step.inputs, is_view) &&
                 std::ranges::none_of(step.outputs, lacks);
  if (!launches.all) return;
  launches.repeats.push_back(std::move(*repeat));
  for (int k : step.outputs) launches.made.push_back(array_of(k)->layout);
}

std::vector<PreparedCall> Evaluation::prepare() {
  prepares_ = true;
  check_prepared();
  std::vector<PreparedCall> out;
  for (const Step& step : program_.steps) {
    make_stored(step);
    const Operands operands = operands_of(step);
    out.push_back(step.prepare(numbered_, {operands.inputs, operands.outputs}, stream_.device()));
  }
  return out;
}

void Evaluation::check_prepared() const {
  for (size_t r = 0; r < given_.size(); ++r) {
    const int k = numbered_.roots[r];
    if (targets_[as_index(k)] == given_[r]) continue;
    if (const auto first = std::ranges::find(numbered_.roots, k) - numbered_.roots.begin();
        first != static_cast<ptrdiff_t>(r))
      fail(GPUARR_ERR_ARGUMENT, "outputs[{}] and outputs[{}] are one value; prepare it once", first,
           r);
    if (!goes_into(*given_[r], k))
      fail(GPUARR_ERR_UNSUPPORTED,
           "outputs[{}] (shape {}, strides {}) lies otherwise than the inputs; give one that lies "
           "as "
           "they do",
           r, to_string(given_[r]->layout.shape), to_string(given_[r]->layout.strides));
    fail(GPUARR_ERR_OVERLAP,
         "outputs[{}] shares memory with an input that several kernels read; give it its own", r);
  }
}

// Each value of a prepared call that is stored on the way gets memory of its own: it may be
// launched while others run. What rows make lies as they want it.
Layout Evaluation::layout_for(const Step& maker, int k) const {
  const auto reads = [k](const Input& input) {
    return input.kind == Input::array && input.item == k;
  };
  for (const Step& step : program_.steps)
    if (step.row != nullptr && std::ranges::any_of(step.inputs, reads))
      return step.layout_of(node(k).shape);
  return maker.layout_of(node(k).shape);
}

void Evaluation::make_stored(const Step& step) {
  for (int k : step.outputs)
    if (k < 0)
      fail(GPUARR_ERR_UNSUPPORTED, "{} has an output that nothing uses; ask for all of them",
           name_of(node(step.users)));
    else if (auto& stored = stored_[as_index(k)];
             stored == nullptr && targets_[as_index(k)] == nullptr)
      stored = std::make_unique<Array>(
          Array::with_strides(stream_, node(k).dtype, node(k).shape, layout_for(step, k).strides));
}

// The results that were to be made.
std::vector<std::optional<Array>> Evaluation::take() {
  std::vector<std::optional<Array>> out(numbered_.roots.size());
  std::pmr::vector<char> taken(numbered_.items.size(), leaves_.get_allocator());
  for (size_t r = 0; r < out.size(); ++r) {
    const int k = numbered_.roots[r];
    const Array& value = *array_of(k);
    const bool is_own =
        node(k).kind != NodeKind::view && stored_[as_index(k)] && !taken[as_index(k)];
    if (given_[r] != nullptr) {
      if (given_[r] != targets_[as_index(k)]) convert(*given_[r], value, stream_);
    } else if (is_own) {
      out[r] = value;
      taken[as_index(k)] = 1;
    } else {
      out[r] =
          Array::with_strides(stream_, value.dtype, value.layout.shape, strides_like(value.layout));
      convert(*out[r], value, stream_);
    }
  }
  return out;
}

const Array* Evaluation::array_of(int k) {
  if (stored_[as_index(k)] != nullptr) return stored_[as_index(k)].get();
  if (leaves_[as_index(k)].array != nullptr) return leaves_[as_index(k)].array;
  if (node(k).kind != NodeKind::view) return targets_[as_index(k)];
  const Array& source = *array_of(numbered_.behind(k));
  Array seen = viewed(source, node(k).view(), stream_);
  if (seen.buffer != source.buffer) refuse_copy();
  stored_[as_index(k)] = std::make_unique<Array>(std::move(seen));
  return stored_[as_index(k)].get();
}

Argument Evaluation::argument(const Input& input, std::pmr::vector<Scalar>& scalars) {
  if (input.kind == Input::array) return {array_of(input.item), nullptr};
  if (input.kind == Input::ddof) {
    scalars.push_back(Scalar::of(node(input.item).reduction().ddof));
    return {nullptr, &scalars.back()};
  }
  const Scalar& value = *leaves_[as_index(input.item)].scalar;
  if (value.dtype == input.dtype) return {nullptr, &value};
  Scalar& scalar = scalars.emplace_back(Scalar{input.dtype});
  value.convert_to(input.dtype, scalar.bytes, "scalar", true);
  return {nullptr, &scalar};
}

// A result goes right where it is wanted if nothing else is there.
void Evaluation::take_target(size_t r) {
  const Array& array = *given_[r];
  const int k = numbered_.roots[r];
  if (!suits(array, node(k))) fail_unsuited(array, node(k), formatted("outputs[{}]", r));
  for (size_t other = 0; other < r; ++other)
    if (given_[other] != nullptr && may_overlap(array, *given_[other]))
      fail(GPUARR_ERR_OVERLAP, "outputs[{}] and outputs[{}] share memory; give each its own", r,
           other);
  const auto clashes = [&](const Argument& leaf) {
    return !program_.works_in_place() && leaf.array != nullptr && may_overlap(array, *leaf.array);
  };
  if (array.dtype == node(k).dtype && !is_leaf(node(k)) && node(k).kind != NodeKind::view &&
      targets_[as_index(k)] == nullptr && std::ranges::none_of(leaves_, clashes) &&
      goes_into(array, k))
    targets_[as_index(k)] = &array;
}

// What rows make goes where it lies as they want it, or as one of their arrays does.
bool Evaluation::goes_into(const Array& given, int k) const {
  for (const Step& step : program_.steps) {
    if (step.row == nullptr || std::ranges::find(step.outputs, k) == step.outputs.end()) continue;
    if (lie_alike(given.layout, step.layout_of(given.layout.shape))) return true;
    return std::ranges::any_of(step.inputs, [&](const Input& input) {
      const Array* const leaf = leaves_[as_index(input.item)].array;
      return input.kind == Input::array && leaf != nullptr &&
             leaf->layout.shape == given.layout.shape && lie_alike(given.layout, leaf->layout);
    });
  }
  return true;
}

// A result that is an array is copied after all kernels: now, if one of them may write into it.
void Evaluation::keep_source(int k) {
  const Array* const source = leaves_[as_index(k)].array;
  if (source == nullptr || stored_[as_index(k)]) return;
  const auto is_written = [&](const Array* array) {
    return array != nullptr && may_overlap(*array, *source);
  };
  if (std::ranges::none_of(given_, is_written)) return;
  stored_[as_index(k)] = std::make_unique<Array>(Array::with_strides(
      stream_, source->dtype, source->layout.shape, strides_like(source->layout)));
  convert(*stored_[as_index(k)], *source, stream_);
}

// Reductions run with all axes kept; whether the node has those that were reduced.
bool Evaluation::keeps_axes(const Step& step, int k) const {
  return node(k).shape.size() == step.ndim;
}

const Array* Evaluation::target(const Step& step, int k, std::pmr::vector<Array>& views) const {
  const Array* array = targets_[as_index(k)];
  if (array == nullptr) array = stored_[as_index(k)].get();
  if (array == nullptr || keeps_axes(step, k)) return array;
  Layout layout = array->layout;
  for (int axis : step.axes) {
    layout.shape.insert(axis, 1);
    layout.strides.insert(axis, 1);
  }
  return &views.emplace_back(array->view(layout));
}

Array Evaluation::as_node(const Step& step, int k, Array made) const {
  if (keeps_axes(step, k)) return made;
  Layout layout = made.layout;
  for (size_t at = step.axes.size(); at > 0; --at) layout.erase_axis(step.axes[at - 1]);
  return made.view(layout);
}

}  // namespace gpuarr::expr
