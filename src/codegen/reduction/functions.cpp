#include "codegen/reduction/functions.hpp"

#include "codegen/reduction/texts.hpp"

namespace gpuarr {
namespace {

class Functions {
 public:
  Functions(const ReductionText& pieces, const ReductionVariant& variant,
            std::span<const OperandName> names)
      : pieces_(pieces), p_(variant), out_(variant.operands, names) {}

  std::string write() {
    const auto indices = [this](std::string_view piece, const UserText& text) {
      return bind_indices(piece, text);
    };
    UserFunctions{pieces_,
                  pieces_.identity.has_value(),
                  ", long long i, long long _J, long long _j",
                  "_type_reduce",
                  "_type_reduce&",
                  ", long long i",
                  indices}
        .write(out_);
    if (p_.has_sets()) write_number();
    if (p_.reads_sets()) write_partial();
    write_finish();
    write_places();
    return out_.take();
  }

 private:
  // _ind objects, if the text asks for them; map and post have an element or result, whose index
  // along axes they may read.
  std::string bind_indices(std::string_view piece, const UserText& text) const {
    const bool in = piece == "map" && p_.traits.uses_in_ind;
    const bool out = piece == "post" && p_.traits.uses_out_ind;
    return bind_index(text, "in", "_n", in, p_.in_ndim) +
           bind_index(text, "out", p_.has_sets() ? "_all_results" : "_results", out, p_.out_ndim);
  }

  static std::string bind_index(const UserText& text, const char* side, const char* size,
                                bool along_axes, int ndim) {
    if (!along_axes && !text.has(formatted("_{}_ind", side))) return {};
    if (!along_axes) ndim = 0;
    std::string out = formatted("  const gpuarr_index<{}> _{}_ind = {{{}, _p.{}, {{", ndim, side,
                                along_axes ? "i" : "0", size);
    for (int axis = 0; axis < ndim; ++axis)
      out += formatted("{}_p._{}_shape[{}]", axis > 0 ? ", " : "", side, axis);
    return out + "}};\n";
  }

  // Where a result's partial result is in a set: its number in C order of the piece's results.
  void write_number() {
    out_.add(
        "{} long long _number(const _params& _p, _result _rest) {{\n"
        "  long long _number = _p._set_start;\n",
        in_kernel);
    for (int axis = p_.kept - 1; axis >= 0; --axis)
      out_.add(
          "  _number += (long long){} * _p._set_stride[{}];\n",
          axis > 0 ? formatted("gpuarr_kernel::_take_index(_rest, {})", extent(p_, axis)) : "_rest",
          axis);
    out_.text += "  return _number;\n}\n";
  }

  void write_partial() {
    out_.add(
        "{} _type_reduce _partial(const _params& _p, long long _set, long long _number) {{\n"
        "  const char* const _first = (const char*)_p._stage_in + _set * _p._set_bytes;\n"
        "  return ((const _type_reduce*)_first)[_number];\n}}\n",
        in_kernel);
  }

  void write_finish() {
    if (p_.stage == Stage::partial || p_.stage == Stage::combine) {
      out_.add(
          "{} void _finish(const _params& _p, _result _rest, _type_reduce _a) {{\n"
          "  _p._stage_out[_number(_p, _rest)] = _a;\n}}\n",
          in_kernel);
      return;
    }
    const int inner = p_.inner_kept();
    write_finish_at(inner);
    out_.add("{} void _finish(const _params& _p, _result _rest, _type_reduce _a) {{\n", in_kernel);
    if (inner == 0)
      out_.text += "  _finish_at(_p, 0, _rest, _a);\n}\n";
    else
      out_.add(
          "  const _result _inner = gpuarr_kernel::_take_index(_rest, {});\n"
          "  _finish_at(_p, _rest, _inner, _a);\n}}\n",
          extent(p_, inner));
  }

  void write_finish_at(int inner) {
    const PlaceText results = result_place(out_, p_);
    results.declare(out_);
    results.declare_step(out_, "long long", "long long");
    out_.add(
        "{} void _finish_at(const _params& _p, _result _outer, _result _inner, "
        "_type_reduce _a) {{\n  _results _to = {};\n  _step_result(_p, _to, {}, _inner);\n",
        in_kernel, results.start(), inner);
    out_.text += steps(results, p_, "_to", "_outer", inner - 1);
    if (pieces_.identity && p_.stage != Stage::empty)
      out_.text += "  _a = _reduce(_p, _identity(_p), _a);\n";
    out_.text += "  _post(_p, _a";
    for (int k : out_.outputs) out_.add(", *_to._data{}", k);
    out_.text += p_.traits.uses_result ? ", _to._o);\n}\n" : ", 0);\n}\n";
  }

  void write_places() {
    const PlaceText place = input_place(out_, p_);
    place.declare(out_);
    place.declare_step(out_, "long long", "long long");
    out_.add("{} _place _at_result(const _params& _p, _result _rest) {{\n  _place _at = {};\n",
             in_kernel, place.start());
    out_.text += steps(place, p_, "_at", "_rest", p_.kept - 1) + "  return _at;\n}\n";
  }

  const ReductionText& pieces_;
  const ReductionVariant& p_;
  KernelWriter out_;
};

}  // namespace

std::string reduction_functions(const ReductionText& text, const ReductionVariant& variant,
                                std::span<const OperandName> names) {
  return Functions(text, variant, names).write();
}

PlaceText input_place(const KernelWriter& out, const ReductionVariant& variant) {
  std::string letters;
  for (auto [letter, used] : element_numbers(variant))
    if (used) letters += letter;
  return {"_place", "_step", out.inputs, letters};
}

PlaceText result_place(const KernelWriter& out, const ReductionVariant& variant) {
  return {"_results", "_step_result", out.outputs, variant.traits.uses_result ? "o" : ""};
}

std::string extent(const ReductionVariant& variant, int axis) {
  return axis < variant.kept ? formatted("_p._kept[{}]", axis)
                             : formatted("_p._reduced[{}]", axis - variant.kept);
}

std::string steps(const PlaceText& place, const ReductionVariant& variant, const std::string& at,
                  const std::string& rest, int last, int first) {
  return place.steps(at, rest, axes_down(last, first),
                     [&](int axis) { return extent(variant, axis); });
}

}  // namespace gpuarr
