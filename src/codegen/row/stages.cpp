#include "codegen/row/stages.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace gpuarr {
namespace {

bool any_has(std::span<const UserText* const> texts, std::string_view name) {
  return std::ranges::any_of(texts, [&](const UserText* text) { return text->has(name); });
}

// "{a, {b, {c}}}"
std::string nested(std::span<const std::string> parts) {
  if (parts.size() == 1) return parts[0];
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "{" : ", {") + part;
  return out + std::string(parts.size(), '}');
}

std::string part_of(size_t count, size_t number, const char* value) {
  return count == 1 ? value : formatted("gpuarr_kernel::_fold<{}>({})", number, value);
}

std::string out_index(std::span<const UserText* const> texts) {
  if (!any_has(texts, "_out_ind")) return {};
  return constant("gpuarr_index<0>", "_out_ind", "{0, 1, {1}}");
}

}  // namespace

bool RowStage::reads(std::string_view name) const { return any_has(texts, name); }

RowStage RowWriterBase::stage(int number) const {
  RowStage out;
  if (number == passes()) {
    out.texts = {&text_.body};
  } else {
    out.texts = {&pass(number).keep};
    for (const RowFold& fold : pass(number).folds) out.texts.push_back(&fold.map);
  }
  const int count = static_cast<int>(text_.kept.size());
  const auto set_by = [&](int j) { return traits_.values[static_cast<size_t>(j)].set; };
  for (int q = number - 1; q >= 0; --q)
    for (int j = 0; j < count; ++j)
      if (set_by(j) == q && !stays(j) && out.reads(kept(j).name)) {
        out.texts.push_back(&pass(q).keep);
        out.again.insert(out.again.begin(), q);
        break;
      }
  for (int j = 0; j < count; ++j) {
    if (set_by(j) == number) out.set.push_back(j);
    if (set_by(j) == number && stays(j)) out.stored.push_back(j);
    if (set_by(j) < number && stays(j) && out.reads(kept(j).name) &&
        std::ranges::find(out.again, set_by(j)) == out.again.end())
      out.loaded.push_back(j);
  }
  for (int k : out_.inputs)
    if (out.reads(name(k))) out.inputs.push_back(k);
  return out;
}

std::string RowWriterBase::take() {
  std::string text = out_.take();
  const std::string_view member = "\n  static __";
  for (size_t at = text.find(member); at != std::string::npos; at = text.find(member, at)) {
    const size_t end = text.find('\n', ++at);
    if (end - at > 100) text.insert(text.find('(', at) + 1, "\n      ");
  }
  return text;
}

void RowWriterBase::write_places(const char* index) {
  const std::string letters = std::string(p_.uses_i ? "i" : "") + (p_.uses_j ? "j" : "");
  const PlaceText place{"_place", "_step", out_.arrays, letters};
  place.declare(out_);
  place.declare_step(out_, index, "long long");
  const auto extent = [](int axis) { return formatted("_p._kept[{}]", axis); };
  out_.function(
      formatted("{} void _to_row(const _params& _p, _place& _at, {} _row)", in_kernel, index),
      assignment("_at", "_place" + place.start()) +
          place.steps("_at", "_row", axes_down(p_.inner() - 1), extent));
}

void RowWriterBase::write_row(const std::string& more_members) {
  std::string members, begin;
  for (int k : out_.inputs)
    if (is_one(k)) {
      members += formatted("  {} _one{};  // {}\n", out_.type(k), k, name(k));
      begin += assignment(formatted("_of_row._one{}", k), formatted("*_at._data{}", k));
    }
  int number = 0;
  for (const RowPass& pass : text_.passes)
    for (const RowResult& result : results_of(pass))
      members += formatted("  {} _result{};  // {}\n", cxx(result.dtype), number++, result.name);
  out_.structure("_row", members + more_members);
  out_.function(formatted("{} void _begin_row(const _place& _at, _row& _of_row)", in_kernel),
                begin);
}

std::string RowWriterBase::partial_type(int number) const {
  const auto& folds = pass(number).folds;
  if (folds.size() == 1) return std::string(folds[0].type.text());
  std::vector<std::string> types;
  types.reserve(folds.size());
  for (const RowFold& fold : folds) types.emplace_back(fold.type.text());
  return "gpuarr_kernel::_folds<" + joined(types) + ">";
}

std::string RowWriterBase::known(const RowResult& result, int number) {
  return constant(cxx(result.dtype), result.name, formatted("_of_row._result{}", number));
}

std::string RowWriterBase::results_before(
    int stage, const std::function<bool(std::string_view)>& reads) const {
  std::string out;
  int number = 0;
  for (int q = 0; q < stage; ++q)
    for (const RowResult& result : results_of(pass(q))) {
      if (reads(result.name)) out += known(result, number);
      ++number;
    }
  return out;
}

// What texts without an element see: constants, and what is one for a row.
std::string RowWriterBase::row_names(int stage, std::span<const UserText* const> texts) const {
  std::string out = bind_constants(out_.operands, out_.names) + out_index(texts);
  const auto reads = [&](std::string_view name) { return any_has(texts, name); };
  for (int k : out_.inputs)
    if (is_one(k) && reads(name(k)))
      out += constant(out_.type(k), name(k), formatted("_of_row._one{}", k));
  return out + results_before(stage, reads);
}

