#include "expr/cuts.hpp"

#include <algorithm>

#include "expr/lie.hpp"

namespace gpuarr::expr {
namespace {

class Cutting {
 public:
  Cutting(const Numbered& numbered, const Plan& plan, const Limits& limits, Cuts& cuts)
      : numbered_(numbered), plan_(plan), limits_(limits), cuts_(cuts) {}

  // The largest node that several groups compute, and that is worth more than reading it.
  bool store_dear() {
    std::vector<int> users(size());
    for (const Group& group : plan_.groups)
      for (int k : needs_of(numbered_, plan_, group).computed) ++users[as_index(k)];
    for (int k = static_cast<int>(size()) - 1; k >= 0; --k)
      if (users[as_index(k)] > 1 && facts(k).weight > limits_.again &&
          facts(k).stored == Reason::none)
        return store(k, Reason::dear);
    return false;
  }

  bool cut_large() {
    for (const Group& group : plan_.groups) {
      const Needs needs = needs_of(numbered_, plan_, group);
      const size_t arrays = needs.read.size() + needs.beside.size();
      const bool operands =
          arrays > limits_.arrays || parameters_of(needs, group) > limits_.parameters;
      if (!operands && needs.computed.size() <= limits_.operations) continue;
      if (operands && send_away(group)) return true;
      if (cut(needs, operands ? Reason::operands : Reason::operations)) return true;
    }
    return false;
  }

  // A kernel knows the index of an element in its own loop, unless it is a scan; a reduction takes
  // its loop from what it reads.
  bool store_indices() {
    bool any = false;
    for (const Group& group : plan_.groups) {
      const Needs needs = needs_of(numbered_, plan_, group);
      const bool knows = group.kind == GroupKind::elementwise ||
                         (group.kind == GroupKind::reduction && loop_of(needs) == group.space);
      for (int k : needs.computed)
        if (node(k).kind == NodeKind::indices &&
            !(knows && size_of(node(k).shape) == size_of(group.space)))
          any |= store(k, Reason::apart);
    }
    return any;
  }

  // Reductions read along their axes: what lies otherwise is better put together by a loop, which
  // reads it in tiles.
  bool store_transposed() {
    const std::vector<Lie> lies = lies_of(numbered_);
    for (const Group& group : plan_.groups) {
      if (group.kind != GroupKind::reduction || size_of(group.space) < worth_tiles) continue;
      const Needs needs = needs_of(numbered_, plan_, group);
      for (auto k = needs.computed.rbegin(); k != needs.computed.rend(); ++k)
        if (do_meet(lies, *k) && store(*k, Reason::transposed)) return true;
    }
    return false;
  }

 private:
  static constexpr int64_t worth_tiles = 1 << 18;  // elements: fewer stay in a cache

  size_t size() const { return numbered_.items.size(); }
  const Node& node(int k) const { return numbered_.node(k); }
  const Item& item(int k) const { return numbered_.items[as_index(k)]; }
  const NodeFacts& facts(int k) const { return plan_.facts[as_index(k)]; }

  Dims loop_of(const Needs& needs) const {
    Dims out;
    for (int k : needs.read) broadcast_into(out, node(k).shape);
    return out;
  }

  bool store(int k, Reason why) {
    if (cuts_.stored[as_index(k)] != Reason::none) return false;
    cuts_.stored[as_index(k)] = why;
    return true;
  }

  // Whether two operands lie otherwise than each other.
  bool do_meet(const std::vector<Lie>& lies, int k) const {
    for (int a : item(k).all())
      for (int b : item(k).all())
        if (disagree(lies[as_index(a)], lies[as_index(b)])) return true;
    return false;
  }

  // What a reduction has no room to compute of its results is computed by loops.
  bool send_away(const Group& group) {
    bool any = false;
    for (int k : group.outputs)
      if (group.kind == GroupKind::reduction && node(k).kind != NodeKind::reduction)
        any |= std::exchange(cuts_.away[as_index(k)], 1) == 0;
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
      any |= store(k, why);
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
  const Plan& plan_;
  const Limits& limits_;
  Cuts& cuts_;
};

}  // namespace

bool cut(const Numbered& numbered, const Plan& plan, const Limits& limits, Cuts& cuts) {
  Cutting cutting(numbered, plan, limits, cuts);
  return cutting.store_indices() || cutting.cut_large() || cutting.store_dear() ||
         cutting.store_transposed();
}

}  // namespace gpuarr::expr
