#include "team/compute/random.hpp"

#include "team/map/map.hpp"

namespace gpuarr::team {

void draw(Blocked& target, const ScalarDraw& numbers, Generator& generator) {
  const Dims steps = dense_strides(target.shape(), Order::c);
  const uint64_t position = generator.take(numbers.steps(size_of(target.shape())));
  each_block(target, [&](const BlockCall& call) {
    PartOfDraw where{0, steps};
    for (int axis = 0; axis < steps.size(); ++axis) where.first += call.box.low[axis] * steps[axis];
    numbers.fill(call.block->inner, where, generator, position, *call.stream);
  });
}

}  // namespace gpuarr::team
