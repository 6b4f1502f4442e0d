#include <algorithm>

#include "codegen/layout_text.hpp"
#include "codegen/reduction_cuda_text.hpp"
#include "codegen/row/parameters.hpp"
#include "codegen/row/room.hpp"
#include "codegen/row/stages.hpp"
#include "codegen/row/writers.hpp"
#include "codegen/row_cuda_text.hpp"
#include "core/text.hpp"

namespace gpuarr {
namespace {

constexpr const char* member = "  static __device__ __forceinline__";

class CudaRow : RowWriterBase {
 public:
  using RowWriterBase::RowWriterBase;

  std::string write() {
    write_places(p_.many ? "long long" : "unsigned");
    write_row("");
    write_values();
    if (is_staged())
      write_stage();
    else
      write_load();
    std::string stages = "_body";
    for (int k = 0; k < passes(); ++k) {
      write_pass(k);
      stages += formatted(", _pass{}", k);
    }
    write_body();
    write_finish_row();
    out_.add(
        "\nextern \"C\" __global__ void __launch_bounds__({}) {}_kernel(\n"
        "    const __grid_constant__ _params _p) {{\n  gpuarr_kernel::_run_{}<{}>(_p);\n}}\n",
        bounds(), text_.name, is_staged() ? "staged" : "in_registers", stages);
    return take();
  }

 private:
  bool is_staged() const { return p_.form == RowForm::staged; }
  bool is_own(int k) const {  // its elements are those of the threads that share the row
    return out_.is(k, Role::input) && is_read(k) &&
           (p_.how(k) == Access::vector || p_.how(k) == Access::general);
  }

  // Blocks of staged rows stand side by side. Other forms would spill for it.
  std::string bounds() const {
    if (!is_staged()) return std::to_string(block_threads(p_));
    return formatted("{}, {}", p_.lanes, staged_threads / p_.lanes);
  }

  // What a thread has of a pack.
  void write_values() {
    out_.text += "\nstruct _values {\n";
    for (int k : out_.inputs)
      if (is_own(k) || p_.how(k) == Access::common)
        out_.add("  gpuarr_kernel::_pack<{}, {}> _own{};  // {}\n", out_.type(k), p_.pack, k,
                 name(k));
    for (int j = 0; j < traits_.kept; ++j)
      if (stays(j))
        out_.add("  gpuarr_kernel::_pack<{}, {}> _kept{};  // {}\n", cxx(kept(j).dtype), p_.pack, j,
                 kept(j).name);
    out_.text += "};\n";
  }

  std::string array_at(int k, const std::string& element) const {
    if (p_.how(k) == Access::general)
      return formatted("_at._data{0} + {1} * _p._stride{0}[{2}]", k, element, p_.inner());
    return formatted("_at._data{} + {}", k, element);
  }

  void write_load() {
    out_.add("{} void _load(const _params& _p, const _place& _at, _values& _own, int _first) {{\n",
             in_kernel);
    for (int k : out_.inputs)
      if (is_own(k))
        out_.add("  _own._own{} = gpuarr_kernel::_load_streamed<{}, {}>({});\n", k, out_.type(k),
                 p_.pack, array_at(k, "_first"));
    out_.text += "}\n";
  }

  // --- Shared memory

  // Bytes before a slot: those of inputs, then those of kept values.
  std::string offset(int until_input, int until_kept) const {
    std::string out = "0";
    const auto add = [&](DType dtype) {
      out += formatted(" + gpuarr_kernel::_slot_bytes(_p._n, {})", size_of(dtype));
    };
    for (int k : out_.inputs)
      if (is_own(k) && k < until_input) add(out_.operand(k).dtype);
    for (int j = 0; j < until_kept; ++j)
      if (place_of(j) == kept_own) add(kept(j).dtype);
    return out;
  }

  std::string slot(const char* type, const std::string& offset) const {
    return formatted("((gpuarr_kernel::_pack<{}, {}>*)(gpuarr_kernel::_slots + {}))", type, p_.pack,
                     offset);
  }
  std::string input_slot(int k) const { return slot(out_.type(k), offset(k, 0)); }
  std::string kept_slot(int j) const {
    const int place = place_of(j);
    return slot(cxx(kept(j).dtype), place == kept_own ? offset(max_operands, j) : offset(place, 0));
  }

  void write_stage() {
    out_.add("{} void _stage(const _params& _p, const _place& _at, int _item) {{\n", in_kernel);
    for (int k : out_.inputs)
      if (is_own(k))
        out_.add("  gpuarr_kernel::_copy_pack({} + _item, {});\n", input_slot(k),
                 array_at(k, formatted("_item * {}", p_.pack)));
    out_.text += "}\n";
  }

