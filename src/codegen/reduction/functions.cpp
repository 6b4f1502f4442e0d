#include "codegen/reduction/functions.hpp"

#include "codegen/layout/fields.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

class Functions {
 public:
  Functions(const ReductionText& pieces, const ReductionPlan& plan,
            std::span<const Operand> operands, std::span<const OperandName> names)
      : pieces_(pieces), p_(plan), operands_(operands), names_(names) {}

  std::string write() {
    write_reduce();
    if (pieces_.identity) write_identity();
    write_map();
    write_post();
    if (has_number()) write_number();
    if (p_.stage == Stage::combine || p_.stage == Stage::finish) write_partial();
    write_finish();
    write_at();
    return std::move(out_);
  }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    out_ += format_text(format, fmt::make_format_args(args...));
  }
  static constexpr const char* qualifier() { return "static __device__ __forceinline__ "; }
  const char* type(size_t k) const { return facts_of(operands_[k].dtype).cxx; }
  static constexpr const char* index() { return "_result"; }  // numbers of results

  // What all of the user's texts see.
  void bind() { out_ += bind_constants(operands_, names_); }

  // a and b hide parameters that are called so.
  void write_reduce() {
    add("{}_type_reduce _reduce(const _params& _p, const _type_reduce& _a, const _type_reduce& _b) "
        "{{\n",
        qualifier());
    bind();
    bind_indices(pieces_.reduce, "0", false, false);
    out_ += "  {\n  const _type_reduce& a = _a;\n  const _type_reduce& b = _b;\n  return\n" +
            statements("reduce", pieces_.reduce) + "  }\n}\n";
  }

  void write_identity() {
    add("{}_type_reduce _identity(const _params& _p) {{\n", qualifier());
    bind();
    bind_indices(*pieces_.identity, "0", false, false);
    out_ += "  return\n" + statements("identity", *pieces_.identity) + "}\n";
  }

  // _ind objects, if the text asks for them; `in` and `out`: also for indices along axes.
  void bind_indices(const std::string& text_, const char* number_of, bool in, bool out) {
    if (in || text_.find("_in_ind") != std::string::npos) {
      add("  const gpuarr_index<{}> _in_ind = {{{}, _p._n, {{", in ? p_.in_shape.size() : 0,
          in ? number_of : "0");
      for (int axis = 0; in && axis < p_.in_shape.size(); ++axis)
        add("{}_p._in_shape{}", axis > 0 ? ", " : "", axis);
      out_ += "}};\n";
    }
    if (out || text_.find("_out_ind") != std::string::npos) {
      add("  const gpuarr_index<{}> _out_ind = {{{}, _p._results, {{",
          out ? p_.out_shape.size() : 0, out ? number_of : "0");
      for (int axis = 0; out && axis < p_.out_shape.size(); ++axis)
        add("{}_p._out_shape{}", axis > 0 ? ", " : "", axis);
      out_ += "}};\n";
    }
  }

  void write_map() {
    add("{}_type_reduce _map(const _params& _p", qualifier());
    for (size_t k = 0; k < operands_.size(); ++k)
      if (operands_[k].role == Role::input) add(", const {}& {}", type(k), names_[k].name);
    out_ += ", long long i, long long _J, long long _j) {\n";
    bind();
    bind_indices(pieces_.map, "i", p_.traits.uses_in_ind, false);
    out_ += "  return\n" + statements("map", pieces_.map) + "}\n";
  }

  void write_post() {
    add("{}void _post(const _params& _p, _type_reduce _a", qualifier());
    for (size_t k = 0; k < operands_.size(); ++k)
      if (operands_[k].role == Role::output) add(", {}& {}", type(k), names_[k].name);
    out_ += ", long long i) {\n";
    bind();
    bind_indices(pieces_.post, "i", false, p_.traits.uses_out_ind);
    out_ += "  {\n  _type_reduce& a = _a;\n" + statements("post", pieces_.post) + "  }\n}\n";
  }

  bool has_number() const { return p_.stage != Stage::whole && p_.stage != Stage::empty; }

  // Where a result's partial result is: its number in C order.
  void write_number() {
    add("{}long long _number(const _params& _p, {} _o) {{\n  long long _i = _p._o_start;\n",
        qualifier(), index());
    out_ += take_indices(p_, "_o", 0, p_.kept - 1, [&](int axis) {
      return formatted("    _i += (long long)_x * _p._o_stride{};\n", axis);
    });
    out_ += "  return _i;\n}\n";
  }

  void write_partial() {
    add("{}_type_reduce _partial(const _params& _p, long long _s, long long _i) {{\n"
        "  const char* const _set = (const char*)_p._stage_in + _s * _p._set_bytes;\n"
        "  return ((const _type_reduce*)_set)[_i];\n}}\n",
        qualifier());
  }

  void write_finish() {
    if (p_.stage == Stage::partial || p_.stage == Stage::combine) {
      add("{}void _finish(const _params& _p, {} _o, _type_reduce _a) {{\n", qualifier(), index());
      out_ += "  _p._stage_out[_number(_p, _o)] = _a;\n}\n";
      return;
    }
    write_finish_at();
    int inner = p_.inner_kept();
    add("{}void _finish(const _params& _p, {} _o, _type_reduce _a) {{\n", qualifier(), index());
    if (inner == 0)
      out_ += "  _finish_at(_p, 0, _o, _a);\n}\n";
    else
      add("  const {0} _q = _o / _p._extent{1};\n  _finish_at(_p, _q, _o - _q * {2}, _a);\n}}\n",
          index(), inner, divisor_number(p_, formatted("extent{}", inner), false));
  }

  void write_finish_at() {
    const Counter& number = p_.nest.counters[result_counter];
    add("{0}void _finish_at(const _params& _p, {1} _o, {1} _x, _type_reduce _a) {{\n", qualifier(),
        index());
    for (size_t k = 0; k < operands_.size(); ++k)
      if (operands_[k].role == Role::output) add("  {}* _y{} = _p._p{};\n", type(k), k, k);
    out_ += number.used ? "  long long _i = _p._o_start;\n" : "  const long long _i = 0;\n";
    auto move = [&](int axis) { return step_outputs(p_, operands_, axis); };
    out_ += move(p_.inner_kept());
    if (p_.kept > 1) out_ += take_indices(p_, "_o", 0, p_.kept - 2, move);
    if (pieces_.identity && p_.stage != Stage::empty)
      out_ += "  _a = _reduce(_p, _identity(_p), _a);\n";
    out_ += "  _post(_p, _a";
    for (size_t k = 0; k < operands_.size(); ++k)
      if (operands_[k].role == Role::output) add(", *_y{}", k);
    out_ += ", _i);\n}\n";
  }

  void write_at() {
    out_ += "struct _at {\n";
    for (size_t k = 0; k < operands_.size(); ++k)
      if (operands_[k].role == Role::input) add("  const {}* _p{};\n", type(k), k);
    out_ += "  long long _i, _j, _l;\n};\n";
    add("{}_at _at_result(const _params& _p, {} _o) {{\n  _at _r;\n", qualifier(), index());
    for (size_t k = 0; k < operands_.size(); ++k)
      if (operands_[k].role == Role::input) add("  _r._p{} = _p._p{};\n", k, k);
    for (auto [letter, used] : element_numbers(p_))
      out_ += used ? formatted("  _r._{0} = _p._{0}_start;\n", letter)
                   : formatted("  _r._{} = 0;\n", letter);
    out_ += take_indices(p_, "_o", 0, p_.kept - 1,
                         [&](int axis) { return step_inputs(p_, operands_, "_r", "_x", axis); });
    out_ += "  return _r;\n}\n";
  }

  const ReductionText& pieces_;
  const ReductionPlan& p_;
  std::span<const Operand> operands_;
  std::span<const OperandName> names_;
  std::string out_;
};

}  // namespace

