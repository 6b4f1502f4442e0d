// The source of a scan's kernels for one variant (see README.md).
#pragma once

#include <span>
#include <string>

#include "codegen/reduction/reduction.hpp"
#include "codegen/scan/plan.hpp"

namespace gpuarr {

const char* suffix(ScanStage stage);

// Symbols of a scan are its text's name and _kernel, _totals, _prefix.

/// The whole source. `letters` are the placeholders.
std::string scan_source(const ReductionText& text, const Target& target, const ScanVariant& variant,
                        std::span<const OperandName> names, std::span<const Letter> letters);

// A source is the prelude, the algorithms (the .cuh files, which no text of the user's precedes, so
// that no macro of theirs gets at it), the user's pieces, the parameters, and functions made of
// both (those of reduction/texts.hpp, and these), which the algorithms find by the type of their
// first argument:
//
//   _place, _row(_p, number)         where a row of the kept axes begins (columns: of the outer)
//   _get(_p, place, k, column)       what element k of a row (columns: of a column) counts as
//   _put(_p, place, k, column, sum)  sets the outputs there
//
// Then come those that only one algorithm expects, and the kernels.
std::string cuda_scan_algorithms(const ScanVariant& variant);
std::string cuda_scan(const ReductionText& text, const ScanVariant& variant);
std::string host_scan_algorithms(const ScanVariant& variant);
std::string host_scan(const ReductionText& text, const ScanVariant& variant);

}  // namespace gpuarr
