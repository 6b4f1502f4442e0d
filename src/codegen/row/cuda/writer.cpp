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
constexpr const char* of_row = "const _params& _p, const _place& _at";
constexpr const char* of_item = "const _params& _p, const _place& _at, int _item";
constexpr const char* of_element =
    "const _params& _p, const _place& _at, const _row& _of_row, _values& _own, int _item, int _k";

class CudaRow : RowWriterBase {
 public:
  using RowWriterBase::RowWriterBase;

  std::string write() {
    write_places(p_.many ? "long long" : "unsigned");
    if (p_.shifted()) write_head();
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
    out_.function(formatted("\nextern \"C\" __global__ void {}__launch_bounds__({}) {}_kernel(\n"
                            "    const __grid_constant__ _params _p)",
                            cluster(), bounds(), text_.name),
                  formatted("  gpuarr_kernel::_run_{}<{}>(_p);\n",
                            is_staged() ? "staged" : "in_registers", stages));
    return take();
  }

 private:
  bool is_staged() const { return p_.form == RowForm::staged; }
  bool is_own(int k) const {  // its elements are those of the threads that share the row
    return out_.is(k, Role::input) && is_read(k) &&
           (p_.how(k) == Access::vector || p_.how(k) == Access::general);
  }

  // Blocks of staged rows, and large ones, stand side by side. Others would spill for it.
  std::string bounds() const {
    const int threads = block_threads(p_);
    const bool large = threads == staged_threads / 2 && p_.packs > 6;
    if (!is_staged() && !large) return std::to_string(threads);
    return formatted("{}, {}", threads, staged_threads / threads);
  }

  std::string cluster() const {
    return p_.blocks == 1 ? "" : formatted("__cluster_dims__({}, 1, 1) ", p_.blocks);
  }

  std::string pack_of(const char* type) const {
    return formatted("gpuarr_kernel::_pack<{}, {}>", type, p_.pack);
  }

  // What a thread has of a pack.
  void write_values() {
    std::string members;
    for (int k : out_.inputs)
      if (is_own(k) || p_.how(k) == Access::common)
        members += variable(pack_of(out_.type(k)), formatted("_own{}", k));
    for (int j = 0; j < traits_.kept; ++j)
      if (stays(j)) members += variable(pack_of(cxx(kept(j).dtype)), formatted("_kept{}", j));
    for (int k : out_.outputs)
      if (!is_one(k)) members += variable(pack_of(out_.type(k)), formatted("_out{}", k));
    out_.structure("_values", members);
  }

  std::string array_at(int k, const std::string& element) const {
    if (p_.how(k) == Access::general)
      return formatted("_at._data{0} + {1} * _p._stride{0}[{2}]", k, element, p_.inner());
    return formatted("_at._data{} + {}", k, element);
  }

  // Of pack _item.
  std::string pack_at(int k) const {
    return array_at(k, formatted("_item * {}{}", p_.pack, p_.shifted() ? " - _head(_at)" : ""));
  }

  // Moves a pack, of which a part may be the row's.
  std::string move(const char* whole, const char* part, const std::string& arguments) const {
    return formatted("  gpuarr_kernel::{}({}{});\n", p_.shifted() ? part : whole, arguments,
                     p_.shifted() ? ", gpuarr_kernel::part_of(_p, _at, _item)" : "");
  }

  // Elements between the begin of a row's first pack and the row.
  void write_head() {
    const int k = p_.anchor();
    out_.function(formatted("{} int _head(const _place& _at)", in_kernel),
                  returned(formatted("(int)((size_t)_at._data{} / sizeof({}) % {})", k,
                                     out_.type(k), p_.pack)));
  }

  void write_load() {
    std::string body;
    for (int k : out_.inputs)
      if (is_own(k))
        body += assignment(formatted("_own._own{}", k),
                           formatted("gpuarr_kernel::_load_streamed<{}, {}>({})", out_.type(k),
                                     p_.pack, pack_at(k)));
    out_.function(formatted("{} void _load({}, _values& _own)", in_kernel, of_item), body);
  }

  // --- Shared memory

  // Bytes before a slot of a row: those of inputs, then those of kept values.
  std::string offset(int until_input, int until_kept) const {
    std::string out = "0";
    const auto add = [&](DType dtype) {
      out += formatted(" + gpuarr_kernel::_slot_bytes(_p, {})", size_of(dtype));
    };
    for (int k : out_.inputs)
      if (is_own(k) && k < until_input) add(out_.operand(k).dtype);
    for (int j = 0; j < until_kept; ++j)
      if (place_of(j) == kept_own) add(kept(j).dtype);
    return out;
  }

  // Where pack _item is.
  std::string slot(const char* type, const std::string& offset) const {
    return formatted("(({}*)(_in + {}))[_item{}]", pack_of(type), offset,
                     p_.blocks == 1 ? "" : " - gpuarr_kernel::_first_item(_p)");
  }
  std::string input_slot(int k) const { return slot(out_.type(k), offset(k, 0)); }
  std::string kept_slot(int j) const {
    const int place = place_of(j);
    return slot(cxx(kept(j).dtype), place == kept_own ? offset(max_operands, j) : offset(place, 0));
  }

  void write_stage() {
    std::string body;
    for (int k : out_.inputs)
      if (is_own(k))
        body += move("_copy_pack", "_copy_part", formatted("&{}, {}", input_slot(k), pack_at(k)));
    out_.function(formatted("{} int _row_bytes(const _params& _p)", in_kernel),
                  returned(offset(max_operands, static_cast<int>(text_.kept.size()))));
    out_.function(formatted("{} void _stage({}, unsigned char* _in, int _item)", in_kernel, of_row),
                  body);
  }

