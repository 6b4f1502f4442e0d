// How a scan is laid out: which axes are kept, how elements are reached, and which form fits. Made
// anew for each call, so it holds no heap memory.
#pragma once

#include <span>

#include "codegen/layout/target.hpp"
#include "codegen/layout/variant.hpp"

namespace gpuarr {

enum class ScanForm : uint8_t {
  rows,     // neighbours along the scanned axis are taken together
  columns,  // neighbours along the inner kept axis are
};

enum class ScanStage : uint8_t {
  scan,    // writes results
  totals,  // of each chunk
  prefix,  // what lies before each chunk, out of the totals
};

struct ScanTraits {
  bool exclusive = false;
  int type_bytes = 8;        // of what is scanned
  int64_t shared_bytes = 0;  // that a processor of the GPU has
};

/// What the text of a scan depends on. The last axis of the nest is the scanned one; the others are
/// kept.
struct ScanVariant {
  Narrow<uint16_t> lanes = 1;  // GPU, rows: threads of a row
  ScanForm form = ScanForm::rows;
  bool simt = false;
  bool exclusive = false;
  bool chunked = false;  // the scanned axis is cut into chunks, done side by side
  bool staged = false;   // GPU, chunked rows: tiles stand in shared memory
  bool wide = false;     // GPU: numbers of rows need 64 bits
  Small ndim;            // axes of the nest
  Small pack = 1;        // GPU, rows: elements that a thread loads at once
  Small packs = 1;       // GPU, rows: packs of a thread; columns: elements of it
  OperandVariants operands;

  int kept() const { return ndim - 1; }
  int scanned() const { return ndim - 1; }
  /// Along which elements are neighbours.
  int inner() const { return form == ScanForm::rows ? scanned() : kept() - 1; }
  /// Whether an operand has stride 1 there.
  bool unit(int k) const { return operands[k].access == Access::vector; }
};

/// The scan of one call.
struct ScanPlan {
  const Target* target = nullptr;
  ScanVariant variant;
  int read_bytes = 0;  // of an element, of all inputs
  int64_t length = 0;  // of the scanned axis
  int64_t rows = 1;    // product of the kept axes
  Nest nest;

  int64_t columns() const {
    return variant.form == ScanForm::rows ? 1 : nest.extent(variant.kept() - 1);
  }
};

/// Lays out the scan of a shape that has elements, along `axis`.
void make_scan_plan(ScanPlan& plan, const Target& target, std::span<const Operand> operands,
                    const Dims& shape, int axis, const ScanTraits& traits);

}  // namespace gpuarr
