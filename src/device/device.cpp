#include "device/device.hpp"

#include <atomic>
#include <mutex>

#include "core/error.hpp"
#include "core/fork.hpp"
#include "core/once.hpp"
#include "device/pinned_pool.hpp"
#include "device/pool.hpp"

namespace gpuarr {
namespace {

std::atomic<int> next_index{0};

// The device's own streams are made once; the lock is not worth one for each device.
ForkSafeMutex& own_stream_mutex() {
  static Undying<ForkSafeMutex> mutex;
  return *mutex;
}

}  // namespace

Device::Device(DeviceFacts facts)
    : facts_(std::move(facts)),
      index_(next_index++),
      budget_(*this),
      pool_(std::make_shared<Pool>(*this, MemoryKind::device, true)),
      pinned_(std::make_unique<PinnedPool>(*this)) {}

Device::~Device() = default;

void* Device::allocate_ordered(int64_t bytes, Stream& /*stream*/) {
  return allocate(bytes, MemoryKind::device);
}

void Device::deallocate_ordered(void* data, Stream& stream) noexcept {
  settle(stream);
  deallocate(data, MemoryKind::device);
}

std::shared_ptr<Stream> Device::borrow_stream(void* native) {
  if (native == nullptr) return own_stream().shared_from_this();
  fail(GPUARR_ERR_UNSUPPORTED, "{} cannot borrow streams of another library; give NULL",
       facts_.name);
}

void Device::copy_from_host(void* target, const void* source, int64_t bytes, Stream& stream) {
  copy(target, source, bytes, stream);
}

void Device::copy_to_host(void* target, const void* source, int64_t bytes, Stream& stream) {
  copy(target, source, bytes, stream);
}

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

Solver& Device::solver() {
  fail(GPUARR_ERR_UNSUPPORTED, "{} does not factorise matrices", facts_.name);
}

Blas& Device::blas() { fail(GPUARR_ERR_UNSUPPORTED, "{} does not multiply matrices", facts_.name); }

CommunicatorId Device::communicator_id() {
  fail(GPUARR_ERR_UNSUPPORTED, "{} does not send messages", facts_.name);
}

std::vector<std::unique_ptr<Communicator>> Device::join(
    const CommunicatorId& /*id*/, int /*size*/, std::span<const CommunicatorMember> /*members*/,
    const Patience& /*patience*/) {
  fail(GPUARR_ERR_UNSUPPORTED, "{} does not send messages", facts_.name);
}

bool Device::can_access(Device& peer) { return &peer == this; }

void Device::enable_access(Device& peer) {
  if (!can_access(peer))
    fail(GPUARR_ERR_UNSUPPORTED, "{} cannot access the memory of {}; copy arrays instead",
         facts_.name, peer.facts().name);
}

// Who waits counts himself before he looks for captures, and who captures before he looks for
// waits: one of two that meet sees the other.
void Device::begin_wait() {
  waits_.enter();
  if (capturing == 0) return;
  end_wait();
  fail_captured();
}

void Device::end_wait() noexcept { waits_.leave(); }

void Device::begin_capture() noexcept {
  ++capturing;
  waits_.wait_for_none();
}

void Device::end_capture() noexcept { --capturing; }

void Device::fail_captured() const {
  fail(
      GPUARR_ERR_UNSUPPORTED,
      "{} cannot be waited for while a stream of it is being captured into a graph; wait for other "
      "streams one by one, or end the capture with gpuarr_stream_end_capture first",
      facts_.name);
}

Stream& Device::own_stream() {
  {
    std::lock_guard lock(own_stream_mutex());
    if (own_stream_) return *own_stream_;
  }
  // Made outside the lock, since it takes the backend's; of two that meet here one is dropped.
  std::shared_ptr<Stream> made = create_own_stream();
  std::lock_guard lock(own_stream_mutex());
  if (!own_stream_) own_stream_ = made->for_user();
  return *own_stream_;
}

}  // namespace gpuarr
