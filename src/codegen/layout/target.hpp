// What a backend brings to write kernels: which text its compiler wants, and what the planners ask
// of it. Nothing here asks which backend that is.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "codegen/prelude/prelude.hpp"

namespace gpuarr {

struct ElementwiseText;
struct GufuncText;
struct GufuncVariant;
struct LoopVariant;
struct OperandName;
struct RawEnvironment;
struct ReductionGeometry;
struct ReductionPlan;
struct ReductionText;
struct ReductionVariant;
struct RowText;
struct RowVariant;
struct ScanVariant;
struct SelectVariant;

/// An elementwise kernel's source: the algorithm before the user's texts, declarations of `_params`
/// that the algorithm asks for, and everything behind that struct.
struct ElementwiseWriter {
  std::string (*algorithm)(const LoopVariant& variant);
  std::string (*constants)(const LoopVariant& variant);
  std::string (*kernel)(const ElementwiseText& text, const LoopVariant& variant,
                        std::span<const OperandName> names);
};

/// The source of a gufunc whose body one thread runs: likewise, without declarations.
struct GufuncWriter {
  std::string (*algorithm)(const GufuncVariant& variant);
  std::string (*kernel)(const GufuncText& text, const GufuncVariant& variant,
                        std::span<const OperandName> names);
};

/// A reduction's source: the algorithm before the user's texts, declarations of `_params` that the
/// algorithm asks for, and everything behind the functions of reduction_functions().
struct ReductionWriter {
  std::string (*algorithm)(const ReductionVariant& variant);
  std::string (*constants)(const ReductionVariant& variant);
  std::string (*kernel)(const ReductionText& text, const ReductionVariant& variant);
  /// Blocks, of which `resident` run side by side.
  void (*cut)(const ReductionPlan& plan, int64_t resident, ReductionGeometry& geometry);
};

/// A row kernel's source: the algorithm before the user's texts, declarations of `_params` that it
/// asks for, and everything behind that struct.
struct RowWriter {
  std::string (*algorithm)(const RowText& text, const RowVariant& variant);
  std::string (*constants)(const RowVariant& variant);
  std::string (*kernel)(const RowText& text, const RowVariant& variant,
                        std::span<const OperandName> names);
};

/// A scan's source: the algorithms before the user's texts, and what comes behind the functions.
struct ScanWriter {
  std::string (*algorithms)(const ScanVariant& variant);
  std::string (*kernels)(const ReductionText& text, const ScanVariant& variant);
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
  GufuncWriter gufunc;
  ReductionWriter reduction;
  RowWriter row;
  ScanWriter scan;
  std::string (*select)(
      const SelectVariant& variant);  // the kernels, and `counts` of a mask's element
  std::string_view bins;              // kernels behind what all targets share
  std::string_view runs;
  std::string_view random_fill;
  RawEnvironment (*raw)(const UserText& text);
};

}  // namespace gpuarr
