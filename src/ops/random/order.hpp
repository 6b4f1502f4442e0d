// Random orders and choices of things.
#pragma once

#include "ops/random/random.hpp"

namespace gpuarr {

/// The first numbers of a random order of 0 ... n-1, in C order of the target's indices.
Array draw_order(Generator& generator, const RandomTarget& target, int64_t n, Stream* stream);

/// x with what it has along an axis in a random order. `out` is null where that is to be made.
Array shuffle(Generator& generator, const Array& x, int64_t axis, const Array* out, Stream* stream);

/// Numbers of 0 ... n-1, each as likely as its weight, which null stands for if all are alike.
Array choose(Generator& generator, const RandomTarget& target, int64_t n, const Array* weights,
             bool replace, Stream* stream);

}  // namespace gpuarr
