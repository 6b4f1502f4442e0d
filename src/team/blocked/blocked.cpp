#include "team/blocked/blocked.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace gpuarr::team {
namespace {

// FNV-1a, by Fowler, Noll and Vo.
class Digest {
 public:
  void add(uint64_t value) {
    for (int k = 0; k < 8; ++k) {
      state_ = (state_ ^ (value & 255)) * 1099511628211U;
      value >>= 8;
    }
  }
  void add_all(std::span<const int64_t> values) {
    add(values.size());
    for (int64_t value : values) add(static_cast<uint64_t>(value));
  }
  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 14695981039346656037U;
};

Layout inner_layout(const BlockedLayout& of, const Array& whole, const Dims& location,
                    int64_t& offset) {
  const Box inner = of.grid.box(location);
  const Box outer = of.halo.box(of.grid, location);
  Layout layout = whole.layout;
  offset = 0;
  for (int axis = 0; axis < layout.ndim(); ++axis) {
    offset += (inner.low[axis] - outer.low[axis]) * layout.strides[axis];
    layout.shape[axis] = inner.extent(axis);
  }
  return layout;
}

}  // namespace

Owners Owners::balanced(int64_t blocks, int places) {
  Owners out;
  for (int64_t k = 0; k < blocks; ++k)
    out.list_.push_back(static_cast<int32_t>(k * places / blocks));
  return out;
}

Owners Owners::cyclic(int64_t blocks, int places) {
  Owners out;
  for (int64_t k = 0; k < blocks; ++k) out.list_.push_back(static_cast<int32_t>(k % places));
  return out;
}

Owners Owners::replicated() {
  Owners out;
  out.everywhere_ = true;
  return out;
}

Owners Owners::listed(std::vector<int32_t> places) {
  Owners out;
  out.list_ = std::move(places);
  return out;
}

Blocked::Blocked(std::shared_ptr<Team> its_team, BlockedLayout its_layout)
    : team_(std::move(its_team)), layout_(std::move(its_layout)), digest_(digest_of(layout_)) {}

template <class Visit>
void Blocked::each_of_mine(Visit&& visit) {
  for (Place& place : team_->places())
    for (int64_t number = 0; number < grid().size(); ++number)
      if (owners().has(place.number, number)) visit(place, number);
}

void Blocked::take(int64_t number, int place, Array whole) {
  int64_t offset = 0;
  const Layout inner = inner_layout(layout_, whole, grid().location(number), offset);
  Array inside = size_of(inner.shape) > 0 ? whole.view(inner, offset) : whole.view(inner);
  blocks_.push_back({number, place, std::move(whole), std::move(inside)});
}

std::shared_ptr<Blocked> Blocked::create(std::shared_ptr<Team> team, BlockedLayout layout) {
  auto out = std::make_shared<Blocked>(std::move(team), std::move(layout));
  out->each_of_mine([&](Place& place, int64_t number) {
    const Box box = out->halo().box(out->grid(), out->grid().location(number));
    checked_bytes(box.extents(), size_of(out->dtype()));
    out->take(number, place.number,
              Array::empty(*place.stream, out->dtype(), box.extents(), out->layout_.order));
  });
  return out;
}

std::shared_ptr<Blocked> Blocked::adopt(std::shared_ptr<Team> team, BlockedLayout layout,
                                        const ArrayOf& array_of) {
  auto out = std::make_shared<Blocked>(std::move(team), std::move(layout));
  out->each_of_mine([&](Place& place, int64_t number) {
    out->take(number, place.number, array_of(place.number, number));
  });
  return out;
}

Block* Blocked::find(int64_t number, int place) {
  const auto before = [](const Block& b, std::pair<int, int64_t> at) {
    return std::pair(b.place, b.number) < at;
  };
  const std::pair<int, int64_t> at{place, number};
  const auto found = std::lower_bound(blocks_.begin(), blocks_.end(), at, before);
  return found != blocks_.end() && found->place == place && found->number == number ? &*found
                                                                                    : nullptr;
}

uint64_t digest_of(const BlockedLayout& layout) {
  Digest digest;
  digest.add(static_cast<uint64_t>(layout.dtype));
  for (int axis = 0; axis < layout.grid.ndim(); ++axis) digest.add_all(layout.grid.cuts(axis));
  const Halo& halo = layout.halo;
  digest.add_all({halo.low.data(), static_cast<size_t>(halo.low.size())});
  digest.add_all({halo.high.data(), static_cast<size_t>(halo.high.size())});
  for (Boundary boundary : halo.boundary) digest.add(static_cast<uint64_t>(boundary));
  const Owners& owners = layout.owners;
  digest.add(owners.everywhere() ? 1 : 0);
  for (int64_t k = 0; !owners.everywhere() && k < layout.grid.size(); ++k)
    digest.add(static_cast<uint64_t>(owners.of(k)));
  return digest.value();
}

int Blocked::owner(int64_t number) const {
  if (number < 0 || number >= grid().size()) return -1;
  return owners().everywhere() ? team_->first() : owners().of(number);
}

BlockedLayout Blocked::layout_as(DType dtype) const {
  BlockedLayout out = layout_;
  out.dtype = out.halo.fill.dtype = dtype;
  Scalar(layout_.halo.fill).convert_to(dtype, out.halo.fill.bytes, "the halo's fill");
  return out;
}

}  // namespace gpuarr::team
