#include "codegen/gufunc/staging.hpp"

#include <algorithm>

#include "codegen/gufunc/places.hpp"

namespace gpuarr {
namespace {

constexpr int64_t most_elements = 64;
constexpr int64_t least_elements = 3;  // fewer are as fast without
constexpr int64_t least_bytes = 12;
constexpr int64_t least_row = 64;              // places: of half of the warps, all are in one row
constexpr int64_t most_of_a_warp = 24 << 10;   // bytes; every GPU has twice this for a block
constexpr int64_t most_of_a_block = 24 << 10;  // so that several are on a processor

// Of a warp's cores in shared memory, as staged.cuh lays them out.
int64_t staged_bytes(int64_t elements, DType dtype) {
  const int64_t size = size_of(dtype);
  const int64_t unit = std::max<int64_t>(size, 4);
  return 32 * unit * (ceil_div(elements * size, unit) | 1);
}

Access access_of(const Nest& nest, int k, int64_t elements) {
  const int inner = nest.ndim - 1;
  int64_t step = elements;
  for (int axis = inner; axis >= 0 && nest.stride(k, axis) == step; --axis) {
    step *= nest.extent(axis);
    if (axis == 0) return Access::staged;
  }
  return nest.stride(k, inner) == elements && nest.extent(inner) >= least_row ? Access::row_staged
                                                                              : Access::general;
}

// A lane of its own reads memory in sectors of 32 bytes, and a warp reads all. What a body leaves
// of an output is written by each lane for itself.
bool pays(Role role, int64_t elements, int64_t bytes, int64_t touched) {
  if (elements < least_elements || elements > most_elements || bytes < least_bytes) return false;
  return role == Role::output ? touched >= elements : touched >= ceil_div(bytes, 32);
}

// Bytes of a warp; 0 of cores that stay where they are.
int64_t stage(GufuncPlan& p, int k, int64_t elements, int64_t touched, int64_t room) {
  OperandVariant& operand = p.variant.operands[k];
  if (!operand.contiguous) return 0;
  if (!pays(operand.role, elements, elements * size_of(operand.dtype), touched)) return 0;
  const int64_t bytes = staged_bytes(elements, operand.dtype);
  if (bytes > room) return 0;
  operand.access = access_of(p.nest, k, elements);
  return p.variant.stages(k) ? bytes : 0;
}

// Whether a part of the body may run more than once for a place: in loops, lambdas, macros.
bool repeats(const UserText& body) {
  static constexpr std::string_view loops[] = {"for", "while", "do", "goto", "define"};
  const std::string_view text = body;
  for (size_t at = text.find(']'); at != std::string_view::npos; at = text.find(']', at + 1)) {
    const size_t next = text.find_first_not_of(" \t\r\n", at + 1);
    if (next != std::string_view::npos && (text[next] == '(' || text[next] == '{')) return true;
  }
  return body.has_any(loops);
}

int64_t touched_of(const GufuncText& text, const std::string& name) {
  constexpr int64_t any = most_elements;
  if (text.defines.has(name) || text.preamble.has(name) || repeats(text.body)) return any;
  int64_t count = 0;
  for (const UserText::Word& word : text.body.words()) {
    if (word.text != name) continue;
    if (word.next != '(' && word.next != '[') return any;
    ++count;
  }
  return count;
}

}  // namespace

Touched touched_by(const GufuncText& text, std::span<const OperandName> names) {
  static constexpr std::string_view seeing[] = {"gpuarr_view", "addressof", "include"};
  Touched touched{};
  bool inputs = true;
  bool outputs = true;
  for (const UserText* piece : {&text.defines, &text.preamble, &text.body}) {
    if (piece->has("__shared__")) inputs = outputs = false;
    if (piece->has_any(seeing) || piece->may_take_addresses()) outputs = false;
  }
  for (size_t k = 0; k < names.size(); ++k)
    if (static_cast<int>(k) < text.cores.inputs ? inputs : outputs)
      touched[k] = touched_of(text, names[k].name);
  return touched;
}

void stage_cores(GufuncPlan& p, const CoreSignature& cores, const CoreAxes& axes,
                 const Touched& touched) {
  int64_t bytes = 0;
  if (p.largest <= most_elements)
    for (int k = 0; k < p.variant.operands.size(); ++k)
      if (in_loop(p.variant.operands[k].role))
        bytes += stage(p, k, axes.elements(cores, k), touched[as_index(k)], most_of_a_warp - bytes);
  while (p.variant.warps > 2 && p.variant.warps * bytes > most_of_a_block)
    p.variant.warps = p.variant.warps / 2;
}

bool stages_any(const GufuncVariant& variant) {
  for (int k = 0; k < variant.operands.size(); ++k)
    if (variant.stages(k)) return true;
  return false;
}

std::string staged_statements(const PlacesWriter& w, const std::string& place) {
  std::string loads;
  std::string masks;
  std::string stores;
  bool rows = false;
  for (const int k : w.out.arrays) {
    if (!w.variant.stages(k)) continue;
    const bool row = w.variant.operands[k].access == Access::row_staged;
    const char* const together = row ? "_one_row" : "true";
    rows |= row;
    const std::string name = formatted("_staged{}", k);
    loads += variable(formatted("__shared__ gpuarr_gufunc::_staged<{}, {}, {}>", w.out.type(k),
                                w.elements(k), w.variant.most_threads()),
                      name);
    if (w.out.is(k, Role::input)) {
      loads += called(name + ".load", formatted("_at._data{}, _warp, {}", k, together));
    } else {
      masks += assignment(formatted("{} _touched{}", w.mask_type(k), k), "0");
      stores +=
          called(name + ".store", formatted("_at._data{0}, _warp, _touched{0}, {1}", k, together));
    }
  }
  std::string text =
      constant("gpuarr_gufunc::_warp", "_warp", "gpuarr_gufunc::_warp_of(_p._n - _number)") +
      constant("_place", "_at", "_at_row(_p, _number + _warp.own)");
  if (rows)
    text += constant("bool", "_one_row",
                     formatted("_number / _p._extent[{0}] == (_number + _warp.count - 1) / "
                               "_p._extent[{0}]",
                               w.inner()));
  text += loads + called("gpuarr_gufunc::_wait_for_cores") + masks + "  if (_warp.has_place())" +
          braced(place);
  return stores.empty() ? text : text + called("__syncwarp") + stores;
}

}  // namespace gpuarr
