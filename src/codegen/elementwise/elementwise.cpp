#include "codegen/elementwise/elementwise.hpp"

#include <algorithm>
#include <string_view>

#include "codegen/elementwise/parameters.hpp"
#include "codegen/prelude/prelude.hpp"
#include "core/text.hpp"
#include "core/words.hpp"

namespace gpuarr {

BodyTraits traits_of(const ElementwiseText& text) {
  BodyTraits traits;
  for (const std::string* piece : {&text.loop_prep, &text.body, &text.after_loop})
    each_word(*piece, [&](std::string_view word, std::string_view rest) {
      traits.uses_i |= word == "i";
      traits.uses_ind |= word == "_ind" && !rest.starts_with(".size()");
      traits.has_loop |= word == "for" || word == "while" || word == "goto";
    });
  // What stands in a macro counts where it is used, which is not looked for.
  for (const std::string* piece : {&text.defines, &text.preamble})
    if (piece->find("define") != std::string::npos)
      each_word(*piece, [&](std::string_view word, std::string_view) {
        traits.uses_i |= word == "i";
        traits.uses_ind |= word == "_ind";
      });
  return traits;
}

std::string user_piece(const char* piece, const std::string& text_) {
  if (text_.empty()) return {};
  // The empty line is for a text that ends in a backslash.
  return formatted("#line 1 \"{}\"\n{}\n\n#line 1 \"generated\"\n", piece, text_);
}

std::string statements(const char* piece, const std::string& text) {
  return text.empty() ? std::string() : user_piece(piece, text + "\n\n;");
}

std::string bind_constants(std::span<const Operand> operands, std::span<const OperandName> names) {
  // A parameter of that name is meant where there is one.
  const bool named_n = std::ranges::find(names, "n", &OperandName::name) != names.end();
  std::string out = named_n ? "" : "  const long long n = _p._n;\n";
  for (size_t k = 0; k < operands.size(); ++k) {
    const Operand& o = operands[k];
    const std::string& name = names[k].name;
    if (o.role == Role::scalar)
      out += formatted("  const {} {} = _p._scalar{}._value;\n", facts_of(o.dtype).cxx, name, k);
    else if (is_raw(o.role))
      out += formatted("  const {}& {} = _p._view{};\n", view_type(o), name, k);
  }
  return out;
}

namespace {

// _ind, if the piece of text asks for it.
std::string bind_index(const std::string& piece, const Plan& plan, const char* number) {
  const int ndim = plan.loop_shape.size();
  if (!plan.uses_ind)  // for its size alone
    return piece.find("_ind") == std::string::npos
               ? ""
               : "  const gpuarr_index<0> _ind = {0, _p._n, {1}};\n";
  std::string out = formatted("  const gpuarr_index<{}> _ind = {{{}, _p._n, {{", ndim, number);
  for (int axis = 0; axis < ndim; ++axis)
    out += formatted("{}_p._shape[{}]", axis ? ", " : "", axis);
  return out + (ndim == 0 ? "1}};\n" : "}};\n");
}

}  // namespace

std::string bind_outside(const ElementwiseText& pieces, const Plan& plan,
                         std::span<const Operand> operands, std::span<const OperandName> names) {
  return bind_constants(operands, names) +
         bind_index(pieces.loop_prep + ";" + pieces.after_loop, plan, "0");
}

std::string body_block(const ElementwiseText& pieces, const Plan& plan, const std::string& index,
                       const std::string& indent) {
  std::string out;
  if (plan.uses_i) out += formatted("{}const long long i = {};\n", indent, index);
  out += bind_index(pieces.body, plan, "i");
  // A loop that runs once, so that `continue` ends the element and nothing else; and a function,
  // where there is a `return`, to the same end.
  bool returns = false;
  each_word(pieces.body,
            [&](std::string_view word, std::string_view) { returns |= word == "return"; });
  out += indent + (returns ? "[&]() -> void { do {\n" : "do {\n");
  out += statements("body", pieces.body);
  return out + indent + (returns ? "} while (0); }();\n" : "} while (0);\n");
}

std::string elementwise_source(const ElementwiseText& pieces, const Plan& plan,
                               std::span<const Operand> operands,
                               std::span<const OperandName> names,
                               std::span<const std::pair<char, DType>> letters) {
  std::vector<DType> dtypes;
  bool has_views = false;
  for (const Operand& o : operands) {
    dtypes.push_back(o.dtype);
    has_views |= is_raw(o.role);
  }
  for (auto [letter, dtype] : letters) dtypes.push_back(dtype);
  const std::string_view texts[] = {pieces.defines, pieces.preamble, pieces.loop_prep, pieces.body,
                                    pieces.after_loop};
  PreludeNeeds needs = needs_of(dtypes, texts);
  needs.views |= has_views || plan.uses_ind;
  std::string out = plan.target->prelude(needs);
  const ElementwiseWriter& writer = plan.target->elementwise;
  out += writer.algorithm(plan) + "#line 1 \"generated\"\n";
  for (auto [letter, dtype] : letters)
    out += formatted("typedef {} {};\n", facts_of(dtype).cxx, letter);
  out += user_piece("options", pieces.defines) + user_piece("preamble", pieces.preamble);
  out += "struct _place;\n\n" + parameter_struct(plan, operands, writer.constants(plan));
  return out + writer.kernel(pieces, plan, operands, names);
}

}  // namespace gpuarr
