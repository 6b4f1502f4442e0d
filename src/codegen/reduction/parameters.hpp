// How a reduction is cut into blocks, and the struct that its kernel takes.
#pragma once

#include <string>

#include "codegen/layout/fields.hpp"
#include "codegen/reduction/plan.hpp"

namespace gpuarr {

/// Depends on sizes, not only on the plan's kind, so that one compiled kernel serves all sizes.
struct ReductionGeometry {
  int64_t blocks = 1;
  int threads = 256;
  int64_t inner_tiles = 1;  // columns: groups of results along the inner kept axis
  int64_t tiles = 1;        // results, or groups of them, that have blocks of their own
  int64_t splits = 1;       // blocks that share each
  int64_t split_items = 0;  // items of each of them
  int64_t partials = 0;     // partial results that blocks leave to the last one
  int64_t counters = 0;     // of finished blocks
  // The CPU's, see host/cut.hpp.
  int64_t tasks = 1;  // of all blocks
  int64_t group = 1;  // tasks of a block
  int64_t rows = 1;   // rows: of a task
  int64_t tile = 1;   // columns: results side by side in a task
};

/// `resident` blocks run on the device side by side: it cuts the same reduction always the same
/// way.
ReductionGeometry geometry_of(const ReductionPlan& plan, int64_t resident);

/// Memory that blocks meet in.
struct Workspace {
  void* partials = nullptr;
  void* counters = nullptr;  // 0 before and after a launch
  // Of stages other than the whole: partial results by number of result.
  const void* stage_in = nullptr;  // `sets` arrays of them, each `set_bytes` behind the one before
  int64_t sets = 0;
  int64_t set_bytes = 0;
  void* stage_out = nullptr;
};

size_t parameter_bytes(const ReductionPlan& plan);
void write_parameters(std::byte* out, const ReductionPlan& plan, std::span<const Operand> operands,
                      const ReductionGeometry& geometry, const Workspace& workspace,
                      FieldOffsets* offsets);
/// _params, with declarations before its fields.
std::string parameter_struct(const ReductionVariant& variant, const std::string& declarations);

}  // namespace gpuarr
