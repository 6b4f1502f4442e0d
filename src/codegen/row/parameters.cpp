#include "codegen/row/parameters.hpp"

#include <algorithm>

#include "codegen/reduction/host/cut.hpp"

namespace gpuarr {
namespace {

constexpr int least_threads = 256;

// Calls the sink for each field in order.
template <class Sink>
void walk(const RowPlan& p, const RowGeometry& g, Sink& sink) {
  const RowVariant& v = p.variant;
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.operands[k].role == Role::scalar) sink.scalar(k);
  sink.number("n", p.row_length());
  sink.number("rows", p.rows);
  if (v.simt)
    sink.number("items", p.items());
  else
    sink.number("group", g.group);
  sink.divisors("kept", p.nest.first(p.nest.shape).first(as_index(v.inner())), v.simt && !v.many);
  for (int k = 0; k < v.operands.size(); ++k) {
    if (!in_loop(v.operands[k].role)) continue;
    sink.pointer(k, p.nest.data[as_index(k)]);
    sink.strides(k, p.nest.first(p.nest.strides[as_index(k)]));
  }
  constexpr const char* names[][2] = {{"i_start", "i_stride"}, {"j_start", "j_stride"}};
  const bool used[] = {v.uses_i, v.uses_j};
  for (size_t c = 0; c < 2; ++c) {
    if (!used[c]) continue;
    sink.number(names[c][0], p.nest.counters[c].start);
    sink.numbers(names[c][1], p.nest.first(p.nest.counters[c].strides));
  }
}

}  // namespace

int block_threads(const RowVariant& v) {
  return v.simt ? std::max<int>(least_threads * (v.lanes <= 32 ? 1 : 0), v.lanes) : 1;
}

RowGeometry geometry_of(const RowPlan& p, int64_t resident) {
  const RowVariant& v = p.variant;
  RowGeometry g;
  g.threads = block_threads(v);
  if (!v.simt) {
    g.group = std::max<int64_t>(1, host_task / p.row_length());
    g.blocks = ceil_div(p.rows, g.group);
  } else if (v.form == RowForm::staged) {
    g.blocks = std::clamp<int64_t>(resident, 1, ceil_div(p.rows, v.held)) * v.blocks;
    g.shared_bytes = static_cast<int>(p.slot_bytes);
  } else {
    g.blocks = ceil_div(p.rows, g.threads / v.lanes);
  }
  return g;
}

size_t parameter_bytes(const RowPlan& plan) {
  MeasureFields measure{plan.variant.operands};
  walk(plan, RowGeometry{}, measure);
  return measure.total();
}

void write_parameters(std::byte* out, const RowPlan& plan, std::span<const Operand> operands,
                      const RowGeometry& geometry, FieldOffsets* offsets) {
  WriteFields write{operands, out, offsets};
  walk(plan, geometry, write);
}

std::string parameter_struct(const RowVariant& variant, const std::string& declarations) {
  RowPlan blank{};
  blank.variant = variant;
  blank.nest = blank_nest(variant.ndim);
  DeclareFields declare{variant.operands};
  declare.text += declarations;
  walk(blank, RowGeometry{}, declare);
  return declare.text + "};\n";
}

}  // namespace gpuarr
