#include "codegen/reduction/reduction.hpp"

#include <algorithm>

#include "codegen/layout_text.hpp"
#include "codegen/reduction/functions.hpp"
#include "codegen/reduction/parameters.hpp"
#include "codegen/reduction/texts.hpp"
#include "codegen/reduction_host_text.hpp"
#include "codegen/reduction_text.hpp"
#include "core/text.hpp"

namespace gpuarr {

namespace {

// Of a piece, and of the preamble if it is used there.
VectorMath vector_math_behind(const UserText& piece, const ReductionText& text,
                              const OperandVariants& operands) {
  static constexpr std::string_view directives[] = {"define", "include"};
  std::vector<const UserText*> texts = {&text.defines, &piece};
  const bool used = std::ranges::any_of(piece.words(), [&](const UserText::Word& word) {
    return (word.next == '(' || word.next == '<') && text.preamble.has(word.text);
  });
  if (used || text.preamble.has_any(directives)) texts.push_back(&text.preamble);
  return needs_of(operands, texts).vector_math;
}

}  // namespace

VectorMath ReductionText::vector_math_of_map(const OperandVariants& operands) const {
  return vector_math_behind(map, *this, operands);
}

VectorMath ReductionText::vector_math(const OperandVariants& operands) const {
  return vector_math_of_map(operands) | vector_math_behind(post, *this, operands);
}

ReductionTraits traits_of(const ReductionText& text) {
  ReductionTraits traits;
  const auto macros = [&](std::string_view word) {
    return text.defines.may_define(word) || text.preamble.may_define(word);
  };
  traits.uses_j = text.map.has("_J") || macros("_J");
  traits.uses_l = text.map.has("_j") || macros("_j");
  traits.uses_i = text.map.has("i") || macros("i");
  traits.uses_in_ind = text.map.indexes("_in_ind") || macros("_in_ind");
  traits.uses_result = text.post.has("i") || macros("i");
  traits.uses_out_ind = text.post.indexes("_out_ind") || macros("_out_ind");
  traits.uses_i |= traits.uses_in_ind;
  traits.uses_result |= traits.uses_out_ind;
  return traits;
}

std::string folds_type(std::span<const FoldType> folds) {
  std::string out;
  for (const FoldType& fold : folds) out += (out.empty() ? "" : ", ") + fold.cxx;
  return formatted("gpuarr_kernel::_folds<{}>", out);
}

namespace {

// The struct that stands for the call: types and constants that the algorithm asks for, and the
// kernel's parameters.
std::string call_struct(const Target& target, const ReductionVariant& v) {
  const char* const wide = "long long";
  const std::string types =
      formatted("typedef {} _index;\ntypedef {} _result;\nstruct _place;\n",
                v.simt && !v.wide ? "unsigned" : wide, v.simt && !v.many ? "unsigned" : wide);
  std::string inside =
      "  typedef ::_place _place;\n  typedef ::_index _index;\n  typedef ::_result _result;\n"
      "  typedef _type_reduce _partial;\n";
  if (v.gathers())
    inside += formatted("  enum {{ _is_empty = {:d} }};\n", v.stage == Stage::empty);
  else
    inside += target.reduction.constants(v);
  return types + parameter_struct(v, inside);
}

}  // namespace

std::string reduction_source(const ReductionText& pieces, const Target& target,
                             const ReductionVariant& variant, std::span<const OperandName> names,
                             std::span<const Letter> letters) {
  PreludeNeeds needs = needs_of(variant.operands, pieces.all());
  needs.vector_math = pieces.vector_math(variant.operands);
  needs.views |= variant.traits.uses_in_ind || variant.traits.uses_out_ind;
  std::string out = target.prelude(needs) + kernel_file("layout/index", layout_parts::index);
  if (variant.simt)
    out += kernel_file("layout/divisor", layout_parts::divisor);
  else if (pieces.vector_math_of_map(variant.operands) != 0)
    out += kernel_file("reduction/host/vector_map", reduction_host_parts::vector_map);
  if (variant.folds > 0) out += kernel_file("reduction/folds", reduction_parts::folds);
  out += variant.gathers() ? kernel_file("reduction/gather", reduction_parts::gather)
                           : target.reduction.algorithm(variant);
  out += "#line 1 \"generated\"\n" + letter_types(variant.operands, letters);
  out += user_piece("options", pieces.defines) + user_piece("preamble", pieces.preamble);
  out += reduce_type_text(pieces.reduce_type);
  out += call_struct(target, variant) + reduction_functions(pieces, variant, names);
  out += target.reduction.kernel(pieces, variant);
  return out;
}

}  // namespace gpuarr
