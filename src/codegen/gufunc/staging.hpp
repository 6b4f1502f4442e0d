// Which cores a GPU's threads read and write through shared memory, where one thread runs the body:
// a warp copies those of its places together, since each thread's own lie a core's size apart.
#pragma once

#include <span>
#include <string>

#include "codegen/gufunc/plan.hpp"

namespace gpuarr {

struct GufuncText;
struct OperandName;
struct PlacesWriter;

/// Of an output it must be seen which elements are touched, and the room that a body's own shared
/// memory takes is not known.
Touched touched_by(const GufuncText& text, std::span<const OperandName> names);

/// Decides the accesses of the variant's operands, and how many warps a block has.
void stage_cores(GufuncPlan& plan, const CoreSignature& cores, const CoreAxes& axes,
                 const Touched& touched);

bool stages_any(const GufuncVariant& variant);

/// The kernel's statements behind those that say the number of the warp's first place; `place` are
/// those for a place.
std::string staged_statements(const PlacesWriter& writer, const std::string& place);

}  // namespace gpuarr
