// How a loop over arrays is laid out: which axes are left when those that lie together are joined,
// how each operand is reached, and which of the three loop forms fits. Made anew for each call, so
// it holds no heap memory.
#pragma once

#include <cstdint>
#include <span>

#include "codegen/layout/packs.hpp"
#include "codegen/layout/target.hpp"

namespace gpuarr {

enum class Form : uint8_t {
  rows,     // every operand lies along the inner axis with stride 1 or 0
  strided,  // any strides
  tiled,    // some inputs lie along another axis than the outputs: square tiles reuse cache lines
};

/// What the kernel's text says about its loop.
struct BodyTraits {
  bool uses_i = false;    // it reads i
  bool uses_ind = false;  // it reads the index along axes
  bool has_loop = false;  // it computes more than it loads: one element for a thread
};

/// What the text of a loop depends on.
struct LoopVariant {
  Form form = Form::rows;
  bool simt = false;
  bool wide = false;    // GPU: indices need 64 bits
  bool shifts = false;  // rows: the first pack of a row may begin before the row
  bool uses_i = false;  // of the body: i or the index along axes
  bool uses_ind = false;
  Small ndim;       // axes of the nest
  Small loop_ndim;  // axes before they were joined; set if uses_ind
  Small pack = 1;   // elements that a thread loads at once
  Small anchor;     // rows: the operand whose packs are aligned when `shifts`
  Small margin;     // rows: elements after a pack that are read with it when `shifts`
  Small tile_axis;  // tiled: the axis along which transposed operands have stride 1
  Small tile;       // tiled: edge of a tile
  OperandVariants operands;

  Access how(int operand) const { return operands[operand].access; }
};

/// The loop of one call.
struct Plan {
  LoopVariant variant;
  int64_t size = 0;  // elements of the loop
  Dims loop_shape;   // before axes were joined; set if uses_ind
  Nest nest;         // counter 0 is i

  int64_t extent(int axis) const { return nest.extent(axis); }
  int64_t inner() const { return extent(nest.ndim - 1); }
  /// Rows: whole packs of a row, and single elements before and after them, at most.
  int64_t row_packs() const {
    const LoopVariant& v = variant;
    return inner() / v.pack + (v.shifts ? 2 * (v.pack - 1) + v.margin : inner() % v.pack);
  }
  int64_t stride(int operand, int axis) const { return nest.stride(operand, axis); }
};

/// Lays out the loop. `shape` is the loop's; its size is not 0.
void make_plan(Plan& plan, const Target& target, std::span<const Operand> operands,
               const Dims& shape, const BodyTraits& body);

}  // namespace gpuarr
