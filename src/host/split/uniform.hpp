// What is one for all threads of a block in a kernel that is split.
#pragma once

#include <unordered_set>
#include <vector>

#include "host/split/names.hpp"

namespace gpuarr::host {

struct Uniform {
  std::vector<bool> variables;
  std::unordered_set<size_t> updates;  // statements that change one of these, by their first token
  std::unordered_set<const Statement*>
      statements;  // branches and loops that all threads take alike
};

/// `threads_leave` if some may be gone, by a jump, where others go on.
Uniform find_uniform(const KernelNames& names, const Statement& body, bool threads_leave);

}  // namespace gpuarr::host
