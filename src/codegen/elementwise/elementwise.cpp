#include "codegen/elementwise/elementwise.hpp"

#include <algorithm>
#include <string_view>

#include "codegen/elementwise/parameters.hpp"
#include "core/text.hpp"

namespace gpuarr {

BodyTraits traits_of(const ElementwiseText& text) {
  static constexpr std::string_view loops[] = {"for", "while", "goto"};
  BodyTraits traits;
  for (const UserText* piece : {&text.loop_prep, &text.body, &text.after_loop}) {
    traits.uses_i |= piece->has("i");
    traits.uses_ind |= piece->indexes("_ind");
    traits.has_loop |= piece->has_any(loops);
  }
  for (const UserText* piece : {&text.defines, &text.preamble}) {
    traits.uses_i |= piece->may_define("i");
    traits.uses_ind |= piece->may_define("_ind");
  }
  return traits;
}

std::string user_piece(const char* piece, std::string_view text) {
  if (text.empty()) return {};
  // The empty line is for a text that ends in a backslash.
  return formatted("#line 1 \"{}\"\n{}\n\n#line 1 \"generated\"\n", piece, text);
}

std::string statements(const char* piece, std::string_view text) {
  return text.empty() ? std::string() : user_piece(piece, std::string(text) + "\n\n;");
}

std::string bind_constants(const OperandVariants& operands, std::span<const OperandName> names) {
  // A parameter of that name is meant where there is one.
  const bool named_n = std::ranges::find(names, "n", &OperandName::name) != names.end();
  std::string out = named_n ? "" : constant("long long", "n", "_p._n");
  for (int k = 0; k < operands.size(); ++k) {
    const OperandVariant& o = operands[k];
    const std::string& name = names[as_index(k)].name;
    if (o.role == Role::scalar)
      out += constant(facts_of(o.dtype).cxx, name, formatted("_p._scalar{}._value", k));
    else if (is_raw(o.role))
      out += reference("const " + view_type(o), name, formatted("_p._view{}", k));
  }
  return out;
}

std::string letter_types(const OperandVariants& operands, std::span<const Letter> letters) {
  std::string out;
  for (auto [letter, operand] : letters)
    out += formatted("typedef {} {};\n", facts_of(operands[operand].dtype).cxx, letter);
  return out;
}

std::string before_parameters(const OperandVariants& operands, std::span<const Letter> letters,
                              const UserText& defines, const UserText& preamble) {
  return "#line 1 \"generated\"\n" + letter_types(operands, letters) +
         user_piece("options", defines) + user_piece("preamble", preamble) + "struct _place;\n\n";
}

namespace {

// _ind, for its size alone if the body wants no more.
std::string bind_index(bool wanted, const LoopVariant& variant, const char* number) {
  const int ndim = variant.loop_ndim;
  if (!variant.uses_ind) return wanted ? "  const gpuarr_index<0> _ind = {0, _p._n, {1}};\n" : "";
  std::string out = formatted("  const gpuarr_index<{}> _ind = {{{}, _p._n, {{", ndim, number);
  for (int axis = 0; axis < ndim; ++axis)
    out += formatted("{}_p._shape[{}]", axis ? ", " : "", axis);
  return out + (ndim == 0 ? "1}};\n" : "}};\n");
}

}  // namespace

std::string bind_outside(const ElementwiseText& pieces, const LoopVariant& variant,
                         std::span<const OperandName> names) {
  return bind_constants(variant.operands, names) +
         bind_index(pieces.loop_prep.has("_ind") || pieces.after_loop.has("_ind"), variant, "0");
}

std::string body_once(const UserText& body, const std::string& indent) {
  const bool returns = body.has("return");
  return indent + (returns ? "[&]() -> void { do {\n" : "do {\n") + statements("body", body) +
         indent + (returns ? "} while (0); }();\n" : "} while (0);\n");
}

std::string body_block(const ElementwiseText& pieces, const LoopVariant& variant,
                       const std::string& index, const std::string& indent) {
  std::string out;
  if (variant.uses_i) out += formatted("{}const long long i = {};\n", indent, index);
  out += bind_index(pieces.body.has("_ind"), variant, "i");
  return out + body_once(pieces.body, indent);
}

std::string elementwise_source(const ElementwiseText& pieces, const Target& target,
                               const LoopVariant& variant, std::span<const OperandName> names,
                               std::span<const Letter> letters) {
  const UserText* const texts[] = {&pieces.defines, &pieces.preamble, &pieces.loop_prep,
                                   &pieces.body, &pieces.after_loop};
  PreludeNeeds needs = needs_of(variant.operands, texts);
  needs.views |= variant.uses_ind;
  const ElementwiseWriter& writer = target.elementwise;
  std::string out = target.prelude(needs) + writer.algorithm(variant);
  out += before_parameters(variant.operands, letters, pieces.defines, pieces.preamble);
  out += parameter_struct(variant, writer.constants(variant));
  out += writer.kernel(pieces, variant, names);
  return out;
}

}  // namespace gpuarr
