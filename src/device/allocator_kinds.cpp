#include "device/allocator_kinds.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "core/error.hpp"
#include "core/settings.hpp"
#include "device/device.hpp"
#include "device/function_allocator.hpp"
#include "device/pool.hpp"
#include "gpuarr/allocator.h"

namespace gpuarr {
namespace {

struct Kind {
  std::string_view name;
  int32_t number;
  std::shared_ptr<Allocator> (*make)(Device& device);
};
template <MemoryKind kind>
std::shared_ptr<Allocator> make_pool(Device& device) {
  return make_allocator<Pool>(device, kind);
}
constexpr Kind kinds[] = {{"pool", GPUARR_ALLOCATOR_POOL, make_pool<MemoryKind::device>},
                          {"driver", GPUARR_ALLOCATOR_DRIVER, make_driver_allocator},
                          {"managed", GPUARR_ALLOCATOR_MANAGED, make_pool<MemoryKind::managed>},
                          {"direct", GPUARR_ALLOCATOR_DIRECT, make_direct_allocator}};

}  // namespace

std::shared_ptr<Allocator> make_allocator_of_kind(Device& device, int32_t kind) {
  const auto* row = std::ranges::find(kinds, kind, &Kind::number);
  if (row != std::end(kinds)) return row->make(device);
  fail(GPUARR_ERR_ARGUMENT,
       "kind is {}; give GPUARR_ALLOCATOR_POOL (1), _DRIVER (2), _MANAGED (3) or _DIRECT (4)",
       kind);
}

void set_allocator_from_environment(Device& device) {
  if (device.allocator_was_chosen.load(std::memory_order_acquire)) return;
  const auto set = setting("GPUARR_ALLOCATOR");
  if (!set) return device.allocator_was_chosen.store(true);
  const auto* kind = std::ranges::find(kinds, std::string_view(*set), &Kind::name);
  if (kind->number != GPUARR_ALLOCATOR_POOL) set_current_allocator(device, kind->make(device));
  device.allocator_was_chosen.store(true, std::memory_order_release);
}

}  // namespace gpuarr
