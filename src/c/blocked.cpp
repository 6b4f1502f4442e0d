// gpuarr/blocked.h: check, convert, call.
#include "gpuarr/blocked.h"

#include <array>

#include "c/blocked_arguments.hpp"
#include "c/guard.hpp"
#include "ops/base/copy.hpp"
#include "team/map/map.hpp"
#include "team/move/halo.hpp"
#include "team/move/redistribute.hpp"

using namespace gpuarr;
using team::Blocked;
using team::BlockedOptions;

namespace {

const BlockedOptions& options_or_default(const gpuarr_blocked_options* options) {
  static const BlockedOptions none{};
  return options != nullptr ? deref(options, "options") : none;
}

DType checked_dtype(gpuarr_dtype dtype) {
  if (!is_dtype(dtype)) fail(GPUARR_ERR_DTYPE, "dtype is {}; give a GPUARR_... dtype", dtype);
  return static_cast<DType>(dtype);
}

// Memory that is missing on one place is told of on all.
gpuarr_blocked* create(const char* function, const std::shared_ptr<team::Team>& team,
                       const team::BlockedLayout& layout) {
  std::shared_ptr<Blocked> made;
  collective(*team, function, team::digest_of(layout), [&] {
    made = Blocked::create(team, layout);
    team->agree();
  });
  return gpuarr_blocked::make(std::move(made));
}

std::vector<const Array*> local_arrays(team::Team& team, gpuarr_array* const* arrays,
                                       int32_t count) {
  const auto places = team.places();
  if (count < 0 || static_cast<size_t>(count) != places.size() || arrays == nullptr)
    fail(GPUARR_ERR_ARGUMENT,
         "arrays and count must be one array for each of {} places; count is {}", places.size(),
         count);
  std::vector<const Array*> out;
  for (size_t k = 0; k < places.size(); ++k) {
    out.push_back(&deref_item(arrays[k], "arrays", static_cast<int64_t>(k)));
    if (&out.back()->device() != places[k].device)
      fail(GPUARR_ERR_DEVICE, "arrays[{}] is on {}, but place {} is {}", k,
           out.back()->device().facts().name, places[k].number, places[k].device->facts().name);
    if (out.back()->read_only) fail_read_only(formatted("arrays[{}]", k));
  }
  return out;
}

gpuarr_blocked* adopt(const std::shared_ptr<team::Team>& team, gpuarr_array* const* arrays,
                      int32_t count, const int64_t* grid, const BlockedOptions& options) {
  std::vector<const Array*> mine;
  std::vector<team::Told> all;
  collective(*team, "gpuarr_blocked_from_local", 0, [&] {
    mine = local_arrays(*team, arrays, count);
    all = team::tell_arrays(*team, mine);
  });
  const auto layout = team::layout_of_arrays(options, *team, all, grid);  // fails on all places
  return gpuarr_blocked::make(Blocked::adopt(team, layout, [&](int place, int64_t /*number*/) {
    return *mine[static_cast<size_t>(place - team->first())];
  }));
}

void set_halo(BlockedOptions& options, int32_t ndim, const int64_t* low, const int64_t* high,
              const int32_t* boundary) {
  if (ndim < 0 || ndim > max_ndim)
    fail(GPUARR_ERR_ARGUMENT, "ndim is {}; give 0 to {}", ndim, max_ndim);
  if (ndim > 0 && (low == nullptr || high == nullptr))
    fail(GPUARR_ERR_ARGUMENT, "{} is NULL; give {} numbers of ghost cells",
         low == nullptr ? "low" : "high", ndim);
  team::Halo halo;
  constexpr int64_t most = int64_t{1} << 40;
  for (int axis = 0; axis < ndim; ++axis) {
    const int32_t kind = boundary != nullptr ? boundary[axis] : GPUARR_BOUNDARY_NONE;
    for (const auto& [word, cells] : {std::pair("low", low[axis]), std::pair("high", high[axis])})
      if (cells < 0 || cells > most)
        fail(GPUARR_ERR_ARGUMENT, "{}[{}] is {}; give a number of ghost cells, 0 to 2^40", word,
             axis, cells);
    if (kind < GPUARR_BOUNDARY_NONE || kind > GPUARR_BOUNDARY_REFLECT)
      fail(GPUARR_ERR_ARGUMENT, "boundary[{}] is {}; give one of GPUARR_BOUNDARY_...", axis, kind);
    halo.low.push_back(low[axis]);
    halo.high.push_back(high[axis]);
    halo.boundary.push_back(static_cast<team::Boundary>(kind));
  }
  options.halo = std::move(halo);
}

std::vector<int> permutation(int32_t count, const int32_t* axes, int ndim) {
  std::vector<int> out;
  if (axes == nullptr && count == 0)
    for (int axis = ndim - 1; axis >= 0; --axis) out.push_back(axis);
  if (axes == nullptr && count == 0) return out;
  if (count != ndim)
    fail(GPUARR_ERR_ARGUMENT, "count is {}, but the array has {} axes", count, ndim);
  std::array<bool, max_ndim> seen{};
  for (size_t k = 0; k < static_cast<size_t>(ndim); ++k) {
    out.push_back(checked_axis_of({axes, static_cast<size_t>(count)}, k, ndim));
    if (std::exchange(seen[static_cast<size_t>(out.back())], true))
      fail(GPUARR_ERR_AXIS, "axes[{}] is {}, which is given twice", k, axes[k]);
  }
  return out;
}

// Index along an axis of the grid, negative from the last; -1 if there is none.
int axis_of(const Blocked& blocked, int32_t axis) {
  const int ndim = blocked.grid().ndim();
  const int at = axis < 0 ? axis + ndim : axis;
  return at >= 0 && at < ndim ? at : -1;
}

int64_t bound_of(const gpuarr_blocked* blocked, int64_t block, int32_t axis, Dims team::Box::*end) {
  const Blocked& b = *blocked->impl;  // is_live() was asked
  const int at = axis_of(b, axis);
  if (at < 0 || block < 0 || block >= b.grid().size()) return -1;
  return (b.grid().box(block).*end)[at];
}

const team::Block* local_block(const gpuarr_blocked* blocked, int64_t index) {
  const auto blocks = blocked->impl->blocks();  // is_live() was asked
  const auto at = static_cast<size_t>(index);
  return index >= 0 && at < blocks.size() ? &blocks[at] : nullptr;
}

const Array& local_array(Blocked& blocked, int64_t index, bool halo) {
  const auto blocks = blocked.blocks();
  if (index < 0 || static_cast<size_t>(index) >= blocks.size())
    fail(GPUARR_ERR_ARGUMENT, "index is {}, but this process has {} blocks", index, blocks.size());
  const team::Block& block = blocks[static_cast<size_t>(index)];
  return halo ? block.whole : block.inner;
}

void check_same(const Blocked& target, const Blocked& source) {
  if (&target.team() != &source.team())
    fail(GPUARR_ERR_ARGUMENT, "target and source are of different teams");
  if (target.dtype() != source.dtype())
    fail(GPUARR_ERR_DTYPE, "target is {}, but source is {}", name(target.dtype()),
         name(source.dtype()));
  if (!(target.shape() == source.shape()))
    fail(GPUARR_ERR_SHAPE, "target has shape {}, but source has {}", to_string(target.shape()),
         to_string(source.shape()));
}

void fill_blocks(Blocked& blocked, const gpuarr_arg& value) {
  const Scalar scalar = Scalar::from(value, "value");
  std::array<unsigned char, 16> element{};
  scalar.convert_to(blocked.dtype(), element.data(), "value");  // also where there is no block
  collective(
      blocked.team(), "gpuarr_blocked_fill", blocked.digest(),
      [&] {
        team::each_block(blocked, [&](const team::BlockCall& call) {
          fill(call.block->inner, scalar, *call.stream);
        });
      },
      true);
}

void count_blocks(Blocked& blocked, const gpuarr_arg& start, const gpuarr_arg& step) {
  const Scalar first = Scalar::from(start, "start");
  const Scalar by = Scalar::from(step, "step");
  collective(
      blocked.team(), "gpuarr_blocked_arange", blocked.digest(),
      [&] { team::arange(blocked, first, by); }, true);
}

void halo_call(const char* function, gpuarr_blocked* blocked, void (*work)(Blocked&)) {
  Blocked& b = *deref(blocked, "blocked");
  if (!b.halo().any()) return;
  const bool ends = work == team::end_halo;
  if (team::has_begun_halo(b) != ends)
    fail(GPUARR_ERR_ARGUMENT, "{} gpuarr_halo_begin of this array; call gpuarr_halo_{} first",
         ends ? "there was no" : "there was a", ends ? "begin" : "end");
  collective(b.team(), function, b.digest(), [&] { work(b); });
}

}  // namespace