void RowWriterBase::write_reduce(const RowFold& fold, size_t number, const std::string& head) {
  const std::string type(fold.type.text());
  const std::string constants = bind_constants(out_.operands, out_.names);
  out_.function(
      formatted("{0} {1} _reduce{2}(const _params& _p, const {1}& _a, const {1}& _b)", head, type,
                number),
      constants + braced(constant(type + "&", "a", "_a") + constant(type + "&", "b", "_b") +
                         "  return\n" + statements("reduce", fold.reduce)));
  if (fold.identity)
    out_.function(formatted("{} {} _identity{}(const _params& _p)", head, type, number),
                  constants + "  return\n" + statements("identity", *fold.identity));
}

void RowWriterBase::write_operators(int number, const std::string& head) {
  const auto& folds = pass(number).folds;
  std::vector<std::string> parts;
  for (size_t f = 0; f < folds.size(); ++f) {
    write_reduce(folds[f], f, head);
    parts.push_back(formatted("_reduce{}(_p, {}, {})", f, part_of(folds.size(), f, "_a"),
                              part_of(folds.size(), f, "_b")));
  }
  out_.function(
      formatted("{} _partial _reduce(const _params& _p, const _partial& _a, const _partial& _b)",
                head),
      returned("_partial(" + nested(parts) + ")"));
  write_finish(number, head);
}

void RowWriterBase::write_finish(int number, const std::string& head) {
  const auto& folds = pass(number).folds;
  const auto& values = pass(number).values;
  std::vector<const UserText*> texts;
  texts.reserve(folds.size() + values.size());
  for (const RowFold& fold : folds) texts.push_back(&fold.post);
  for (const RowValue& value : values) texts.push_back(&value.value);
  std::string body = row_names(number, texts), names;
  int result = 0;
  for (int q = 0; q < number; ++q) result += static_cast<int>(results_of(pass(q)).size());
  for (size_t f = 0; f < folds.size(); ++f) {
    std::string sum = part_of(folds.size(), f, "_sum");
    if (folds[f].identity) sum = formatted("_reduce{0}(_p, _identity{0}(_p), {1})", f, sum);
    body +=
        braced(constant(folds[f].type.text(), "a", sum) +
               formatted("  _of_row._result{} =\n{}", result, statements("post", folds[f].post)));
    names += known({folds[f].name, folds[f].dtype}, result++);
  }
  if (!values.empty()) body += names;
  for (const RowValue& value : values) {
    body += formatted("  _of_row._result{} =\n{}", result, statements("value", value.value));
    body += known({value.name, value.dtype}, result++);
  }
  out_.function(
      formatted("{} void _finish(const _params& _p, const _partial& _sum, _row& _of_row)", head),
      body);
}

void RowWriterBase::write_finish_row() {
  const UserText* const texts[] = {&text_.finish};
  std::string body = row_names(passes(), texts);
  for (int k : out_.outputs)
    if (is_one(k)) body += reference(out_.type(k), name(k), formatted("*_at._data{}", k));
  out_.function(
      formatted("{} void _finish_row(const _params& _p, const _place& _at, const _row& _of_row)",
                in_kernel),
      body + braced(statements("finish", text_.finish)));
}

std::string RowWriterBase::run_keep(int stage, const std::function<std::string(int)>& place) const {
  std::string out;
  for (size_t at = 0; at < text_.kept.size(); ++at) {
    const int j = static_cast<int>(at);
    if (traits_.values[at].set != stage) continue;
    if (place && stays(j))
      out += reference(cxx(kept(j).dtype), kept(j).name, place(j));
    else
      out += variable(cxx(kept(j).dtype), kept(j).name);
  }
  return out + braced(statements("keep", pass(stage).keep));
}

std::string RowWriterBase::element(const RowStage& stage, int number,
                                   const RowElements& elements) const {
  std::string out;
  for (int k : stage.inputs) out += constant(out_.type(k), name(k), elements.input(k));
  if (p_.uses_i && stage.reads("i")) out += constant("long long", "i", elements.number('i'));
  if (p_.uses_j && stage.reads("_J")) out += constant("long long", "_J", elements.number('j'));
  out += results_before(number, [&](std::string_view name) { return stage.reads(name); });
  for (int j : stage.loaded) out += constant(cxx(kept(j).dtype), kept(j).name, elements.kept(j));
  for (int q : stage.again) out += run_keep(q, {});
  if (number < passes() && !pass(number).keep.empty())
    out += run_keep(number, elements.in_place ? elements.kept : nullptr);
  if (!elements.in_place)
    for (int j : stage.stored) out += assignment(elements.kept(j), kept(j).name);
  return out;
}

std::string RowWriterBase::maps(int number) const {
  std::string out;
  const auto& folds = pass(number).folds;
  for (size_t f = 0; f < folds.size(); ++f)
    out += formatted("  const {} _map{} =\n{}", folds[f].type.text(), f,
                     statements("map", folds[f].map));
  return out;
}

std::string RowWriterBase::counted(int number) const {
  std::vector<std::string> parts;
  for (size_t f = 0; f < pass(number).folds.size(); ++f) parts.push_back(formatted("_map{}", f));
  return nested(parts);
}

}  // namespace gpuarr
