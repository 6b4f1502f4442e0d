// Reductions of arrays that are cut into a grid of blocks: in stages, and undivided.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "backends.hpp"
#include "kernel/reduction.hpp"
#include "ops/base/transfer.hpp"

namespace gpuarr::blocks {

inline Device& tested_device() {
  const char* name = std::getenv("GPUARR_TEST_DEVICE");
  static Device& device = open_device(name == nullptr || *name == '\0' ? "host" : name);
  return device;
}

inline Stream& stream() { return current_stream(tested_device()); }

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}
  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(engine_() % static_cast<uint64_t>(high - low + 1));
  }
  bool one_in(int n) { return between(1, n) == 1; }

 private:
  std::mt19937_64 engine_;
};

/// Where each axis is cut: 0, and so on up to its extent.
using Cuts = std::vector<std::vector<int64_t>>;

/// Ragged, into at most `most` along an axis.
inline Cuts random_cuts(Random& random, const Dims& shape, int64_t most) {
  Cuts cuts;
  for (int64_t extent : shape) {
    std::vector<int64_t> at = {0, extent};
    for (int64_t k = random.between(0, most - 1); k > 0; --k)
      at.push_back(random.between(0, extent));
    std::sort(at.begin(), at.end());
    at.erase(std::unique(at.begin(), at.end()), at.end());
    cuts.push_back(at);
  }
  return cuts;
}

inline std::string to_text(const Cuts& cuts) {
  std::string out;
  for (const auto& at : cuts) {
    out += out.empty() ? "" : ", ";
    for (size_t k = 0; k + 1 < at.size(); ++k)
      out += (k > 0 ? "+" : "") + std::to_string(at[k + 1] - at[k]);
  }
  return "(" + out + ")";
}

struct Block {
  Dims first, shape;
};

/// What the block is of an array that broadcasts to the whole.
inline Array part_of(const Array& array, const Dims& whole, const Block& block) {
  Layout layout = array.layout;
  int64_t offset = 0;
  const int missing = whole.size() - array.ndim();
  for (int axis = 0; axis < array.ndim(); ++axis) {
    if (layout.shape[axis] != whole[axis + missing]) continue;  // it repeats
    layout.shape[axis] = block.shape[axis + missing];
    offset += block.first[axis + missing] * layout.strides[axis];
  }
  return array.view(layout, offset);
}

/// What is reduced, and how. Raw inputs come after the others, and scalars last.
struct Case {
  std::string name;
  std::vector<Array> arrays;
  std::vector<int32_t> axes;
  bool keepdims = false;
  std::vector<Array> raw = {};
  std::vector<Scalar> scalars = {};
};

/// The arguments of a call of such arrays.
struct Inputs {
  Inputs(const Case& c, std::vector<Array> from) : arrays(std::move(from)) {
    for (const auto* list : {&std::as_const(arrays), &c.raw})
      for (const Array& a : *list) arguments.push_back({&a, nullptr});
    for (const Scalar& s : c.scalars) arguments.push_back({nullptr, &s});
  }
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;

  std::vector<Array> arrays;
  std::vector<Argument> arguments;
};

/// By what the sets of a result come together: those that follow each other in one stack(), or in
/// memory that the caller has; the first half combined before that; each half combined.
enum class How { stacked, in_place, first_half, halves };
constexpr How all_ways[] = {How::stacked, How::in_place, How::first_half, How::halves};

class Stages {
 public:
  Stages(Reduction& kernel, const Case& c) : kernel_(kernel), case_(c) {
    for (const Array& a : c.arrays)
      if (!broadcast_into(whole_, a.layout.shape)) std::abort();
    for (int32_t axis : c.axes) reduced_[static_cast<size_t>(axis)] = true;
  }

  const Dims& whole() const { return whole_; }

  std::vector<Array> undivided() {
    const std::vector<const Array*> none(kernel_.output_count());
    std::vector<Array> out;
    for (auto& [k, made] :
         kernel_.call(Inputs(case_, case_.arrays).arguments, none, axes(), nullptr))
      out.push_back(made);
    return out;
  }

  /// In the arrays, which have the shapes of those.
  void divided(std::span<const Array> out, const Cuts& cuts, How how) {
    Block kept{Dims::filled(whole_.size(), 0), Dims::filled(whole_.size(), 1)};
    each_block(false, 0, cuts, kept, [&] { finish(out, cuts, kept, how); });
  }

 private:
  AxisRequest axes() const { return {case_.axes, false, case_.keepdims}; }
  bool reduces(int axis) const { return reduced_[static_cast<size_t>(axis)]; }
  Reduction::Part part(const Inputs& inputs, const Block& block) const {
    return {inputs.arguments, axes(), {block.first, whole_}};
  }