gpuarr_status gpuarr_blocked_options_create(gpuarr_blocked_options** out) {
  return guard_output(__func__, out, [&] { return gpuarr_blocked_options::make({}); });
}

void gpuarr_blocked_options_release(gpuarr_blocked_options* options) { release(options); }

gpuarr_status gpuarr_blocked_options_set_placement(gpuarr_blocked_options* options,
                                                   int32_t placement) {
  return guard(__func__, [&] {
    BlockedOptions& o = deref(options, "options");
    if (placement < GPUARR_PLACEMENT_BALANCED || placement > GPUARR_PLACEMENT_REPLICATED)
      fail(GPUARR_ERR_ARGUMENT, "placement is {}; give one of GPUARR_PLACEMENT_...", placement);
    o.placement = placement;
    o.owners.clear();
  });
}

gpuarr_status gpuarr_blocked_options_set_owners(gpuarr_blocked_options* options,
                                                const int32_t* owners, int64_t count) {
  return guard(__func__, [&] {
    BlockedOptions& o = deref(options, "options");
    if (owners == nullptr || count < 1)
      fail(GPUARR_ERR_ARGUMENT, "owners must be a place for each of count blocks; count is {}",
           count);
    o.owners.assign(owners, owners + count);
  });
}

gpuarr_status gpuarr_blocked_options_set_halo(gpuarr_blocked_options* options, int32_t ndim,
                                              const int64_t* low, const int64_t* high,
                                              const int32_t* boundary) {
  return guard(__func__, [&] { set_halo(deref(options, "options"), ndim, low, high, boundary); });
}

