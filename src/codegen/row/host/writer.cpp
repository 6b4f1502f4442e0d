#include <algorithm>

#include "codegen/reduction/host/cut.hpp"
#include "codegen/reduction/writers.hpp"
#include "codegen/reduction_host_text.hpp"
#include "codegen/row/room.hpp"
#include "codegen/row/stages.hpp"
#include "codegen/row/writers.hpp"
#include "codegen/row_host_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

bool has_quotients(const RowText& text) { return text.body.has("row_quotient"); }

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
    out_.function(formatted("\nextern \"C\" void {}_kernel(const _params* _p, long long _first, "
                            "long long _last)",
                            text_.name),
                  formatted("  gpuarr_kernel::_run_rows<{}>(*_p, _first, _last);\n", stages));
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
    std::string places;
    for (int j = 0; j < traits_.kept; ++j)
      if (on_stack(j))
        places += formatted("  gpuarr_kernel::_take_room(_from, _p._n, _of_row._kept{});\n", j);
    out_.function(
        formatted("{} void _make_room(const _params& _p, char* _from, _row& _of_row)", in_kernel),
        places);
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
    return constant("_params&", "_p", "_stage._p") +
           constant("_row&", "_of_row", "_stage._of_row") +
           bind_constants(out_.operands, out_.names);
  }

  void write_pass(int number) {
    const std::string type = formatted("_pass{}", number);
    out_.add("\nstruct {} : gpuarr_kernel::_pass<{}, _params> {{\n", type, partial_type(number));
    write_operators(number, "  static __forceinline__");
    out_.text += "};\n";
    const RowStage own = stage(number);
    out_.function(formatted("{0} {1}::_partial _along(const {1}& _stage, const _place& _at, "
                            "long long _k)",
                            in_kernel, type),
                  opening() + element(own, number, elements()) + maps(number) +
                      returned(formatted("{}::_partial({})", type, counted(number))));
  }

  void write_body() {
    const bool divides = has_quotients(text_);
    std::string body = opening() + element(stage(passes()), passes(), elements());
    for (int k : out_.outputs)
      if (!is_one(k)) body += variable(out_.type(k), name(k));
    body += braced(statements("body", text_.body));
    if (divides) body += "  if (!_How::stores)\n  " + returned("");
    for (int k : out_.outputs)
      if (!is_one(k)) body += assignment(array_element(k), name(k));
    out_.structure("_body : gpuarr_kernel::_stage<_params>", "");
    out_.function(
        formatted("{}{} void _put(const _body& _stage, const _place& _at, long long _k{})",
                  divides ? "template <class _How> " : "", in_kernel,
                  divides ? ", _How, long long& _strange" : ""),
        body);
    out_.function(formatted("{} void _put_row(const _body& _stage, const _place& _at)", in_kernel),
                  returned(formatted("gpuarr_kernel::{}(_stage, _at, _stage._p._n)",
                                     divides ? "put_quotients" : "put_elements")));
  }
};

}  // namespace

std::string host_row_algorithm(const RowText& text, const RowVariant& /*variant*/) {
  namespace file = reduction_host_parts;
  std::string out = kernel_file("reduction/host/tasks", file::tasks);
  if (text.has_folds()) out += kernel_file("reduction/host/folds", file::folds);
  out += kernel_file("reduction/host/rows", file::rows);
  if (has_quotients(text)) out += kernel_file("row/host/quotients", row_host_parts::quotients);
  return out + kernel_file("row/host/rows", row_host_parts::rows);
}

std::string host_row_constants(const RowVariant& variant) {
  const bool room = std::ranges::find(variant.kept, Small(kept_own)) != variant.kept.end();
  return formatted("  enum {{ _room_bytes = {}, _element_bytes = {}, _part = {} }};\n",
                   room ? stack_bytes : 64, element_bytes(variant.operands), host_task);
}

std::string host_row(const RowText& text, const RowVariant& variant,
                     std::span<const OperandName> names) {
  return HostRow(text, variant, names).write();
}

}  // namespace gpuarr
