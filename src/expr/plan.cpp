#include "expr/plan.hpp"

#include <algorithm>

#include "backends.hpp"
#include "expr/program.hpp"

namespace gpuarr::expr {
namespace {

constexpr int most_weight = 1 << 20;  // sums of trees that share branches grow without bound

class Planner {
 public:
  Planner(const Numbered& numbered, const Limits& limits) : numbered_(numbered), limits_(limits) {}

  Plan make() {
    forced_.assign(size(), Reason::none);
    away_.assign(size(), 0);
    force_wholes();
    while (true) {
      plan_ = {};
      plan_.facts.resize(size());
      for (int root : numbered_.roots) store(root, Reason::wanted);
      for (int k = 0; k < static_cast<int>(size()); ++k) place(k);
      group_stored();
      if (!cut_large() && !store_dear()) break;
    }
    std::ranges::stable_sort(plan_.groups, runs_before);
    sort_groups(numbered_, plan_);
    if (limits_.row_fits) join_rows(numbered_, plan_, limits_);
    return std::move(plan_);
  }

 private:
  size_t size() const { return numbered_.items.size(); }
  const Node& node(int k) const { return numbered_.node(k); }
  const Item& item(int k) const { return numbered_.items[as_index(k)]; }
  NodeFacts& facts(int k) { return plan_.facts[as_index(k)]; }

  void force_wholes() {
    for (int k = 0; k < static_cast<int>(size()); ++k) {
      const bool alone = runs_alone(node(k));
      if (!alone && node(k).kind != NodeKind::scan) continue;
      forced_[as_index(k)] = Reason::whole;
      away_[as_index(k)] = 1;
      if (!alone) continue;
      for (int o : item(k).all())
        if (!is_leaf(node(o)) && node(o).kind != NodeKind::view)
          forced_[as_index(o)] = Reason::whole;
    }
  }

  // Leaves are in memory already.
  void store(int k, Reason why) {
    k = numbered_.behind(k);
    if (!is_leaf(node(k)) && facts(k).stored == Reason::none) facts(k).stored = why;
  }

  static bool runs_before(const Group& a, const Group& b) {
    if (a.level != b.level) return a.level < b.level;
    if (a.kind != b.kind) return a.kind < b.kind;
    return size_of(a.space) < size_of(b.space);
  }

  // --- Levels, and groups of reductions

  void place(int k) {
    if (is_leaf(node(k))) return;
    if (forced_[as_index(k)] != Reason::none) store(k, forced_[as_index(k)]);
    facts(k).weight = weight_of(node(k));
    for (int o : item(k).all())
      facts(k).weight = std::min(most_weight, facts(k).weight + facts(o).weight);
    if (node(k).kind == NodeKind::reduction && !runs_alone(node(k))) {
      for (int o : item(k).all()) facts(k).level = std::max(facts(k).level, level_above(o));
      facts(k).home = group_of_reduction(k);
    } else if (node(k).kind == NodeKind::view) {
      store(item(k).operands[0], Reason::viewed);
      facts(k).level = facts(item(k).operands[0]).level + 1;
      facts(k).weight = 0;
    } else if (away_[as_index(k)] != 0 || !follows_reductions(k)) {
      for (int o : item(k).all()) facts(k).level = std::max(facts(k).level, level_above(o));
    }
  }

  // Of what is computed from a node elsewhere than in its own group.
  int level_above(int o) {
    if (facts(o).home >= 0) store(o, Reason::reduced);
    return facts(o).level + (facts(o).home >= 0 || forced_[as_index(o)] != Reason::none ? 1 : 0);
  }

  // Whether all that it is computed from are results of one group, in their own space.
  bool follows_reductions(int k) {
    int home = -1;
    for (int o : item(k).all()) {
      if (node(o).kind == NodeKind::scalar) continue;
      if (facts(o).home < 0 || (home >= 0 && facts(o).home != home)) return false;
      if (!(node(o).shape == node(k).shape)) return false;
      home = facts(o).home;
    }
    facts(k).home = home;
    facts(k).level = plan_.groups[as_index(home)].level;
    return true;
  }

  int group_of_reduction(int k) {
    const ReductionNode& own = node(k).reduction();
    const Dims& space = own.user != nullptr ? own.user->space : node(item(k).operands[0]).shape;
    const uint32_t axes = own.axes;
    for (size_t g = 0; g < plan_.groups.size(); ++g) {
      Group& group = plan_.groups[g];
      if (group.level != facts(k).level || group.axes != axes || !(group.space == space) ||
          !may_join(group, k))
        continue;
      group.passes[0].push_back(k);
      return static_cast<int>(g);
    }
    const auto home = static_cast<int>(plan_.groups.size());
    plan_.groups.push_back({GroupKind::reduction, facts(k).level, space, axes, {{k}}, {}, {home}});
    return home;
  }