gpuarr_status gpuarr_blocked_options_set_fill(gpuarr_blocked_options* options, gpuarr_arg value) {
  return guard(__func__, [&] {
    BlockedOptions& o = deref(options, "options");
    Scalar::from(value, "value");
    o.fill = value;
  });
}

gpuarr_status gpuarr_blocked_options_set_order(gpuarr_blocked_options* options, int32_t order) {
  return guard(__func__, [&] { deref(options, "options").order = order_of(order, false); });
}

gpuarr_status gpuarr_blocked_empty(gpuarr_blocked** out, gpuarr_team* team, gpuarr_dtype dtype,
                                   int32_t ndim, const int64_t* shape, const int64_t* chunk,
                                   const gpuarr_blocked_options* options) {
  return guard_output(__func__, out, [&] {
    const auto& t = deref(team, "team");
    const DType type = checked_dtype(dtype);
    const Dims extents = checked_shape(ndim, shape, size_of(type));
    return create("gpuarr_blocked_empty", t,
                  team::layout_of(options_or_default(options), *t, type, extents, chunk));
  });
}

gpuarr_status gpuarr_blocked_empty_like(gpuarr_blocked** out, const gpuarr_blocked* like,
                                        gpuarr_dtype dtype) {
  return guard_output(__func__, out, [&] {
    const Blocked& other = *deref(like, "like");
    return create("gpuarr_blocked_empty_like", other.shared_team(),
                  other.layout_as(dtype != 0 ? checked_dtype(dtype) : other.dtype()));
  });
}

gpuarr_status gpuarr_blocked_from_local(gpuarr_blocked** out, gpuarr_team* team,
                                        gpuarr_array* const* arrays, int32_t count,
                                        const int64_t* grid,
                                        const gpuarr_blocked_options* options) {
  return guard_output(__func__, out, [&] {
    return adopt(deref(team, "team"), arrays, count, grid, options_or_default(options));
  });
}

gpuarr_blocked* gpuarr_blocked_retain(gpuarr_blocked* blocked) { return retain(blocked); }

void gpuarr_blocked_release(gpuarr_blocked* blocked) { release(blocked); }

gpuarr_dtype gpuarr_blocked_dtype(const gpuarr_blocked* blocked) {
  return is_live(blocked) ? static_cast<gpuarr_dtype>(blocked->impl->dtype()) : 0;
}

int32_t gpuarr_blocked_ndim(const gpuarr_blocked* blocked) {
  return is_live(blocked) ? blocked->impl->grid().ndim() : 0;
}

int64_t gpuarr_blocked_extent(const gpuarr_blocked* blocked, int32_t axis) {
  const int at = is_live(blocked) ? axis_of(*blocked->impl, axis) : -1;  // is_live() was asked
  return at >= 0 ? blocked->impl->shape()[at] : 0;                       // is_live() was asked
}

int64_t gpuarr_blocked_count(const gpuarr_blocked* blocked, int32_t axis) {
  const int at = is_live(blocked) ? axis_of(*blocked->impl, axis) : -1;  // is_live() was asked
  return at >= 0 ? blocked->impl->grid().counts()[at] : 0;               // is_live() was asked
}

