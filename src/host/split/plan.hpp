// What becomes of the variables and conditions of a kernel that is split at its barriers.
#pragma once

#include <unordered_map>

#include "host/split/names.hpp"
#include "host/split/uniform.hpp"

namespace gpuarr::host {

struct SplitPlan {
  /// With `strides` some loops have a part of the body's for all threads at a time.
  SplitPlan(const Parsed& text, const Declaration& kernel, const SplitNames& outer, bool strides);
  SplitPlan(const SplitPlan&) = delete;
  SplitPlan& operator=(const SplitPlan&) = delete;

  struct Jump {
    size_t last;
    int level;  // what its thread's state becomes; 0: as it is
  };

  const Parsed& parsed;
  Statement body;
  KernelNames names;
  Uniform uniform;
  std::unordered_map<size_t, Jump> jumps;  // out of regions, by their first token
  std::unordered_map<const Statement*, int>
      levels;  // of branches and loops; one more is theirs too
  bool has_state = false;
};

}  // namespace gpuarr::host
