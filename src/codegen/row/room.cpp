#include "codegen/row/room.hpp"

#include <algorithm>
#include <bit>

namespace gpuarr {
namespace {

constexpr int64_t round_up(int64_t n, int64_t to) { return (n + to - 1) / to * to; }

// Whether a kept value is read behind the stage that sets it.
bool stays(const RowTraits::Kept& value) { return value.last > value.set; }

// Whether an earlier value is read behind the stage.
bool is_taken(const RowVariant& v, const RowTraits& traits, int operand, int kept, int stage) {
  for (int j = 0; j < kept; ++j)
    if (v.kept[as_index(j)] == operand && traits.values[as_index(j)].last > stage) return true;
  return false;
}

// An input of a row whose elements a thread, or the cache, has.
bool is_row_input(const RowVariant& v, int k) {
  return v.operands[k].role == Role::input &&
         (v.how(k) == Access::vector || v.how(k) == Access::general);
}

// Nobody reads an input of this memory behind the stage.
bool is_free(const RowPlan& p, const RowTraits& traits, int output, int stage) {
  for (int k = 0; k < p.variant.operands.size(); ++k)
    if (p.variant.operands[k].role == Role::input && traits.last[as_index(k)] > stage &&
        p.nest.data[as_index(k)] == p.nest.data[as_index(output)])
      return false;
  return true;
}

// A fold may ask twice for an element, so what its stage reads must stay as it is.
int output_for(const RowPlan& p, const RowTraits& traits, int kept) {
  const RowVariant& v = p.variant;
  const RowTraits::Kept& value = traits.values[as_index(kept)];
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.operands[k].role == Role::output && v.how(k) != Access::repeated &&
        v.operands[k].dtype == value.dtype && !is_taken(v, traits, k, kept, value.set - 1) &&
        is_free(p, traits, k, value.set - 1))
      return k;
  return kept_not;
}

// Whether a value finds no place where it is still read.
bool computes_again(const RowVariant& v, const RowTraits& traits) {
  for (int j = 0; j < traits.kept; ++j)
    if (stays(traits.values[as_index(j)]) && v.kept[as_index(j)] == kept_not) return true;
  return false;
}

// What is computed again needs inputs, and other values, as they were: no place is another's.
void keep_apart(RowPlan& p, const RowTraits& traits) {
  RowVariant& v = p.variant;
  for (int j = 0; j < traits.kept; ++j) {
    const int place = v.kept[as_index(j)];
    if (place >= max_operands) continue;
    bool shared = v.operands[place].role == Role::input;
    for (int k = 0; k < v.operands.size(); ++k)
      shared |= v.operands[k].role == Role::input &&
                p.nest.data[as_index(k)] == p.nest.data[as_index(place)];
    for (int other = 0; other < j; ++other) shared |= v.kept[as_index(other)] == place;
    if (shared) v.kept[as_index(j)] = kept_not;
  }
}

// The most bytes of an element that are alive at once: from stage to stage, and as it is loaded.
int live_bytes(const RowVariant& v, const RowTraits& traits) {
  int most = 0;
  for (int stage = 0; stage <= traits.passes; ++stage) {
    int bytes = 0;
    for (int k = 0; k < v.operands.size(); ++k)
      if (is_row_input(v, k) && traits.last[as_index(k)] >= stage)
        bytes += size_of(v.operands[k].dtype);
    for (int j = 0; j < traits.kept; ++j) {
      const RowTraits::Kept& value = traits.values[as_index(j)];
      if (value.set < stage && value.last >= stage) bytes += size_of(value.dtype);
    }
    most = std::max(most, bytes);
  }
  return std::max(most, 1);
}

int floor_two(int64_t n) {
  return static_cast<int>(std::bit_floor(static_cast<uint64_t>(std::max<int64_t>(n, 1))));
}
int ceil_two(int64_t n) {
  return static_cast<int>(std::bit_ceil(static_cast<uint64_t>(std::max<int64_t>(n, 1))));
}

constexpr int warp = 32, most_lanes = 1024;
constexpr int usual_packs = 4;    // of a thread: enough bytes under way, and few registers
constexpr int few_threads = 512;  // that leave room for a second block

bool is_short(const OperandVariant& o) { return size_of(o.dtype) == 2; }

// Weights are loaded one pack after another, so that many packs wait for them; but computing 16-bit
// floats takes longer.
bool waits_for_weights(const RowVariant& v) {
  return v.has(Access::common) && std::ranges::none_of(v.operands, is_short);
}

// Small packs are more than usual ones.
int usual_packs_of(const RowVariant& v) {
  if (!has_small_packs(v)) return usual_packs;
  return waits_for_weights(v) ? 6 : 8;
}
int packs_of_warp(const RowVariant& v) {
  if (waits_for_weights(v)) return 6;
  return has_small_packs(v) ? 16 : 8;
}

// Of a row that lies in registers, with those that no element is for.
int64_t places(int64_t items, int lanes) { return lanes * ceil_div(items, lanes); }

// Several rows to a warp: neighbours load 64 bytes, where a row has them.
int choose_neighbours(const RowPlan& p, int most) {
  const int64_t items = p.items();
  const int64_t least = std::min<int64_t>(4, floor_two(items));
  int lanes = std::clamp(ceil_two(ceil_div(items, std::min(most, usual_packs))),
                         static_cast<int>(least), std::min(warp, floor_two(items)));
  // To compute 16-bit floats takes as long as to load them: as few as can be are idle, of
  // neighbours that load 128 bytes.
  const bool computes = std::ranges::any_of(p.variant.operands, is_short);
  while (computes && lanes * p.variant.pack >= 128 && ceil_div(items, lanes / 2) <= most &&
         places(items, lanes / 2) < places(items, lanes))
    lanes /= 2;
  return lanes;
}

// Threads that share a row, each `most` packs at most; each has at least one.
int choose_lanes(const RowPlan& p, int most) {
  constexpr int64_t enough_rows = 4096;  // for every processor to have its warps
  const int64_t items = p.items();
  if (items <= int64_t{warp} * std::min(most, usual_packs)) return choose_neighbours(p, most);
  const int of_warp = std::min(most, packs_of_warp(p.variant));
  if (items <= int64_t{warp} * of_warp && p.rows >= enough_rows) return warp;
  const int lanes = std::clamp(floor_two(items / std::min(most, usual_packs_of(p.variant))),
                               2 * warp, few_threads);
  if (items <= int64_t{lanes} * most) return lanes;
  return std::clamp(ceil_two(ceil_div(items, most)), lanes, most_lanes);
}

// 0: a row does not fit.
int lanes_in_registers(const RowPlan& p, const RowTraits& traits) {
  // Of a thread. More elements would be loops that take long to unroll.
  constexpr int most_packs = 32, register_bytes = 128, usual_elements = 32, most_elements = 64;
  const int pack = p.variant.pack;
  const int most = std::clamp(
      std::min(register_bytes / (live_bytes(p.variant, traits) * pack), most_elements / pack), 1,
      most_packs);
  const int usual = std::clamp(usual_elements / pack, 1, most);
  int lanes = choose_lanes(p, usual), packs = usual;
  // As many elements of 16 bits as fit, where fewer would leave a tenth of the threads idle, or
  // would need so many that they are alone on a processor.
  if (most > usual && (lanes > few_threads || 10 * p.items() < 9 * places(p.items(), lanes)))
    if (const int fewer = choose_lanes(p, most); fewer <= few_threads) {
      lanes = fewer;
      packs = most;
    }
  return p.items() <= int64_t{lanes} * packs ? lanes : 0;
}

void place_in_registers(RowPlan& p, const RowTraits& traits, int lanes) {
  RowVariant& v = p.variant;
  p.slot_bytes = 0;
  v.form = RowForm::registers;
  v.lanes = lanes;
  v.packs = ceil_div(p.items(), lanes);
  v.ends = p.items() % lanes == 0 ? RowEnds::whole : RowEnds::past;
  for (int j = 0; j < traits.kept; ++j)
    v.kept[as_index(j)] = stays(traits.values[as_index(j)]) ? kept_own : kept_not;
}

// Of an input that nobody reads behind the stage that sets the value.
int slot_for(const RowPlan& p, const RowTraits& traits, int kept) {
  const RowVariant& v = p.variant;
  const RowTraits::Kept& value = traits.values[as_index(kept)];
  for (int k = 0; k < v.operands.size(); ++k)
    if (is_row_input(v, k) && traits.last[as_index(k)] >= 0 &&
        traits.last[as_index(k)] <= value.set && !is_taken(v, traits, k, kept, value.set) &&
        size_of(v.operands[k].dtype) == size_of(value.dtype))
      return k;
  return kept_not;
}

// Of what a block has of a row.
int64_t slot_bytes(const RowPlan& p, DType dtype) {
  return round_up(ceil_div(p.items(), p.variant.blocks) * p.variant.pack * size_of(dtype), 16);
}

void place_in_slots(RowPlan& p, const RowTraits& traits, int64_t most) {
  RowVariant& v = p.variant;
  for (int j = 0; j < traits.kept; ++j) {
    const RowTraits::Kept& value = traits.values[as_index(j)];
    Small& place = v.kept[as_index(j)];
    place = stays(value) ? slot_for(p, traits, j) : int{kept_not};
    if (!stays(value) || place != kept_not || p.slot_bytes + slot_bytes(p, value.dtype) > most)
      continue;
    place = kept_own;
    p.slot_bytes += slot_bytes(p, value.dtype);
  }
  if (computes_again(v, traits)) keep_apart(p, traits);
}

int64_t staged_inputs(const RowPlan& p, const RowTraits& traits) {
  const RowVariant& v = p.variant;
  int64_t bytes = 0;
  for (int k = 0; k < v.operands.size(); ++k)
    if (is_row_input(v, k) && traits.last[as_index(k)] >= 0)
      bytes += slot_bytes(p, v.operands[k].dtype);
  return bytes;
}

// What one stage alone reads can be loaded there, as what all rows have alike is. To stage it has
// more bytes under way, but takes room.
void load_where_used(RowPlan& p, const RowTraits& traits, int64_t most) {
  RowVariant& v = p.variant;
  for (int k = 0; k < v.operands.size() && staged_inputs(p, traits) > most; ++k)
    if (v.operands[k].role == Role::input && v.how(k) == Access::vector &&
        traits.first[as_index(k)] == traits.last[as_index(k)])
      v.operands[k].access = Access::common;
}

// Whether rows have more alike than of their own.
bool has_more_common(const RowPlan& p, const RowTraits& traits) {
  const RowVariant& v = p.variant;
  int common = 0, own = 0;
  for (int k = 0; k < v.operands.size(); ++k) {
    const int bytes = size_of(v.operands[k].dtype);
    if (v.operands[k].role == Role::input && v.how(k) == Access::common) common += bytes;
    if (is_row_input(v, k) && traits.last[as_index(k)] >= 0) own += bytes;
  }
  return common > own;
}

// How many blocks are side by side on a processor, where clusters of so many have so many rows at
// once; 0: the rows do not fit.
int64_t stage(RowPlan& p, const RowDevice& device, const RowTraits& traits, int blocks, int held) {
  constexpr int64_t of_the_system = 1024;  // bytes that a block has besides
  RowVariant& v = p.variant;
  if (v.shifted() && held > 1) return 0;  // packs of two rows begin otherwise
  v.blocks = blocks;
  v.held = held;
  const int64_t most =
      (device.shared_bytes - of_the_system) / held - 2 * int64_t{traits.static_bytes} * blocks;
  if (held == 1 && !v.shifted()) load_where_used(p, traits, most);
  p.slot_bytes = staged_inputs(p, traits);
  if (p.slot_bytes > most) return 0;
  place_in_slots(p, traits, most);
  p.slot_bytes *= held;
  v.form = RowForm::staged;
  if (!v.shifted()) v.ends = RowEnds::whole;
  v.packs = 0;
  const int64_t resident =
      std::max<int64_t>(1, device.shared_bytes / (p.slot_bytes + of_the_system));
  v.lanes = std::clamp(floor_two(staged_threads / resident), 256, most_lanes);
  const int64_t least = p.items() / blocks - (v.shifted() ? 1 : 0);  // packs that a block has
  return least >= v.lanes ? resident : 0;
}

// Blocks that have a row alone, two of them on a processor: while one loads or stores, the other
// computes.
constexpr int64_t enough_blocks = 2;
bool fits_twice(RowPlan& p, const RowDevice& device, const RowTraits& traits) {
  return p.rows * 2 > device.processors && stage(p, device, traits, 1, 1) >= enough_blocks;
}

// Blocks of a cluster wait for each other, so it is no larger than it takes for two blocks on a
// processor, or than it takes to use all processors. But where weights are most of what is read,
// two rows read them from the level-2 cache together, which makes up for it.
bool fits_shared(RowPlan& p, const RowDevice& device, const RowTraits& traits) {
  const OperandVariants operands = p.variant.operands;
  const auto fits = [&](int blocks, int held, int64_t resident) {
    p.variant.operands = operands;
    return stage(p, device, traits, blocks, held) >= resident;
  };
  int least = 2;
  while (least < device.cluster && p.rows * least * 2 <= device.processors) least *= 2;
  if (device.cluster > 1 && p.rows >= device.processors && has_more_common(p, traits) &&
      fits(device.cluster, 2, enough_blocks))
    return true;
  for (int blocks = least; blocks <= device.cluster; blocks *= 2)
    if (fits(blocks, 1, enough_blocks)) return true;
  for (int blocks = 1; blocks <= device.cluster; blocks *= 2)
    if (fits(blocks, 1, 1)) return true;
  return false;
}

}  // namespace

