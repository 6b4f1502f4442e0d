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
    sink.numbers(counter_names[c].stride, p.nest.first(counter.strides));
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
  const std::span<const int64_t> extents = p.nest.first(p.nest.shape);
  sink.divisors("kept", extents.first(as_index(p.kept)), divides_fast(p, false));
  sink.divisors("reduced", extents.subspan(as_index(p.kept)), divides_fast(p, true));
  for (int k = 0; k < p.operands; ++k) {
    Role role = operands[static_cast<size_t>(k)].role;
    if (!in_loop(role)) continue;
    sink.pointer(k, p.nest.data[static_cast<size_t>(k)]);
    const std::span<const int64_t> steps = p.nest.first(p.nest.strides[as_index(k)]);
    sink.strides(k, role == Role::output ? steps.first(as_index(p.kept)) : steps);
  }
  walk_counters(p, sink);
  sink.numbers("in_shape", p.in_shape);
  sink.numbers("out_shape", p.out_shape);
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
