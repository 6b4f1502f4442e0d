// The source of a gufunc's kernel for one variant.
#pragma once

#include <span>
#include <string>

#include "codegen/gufunc/plan.hpp"
#include "codegen/layout/writer.hpp"

namespace gpuarr {

/// The user's pieces.
struct GufuncText {
  std::string name;  // of the kernel; its symbol is this and _kernel
  CoreSignature cores;
  UserText preamble;
  UserText body;
  UserText defines = {};  // macros that were given as options
};

/// Whether the body names its group, and so may be run by several threads.
bool names_group(const GufuncText& text);

/// The whole source where a thread runs the body.
std::string gufunc_source(const GufuncText& text, const Target& target,
                          const GufuncVariant& variant, std::span<const OperandName> names,
                          std::span<const Letter> letters);

/// A raw kernel, the same for every device, where a warp or a block does; `threads` is what a block
/// was asked to have, 0 for what suits.
std::string gufunc_group_source(const GufuncText& text, const GufuncVariant& variant,
                                std::span<const OperandName> names, std::span<const Letter> letters,
                                int threads);

// The parts that differ: see GufuncWriter.
std::string cuda_gufunc_algorithm(const GufuncVariant& variant);
std::string cuda_gufunc(const GufuncText& text, const GufuncVariant& variant,
                        std::span<const OperandName> names);
std::string host_gufunc_algorithm(const GufuncVariant& variant);
std::string host_gufunc(const GufuncText& text, const GufuncVariant& variant,
                        std::span<const OperandName> names);

}  // namespace gpuarr
