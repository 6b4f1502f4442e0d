#include "codegen/reduction/reduction.hpp"

#include <vector>

#include "codegen/layout_text.hpp"
#include "codegen/prelude/prelude.hpp"
#include "codegen/reduction/functions.hpp"
#include "codegen/reduction/parameters.hpp"
#include "codegen/reduction/texts.hpp"
#include "codegen/reduction/writers.hpp"
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
std::string call_struct(const ReductionPlan& plan, std::span<const Operand> operands) {
  const bool simt = plan.target->simt;
  const char* const wide = "long long";
  const std::string types =
      formatted("typedef {} _index;\ntypedef {} _result;\nstruct _place;\n",
                simt && !plan.wide ? "unsigned" : wide, simt && !plan.many ? "unsigned" : wide);
  std::string inside =
      "  typedef ::_place _place;\n  typedef ::_index _index;\n  typedef ::_result _result;\n"
      "  typedef _type_reduce _partial;\n";
  if (gathers(plan))
    inside += formatted("  enum {{ _is_empty = {:d} }};\n", plan.stage == Stage::empty);
  else
    inside += plan.target->reduction.constants(plan);
  return types + parameter_struct(plan, operands, inside);
}

}  // namespace

std::string reduction_source(const ReductionText& pieces, const ReductionPlan& plan,
                             std::span<const Operand> operands, std::span<const OperandName> names,
                             std::span<const std::pair<char, DType>> letters) {
  std::vector<DType> dtypes;
  bool has_views = false;
  for (const Operand& o : operands) {
    dtypes.push_back(o.dtype);
    has_views |= is_raw(o.role);
  }
  for (auto [letter, dtype] : letters) dtypes.push_back(dtype);
  const std::string identity = pieces.identity.value_or("");
  const std::string_view texts[] = {pieces.defines, pieces.preamble, pieces.reduce_type,
                                    pieces.map,     pieces.reduce,   pieces.post,
                                    identity};
  PreludeNeeds needs = needs_of(dtypes, texts);
  has_views |= plan.traits.uses_in_ind || plan.traits.uses_out_ind;
  for (const std::string* piece : {&pieces.map, &pieces.reduce, &pieces.post, &identity})
    has_views |= piece->find("_ind") != std::string::npos;
  needs.views |= has_views;
  std::string out = plan.target->prelude(needs) + kernel_file("layout/index", layout_parts::index);
  if (plan.target->simt) out += kernel_file("layout/divisor", layout_parts::divisor);
  out += gathers(plan) ? kernel_file("reduction/gather", reduction_parts::gather)
                       : plan.target->reduction.algorithm(plan);
  out += "#line 1 \"generated\"\n";
  for (auto [letter, dtype] : letters)
    out += formatted("typedef {} {};\n", facts_of(dtype).cxx, letter);
  out += user_piece("options", pieces.defines) + user_piece("preamble", pieces.preamble);
  out += reduce_type_text(pieces.reduce_type);
  out += call_struct(plan, operands) + reduction_functions(pieces, plan, operands, names);
  return out + plan.target->reduction.kernel(pieces, plan, operands);
}

}  // namespace gpuarr