  // Operators side by side share what they read, or it is little.
  bool may_join(const Group& group, int k) {
    if (group.passes[0].size() >= limits_.folds) return false;
    if (size_of(group.space) == 0) return false;  // each has its own way of being empty
    if (is_users(k) || is_users(group.passes[0][0])) return false;  // of any size
    int bytes = fold_bytes(k);
    for (int fold : group.passes[0]) {
      if (limits_.same_size && (fold_bytes(fold) != fold_bytes(k) || is_record(fold))) return false;
      bytes += fold_bytes(fold);
    }
    if (bytes > limits_.fold_bytes || (limits_.same_size && is_record(k))) return false;
    const auto reads = [&](const std::vector<int>& folds) {
      std::vector<int> ends;
      for (int fold : folds) add_operands(numbered_, fold, ends);
      return needs_of(numbered_, plan_, group, ends).read.size();
    };
    std::vector<int> both = group.passes[0];
    const size_t before = reads(both), alone = reads({k});
    both.push_back(k);
    const size_t together = reads(both);
    return together < before + alone || together <= 4;
  }

  bool is_users(int k) const { return node(k).reduction().user != nullptr; }
  int fold_bytes(int k) const {
    return partial_of(node(k).reduction().reducer, type_below(k)).bytes;
  }
  bool is_record(int k) const {
    return partial_of(node(k).reduction().reducer, type_below(k)).is_struct;
  }
  DType type_below(int k) const { return node(item(k).operands[0]).dtype; }

  // --- Stored nodes

  // Results go to the group of their reductions, others that share arrays into one loop.
  void group_stored() {
    for (int k = 0; k < static_cast<int>(size()); ++k) {
      if (facts(k).stored == Reason::none) continue;
      if (facts(k).home >= 0) {
        plan_.groups[as_index(facts(k).home)].outputs.push_back(k);
        continue;
      }
      if (runs_alone(node(k)) || node(k).kind == NodeKind::scan) {
        group_whole(k);
        continue;
      }
      Group own{GroupKind::elementwise, facts(k).level, node(k).shape, 0, {}, {k}, {}};
      const auto other = std::ranges::find_if(plan_.groups, [&](const Group& g) {
        return g.kind == GroupKind::elementwise && g.level == own.level && g.space == own.space &&
               shares(g, own);
      });
      if (other == plan_.groups.end())
        plan_.groups.push_back(own);
      else
        other->outputs.push_back(k);
    }
  }

  // Outputs of one call of a user's kernel go together.
  void group_whole(int k) {
    if (node(k).kind == NodeKind::scan) {
      const uint32_t axis = uint32_t{1} << node(k).scan().axis;
      plan_.groups.push_back(
          {GroupKind::scan, facts(k).level, node(k).shape, axis, {{k}}, {k}, {}});
      return;
    }
    const auto other = std::ranges::find_if(plan_.groups, [&](const Group& g) {
      return g.kind == GroupKind::kernel && is_same_call(g.outputs[0], k);
    });
    if (other != plan_.groups.end()) {
      other->outputs.push_back(k);
      return;
    }
    Group own{GroupKind::kernel, facts(k).level, node(k).shape, 0, {}, {k}, {}};
    if (node(k).kind == NodeKind::reduction) {
      own.space = node(k).reduction().user->space;
      own.axes = node(k).reduction().axes;
    }
    plan_.groups.push_back(std::move(own));
  }

  bool is_same_call(int a, int b) const {
    if (node(a).kind != node(b).kind || !std::ranges::equal(item(a).all(), item(b).all()))
      return false;
    if (node(a).kind == NodeKind::kernel) return node(a).kernel().kernel == node(b).kernel().kernel;
    const ReductionNode& x = node(a).reduction();
    const ReductionNode& y = node(b).reduction();
    return x.user->kernel == y.user->kernel && x.axes == y.axes && x.keepdims == y.keepdims;
  }

  bool shares(const Group& a, const Group& b) const {
    Group both = a;
    both.outputs.insert(both.outputs.end(), b.outputs.begin(), b.outputs.end());
    const Needs all = needs_of(numbered_, plan_, both);
    if (all.read.size() + both.outputs.size() > limits_.arrays ||
        parameters_of(all, both) > limits_.parameters)
      return false;
    return all.read.size() <
           needs_of(numbered_, plan_, a).read.size() + needs_of(numbered_, plan_, b).read.size();
  }

