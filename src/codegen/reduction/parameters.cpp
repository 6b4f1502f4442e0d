#include "codegen/reduction/parameters.hpp"

namespace gpuarr {
namespace {

struct CounterName {
  const char* start;
  const char* stride;
};
constexpr CounterName counter_names[] = {{"i_start", "i_stride"},
                                         {"j_start", "j_stride"},
                                         {"l_start", "l_stride"},
                                         {"o_start", "o_stride"}};

// Numbers of blocks fit 31 bits; others do unless the plan says otherwise.
bool divides_fast(const ReductionPlan& p, bool reduced) {
  return p.target->simt && !(reduced ? p.wide : p.many);
}

template <class Sink>
void walk_counters(const ReductionPlan& p, Sink& sink) {
  for (int c = 0; c < 4; ++c) {
    const Counter& counter = p.nest.counters[static_cast<size_t>(c)];
    if (!counter.used) continue;
    sink.number(counter_names[c].start, counter.start);
    for (int axis = 0; axis < p.nest.ndim; ++axis)
      sink.number(counter_names[c].stride, axis, p.nest.step(c, axis));
  }
}

// Calls the sink for each field in order.
template <class Sink>
void walk(const ReductionPlan& p, std::span<const Operand> operands, const ReductionGeometry& g,
          const Workspace& workspace, Sink& sink) {
  for (int k = 0; k < p.operands; ++k)
    if (operands[static_cast<size_t>(k)].role == Role::scalar) sink.scalar(k);
  sink.number("n", p.size);
  sink.number("results", p.results);
  sink.number("items", p.items());
  sink.divisor("row_items", p.row_items(), divides_fast(p, true));
  sink.divisor("inner_tiles", g.inner_tiles, p.target->simt);
  sink.divisor("tiles", g.tiles, p.target->simt);
  sink.number("splits", g.splits);
  sink.number("split_items", g.split_items);
  if (!p.target->simt) {
    sink.number("tasks", g.tasks);
    sink.number("group", g.group);
    sink.number("rows", g.rows);
    sink.number("tile", g.tile);
  }
  sink.address("partials", "_type_reduce", workspace.partials);
  sink.address("counters", "unsigned", workspace.counters);
  if (p.stage != Stage::whole && p.stage != Stage::empty) {
    sink.address("stage_in", "_type_reduce", workspace.stage_in);
    sink.number("sets", workspace.sets);
    sink.number("set_bytes", workspace.set_bytes);
    sink.address("stage_out", "_type_reduce", workspace.stage_out);
  }
  for (int axis = 0; axis < p.nest.ndim; ++axis)
    sink.divisor("extent", axis, p.nest.extent(axis), divides_fast(p, axis >= p.kept));
  for (int k = 0; k < p.operands; ++k) {
    Role role = operands[static_cast<size_t>(k)].role;
    if (!in_loop(role)) continue;
    sink.pointer(k, p.nest.data[static_cast<size_t>(k)]);
    for (int axis = 0; axis < (role == Role::output ? p.kept : p.nest.ndim); ++axis)
      sink.stride(k, axis, p.nest.stride(k, axis));
  }
  walk_counters(p, sink);
  for (int axis = 0; axis < p.in_shape.size(); ++axis)
    sink.number("in_shape", axis, p.in_shape[axis]);
  for (int axis = 0; axis < p.out_shape.size(); ++axis)
    sink.number("out_shape", axis, p.out_shape[axis]);
  for (int k = 0; k < p.operands; ++k)
    if (is_raw(operands[static_cast<size_t>(k)].role)) sink.view(k);
}

}  // namespace

ReductionGeometry geometry_of(const ReductionPlan& p, int64_t resident) {
  ReductionGeometry g;
  if (p.stage != Stage::whole && p.stage != Stage::partial)
    g.blocks = ceil_div(p.results, p.target->simt ? g.threads : 4096);
  else
    p.target->reduction.cut(p, resident, g);
  return g;
}

size_t parameter_bytes(const ReductionPlan& plan, std::span<const Operand> operands) {
  MeasureFields measure{operands};
  walk(plan, operands, ReductionGeometry{}, Workspace{}, measure);
  return measure.total();
}

void write_parameters(std::byte* out, const ReductionPlan& plan, std::span<const Operand> operands,
                      const ReductionGeometry& geometry, const Workspace& workspace,
                      std::array<int, max_operands>* scalar_offsets) {
  WriteFields write{operands, out, scalar_offsets};
  walk(plan, operands, geometry, workspace, write);
}

std::string parameter_struct(const ReductionPlan& plan, std::span<const Operand> operands,
                             const std::string& declarations) {
  DeclareFields declare{operands};
  declare.text += declarations;
  walk(plan, operands, ReductionGeometry{}, Workspace{}, declare);
  return declare.text + "};\n";
}

}  // namespace gpuarr
