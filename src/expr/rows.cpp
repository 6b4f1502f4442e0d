// Row groups: reductions along rows and the loops and reductions over the same rows that use what
// they give, such as softmax and layer norm.
#include "expr/plan.hpp"

namespace gpuarr::expr {
namespace {

// Which group stores a node; -1 if none does.
std::vector<int> storing(const Numbered& numbered, const Plan& plan) {
  std::vector<int> out(numbered.items.size(), -1);
  for (size_t g = 0; g < plan.groups.size(); ++g)
    for (int k : plan.groups[g].outputs) out[as_index(k)] = static_cast<int>(g);
  return out;
}

class Joining {
 public:
  Joining(const Numbered& numbered, Plan& plan, const Limits& limits)
      : numbered_(numbered), plan_(plan), limits_(limits), from_(storing(numbered, plan)) {
    for (const Group& group : plan.groups) needs_.push_back(needs_of(numbered, plan, group));
  }

  // Members of the first group of rows that can be made, which is put in their place.
  bool join() {
    for (size_t g = 0; g < plan_.groups.size(); ++g) {
      if (plan_.groups[g].kind != GroupKind::reduction) continue;
      const std::vector<int> members = members_with(static_cast<int>(g));
      if (members.size() < 2) continue;
      Plan joined = with_row(members);
      plan_.groups[g].apart = what_parts(members, joined);
      if (plan_.groups[g].apart != Apart::none) continue;
      plan_ = std::move(joined);
      return true;
    }
    return false;
  }

 private:
  // Puts the groups in order where nothing does.
  Apart what_parts(const std::vector<int>& members, Plan& joined) const {
    if (std::ranges::any_of(members, [&](int g) { return has_users(group(g)); }))
      return Apart::users;
    if (!is_sound(joined)) return Apart::results;
    if (uses_indices(joined)) return Apart::indices;
    if (!limits_.row_fits(numbered_, joined, joined.groups.back())) return Apart::fit;
    return sort_groups(numbered_, joined) ? Apart::none : Apart::order;
  }

  const Group& group(int g) const { return plan_.groups[as_index(g)]; }

  // Reductions of the same rows, and loops over them, as far as they use each other or share what
  // they read.
  std::vector<int> members_with(int first) const {
    std::vector<int> members = {first};
    for (size_t at = 0; at < members.size(); ++at)
      for (int g = 0; g < static_cast<int>(plan_.groups.size()); ++g)
        if (std::ranges::find(members, g) == members.end() && belongs(g, first) &&
            (uses(g, members[at]) || uses(members[at], g) || share(g, members[at])))
          members.push_back(g);
    std::ranges::sort(members);
    return members;
  }

  bool belongs(int g, int first) const {
    const Group& other = group(g);
    if (!(other.space == group(first).space)) return false;
    if (other.kind == GroupKind::elementwise)
      return std::ranges::none_of(other.outputs, [&](int k) {
        return plan_.facts[as_index(k)].stored == Reason::transposed;
      });
    return other.kind == GroupKind::reduction && other.axes == group(first).axes &&
           has_users(other) == has_users(group(first));
  }

  bool has_users(const Group& any) const {
    return any.kind == GroupKind::reduction &&
           numbered_.node(any.passes[0][0]).reduction().user != nullptr;
  }

  bool uses(int g, int other) const {
    const Needs& needs = needs_[as_index(g)];
    const auto is_from = [&](int k) { return from_[as_index(k)] == other; };
    return std::ranges::any_of(needs.read, is_from) || std::ranges::any_of(needs.beside, is_from);
  }

  // Reductions that cannot lie side by side, of an array that the second finds in the cache.
  bool share(int g, int other) const {
    if (!limits_.same_size || group(g).kind != GroupKind::reduction ||
        group(other).kind != GroupKind::reduction)
      return false;
    return std::ranges::any_of(needs_[as_index(g)].read, [&](int k) {
      return numbered_.node(k).shape == group(g).space && needs_[as_index(other)].reads(k);
    });
  }

