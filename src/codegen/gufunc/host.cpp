// The loop of a gufunc as C++ for the CPU: places along the inner axis one after another, which its
// compiler vectorises where cores are small.
#include "codegen/elementwise/elementwise.hpp"
#include "codegen/elementwise_text.hpp"
#include "codegen/gufunc/gufunc.hpp"
#include "codegen/gufunc/places.hpp"
#include "codegen/layout_text.hpp"

namespace gpuarr {

std::string host_gufunc_algorithm(const GufuncVariant& variant) {
  std::string out;
  if (variant.ndim > 1) out = kernel_file("layout/index", layout_parts::index);
  return out + kernel_file("elementwise/host_rows", elementwise_parts::host_rows);
}

std::string host_gufunc(const GufuncText& pieces, const GufuncVariant& variant,
                        std::span<const OperandName> names) {
  PlacesWriter writer(pieces, variant, names);
  KernelWriter& out = writer.out;
  const auto data = [&](int k) {
    switch (variant.operands[k].access) {
      case Access::repeated:
        return formatted("_at._data{}", k);
      case Access::vector:
        return formatted("_at._data{} + _k", k);
      case Access::packed:
        return formatted("_at._data{} + _k * {}", k, writer.elements(k));
      default:
        return formatted("_at._data{0} + _k * _p._stride{0}[{1}]", k, writer.inner());
    }
  };
  writer.write_places(writer.inner() - 1);
  out.add(
      "\nextern \"C\" void {}_kernel(const _params* _pp, long long _first, long long _last) {{\n",
      pieces.name);
  // A copy, since strides and sizes that a store may change are none that the vectoriser trusts.
  out.text += constant("_params", "_p", "*_pp") + writer.constants();
  out.text += host_blocks_begin;
  out.text += host_rows_begin;
  // Of an array in the body, places have the same memory one after another.
  if (!pieces.preamble.has_own_arrays() && !pieces.body.has_own_arrays())
    out.text += host_independent;
  out.function("      for (long long _k = _begin; _k < _end; ++_k)",
               writer.operands(data) + writer.body() + writer.stores(data));
  out.text += "    }\n  }\n}\n";
  return out.take();
}

}  // namespace gpuarr
