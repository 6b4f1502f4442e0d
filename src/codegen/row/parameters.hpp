// How a row kernel is cut into blocks, and the struct that it takes.
#pragma once

#include <string>

#include "codegen/layout/fields.hpp"
#include "codegen/row/plan.hpp"

namespace gpuarr {

struct RowGeometry {
  int64_t blocks = 1;
  int threads = 1;
  int shared_bytes = 0;
  int64_t group = 1;  // CPU: rows of a block
};

/// `resident` blocks, or clusters, run on the device side by side; only staged rows ask for it.
RowGeometry geometry_of(const RowPlan& plan, int64_t resident);

/// How many threads a block has, which is all that `resident` depends on.
int block_threads(const RowVariant& variant);

size_t parameter_bytes(const RowPlan& plan);
void write_parameters(std::byte* out, const RowPlan& plan, std::span<const Operand> operands,
                      const RowGeometry& geometry, FieldOffsets* offsets);
/// _params, with declarations before its fields.
std::string parameter_struct(const RowVariant& variant, const std::string& declarations);

}  // namespace gpuarr
