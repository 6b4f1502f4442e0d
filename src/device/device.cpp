#include "device/device.hpp"

#include <atomic>
#include <mutex>
#include <vector>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "device/pool.hpp"

namespace gpuarr {
namespace {

std::atomic<int> next_index{0};
std::atomic<uint64_t> next_stream_id{1};

// The device's own streams are made once; the lock is not worth one for each device.
ForkSafeMutex& own_stream_mutex() {
  static auto* mutex = new ForkSafeMutex;
  return *mutex;
}

thread_local std::vector<std::shared_ptr<Stream>> current_streams;  // by Device::index()

}  // namespace

Device::Device(DeviceFacts facts)
    : facts_(std::move(facts)), index_(next_index++), pool_(std::make_unique<Pool>(*this)) {}

Device::~Device() = default;

std::string Device::compile_raw(const RawSource& /*source*/) {
  fail(GPUARR_ERR_UNSUPPORTED, "{} does not compile raw kernels", facts_.name);
}

std::shared_ptr<RawModule> Device::load_raw(const std::string& /*image*/) {
  fail(GPUARR_ERR_UNSUPPORTED, "{} does not load raw kernels", facts_.name);
}

std::string Device::list(Listing /*listing*/, const RawSource* /*source*/,
                         const std::string& /*image*/) {
  fail(GPUARR_ERR_UNSUPPORTED, "{} does not list compiled code", facts_.name);
}

Stream& Device::own_stream() {
  {
    std::lock_guard lock(own_stream_mutex());
    if (own_stream_) return *own_stream_;
  }
  // Made outside the lock, since it takes the backend's; of two that meet here one is dropped.
  std::shared_ptr<Stream> made = create_own_stream();
  std::lock_guard lock(own_stream_mutex());
  if (!own_stream_) own_stream_ = std::move(made);
  return *own_stream_;
}

Stream::Stream(Device& device, int priority)
    : device_(device), priority_(priority), id_(next_stream_id++) {}

Stream& current_stream(Device& device) {
  auto index = static_cast<size_t>(device.index());
  if (index < current_streams.size() && current_streams[index]) return *current_streams[index];
  Stream& own = device.own_stream();
  set_current_stream(device, own.shared_from_this());
  return own;
}

void set_current_stream(Device& device, std::shared_ptr<Stream> stream) {
  auto index = static_cast<size_t>(device.index());
  if (current_streams.size() <= index) current_streams.resize(index + 1);
  current_streams[index] = std::move(stream);
}

}  // namespace gpuarr
