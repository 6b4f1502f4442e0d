// What becomes of the variables and conditions of a kernel that is split at its barriers.
#pragma once

#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "host/split_declaration.hpp"
#include "host/split_statements.hpp"

namespace gpuarr::host {

/// What the rest of the text says about the names in a kernel.
struct SplitNames {
  std::function<bool(size_t)> waits;  // a token: it names what waits for other threads
  std::unordered_map<std::string_view, bool> constants;  // whether they are integers
  std::unordered_set<std::string_view> functions;        // of the text's own
  std::unordered_set<std::string_view> changing;         // functions that take references
};

/// A statement of a kernel's block that belongs to a region, or one that stands alone.
struct SplitPlan {
  SplitPlan(const Parsed& parsed, const Declaration& kernel, const SplitNames& names);

  static constexpr int none = -1;

  const Parsed& parsed;
  Statement body;
  std::vector<Variable> variables;
  std::vector<size_t> parameters;  // indices of variables
  // By the first token of a statement, or of a loop's init.
  struct Declared {
    bool is_fixed;
    std::vector<size_t> variables;
  };
  std::unordered_map<size_t, Declared> declared;
  std::unordered_set<size_t> scalars;  // statements that change what is one for all threads
  std::unordered_set<const Statement*> uniform;  // branches and loops that all threads take alike
  struct Jump {
    size_t last;
    int level;  // what its thread's state becomes; 0: as it is
  };
  std::unordered_map<size_t, Jump> jumps;  // out of regions
  std::unordered_map<const Statement*, int>
      levels;  // of branches and loops; one more is theirs too
  bool has_state = false;

  int meaning(size_t token) const { return meaning_[token - first_]; }  // a variable, or none

 private:
  friend class SplitPlanner;
  size_t first_;
  std::vector<int> meaning_;
};

}  // namespace gpuarr::host
