#include "device/allocator_kinds.hpp"

#include <algorithm>
#include <array>
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
};
constexpr std::array<Kind, 4> kinds = {{{"pool", GPUARR_ALLOCATOR_POOL},
                                        {"driver", GPUARR_ALLOCATOR_DRIVER},
                                        {"managed", GPUARR_ALLOCATOR_MANAGED},
                                        {"direct", GPUARR_ALLOCATOR_DIRECT}}};

}  // namespace

std::shared_ptr<Allocator> make_allocator_of_kind(Device& device, int32_t kind) {
  switch (kind) {
    case GPUARR_ALLOCATOR_POOL:
      return make_allocator<Pool>(device);
    case GPUARR_ALLOCATOR_DRIVER:
      return make_driver_allocator(device);
    case GPUARR_ALLOCATOR_MANAGED:
      return make_allocator<Pool>(device, MemoryKind::managed);
    case GPUARR_ALLOCATOR_DIRECT:
      return make_direct_allocator(device);
    default:
      fail(GPUARR_ERR_ARGUMENT,
           "kind is {}; give GPUARR_ALLOCATOR_POOL (1), _DRIVER (2), _MANAGED (3) or _DIRECT (4)",
           kind);
  }
}

void set_allocator_from_environment(Device& device) {
  if (device.allocator_was_chosen.load(std::memory_order_acquire)) return;
  const auto set = setting("GPUARR_ALLOCATOR");
  if (!set) return device.allocator_was_chosen.store(true);
  const auto kind = std::ranges::find(kinds, std::string_view(*set), &Kind::name);
  if (kind->number != GPUARR_ALLOCATOR_POOL)
    set_current_allocator(device, make_allocator_of_kind(device, kind->number));
  device.allocator_was_chosen.store(true, std::memory_order_release);
}

}  // namespace gpuarr
