#include "codegen/elementwise/loop.hpp"

namespace gpuarr {

const char* index_type(const LoopVariant& variant) {
  if (!variant.simt) return "long long";
  return variant.wide ? "unsigned long long" : "unsigned";
}

const char* offset_type(const LoopVariant& variant) {
  return variant.simt && !variant.wide ? "int" : "long long";
}

std::vector<int> LoopWriter::variables() const {
  std::vector<int> shown;
  for (int k : out.arrays)
    if (!name(k).hidden) shown.push_back(k);
  return shown;
}

void LoopWriter::write_places() {
  const PlaceText place{"_place", "_step", out.arrays, variant.uses_i ? "i" : ""};
  place.declare(out);
  if (inner() > 0)
    place.declare_step(out, index_type(variant), offset_type(variant),
                       [&](int k) { return variant.how(k) == Access::single; });
  std::vector<int> outer = axes_down(inner() - 1);
  if (variant.form == Form::tiled) std::erase(outer, int{variant.tile_axis});
  out.add("{} _place _at_row(const _params& _p, {} _row) {{\n  _place _at = {};\n", in_kernel,
          index_type(variant), place.start());
  out.text +=
      place.steps("_at", "_row", outer, [](int axis) { return formatted("_p._extent[{}]", axis); });
  out.text += "  return _at;\n}\n";
}

std::string LoopWriter::index(const char* place) const {
  return formatted("{}._i + _k * _p._i_stride[{}]", place, inner());
}

}  // namespace gpuarr