int64_t gpuarr_blocked_start(const gpuarr_blocked* blocked, int64_t block, int32_t axis) {
  return is_live(blocked) ? bound_of(blocked, block, axis, &team::Box::low) : -1;
}

int64_t gpuarr_blocked_stop(const gpuarr_blocked* blocked, int64_t block, int32_t axis) {
  return is_live(blocked) ? bound_of(blocked, block, axis, &team::Box::high) : -1;
}

int32_t gpuarr_blocked_owner(const gpuarr_blocked* blocked, int64_t block) {
  return is_live(blocked) ? blocked->impl->owner(block) : -1;
}

int64_t gpuarr_blocked_local_count(const gpuarr_blocked* blocked) {
  return is_live(blocked) ? static_cast<int64_t>(blocked->impl->blocks().size()) : 0;
}

int64_t gpuarr_blocked_local_number(const gpuarr_blocked* blocked, int64_t index) {
  const team::Block* block = is_live(blocked) ? local_block(blocked, index) : nullptr;
  return block != nullptr ? block->number : -1;
}

int32_t gpuarr_blocked_local_place(const gpuarr_blocked* blocked, int64_t index) {
  const team::Block* block = is_live(blocked) ? local_block(blocked, index) : nullptr;
  return block != nullptr ? block->place : -1;
}

gpuarr_status gpuarr_blocked_local(gpuarr_array** out, const gpuarr_blocked* blocked, int64_t index,
                                   int32_t halo) {
  return guard_output(__func__, out, [&] {
    return wrap(local_array(*deref(blocked, "blocked"), index, checked_flag(halo, "halo")));
  });
}

gpuarr_status gpuarr_blocked_fill(gpuarr_blocked* blocked, gpuarr_arg value) {
  return guard(__func__, [&] { fill_blocks(*deref(blocked, "blocked"), value); });
}

gpuarr_status gpuarr_blocked_arange(gpuarr_blocked* blocked, gpuarr_arg start, gpuarr_arg step) {
  return guard(__func__, [&] { count_blocks(*deref(blocked, "blocked"), start, step); });
}

gpuarr_status gpuarr_blocked_write(gpuarr_blocked* blocked, const int64_t* start,
                                   const int64_t* stop, int32_t place, const void* data,
                                   int64_t bytes, const int64_t* strides) {
  return guard(__func__, [&] {
    Blocked& b = *deref(blocked, "blocked");
    with_slab("gpuarr_blocked_write", b, start, stop, place, {data, bytes, strides},
              [&](const team::Slab& slab) { team::write_slab(b, slab); });
  });
}

gpuarr_status gpuarr_blocked_read(void* data, int64_t bytes, const int64_t* strides,
                                  gpuarr_blocked* blocked, const int64_t* start,
                                  const int64_t* stop, int32_t place) {
  return guard(__func__, [&] {
    Blocked& b = *deref(blocked, "blocked");
    with_slab("gpuarr_blocked_read", b, start, stop, place, {data, bytes, strides},
              [&](const team::Slab& slab) { team::read_slab(slab, b); });
  });
}

gpuarr_status gpuarr_redistribute(gpuarr_blocked* target, gpuarr_blocked* source) {
  return guard(__func__, [&] {
    Blocked& to = *deref(target, "target");
    Blocked& from = *deref(source, "source");
    check_same(to, from);
    collective(to.team(), "gpuarr_redistribute", to.digest() ^ from.digest(),
               [&] { team::redistribute(to, from); });
  });
}

gpuarr_status gpuarr_blocked_transpose(gpuarr_blocked** out, gpuarr_blocked* blocked, int32_t count,
                                       const int32_t* axes) {
  return guard_output(__func__, out, [&] {
    Blocked& b = *deref(blocked, "blocked");
    return gpuarr_blocked::make(team::transposed(b, permutation(count, axes, b.grid().ndim())));
  });
}

gpuarr_status gpuarr_halo_exchange(gpuarr_blocked* blocked) {
  return guard(__func__, [&] { halo_call("gpuarr_halo_exchange", blocked, team::exchange_halo); });
}

gpuarr_status gpuarr_halo_begin(gpuarr_blocked* blocked) {
  return guard(__func__, [&] { halo_call("gpuarr_halo_begin", blocked, team::begin_halo); });
}

gpuarr_status gpuarr_halo_end(gpuarr_blocked* blocked) {
  return guard(__func__, [&] { halo_call("gpuarr_halo_end", blocked, team::end_halo); });
}
