#include "device/budget.hpp"

#include "core/error.hpp"
#include "core/settings.hpp"
#include "device/device.hpp"

namespace gpuarr {

int64_t Budget::from_environment() {
  const auto set = setting("GPUARR_MEMORY_LIMIT");
  if (!set) return 0;
  if (auto bytes = parse_bytes(*set)) return *bytes;
  return static_cast<int64_t>(*parse_part(*set) * static_cast<double>(device_.memory().total));
}

int64_t Budget::limit() {
  int64_t limit = limit_.load(std::memory_order_relaxed);
  if (limit >= 0) return limit;
  int64_t found = from_environment();
  return limit_.compare_exchange_strong(limit, found) ? found : limit;
}

void Budget::set_limit(int64_t bytes) {
  if (bytes < 0) fail(GPUARR_ERR_ARGUMENT, "bytes is {}; give a size, or 0 for no limit", bytes);
  limit_.store(bytes, std::memory_order_relaxed);
}

void Budget::set_limit_fraction(double fraction) {
  if (!(fraction > 0 && fraction <= 1))
    fail(GPUARR_ERR_ARGUMENT, "fraction is {}; give a part of the device's memory, above 0 to 1",
         fraction);
  limit_.store(static_cast<int64_t>(fraction * static_cast<double>(device_.memory().total)),
               std::memory_order_relaxed);
}

bool Budget::charge(int64_t bytes) {
  const int64_t most = limit();
  const int64_t before = held_.fetch_add(bytes, std::memory_order_relaxed);
  if (most == 0 || before <= most - bytes) return true;
  refund(bytes);
  return false;
}

}  // namespace gpuarr
