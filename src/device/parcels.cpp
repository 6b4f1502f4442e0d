#include "device/parcels.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace gpuarr {

bool BySize::operator()(const Parcel* a, const Parcel* b) const {
  return a->size != b->size ? a->size < b->size : std::less<>()(a->data, b->data);
}

bool BySize::operator()(const Parcel* a, int64_t size) const { return a->size < size; }

namespace {

// A quarter more than is needed may be wasted; of what is larger, others can make better use.
bool wastes(const Parcel& parcel, const ParcelRequest& request) {
  return parcel.kind == ParcelClass::large && !request.any &&
         parcel.size - request.size > request.size / 4;
}

bool is_whole(const Parcel* parcel) {
  return parcel->before == nullptr && parcel->after == nullptr;
}

// A rest must be of use to somebody of its class.
int64_t smallest_rest(ParcelClass kind) {
  if (kind == ParcelClass::small) return pool_granularity;
  return kind == ParcelClass::medium ? pool_small_limit + pool_granularity
                                     : pool_medium_limit + pool_granularity;
}

}  // namespace

int64_t best_fit(Shelf& shelf, const ParcelRequest& request) {
  auto& free = shelf.of(class_of(request.size));
  auto found = free.lower_bound(request.size);
  return found == free.end() || wastes(**found, request) ? -1 : (*found)->size;
}

// Reserves all that the parcel will ever need; nothing after it fails.
Parcel& Parcels::blank() {
  if (blanks_ == nullptr) {
    Parcel& made = all_.emplace_back();
    try {
      std::set<Parcel*, BySize> shelf{&made};
      made.in_shelf = shelf.extract(shelf.begin());
      std::unordered_map<void*, Parcel*> table{{nullptr, &made}};
      made.in_table = table.extract(table.begin());
      if (all_.size() > used_.bucket_count()) used_.reserve(2 * all_.size());
    } catch (...) {
      all_.pop_back();
      throw;
    }
    blanks_ = &made;
  }
  Parcel& parcel = *blanks_;
  blanks_ = parcel.after;
  parcel.after = nullptr;
  return parcel;
}

void Parcels::forget(Parcel& parcel) noexcept {
  parcel.data = nullptr;
  parcel.before = nullptr;
  parcel.after = blanks_;
  blanks_ = &parcel;
}

void Parcels::attach(Parcel& parcel, Shelf& shelf) noexcept {
  parcel.shelf = &shelf;
  parcel.in_shelf.value() = &parcel;
  shelf.of(parcel.kind).insert(std::move(parcel.in_shelf));
  if (is_whole(&parcel)) whole_bytes_ += parcel.size;
}

void Parcels::detach(Parcel& parcel) noexcept {
  auto& free = parcel.shelf->of(parcel.kind);
  parcel.in_shelf = free.extract(&parcel);
  parcel.shelf = nullptr;
  if (is_whole(&parcel)) whole_bytes_ -= parcel.size;
}

// `second` follows `first` in memory; neither is in a shelf.
void Parcels::join(Parcel& first, Parcel& second) noexcept {
  first.size += second.size;
  first.asked.store(0, std::memory_order_relaxed);
  first.freed.store(std::max(first.freed_at(), second.freed_at()), std::memory_order_relaxed);
  first.after = second.after;
  if (first.after != nullptr) first.after->before = &first;
  forget(second);
}

void Parcels::add(void* block, int64_t size, ParcelClass kind, Shelf& shelf) {
  Parcel& parcel = blank();
  parcel.data = static_cast<char*>(block);
  parcel.size = size;
  parcel.used.store(0, std::memory_order_relaxed);
  parcel.asked.store(0, std::memory_order_relaxed);
  parcel.freed.store(0, std::memory_order_relaxed);
  parcel.kind = kind;
  total_bytes_ += size;
  attach(parcel, shelf);
}

void Parcels::cut(Parcel& parcel, int64_t size, Shelf& shelf, Parcel& rest) noexcept {
  rest.data = parcel.data + size;
  rest.size = parcel.size - size;
  rest.used.store(0, std::memory_order_relaxed);
  rest.asked.store(0, std::memory_order_relaxed);
  rest.freed.store(parcel.freed_at(), std::memory_order_relaxed);
  rest.kind = parcel.kind;
  rest.before = &parcel;
  rest.after = parcel.after;
  if (rest.after != nullptr) rest.after->before = &rest;
  parcel.after = &rest;
  parcel.size = size;
  attach(rest, shelf);
}

Parcel* Parcels::take(Shelf& shelf, const ParcelRequest& request) {
  const ParcelClass kind = class_of(request.size);
  auto& free = shelf.of(kind);
  auto found = free.lower_bound(request.size);
  if (found == free.end() || wastes(**found, request)) return nullptr;
  Parcel& parcel = **found;
  Parcel* rest = parcel.size - request.size >= smallest_rest(kind) ? &blank() : nullptr;
  detach(parcel);
  if (rest != nullptr) cut(parcel, request.size, shelf, *rest);
  parcel.hand_out(request.asked);
  parcel.front = nullptr;
  parcel.in_table.key() = parcel.data;
  parcel.in_table.mapped() = &parcel;
  used_.insert(std::move(parcel.in_table));
  return &parcel;
}

// Joins a parcel with its free neighbours of the shelf and puts what results there.
void Parcels::settle(Parcel& parcel, Shelf& shelf) noexcept {
  Parcel* joined = &parcel;
  auto joins = [&](const Parcel* c) { return c != nullptr && c->shelf == &shelf; };
  if (joins(parcel.after)) {
    detach(*parcel.after);
    join(parcel, *parcel.after);
  }
  if (joins(parcel.before)) {
    joined = parcel.before;
    detach(*joined);
    join(*joined, parcel);
  }
  attach(*joined, shelf);
}

void Parcels::put(Parcel& parcel, Shelf& shelf) noexcept {
  parcel.in_table = used_.extract(parcel.data);
  settle(parcel, shelf);
}

void Parcels::move(Shelf& from, Shelf& to, uint64_t freed_until) noexcept {
  for (auto& free : from.sets)
    for (auto next = free.begin(); next != free.end();) {
      Parcel& parcel = **next++;
      if (parcel.freed_at() > freed_until) continue;
      detach(parcel);
      settle(parcel, to);
    }
}

void Parcels::remove_whole(Shelf& shelf, int64_t bytes, std::vector<void*>& blocks) {
  std::vector<Parcel*> whole;
  for (auto free = shelf.sets.rbegin(); free != shelf.sets.rend(); ++free)
    std::copy_if(free->rbegin(), free->rend(), std::back_inserter(whole), is_whole);
  blocks.reserve(blocks.size() + whole.size());
  for (Parcel* parcel : whole) {
    if (bytes <= 0) return;
    bytes -= parcel->size;
    blocks.push_back(parcel->data);
    detach(*parcel);
    total_bytes_ -= parcel->size;
    forget(*parcel);
  }
}

const Parcel* Parcels::find(const void* address) const noexcept {
  const auto* at = static_cast<const char*>(address);
  for (const Parcel& parcel : all_)
    if (parcel.data != nullptr && at >= parcel.data && at < parcel.data + parcel.size)
      return &parcel;
  return nullptr;
}

Parcel* Parcels::find_used(void* data) const noexcept {
  auto found = used_.find(data);
  return found == used_.end() ? nullptr : found->second;
}

}  // namespace gpuarr
