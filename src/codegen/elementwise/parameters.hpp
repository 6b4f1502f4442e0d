// The struct that a loop kernel takes: which fields it has, as text and as bytes. One walk over the
// plan serves both, so that they cannot differ.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "codegen/elementwise/plan.hpp"
#include "codegen/layout/fields.hpp"

namespace gpuarr {

/// How the loop is cut into blocks. Depends on sizes, not only on the plan's kind, so that one
/// compiled kernel serves all sizes.
struct Geometry {
  int64_t blocks = 1;
  int threads = 256;
  int64_t rows = 1;            // rows: product of the outer extents
  int64_t row_packs = 0;       // rows, GPU: whole packs of a row, and its single elements
  int64_t total_packs = 0;     // rows, GPU: those of all rows
  int64_t rows_per_block = 1;  // rows and strided, CPU
  int64_t chunks_per_row = 1;  // rows and strided, CPU
  int64_t chunk = 0;           // rows and strided, CPU: elements of a chunk of a row
  int64_t inner_tiles = 0;     // tiled: along the inner axis
  int64_t cross_tiles = 0;     // tiled: along the other one
};

Geometry geometry_of(const Plan& plan, const BodyTraits& body);

/// Bytes of the struct, a multiple of 16.
size_t parameter_bytes(const Plan& plan);

/// Writes the struct's bytes, and where operands went to `offsets`, if that is not null.
void write_parameters(std::byte* out, const Plan& plan, std::span<const Operand> operands,
                      const Geometry& geometry, FieldOffsets* offsets);

/// "struct _params { ... };", with declarations before its fields.
std::string parameter_struct(const LoopVariant& variant, const std::string& declarations = {});

}  // namespace gpuarr
