// Faults of kernels: after one, the driver refuses all work on the device until the process ends.
#pragma once

#include <cuda.h>

#include <atomic>
#include <string>

#include "core/once.hpp"

namespace gpuarr::cuda {

/// What is known of a device's context, for as long as the process lives.
class Health {
 public:
  Health(CUcontext context, std::string device) : context_(context), device_(std::move(device)) {}

  /// Costs a store: the name is one of keep_name().
  void note_launch(const char* kernel) { last_.store(kernel, std::memory_order_relaxed); }
  bool is_lost() const { return lost_.peek() != nullptr; }
  /// Throws if the context was lost before.
  void check() const {
    if (is_lost()) [[unlikely]]
      fail_lost();
  }

  /// Takes the context for lost and throws. `report` says which call gave the result; `kernel` is
  /// the one to blame, if that is known.
  [[noreturn]] void lose(const std::string& report, CUresult result, const char* kernel);

 private:
  struct Loss {
    std::string report;
    CUresult result;
  };
  friend Health& health_of(CUcontext context, const std::string& device);
  friend Health* find_health(CUcontext context);
  [[noreturn]] void fail_lost() const;

  CUcontext context_;
  std::string device_;
  Health* next_ = nullptr;
  std::atomic<const char*> last_{nullptr};
  Once<Loss> lost_;
};

/// That of a context, made when it is first asked for.
Health& health_of(CUcontext context, const std::string& device);
Health* find_health(CUcontext context);  // null if it is none of ours

/// Whether a result means that the context is lost, with every object of the process in it.
bool is_sticky(CUresult result);

/// The same text for as long as the process lives.
const char* keep_name(const std::string& name);

}  // namespace gpuarr::cuda
