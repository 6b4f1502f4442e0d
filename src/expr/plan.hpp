// Which kernels some expressions become: groups of nodes, each one pass over memory. README.md has
// the rules.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "expr/number.hpp"

namespace gpuarr::expr {

enum class GroupKind : uint8_t {
  elementwise,  // one loop, any number of outputs
  reduction,    // operators folded side by side, and what is computed of their results
  row,          // reductions along rows and loops over them by turns
  scan,         // what is scanned is computed on the way
  kernel,       // a user's kernel, as it is, or a product of matrices
};

/// Why a reduction is not one kernel with what uses its results along the same rows.
enum class Apart : uint8_t {
  none,
  users,    // a user's reduction, of which nobody knows how much it keeps
  results,  // something uses results of other rows too, or there are too many arrays and numbers
  fit,      // rows do not fit the device, or are too short to be worth it
  order,    // something else has to run in between
  indices,  // elements are computed from their indices
};
const char* text_of(Apart apart);

/// Nodes, by their numbers.
struct Group {
  GroupKind kind;
  int level;                             // groups of lower levels come before it
  Dims space;                            // of its loop
  uint32_t axes = 0;                     // that are reduced
  std::vector<std::vector<int>> passes;  // reductions that are folded side by side; one but in rows
  std::vector<int> outputs;              // what it stores
  std::vector<int> homes;                // groups of reductions that it is made of
  Apart apart = Apart::none;

  bool has_home(int home) const { return std::ranges::find(homes, home) != homes.end(); }
  bool stores(int k) const { return std::ranges::find(outputs, k) != outputs.end(); }
};

/// Why a node is stored that could have been computed where it is used.
enum class Reason : uint8_t {
  none,
  wanted,      // it is a result
  viewed,      // through another layout
  reduced,     // a larger space wants what was reduced
  dear,        // several groups want it, and it costs more than reading it
  beside,      // what another reduction gives is computed with it
  transposed,  // arrays meet that lie otherwise, which only a loop reads well
  operands,    // the group would have too many arrays and numbers
  operations,  // or too many operations
  whole,  // a scan, a product of matrices, or a user's kernel that stands alone, gives or reads
          // all of it
  apart,  // indices that are not those of the elements of the loop
};
const char* text_of(Reason reason);

/// What the planner knows of a node.
struct NodeFacts {
  int level = 0;
  int weight = 0;  // of computing it from arrays
  int home = -1;   // the group of reductions that it follows from, in their results' space
  int scale = -1;  // a sum of exp(x - max(x)): that max, beside which it is folded in one pass
  Reason stored = Reason::none;
};

struct Plan;

/// Whether a row kernel can be made of a group, and is worth it.
using RowTest = std::function<bool(const Numbered&, const Plan&, const Group&)>;

struct Limits {
  int again = 24;          // a weight up to which a node is computed again rather than stored
  bool same_size = false;  // operators side by side are numbers of one size
  size_t arrays = 24;
  size_t parameters = 28;  // with scalars; less than a kernel's: those of two dtypes count twice
  size_t operations = 512;
  size_t folds = 8;
  int fold_bytes = 64;
  bool scaled_sums = true;         // without the bits of one call after another
  int64_t launch_bytes = 1 << 20;  // that are moved in the time of a launch
  RowTest row_fits = {};
};
Limits limits_of(const Device& device);

struct Plan {
  std::vector<NodeFacts> facts;
  std::vector<Group> groups;  // in the order in which they run
};

/// Of the ways to put nodes together the one that moves the fewest bytes.
Plan make_plan(const Numbered& numbered, const Limits& limits);

/// The max that the node is a sum of exp(x - max(x)) of, or -1.
int scale_of_sum(const Numbered& numbered, int sum);

/// What its values take where an array is read; what does not vary along an axis counts once.
int64_t bytes_of(const Node& node);

/// The kernels of a plan, a line each, and the bytes that they move.
std::string explain(const Numbered& numbered, const Plan& plan);

bool is_leaf(const Node& node);

/// What a node of a pass folds, or a scan scans, or a kernel reads.
std::span<const int> folded_by(const Numbered& numbered, const Plan& plan, int k);
/// Of these, what is no scalar.
void add_operands(const Numbered& numbered, const Plan& plan, int k, std::vector<int>& to);

/// What computing the node costs, as additions: exp is 8.
int weight_of(const Node& node);

/// Nodes that a group computes for each element of its loop, of its own results, and what it reads,
/// all in order.
struct Needs {
  std::vector<int> computed;
  std::vector<int> posts;
  std::vector<int> read;    // arrays, and nodes that others stored
  std::vector<int> beside;  // the same, but an element for each result
  std::vector<int> scalars;

  bool reads(int k) const {
    return std::ranges::binary_search(read, k) || std::ranges::binary_search(beside, k);
  }
};
Needs needs_of(const Numbered& numbered, const Plan& plan, const Group& group);

/// The same of some nodes alone, without what is in `known`; none are read that others stored.
Needs needs_of(const Numbered& numbered, const Plan& plan, const Group& group,
               const std::vector<int>& ends, std::span<const int> known = {});

/// The parameters of a kernel of it, but that scalars of two dtypes count twice there.
inline size_t parameters_of(const Needs& needs, const Group& group) {
  return needs.read.size() + needs.beside.size() + needs.scalars.size() + group.outputs.size();
}

/// Joins reductions along rows with the loops and reductions over the same rows that use their
/// results.
void join_rows(const Numbered& numbered, Plan& plan, const Limits& limits);

/// In an order in which every group comes behind those whose nodes it reads; false if there is
/// none.
bool sort_groups(const Numbered& numbered, Plan& plan);

}  // namespace gpuarr::expr
