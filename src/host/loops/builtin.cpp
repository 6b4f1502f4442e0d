#include "host/loops/builtin.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "host/loops/copy_row.hpp"
#include "host/loops/loop_nest.hpp"
#include "host/threads/threads.hpp"

namespace gpuarr::host {
namespace {

constexpr int64_t block_elements = 16384;  // what a thread takes at least
constexpr int64_t tile =
    64;  // of a transposed copy: cache lines are used whole while they are there
constexpr int64_t narrow = 16;  // a loop shorter than this is not worth being the inner

int64_t parts(int64_t extent, int64_t step) { return (extent + step - 1) / step; }

/// A copy, cut into blocks of at most step_a rows of at most step_b elements.
struct CopyLoop {
  LoopNest outer;
  Axis a, b;
  int64_t step_a = 1, step_b = 1;
  CopyRow convert = nullptr;
  std::byte* target = nullptr;
  const std::byte* source = nullptr;
  int64_t target_size = 1, source_size = 1;

  int64_t blocks() const {
    int64_t count = parts(a.extent, step_a) * parts(b.extent, step_b);
    for (int i = 0; i < outer.count; ++i) count *= outer.axes[static_cast<size_t>(i)].extent;
    return count;
  }
};

// The axis along which the source lies closest; its index, or -1.
int closest_to_source(const LoopNest& nest) {
  int best = -1;
  for (int i = 0; i < nest.count; ++i) {
    const int64_t stride = std::abs(nest.axes[static_cast<size_t>(i)].source);
    if (stride != 0 && (best < 0 || stride < std::abs(nest.axes[static_cast<size_t>(best)].source)))
      best = i;
  }
  return best;
}

int longest(const LoopNest& nest) {
  const auto* begin = nest.axes.data();
  return static_cast<int>(
      std::max_element(begin, begin + nest.count,
                       [](const Axis& x, const Axis& y) { return x.extent < y.extent; }) -
      begin);
}

// Takes the two inner loops out of the nest.
void choose_inner(CopyLoop& loop) {
  LoopNest& nest = loop.outer;
  if (nest.count > 0) loop.b = nest.take(nest.count - 1);
  if (nest.count == 0) {
    loop.step_b = block_elements;
    return;
  }
  constexpr int64_t cache_line = 64;
  const int near = closest_to_source(nest);
  const bool far = std::abs(loop.b.source) * loop.source_size >= cache_line;
  if (far && near >= 0 && loop.b.extent >= narrow &&
      nest.axes[static_cast<size_t>(near)].extent >= narrow &&
      std::abs(nest.axes[static_cast<size_t>(near)].source) * loop.source_size < cache_line) {
    loop.a = nest.take(near);
    loop.step_a = loop.step_b = tile;
    return;
  }
  if (const int other = longest(nest);
      loop.b.extent < narrow && nest.axes[static_cast<size_t>(other)].extent > loop.b.extent) {
    loop.a = std::exchange(loop.b, nest.take(other));
    loop.step_a = loop.a.extent;
    loop.step_b = block_elements / 4;
    return;
  }
  loop.a = nest.take(nest.count - 1);
  loop.step_b = block_elements;
  loop.step_a = std::max<int64_t>(1, block_elements / loop.b.extent);
}

void copy_block(const CopyLoop& loop, int64_t block) {
  const int64_t parts_b = parts(loop.b.extent, loop.step_b);
  const int64_t parts_a = parts(loop.a.extent, loop.step_a);
  const int64_t first_b = block % parts_b * loop.step_b;
  const int64_t first_a = block / parts_b % parts_a * loop.step_a;
  int64_t rest = block / parts_b / parts_a;
  int64_t to = first_a * loop.a.target + first_b * loop.b.target;
  int64_t from = first_a * loop.a.source + first_b * loop.b.source;
  for (int i = loop.outer.count - 1; i >= 0; --i) {
    const Axis& axis = loop.outer.axes[static_cast<size_t>(i)];
    to += rest % axis.extent * axis.target;
    from += rest % axis.extent * axis.source;
    rest /= axis.extent;
  }
  std::byte* target = loop.target + to * loop.target_size;
  const std::byte* source = loop.source + from * loop.source_size;
  const int64_t count_a = std::min(loop.step_a, loop.a.extent - first_a);
  const int64_t count_b = std::min(loop.step_b, loop.b.extent - first_b);
  for (int64_t i = 0; i < count_a; ++i)
    loop.convert(target + i * loop.a.target * loop.target_size, loop.b.target,
                 source + i * loop.a.source * loop.source_size, loop.b.source, count_b);
}

void copy_blocks(const void* context, long long first, long long last) {
  for (long long i = first; i < last; ++i) copy_block(*static_cast<const CopyLoop*>(context), i);
}

void copy(const Builtin& builtin, DType source_dtype, const void* source, const Dims& strides) {
  CopyLoop loop;
  loop.outer = ordered_nest(builtin.shape, builtin.target_strides, strides);
  loop.convert = copy_row(builtin.target_dtype, source_dtype);
  loop.target_size = size_of(builtin.target_dtype);
  loop.source_size = size_of(source_dtype);
  loop.target =
      static_cast<std::byte*>(builtin.target) + loop.outer.target_offset * loop.target_size;
  loop.source = static_cast<const std::byte*>(source) + loop.outer.source_offset * loop.source_size;
  choose_inner(loop);
  parallel(copy_blocks, &loop, loop.blocks());
}

struct Range {
  const Builtin* builtin = nullptr;
  LoopNest outer;
  Axis inner;
  static constexpr int64_t step = 2048;
};

// Numbers `first` ... first + count - 1 of the range, written from `target` on.
template <class Number>
void write_numbers(const Range& range, std::byte* target, int64_t first, int64_t count,
                   DType dtype) {
  const Builtin& b = *range.builtin;
  Number numbers[Range::step];
  for (int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<Number, double>)
      numbers[i] = b.start_real + static_cast<double>(first + i) * b.step_real;
    else
      numbers[i] = static_cast<uint64_t>(b.start_whole) +
                   static_cast<uint64_t>(first + i) * static_cast<uint64_t>(b.step_whole);
  }
  copy_row(b.target_dtype, dtype)(target, range.inner.target,
                                  reinterpret_cast<const std::byte*>(numbers), 1, count);
}

void range_blocks(const void* context, long long first, long long last) {
  const auto& range = *static_cast<const Range*>(context);
  const Builtin& b = *range.builtin;
  const int64_t parts_inner = parts(range.inner.extent, Range::step);
  for (long long block = first; block < last; ++block) {
    const int64_t begin = block % parts_inner * Range::step;
    int64_t rest = block / parts_inner;
    const int64_t index = rest * range.inner.extent + begin;
    int64_t to = begin * range.inner.target;
    for (int i = range.outer.count - 1; i >= 0; --i) {
      const Axis& axis = range.outer.axes[static_cast<size_t>(i)];
      to += rest % axis.extent * axis.target;
      rest /= axis.extent;
    }
    std::byte* target = static_cast<std::byte*>(b.target) + to * size_of(b.target_dtype);
    const int64_t count = std::min(Range::step, range.inner.extent - begin);
    if (b.whole_numbers)
      write_numbers<uint64_t>(range, target, index, count, DType::i64);
    else
      write_numbers<double>(range, target, index, count, DType::f64);
  }
}

void arange(const Builtin& builtin) {
  Range range;
  range.builtin = &builtin;
  range.outer = c_order_nest(builtin.shape, builtin.target_strides);
  if (range.outer.count > 0) range.inner = range.outer.take(range.outer.count - 1);
  parallel(range_blocks, &range,
           size_of(builtin.shape) / range.inner.extent * parts(range.inner.extent, Range::step));
}

}  // namespace

void run_builtin(const Builtin& builtin) {
  if (size_of(builtin.shape) == 0) return;
  switch (builtin.kind) {
    case Builtin::Kind::copy:
      return copy(builtin, builtin.source_dtype, builtin.source, builtin.source_strides);
    case Builtin::Kind::fill:
      return copy(builtin, builtin.target_dtype, builtin.value,
                  Dims::filled(builtin.shape.size(), 0));
    case Builtin::Kind::arange:
      return arange(builtin);
  }
}

}  // namespace gpuarr::host
