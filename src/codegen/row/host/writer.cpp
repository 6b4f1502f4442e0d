#include "codegen/reduction_host_text.hpp"
#include "codegen/row/room.hpp"
#include "codegen/row/stages.hpp"
#include "codegen/row/writers.hpp"
#include "codegen/row_host_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

class HostRow : RowWriterBase {
 public:
  using RowWriterBase::RowWriterBase;

  std::string write() {
    write_places("long long");
    write_row(kept_pointers());
    write_room();
    std::string stages = "_body";
    for (int k = 0; k < passes(); ++k) {
      write_pass(k);
      stages += formatted(", _pass{}", k);
    }
    write_body();
    write_finish_row();
    out_.add(
        "\nextern \"C\" void {}_kernel(const _params* _p, long long _first, long long _last) {{\n"
        "  gpuarr_kernel::_run_rows<{}>(*_p, _first, _last);\n}}\n",
        text_.name, stages);
    return take();
  }

 private:
  bool on_stack(int j) const { return place_of(j) == kept_own; }

  std::string kept_pointers() const {
    std::string out;
    for (int j = 0; j < traits_.kept; ++j)
      if (on_stack(j))
        out += formatted("  {}* _kept{};  // {}\n", cxx(kept(j).dtype), j, kept(j).name);
    return out;
  }

  // Values lie one behind the other, as long as a row each.
  void write_room() {
    bool any = false;
    std::string places = "  long long _from = 0;\n";
    for (int j = 0; j < traits_.kept; ++j) {
      if (!on_stack(j)) continue;
      any = true;
      places += formatted(
          "  _of_row._kept{0} = ({1}*)(_of._bytes + _from);\n"
          "  _from += (_p._n * (long long)sizeof({1}) + 63) / 64 * 64;\n",
          j, cxx(kept(j).dtype));
    }
    out_.add("\nstruct _room {{\n{}}};\n",
             any ? formatted("  alignas(64) char _bytes[{}];\n", stack_bytes) : "");
    out_.add("{} void _make_room(const _params& _p, _room& _of, _row& _of_row) {{\n{}}}\n",
             in_kernel, any ? places : "");
  }

  std::string array_element(int k) const {
    if (is_one(k)) return formatted("_of_row._one{}", k);
    if (p_.how(k) == Access::general)
      return formatted("_at._data{0}[_k * _p._stride{0}[{1}]]", k, p_.inner());
    return formatted("_at._data{}[_k]", k);
  }

  RowElements elements() const {
    return {[this](int k) { return array_element(k); },
            [this](int j) {
              return on_stack(j) ? formatted("_of_row._kept{}[_k]", j) : array_element(place_of(j));
            },
            [this](char letter) {
              return formatted("_at._{0} + _k * _p._{0}_stride[{1}]", letter, p_.inner());
            },
            false};
  }

  // The head of a function that has a stage, whose first lines are what others get as parameters.
  std::string opening() const {
    return "  const _params& _p = _stage._p;\n  const _row& _of_row = _stage._of_row;\n" +
           bind_constants(out_.operands, out_.names);
  }

  void write_pass(int number) {
    const std::string head = "  static __forceinline__";
    out_.add(
        "\nstruct _pass{} {{\n  typedef {} _partial;\n  typedef ::_place _place;\n"
        "  enum {{ _single = 1, _ordered = 0 }};\n  const _params& _p;\n  const _row _of_row;\n",
        number, partial_type(number));
    write_operators(number, head);
    out_.text += "};\n";
    const RowStage own = stage(number);
    out_.add(
        "{1} _pass{0}::_partial _reduce(const _pass{0}& _stage, const _pass{0}::_partial& _a, "
        "const _pass{0}::_partial& _b) {{\n  return _pass{0}::_reduce(_stage._p, _a, _b);\n}}\n"
        "{1} _place _start(const _pass{0}&, const _place& _at, long long) {{\n  return _at;\n}}\n"
        "{1} _pass{0}::_partial _along(const _pass{0}& _stage, const _place& _at, long long _k) "
        "{{\n",
        number, in_kernel);
    out_.text += opening() + element(own, number, elements()) + maps(number);
    out_.add("  return {};\n}}\n", counted(number));
  }

  void write_body() {
    out_.text += "\nstruct _body {\n  const _params& _p;\n  const _row _of_row;\n};\n";
    out_.add("{} void _put(const _body& _stage, const _place& _at, long long _k) {{\n", in_kernel);
    out_.text += opening() + element(stage(passes()), passes(), elements());
    for (int k : out_.outputs)
      if (!is_one(k)) out_.add("  {} {};\n", out_.type(k), name(k));
    out_.text += "  {\n" + statements("body", text_.body) + "  }\n";
    for (int k : out_.outputs)
      if (!is_one(k)) out_.add("  {} = {};\n", array_element(k), name(k));
    out_.text += "}\n";
  }
};

}  // namespace

std::string host_row_algorithm(const RowText& text, const RowVariant& /*variant*/) {
  namespace file = reduction_host_parts;
  std::string out = kernel_file("reduction/host/tasks", file::tasks);
  if (text.has_folds()) out += kernel_file("reduction/host/folds", file::folds);
  return out + kernel_file("reduction/host/rows", file::rows) +
         kernel_file("row/host/rows", row_host_parts::rows);
}

std::string host_row_constants(const RowVariant& /*variant*/) {
  return "  typedef ::_place _place;\n  typedef ::_row _row;\n  typedef ::_room _room;\n";
}

std::string host_row(const RowText& text, const RowVariant& variant,
                     std::span<const OperandName> names) {
  return HostRow(text, variant, names).write();
}

}  // namespace gpuarr
