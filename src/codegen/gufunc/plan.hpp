// How a gufunc's loop over places is laid out: which axes are left when those that lie together are
// joined, and how each operand and its core are reached. Made anew for each call.
#pragma once

#include <cstdint>
#include <span>

#include "codegen/gufunc/cores.hpp"
#include "codegen/layout/target.hpp"
#include "codegen/layout/variant.hpp"

namespace gpuarr {

/// Who runs the body for a place.
enum class Group : uint8_t { thread, warp, block };

/// What the text depends on. Of an operand, `access` is how the loop's inner axis is stepped along,
/// or whether its cores are staged, and `contiguous` says that a core's elements lie together in
/// the signature's order.
struct GufuncVariant {
  Group group = Group::thread;
  bool simt = false;
  bool wide = false;                             // SIMT: distances between places need 64 bits
  Small ndim;                                    // axes of the nest
  Small warps;                                   // of a block, at most; of a warp's bodies always 8
  std::array<Small, max_core_dims> constants{};  // of a dimension 1 + its size, or 0 where the text
                                                 // is for any size
  OperandVariants operands;

  int most_threads() const { return 32 * warps; }  // of a block
  bool stages(int k) const {
    return operands[k].access == Access::staged || operands[k].access == Access::row_staged;
  }
  bool divides_fast() const { return simt && !wide && group == Group::thread; }
};

/// How many elements the user's texts can touch of the core of each operand; 0 where its core must
/// stay where it is.
using Touched = std::array<int64_t, max_operands>;

/// The loop of one call.
struct GufuncPlan {
  GufuncVariant variant;
  int64_t size = 0;  // places
  Nest nest;
  int64_t largest = 1;  // elements of the largest core
};

/// The group that a body which names one has for cores of so many elements.
Group group_for(int64_t largest);

/// Lays out the loop; `shape` is the loop's, with no 0 in it. What `plan.variant.group` is decides.
void make_plan(GufuncPlan& plan, const Target& target, std::span<const Operand> operands,
               const Dims& shape, const CoreSignature& cores, const CoreAxes& axes,
               const Touched& touched);

}  // namespace gpuarr
