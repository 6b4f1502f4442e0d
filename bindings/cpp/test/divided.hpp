// Blocked arrays of random numbers in random grids on some places, and the same numbers undivided.
#pragma once

#include "check.hpp"
#include "gpuarr_team.hpp"

namespace check {

inline gpuarr::Team team_of(std::size_t places) {
  return gpuarr::Team::local(std::vector<gpuarr::Device>(places));
}

/// Numbers as a blocked array, of a team of one to five places unless one is given.
struct Divided {
  explicit Divided(const gpuarr::Shape& s)
      : Divided(s, team_of(static_cast<std::size_t>(random(5)) + 1)) {}
  Divided(const gpuarr::Shape& s, const gpuarr::Team& team) : numbers(s) {
    gpuarr::Shape chunk;
    for (int64_t extent : s) chunk.push_back(random(extent) + 1);
    gpuarr::BlockedOptions options;
    if (random(2) == 1) options.cyclic();
    blocked = gpuarr::Blocked(team, GPUARR_I64, s, chunk, options);
    blocked.write(numbers.values.data(), blocked.size());
  }
  Both<int64_t> numbers;
  gpuarr::Blocked blocked;
};

}  // namespace check
