// Copies of many boxes of elements within a device: small ones together in one launch.
#pragma once

#include <vector>

#include "array/array.hpp"

namespace gpuarr::team {

class BoxCopies {
 public:
  /// Of equal shape and dtype, which all have. The arrays are those of each run.
  void add(const Array& target, const Array& source);
  void run(Stream& stream);
  bool empty() const { return copies_.empty(); }

 private:
  struct Copy {
    Array target, source;
  };

  void prepare(Stream& stream);

  std::vector<Copy> copies_;
  std::vector<Copy> alone_;  // large, or of too many axes
  std::vector<Copy> together_;
  bool prepared_ = false;
  Array table_;  // of those together, on the device
  int64_t total_ = 0;
};

}  // namespace gpuarr::team
