#include "expr/plan.hpp"

#include <algorithm>

#include "backends.hpp"
#include "expr/cuts.hpp"
#include "expr/lie.hpp"
#include "expr/program.hpp"

namespace gpuarr::expr {
namespace {

constexpr int most_weight = 1 << 20;  // sums of trees that share branches grow without bound

// Ways to put nodes together that do not always pay.
struct Ways {
  bool beside = false;       // results of several reductions are joined behind one of them
  bool scaled_sums = false;  // sums of exp(x - max(x)) are folded in the pass of the max
};

class Planner {
 public:
  Planner(const Numbered& numbered, const Limits& limits)
      : numbered_(numbered), limits_(limits), lies_(lies_of(numbered)), cuts_(size()) {}

  // Empty if there is no order of its groups.
  Plan make(Ways ways) {
    ways_ = ways;
    cuts_ = Cuts(size());
    force_wholes();
    do {
      plan_ = {};
      plan_.facts.resize(size());
      for (int root : numbered_.roots) store(root, Reason::wanted);
      for (int k = 0; k < static_cast<int>(size()); ++k) place(k);
      group_stored();
    } while (cut(numbered_, plan_, limits_, cuts_));
    std::ranges::stable_sort(plan_.groups, runs_before);
    const bool is_sorted = sort_groups(numbered_, plan_);
    if (!is_sorted && ways.beside) return {};
    if (limits_.row_fits) join_rows(numbered_, plan_, limits_);
    return std::move(plan_);
  }

  // Those that some node could be made by.
  Ways possible() const { return possible_; }

 private:
  size_t size() const { return numbered_.items.size(); }
  const Node& node(int k) const { return numbered_.node(k); }
  const Item& item(int k) const { return numbered_.items[as_index(k)]; }
  NodeFacts& facts(int k) { return plan_.facts[as_index(k)]; }
  bool is_forced(int k) const { return cuts_.stored[as_index(k)] != Reason::none; }