  Plan with_row(const std::vector<int>& members) const {
    const auto is_member = [&](int g) { return std::ranges::find(members, g) != members.end(); };
    Group row{GroupKind::row, 0, group(members[0]).space, 0, {}, {}, {}};
    std::vector<int> results;
    for (int g : members) {
      row.level = std::max(row.level, group(g).level);
      row.axes |= group(g).axes;
      row.passes.insert(row.passes.end(), group(g).passes.begin(), group(g).passes.end());
      row.homes.insert(row.homes.end(), group(g).homes.begin(), group(g).homes.end());
      for (int k : group(g).outputs)
        if (is_wanted(k, is_member))
          (group(g).kind == GroupKind::elementwise ? row.outputs : results).push_back(k);
    }
    row.outputs.insert(row.outputs.end(), results.begin(), results.end());
    Plan out = plan_;
    out.groups.clear();
    for (int g = 0; g < static_cast<int>(plan_.groups.size()); ++g)
      if (!is_member(g)) out.groups.push_back(group(g));
    for (int g : members)
      for (int k : group(g).outputs)
        if (!row.stores(k)) out.facts[as_index(k)].stored = Reason::none;
    out.groups.push_back(std::move(row));
    return out;
  }

  // Whether somebody wants the node beside the members.
  template <class IsMember>
  bool is_wanted(int k, const IsMember& is_member) const {
    for (int root : numbered_.roots)
      if (numbered_.behind(root) == k) return true;
    for (int g = 0; g < static_cast<int>(plan_.groups.size()); ++g) {
      if (!is_member(g) && needs_[as_index(g)].reads(k)) return true;
      for (int read : needs_[as_index(g)].read)
        if (read != k && numbered_.behind(read) == k) return true;
    }
    return false;
  }

  // Whether it broadcasts with the rows as their results do: axes that it lacks before its first
  // are those of 1.
  static bool is_one_each(const Dims& shape, const Dims& one) {
    const int lacking = one.size() - shape.size();
    for (int axis = 0; axis < one.size(); ++axis)
      if (one[axis] != (axis < lacking ? 1 : shape[axis - lacking])) return false;
    return true;
  }

  // What rows use of their own results has one element for each row, and a kernel has room for it.
  bool is_sound(const Plan& plan) const {
    const Group& row = plan.groups.back();
    Dims one = row.space;
    for (int axis = 0; axis < one.size(); ++axis)
      if (row.axes >> axis & 1) one[axis] = 1;
    const Needs needs = needs_of(numbered_, plan, row);
    if (!needs.beside.empty() || parameters_of(needs, row) > limits_.parameters) return false;
    for (int k : needs.computed)
      for (int o : numbered_.items[as_index(k)].all()) {
        const int home = plan.facts[as_index(o)].home;
        if (home < 0 || !row.has_home(home)) continue;
        const Dims& shape = numbered_.node(o).shape;
        if (!is_one_each(shape, one) && size_of(one) != 1) return false;
      }
    for (int k : needs.read)
      if (std::ranges::any_of(row.outputs, [&](int o) { return numbered_.behind(k) == o; }))
        return false;
    return true;
  }

  // A row kernel knows no element's index.
  bool uses_indices(const Plan& plan) const {
    return std::ranges::any_of(needs_of(numbered_, plan, plan.groups.back()).computed,
                               [&](int k) { return numbered_.node(k).kind == NodeKind::indices; });
  }

  const Numbered& numbered_;
  Plan& plan_;
  const Limits& limits_;
  const std::vector<int> from_;
  std::vector<Needs> needs_;
};

}  // namespace

void join_rows(const Numbered& numbered, Plan& plan, const Limits& limits) {
  while (Joining(numbered, plan, limits).join()) {
  }
}

bool sort_groups(const Numbered& numbered, Plan& plan) {
  const std::vector<int> from = storing(numbered, plan);
  const size_t count = plan.groups.size();
  std::vector<std::vector<int>> before(count);
  for (size_t g = 0; g < count; ++g) {
    const Needs needs = needs_of(numbered, plan, plan.groups[g]);
    for (const auto* list : {&needs.read, &needs.beside})
      for (int k : *list)
        if (const int other = from[as_index(numbered.behind(k))];
            other >= 0 && other != static_cast<int>(g))
          before[g].push_back(other);
  }
  std::vector<Group> sorted;
  std::vector<char> done(count);
  for (bool any = true; any;) {
    any = false;
    for (size_t g = 0; g < count; ++g) {
      if (done[g] != 0 || !std::ranges::all_of(before[g], [&](int b) { return done[as_index(b)]; }))
        continue;
      sorted.push_back(plan.groups[g]);
      done[g] = 1;
      any = true;
    }
  }
  if (sorted.size() < count) return false;
  plan.groups = std::move(sorted);
  return true;
}

}  // namespace gpuarr::expr
