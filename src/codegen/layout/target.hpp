// What a backend brings to write kernels: which text its compiler wants, and what the planners ask
// of it. A plan points to its backend's table; nothing here asks which backend that is.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codegen/prelude/prelude.hpp"

namespace gpuarr {

struct ElementwiseText;
struct Operand;
struct OperandName;
struct Plan;
struct RawEnvironment;
struct ReductionGeometry;
struct ReductionPlan;
struct ReductionText;
struct ScanPlan;
struct SelectPlan;

/// An elementwise kernel's source: the algorithm before the user's texts, declarations of `_params`
/// that the algorithm asks for, and everything behind that struct.
struct ElementwiseWriter {
  std::string (*algorithm)(const Plan& plan);
  std::string (*constants)(const Plan& plan);
  std::string (*kernel)(const ElementwiseText& text, const Plan& plan,
                        std::span<const Operand> operands, std::span<const OperandName> names);
};

/// A reduction's source: the algorithm before the user's texts, declarations of `_params` that the
/// algorithm asks for, and everything behind the functions of reduction_functions().
struct ReductionWriter {
  std::string (*algorithm)(const ReductionPlan& plan);
  std::string (*constants)(const ReductionPlan& plan);
  std::string (*kernel)(const ReductionText& text, const ReductionPlan& plan,
                        std::span<const Operand> operands);
  /// Blocks, of which `resident` run side by side.
  void (*cut)(const ReductionPlan& plan, int64_t resident, ReductionGeometry& geometry);
};

/// A scan's source: the algorithms before the user's texts, and what comes behind the functions.
struct ScanWriter {
  std::string (*algorithms)(const ScanPlan& plan);
  std::string (*kernels)(const ReductionText& text, const ScanPlan& plan,
                         std::span<const Operand> operands);
};

struct Target {
  /// SIMT: a kernel is run by blocks of threads, which take neighbouring elements in step. Else it
  /// is a function that loops over the elements of blocks first ... last - 1.
  bool simt;
  const char* suffix;          // of a file with its source
  const char* no_contraction;  // the compiler's option against fused multiply-add
  int64_t random_steps;        // of a thread, or of a block where there are no threads

  std::string (*prelude)(const PreludeNeeds& needs);
  ElementwiseWriter elementwise;
  ReductionWriter reduction;
  ScanWriter scan;
  std::string (*select)(const SelectPlan& plan);  // the kernels, and `counts` of a mask's element
  std::string_view bins;                          // kernels behind what all targets share
  std::string_view runs;
  std::string_view random_fill;
  RawEnvironment (*raw)(std::string_view user_text);
};

}  // namespace gpuarr
