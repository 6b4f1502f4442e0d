#include "codegen/scan/scan.hpp"

#include <vector>

#include "codegen/scan/parameters.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

class ScanFunctions {
 public:
  ScanFunctions(const ScanText& pieces, const ScanPlan& plan, std::span<const Operand> operands,
                std::span<const OperandName> names)
      : pieces_(pieces), p_(plan), operands_(operands), names_(names) {}

  std::string write() {
    out_ += "typedef _params::_index _index;\n";
    write_reduce();
    if (p_.exclusive) write_identity();
    write_map();
    write_post();
    write_row();
    write_get();
    write_put();
    return std::move(out_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += format_text(format, fmt::make_format_args(args...));
  }
  static constexpr const char* qualifier() { return "static __device__ __forceinline__ "; }
  const char* type(size_t k) const { return facts_of(operands_[k].dtype).cxx; }
  bool is(size_t k, Role role) const { return operands_[k].role == role; }
  void bind() { out_ += bind_constants(operands_, names_); }

  void write_reduce() {
    add("{}_type_scan _reduce(const _params& _p, const _type_scan& _a, const _type_scan& _b) {{\n",
        qualifier());
    bind();
    out_ += "  {\n  const _type_scan& a = _a;\n  const _type_scan& b = _b;\n  return\n" +
            statements("reduce", pieces_.reduce) + "  }\n}\n";
  }

  void write_identity() {
    add("{}_type_scan _identity(const _params& _p) {{\n", qualifier());
    bind();
    out_ += "  return\n" + statements("identity", *pieces_.identity) + "}\n";
  }

  void write_map() {
    add("{}_type_scan _map(const _params& _p", qualifier());
    for (size_t k = 0; k < operands_.size(); ++k)
      if (is(k, Role::input)) add(", const {}& {}", type(k), names_[k].name);
    out_ += ", long long _J) {\n";
    bind();
    out_ += "  return\n" + statements("map", pieces_.map) + "}\n";
  }

  void write_post() {
    add("{}void _post(const _params& _p, const _type_scan& _a", qualifier());
    for (size_t k = 0; k < operands_.size(); ++k)
      if (is(k, Role::output)) add(", {}& {}", type(k), names_[k].name);
    out_ += ") {\n";
    bind();
    out_ += "  {\n  const _type_scan& a = _a;\n" + statements("post", pieces_.post) + "  }\n}\n";
  }

  void write_row() {
    out_ += "struct _at {\n";
    for (size_t k = 0; k < operands_.size(); ++k)
      if (in_loop(operands_[k].role))
        add("  {}{}* _p{};\n", is(k, Role::input) ? "const " : "", type(k), k);
    add("}};\n{}_at _row(const _params& _p, _index _r) {{\n  _at _to;\n", qualifier());
    for (size_t k = 0; k < operands_.size(); ++k)
      if (in_loop(operands_[k].role)) add("  _to._p{0} = _p._p{0};\n", k);
    for (int axis = p_.form == ScanForm::rows ? p_.kept() - 1 : p_.kept() - 2; axis >= 0; --axis) {
      if (axis == 0)
        out_ += "  { const _index _x = _r;\n";
      else
        add("  {{ const _index _q = _r / (_index)_p._extent{0};\n"
            "    const _index _x = _r - _q * (_index)_p._extent{0};\n    _r = _q;\n",
            axis);
      for (size_t k = 0; k < operands_.size(); ++k)
        if (in_loop(operands_[k].role))
          add("    _to._p{0} += (long long)_x * _p._s{0}_{1};\n", k, axis);
      out_ += "  }\n";
    }
    out_ += "  return _to;\n}\n";
  }

  std::string element(size_t k) const {
    const bool rows = p_.form == ScanForm::rows;
    std::string place = rows && p_.unit[k] ? "_e" : formatted("_e * _p._s{}_{}", k, p_.scanned());
    if (!rows) place += p_.unit[k] ? " + _c" : formatted(" + _c * _p._s{}_{}", k, p_.inner());
    return formatted("_r._p{}[{}]", k, place);
  }

  void write_get() {
    add("{}_type_scan _get(const _params& _p, const _at& _r, long long _e, long long _c) {{\n"
        "  return _map(_p",
        qualifier());
    for (size_t k = 0; k < operands_.size(); ++k)
      if (is(k, Role::input)) out_ += ", " + element(k);
    out_ += ", _e);\n}\n";
  }

  void write_put() {
    add("{}void _put(const _params& _p, const _at& _r, long long _e, long long _c,\n"
        "    const _type_scan& _a) {{\n  _post(_p, _a",
        qualifier());
    for (size_t k = 0; k < operands_.size(); ++k)
      if (is(k, Role::output)) out_ += ", " + element(k);
    out_ += ");\n}\n";
  }

  const ScanText& pieces_;
  const ScanPlan& p_;
  std::span<const Operand> operands_;
  std::span<const OperandName> names_;
  std::string out_;
};

std::string scan_type_text(const std::string& type) {
  std::string out = "typedef\n" + user_piece("reduce_type", type) + "_type_scan;\n";
  const char* const wants[][2] = {
      {"__is_trivially_copyable(_type_scan)", "must be trivially copyable"},
      {"sizeof(_type_scan) <= 64", "has at most 64 bytes"},
      {"__is_constructible(_type_scan)", "must have a default constructor"},
      {"__is_assignable(_type_scan&, const _type_scan&)", "must be assignable"}};
  for (const auto& [condition, want] : wants)
    out += formatted("#line 1 \"reduce_type\"\nstatic_assert({}, \"a reduce_type {}\");\n",
                     condition, want);
  return out + "#line 1 \"generated\"\n";
}

}  // namespace

const char* suffix(ScanStage stage) {
  if (stage == ScanStage::totals) return "_totals";
  return stage == ScanStage::prefix ? "_prefix" : "_kernel";
}

std::string scan_source(const ScanText& pieces, const ScanPlan& plan,
                        std::span<const Operand> operands, std::span<const OperandName> names,
                        std::span<const std::pair<char, DType>> letters) {
  std::vector<DType> dtypes;
  for (const Operand& o : operands) dtypes.push_back(o.dtype);
  for (auto [letter, dtype] : letters) dtypes.push_back(dtype);
  const std::string identity = pieces.identity.value_or("");
  const std::string_view texts[] = {pieces.defines, pieces.preamble, pieces.type, pieces.map,
                                    pieces.reduce,  pieces.post,     identity};
  std::string out = plan.target->prelude(needs_of(dtypes, texts));
  out += "#line 1 \"generated\"\n";
  out += plan.target->scan.algorithms(plan);
  for (auto [letter, dtype] : letters)
    out += formatted("typedef {} {};\n", facts_of(dtype).cxx, letter);
  out += user_piece("options", pieces.defines) + user_piece("preamble", pieces.preamble);
  out += scan_type_text(pieces.type) + scan_parameter_struct(plan, operands);
  out += ScanFunctions(pieces, plan, operands, names).write();
  return out + plan.target->scan.kernels(pieces, plan, operands);
}

}  // namespace gpuarr
