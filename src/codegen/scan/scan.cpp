#include "codegen/scan/scan.hpp"

#include <vector>

#include "codegen/layout_text.hpp"
#include "codegen/reduction/texts.hpp"
#include "codegen/scan/parameters.hpp"

namespace gpuarr {
namespace {

std::string element(const ScanVariant& p, int k) {
  const bool rows = p.form == ScanForm::rows;
  std::string place = rows && p.unit(k) ? "_k" : formatted("_k * _p._stride{}[{}]", k, p.scanned());
  if (!rows)
    place += p.unit(k) ? " + _column" : formatted(" + _column * _p._stride{}[{}]", k, p.inner());
  return formatted("_at._data{}[{}]", k, place);
}

std::string scan_functions(const ReductionText& pieces, const ScanVariant& p,
                           std::span<const OperandName> names) {
  KernelWriter out(p.operands, names);
  out.text += "typedef _params::_index _index;\n";
  UserFunctions{pieces, p.exclusive, ", long long _J", "const _type_reduce&", "const _type_reduce&",
                "",     {}}
      .write(out);
  const PlaceText place{"_place", "_step", out.arrays, ""};
  place.declare(out);
  place.declare_step(out, "long long", "long long");
  const std::vector<int> axes = axes_down(p.form == ScanForm::rows ? p.kept() - 1 : p.kept() - 2);
  out.add(
      "{} _place _row(const _params& _p, _index _rest) {{\n  _place _at = {};\n{}  return "
      "_at;\n}}\n",
      in_kernel, place.start(), place.steps("_at", "_rest", axes, [](int axis) {
        return formatted("(_index)_p._extent[{}]", axis);
      }));
  const char* const where = "const _params& _p, const _place& _at, long long _k, long long _column";
  out.add("{} _type_reduce _get({}) {{\n  return _map(_p", in_kernel, where);
  for (int k : out.inputs) out.text += ", " + element(p, k);
  out.add(", _k);\n}}\n{} void _put({}, const _type_reduce& _a) {{\n  _post(_p, _a", in_kernel,
          where);
  for (int k : out.outputs) out.text += ", " + element(p, k);
  out.text += ");\n}\n";
  return out.take();
}

}  // namespace

const char* suffix(ScanStage stage) {
  if (stage == ScanStage::totals) return "_totals";
  return stage == ScanStage::prefix ? "_prefix" : "_kernel";
}

std::string scan_source(const ReductionText& pieces, const Target& target,
                        const ScanVariant& variant, std::span<const OperandName> names,
                        std::span<const Letter> letters) {
  PreludeNeeds needs = needs_of(variant.operands, pieces.all());
  needs.vector_math = pieces.vector_math(variant.operands);
  std::string out = target.prelude(needs);
  out += kernel_file("layout/index", layout_parts::index) + target.scan.algorithms(variant);
  out += "#line 1 \"generated\"\n" + letter_types(variant.operands, letters);
  out += user_piece("options", pieces.defines) + user_piece("preamble", pieces.preamble);
  out += reduce_type_text(pieces.reduce_type) + scan_parameter_struct(variant);
  out += scan_functions(pieces, variant, names);
  out += target.scan.kernels(pieces, variant);
  return out;
}

}  // namespace gpuarr
