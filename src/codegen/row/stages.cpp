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
  return any_has(texts, "_out_ind") ? "  const gpuarr_index<0> _out_ind = {0, 1, {1}};\n" : "";
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
  out_.add("{} _place _at_row(const _params& _p, {} _row) {{\n  _place _at = {};\n", in_kernel,
           index, place.start());
  out_.text += place.steps("_at", "_row", axes_down(p_.inner() - 1), [](int axis) {
    return formatted("_p._kept[{}]", axis);
  }) + "  return _at;\n}\n";
}

void RowWriterBase::write_row(const std::string& more_members) {
  out_.text += "\n// What is known of a row.\nstruct _row {\n";
  for (int k : out_.inputs)
    if (is_one(k)) out_.add("  {} _one{};  // {}\n", out_.type(k), k, name(k));
  int number = 0;
  for (const RowPass& pass : text_.passes)
    for (const RowResult& result : results_of(pass))
      out_.add("  {} _result{};  // {}\n", cxx(result.dtype), number++, result.name);
  out_.text += more_members + "};\n";
  out_.add("{} void _begin_row(const _place& _at, _row& _of_row) {{\n", in_kernel);
  for (int k : out_.inputs)
    if (is_one(k)) out_.add("  _of_row._one{0} = *_at._data{0};\n", k);
  out_.text += "}\n";
}

std::string RowWriterBase::partial_type(int number) const {
  const auto& folds = pass(number).folds;
  if (folds.size() == 1) return std::string(folds[0].type.text());
  std::vector<std::string> types;
  types.reserve(folds.size());
  for (const RowFold& fold : folds) types.emplace_back(fold.type.text());
  return "gpuarr_kernel::_folds<" + joined(types) + ">";
}

// "const float32 m = _of_row._result0;"
std::string RowWriterBase::known(const RowResult& result, int number) {
  return formatted("  const {} {} = _of_row._result{};\n", cxx(result.dtype), result.name, number);
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
      out += formatted("  const {} {} = _of_row._one{};\n", out_.type(k), name(k), k);
  return out + results_before(stage, reads);
}

void RowWriterBase::write_reduce(const RowFold& fold, size_t number, const std::string& head) {
  const std::string type(fold.type.text());
  const std::string constants = bind_constants(out_.operands, out_.names);
  out_.add(
      "{0} {1} _reduce{2}(const _params& _p, const {1}& _a, const {1}& _b) {{\n{3}  {{\n"
      "    const {1}& a = _a;\n    const {1}& b = _b;\n    return\n{4}  }}\n}}\n",
      head, type, number, constants, statements("reduce", fold.reduce));
  if (fold.identity)
    out_.add("{} {} _identity{}(const _params& _p) {{\n{}  return\n{}}}\n", head, type, number,
             constants, statements("identity", *fold.identity));
}

void RowWriterBase::write_operators(int number, const std::string& head) {
  const auto& folds = pass(number).folds;
  std::vector<std::string> parts;
  for (size_t f = 0; f < folds.size(); ++f) {
    write_reduce(folds[f], f, head);
    parts.push_back(formatted("_reduce{}(_p, {}, {})", f, part_of(folds.size(), f, "_a"),
                              part_of(folds.size(), f, "_b")));
  }
  out_.add(
      "{} _partial _reduce(const _params& _p, const _partial& _a, const _partial& _b) {{\n"
      "  return {};\n}}\n",
      head, nested(parts));
  write_finish(number, head);
}

void RowWriterBase::write_finish(int number, const std::string& head) {
  out_.add("{} void _finish(const _params& _p, const _partial& _sum, _row& _of_row) {{\n", head);
  const auto& folds = pass(number).folds;
  const auto& values = pass(number).values;
  std::vector<const UserText*> texts;
  for (const RowFold& fold : folds) texts.push_back(&fold.post);
  for (const RowValue& value : values) texts.push_back(&value.value);
  out_.text += row_names(number, texts);
  int result = 0;
  for (int q = 0; q < number; ++q) result += static_cast<int>(results_of(pass(q)).size());
  for (size_t f = 0; f < folds.size(); ++f) {
    std::string sum = part_of(folds.size(), f, "_sum");
    if (folds[f].identity) sum = formatted("_reduce{0}(_p, _identity{0}(_p), {1})", f, sum);
    out_.add("  {{\n    const {} a = {};\n    _of_row._result{} =\n{}  }}\n", folds[f].type.text(),
             sum, result++, statements("post", folds[f].post));
  }
  if (!values.empty())
    for (size_t f = 0; f < folds.size(); ++f)
      out_.text +=
          known({folds[f].name, folds[f].dtype}, result - static_cast<int>(folds.size() - f));
  for (const RowValue& value : values) {
    out_.add("  _of_row._result{} =\n{}", result, statements("value", value.value));
    out_.text += known({value.name, value.dtype}, result++);
  }
  out_.text += "}\n";
}

void RowWriterBase::write_finish_row() {
  out_.add("{} void _finish_row(const _params& _p, const _place& _at, const _row& _of_row) {{\n",
           in_kernel);
  const UserText* const texts[] = {&text_.finish};
  out_.text += row_names(passes(), texts);
  for (int k : out_.outputs)
    if (is_one(k)) out_.add("  {}& {} = *_at._data{};\n", out_.type(k), name(k), k);
  out_.text += "  {\n" + statements("finish", text_.finish) + "  }\n}\n";
}

std::string RowWriterBase::element(const RowStage& stage, int number,
                                   const RowElements& elements) const {
  std::string out;
  for (int k : stage.inputs)
    out += formatted("  const {} {} = {};\n", out_.type(k), name(k), elements.input(k));
  if (p_.uses_i && stage.reads("i"))
    out += formatted("  const long long i = {};\n", elements.number('i'));
  if (p_.uses_j && stage.reads("_J"))
    out += formatted("  const long long _J = {};\n", elements.number('j'));
  out += results_before(number, [&](std::string_view name) { return stage.reads(name); });
  for (int j : stage.loaded)
    out += formatted("  const {} {} = {};\n", cxx(kept(j).dtype), kept(j).name, elements.kept(j));
  const auto run_keep = [&](int q, bool own) {
    for (size_t j = 0; j < text_.kept.size(); ++j) {
      if (traits_.values[j].set != q) continue;
      const int k = static_cast<int>(j);
      if (own && stays(k) && elements.in_place)
        out += formatted("  {}& {} = {};\n", cxx(kept(k).dtype), kept(k).name, elements.kept(k));
      else
        out += formatted("  {} {};\n", cxx(kept(k).dtype), kept(k).name);
    }
    out += "  {\n" + statements("keep", pass(q).keep) + "  }\n";
  };
  for (int q : stage.again) run_keep(q, false);
  if (number < passes() && !pass(number).keep.empty()) run_keep(number, true);
  if (!elements.in_place)
    for (int j : stage.stored) out += formatted("  {} = {};\n", elements.kept(j), kept(j).name);
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
