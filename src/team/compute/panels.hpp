// Panels of a product's operand: what the places need of it in one step over the inner axis.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "team/move/exchange.hpp"

namespace gpuarr::team {

/// Where the inner axis is cut: by the blocks of both operands, no panel much narrower than 128,
/// and both panels together not above 64 MiB unless they are narrower than 1024. It depends on
/// shapes and grids alone, so that sums are made of the same parts whatever the places are.
std::vector<int64_t> panel_cuts(const Grid& x, const Grid& y, DType dtype);

/// The panels of one operand. A place needs one for each row of blocks that it has of the product,
/// or each column.
class Panels {
 public:
  /// `inner`: the operand's axis that is added up; the other one is the product's too. Panels come
  /// in `dtype`.
  Panels(Blocked& operand, int inner, const Blocked& out, DType dtype);

  /// What is to be brought next, from `low` to `high` of the inner axis, and the memory for it.
  void prepare(int64_t low, int64_t high);
  /// Brings it while the places' streams go on with the panels before.
  void begin();
  void end();

  /// After end(): the panel that goes with the product's blocks at a location along the other axis.
  const Array& of(int place, int64_t location) const { return here_.at({place, location}); }

 private:
  using Key = std::pair<int, int64_t>;  // place and location

  void add(std::vector<Move>& moves, const Key& key, const Box& box);
  bool take_as_it_lies(const Key& key, const Box& box);

  Blocked& operand_;
  int inner_;
  DType dtype_;
  Order order_;          // of all panels, so that BLAS does the same with each
  std::set<Key> needs_;  // of all places
  const Grid& grid_;     // of the product
  std::map<Key, Array> coming_, here_;
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace gpuarr::team
