#include "team/blocked/options.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace gpuarr::team {
namespace {

Owners owners_of(const BlockedOptions& options, int64_t blocks, int places) {
  if (!options.owners.empty()) {
    if (static_cast<int64_t>(options.owners.size()) != blocks)
      fail(GPUARR_ERR_SHAPE, "the options have owners of {} blocks, but the array has {}",
           options.owners.size(), blocks);
    for (size_t k = 0; k < options.owners.size(); ++k)
      if (options.owners[k] < 0 || options.owners[k] >= places)
        fail(GPUARR_ERR_ARGUMENT, "owners[{}] is {}, but the team's places are 0 to {}", k,
             options.owners[k], places - 1);
    return Owners::listed(options.owners);
  }
  if (options.placement == GPUARR_PLACEMENT_CYCLIC) return Owners::cyclic(blocks, places);
  if (options.placement == GPUARR_PLACEMENT_REPLICATED) return Owners::replicated();
  return Owners::balanced(blocks, places);
}

Halo halo_of(const BlockedOptions& options, DType dtype, int ndim) {
  Halo halo = options.halo;
  if (!halo.low.empty() && halo.low.size() != ndim)
    fail(GPUARR_ERR_SHAPE, "the options have a halo of {} axes, but the array has {}",
         halo.low.size(), ndim);
  halo.fill = Scalar{.dtype = dtype};
  if (!halo.any()) return halo;
  halo.fill = Scalar::of(int64_t{0});
  if (options.fill.dtype != 0) halo.fill = Scalar::from(options.fill, "the halo's fill");
  Scalar element;
  element.dtype = dtype;
  halo.fill.convert_to(dtype, element.bytes, "the halo's fill");
  halo.fill = element;
  return halo;
}

Dims chunk_of(const Dims& shape, const int64_t* chunk, int places) {
  Dims out = shape;
  for (int axis = 0; axis < shape.size(); ++axis) {
    if (chunk != nullptr)
      out[axis] = chunk[axis];
    else if (axis == 0)
      out[axis] = (shape[axis] - 1) / places + 1;
    if (chunk == nullptr) out[axis] = std::max<int64_t>(out[axis], 1);
  }
  return out;
}

Told told_of(const Array& array) {
  Told out;
  out.dtype = static_cast<int32_t>(array.dtype);
  out.ndim = array.ndim();
  out.is_f_order = is_contiguous(array.layout, Order::f) && !is_contiguous(array.layout, Order::c);
  std::copy_n(array.layout.shape.data(), out.ndim, out.extents.data());
  return out;
}

// A block's extent without the ghost cells that it has at this location.
int64_t inner_extent(const Halo& halo, int axis, int64_t location, int64_t count, int64_t extent) {
  if (halo.low.empty()) return extent;
  const bool open = halo.boundary[static_cast<size_t>(axis)] == Boundary::none;
  if (!open || location > 0) extent -= halo.low[axis];
  if (!open || location < count - 1) extent -= halo.high[axis];
  return extent;
}

void check_told(const Told& one, const Told& first, size_t place, int ndim) {
  if (one.ndim != ndim)
    fail(GPUARR_ERR_SHAPE, "the array of place {} has {} axes, that of place 0 {}", place, one.ndim,
         ndim);
  if (one.dtype != first.dtype)
    fail(GPUARR_ERR_DTYPE, "the array of place {} is {}, that of place 0 {}", place,
         name(static_cast<DType>(one.dtype)), name(static_cast<DType>(first.dtype)));
}

// The cuts by the blocks along each axis that are first along all others.
Grid grid_of(const Halo& halo, const Dims& counts, const std::vector<Told>& all) {
  std::vector<std::vector<int64_t>> cuts;
  int64_t step = size_of(counts);
  for (int axis = 0; axis < counts.size(); ++axis) {
    step /= counts[axis];
    std::vector<int64_t>& own = cuts.emplace_back(std::vector<int64_t>{0});
    for (int64_t k = 0; k < counts[axis]; ++k) {
      const int64_t extent = all[static_cast<size_t>(k * step)].extents[static_cast<size_t>(axis)];
      const int64_t inner = inner_extent(halo, axis, k, counts[axis], extent);
      if (inner < 0)
        fail(GPUARR_ERR_SHAPE,
             "the array of place {} has extent {} along axis {}, which is less than its halo",
             k * step, extent, axis);
      own.push_back(own.back() + inner);
    }
  }
  return Grid(std::move(cuts));
}

void check_grid(const Grid& grid, const Halo& halo, const std::vector<Told>& all) {
  for (size_t place = 0; place < all.size(); ++place) {
    const Box box = halo.box(grid, grid.location(static_cast<int64_t>(place)));
    for (int axis = 0; axis < grid.ndim(); ++axis)
      if (all[place].extents[static_cast<size_t>(axis)] != box.extent(axis))
        fail(GPUARR_ERR_SHAPE,
             "the array of place {} has extent {} along axis {}, but those beside it make it {}",
             place, all[place].extents[static_cast<size_t>(axis)], axis, box.extent(axis));
  }
}

}  // namespace

BlockedLayout layout_of(const BlockedOptions& options, Team& team, DType dtype, const Dims& shape,
                        const int64_t* chunk) {
  Grid grid = Grid::of_chunks(shape, chunk_of(shape, chunk, team.size()));
  Owners owners = owners_of(options, grid.size(), team.size());
  Halo halo = halo_of(options, dtype, shape.size());
  halo.check(grid);
  return {dtype, std::move(grid), std::move(owners), std::move(halo), options.order};
}

std::vector<Told> tell_arrays(Team& team, std::span<const Array* const> arrays) {
  std::vector<Told> all(static_cast<size_t>(team.size()));
  for (size_t k = 0; k < arrays.size(); ++k)
    all[static_cast<size_t>(team.first()) + k] = told_of(*arrays[k]);
  team.all_gather(all.data(), sizeof(Told));
  return all;
}

BlockedLayout layout_of_arrays(const BlockedOptions& options, const Team& team,
                               const std::vector<Told>& all, const int64_t* counts) {
  const int ndim = all.front().ndim;
  const auto dtype = static_cast<DType>(all.front().dtype);
  for (size_t place = 0; place < all.size(); ++place)
    check_told(all[place], all.front(), place, ndim);
  if (counts == nullptr && ndim > 0)
    fail(GPUARR_ERR_ARGUMENT, "grid is NULL; give {} numbers of blocks", ndim);
  Dims along;
  for (int axis = 0; axis < ndim; ++axis) {
    if (counts[axis] < 1 || counts[axis] > team.size())
      fail(GPUARR_ERR_ARGUMENT, "grid[{}] is {}; give a number of blocks, 1 to {}", axis,
           counts[axis], team.size());
    along.push_back(counts[axis]);
  }
  if (size_of(along) != team.size())
    fail(GPUARR_ERR_ARGUMENT, "grid is {}, which is {} blocks, but the team has {} places",
         to_string(along), size_of(along), team.size());
  const Halo halo = halo_of(options, dtype, ndim);
  Grid grid = grid_of(halo, along, all);
  check_grid(grid, halo, all);
  halo.check(grid);
  const bool f = std::ranges::all_of(all, [](const Told& told) { return told.is_f_order != 0; });
  return {dtype, std::move(grid), Owners::balanced(team.size(), team.size()), halo,
          f ? Order::f : Order::c};
}

}  // namespace gpuarr::team
