#include "expr/formula.hpp"

#include <algorithm>
#include <array>
#include <memory_resource>

#include "core/error.hpp"
#include "core/once.hpp"
#include "expr/again.hpp"
#include "expr/build.hpp"
#include "expr/evaluate.hpp"
#include "expr/open.hpp"
#include "ops/base/result.hpp"

namespace gpuarr::expr {
namespace {

// Where the array of an input is said to lie: views of it are found again by how far from there
// they begin.
char* nowhere() {
  static char place;
  return &place;
}

// Inputs as they count for a plan: without their memory, which must not be kept.
std::vector<Expr> stand_ins(std::span<const Argument> inputs) {
  std::vector<Expr> out;
  out.reserve(inputs.size());
  for (const Argument& given : inputs) {
    const auto number = static_cast<int32_t>(out.size());
    if (given.array == nullptr) {
      out.push_back(scalar_node(*given.scalar, number));
      continue;
    }
    Array array;
    array.dtype = given.array->dtype;
    array.layout = given.array->layout;
    array.data = given.array->size() > 0 ? nowhere() : nullptr;
    out.push_back(array_node(array, given.array->device(), number));
  }
  return out;
}

void add(std::string& key, const void* data, size_t bytes) {
  key.append(static_cast<const char*>(data), bytes);
}

void add(std::string& key, const Dims& dims) {
  add(key, dims.data(), as_index(dims.size()) * sizeof(int64_t));
}

// A result that is none of a kernel's, or has another dtype than it is wanted in, becomes one.
Expr computed(const Expr& x, DType dtype) {
  if (x->dtype == dtype && !is_leaf(*x) && x->kind != NodeKind::view) return x;
  return copy_node(x, dtype);
}

}  // namespace

struct Formula::Frame {
  struct Source {  // of an array or a number that is an input, or a view of one
    int input = -1;
    bool is_view = false;
    int64_t offset = 0;  // in bytes
  };

  /// `given` are the nodes of the inputs.
  Frame(std::vector<Expr> all, std::span<const Expr> given)
      : roots(checked(std::move(all))), numbered(number(roots)) {
    for (const Item& item : numbered.items)
      sources.push_back(item.node->input < 0
                            ? Source{}
                            : source_of(*item.node, *given[as_index(item.node->input)]));
    views = std::ranges::count_if(sources, &Source::is_view);
    program = program_for(numbered, *roots[0]->device);
  }

  static Source source_of(const Node& node, const Node& given) {
    Source out{node.input};
    if (node.kind != NodeKind::array) return out;
    if (node.array().data != nullptr)
      out.offset = static_cast<const char*>(node.array().data) - nowhere();
    out.is_view = out.offset != 0 || !(node.array().layout == given.array().layout);
    return out;
  }

  // The leaves of a call; `kept` has those that are views of inputs.
  Leaves leaves(std::span<const Argument> inputs, std::pmr::vector<Array>& kept) const {
    Leaves out = leaves_of(numbered, kept.get_allocator().resource());
    kept.reserve(static_cast<size_t>(views));
    for (size_t k = 0; k < out.size(); ++k) {
      const Source& source = sources[k];
      if (source.input < 0) continue;
      out[k] = inputs[as_index(source.input)];
      if (!source.is_view) continue;
      Array& view = kept.emplace_back(*out[k].array);
      view.layout = numbered.items[k].node->array().layout;
      view.data = view.size() > 0 ? static_cast<char*>(view.data) + source.offset : nullptr;
      out[k].array = &view;
    }
    return out;
  }

  // As evaluate().
  std::vector<std::optional<Array>> run(std::span<const Argument> inputs,
                                        std::span<const Array* const> outputs,
                                        Stream& stream) const {
    std::array<std::byte, 4096> room;
    std::pmr::monotonic_buffer_resource memory(room.data(), room.size());
    std::pmr::vector<Array> kept(&memory);
    Leaves own = leaves(inputs, kept);
    const auto* const known = first.peek();
    if (known != nullptr && *known != nullptr)
      if (auto made = (*known)->run([&](int k) { return own[as_index(k)]; }, outputs, stream))
        return std::move(*made);
    Launches launches;
    auto made = Evaluation(numbered, *program, std::move(own), outputs, stream)
                    .run(known == nullptr ? &launches : nullptr);
    if (known == nullptr)
      first.get([&] {
        return std::make_unique<std::unique_ptr<const Again>>(
            Again::of(numbered, *program, std::move(launches), outputs, made));
      });
    return made;
  }

