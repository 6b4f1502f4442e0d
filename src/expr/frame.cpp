#include "expr/frame.hpp"

#include <algorithm>
#include <array>
#include <memory_resource>

#include "expr/build.hpp"
#include "ops/base/result.hpp"

namespace gpuarr::expr {
namespace {

// Where the array of an input is said to lie: views of it are found again by how far from there
// they begin.
char* nowhere() {
  static char place;
  return &place;
}

Frame::Source source_of(const Node& node, const Node& given) {
  Frame::Source out{node.input};
  if (node.kind != NodeKind::array) return out;
  if (node.array().data != nullptr)
    out.offset = static_cast<const char*>(node.array().data) - nowhere();
  out.is_view = out.offset != 0 || !(node.array().layout == given.array().layout);
  return out;
}

void add(std::string& key, const void* data, size_t bytes) {
  key.append(static_cast<const char*>(data), bytes);
}

void add(std::string& key, const Dims& dims) {
  add(key, dims.data(), as_index(dims.size()) * sizeof(int64_t));
}

std::vector<Expr> checked(std::vector<Expr> all) {
  check_roots(all);
  return all;
}

}  // namespace

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

std::string frame_key(std::span<const Argument> inputs, std::span<const char> reads) {
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
    const int head[] = {static_cast<int>(scalar.dtype), -1, reads[k]};
    add(key, head, sizeof head);
    if (reads[k] != 0) add(key, scalar.bytes, sizeof scalar.bytes);
  }
  return key;
}

Frame::Frame(std::vector<Expr> all, std::span<const Expr> given)
    : roots(checked(std::move(all))), numbered(number(roots)) {
  for (const Item& item : numbered.items)
    sources.push_back(item.node->input < 0
                          ? Source{}
                          : source_of(*item.node, *given[as_index(item.node->input)]));
  views = std::ranges::count_if(sources, &Source::is_view);
  program = program_for(numbered, device());
}

Leaves Frame::leaves(std::span<const Argument> inputs, std::pmr::vector<Array>& kept) const {
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

std::vector<std::optional<Array>> Frame::run(std::span<const Argument> inputs,
                                             std::span<const Array* const> outputs,
                                             Stream* given) const {
  Stream& stream = stream_for(given, device());
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

}  // namespace gpuarr::expr
