// The memory that a checked launch may use, and what to call it.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>

#include "device/raw.hpp"
#include "host/glue/check_abi.cuh"

namespace gpuarr::host {

struct Region {
  enum class Kind {
    argument,
    array,     // another live one
    foreign,   // not this library's
    variable,  // of the module
    shared,    // of a block
    dynamic,   // likewise
    constant,  // may only be read
    own        // the library's: stacks, arguments; nothing is said of it
  };
  Kind kind = Kind::own;
  uintptr_t begin = 0, end = 0;
  std::string name;      // of a variable
  ArraySpan array = {};  // of an argument

  bool holds(uintptr_t at, uint64_t bytes) const { return at >= begin && at + bytes <= end; }
  bool is_shared() const { return kind == Kind::shared || kind == Kind::dynamic; }
};

class Regions {
 public:
  void add(Region region);
  void add_argument(const ArraySpan& array);

  /// Moves the block's own memory.
  void set_dynamic(const void* begin, int64_t bytes);

  /// What holds all of it; null for none.
  const Region* find(uintptr_t at, uint64_t bytes) {
    const Region* known = known_[gpuarr_checker::extent_of(at)];
    return known != nullptr && known->holds(at, bytes) ? known : search(at, bytes);
  }

  /// "x[1000] (args[1], float32, shape (1000,)): 1 element behind its end". For memory that is not
  /// among the regions: the nearest; "" if that is far away.
  std::string describe(uintptr_t at, uint64_t bytes) const;

  /// Whether an argument or variable is not further away.
  bool is_near(uintptr_t at, uint64_t bytes) const;

 private:
  const Region* nearest(uintptr_t at) const;
  const Region* search(uintptr_t at, uint64_t bytes);

  std::deque<Region> list_;
  Region* dynamic_ = nullptr;
  std::array<const Region*, gpuarr_checker::extents> known_ = {};
};

}  // namespace gpuarr::host
