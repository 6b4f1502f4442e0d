// What a group computes and reads: from what it stores, down to arrays and what others stored.
#include <algorithm>

#include "expr/plan.hpp"

namespace gpuarr::expr {
namespace {

// Calls `enter` for each node below the ends once; it says whether to go on below.
template <class Enter>
void walk(const Numbered& numbered, std::vector<int> waiting, const Enter& enter) {
  std::vector<char> seen(numbered.items.size());
  for (int k : waiting) seen[as_index(k)] = 1;
  while (!waiting.empty()) {
    const int k = waiting.back();
    waiting.pop_back();
    if (!enter(k)) continue;
    for (int o : numbered.items[as_index(k)].all())
      if (!std::exchange(seen[as_index(o)], 1)) waiting.push_back(o);
  }
}

// Whether a group reads the node that another stored, or computes it again: where it is in memory
// anyway, only what is as cheap as it is small.
bool is_read(const Plan& plan, const Group& group, int k) {
  const NodeFacts& facts = plan.facts[as_index(k)];
  if (facts.stored == Reason::none) return false;
  return std::ranges::find(group.outputs, k) == group.outputs.end() &&
         (facts.stored != Reason::wanted || group.kind != GroupKind::elementwise ||
          facts.level < group.level || facts.home >= 0);
}

}  // namespace

Needs needs_of(const Numbered& numbered, const Plan& plan, const Group& group) {
  Needs needs;
  std::vector<int> ends = group.outputs;
  if (group.kind == GroupKind::reduction) {
    ends.clear();
    for (int fold : group.folds) ends.push_back(numbered.items[as_index(fold)].operands[0]);
    std::ranges::sort(ends);
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  }
  walk(numbered, ends, [&](int k) {
    const NodeKind kind = numbered.node(k).kind;
    if (kind == NodeKind::scalar) {
      needs.scalars.push_back(k);
    } else if (kind == NodeKind::array || kind == NodeKind::reduction || kind == NodeKind::view ||
               is_read(plan, group, k)) {
      needs.read.push_back(k);
    } else {
      needs.computed.push_back(k);
      return true;
    }
    return false;
  });
  for (auto* list : {&needs.computed, &needs.read, &needs.scalars}) std::ranges::sort(*list);
  return needs;
}

std::vector<int> posts_of(const Numbered& numbered, const Plan& plan, const Group& group) {
  std::vector<int> posts;
  walk(numbered, group.outputs, [&](int k) {
    const bool follows = numbered.node(k).kind != NodeKind::reduction &&
                         numbered.node(k).kind != NodeKind::scalar &&
                         plan.facts[as_index(k)].home >= 0;
    if (follows) posts.push_back(k);
    return follows;
  });
  std::ranges::sort(posts);
  return posts;
}

}  // namespace gpuarr::expr
