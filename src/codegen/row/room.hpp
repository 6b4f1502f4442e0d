// Where a row has room from pass to pass: in registers, in shared memory, or on the stack.
#pragma once

#include "codegen/row/plan.hpp"

namespace gpuarr {

/// CPU: bytes on the stack for kept values of a row; a thread may have a small one.
constexpr int64_t stack_bytes = 49152;

/// GPU: threads of staged rows on a processor, so that each may have 64 registers.
constexpr int staged_threads = 1024;

/// Chooses where kept values stay on the CPU.
void place_on_stack(RowPlan& plan, const RowTraits& traits);

/// Whether packs have 4 bytes at most, which take as long to load as what is computed of them.
bool has_small_packs(const RowVariant& variant);

/// Whether a GPU's registers have room for a row, and for a second one on the processor.
bool fits_registers(const RowPlan& plan, const RowTraits& traits);

/// Chooses threads, packs and form on a GPU; false if no form has room for a row.
bool choose_form(RowPlan& plan, const RowDevice& device, const RowTraits& traits);

}  // namespace gpuarr
