// Partial results of all blocks of a reduction, brought to where they are combined.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "team/move/exchange.hpp"

namespace gpuarr::team {

/// A part of the results: the blocks that differ along reduced axes only, in their order.
struct KeptBlock {
  std::vector<int64_t> blocks;
  int64_t set_bytes = 0;  // of each block's partial results
};

/// Who combines them.
struct Combiners {
  Team* team;
  Owners owners;  // of the blocks
  std::vector<KeptBlock> parts;
  std::vector<int> places;  // of each part; empty: every place all of them

  bool combines(int place, size_t part) const { return places.empty() || places[part] == place; }
};

/// Memory for the sets of the parts that places of this process combine, and the way to it for all
/// others. It is kept for further calls of the same kind, one after another.
class GatheredSets {
 public:
  explicit GatheredSets(Combiners combiners);

  const Combiners& combiners() const { return combiners_; }
  /// Where a place puts the set of a block that it has, which is not empty.
  const Array& set(int place, int64_t number) const;
  /// All sets of a part, in order, at a place that combines it.
  Array all(int place, size_t part) const;
  /// Those of the first part that a place has itself, in order; they lie side by side.
  Array own(int place) const;
  bool every_place_has_blocks() const;  // of the first part, one behind the other
  /// Brings the sets to the places that combine them, in their streams.
  void gather();

 private:
  struct Row {
    int place;
    size_t part, block;
    Array set;
  };

  bool is_even() const;
  void take_memory(int place);
  void plan_messages();
  const Row* find(int place, size_t part, size_t block) const;

  Combiners combiners_;
  std::map<int64_t, std::pair<size_t, size_t>> places_;  // of a block: its part, and where in that
  std::vector<Row> rows_;
  std::vector<Array> memory_;        // of each place of this process
  std::unique_ptr<Exchange> moves_;  // null: all places gather equally much
};

}  // namespace gpuarr::team
