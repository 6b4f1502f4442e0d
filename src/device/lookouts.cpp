#include "device/lookouts.hpp"

#include <mutex>

namespace gpuarr {

void Lookouts::add(std::weak_ptr<Lookout> lookout) {
  std::lock_guard lock(mutex_);
  std::erase_if(all_, [](const auto& other) { return other.expired(); });
  all_.push_back(std::move(lookout));
  count_ = all_.size();
}

// They are asked without the lock, and outlive their teams until then.
std::vector<std::shared_ptr<Lookout>> Lookouts::with_messages() {
  std::vector<std::shared_ptr<Lookout>> out;
  {
    std::lock_guard lock(mutex_);
    for (const auto& each : all_)
      if (auto lookout = each.lock()) out.push_back(std::move(lookout));
  }
  std::erase_if(out, [](const auto& lookout) { return !lookout->has_messages(); });
  return out;
}

}  // namespace gpuarr
