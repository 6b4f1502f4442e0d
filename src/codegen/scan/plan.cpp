#include "codegen/scan/plan.hpp"

#include <algorithm>
#include <cstdlib>

#include "codegen/scan/parameters.hpp"

namespace gpuarr {
namespace {

constexpr int block_threads = 256;
constexpr int staged_packs = 11;  // of a thread; odd
// Five blocks, each with a tile and a little more, of which some is the driver's.
constexpr int64_t staged_room = 5 * (block_threads * staged_packs * 16 + 1536);

// Kept axes stand before the scanned one, and the closer one's elements lie, the further inside.
bool scanned_inside(const Nest& nest, std::span<const Operand> operands, int a, int b) {
  if (nest.reduced[as_index(a)] != nest.reduced[as_index(b)]) return nest.reduced[as_index(a)];
  int order = compare_steps(nest, operands, Role::output, a, b);
  if (order == 0) order = compare_steps(nest, operands, Role::input, a, b);
  return order > 0;
}

void make_nest(ScanPlan& p, std::span<const Operand> operands, const Dims& shape, int axis) {
  Nest& nest = p.nest;
  nest.ndim = 0;
  for (int a = 0; a < shape.size(); ++a) {
    if (shape[a] == 1 && a != axis) continue;
    nest.shape[as_index(nest.ndim)] = shape[a];
    nest.reduced[as_index(nest.ndim)] = a == axis;
    for (size_t k = 0; k < operands.size(); ++k)
      if (in_loop(operands[k].role))
        nest.strides[k][as_index(nest.ndim)] = broadcast_stride(*operands[k].layout, shape, a);
    ++nest.ndim;
  }
  for (size_t k = 0; k < operands.size(); ++k) nest.data[k] = static_cast<char*>(operands[k].data);
  sort_axes(nest, operands, scanned_inside);
  for (int a = 0; a < nest.ndim - 1; ++a) flip_axis(nest, operands, a);
  join_axes(nest, operands);
}

// How far apart neighbours of the outputs lie, which tells along which axis they are taken.
int64_t step(const ScanPlan& p, int axis) {
  const ScanVariant& v = p.variant;
  int64_t most = 0;
  for (int k = 0; k < v.operands.size(); ++k)
    if (in_loop(v.operands[k].role)) most = std::max(most, std::abs(p.nest.stride(k, axis)));
  return most;
}

ScanForm form_of(const ScanPlan& p) {
  const ScanVariant& v = p.variant;
  const int inner = v.kept() - 1;
  const int64_t few = v.simt ? 16 : 4;
  if (inner < 0 || p.nest.extent(inner) < few) return ScanForm::rows;
  return step(p, inner) < step(p, v.scanned()) ? ScanForm::columns : ScanForm::rows;
}

// 16 bytes of the smallest type, but no more of an output, which a thread stores at once.
int pack_of(const ScanPlan& p) {
  const ScanVariant& v = p.variant;
  int pack = 1;
  int most = 16;
  for (int k = 0; k < v.operands.size(); ++k) {
    if (!in_loop(v.operands[k].role)) continue;
    if (!v.unit(k)) return 1;
    const int bytes = size_of(v.operands[k].dtype);
    most = std::min(most, (v.operands[k].role == Role::output ? 16 : 32) / bytes);
    pack = std::max(pack, 16 / bytes);
  }
  pack = std::clamp(pack, 1, std::max(1, most));
  for (int k = 0; k < v.operands.size(); ++k) {
    if (!in_loop(v.operands[k].role)) continue;
    const int bytes = size_of(v.operands[k].dtype);
    const int64_t aligned = std::min(16, pack * bytes);
    if (reinterpret_cast<uintptr_t>(p.nest.data[as_index(k)]) % aligned != 0) return 1;
    for (int axis = 0; axis < v.kept(); ++axis)
      if (p.nest.stride(k, axis) * bytes % aligned != 0) return 1;
  }
  return pack;
}

// The least threads that take a row at once, with as many packs as let memory be busy.
void choose_lanes(ScanPlan& p, int type_bytes) {
  ScanVariant& v = p.variant;
  auto fits = [&](int lanes, int packs) {
    v.lanes = lanes;
    v.packs = packs;
    return lanes * packs * v.pack >= p.length;
  };
  const int pack_bytes = v.pack * type_bytes;
  const int most = std::clamp(64 / pack_bytes, 1, 4);
  for (int lanes = 1; lanes <= 32; lanes *= 2)
    for (int packs = 1; packs <= most; packs *= 2)
      if (fits(lanes, packs)) return;
  const int most_of_block = std::clamp(128 / pack_bytes, 1, 8);
  for (int packs = 1; packs <= most_of_block; packs *= 2)
    if (fits(block_threads, packs)) return;
  v.chunked = true;
}

// One input and one output, whose elements take the input's place in shared memory.
bool can_be_staged(const ScanPlan& p, const ScanTraits& traits) {
  const ScanVariant& v = p.variant;
  int inputs = 0;
  int outputs = 0;
  int written_bytes = 0;
  for (const OperandVariant& o : v.operands) {
    if (o.role == Role::input) ++inputs;
    if (o.role != Role::output) continue;
    ++outputs;
    written_bytes = size_of(o.dtype);
  }
  return v.chunked && inputs == 1 && outputs == 1 && p.read_bytes == written_bytes && v.pack > 1 &&
         v.pack * written_bytes == 16 && traits.type_bytes <= 8 &&
         traits.shared_bytes >= staged_room;
}

}  // namespace

void make_scan_plan(ScanPlan& p, const Target& target, std::span<const Operand> operands,
                    const Dims& shape, int axis, const ScanTraits& traits) {
  ScanVariant& v = p.variant;
  p.target = &target;
  v.simt = target.simt;
  v.operands.take(operands);
  v.exclusive = traits.exclusive;
  p.read_bytes = 0;
  for (const Operand& o : operands)
    if (o.role == Role::input) p.read_bytes += size_of(o.dtype);
  make_nest(p, operands, shape, axis);
  v.ndim = p.nest.ndim;
  p.length = p.nest.extent(v.scanned());
  p.rows = 1;
  for (int a = 0; a < v.kept(); ++a) p.rows *= p.nest.extent(a);
  v.wide = v.simt && p.rows > INT32_MAX;
  v.form = form_of(p);
  for (int k = 0; k < v.operands.size(); ++k)
    if (in_loop(v.operands[k].role))
      v.operands[k].access = p.nest.stride(k, v.inner()) == 1 ? Access::vector : Access::general;
  if (!v.simt) return;
  if (v.form == ScanForm::columns) {
    v.packs = traits.type_bytes > 8 ? 4 : 8;
    v.lanes = 32;
    return;
  }
  v.pack = pack_of(p);
  choose_lanes(p, traits.type_bytes);
  v.staged = can_be_staged(p, traits);
  if (v.staged) v.packs = staged_packs;
}

}  // namespace gpuarr
