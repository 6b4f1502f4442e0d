// How a reduction over arrays is laid out: which axes are left, kept ones and reduced ones, which
// of them its threads lie along, and how the work is cut. Made anew for each call, without heap
// memory.
#pragma once

#include "codegen/layout/packs.hpp"
#include "codegen/layout/target.hpp"

namespace gpuarr {

enum class ReductionForm : uint8_t {
  rows,     // threads side by side along the reduced inner axis: several share a result
  columns,  // along the kept inner axis: each has results of its own, or shares in them
};

/// What is computed of a reduction.
enum class Stage : uint8_t {
  whole,    // results of inputs
  partial,  // partial results of a piece of the inputs, unfinished
  combine,  // partial results of neighbouring pieces, combined
  finish,   // results of partial results
  empty,    // results of no elements
};

/// What a reduction's texts say.
struct ReductionTraits {
  bool uses_i = false;        // map reads i or the index along axes
  bool uses_j = false;        // map reads _J
  bool uses_l = false;        // map reads _j
  bool uses_result = false;   // post reads i or the result's index along axes
  bool uses_in_ind = false;   // map reads the index along axes
  bool uses_out_ind = false;  // post reads the result's index along axes
  bool ordered = false;       // the operator is not commutative
  bool is_struct = false;     // a partial result is no number
  Small partial_bytes = 8;    // of it, about
};

/// The reduced axes of a loop.
struct ReducedAxes {
  std::array<bool, max_ndim> reduced{};
  bool keepdims = false;
};

/// A block of a larger reduction, which the inputs are: of each axis the index of its first
/// element, and the extent of the whole. Without axes, the inputs are everything.
struct Piece {
  Dims first;
  Dims whole;
};
inline Piece everything() {
  Piece piece;  // {} would write all the room for axes
  return piece;
}

enum ReductionCounter {
  input_counter,
  reduced_counter,
  element_counter,
  result_counter,  // of the whole
  set_counter,     // results of the piece
  reduction_counters
};

/// What the text of a reduction depends on.
struct ReductionVariant {
  Narrow<uint16_t> lanes = 1;  // rows: threads that share a result; columns: threads along the kept
                               // axis
  Narrow<uint16_t> folds = 0;  // operators whose partial results are side by side; 0: there is one
  ReductionForm form = ReductionForm::rows;
  Stage stage = Stage::whole;
  ReductionTraits traits;
  bool simt = false;
  bool single = false;  // rows: none of these threads has more than one item of a result
  bool exact = true;    // rows: a row is whole aligned packs
  bool shifts = false;  // rows: the first pack of a row may begin before the row
  bool wide = false;    // GPU: numbers of elements need 64 bits
  bool many = false;    // GPU: numbers of results do
  Small ndim;           // axes of the nest
  Small kept = 1;       // how many of them are kept
  Small in_ndim;        // axes of the whole loop; set if uses_in_ind
  Small out_ndim;       // axes of the results; set if uses_out_ind
  Small pack = 1;       // elements that a thread loads at once
  Small packs = 1;      // packs that it has under way
  Small anchor;         // rows: the operand whose packs are aligned when `shifts`
  Small margin;         // rows: elements after a pack that are read with it when `shifts`
  OperandVariants operands;

  Access how(int operand) const { return operands[operand].access; }
  int inner_kept() const { return kept - 1; }
  int inner_reduced() const { return ndim - 1; }
  /// Each result is made for itself, of partial results or of nothing.
  bool gathers() const { return stage != Stage::whole && stage != Stage::partial; }
  /// Partial results enter, and no elements.
  bool reads_sets() const { return stage == Stage::combine || stage == Stage::finish; }
  /// They enter or leave.
  bool has_sets() const { return reads_sets() || stage == Stage::partial; }
};

struct ReductionPlan {
  const Target* target = nullptr;
  ReductionVariant variant;
  Nest nest;  // kept axes, then reduced ones, at least one each; the last of each is inner
  int64_t results = 0;
  int64_t length = 0;  // elements of a result
  // Of the larger reduction, if this is a piece of one:
  int64_t size = 0;         // elements in all
  int64_t all_results = 0;  // set if there are partial results
  Dims in_shape;            // of the whole loop; set if uses_in_ind
  Dims out_shape;           // of the results; set if uses_out_ind

  int64_t columns() const { return nest.extent(variant.inner_kept()); }
  int64_t row_length() const { return nest.extent(variant.inner_reduced()); }
  /// Rows: whole packs of a row, and single elements before and after them.
  int64_t row_items() const;
  /// What a result's threads count: rows: items of all its rows; columns: elements.
  int64_t items() const;
};

/// Lays out a reduction of at least one element for at least one result. `shape` is that of the
/// inputs together.
void make_reduction_plan(ReductionPlan& plan, const Target& target,
                         std::span<const Operand> operands, const Dims& shape,
                         const ReducedAxes& axes, const ReductionTraits& traits,
                         const Piece& piece = everything());

}  // namespace gpuarr
