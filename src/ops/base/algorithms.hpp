// How ready-made operations work on a kind of device, where that is more than a kernel's text.
#pragma once

#include <cstdint>

namespace gpuarr {

class Stream;
struct RankJob;
struct RowSort;
struct SelectJob;

struct Algorithms {
  void (*sort_rows)(const RowSort& job, Stream& stream);  // of rows that have elements
  void (*rank_rows)(const RankJob& job, Stream& stream);
  void (*select)(SelectJob& job, Stream& stream);  // by a mask that has elements
  int64_t least_ranked;  // elements of a row that has to be longer for ranks to beat sorting
  bool joins_copies;     // a launch costs so much that small copies share one
  bool moves_rows;       // gather and scatter take rows by pieces, which vectors copy
  int64_t tile_threads;  // of a block that multiplies tiles of matrices of whole numbers
};

extern const Algorithms gpu_algorithms;
extern const Algorithms cpu_algorithms;

}  // namespace gpuarr