  // Those that differ along the reduced axes, or along the kept ones, in C order.
  void each_block(bool reduced, int axis, const Cuts& cuts, Block& block,
                  const std::function<void()>& visit) {
    if (axis == whole_.size()) return visit();
    if (reduces(axis) != reduced) return each_block(reduced, axis + 1, cuts, block, visit);
    const std::vector<int64_t>& at = cuts[static_cast<size_t>(axis)];
    for (size_t k = 0; k + 1 < at.size(); ++k) {
      block.first[axis] = at[k];
      block.shape[axis] = at[k + 1] - at[k];
      each_block(reduced, axis + 1, cuts, block, visit);
    }
  }

  void finish(std::span<const Array> out, const Cuts& cuts, const Block& kept, How how) {
    std::vector<Array> sets;
    Block block = kept;
    Array room;
    int64_t number = 0;
    each_block(true, 0, cuts, block, [&] {
      std::vector<Array> parts;
      for (const Array& a : case_.arrays) parts.push_back(part_of(a, whole_, block));
      const Inputs inputs(case_, std::move(parts));
      if (how != How::in_place)
        return sets.push_back(kernel_.partial(part(inputs, block), nullptr));
      const int64_t bytes = kernel_.set_bytes(part(inputs, block));
      if (number == 0) room = Array::empty(stream(), DType::u8, {most_sets, bytes});
      kernel_.partial_into(rows(room, number, 1), part(inputs, block), nullptr);
      ++number;
    });
    const bool at_hand = how == How::stacked || how == How::first_half;
    if (!at_hand) block = kept;
    const Array& any = how == How::in_place ? room : sets.front();
    std::vector<Array> unread;
    for (const Array& a : case_.arrays)
      unread.push_back(at_hand ? part_of(a, whole_, block) : stand_in(any, a.dtype, kept.shape));
    const Inputs inputs(case_, std::move(unread));
    const Reduction::Part here = part(inputs, block);
    const Array all = how == How::in_place ? rows(room, 0, number) : together(sets, here, how);
    std::vector<Array> views;
    for (const Array& array : out) views.push_back(results_of(array, kept));
    std::vector<const Array*> given(views.size());
    std::transform(views.begin(), views.end(), given.begin(), [](const Array& a) { return &a; });
    kernel_.finish(all, here, given, nullptr);
  }

  Array together(std::span<const Array> sets, const Reduction::Part& part, How how) {
    if (how == How::stacked || sets.size() < 2) return stack(sets, stream());
    const size_t half = sets.size() / 2;
    std::vector<Array> left = {kernel_.combine(stack(sets.first(half), stream()), part, nullptr)};
    if (how == How::halves)
      left.push_back(kernel_.combine(stack(sets.subspan(half), stream()), part, nullptr));
    else
      left.push_back(stack(sets.subspan(half), stream()));
    return stack(left, stream());
  }

  static Array rows(const Array& sets, int64_t first, int64_t count) {
    Layout layout = sets.layout;
    layout.shape[0] = count;
    return sets.view(layout, first * layout.strides[0]);
  }

  Array results_of(const Array& out, const Block& block) const {
    Block results;
    for (int axis = 0; axis < whole_.size(); ++axis) {
      if (reduces(axis) && !case_.keepdims) continue;
      results.first.push_back(reduces(axis) ? 0 : block.first[axis]);
      results.shape.push_back(reduces(axis) ? 1 : block.shape[axis]);
    }
    return part_of(out, out.layout.shape, results);
  }

  static constexpr int64_t most_sets = 64;

  Reduction& kernel_;
  const Case& case_;
  Dims whole_;
  std::array<bool, max_ndim> reduced_{};
};

/// Elements in C order.
inline std::vector<unsigned char> bytes_of(const Array& array) {
  std::vector<unsigned char> bytes(static_cast<size_t>(array.size() * array.itemsize()));
  if (!bytes.empty())
    read(host_memory(array.dtype, array.layout.shape, nullptr, bytes.data()), array, stream());
  return bytes;
}

inline std::vector<int64_t> values_of(const Array& array) {
  std::vector<int64_t> values(static_cast<size_t>(array.size()));
  if (!values.empty()) std::memcpy(values.data(), bytes_of(array).data(), values.size() * 8);
  return values;
}

/// Arrays of the same shapes and dtypes, with bytes of 0xa5 in them.
inline std::vector<Array> like(std::span<const Array> arrays, Order order) {
  std::vector<Array> out;
  for (const Array& a : arrays) {
    out.push_back(Array::empty(stream(), a.dtype, a.layout.shape, order));
    const std::vector<unsigned char> poison(bytes_of(a).size(), 0xa5);
    if (!poison.empty())
      write(out.back(), host_memory(a.dtype, a.layout.shape, nullptr, poison.data()), stream());
  }
  return out;
}

}  // namespace gpuarr::blocks
