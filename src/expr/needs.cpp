// What a group computes and reads: from what it stores, down to arrays and what others stored.
#include "expr/plan.hpp"

namespace gpuarr::expr {
namespace {

// Whether a group reads the node that another stored, or computes it again.
bool is_read(const Plan& plan, const Group& group, int k) {
  const NodeFacts& facts = plan.facts[as_index(k)];
  if (facts.stored == Reason::none || group.stores(k)) return false;
  return facts.stored != Reason::wanted || group.kind == GroupKind::reduction ||
         facts.level < group.level || facts.home >= 0;
}

std::vector<int>& list_of(Needs& needs, const Numbered& numbered, const Plan& plan,
                          const Group& group, int k) {
  const NodeKind kind = numbered.node(k).kind;
  if (kind == NodeKind::scalar) return needs.scalars;
  if (kind == NodeKind::array || kind == NodeKind::view) return needs.read;
  if (const int home = plan.facts[as_index(k)].home; home >= 0)
    return group.has_home(home) ? needs.posts : needs.read;
  return is_read(plan, group, k) ? needs.read : needs.computed;
}

}  // namespace

Needs needs_of(const Numbered& numbered, const Plan& plan, const Group& group,
               std::vector<int> waiting, std::span<const int> known) {
  Needs needs;
  std::vector<char> seen(numbered.items.size());
  for (int k : known) seen[as_index(k)] = 1;
  std::erase_if(waiting, [&](int k) { return std::exchange(seen[as_index(k)], 1) != 0; });
  while (!waiting.empty()) {
    const int k = waiting.back();
    waiting.pop_back();
    auto& list = list_of(needs, numbered, plan, group, k);
    list.push_back(k);
    const bool goes_on = &list == &needs.computed ||
                         (&list == &needs.posts && numbered.node(k).kind != NodeKind::reduction);
    if (!goes_on) continue;
    for (int o : numbered.items[as_index(k)].all())
      if (!std::exchange(seen[as_index(o)], 1)) waiting.push_back(o);
  }
  std::erase_if(needs.posts, [&](int k) { return numbered.node(k).kind == NodeKind::reduction; });
  for (auto* list : {&needs.computed, &needs.posts, &needs.read, &needs.scalars})
    std::ranges::sort(*list);
  return needs;
}

void add_operands(const Numbered& numbered, int k, std::vector<int>& to) {
  for (int o : numbered.items[as_index(k)].all())
    if (numbered.node(o).kind != NodeKind::scalar) to.push_back(o);
}

Needs needs_of(const Numbered& numbered, const Plan& plan, const Group& group) {
  std::vector<int> ends;
  if (group.kind == GroupKind::kernel)
    add_operands(numbered, group.outputs[0], ends);
  else if (group.kind != GroupKind::scan)
    ends = group.outputs;
  for (const auto& pass : group.passes)
    for (int fold : pass) add_operands(numbered, fold, ends);
  return needs_of(numbered, plan, group, ends);
}

}  // namespace gpuarr::expr
