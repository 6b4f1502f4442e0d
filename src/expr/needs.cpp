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

// A node, as elements of the loop want it or as results do.
struct Wish {
  int node;
  bool of_results;
};

class Walk {
 public:
  Walk(const Numbered& numbered, const Plan& plan, const Group& group)
      : numbered_(numbered), plan_(plan), group_(group), seen_(numbered.items.size()) {}

  void know(int k) { seen_[as_index(k)] = of_loop | of_results; }

  void want(int k, bool for_results) {
    const int bit = for_results ? of_results : of_loop;
    if ((seen_[as_index(k)] & bit) == 0) waiting_.push_back({k, for_results});
    seen_[as_index(k)] |= static_cast<char>(bit);
  }

  Needs walk() {
    while (!waiting_.empty()) {
      const Wish wish = waiting_.back();
      waiting_.pop_back();
      take(wish);
    }
    std::erase_if(needs_.posts, [&](int k) { return is_reduction(k); });
    for (auto* list :
         {&needs_.computed, &needs_.posts, &needs_.read, &needs_.beside, &needs_.scalars}) {
      std::ranges::sort(*list);
      list->erase(std::unique(list->begin(), list->end()), list->end());
    }
    return std::move(needs_);
  }

 private:
  static constexpr int of_loop = 1, of_results = 2;

  bool is_reduction(int k) const { return numbered_.node(k).kind == NodeKind::reduction; }

  void take(const Wish& wish) {
    auto& list = list_of(wish);
    list.push_back(wish.node);
    const bool is_post = &list == &needs_.posts;
    if ((!is_post && &list != &needs_.computed) || (is_post && is_reduction(wish.node))) return;
    for (int o : numbered_.items[as_index(wish.node)].all()) want(o, is_post);
  }

  std::vector<int>& list_of(const Wish& wish) {
    const int k = wish.node;
    const NodeKind kind = numbered_.node(k).kind;
    auto& read = wish.of_results ? needs_.beside : needs_.read;
    if (kind == NodeKind::scalar) return needs_.scalars;
    if (kind == NodeKind::array || kind == NodeKind::view) return read;
    if (const int home = plan_.facts[as_index(k)].home; home >= 0)
      return group_.has_home(home) ? needs_.posts : read;
    if (is_read(plan_, group_, k)) return read;
    return wish.of_results ? needs_.posts : needs_.computed;
  }

  const Numbered& numbered_;
  const Plan& plan_;
  const Group& group_;
  std::vector<char> seen_;
  std::vector<Wish> waiting_;
  Needs needs_;
};

}  // namespace

Needs needs_of(const Numbered& numbered, const Plan& plan, const Group& group,
               const std::vector<int>& ends, std::span<const int> known) {
  Walk walk(numbered, plan, group);
  for (int k : known) walk.know(k);
  for (int k : ends) walk.want(k, false);
  return walk.walk();
}

std::span<const int> folded_by(const Numbered& numbered, const Plan& plan, int k) {
  const int scale = plan.facts[as_index(k)].scale;
  return numbered.items[as_index(scale < 0 ? k : scale)].all();
}

void add_operands(const Numbered& numbered, const Plan& plan, int k, std::vector<int>& to) {
  for (int o : folded_by(numbered, plan, k))
    if (numbered.node(o).kind != NodeKind::scalar) to.push_back(o);
}

Needs needs_of(const Numbered& numbered, const Plan& plan, const Group& group) {
  std::vector<int> ends;
  if (group.kind == GroupKind::kernel)
    add_operands(numbered, plan, group.outputs[0], ends);
  else if (group.kind != GroupKind::scan)
    ends = group.outputs;
  for (const auto& pass : group.passes)
    for (int fold : pass) add_operands(numbered, plan, fold, ends);
  return needs_of(numbered, plan, group, ends);
}

}  // namespace gpuarr::expr