std::string reduction_functions(const ReductionText& text, const ReductionPlan& plan,
                                std::span<const Operand> operands,
                                std::span<const OperandName> names) {
  return Functions(text, plan, operands, names).write();
}

std::string step_inputs(const ReductionPlan& plan, std::span<const Operand> operands,
                        const std::string& at, const std::string& x, int axis) {
  std::string out;
  for (size_t k = 0; k < operands.size(); ++k)
    if (operands[k].role == Role::input)
      out += formatted("    {0}._p{1} += (long long)({2}) * _p._s{1}_{3};\n", at, k, x, axis);
  for (auto [letter, used] : element_numbers(plan))
    if (used)
      out +=
          formatted("    {0}._{1} += (long long)({2}) * _p._{1}_stride{3};\n", at, letter, x, axis);
  return out;
}

std::string step_outputs(const ReductionPlan& plan, std::span<const Operand> operands, int axis) {
  std::string out;
  for (size_t k = 0; k < operands.size(); ++k)
    if (operands[k].role == Role::output)
      out += formatted("    _y{0} += (long long)_x * _p._s{0}_{1};\n", k, axis);
  if (plan.traits.uses_result)
    out += formatted("    _i += (long long)_x * _p._o_stride{};\n", axis);
  return out;
}

std::string divisor_number(const ReductionPlan& plan, const std::string& field, bool reduced) {
  bool fast = plan.target->simt && !(reduced ? plan.wide : plan.many);
  return "_p._" + field + (fast ? "._by" : "");
}

}  // namespace gpuarr
