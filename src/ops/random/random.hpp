// Arrays of random numbers. The numbers depend on the generator's place and on the index alone.
#pragma once

#include <span>

#include "kernel/binding.hpp"
#include "ops/random/generator.hpp"
#include "ops/random/texts.hpp"

namespace gpuarr {

/// The array that a draw fills: the given one, or a new one of the dtype and shape.
struct RandomTarget {
  const Array* given;  // or null; else its dtype and shape follow
  DType dtype;
  Dims shape;
};

/// Fills an array with numbers of a distribution; arguments are scalars, or arrays that broadcast.
/// Returns the array. A null stream is the current one of its device.
Array draw(Distribution distribution, Generator& generator, const RandomTarget& target,
           std::span<const Argument> arguments, Stream* stream);

/// Whole numbers from low to high - 1.
Array draw_integers(Generator& generator, const RandomTarget& target, const Scalar& low,
                    const Scalar& high, Stream* stream);

/// The target's array, made if it must be, and the stream to fill it in.
struct PreparedTarget {
  Array array;
  Stream& stream;
};
PreparedTarget prepare_target(const RandomTarget& target, const Generator& generator,
                              Stream* stream);

}  // namespace gpuarr
