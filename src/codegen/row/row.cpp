#include "codegen/row/row.hpp"

#include <algorithm>

#include "codegen/layout_text.hpp"
#include "codegen/reduction_host_text.hpp"
#include "codegen/reduction_text.hpp"
#include "codegen/row/parameters.hpp"
#include "codegen/row_text.hpp"
#include "core/error.hpp"

namespace gpuarr {
namespace {

// What a stage's texts are.
std::vector<const UserText*> stage_texts(const RowText& text, size_t stage) {
  if (stage == text.passes.size()) return {&text.body};
  std::vector<const UserText*> out = {&text.passes[stage].keep};
  for (const RowFold& fold : text.passes[stage].folds) out.push_back(&fold.map);
  return out;
}

bool stage_has(const RowText& text, size_t stage, std::string_view name) {
  return std::ranges::any_of(stage_texts(text, stage),
                             [&](const UserText* piece) { return piece->has(name); });
}

int last_stage(const RowText& text, std::string_view name) {
  for (size_t stage = text.passes.size() + 1; stage-- > 0;)
    if (stage_has(text, stage, name)) return static_cast<int>(stage);
  return -1;
}

int first_stage(const RowText& text, std::string_view name) {
  for (size_t stage = 0; stage <= text.passes.size(); ++stage)
    if (stage_has(text, stage, name)) return static_cast<int>(stage);
  return -1;
}

int setting_stage(const RowText& text, std::string_view name) {
  for (size_t stage = 0; stage < text.passes.size(); ++stage)
    if (text.passes[stage].keep.has(name)) return static_cast<int>(stage);
  fail(GPUARR_ERR_INTERNAL, "nothing sets the kept value \"{}\" of {}", name, text.name);
}

void take_kept(RowTraits& traits, const RowText& text) {
  if (text.kept.size() > most_kept)
    fail(GPUARR_ERR_INTERNAL, "{} keeps {} values, more than {}", text.name, text.kept.size(),
         most_kept);
  traits.kept = static_cast<int>(text.kept.size());
  for (size_t j = 0; j < text.kept.size(); ++j)
    traits.values[j] = {text.kept[j].dtype, setting_stage(text, text.kept[j].name),
                        last_stage(text, text.kept[j].name)};
}

std::vector<DType> dtypes_of(const RowText& text, const RowVariant& variant) {
  std::vector<DType> dtypes;
  for (const OperandVariant& o : variant.operands) dtypes.push_back(o.dtype);
  for (const KeptValue& value : text.kept) dtypes.push_back(value.dtype);
  for (const RowPass& pass : text.passes)
    for (const RowResult& result : results_of(pass)) dtypes.push_back(result.dtype);
  return dtypes;
}

}  // namespace

std::vector<RowResult> results_of(const RowPass& pass) {
  std::vector<RowResult> out;
  for (const RowFold& fold : pass.folds) out.push_back({fold.name, fold.dtype});
  for (const RowValue& value : pass.values) out.push_back({value.name, value.dtype});
  return out;
}

bool RowText::has_folds() const {
  return std::ranges::any_of(passes, [](const RowPass& p) { return p.folds.size() > 1; });
}

std::vector<const UserText*> RowText::all() const {
  std::vector<const UserText*> out = {&defines, &preamble, &body, &finish};
  for (const RowPass& pass : passes) {
    out.push_back(&pass.keep);
    for (const RowFold& fold : pass.folds) {
      for (const UserText* piece : {&fold.type, &fold.map, &fold.reduce, &fold.post})
        out.push_back(piece);
      if (fold.identity) out.push_back(&*fold.identity);
    }
    for (const RowValue& value : pass.values) out.push_back(&value.value);
  }
  return out;
}

RowTraits traits_of(const RowText& text, std::span<const OperandName> names) {
  RowTraits traits;
  traits.passes = static_cast<int>(text.passes.size());
  traits.first.fill(-1);
  traits.last.fill(-1);
  for (size_t k = 0; k < names.size(); ++k) {
    traits.first[k] = first_stage(text, names[k].name);
    traits.last[k] = last_stage(text, names[k].name);
  }
  take_kept(traits, text);
  const auto named = [&](std::string_view name) {
    return std::ranges::find(names, name, &OperandName::name) != names.end();
  };
  traits.uses_i = last_stage(text, "i") >= 0 && !named("i");
  traits.uses_j = last_stage(text, "_J") >= 0;
  constexpr int most_warps = 32;
  for (const RowPass& pass : text.passes)
    for (const RowFold& fold : pass.folds) traits.static_bytes += most_warps * (fold.bytes + 8);
  return traits;
}

std::string row_source(const RowText& text, const Target& target, const RowVariant& variant,
                       std::span<const OperandName> names, std::span<const Letter> letters) {
  const PreludeNeeds needs = needs_of(dtypes_of(text, variant), text.all());
  std::string out = target.prelude(needs) + kernel_file("layout/index", layout_parts::index);
  if (variant.simt && !variant.many) out += kernel_file("layout/divisor", layout_parts::divisor);
  if (!variant.simt && (needs.vector_math != 0 || needs.half || needs.bfloat16))
    out += kernel_file("reduction/host/vector_map", reduction_host_parts::vector_map);
  if (text.has_folds()) out += kernel_file("reduction/folds", reduction_parts::folds);
  out += kernel_file("row/call", row_parts::call) + target.row.algorithm(text, variant);
  out += "#line 1 \"generated\"\n" + letter_types(variant.operands, letters);
  out += user_piece("options", text.defines) + user_piece("preamble", text.preamble);
  out += parameter_struct(variant, target.row.constants(variant));
  out += target.row.kernel(text, variant, names);
  return out;
}

}  // namespace gpuarr
