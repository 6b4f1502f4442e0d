#include "host/check/run_checked.hpp"

#include <memory>
#include <mutex>

#include "core/fork.hpp"
#include "host/check/checker.hpp"
#include "host/run/launch.hpp"

namespace gpuarr::host {
namespace {

// Held for as long as a launch takes, so that fork() must not wait for it; a child has a new one.
std::shared_ptr<std::mutex> turn() {
  static auto* guard = new ForkSafeMutex;
  static auto* mutex = new std::shared_ptr<std::mutex>;
  static uint32_t generation = 0;
  std::lock_guard lock(*guard);
  if (*mutex == nullptr || generation != fork_generation()) {
    *mutex = std::make_shared<std::mutex>();
    generation = fork_generation();
  }
  return *mutex;
}

}  // namespace

void run_checked(const gpuarr_kernel& kernel, const gpuarr_launch& launch,
                 const CheckedModule& module, const RawLaunch& what, Device& device) {
  const auto checker = std::make_unique<Checker>(module, what, device);
  const auto mutex = turn();
  std::lock_guard lock(*mutex);
  run_raw(kernel, launch, checker.get());
}

}  // namespace gpuarr::host
