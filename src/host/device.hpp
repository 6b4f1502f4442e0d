// The CPU as a device.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/fork.hpp"
#include "device/device.hpp"
#include "device/stream_table.hpp"

namespace gpuarr::host {

class HostDevice final : public Device {
 public:
  HostDevice();

  DeviceMemory memory() override;
  void* allocate(int64_t bytes, MemoryKind kind) override;
  void deallocate(void* block, MemoryKind kind) noexcept override;

  std::shared_ptr<Stream> create_stream(int priority, bool blocking = false) override;
  std::shared_ptr<Stream> borrow_stream(void* native) override;
  std::shared_ptr<Event> create_event(bool timed = true) override;
  void synchronize() override;

  void copy(void* target, const void* source, int64_t bytes, Stream& stream) override;
  void clear(void* target, int64_t bytes, Stream& stream) override;

  std::string compiler() override;
  std::string compile_identity() override;
  std::string target() override;
  std::string compile(const Source& source) override;
  std::shared_ptr<Module> load(const std::string& image) override;
  std::string compile_raw(const RawSource& source) override;
  std::shared_ptr<RawModule> load_raw(const std::string& image) override;
  std::string list(Listing listing, const RawSource* source, const std::string& image) override;
  bool run(const Builtin& builtin, Stream& stream) override;
  Blas& blas() override;
  Solver& solver() override;

 private:
  ForkSafeMutex mutex_;
  StreamTable table_;
  std::vector<std::weak_ptr<Stream>> streams_;  // those that are not eager
};

}  // namespace gpuarr::host
