// The source of what chooses elements by a mask. It moves elements as bytes, so it knows their size
// and nothing else; all arrays are contiguous.
#pragma once

#include <cstdint>
#include <string>

#include "codegen/layout/target.hpp"
#include "core/dtype.hpp"
#include "core/narrow.hpp"

namespace gpuarr {

enum class Selection : uint8_t {
  gather,   // chosen elements of `from`, one behind the other, into `to`
  indices,  // their numbers
  spread,   // elements of `from` in turn, and from the start again, to the chosen places of `to`
};

/// What the text depends on.
struct SelectVariant {
  Selection selection = Selection::gather;
  DType mask = DType::u8;  // an element that is not 0 chooses; see mask_alike()
  Small bytes = 8;         // of an element; not for indices
  Small pack = 1;          // GPU: elements that a thread loads at once
  static constexpr int packs = 4;

  int64_t tile() const { return int64_t{256} * packs * pack; }
};

/// One dtype for all whose masks have the same text.
DType mask_alike(DType mask);

/// The most that a thread loads at once, where all addresses are multiples of 16.
int widest_pack(Selection selection, DType mask, int bytes);

/// The kernels' parameters, as they lie in memory.
struct SelectParameters {
  const void* mask;
  const void* from;
  void* to;
  int64_t n;
  int64_t room;     // elements of `to` at most; spread: those of `from`
  int64_t* count;   // gets the number of chosen ones; may be null
  int64_t chunks;   // GPU: tiles
  int64_t per_row;  // GPU: words of 8 bytes in `states`
  void* states;     // GPU: 0 before; CPU: a number for each chunk and one more
  int64_t ahead;    // GPU: how many tiles later the one is that a block asks for
};
constexpr int64_t host_select_chunk = 65536;

/// Kernel "select_kernel"; on the CPU "select_totals", by chunks, and "select_prefix", one block,
/// come before it.
std::string select_source(const Target& target, const SelectVariant& variant);

/// What comes behind the types and arguments.
std::string cuda_select(const SelectVariant& variant);
std::string host_select(const SelectVariant& variant);

}  // namespace gpuarr
