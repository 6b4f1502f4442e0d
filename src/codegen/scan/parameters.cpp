#include "codegen/scan/parameters.hpp"

#include <algorithm>

#include "core/text.hpp"

namespace gpuarr {
namespace {

// In bits: what a chunk is on the CPU counts for its results.
constexpr int64_t host_chunk = 8 * 8208;  // eight parts, whose places in the cache are not the same
constexpr int64_t host_width = 512;
constexpr int64_t host_column_chunk = 256;
constexpr int64_t host_task_elements = 16384;
constexpr int64_t device_width = 32;
constexpr int64_t device_waves = 12;  // of blocks, where columns are cut
constexpr int64_t prefix_rows = 256;

ScanGeometry cut_rows(ScanPlan& p, int type_bytes, const ScanDevice& device) {
  ScanVariant& v = p.variant;
  ScanGeometry g;
  if (!v.simt) {
    g.chunk = std::min(p.length, host_chunk);
    g.chunks = ceil_div(p.length, host_chunk);
    v.chunked = g.chunks > 1;
    g.tasks = p.rows * g.chunks;
    g.group = std::max<int64_t>(1, host_task_elements / g.chunk);
    return g;
  }
  g.chunk = int64_t{v.lanes} * v.packs * v.pack;
  g.chunks = ceil_div(p.length, g.chunk);
  g.tasks = v.chunked ? p.rows * g.chunks : ceil_div(p.rows * v.lanes, 256);
  const int64_t words = ceil_div(type_bytes, 4);
  g.per_row = words * (g.chunks + ceil_div(g.chunks, 32) + ceil_div(g.chunks, 1024));
  if (p.read_bytes > 0)  // not scalars alone
    g.ahead = tiles_ahead(g.chunk * p.read_bytes, device.processors, device.cache_bytes);
  return g;
}

ScanGeometry cut_columns(ScanPlan& p, int processors) {
  ScanVariant& v = p.variant;
  ScanGeometry g;
  const bool host = !v.simt;
  g.width = host ? std::min(host_width, p.columns()) : device_width;
  g.cut = ceil_div(p.columns(), g.width);
  const int64_t side_by_side = p.rows / p.columns() * g.cut;
  const int64_t step = host ? 1 : 8 * v.packs;
  int64_t chunk = p.length;
  if (host && side_by_side < 64)
    chunk = std::max(host_column_chunk, 2 * host_chunk / g.width);
  else if (!host && side_by_side < 4 * int64_t{processors})
    chunk =
        std::max(4 * step, ceil_div(p.length * side_by_side, device_waves * int64_t{processors}));
  g.chunk = std::min(p.length, ceil_div(chunk, step) * step);
  g.chunks = ceil_div(p.length, g.chunk);
  v.chunked = g.chunks > 1;
  g.tasks = side_by_side * g.chunks;
  g.group = host ? std::max<int64_t>(1, host_task_elements / (g.chunk * g.width)) : 1;
  return g;
}

template <class Sink>
void walk(const ScanPlan& p, const ScanGeometry& g, void* states, Sink& sink) {
  const ScanVariant& v = p.variant;
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.operands[k].role == Role::scalar) sink.scalar(k);
  sink.number("n", p.length);
  sink.number("rows", p.rows);
  sink.number("chunks", g.chunks);
  sink.number("chunk", g.chunk);
  sink.number("tasks", g.tasks);
  sink.number("group", g.group);
  sink.number("cut", g.cut);
  sink.number("width", g.width);
  sink.number("columns", p.columns());
  sink.number("per_row", g.per_row);
  sink.number("ahead", g.ahead);
  sink.address("states", "void", states);
  sink.numbers("extent", p.nest.first(p.nest.shape).first(as_index(v.kept())));
  for (int k = 0; k < v.operands.size(); ++k) {
    if (!in_loop(v.operands[k].role)) continue;
    sink.pointer(k, p.nest.data[as_index(k)]);
    sink.strides(k, p.nest.first(p.nest.strides[as_index(k)]));
  }
}

}  // namespace

int64_t tiles_ahead(int64_t tile_bytes, int processors, int64_t cache_bytes) {
  return std::min<int64_t>(2 * processors, cache_bytes / 10 / tile_bytes);
}

ScanGeometry cut_scan(ScanPlan& p, int type_bytes, const ScanDevice& device) {
  const ScanVariant& v = p.variant;
  const bool rows = v.form == ScanForm::rows;
  ScanGeometry g = rows ? cut_rows(p, type_bytes, device) : cut_columns(p, device.processors);
  g.prefix_tasks = ceil_div(p.rows, prefix_rows);
  if (v.chunked)
    g.states = rows && v.simt ? 8 * g.per_row * p.rows : p.rows * g.chunks * type_bytes;
  return g;
}

size_t scan_parameter_bytes(const ScanPlan& plan) {
  MeasureFields sink{plan.variant.operands};
  walk(plan, {}, nullptr, sink);
  return sink.total();
}

void write_scan_parameters(std::byte* out, const ScanPlan& plan, std::span<const Operand> operands,
                           const ScanGeometry& geometry, void* states) {
  WriteFields sink{operands, out, nullptr};
  walk(plan, geometry, states, sink);
}

std::string scan_parameter_struct(const ScanVariant& v) {
  ScanPlan blank{};
  blank.variant = v;
  blank.nest = blank_nest(v.ndim);
  DeclareFields sink{v.operands};
  walk(blank, {}, nullptr, sink);
  std::string out = "struct _place;\n" + sink.text + "  typedef _type_reduce _scanned;\n";
  out += "  typedef ::_place _place;\n";
  out += formatted("  typedef {} _index;\n", !v.simt || v.wide ? "long long" : "unsigned");
  out += formatted("  enum {{ _exclusive = {:d}, _chunked = {:d} }};\n", v.exclusive, v.chunked);
  if (v.simt)
    out += formatted("  enum {{ _pack_size = {}, _packs = {}, _lanes = {} }};\n", v.pack, v.packs,
                     v.lanes);
  return out + "};\n";
}

}  // namespace gpuarr