  // What each row has alike is loaded where it is used.
  void write_moves(const RowStage& stage) {
    std::string common, read, write;
    for (int k : stage.inputs)
      if (p_.how(k) == Access::common)
        common += p_.shifted() ? move("", "_load_near", formatted("_own._own{}, {}", k, pack_at(k)))
                               : formatted("  _own._own{}._load({});\n", k, pack_at(k));
      else if (is_own(k) && is_staged())
        read += assignment(formatted("_own._own{}", k), input_slot(k));
    if (!is_staged()) {
      out_.function(formatted("{} void _read({}, _values& _own)", member, of_item), common);
      return;
    }
    for (int j : stage.loaded) read += assignment(formatted("_own._kept{}", j), kept_slot(j));
    for (int j : stage.stored) write += assignment(kept_slot(j), formatted("_own._kept{}", j));
    const char* const of_slot = "const _params& _p, unsigned char* _in, int _item";
    out_.function(formatted("{} void _read_common({}, _values& _own)", member, of_item), common);
    out_.function(formatted("{} void _read({}, _values& _own)", member, of_slot), read);
    out_.function(formatted("{} void _write({}, const _values& _own)", member, of_slot), write);
  }

  // --- Stages

  RowElements elements() const {
    return {[this](int k) {
              if (is_one(k)) return formatted("_of_row._one{}", k);
              return formatted("_own._own{}._element[_k]", k);
            },
            [](int j) { return formatted("_own._kept{}._element[_k]", j); },
            [this](char letter) {
              const std::string k =
                  p_.shifted()
                      ? "gpuarr_kernel::nearest(gpuarr_kernel::part_of(_p, _at, _item), _k) - "
                        "_head(_at)"
                      : "_k";
              return formatted("_at._{0} + (_item * {1} + {3}) * _p._{0}_stride[{2}]", letter,
                               p_.pack, p_.inner(), k);
            },
            true};
  }

  std::string element_of(const RowStage& own, int number) const {
    return bind_constants(out_.operands, out_.names) + element(own, number, elements());
  }

  void write_pass(int number) {
    const RowStage own = stage(number);
    out_.add("\nstruct _pass{} : gpuarr_kernel::_pass<{}> {{\n", number, partial_type(number));
    write_operators(number, member);
    write_moves(own);
    out_.function(
        formatted("{} _partial _take({})", member, of_element),
        element_of(own, number) + maps(number) + returned("_partial(" + counted(number) + ")"));
    out_.text += "};\n";
  }

  void write_body() {
    const RowStage own = stage(passes());
    out_.text += "\nstruct _body {\n";
    write_moves(own);
    std::string put = element_of(own, passes()), store;
    for (int k : out_.outputs) {
      if (is_one(k)) continue;
      put += reference(out_.type(k), name(k), formatted("_own._out{}._element[_k]", k));
      store += move("_store_streamed", "_store_part", formatted("{}, _own._out{}", pack_at(k), k));
    }
    out_.function(formatted("{} void _put({})", member, of_element),
                  put + braced(statements("body", text_.body)));
    out_.text += "};\n";
    out_.function(formatted("{} void _store({}, const _values& _own)", in_kernel, of_item), store);
  }
};

}  // namespace

std::string cuda_row_algorithm(const RowText& /*text*/, const RowVariant& variant) {
  namespace file = row_cuda_parts;
  const std::string form = variant.form == RowForm::staged
                               ? kernel_file("row/cuda/parts", file::parts) +
                                     kernel_file("row/cuda/cluster", file::cluster) +
                                     kernel_file("row/cuda/staged", file::staged)
                               : kernel_file("row/cuda/registers", file::registers);
  return kernel_file("layout/packs", layout_parts::packs) +
         kernel_file("reduction/cuda/join", reduction_cuda_parts::join) +
         kernel_file("row/cuda/streams", file::streams) + kernel_file("row/cuda/join", file::join) +
         kernel_file("row/cuda/elements", file::elements) + form;
}

// Only what the kernel asks for, so that no two texts differ in nothing else.
std::string cuda_row_constants(const RowVariant& p) {
  const auto any = [&](auto is) { return std::ranges::any_of(p.operands, is); };
  const bool common = p.has(Access::common);
  const bool wide = any([](const OperandVariant& o) { return size_of(o.dtype) > 4; });
  std::string out = formatted("  typedef {} _index;\n  enum {{ _width = {}, _lanes = {} }};\n",
                              p.many ? "long long" : "unsigned", p.pack, p.lanes);
  // Packs whose loads are under way together: more of several inputs, or of doubles, would want too
  // many registers.
  if (p.form == RowForm::staged)
    return out +
           formatted(
               "  enum {{ _turns = 2, _blocks = {}, _held = {}, _ahead = {}, _shifted = {:d} }};\n",
               p.blocks, p.held, common || wide ? 2 : 4, p.shifted());
  return out + formatted(
                   "  enum {{ _turns = 1, _threads = {}, _packs = {}, _exact = {:d}, _tests = {:d} "
                   "}};\n",
                   block_threads(p), p.packs, p.ends == RowEnds::whole, common);
}

std::string cuda_row(const RowText& text, const RowVariant& variant,
                     std::span<const OperandName> names) {
  return CudaRow(text, variant, names).write();
}

}  // namespace gpuarr
