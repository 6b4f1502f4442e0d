// A kernel of a module, as it is launched.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/fork.hpp"
#include "kernel/launch/call.hpp"
#include "kernel/raw/module.hpp"
#include "kernel/raw/raw_arguments.hpp"

namespace gpuarr {

/// What a caller asks for, not checked yet.
struct RawShape {
  std::array<int64_t, 3> grid;
  std::array<int64_t, 3> block;
  int64_t shared_bytes = 0;
};

/// The memory that an array's elements take up.
ArraySpan span_of(int argument, const Array& array);

class RawKernel {
 public:
  /// `params` declares the parameters; null for none.
  RawKernel(std::shared_ptr<UserModule> module, std::string name, const char* params);
  ~RawKernel();
  RawKernel(const RawKernel&) = delete;
  RawKernel& operator=(const RawKernel&) = delete;

  void launch(const RawShape& shape, std::span<const RawArgument> arguments, Stream& stream);
  void launch_1d(int64_t n, std::span<const RawArgument> arguments, Stream& stream);
  PreparedCall prepare(const RawShape& shape, std::span<const RawArgument> arguments,
                       Device& device);

  std::string signature(Device& device) { return bound(device).signature.to_text(); }
  int64_t attribute(Device& device, int32_t attribute);
  void set_attribute(int32_t attribute, int64_t value);
  int resident_blocks(Device& device, int threads, int64_t shared_bytes);
  int best_block(Device& device, int64_t shared_bytes);

 private:
  // The kernel on one device; made once, found without a lock.
  struct Bound {
    Device* device;
    std::shared_ptr<RawFunction> function;
    RawSignature signature;
    std::atomic<uint32_t> attributes;  // as of which version they were set
    Bound* next;
  };

  Bound& bound(Device& device) {
    Bound* b = first_.load(std::memory_order_acquire);
    while (b != nullptr && b->device != &device) b = b->next;
    if (b == nullptr) b = &bind(device);
    if (b->attributes.load(std::memory_order_relaxed) != version_) apply_attributes(*b);
    return *b;
  }
  Bound& bind(Device& device);
  std::optional<std::vector<NamedType>> parameter_types(const RawFacts& facts) const;
  RawSignature make_signature(const RawFacts& facts) const;
  void apply_attributes(Bound& b);
  RawLaunch checked_launch(Bound& b, const RawShape& shape) const;
  void check_shared(const Bound& b, int64_t bytes) const;
  void check_cooperative(Bound& b, const RawLaunch& launch) const;
  LaunchLabel label_of(const Bound& b) const;
  void check_arrays(const Bound& b, std::span<const RawArgument> arguments) const;

  std::shared_ptr<UserModule> module_;
  std::string name_;
  std::optional<std::vector<NamedType>> declared_;
  std::atomic<Bound*> first_{nullptr};
  std::atomic<uint32_t> version_{0};
  std::atomic<bool> cooperative_{false};
  std::array<std::atomic<uint32_t>, 3> cluster_{};
  ForkSafeMutex mutex_;
  std::vector<std::pair<int32_t, int64_t>> attributes_;  // that were set
};

}  // namespace gpuarr
