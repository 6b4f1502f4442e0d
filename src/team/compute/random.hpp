// Random numbers in blocked arrays: those of the undivided one.
#pragma once

#include "ops/random/random.hpp"
#include "team/blocked/blocked.hpp"

namespace gpuarr::team {

/// Element k of the whole, in C order, gets number k of the draw, which moves the generator on.
/// Nothing is sent.
void draw(Blocked& target, const ScalarDraw& numbers, Generator& generator);

}  // namespace gpuarr::team
