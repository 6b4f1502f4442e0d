// How a loop over arrays is laid out: which axes are left when those that lie together are joined,
// how each operand is reached, and which of the three loop forms fits. Made anew for each call, so
// it holds no heap memory.
#pragma once

#include <array>
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

/// The loop of one call.
struct Plan {
  const Target* target = nullptr;
  Form form = Form::rows;
  int operands = 0;
  int pack = 1;         // elements that a thread loads at once
  bool wide = false;    // indices need 64 bits
  bool shifts = false;  // rows: the first pack of a row may begin before the row
  bool uses_i = false;  // of the body: i or the index along axes
  bool uses_ind = false;
  int anchor = -1;     // rows: the operand whose packs are aligned when `shifts`
  int margin = 0;      // rows: elements after a pack that are read with it when `shifts`
  int tile_axis = -1;  // tiled: the axis along which transposed operands have stride 1
  int tile = 32;       // tiled: edge of a tile
  int64_t size = 0;    // elements of the loop
  Dims loop_shape;     // before axes were joined; set if uses_ind
  Nest nest;           // counter 0 is i
  Accesses access;

  int64_t extent(int axis) const { return nest.extent(axis); }
  int64_t inner() const { return extent(nest.ndim - 1); }
  /// Rows: whole packs of a row, and single elements before and after them, at most.
  int64_t row_packs() const {
    return inner() / pack + (shifts ? 2 * (pack - 1) + margin : inner() % pack);
  }
  int64_t stride(int operand, int axis) const { return nest.stride(operand, axis); }
  Access how(int operand) const { return access[static_cast<size_t>(operand)]; }
};

/// Lays out the loop. `shape` is the loop's; its size is not 0.
void make_plan(Plan& plan, const Target& target, std::span<const Operand> operands,
               const Dims& shape, const BodyTraits& body);

}  // namespace gpuarr
