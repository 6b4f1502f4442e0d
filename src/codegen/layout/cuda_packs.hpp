// Packs of elements in CUDA C++.
#pragma once

#include <string>

namespace gpuarr {

/// _pack<T, w>: w elements that are loaded at once, aligned to their size or 16 bytes.
extern const char* const cuda_pack_text;

/// _span<T, w>: a pack that begins anywhere is cut out of the aligned granules of 16 bytes that
/// hold it. Loading and cutting are apart, so that no load waits for the data of another.
extern const char* const cuda_span_text;

/// A row that is not whole aligned packs.
struct RaggedRow {
  int pack;
  int anchor;  // the operand whose packs are aligned; -1: they begin with the row
  int margin;  // elements after a pack that are read with it
  std::string anchor_type;
  std::string extent;  // expression: elements of the row
};

/// Statements that find number _c of the row's whole packs and, behind them, single elements: those
/// before the first pack and those after the last. The row begins at _r; _begin is where the pack
/// does, an _offset, and `count` gets its size: 0 where there is none of that number.
std::string cuda_find_pack(const RaggedRow& row, const std::string& count);

}  // namespace gpuarr