  void write_moves(const RowStage& stage) {
    if (!is_staged()) return;
    out_.add("{} void _read(const _params& _p, const _place& _at, int _item, _values& _own) {{\n",
             member);
    for (int k : stage.inputs)
      if (is_own(k)) out_.add("  _own._own{} = {}[_item];\n", k, input_slot(k));
    load_common(stage, formatted("_item * {}", p_.pack));
    for (int j : stage.loaded) out_.add("  _own._kept{} = {}[_item];\n", j, kept_slot(j));
    out_.add("}}\n{} void _write(const _params& _p, int _item, const _values& _own) {{\n", member);
    for (int j : stage.stored) out_.add("  {}[_item] = _own._kept{};\n", kept_slot(j), j);
    out_.text += "}\n";
  }

  // --- Stages

  RowElements elements() const {
    return {[this](int k) {
              if (is_one(k)) return formatted("_of_row._one{}", k);
              return formatted("_own._own{}._element[_k]", k);
            },
            [](int j) { return formatted("_own._kept{}._element[_k]", j); },
            [this](char letter) {
              return formatted("_at._{0} + (_first + _k) * _p._{0}_stride[{1}]", letter,
                               p_.inner());
            },
            true};
  }

  // What each row has alike is loaded where it is used.
  void load_common(const RowStage& stage, const std::string& first) {
    for (int k : stage.inputs)
      if (p_.how(k) == Access::common)
        out_.add("  _own._own{}._load({});\n", k, array_at(k, first));
  }

  void write_pass(int number) {
    const RowStage own = stage(number);
    out_.add("\nstruct _pass{} {{\n  typedef {} _partial;\n", number, partial_type(number));
    write_operators(number, member);
    write_moves(own);
    out_.add(
        "{} _partial _take(const _params& _p, const _place& _at, const _row& _of_row, "
        "_values& _own, int _first) {{\n",
        member);
    out_.text += bind_constants(out_.operands, out_.names);
    if (!is_staged()) load_common(own, "_first");
    out_.add(
        "  _partial _sum;\n#pragma unroll\n  for (int _k = 0; _k < {}; ++_k) {{\n{}{}"
        "  const _partial _more = {};\n"
        "  _sum = _k == 0 ? _more : _reduce(_p, _sum, _more);\n  }}\n  return _sum;\n}}\n}};\n",
        p_.pack, element(own, number, elements()), maps(number), counted(number));
  }

  void write_body() {
    const RowStage own = stage(passes());
    out_.text += "\nstruct _body {\n";
    write_moves(own);
    out_.add(
        "{} void _put(const _params& _p, const _place& _at, const _row& _of_row, _values& _own, "
        "int _first) {{\n",
        member);
    out_.text += bind_constants(out_.operands, out_.names);
    if (!is_staged()) load_common(own, "_first");
    for (int k : out_.outputs)
      if (!is_one(k))
        out_.add("  gpuarr_kernel::_pack<{}, {}> _out{};\n", out_.type(k), p_.pack, k);
    out_.add("#pragma unroll\n  for (int _k = 0; _k < {}; ++_k) {{\n{}", p_.pack,
             element(own, passes(), elements()));
    for (int k : out_.outputs)
      if (!is_one(k)) out_.add("  {}& {} = _out{}._element[_k];\n", out_.type(k), name(k), k);
    out_.text += "  {\n" + statements("body", text_.body) + "  }\n  }\n";
    for (int k : out_.outputs)
      if (!is_one(k))
        out_.add("  gpuarr_kernel::_store_streamed({}, _out{});\n", array_at(k, "_first"), k);
    out_.text += "}\n};\n";
  }
};

}  // namespace

std::string cuda_row_algorithm(const RowText& /*text*/, const RowVariant& variant) {
  namespace file = row_cuda_parts;
  const std::string form = variant.form == RowForm::staged
                               ? kernel_file("row/cuda/staged", file::staged)
                               : kernel_file("row/cuda/registers", file::registers);
  return kernel_file("layout/packs", layout_parts::packs) +
         kernel_file("reduction/cuda/join", reduction_cuda_parts::join) +
         kernel_file("row/cuda/streams", file::streams) + kernel_file("row/cuda/join", file::join) +
         form;
}

// Only what the kernel asks for, so that no two texts differ in nothing else.
std::string cuda_row_constants(const RowVariant& p) {
  const bool common = std::ranges::any_of(
      p.operands, [](const OperandVariant& o) { return o.access == Access::common; });
  std::string out = formatted(
      "  typedef {} _index;\n  typedef ::_place _place;\n  typedef ::_row _row;\n"
      "  typedef ::_values _values;\n  enum {{ _width = {}, _lanes = {} }};\n",
      p.many ? "long long" : "unsigned", p.pack, p.lanes);
  // Packs whose loads are under way together: more of several inputs would want too many registers.
  if (p.form == RowForm::staged)
    return out + formatted("  enum {{ _turns = 2, _ahead = {} }};\n", common ? 2 : 4);
  return out + formatted(
                   "  enum {{ _turns = 1, _threads = {}, _packs = {}, _exact = {:d}, _tests = {:d} "
                   "}};\n",
                   block_threads(p), p.packs, p.exact, common);
}

std::string cuda_row(const RowText& text, const RowVariant& variant,
                     std::span<const OperandName> names) {
  return CudaRow(text, variant, names).write();
}

}  // namespace gpuarr
