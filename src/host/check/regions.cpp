#include "host/check/regions.hpp"

#include <algorithm>
#include <utility>

#include "core/text.hpp"

namespace gpuarr::host {
namespace {

// Addresses that are further away than that have nothing to do with a region.
constexpr uint64_t near = uint64_t{1} << 32;

// From further away an argument is more likely.
constexpr uint64_t near_variables = 4096;

std::string counted(uint64_t number, const std::string& unit) {
  return formatted("{} {}{}", number, unit, number == 1 ? "" : "s");
}

struct Unit {
  int64_t bytes;
  const char* name;
};

// How the address lies to the region.
std::string place(const Region& r, Unit unit, uintptr_t at, uint64_t bytes) {
  const auto size = static_cast<uint64_t>(unit.bytes);
  if (r.begin == r.end) return ", which has no elements";
  if (r.holds(at, bytes)) return "";
  if (at >= r.end) return ": " + counted((at - r.end) / size + 1, unit.name) + " behind its end";
  if (at < r.begin)
    return ": " + counted((r.begin - at + size - 1) / size, unit.name) + " before its start";
  return ", and reaches over its end";
}

int64_t index_of(uintptr_t at, uintptr_t origin, int64_t bytes) {
  const auto distance = static_cast<int64_t>(at - origin);
  return distance >= 0 ? distance / bytes : -((bytes - 1 - distance) / bytes);
}

std::string describe_argument(const Region& r, uintptr_t at, uint64_t bytes) {
  const ArraySpan& a = r.array;
  const int64_t size = size_of(a.dtype);
  const std::string name = a.name.empty() ? formatted("args[{}]", a.argument) : a.name;
  const std::string also = a.name.empty() ? "" : formatted("args[{}], ", a.argument);
  return formatted("{}[{}] ({}{}, shape {}){}", name,
                   index_of(at, reinterpret_cast<uintptr_t>(a.data), size), also,
                   gpuarr::name(a.dtype), a.shape, place(r, {size, "element"}, at, bytes));
}

std::string describe_bytes(const Region& r, uintptr_t at, uint64_t bytes) {
  const auto offset = static_cast<int64_t>(at - r.begin);
  const std::string name = r.kind == Region::Kind::dynamic ? "dynamic shared memory" : r.name;
  const bool shared = r.kind == Region::Kind::shared;
  return formatted("{} {} {} ({}{}){}", name, offset < 0 ? '-' : '+', offset < 0 ? -offset : offset,
                   shared ? "shared, " : "", counted(r.end - r.begin, "byte"),
                   r.begin == r.end ? "" : place(r, {1, "byte"}, at, bytes));
}

uint64_t distance(const Region& r, uintptr_t at) {
  return at < r.begin ? r.begin - at : at >= r.end ? at - r.end + 1 : 0;
}

bool has_name(const Region& r) {
  using Kind = Region::Kind;
  return r.kind == Kind::argument || r.kind == Kind::dynamic ||
         ((r.kind == Kind::shared || r.kind == Kind::variable) && !r.name.empty());
}

}  // namespace

void Regions::add(Region region) {
  list_.push_back(std::move(region));
  if (list_.back().kind == Region::Kind::dynamic) dynamic_ = &list_.back();
}

void Regions::add_argument(const ArraySpan& array) {
  add({Region::Kind::argument, reinterpret_cast<uintptr_t>(array.begin),
       reinterpret_cast<uintptr_t>(array.end), array.name, array});
}

void Regions::set_dynamic(const void* begin, int64_t bytes) {
  if (dynamic_ == nullptr) add({Region::Kind::dynamic, 0, 0, "", {}});
  dynamic_->begin = reinterpret_cast<uintptr_t>(begin);
  dynamic_->end = dynamic_->begin + static_cast<uint64_t>(bytes);
}

const Region* Regions::search(uintptr_t at, uint64_t bytes) {
  const auto found =
      std::ranges::find_if(list_, [&](const Region& r) { return r.holds(at, bytes); });
  if (found == list_.end()) return nullptr;
  known_[gpuarr_checker::extent_of(at)] = &*found;
  return &*found;
}

const Region* Regions::nearest(uintptr_t at) const {
  const auto best_of = [&](bool argument) {
    const Region* best = nullptr;
    for (const Region& r : list_)
      if (has_name(r) && (r.kind == Region::Kind::argument) == argument &&
          (best == nullptr || distance(r, at) < distance(*best, at)))
        best = &r;
    return best;
  };
  const Region* argument = best_of(true);
  const Region* other = best_of(false);
  if (argument == nullptr || other == nullptr) return argument != nullptr ? argument : other;
  const bool beside = distance(*other, at) < std::min(distance(*argument, at), near_variables);
  return beside ? other : argument;
}

bool Regions::is_near(uintptr_t at, uint64_t bytes) const {
  const Region* best = nearest(at);
  return best != nullptr && distance(*best, at) <= bytes;
}

std::string Regions::describe(uintptr_t at, uint64_t bytes) const {
  const Region* best = nearest(at);
  if (best == nullptr || distance(*best, at) > near) return "";
  return best->kind == Region::Kind::argument ? describe_argument(*best, at, bytes)
                                              : describe_bytes(*best, at, bytes);
}

}  // namespace gpuarr::host