  Device& device() const { return *roots[0]->device; }

  static std::vector<Expr> checked(std::vector<Expr> all) {
    check_roots(all);
    return all;
  }

  const std::vector<Expr> roots;
  const Numbered numbered;
  std::vector<Source> sources;  // by item
  ptrdiff_t views = 0;          // of inputs
  std::shared_ptr<const Program> program;
  // The first evaluation; has null if that cannot be done again.
  mutable Once<std::unique_ptr<const Again>> first;
};

Formula::Formula(std::vector<Expr> roots)
    : roots_(std::move(roots)),
      inputs_(count_inputs(roots_)),
      reads_(inputs_read(roots_, inputs_)) {}

// Inputs with equal keys give equal plans and equal layouts of all views.
std::string Formula::key_of(std::span<const Argument> inputs) const {
  std::string key;
  key.reserve(inputs.size() * 48);
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (const Array* const array = inputs[k].array; array != nullptr) {
      const int head[] = {static_cast<int>(array->dtype), array->ndim(), array->device().index()};
      add(key, head, sizeof head);
      add(key, array->layout.shape);
      add(key, array->layout.strides);
      continue;
    }
    const Scalar& scalar = *inputs[k].scalar;
    const int head[] = {static_cast<int>(scalar.dtype), -1, reads_[k]};
    add(key, head, sizeof head);
    if (reads_[k] != 0) add(key, scalar.bytes, sizeof scalar.bytes);
  }
  return key;
}

std::shared_ptr<const Formula::Frame> Formula::frame_for(std::span<const Argument> inputs) const {
  const std::string key = key_of(inputs);
  {
    const std::shared_lock lock(mutex_);
    const auto known = frames_.find(key);
    if (known != frames_.end()) return known->second;
  }
  const std::vector<Expr> given = stand_ins(inputs);
  auto made = std::make_shared<const Frame>(closed(roots_, given), given);
  const std::unique_lock lock(mutex_);
  if (frames_.size() >= most_frames) frames_.clear();
  return frames_.emplace(key, std::move(made)).first->second;
}

std::vector<std::optional<Array>> Formula::call(std::span<const Argument> inputs,
                                                std::span<const Array* const> outputs,
                                                Stream* given) const {
  const auto frame = frame_for(inputs);
  return frame->run(inputs, outputs, stream_for(given, frame->device()));
}

PreparedCall Formula::prepare(std::span<const Argument> inputs,
                              std::span<const Array* const> outputs) const {
  const std::vector<Expr> given = stand_ins(inputs);
  std::vector<Expr> roots = closed(roots_, given);
  check_roots(roots);
  for (size_t r = 0; r < roots.size(); ++r) {
    if (!suits(*outputs[r], *roots[r]))
      fail_unsuited(*outputs[r], *roots[r], formatted("outputs[{}]", r));
    roots[r] = computed(roots[r], outputs[r]->dtype);
  }
  const Frame frame(std::move(roots), given);
  Stream& stream = frame.device().own_stream();
  std::pmr::vector<Array> views;
  Evaluation evaluation(frame.numbered, *frame.program, frame.leaves(inputs, views), outputs,
                        stream);
  PreparedCall out(frame.device(), evaluation.prepare(), [&](size_t part, int input) {
    const Input& own = frame.program->steps[part].inputs[as_index(input)];
    return own.kind == Input::scalar ? frame.sources[as_index(own.item)].input : -1;
  });
  stream.synchronize();  // the call may be launched in any stream
  return out;
}

std::string Formula::explain(std::span<const Argument> inputs) const {
  return expr::explain(frame_for(inputs)->roots);
}

}  // namespace gpuarr::expr
