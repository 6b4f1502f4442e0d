// Blocked arrays: a global shape, a grid of blocks, and who has which; each block is an ordinary
// array.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "array/array.hpp"
#include "team/blocked/halo.hpp"
#include "team/places/team.hpp"

namespace gpuarr::team {

/// Which place has a block.
class Owners {
 public:
  static Owners balanced(int64_t blocks, int places);  // runs of blocks in order, equally long
  static Owners cyclic(int64_t blocks, int places);    // block k on place k % places
  static Owners replicated();                          // all blocks on each place
  static Owners listed(std::vector<int32_t> places);

  bool everywhere() const { return everywhere_; }
  int of(int64_t block) const { return list_[static_cast<size_t>(block)]; }  // if not everywhere()
  bool has(int place, int64_t block) const { return everywhere_ || of(block) == place; }
  bool operator==(const Owners&) const = default;

 private:
  bool everywhere_ = false;
  std::vector<int32_t> list_;
};

class Exchange;

/// A block that a place of this process has.
struct Block {
  int64_t number;  // in the grid
  int place;
  Array whole;  // with its ghost cells
  Array inner;  // without
};

/// What a blocked array is, without its elements.
struct BlockedLayout {
  DType dtype;
  Grid grid;
  Owners owners;
  Halo halo = {};
  Order order = Order::c;
};

uint64_t digest_of(const BlockedLayout& layout);

class Blocked {
 public:
  /// Blocks of uninitialised memory. Collective.
  static std::shared_ptr<Blocked> create(std::shared_ptr<Team> team, BlockedLayout layout);
  /// Blocks of arrays that are there, ghost cells included: `array_of` gives each that this process
  /// has.
  using ArrayOf = std::function<Array(int place, int64_t number)>;
  static std::shared_ptr<Blocked> adopt(std::shared_ptr<Team> team, BlockedLayout layout,
                                        const ArrayOf& array_of);
  Blocked(std::shared_ptr<Team> its_team, BlockedLayout its_layout);
  ~Blocked() { ghosts.reset(); }  // it lets go of messages of the team
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;

  Team& team() const { return *team_; }
  const std::shared_ptr<Team>& shared_team() const { return team_; }
  const BlockedLayout& layout() const { return layout_; }
  DType dtype() const { return layout_.dtype; }
  const Grid& grid() const { return layout_.grid; }
  const Owners& owners() const { return layout_.owners; }
  const Halo& halo() const { return layout_.halo; }
  const Dims& shape() const { return layout_.grid.shape(); }

  /// Those of this process, by place and number.
  std::span<Block> blocks() { return blocks_; }
  Block* find(int64_t number, int place);  // null: that place has it not, or is not here

  /// How its ghost cells are filled; made when first needed, and kept. See move/halo.cpp.
  std::shared_ptr<Exchange> ghosts;

  /// The place that has a block, the first here where all have it; -1 if there is no such block.
  int owner(int64_t number) const;
  BlockedLayout layout_as(DType dtype) const;  // the same of other elements
  uint64_t digest() const { return digest_; }  // of what is the same on all places

 private:
  void take(int64_t number, int place, Array whole);
  template <class Visit>
  void each_of_mine(Visit&& visit);

  std::shared_ptr<Team> team_;
  BlockedLayout layout_;
  uint64_t digest_;
  std::vector<Block> blocks_;
};

}  // namespace gpuarr::team
