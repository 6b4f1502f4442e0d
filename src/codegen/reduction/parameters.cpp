#include "codegen/reduction/parameters.hpp"

namespace gpuarr {
namespace {

// Numbers of blocks fit 31 bits; others do unless the plan says otherwise.
bool divides_fast(const ReductionVariant& v, bool reduced) {
  return v.simt && !(reduced ? v.wide : v.many);
}

template <class Sink>
void walk_counter(const Nest& nest, bool used, ReductionCounter which, const char* start,
                  const char* stride, Sink& sink) {
  if (!used) return;
  const Counter& counter = nest.counters[which];
  sink.number(start, counter.start);
  sink.numbers(stride, nest.first(counter.strides));
}

template <class Sink>
void walk_counters(const ReductionPlan& p, Sink& sink) {
  const ReductionTraits& t = p.variant.traits;
  walk_counter(p.nest, t.uses_i, input_counter, "i_start", "i_stride", sink);
  walk_counter(p.nest, t.uses_j, reduced_counter, "j_start", "j_stride", sink);
  walk_counter(p.nest, t.uses_l, element_counter, "l_start", "l_stride", sink);
  walk_counter(p.nest, t.uses_result, result_counter, "o_start", "o_stride", sink);
  walk_counter(p.nest, p.variant.has_sets(), set_counter, "set_start", "set_stride", sink);
}

// Calls the sink for each field in order.
template <class Sink>
void walk(const ReductionPlan& p, const ReductionGeometry& g, const Workspace& workspace,
          Sink& sink) {
  const ReductionVariant& v = p.variant;
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.operands[k].role == Role::scalar) sink.scalar(k);
  sink.number("n", p.size);
  sink.number("results", p.results);
  sink.number("items", p.items());
  sink.divisor("row_items", p.row_items(), divides_fast(v, true));
  sink.divisor("inner_tiles", g.inner_tiles, v.simt);
  sink.divisor("tiles", g.tiles, v.simt);
  sink.number("splits", g.splits);
  sink.number("split_items", g.split_items);
  if (!v.simt) {
    sink.number("tasks", g.tasks);
    sink.number("group", g.group);
    sink.number("rows", g.rows);
    sink.number("tile", g.tile);
  }
  sink.address("partials", "_type_reduce", workspace.partials);
  sink.address("counters", "unsigned", workspace.counters);
  if (v.has_sets()) {
    sink.number("all_results", p.all_results);
    sink.address("stage_in", "_type_reduce", workspace.stage_in);
    sink.number("sets", workspace.sets);
    sink.number("set_bytes", workspace.set_bytes);
    sink.address("stage_out", "_type_reduce", workspace.stage_out);
  }
  const std::span<const int64_t> extents = p.nest.first(p.nest.shape);
  sink.divisors("kept", extents.first(as_index(v.kept)), divides_fast(v, false));
  sink.divisors("reduced", extents.subspan(as_index(v.kept)), divides_fast(v, true));
  for (int k = 0; k < v.operands.size(); ++k) {
    Role role = v.operands[k].role;
    if (!in_loop(role)) continue;
    sink.pointer(k, p.nest.data[static_cast<size_t>(k)]);
    const std::span<const int64_t> steps = p.nest.first(p.nest.strides[as_index(k)]);
    sink.strides(k, role == Role::output ? steps.first(as_index(v.kept)) : steps);
  }
  walk_counters(p, sink);
  sink.numbers("in_shape", p.in_shape);
  sink.numbers("out_shape", p.out_shape);
  for (int k = 0; k < v.operands.size(); ++k)
    if (is_raw(v.operands[k].role)) sink.view(k);
}

}  // namespace

ReductionGeometry geometry_of(const ReductionPlan& p, int64_t resident) {
  ReductionGeometry g;
  if (p.variant.gathers())
    g.blocks = ceil_div(p.results, p.variant.simt ? g.threads : 4096);
  else
    p.target->reduction.cut(p, resident, g);
  return g;
}

size_t parameter_bytes(const ReductionPlan& plan) {
  MeasureFields measure{plan.variant.operands};
  walk(plan, ReductionGeometry{}, Workspace{}, measure);
  return measure.total();
}

void write_parameters(std::byte* out, const ReductionPlan& plan, std::span<const Operand> operands,
                      const ReductionGeometry& geometry, const Workspace& workspace,
                      FieldOffsets* offsets) {
  WriteFields write{operands, out, offsets};
  walk(plan, geometry, workspace, write);
}

std::string parameter_struct(const ReductionVariant& variant, const std::string& declarations) {
  ReductionPlan blank{};
  blank.variant = variant;
  blank.nest = blank_nest(variant.ndim);
  blank.in_shape = Dims::filled(variant.in_ndim, 1);
  blank.out_shape = Dims::filled(variant.out_ndim, 1);
  DeclareFields declare{variant.operands};
  declare.text += declarations;
  walk(blank, ReductionGeometry{}, Workspace{}, declare);
  return declare.text + "};\n";
}

}  // namespace gpuarr
