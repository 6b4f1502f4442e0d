// Copies of many small pieces on a GPU, by as few launches as can be.
#pragma once

#include <vector>

#include "array/array.hpp"

namespace gpuarr {

/// Takes pieces one by one. Those whose bytes lie side by side on both sides wait for each other,
/// and are copied together; others are copied when they are given.
class Pieces {
 public:
  explicit Pieces(Stream& stream) : stream_(stream) {}

  /// into = (its type)from, of equal shape, in memory that no other piece touches.
  void copy(const Array& into, const Array& from);
  void finish();  // after the last one

  struct Run {
    const void* from;
    void* to;
    int64_t end;  // of its words among those of all runs
  };

 private:
  void launch(size_t first, size_t count, int word);

  Stream& stream_;
  std::vector<Run> runs_;  // ends are bytes of each one until finish()
};

}  // namespace gpuarr
