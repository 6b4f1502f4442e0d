// What is wrong with a team, as one of its places tells the others.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/error.hpp"

namespace gpuarr::team {

/// A message of fixed size, which is sent as it lies in memory.
struct Failure {
  gpuarr_status status = GPUARR_OK;
  int32_t place = 0;
  int64_t operation = 0;           // its number among the team's calls
  std::array<char, 64> name{};     // "gpuarr_map_blocks"
  std::array<char, 1024> cause{};  // cut off where it is longer

  static Failure of(gpuarr_status status, int place, int64_t operation, const char* name,
                    const std::string& cause);
  /// "place 3 failed in gpuarr_map_blocks, call 17 of the team: out of memory"
  std::string text() const;
};

}  // namespace gpuarr::team