bool has_small_packs(const RowVariant& v) {
  int bytes = INT32_MAX;
  for (int k = 0; k < v.operands.size(); ++k)
    if (v.how(k) == Access::vector) bytes = std::min(bytes, v.pack * size_of(v.operands[k].dtype));
  return bytes <= 4;
}

void place_on_stack(RowPlan& p, const RowTraits& traits) {
  RowVariant& v = p.variant;
  int64_t used = 0;
  for (int j = 0; j < traits.kept; ++j) {
    const RowTraits::Kept& value = traits.values[as_index(j)];
    Small& place = v.kept[as_index(j)];
    place = stays(value) ? output_for(p, traits, j) : int{kept_not};
    const int64_t bytes = round_up(p.row_length() * size_of(value.dtype), 64);
    if (!stays(value) || place != kept_not || used + bytes > stack_bytes) continue;
    place = kept_own;
    used += bytes;
  }
  if (computes_again(v, traits)) keep_apart(p, traits);
}

bool fits_registers(const RowPlan& p, const RowTraits& traits) {
  const int lanes = lanes_in_registers(p, traits);
  return lanes > 0 && lanes <= few_threads;
}

bool choose_form(RowPlan& p, const RowDevice& device, const RowTraits& traits) {
  const int lanes = p.variant.shifted() ? 0 : lanes_in_registers(p, traits);
  const OperandVariants operands = p.variant.operands;
  if ((lanes == 0 || lanes > few_threads) && fits_twice(p, device, traits)) return true;
  p.variant.operands = operands;
  if (lanes == 0) return fits_shared(p, device, traits);
  place_in_registers(p, traits, lanes);
  return true;
}

}  // namespace gpuarr
