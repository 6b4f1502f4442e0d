// How a scan is laid out: which axes are kept, how elements are reached, and which form fits. Made
// anew for each call, so it holds no heap memory.
#pragma once

#include <span>

#include "codegen/layout/nest.hpp"
#include "codegen/layout/target.hpp"

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

/// The scan of one call. The last axis of the nest is the scanned one; the others are kept.
struct ScanPlan {
  const Target* target = nullptr;
  ScanForm form = ScanForm::rows;
  bool exclusive = false;
  bool chunked = false;  // the scanned axis is cut into chunks, done side by side
  bool staged = false;   // GPU, chunked rows: tiles stand in shared memory
  bool wide = false;     // numbers of rows need 64 bits
  int operands = 0;
  int pack = 1;                         // GPU, rows: elements that a thread loads at once
  int packs = 1;                        // GPU, rows: packs of a thread; columns: elements of it
  int lanes = 32;                       // GPU, rows: threads of a row
  int read_bytes = 0;                   // of an element, of all inputs
  std::array<bool, max_operands> unit;  // stride 1 along the axis that the form goes by
  int64_t length = 0;                   // of the scanned axis
  int64_t rows = 1;                     // product of the kept axes
  Nest nest;

  int kept() const { return nest.ndim - 1; }
  int scanned() const { return nest.ndim - 1; }
  /// Along which elements are neighbours.
  int inner() const { return form == ScanForm::rows ? scanned() : kept() - 1; }
  int64_t columns() const { return form == ScanForm::rows ? 1 : nest.extent(kept() - 1); }
};

/// Lays out the scan of a shape that has elements, along `axis`.
void make_scan_plan(ScanPlan& plan, const Target& target, std::span<const Operand> operands,
                    const Dims& shape, int axis, const ScanTraits& traits);

}  // namespace gpuarr
