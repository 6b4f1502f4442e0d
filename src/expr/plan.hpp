// Which kernels some expressions become: groups of nodes, each one pass over memory. README.md has
// the rules.
#pragma once

#include <vector>

#include "expr/number.hpp"

namespace gpuarr::expr {

enum class GroupKind : uint8_t {
  elementwise,  // one loop, any number of outputs
  reduction,    // operators folded side by side, and what is computed of their results
};

struct Group {
  GroupKind kind;
  int level;                 // groups of lower levels come before it
  Dims space;                // of its loop
  uint32_t axes = 0;         // that are reduced
  std::vector<int> folds;    // reductions
  std::vector<int> outputs;  // nodes that it stores
};

/// Why a node is stored that could have been computed where it is used.
enum class Reason : uint8_t {
  none,
  wanted,      // it is a result
  viewed,      // through another layout
  reduced,     // a larger space wants what was reduced
  dear,        // several groups want it, and it costs more than reading it
  operands,    // the group would have too many arrays
  operations,  // or too many operations
};
const char* text_of(Reason reason);

/// What the planner knows of a node.
struct NodeFacts {
  int level = 0;
  int weight = 0;  // of computing it from arrays
  int home = -1;   // the group of reductions that it follows from, in their results' space
  Reason stored = Reason::none;
};

struct Limits {
  int again = 24;          // a weight up to which a node is computed again rather than stored
  bool same_size = false;  // operators side by side are numbers of one size
  size_t arrays = 24;
  size_t operations = 512;
  size_t folds = 8;
  int fold_bytes = 64;
};
Limits limits_of(const Device& device);

struct Plan {
  std::vector<NodeFacts> facts;
  std::vector<Group> groups;  // in the order in which they run
};

Plan make_plan(const Numbered& numbered, const Limits& limits);

bool is_leaf(const Node& node);

/// What computing the node costs, as additions: exp is 8.
int weight_of(const Node& node);

/// Nodes that a group computes for each element of its loop, and what it reads, both in order.
struct Needs {
  std::vector<int> computed;
  std::vector<int> read;  // arrays, and nodes that others stored
  std::vector<int> scalars;
};
Needs needs_of(const Numbered& numbered, const Plan& plan, const Group& group);

/// Nodes that a group of reductions computes of its results.
std::vector<int> posts_of(const Numbered& numbered, const Plan& plan, const Group& group);

}  // namespace gpuarr::expr
