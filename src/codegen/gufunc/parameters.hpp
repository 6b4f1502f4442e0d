// The struct that a gufunc's kernel takes, and how its loop is cut.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "codegen/gufunc/plan.hpp"
#include "codegen/layout/fields.hpp"

namespace gpuarr {

struct GufuncGeometry {
  int64_t blocks = 1;
  int threads = 1;             // of a block
  int64_t rows = 1;            // CPU: product of the outer extents
  int64_t rows_per_block = 1;  // CPU
  int64_t chunks_per_row = 1;  // CPU
  int64_t chunk = 0;           // CPU: places of a chunk of a row
};

/// `threads` is what a block was asked to have; 0 for what suits.
GufuncGeometry geometry_of(const GufuncPlan& plan, int threads);

size_t parameter_bytes(const GufuncPlan& plan, const CoreSignature& cores, const CoreAxes& axes);

/// Writes the struct's bytes, and where operands went to `offsets`, if that is not null.
void write_parameters(std::byte* out, const GufuncPlan& plan, const CoreSignature& cores,
                      const CoreAxes& axes, std::span<const Operand> operands,
                      const GufuncGeometry& geometry, FieldOffsets* offsets);

/// "struct _params { ... };"
std::string parameter_struct(const GufuncVariant& variant, const CoreSignature& cores);

}  // namespace gpuarr
