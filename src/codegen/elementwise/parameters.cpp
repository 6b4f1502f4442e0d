#include "codegen/elementwise/parameters.hpp"

#include <algorithm>

#include "codegen/layout/fields.hpp"

namespace gpuarr {
namespace {

// Calls the sink for each field in order.
template <class Sink>
void walk(const Plan& p, const Geometry& g, Sink& sink) {
  const LoopVariant& v = p.variant;
  const bool fast = v.simt && !v.wide;
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.operands[k].role == Role::scalar) sink.scalar(k);
  sink.number("n", p.size);
  if (v.form == Form::tiled) {
    sink.divisor("inner_tiles", g.inner_tiles, fast);
    sink.divisor("cross_tiles", g.cross_tiles, fast);
  } else if (!v.simt) {
    sink.number("rows", g.rows);
    sink.number("rows_per_block", g.rows_per_block);
    sink.number("chunks_per_row", g.chunks_per_row);
    sink.number("chunk", g.chunk);
  } else if (v.form == Form::rows && v.pack > 1) {
    sink.divisor("row_packs", g.row_packs, fast);
    sink.number("total_packs", g.total_packs);
  }
  sink.divisors("extent", p.nest.first(p.nest.shape), fast);
  for (int k = 0; k < v.operands.size(); ++k) {
    if (!in_loop(v.operands[k].role)) continue;
    sink.pointer(k, p.nest.data[as_index(k)]);
    if (v.how(k) != Access::single) sink.strides(k, p.nest.first(p.nest.strides[as_index(k)]));
  }
  if (v.uses_i) {
    sink.number("i_start", p.nest.counters[0].start);
    sink.numbers("i_stride", p.nest.first(p.nest.counters[0].strides));
  }
  if (v.uses_ind) sink.numbers("shape", p.loop_shape);
  for (int k = 0; k < v.operands.size(); ++k)
    if (is_raw(v.operands[k].role)) sink.view(k);
}

// The CPU's blocks: parts of long rows, or several short rows, of about as many elements.
void cut_for_host(const Plan& p, const BodyTraits& body, Geometry& g) {
  constexpr int64_t alone = 65536;  // less is not worth waking a thread for
  // Small enough that the threads end at about the same time.
  constexpr int64_t shared = 16384;
  int64_t block = body.has_loop ? 2048 : p.size <= alone ? alone : shared;
  g.rows = p.size / p.inner();
  g.chunk = std::min(p.inner(), block);
  g.chunks_per_row = ceil_div(p.inner(), g.chunk);
  g.rows_per_block = std::max<int64_t>(1, block / p.inner());
  g.blocks = ceil_div(g.rows, g.rows_per_block) * g.chunks_per_row;
}

}  // namespace

Geometry geometry_of(const Plan& p, const BodyTraits& body) {
  const LoopVariant& v = p.variant;
  Geometry g;
  if (v.form == Form::tiled) {
    g.inner_tiles = ceil_div(p.inner(), v.tile);
    g.cross_tiles = ceil_div(p.extent(v.tile_axis), v.tile);
    int64_t outer = p.size / p.inner() / p.extent(v.tile_axis);
    g.blocks = outer * g.cross_tiles * (v.simt ? g.inner_tiles : 1);
  } else if (!v.simt) {
    cut_for_host(p, body, g);
  } else if (v.form == Form::rows && v.pack > 1) {
    g.rows = p.size / p.inner();
    g.row_packs = p.row_packs();
    g.total_packs = g.rows * g.row_packs;
    g.blocks = ceil_div(g.total_packs, g.threads);
  } else {
    g.blocks = ceil_div(p.size, g.threads);
  }
  return g;
}

size_t parameter_bytes(const Plan& plan) {
  MeasureFields measure{plan.variant.operands};
  walk(plan, Geometry{}, measure);
  return measure.total();
}

void write_parameters(std::byte* out, const Plan& plan, std::span<const Operand> operands,
                      const Geometry& geometry, FieldOffsets* offsets) {
  WriteFields write{operands, out, offsets};
  walk(plan, geometry, write);
}

std::string parameter_struct(const LoopVariant& variant, const std::string& declarations) {
  Plan blank{};
  blank.variant = variant;
  blank.nest = blank_nest(variant.ndim);
  blank.loop_shape = Dims::filled(variant.loop_ndim, 1);
  DeclareFields declare{variant.operands};
  declare.text += declarations;
  walk(blank, Geometry{}, declare);
  return declare.text + "};\n";
}

}  // namespace gpuarr
