// The source of a scan's kernels for one plan (see README.md).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "codegen/elementwise/elementwise.hpp"
#include "codegen/scan/plan.hpp"

namespace gpuarr {

/// The user's pieces.
struct ScanText {
  std::string name;  // of the kernels; their symbols are this and _kernel, _totals, _prefix
  std::string preamble;
  std::string type;  // of what is scanned, as C++ spells it
  std::string map;
  std::string reduce;
  std::string post;
  std::optional<std::string> identity;
  std::string defines = {};  // macros that were given as options
};

const char* suffix(ScanStage stage);

/// The whole source. `letters` are the placeholders and what they stand for.
std::string scan_source(const ScanText& text, const ScanPlan& plan,
                        std::span<const Operand> operands, std::span<const OperandName> names,
                        std::span<const std::pair<char, DType>> letters);

// A source is the prelude, the algorithms (the .cuh files, which no text of the user's precedes, so
// that no macro of theirs gets at it), the user's pieces, the parameters, and functions made of
// both, which the algorithms find by the type of their first argument:
//
//   _map(_p, elements..., _J)   what an element of the inputs counts as
//   _reduce(_p, a, b)           two neighbouring results, combined
//   _identity(_p)               the first result of an exclusive scan
//   _post(_p, a, outputs...)    sets the outputs
//   _at, _row(_p, r)            where row number r of the kept axes begins (columns: of the outer)
//   _get(_p, at, e, c)          what element e of a row (columns: of column c) counts as
//   _put(_p, at, e, c, a)       sets the outputs there
//
// Then come those that only one algorithm expects, and the kernels.
std::string cuda_scan_algorithms(const ScanPlan& plan);
std::string cuda_scan(const ScanText& text, const ScanPlan& plan,
                      std::span<const Operand> operands);
std::string host_scan_algorithms(const ScanPlan& plan);
std::string host_scan(const ScanText& text, const ScanPlan& plan,
                      std::span<const Operand> operands);

}  // namespace gpuarr
