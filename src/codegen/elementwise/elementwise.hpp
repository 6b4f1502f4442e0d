// The source of an elementwise kernel for one variant.
#pragma once

#include <span>
#include <string>

#include "codegen/elementwise/plan.hpp"
#include "codegen/layout/writer.hpp"

namespace gpuarr {

/// The user's pieces.
struct ElementwiseText {
  std::string name;  // of the kernel; its symbol is this and _kernel
  UserText preamble;
  UserText loop_prep;
  UserText body;
  UserText after_loop;
  UserText defines = {};  // macros that were given as options
};

BodyTraits traits_of(const ElementwiseText& text);

/// The whole source. `letters` are the placeholders.
std::string elementwise_source(const ElementwiseText& text, const Target& target,
                               const LoopVariant& variant, std::span<const OperandName> names,
                               std::span<const Letter> letters);

/// The user's piece as it stands in the source: on lines of its own, which messages count from 1.
std::string user_piece(const char* piece, std::string_view text);
std::string statements(const char* piece, std::string_view text);  // whose last ; may be missing

// The parts that differ: see ElementwiseWriter.
std::string cuda_loop_algorithm(const LoopVariant& variant);
std::string cuda_loop_constants(const LoopVariant& variant);
std::string cuda_loop(const ElementwiseText& text, const LoopVariant& variant,
                      std::span<const OperandName> names);
std::string host_loop_algorithm(const LoopVariant& variant);
std::string host_loop_constants(const LoopVariant& variant);
std::string host_loop(const ElementwiseText& text, const LoopVariant& variant,
                      std::span<const OperandName> names);

// What both put before the loop: scalars and raw arrays under their names.
std::string bind_constants(const OperandVariants& operands, std::span<const OperandName> names);

// Types by the names of placeholders.
std::string letter_types(const OperandVariants& operands, std::span<const Letter> letters);

// Placeholders and the user's pieces at file scope, behind the algorithm.
std::string before_parameters(const OperandVariants& operands, std::span<const Letter> letters,
                              const UserText& defines, const UserText& preamble);

// Where loops over blocks and their rows begin, on the CPU; and what says of the next loop that its
// elements have nothing to do with one another.
extern const char* const host_blocks_begin;
extern const char* const host_rows_begin;
extern const char* const host_independent;

// The same and _ind, for the statements before and after the loop.
std::string bind_outside(const ElementwiseText& text, const LoopVariant& variant,
                         std::span<const OperandName> names);

/// A body as a loop that runs once, so that `continue` ends it and nothing else; and a function,
/// where there is a `return`, to the same end.
std::string body_once(const UserText& body, const std::string& indent);

// The body with what it may read beside its parameters; `index` is an expression for i.
std::string body_block(const ElementwiseText& text, const LoopVariant& variant,
                       const std::string& index, const std::string& indent);

}  // namespace gpuarr
