// Packs: the few neighbouring elements that a thread loads at once.
#pragma once

#include <span>

#include "codegen/layout/variant.hpp"

namespace gpuarr {

/// Packs of 16 bytes of the smallest type that is accessed as vectors, but no operand more than 32
/// bytes, which a warp still moves as whole sectors.
int pack_size(std::span<const OperandVariant> operands);

/// Where rows and their packs begin.
struct PackGrid {
  int pack;
  int inner;        // axis of the nest along which rows lie
  int anchor = -1;  // each row's first pack begins so far before the row that this operand's are
                    // aligned; -1: at the row
};

/// Whether all packs of an operand are aligned.
bool packs_aligned(const Nest& nest, std::span<const Operand> operands, int k,
                   const PackGrid& grid);

}  // namespace gpuarr
