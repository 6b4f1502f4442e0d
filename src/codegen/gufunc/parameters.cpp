#include "codegen/gufunc/parameters.hpp"

#include <algorithm>
#include <cstring>

#include "core/text.hpp"

namespace gpuarr {
namespace {

// Calls the sink for each field in order.
template <class Sink>
void walk(const GufuncPlan& p, const CoreSignature& cores, const CoreAxes& axes,
          const GufuncGeometry& g, Sink& sink) {
  const GufuncVariant& v = p.variant;
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.operands[k].role == Role::scalar) sink.scalar(k);
  sink.number("n", p.size);
  if (!v.simt && v.group == Group::thread) {
    sink.number("rows", g.rows);
    sink.number("rows_per_block", g.rows_per_block);
    sink.number("chunks_per_row", g.chunks_per_row);
    sink.number("chunk", g.chunk);
  }
  sink.divisors("extent", p.nest.first(p.nest.shape), v.divides_fast());
  sink.numbers("size", {axes.sizes.data(), cores.dims.size()});
  for (int k = 0; k < v.operands.size(); ++k) {
    if (!in_loop(v.operands[k].role)) continue;
    sink.pointer(k, p.nest.data[as_index(k)]);
    sink.strides(k, p.nest.first(p.nest.strides[as_index(k)]));
    const Dims& strides = axes.operands[as_index(k)].strides;
    if (!v.operands[k].contiguous)
      sink.core(k, {strides.data(), static_cast<size_t>(strides.size())});
  }
}

// The CPU's blocks: places of about as much work.
void cut_for_host(const GufuncPlan& p, GufuncGeometry& g) {
  constexpr int64_t work = 16384;  // elements of the largest core, in a block
  const int64_t inner = p.nest.extent(p.nest.ndim - 1);
  const int64_t block = std::max<int64_t>(1, work / std::max<int64_t>(1, p.largest));
  g.rows = p.size / inner;
  g.chunk = std::min(inner, block);
  g.chunks_per_row = ceil_div(inner, g.chunk);
  g.rows_per_block = std::max<int64_t>(1, block / inner);
  g.blocks = ceil_div(g.rows, g.rows_per_block) * g.chunks_per_row;
}

}  // namespace

GufuncGeometry geometry_of(const GufuncPlan& p, int threads) {
  GufuncGeometry g;
  g.threads = p.variant.most_threads();
  if (p.variant.group == Group::block) {
    if (threads > 0)
      g.threads = threads;
    else if (p.largest < g.threads)
      g.threads = static_cast<int>(ceil_div(std::max<int64_t>(p.largest, 1), 32) * 32);
    g.blocks = p.size;
  } else if (p.variant.group == Group::warp) {
    g.blocks = ceil_div(p.size, g.threads / 32);
  } else if (p.variant.simt) {
    g.blocks = ceil_div(p.size, g.threads);
  } else {
    cut_for_host(p, g);
  }
  return g;
}

size_t parameter_bytes(const GufuncPlan& plan, const CoreSignature& cores, const CoreAxes& axes) {
  MeasureFields measure{plan.variant.operands};
  walk(plan, cores, axes, {}, measure);
  return measure.total();
}

void write_parameters(std::byte* out, const GufuncPlan& plan, const CoreSignature& cores,
                      const CoreAxes& axes, std::span<const Operand> operands,
                      const GufuncGeometry& geometry, FieldOffsets* offsets) {
  WriteFields write{operands, out, offsets};
  walk(plan, cores, axes, geometry, write);
}

std::string parameter_struct(const GufuncVariant& variant, const CoreSignature& cores) {
  GufuncPlan blank{};
  blank.variant = variant;
  blank.nest = blank_nest(variant.ndim);
  CoreAxes axes;
  axes.sizes.fill(1);
  for (const auto& core : cores.cores)
    axes.operands.push_back({{}, Dims::filled(static_cast<int>(core.size()), 1)});
  DeclareFields declare{variant.operands};
  declare.text += formatted("  enum {{ _axes = {} }};\n", variant.ndim);
  walk(blank, cores, axes, {}, declare);
  // A raw kernel is launched with as many bytes as its parameter has; those here are a multiple.
  if (variant.group != Group::thread)
    declare.text.replace(0, strlen("struct"), "struct __align__(16)");
  return declare.text + "};\n";
}

}  // namespace gpuarr
