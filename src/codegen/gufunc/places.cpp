#include "codegen/gufunc/places.hpp"

#include <cctype>

#include "codegen/elementwise/elementwise.hpp"

namespace gpuarr {

const char* PlacesWriter::index_type() const {
  if (!variant.simt) return "long long";
  return variant.wide ? "unsigned long long" : "unsigned";
}

const char* PlacesWriter::offset_type() const {
  return variant.simt && !variant.wide ? "int" : "long long";
}

void PlacesWriter::write_places(int last) {
  const PlaceText place{"_place", "_step", out.arrays, ""};
  place.declare(out);
  if (last >= 0) place.declare_step(out, index_type(), offset_type());
  std::string steps = assignment("_place _at", place.start());
  if (variant.group == Group::thread)
    steps += place.steps("_at", "_row", axes_down(last),
                         [](int axis) { return formatted("_p._extent[{}]", axis); });
  else  // raw kernels have no other text of ours; and a group looks for its place once
    for (int axis = last; axis >= 0; --axis)
      steps += formatted("  _step(_p, _at, {0}, _row % _p._extent[{0}]);\n", axis) +
               assignment("_row", formatted("_row / _p._extent[{}]", axis));
  out.function(formatted("{} _place _at_row(const _params& _p, {} _row)", in_kernel, index_type()),
               steps + returned("_at"));
}

std::string PlacesWriter::size_of_dim(int dim) const {
  const CoreDim& d = pieces.cores.dims[as_index(dim)];
  if (variant.constants[as_index(dim)] > 0)
    return std::to_string(variant.constants[as_index(dim)] - 1);
  return d.fixed >= 0 && !d.optional ? std::to_string(d.fixed) : formatted("_p._size[{}]", dim);
}

std::string PlacesWriter::product(std::span<const int> dims) const {
  int64_t known = 1;
  std::string text;
  for (const int dim : dims)
    if (const std::string size = size_of_dim(dim); size.starts_with('_'))
      text += (text.empty() ? "" : " * ") + size;
    else
      known *= std::stoll(size);
  if (text.empty() || known != 1) text = std::to_string(known) + (text.empty() ? "" : " * " + text);
  return text;
}

std::string PlacesWriter::constants() const {
  std::string text;
  for (int k = 0; k < out.operands.size(); ++k)
    if (out.is(k, Role::scalar))
      text +=
          constant(out.type(k), out.names[as_index(k)].name, formatted("_p._scalar{}._value", k));
  const auto& dims = pieces.cores.dims;
  for (size_t dim = 0; dim < dims.size(); ++dim)
    if (std::isdigit(static_cast<unsigned char>(dims[dim].name[0])) == 0)
      text += constant("long long", dims[dim].name, size_of_dim(static_cast<int>(dim)));
  return text;
}

// A view of the core that begins there.
std::string PlacesWriter::core_value(int k, const std::string& data) const {
  const std::span<const int> dims = pieces.cores.cores[as_index(k)];
  std::string sizes;
  std::string strides;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const char* const comma = axis > 0 ? ", " : "";
    sizes.append(comma).append(size_of_dim(dims[axis]));
    if (!out.operand(k).contiguous)
      strides += formatted("{}_p._core{}[{}]", comma, k, axis);
    else
      strides.append(comma).append(
          product(pieces.cores.order == Order::c ? dims.subspan(axis + 1) : dims.first(axis)));
  }
  return formatted("{{{}, {}, {{{}}}, {{{}}}}}", data, product(dims), sizes, strides);
}

int64_t PlacesWriter::elements(int k) const {
  return std::stoll(product(pieces.cores.cores[as_index(k)]));
}

const char* PlacesWriter::mask_type(int k) const {
  return elements(k) > 32 ? "unsigned long long" : "unsigned";
}

// What the body has of an operand with a core.
std::string PlacesWriter::core(int k, const Data& data) const {
  const std::string& name = out.names[as_index(k)].name;
  const bool flat = out.operand(k).contiguous && pieces.cores.order == Order::c;
  const std::string kind =
      formatted("{}, {}, {}", out.element_type(k), pieces.cores.cores[as_index(k)].size(), flat);
  const std::string view = formatted("gpuarr_view<{}>", kind);
  if (!variant.stages(k)) return constant(view, name, core_value(k, data(k)));
  const std::string slots = core_value(k, formatted("_staged{}.own()", k));
  if (out.is(k, Role::input)) return constant(view, name, slots);
  return constant(formatted("gpuarr_gufunc::_output<{}, {}>", kind, mask_type(k)), name,
                  formatted("{{{}, {}, &_touched{}}}", slots, data(k), k));
}

std::string PlacesWriter::operands(const Data& data) const {
  std::string text;
  for (const int k : out.arrays)
    if (has_core(k))
      text += core(k, data);
    else
      text += assignment(formatted("{} {}", out.element_type(k), out.names[as_index(k)].name),
                         formatted("*({})", data(k)));
  return text;
}

std::string PlacesWriter::body() const {
  static constexpr const char* groups[] = {"thread", "warp", "block"};
  std::string text;
  if (names_group(pieces))
    text = constant(formatted("gpuarr_gufunc::_{}_group", groups[static_cast<int>(variant.group)]),
                    "group", "{}");
  return text + body_once(pieces.body, "  ");
}

std::string PlacesWriter::stores(const Data& data) const {
  std::string text;
  for (const int k : out.outputs)
    if (!has_core(k)) text += assignment(formatted("*({})", data(k)), out.names[as_index(k)].name);
  return text;
}

}  // namespace gpuarr
