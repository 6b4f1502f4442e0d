// How a row kernel is laid out: the axes that are left, how each operand is reached, how many
// threads share a row, and where values stay from pass to pass. Made anew for each call, without
// heap memory.
#pragma once

#include <algorithm>

#include "codegen/layout/packs.hpp"
#include "codegen/layout/target.hpp"
#include "codegen/reduction/plan.hpp"

namespace gpuarr {

constexpr int most_kept = 8;

enum class RowForm : uint8_t {
  registers,  // GPU: a row lies in the registers of the threads that share it
  staged,     // GPU: a row lies in the shared memory of a block, or of a cluster's blocks
  cached,     // CPU: a row is read again, out of the cache
};

/// Where a kept value stays behind the pass that sets it. Below these are numbers of operands: an
/// output's row (CPU), or what is staged of an input that nobody reads any more. Values may have
/// one place, one after the other.
enum : uint8_t {
  kept_own = 254,  // in registers, on the stack (CPU) or in shared memory of its own
  kept_not = 255,  // computed again, or read by nobody
};

/// How a GPU's rows end: with a pack; with the last pack of some threads past the end; or packs are
/// aligned, so that a row's first one may begin before it and its last one end behind it.
enum class RowEnds : uint8_t { whole, past, shifted };

/// What the texts say. Stages are the passes, and the body behind them.
struct RowTraits {
  struct Kept {
    DType dtype;
    int set = 0;   // stage
    int last = 0;  // stage that reads it
  };

  int passes = 0;
  bool uses_i = false;
  bool uses_j = false;
  int kept = 0;
  std::array<Kept, most_kept> values;
  std::array<int, max_operands> first;  // stage that reads an element of the operand; -1: none
  std::array<int, max_operands> last;
  int outputs_along = 0;  // so many outputs lie along rows; others have one element
  int static_bytes = 0;   // of shared memory, where warps meet
};

/// What rows have to fit in.
struct RowDevice {
  int64_t shared_bytes = 0;  // of a GPU's processor
  int processors = 1;        // the CPU: threads, each of which has rows of its own
  int cluster = 1;           // GPU: most blocks that see each other's shared memory
};

/// What the text of a row kernel depends on.
struct RowVariant {
  Narrow<uint16_t> lanes;  // GPU: threads of a block that share a row
  RowForm form = RowForm::cached;
  bool simt = false;
  RowEnds ends = RowEnds::whole;
  bool many = false;  // GPU: numbers of rows need 64 bits
  bool uses_i = false;
  bool uses_j = false;
  Small ndim;                           // axes of the nest
  Small pack = 1;                       // elements that a thread loads at once
  Small packs;                          // registers: packs of a thread
  Small blocks = 1;                     // staged: blocks of a cluster, which share a row
  Small held = 1;                       // staged: rows that a block has at once
  std::array<Small, most_kept> kept{};  // where kept values stay
  OperandVariants operands;

  bool shifted() const { return ends == RowEnds::shifted; }
  bool has(Access access) const {
    return std::ranges::any_of(operands,
                               [&](const OperandVariant& o) { return o.access == access; });
  }
  /// The first operand that has packs of its own in each row: if they are shifted, as all of these.
  int anchor() const {
    const auto found = std::ranges::find(operands, Access::vector, &OperandVariant::access);
    return static_cast<int>(found - operands.begin());
  }
  Access how(int operand) const { return operands[operand].access; }
  int inner() const { return ndim - 1; }
};

struct RowPlan {
  const Target* target = nullptr;
  RowVariant variant;
  Nest nest;  // kept axes, at least one, then the row; counter 0 is i, 1 is _J
  int64_t rows = 0;
  int64_t slot_bytes = 0;  // staged: shared memory of a block

  int64_t row_length() const { return nest.extent(variant.inner()); }
  /// Packs of a row; where these are shifted, of one that has the most.
  int64_t items() const {
    const int64_t pack = variant.pack;
    return variant.shifted() ? (row_length() + pack - 2) / pack + 1 : row_length() / pack;
  }
  int64_t columns() const { return nest.extent(variant.inner() - 1); }
};

/// Lays out a kernel over at least one element. `shape` is the loop's. Returns why there is no form
/// for it, or null.
const char* make_row_plan(RowPlan& plan, const Target& target, const RowDevice& device,
                          std::span<const Operand> operands, const Dims& shape,
                          const ReducedAxes& axes, const RowTraits& traits);

/// Whether one kernel can do it, and is not slower than kernels for each pass. The operands' data
/// may be null, and then counts as aligned.
bool row_fits(const Target& target, const RowDevice& device, std::span<const Operand> operands,
              const Dims& shape, const ReducedAxes& axes, const RowTraits& traits);

}  // namespace gpuarr