  // --- Cuts

  // What several groups compute, and is worth more than reading it: the largest is stored.
  bool store_dear() {
    std::vector<int> users(size());
    for (const Group& group : plan_.groups)
      for (int k : needs_of(numbered_, plan_, group).computed) ++users[as_index(k)];
    for (int k = static_cast<int>(size()) - 1; k >= 0; --k)
      if (users[as_index(k)] > 1 && facts(k).weight > limits_.again &&
          facts(k).stored == Reason::none) {
        forced_[as_index(k)] = Reason::dear;
        return true;
      }
    return false;
  }

  bool cut_large() {
    for (const Group& group : plan_.groups) {
      const Needs needs = needs_of(numbered_, plan_, group);
      const bool operands =
          needs.read.size() > limits_.arrays || parameters_of(needs, group) > limits_.parameters;
      if (!operands && needs.computed.size() <= limits_.operations) continue;
      if (operands && send_away(group)) return true;
      if (cut(needs, operands ? Reason::operands : Reason::operations)) return true;
    }
    return false;
  }

  // What a reduction has no room to compute of its results is computed by loops.
  bool send_away(const Group& group) {
    bool any = false;
    for (int k : group.outputs)
      if (group.kind == GroupKind::reduction && node(k).kind != NodeKind::reduction)
        any |= std::exchange(away_[as_index(k)], 1) == 0;
    return any;
  }

  // Stores what a first part of the group leaves to the rest: as much as fits, but where it leaves
  // the least.
  bool cut(const Needs& needs, Reason why) {
    if (needs.computed.empty()) return false;
    std::vector<int> last_use(size(), -1);
    for (size_t at = 0; at < needs.computed.size(); ++at)
      for (int o : item(needs.computed[at]).all()) last_use[as_index(o)] = static_cast<int>(at);
    std::vector<char> seen(size());
    size_t arrays = 0;
    size_t scalars = 0;
    size_t best = 0;
    int64_t fewest = INT64_MAX;
    const size_t most = std::min(limits_.operations, needs.computed.size() - 1);
    for (size_t at = 0; at < most; ++at) {
      for (int o : item(needs.computed[at]).all()) {
        if (std::exchange(seen[as_index(o)], 1)) continue;
        arrays += std::ranges::binary_search(needs.read, o);
        scalars += node(o).kind == NodeKind::scalar;
      }
      if (arrays > limits_.arrays || arrays + scalars >= limits_.parameters) break;
      const int64_t left = bytes_left(needs, last_use, at);
      if (left > fewest && best > 0) continue;
      fewest = left;
      best = at;
    }
    bool any = false;
    for (size_t at = 0; at <= best; ++at) {
      const int k = needs.computed[at];
      if (last_use[as_index(k)] <= static_cast<int>(best)) continue;
      any |= forced_[as_index(k)] == Reason::none;
      forced_[as_index(k)] = why;
    }
    return any;
  }

  int64_t bytes_left(const Needs& needs, const std::vector<int>& last_use, size_t end) const {
    int64_t bytes = 0;
    for (size_t at = 0; at <= end; ++at) {
      const int k = needs.computed[at];
      if (last_use[as_index(k)] > static_cast<int>(end))
        bytes += size_of(node(k).shape) * size_of(node(k).dtype);
    }
    return bytes;
  }

  const Numbered& numbered_;
  const Limits& limits_;
  std::vector<Reason> forced_;  // nodes that are stored whatever for
  std::vector<char> away_;      // nodes that no reduction computes of its results
  Plan plan_;
};

}  // namespace

bool is_leaf(const Node& node) {
  return node.kind == NodeKind::array || node.kind == NodeKind::scalar;
}

Limits limits_of(const Device& device) {
  Limits limits;
  limits.row_fits = [&device](const Numbered& numbered, const Plan& plan, const Group& group) {
    return row_fits(numbered, plan, group, device);
  };
  if (target_of(device).simt) return limits;
  limits.again = 8;
  limits.same_size = true;
  return limits;
}

Plan make_plan(const Numbered& numbered, const Limits& limits) {
  return Planner(numbered, limits).make();
}

const char* text_of(Reason reason) {
  constexpr const char* texts[] = {"",
                                   "a result",
                                   "seen through another layout",
                                   "reduced, and used by a larger shape",
                                   "dear to compute again",
                                   "the kernel would have too many arrays and numbers",
                                   "the kernel would have too many operations",
                                   "a scan or a kernel of its own gives or reads all of it"};
  return texts[static_cast<size_t>(reason)];
}

}  // namespace gpuarr::expr
