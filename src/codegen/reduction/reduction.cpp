#include "codegen/reduction/reduction.hpp"

#include <vector>

#include "codegen/layout_text.hpp"
#include "codegen/prelude/prelude.hpp"
#include "codegen/reduction/functions.hpp"
#include "codegen/reduction/parameters.hpp"
#include "codegen/reduction/texts.hpp"
#include "codegen/reduction_text.hpp"
#include "core/text.hpp"
#include "core/words.hpp"

namespace gpuarr {

ReductionTraits traits_of(const ReductionText& text) {
  ReductionTraits traits;
  each_word(text.map, [&](std::string_view word, std::string_view rest) {
    traits.uses_j |= word == "_J";
    traits.uses_l |= word == "_j";
    traits.uses_i |= word == "i";
    traits.uses_in_ind |= word == "_in_ind" && !rest.starts_with(".size()");
  });
  each_word(text.post, [&](std::string_view word, std::string_view rest) {
    traits.uses_result |= word == "i";
    traits.uses_out_ind |= word == "_out_ind" && !rest.starts_with(".size()");
  });
  // What stands in a macro counts where it is used, which is not looked for.
  for (const std::string* piece : {&text.defines, &text.preamble})
    if (piece->find("define") != std::string::npos)
      each_word(*piece, [&](std::string_view word, std::string_view) {
        traits.uses_j |= word == "_J";
        traits.uses_l |= word == "_j";
        traits.uses_i |= word == "i";
        traits.uses_result |= word == "i";
        traits.uses_in_ind |= word == "_in_ind";
        traits.uses_out_ind |= word == "_out_ind";
      });
  traits.uses_i |= traits.uses_in_ind;
  traits.uses_result |= traits.uses_out_ind;
  return traits;
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
  std::vector<DType> dtypes;
  bool has_views = variant.traits.uses_in_ind || variant.traits.uses_out_ind;
  for (const OperandVariant& o : variant.operands) {
    dtypes.push_back(o.dtype);
    has_views |= is_raw(o.role);
  }
  const std::string identity = pieces.identity.value_or("");
  const std::string_view texts[] = {pieces.defines, pieces.preamble, pieces.reduce_type,
                                    pieces.map,     pieces.reduce,   pieces.post,
                                    identity};
  PreludeNeeds needs = needs_of(dtypes, texts);
  for (const std::string* piece : {&pieces.map, &pieces.reduce, &pieces.post, &identity})
    has_views |= piece->find("_ind") != std::string::npos;
  needs.views |= has_views;
  std::string out = target.prelude(needs) + kernel_file("layout/index", layout_parts::index);
  if (variant.simt) out += kernel_file("layout/divisor", layout_parts::divisor);
  out += variant.gathers() ? kernel_file("reduction/gather", reduction_parts::gather)
                           : target.reduction.algorithm(variant);
  out += "#line 1 \"generated\"\n" + letter_types(variant.operands, letters);
  out += user_piece("options", pieces.defines) + user_piece("preamble", pieces.preamble);
  out += reduce_type_text(pieces.reduce_type);
  out += call_struct(target, variant) + reduction_functions(pieces, variant, names);
  return out + target.reduction.kernel(pieces, variant);
}

}  // namespace gpuarr
