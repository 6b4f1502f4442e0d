// Which blocks of inputs go with a block of an output: those at the same position in the grid, as
// in Dask's map_blocks.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "team/move/exchange.hpp"

namespace gpuarr::team {

/// What the extents of an input's blocks must be.
enum class Extents {
  broadcast,  // the output's, or 1; where one block goes with several, all of the axis
  free,       // anything: positions count alone
};

/// A blocked array that a call reads or writes, by the name that messages give it.
struct Aligned {
  Blocked* blocked;
  std::string label;  // "inputs[1]"
  bool is_output = false;
};

/// The blocks of a call, which is made once for each block of the first output.
class Alignment {
 public:
  /// Fails, with the same error on all places, where the arrays do not go together: other teams
  /// (GPUARR_ERR_ARGUMENT), extents (GPUARR_ERR_SHAPE), numbers of blocks, or blocks on other
  /// places than the output's (GPUARR_ERR_LAYOUT).
  Alignment(Blocked& over, std::vector<Aligned> arrays, Extents extents);

  Team& team() const { return over_.team(); }
  Blocked& over() const { return over_; }
  size_t size() const { return arrays_.size(); }
  const Blocked& blocked(size_t k) const { return *arrays_[k].blocked; }

  /// Brings single blocks, which go with several, to the places that lack them. Collective.
  void fetch();

  /// The array that goes with a block of a place, with its ghost cells if asked for.
  const Array& array(size_t k, const Block& block, bool with_halo) const;
  /// The same cut to the block's indices along axes where it is all of an axis.
  Array cut(size_t k, const Block& block) const;
  /// One of the same dtype and as many axes, without elements.
  Array nothing(size_t k, Stream& stream) const;

 private:
  struct Fetched {
    int64_t number;
    int place;
    Array array;
  };

  void check_team(const Aligned& a) const;
  void check_axes(const Aligned& a) const;
  void check_places(size_t k);
  int64_t number_for(const Grid& grid, const Dims& location) const;
  bool repeats(const Grid& grid) const;
  void fetch_of(size_t k);

  Blocked& over_;
  Extents extents_;
  std::vector<Aligned> arrays_;
  std::vector<std::vector<std::pair<int64_t, int>>>
      missing_;  // of each: blocks, and who lacks them
  std::vector<std::vector<Fetched>> fetched_;
};

}  // namespace gpuarr::team