  void force_wholes() {
    for (int k = 0; k < static_cast<int>(size()); ++k) {
      const bool alone = runs_alone(node(k));
      if (!alone && node(k).kind != NodeKind::scan) continue;
      cuts_.stored[as_index(k)] = Reason::whole;
      cuts_.away[as_index(k)] = 1;
      if (!alone) continue;
      for (int o : item(k).all())
        if (!is_leaf(node(o)) && node(o).kind != NodeKind::view)
          cuts_.stored[as_index(o)] = Reason::whole;
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
    if (is_forced(k)) store(k, cuts_.stored[as_index(k)]);
    facts(k).weight = weight_of(node(k));
    for (int o : item(k).all())
      facts(k).weight = std::min(most_weight, facts(k).weight + facts(o).weight);
    if (node(k).kind == NodeKind::reduction && !runs_alone(node(k))) {
      place_reduction(k);
    } else if (node(k).kind == NodeKind::view) {
      store(item(k).operands[0], Reason::viewed);
      facts(k).level = facts(item(k).operands[0]).level + 1;
      facts(k).weight = 0;
    } else if (cuts_.away[as_index(k)] != 0 || !follows_reductions(k)) {
      for (int o : item(k).all()) facts(k).level = std::max(facts(k).level, level_above(o));
    }
  }

  // Of what is computed from a node elsewhere than in its own group.
  int level_above(int o) {
    if (facts(o).home >= 0) store(o, Reason::reduced);
    return facts(o).level + (facts(o).home >= 0 || is_forced(o) ? 1 : 0);
  }

  void place_reduction(int k) {
    if (const int scale = scale_of_sum(numbered_, k); scale >= 0 && limits_.scaled_sums) {
      possible_.scaled_sums = true;
      if (ways_.scaled_sums && join_scale(k, scale)) return;
    }
    for (int o : item(k).all()) facts(k).level = std::max(facts(k).level, level_above(o));
    facts(k).home = group_of_reduction(k);
  }

  bool join_scale(int k, int scale) {
    const int home = facts(scale).home;
    Group& group = plan_.groups[as_index(home)];
    facts(k).scale = scale;
    if (!may_join(group, k)) {
      facts(k).scale = -1;
      return false;
    }
    group.passes[0].push_back(k);
    facts(k).level = group.level;
    facts(k).home = home;
    return true;
  }

  // Whether it can be computed behind a reduction, of the results: all that it is computed from are
  // results of that one, in their own space, or lie beside them.
  bool follows_reductions(int k) {
    int home = -1;
    for (int o : item(k).all())
      if (facts(o).home >= 0 && node(o).shape == node(k).shape && runs_later(facts(o).home, home))
        home = facts(o).home;
    if (home < 0) return false;
    const bool all_own = std::ranges::all_of(item(k).all(), [&](int o) {
      return node(o).kind == NodeKind::scalar ||
             (facts(o).home == home && node(o).shape == node(k).shape);
    });
    if (!all_own) {
      const auto may_lie = [&](int o) { return may_lie_beside(o, k, home); };
      if (!std::ranges::all_of(item(k).all(), may_lie)) return false;
      possible_.beside = true;
      if (!ways_.beside) return false;
    }
    for (int o : item(k).all())
      if (facts(o).home >= 0 && facts(o).home != home) store(o, Reason::beside);
    facts(k).home = home;
    facts(k).level = plan_.groups[as_index(home)].level;
    return true;
  }

  bool runs_later(int a, int b) const {
    if (b < 0) return true;
    const int level_a = plan_.groups[as_index(a)].level, level_b = plan_.groups[as_index(b)].level;
    return level_a > level_b || (level_a == level_b && a > b);
  }

  // One element for each result, or for all, that is there when the reduction of `home` runs.
  bool may_lie_beside(int o, int k, int home) {
    const Node& operand = node(o);
    if (operand.kind == NodeKind::scalar) return true;
    if (!(operand.shape == node(k).shape) && size_of(operand.shape) != 1) return false;
    if (facts(o).home >= 0)
      return plan_.groups[as_index(facts(o).home)].level <= plan_.groups[as_index(home)].level;
    if (operand.kind == NodeKind::array) return true;
    if ((operand.kind != NodeKind::function && operand.kind != NodeKind::convert) || is_forced(o) ||
        facts(o).level > 0 || facts(o).weight > limits_.again)
      return false;
    return std::ranges::all_of(item(o).all(),
                               [&](int below) { return may_lie_beside(below, k, home); });
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

  // Operators side by side share what they read, or it is little, and they read it alike.
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
    std::vector<int> both = group.passes[0];
    const size_t before = reads(group, both).size(), alone = reads(group, {k}).size();
    both.push_back(k);
    const std::vector<int> together = reads(group, both);
    return together.size() < before + alone || (together.size() <= 4 && lie_alike(together));
  }

  std::vector<int> reads(const Group& group, const std::vector<int>& folds) const {
    std::vector<int> ends;
    for (int fold : folds) add_operands(numbered_, plan_, fold, ends);
    return needs_of(numbered_, plan_, group, ends).read;
  }

  bool lie_alike(const std::vector<int>& nodes) const {
    for (int a : nodes)
      for (int b : nodes)
        if (disagree(lies_[as_index(a)], lies_[as_index(b)])) return false;
    return true;
  }

  bool is_users(int k) const { return node(k).reduction().user != nullptr; }
  int fold_bytes(int k) const { return partial(k).bytes; }
  bool is_record(int k) const { return partial(k).is_struct; }
  FoldType partial(int k) const {
    const bool scaled = plan_.facts[as_index(k)].scale >= 0;
    return partial_of(scaled ? Reducer::logsumexp : node(k).reduction().reducer, type_below(k));
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

  const Numbered& numbered_;
  const Limits& limits_;
  const std::vector<Lie> lies_;
  Ways ways_, possible_;
  Cuts cuts_;
  Plan plan_;
};

int64_t cost_of(const Numbered& numbered, const Plan& plan, const Limits& limits) {
  int64_t cost = 0;
  for (const Group& group : plan.groups) {
    const Needs needs = needs_of(numbered, plan, group);
    for (const auto* list : {&needs.read, &needs.beside, &group.outputs})
      for (int k : *list) cost += bytes_of(numbered.node(k));
    cost += limits.launch_bytes;
  }
  return cost;
}

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
  limits.scaled_sums = false;  // sums are those of one call after another, bit for bit
  limits.launch_bytes = 1 << 13;
  return limits;
}

Plan make_plan(const Numbered& numbered, const Limits& limits) {
  Planner planner(numbered, limits);
  Plan best = planner.make({});
  const Ways possible = planner.possible();
  for (const Ways ways : {Ways{true, false}, Ways{false, true}, Ways{true, true}}) {
    if ((ways.beside && !possible.beside) || (ways.scaled_sums && !possible.scaled_sums)) continue;
    Plan other = planner.make(ways);
    if (!other.groups.empty() && cost_of(numbered, other, limits) < cost_of(numbered, best, limits))
      best = std::move(other);
  }
  return best;
}

int64_t bytes_of(const Node& node) {
  if (node.kind != NodeKind::array) return size_of(node.shape) * size_of(node.dtype);
  int64_t elements = 1;
  for (int axis = 0; axis < node.shape.size(); ++axis)
    if (node.array().layout.strides[axis] != 0) elements *= node.shape[axis];
  return elements * size_of(node.dtype);
}

const char* text_of(Apart apart) {
  constexpr const char* texts[] = {"",
                                   "it is a user's reduction",
                                   "they use results of several rows, or too many arrays",
                                   "rows do not fit the device, or are too short",
                                   "another kernel has to run in between",
                                   "they are computed from their indices"};
  return texts[static_cast<size_t>(apart)];
}

const char* text_of(Reason reason) {
  constexpr const char* texts[] = {"",
                                   "a result",
                                   "seen through another layout",
                                   "reduced, and used by a larger shape",
                                   "dear to compute again",
                                   "computed with what another reduction gives",
                                   "arrays meet that lie otherwise, which a loop reads in tiles",
                                   "the kernel would have too many arrays and numbers",
                                   "the kernel would have too many operations",
                                   "a scan, a product or a kernel of its own has to have all of it",
                                   "indices that the loop does not have itself"};
  return texts[static_cast<size_t>(reason)];
}

}  // namespace gpuarr::expr
