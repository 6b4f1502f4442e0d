// Loops over made-up arrays, for tests of plans: nothing is read or written there.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <numeric>
#include <random>
#include <vector>

#include "codegen/elementwise/plan.hpp"

struct RandomLoop {
  gpuarr::Dims shape;
  std::deque<gpuarr::Layout> layouts;
  std::deque<std::array<unsigned char, 16>> values;
  std::vector<gpuarr::Operand> operands;
  gpuarr::BodyTraits body;
};

class LoopMaker {
 public:
  explicit LoopMaker(unsigned seed) : random_(seed) {}

  int64_t longest = 70;  // axis

  int64_t between(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random_() % static_cast<uint64_t>(high - low + 1));
  }
  bool one_in(int n) { return between(1, n) == 1; }

  RandomLoop draw(int most_axes, int64_t most_elements) {
    RandomLoop loop;
    loop.body = {one_in(2), one_in(4), one_in(8)};
    loop.body.uses_i |= loop.body.uses_ind;
    for (int64_t axes = between(0, most_axes), left = most_elements; axes > 0; --axes) {
      int64_t extent = std::min(left, one_in(4) ? 1 : between(1, one_in(3) ? longest : 6));
      loop.shape.push_back(extent);
      left /= extent;
    }
    int64_t inputs = between(0, 3);
    int64_t outputs = between(inputs == 0 ? 1 : 0, 2);
    for (int64_t k = 0; k < inputs; ++k) add(loop, true);
    for (int64_t k = 0; k < outputs; ++k) add(loop, false);
    return loop;
  }

 private:
  void add(RandomLoop& loop, bool is_input) {
    using enum gpuarr::Role;
    gpuarr::DType dtype = gpuarr::dtype_table()[static_cast<size_t>(between(0, 14))].dtype;
    int64_t where = static_cast<int64_t>(loop.operands.size() + 1) << 50;
    if (is_input && one_in(5)) {
      auto& value = loop.values.emplace_back();
      for (auto& byte : value) byte = static_cast<unsigned char>(between(0, 255));
      loop.operands.push_back({scalar, dtype, nullptr, nullptr, value.data()});
      return;
    }
    bool raw = one_in(6);
    const auto& layout = loop.layouts.emplace_back(strides_for(narrowed(loop.shape, is_input)));
    where += gpuarr::size_of(dtype) * (one_in(2) ? 0 : between(0, 40));
    gpuarr::Role role = raw ? (is_input ? raw_input : raw_output) : (is_input ? input : output);
    loop.operands.push_back({role, dtype, reinterpret_cast<void*>(where), &layout, nullptr});
  }

  gpuarr::Dims narrowed(const gpuarr::Dims& shape, bool is_input) {
    gpuarr::Dims out;
    int64_t skip = is_input && one_in(5) ? between(0, shape.size()) : 0;
    for (int64_t axis = skip; axis < shape.size(); ++axis)
      out.push_back(is_input && one_in(5) ? 1 : shape[static_cast<int>(axis)]);
    return out;
  }

  // Axes in a random order in memory, some with gaps, some backwards.
  gpuarr::Layout strides_for(const gpuarr::Dims& shape) {
    std::vector<int> axes(static_cast<size_t>(shape.size()));
    std::iota(axes.rbegin(), axes.rend(), 0);
    if (one_in(2)) std::shuffle(axes.begin(), axes.end(), random_);
    gpuarr::Layout out{shape, gpuarr::Dims::filled(shape.size(), 1)};
    bool dense = one_in(2);
    int64_t step = !dense && one_in(3) ? between(1, 3) : 1;
    for (int axis : axes) {
      out.strides[axis] = !dense && one_in(6) ? -step : step;
      step = step * shape[axis] + (!dense && one_in(3) ? between(0, 20) : 0);
    }
    return out;
  }

  std::mt19937_64 random_;
};
